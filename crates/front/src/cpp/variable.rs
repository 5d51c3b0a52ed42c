//! Declarations of variables.

use super::Parsed;
use super::symbol::{Is, Specifiers, Symbol, Value};
use super::types::{CONSTANT, GLOBAL, LOCAL, Type};
use super::unit::{Line, Unit};
use alloc::format;
use alloc::rc::Rc;

impl Unit {
    /// Whether a declaration begins here: a type that no call or value follows.
    pub(super) fn begins_declaration(&self) -> bool {
        if !self.begins_type(self.at) {
            return false;
        }
        let (symbol, after) = self.path_at(self.at);
        let next = self.tokens.get(after);
        let of_type = matches!(symbol, Some(Symbol::Type(_)));
        let plain = of_type || self.tokens.get(self.at + 1).is_some_and(|next| next.is("("));
        // `int (*name)(int)`
        let points = next.is_some_and(|next| next.is("("))
            && self.tokens.get(after + 1).is_some_and(|next| next.is("*"));
        !(plain
            && !points
            && next.is_some_and(|next| next.is("(") || next.is("{") || next.is("::")))
            || self.is("__attribute__")
            || self.is("decltype")
            || self.is("alignas")
            || self.is("__align__")
    }

    /// A declaration of variables; in the head of a loop it may end with `:`.
    pub(super) fn declaration(&mut self, of_loop: bool) -> Parsed<()> {
        let specifiers = self.specifiers()?;
        let Some(base) = specifiers.of.clone() else { return Err(self.unexpected("a type")) };
        if self.eat(";") {
            return Ok(());
        }
        loop {
            self.declared(&specifiers, base.clone(), of_loop)?;
            if !self.eat(",") {
                break;
            }
        }
        if of_loop && self.is(":") { Ok(()) } else { self.expect(";") }
    }

    /// Reads one variable of a declaration and returns its name.
    pub(super) fn declared(
        &mut self,
        specifiers: &Specifiers,
        base: Type,
        _of_loop: bool,
    ) -> Parsed<Rc<str>> {
        self.mark = self.peek().at;
        let (Some(name), of) = self.declarator(base, specifiers.space)? else {
            return Err(self.unexpected("the name of a variable"));
        };
        if specifiers.alias {
            self.declare(name.clone(), Symbol::Type(of));
            return Ok(name);
        }
        let specifiers = &self.in_space(specifiers, &of);
        let kept = specifiers.kept_between_calls && !specifiers.fixed;
        if specifiers.shared || specifiers.constant || kept {
            self.global_variable(specifiers, &name, of)?;
            return Ok(name);
        }
        let variable = self.initialized(specifiers, &name, of)?;
        if let Some(variable) = variable {
            self.declare(name.clone(), Symbol::Value(variable));
        }
        Ok(name)
    }

    fn initialized(
        &mut self,
        specifiers: &Specifiers,
        name: &Rc<str>,
        of: Type,
    ) -> Parsed<Option<Value>> {
        let equals = self.eat("=");
        if matches!(of, Type::Auto) && self.is("[") {
            let number = self.lambda()?;
            self.declare(name.clone(), Symbol::Lambda(number));
            return Ok(None);
        }
        if let Type::Reference(to, _) = &of {
            let value = self.nested(Self::assignment)?;
            if matches!(value.is, Is::Register(_) | Is::Place(..)) {
                return Ok(Some(value));
            }
            return self.bound(name, to, value).map(Some);
        }
        if equals && !self.is("{") {
            let value = self.nested(Self::assignment)?;
            if let Type::Lambda(number) = value.of {
                self.declare(name.clone(), Symbol::Lambda(number));
                return Ok(None);
            }
            let of = if of == Type::Auto { self.decayed(&value) } else { of };
            let of = self.sized(of, &value);
            let value = if of.is_scalar() { self.convert(value, &of)? } else { value };
            if value.is_known_code() && !self.is_assigned_later(name) {
                return Ok(Some(value));
            }
            if specifiers.fixed && of.is_integer() && matches!(value.is, Is::Int(_)) {
                return Ok(Some(value));
            }
            let variable = self.variable(name, &of);
            self.assign(&variable, value)?;
            return Ok(Some(variable));
        }
        if of == Type::Auto {
            return Err(self.unexpected("`=`"));
        }
        let of = match of {
            Type::Array(element, 0) if self.is("{") => {
                let count = self.elements_in_braces();
                Type::Array(element, count)
            }
            other => other,
        };
        let variable = self.variable(name, &of);
        if self.is("{") {
            self.initialize(&variable)?;
        } else if self.is("(") {
            self.construct(&variable)?;
        } else if let Type::Struct(at) = of
            && self.has_constructor(at, 0)
        {
            self.call_constructor(at, &variable, &[])?;
        }
        Ok(Some(variable))
    }

    /// An array of letters has the size of its text.
    fn sized(&self, of: Type, value: &Value) -> Type {
        match (&of, &value.of) {
            (Type::Array(_, 0), Type::Array(..)) => value.of.clone(),
            _ => of,
        }
    }

    /// The number of values between braces.
    fn elements_in_braces(&self) -> u64 {
        let end = self.partner(self.at);
        let (mut at, mut count, mut some) = (self.at + 1, 0, false);
        while at < end {
            count += u64::from(self.tokens[at].is(","));
            some = !self.tokens[at].is(",");
            at = if self.partners[at] > at { self.partners[at] + 1 } else { at + 1 };
        }
        count + u64::from(some)
    }

    /// A variable in shared, constant or global memory.
    pub(super) fn global_variable(
        &mut self,
        specifiers: &Specifiers,
        name: &Rc<str>,
        of: Type,
    ) -> Parsed<()> {
        let (space, what) = match (specifiers.shared, specifiers.constant) {
            (true, _) => (LOCAL, "internal addrspace(3) global"),
            (_, true) => (CONSTANT, "internal addrspace(4) constant"),
            _ => (GLOBAL, "addrspace(1) global"),
        };
        let dynamic = specifiers.shared && specifiers.external;
        let of = match of {
            Type::Array(element, 0) if !dynamic && self.is("=") => {
                self.at += 1;
                let count = self.elements_in_braces();
                self.at -= 1;
                Type::Array(element, count)
            }
            other => other,
        };
        if self.is("=") || self.is("{") {
            self.skip_initializer();
        }
        let address = match &self.dynamic {
            Some(known) if dynamic => known.clone(),
            _ => {
                let known = self.globals.len();
                let taken = format!("@{name} =");
                let taken = self.globals.iter().any(|line| line.text.starts_with(&taken));
                let address: Rc<str> = match taken {
                    true => format!("@{name}.{known}").into(),
                    false => format!("@{name}").into(),
                };
                let stored = match dynamic {
                    true => "[0 x i8]".into(),
                    false => self.types.stored(&of),
                };
                let text = format!("{address} = {what} {stored} undef");
                self.globals.push(Line { text, at: self.mark });
                address
            }
        };
        if dynamic {
            self.dynamic = Some(address.clone());
        }
        let value = Value { of, is: Is::Place(address, space) };
        self.declare(name.clone(), Symbol::Value(value));
        Ok(())
    }
}
