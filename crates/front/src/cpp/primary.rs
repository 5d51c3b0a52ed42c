//! Names, numbers and other primary expressions.

use super::lexer::Kind;
use super::symbol::{Is, Symbol, Value};
use super::types::{GENERIC, Type};
use super::unit::Unit;
use super::{Advice, Parsed, Problem, number};
use alloc::boxed::Box;
use alloc::format;

impl Unit {
    pub(super) fn primary(&mut self) -> Parsed<Value> {
        let token = self.peek().clone();
        self.mark = token.at;
        match token.kind {
            Kind::Number => {
                self.at += 1;
                Ok(match number::integer(&token.text) {
                    Some((value, bits, signed)) => Self::integer(value, Type::Int(bits, signed)),
                    None => {
                        let single = token.text.ends_with(['f', 'F']);
                        Value { of: Type::Float(if single { 32 } else { 64 }), is: Is::Data }
                    }
                })
            }
            Kind::Letter => {
                self.at += 1;
                Ok(Self::integer(number::letter(&token.text), Type::Int(8, true)))
            }
            Kind::Text => {
                while self.peek().kind == Kind::Text {
                    self.at += 1;
                }
                Ok(self.data(Type::Int(8, true).pointer(super::types::CONSTANT)))
            }
            Kind::Mark if token.is("(") => {
                self.at += 1;
                let value = self.expression()?;
                self.expect(")")?;
                Ok(value)
            }
            Kind::Mark if token.is("[") => Err(self.unsupported("a lambda in an expression")),
            Kind::Word => self.named(),
            Kind::Mark if token.is("::") => self.named(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// A name: a variable, a constant, a call, a cast.
    fn named(&mut self) -> Parsed<Value> {
        let token = self.peek().clone();
        match &*token.text {
            "true" | "false" => {
                self.at += 1;
                return Ok(Self::integer(i64::from(token.is("true")), Type::Bool));
            }
            "warpSize" => {
                self.at += 1;
                return Ok(self.lanes());
            }
            "nullptr" => {
                self.at += 1;
                return Ok(Value { of: Type::Void.pointer(GENERIC), is: Is::Int(0) });
            }
            "this" => {
                self.at += 1;
                let Some((_, this)) = self.body.this.clone() else {
                    return Err(Problem::at(&token, "`this` is outside a structure"));
                };
                return self.address(this);
            }
            "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" => {
                self.at += 1;
                self.expect("<")?;
                let of = self.type_name()?;
                self.expect(">")?;
                self.expect("(")?;
                let value = self.expression()?;
                self.expect(")")?;
                return self.cast_to(value, &of);
            }
            _ => {}
        }
        let (symbol, after) = self.path_at(self.at);
        let called = self.tokens.get(after).is_some_and(|next| next.is("("));
        let local = matches!(symbol, Some(Symbol::Value(_)));
        if !local && let Some(member) = self.own_member(&token.text)? {
            return Ok(member);
        }
        match symbol {
            Some(Symbol::Value(value)) => {
                self.at = after;
                Ok(value)
            }
            Some(Symbol::Lambda(number)) if !called => {
                self.at = after;
                Ok(Self::of_lambda(number))
            }
            Some(Symbol::Lambda(number)) => {
                self.at = after;
                let given = self.arguments()?;
                self.mark = token.at;
                self.call_lambda(number, &given)
            }
            Some(Symbol::Functions(all)) => {
                self.at = after;
                self.call(&all, &token)
            }
            Some(Symbol::Axes(amdgpu, nvidia)) => {
                self.at = after;
                self.axes(amdgpu, nvidia)
            }
            Some(Symbol::Type(_) | Symbol::StructTemplate(_)) => self.made(),
            None if self.begins_type(self.at) => self.made(),
            None if called => {
                let name = self.tokens[after - 1].text.clone();
                self.at = after;
                self.mark = token.at;
                self.builtin(&name, &token)
            }
            None if self.tokens.get(after).is_some_and(|next| next.is("<")) => {
                let name = self.tokens[after - 1].text.clone();
                self.template_builtin(&name, after, &token)
            }
            None => Err(self.undeclared(&token)),
        }
    }

    /// A member of the structure that owns the current function; `None` if it has no such member.
    fn own_member(&mut self, name: &str) -> Parsed<Option<Value>> {
        let Some((at, this)) = self.body.this.clone() else { return Ok(None) };
        let key = format!("{}::{name}", self.types.structs[at].name);
        let known = self.types.field(at, name).is_some() || self.scopes[0].contains_key(&*key);
        if !known && self.base_with(at, name).is_none() {
            return Ok(None);
        }
        self.member(this).map(Some)
    }

    pub(super) fn undeclared(&self, token: &super::lexer::Token) -> Box<Problem> {
        let mut message = format!("`{}` is not declared", token.text);
        if let Some(header) = self.missing.first() {
            message += &format!("; the header \"{header}\" is not read");
        }
        let advise = match self.missing.is_empty() {
            true => Advice::Clang,
            false => Advice::Header,
        };
        let mut problem = Problem::at(token, message);
        problem.advise = Some(advise);
        problem
    }

    /// `T(x)`, `T{x}`
    fn made(&mut self) -> Parsed<Value> {
        let specifiers = self.specifiers()?;
        let Some(of) = specifiers.of else { return Err(self.unexpected("a type")) };
        if self.is("{") {
            return self.braced(&of);
        }
        // `S<int>::value`
        if let Type::Struct(at) = of
            && self.is("::")
        {
            let name = format!("{}::{}", self.types.structs[at].name, self.ahead(1).text);
            let token = self.ahead(1).clone();
            match self.lookup(&name).cloned() {
                Some(Symbol::Value(value)) => {
                    self.at += 2;
                    return Ok(value);
                }
                Some(Symbol::Functions(all)) => {
                    self.at += 2;
                    return self.call(&all, &token);
                }
                _ => {}
            }
        }
        if !self.is("(") {
            return Err(self.unexpected("`(`"));
        }
        if let Type::Struct(_) = of {
            let place = self.stack("value", &of);
            self.construct(&place)?;
            return Ok(place);
        }
        self.at += 1;
        if self.eat(")") {
            return Ok(Self::zero(of));
        }
        let value = self.expression()?;
        self.expect(")")?;
        self.cast_to(value, &of)
    }

    pub(super) const fn of_lambda(number: usize) -> Value {
        Value { of: Type::Lambda(number), is: Is::Nothing }
    }

    pub(super) fn zero(of: Type) -> Value {
        let is = if matches!(of, Type::Float(_)) { Is::Data } else { Is::Int(0) };
        Value { of, is }
    }

    /// `threadIdx.x`
    fn axes(&mut self, amdgpu: &'static str, nvidia: &'static str) -> Parsed<Value> {
        let of = super::types::UNSIGNED;
        let read = |unit: &mut Self, axis: &str| {
            let name = match unit.amdgpu {
                true => format!("llvm.amdgcn.{amdgpu}.{axis}"),
                false => format!("llvm.nvvm.read.ptx.sreg.{nvidia}.{axis}"),
            };
            unit.compute(of.clone(), format!("call i32 @{name}()"))
        };
        if self.is(".") {
            self.at += 1;
            let axis = self.name()?;
            if !matches!(&*axis, "x" | "y" | "z") {
                return Err(Problem::at(&self.tokens[self.at - 1], "expected `x`, `y` or `z`"));
            }
            return Ok(read(self, &axis));
        }
        let values = ["x", "y", "z"].map(|axis| read(self, axis));
        let Some(Symbol::Type(of)) = self.lookup("dim3").cloned() else {
            return Err(self.unexpected("`.`"));
        };
        let place = self.stack("axes", &of);
        for ((_, part), value) in self.parts(&place)?.into_iter().zip(values) {
            self.assign(&part, value)?;
        }
        Ok(place)
    }
}
