//! Lambdas. Their bodies are read at each call.

use super::lexer::Kind;
use super::symbol::{Function, Is, Lambda, Parameter, Scope, Symbol, Value};
use super::types::{PRIVATE, Type};
use super::unit::Unit;
use super::{Parsed, Problem};
use alloc::format;
use alloc::vec::Vec;

/// The maximum number of lambdas of a text.
const MOST: usize = 300;

impl Unit {
    /// Reads a lambda and returns its number.
    pub(super) fn lambda(&mut self) -> Parsed<usize> {
        if self.lambdas.len() >= MOST {
            return Err(Problem::at(self.peek(), "the text has too many lambdas"));
        }
        let (mut captured, every) = self.captures()?;
        let parameters = self.is("(").then_some(self.at);
        if parameters.is_some() {
            self.skip_group();
        }
        while !self.is("{") {
            if self.is(";") || self.peek().kind == Kind::End {
                return Err(self.unexpected("the body of a lambda"));
            }
            self.at += 1;
        }
        let body = self.at;
        self.skip_group();
        if every {
            for at in body..self.at {
                let name = self.tokens[at].text.clone();
                if self.tokens[at].kind == Kind::Word && !captured.contains_key(&name) {
                    self.capture(&name, &mut captured)?;
                }
            }
        }
        let (mut scopes, this) = (self.scopes[1..].to_vec(), self.body.this.clone());
        scopes.push(captured);
        self.lambdas.push(Lambda { scopes, this, parameters, body });
        Ok(self.lambdas.len() - 1)
    }

    /// Reads `[…]`: the variables that are copied, and whether all variables are copied.
    fn captures(&mut self) -> Parsed<(Scope, bool)> {
        let end = self.partner(self.at);
        self.at += 1;
        let (mut captured, mut every) = (Scope::new(), false);
        while self.at < end {
            let token = self.take();
            let next = self.is("=");
            match &*token.text {
                "=" => every = true,
                "this" | "," => {}
                "&" | "*" if self.peek().kind == Kind::Word => self.at += 1,
                "&" => {}
                name if next && token.kind == Kind::Word => {
                    self.at += 1;
                    let value = self.nested(Self::assignment)?;
                    let of = self.decayed(&value);
                    let copy = self.variable(name, &of);
                    self.assign(&copy, value)?;
                    captured.insert(token.text.clone(), Symbol::Value(copy));
                }
                name if token.kind == Kind::Word => self.capture(name, &mut captured)?,
                _ => return Err(Problem::at(&token, "expected the name of a variable")),
            }
        }
        self.at = end + 1;
        Ok((captured, every))
    }

    /// Copies a variable of the function, if the name is one.
    fn capture(&mut self, name: &str, captured: &mut Scope) -> Parsed<()> {
        let found = self.scopes.iter().skip(1).rev().find_map(|scope| scope.get(name));
        let Some(Symbol::Value(value)) = found.cloned() else { return Ok(()) };
        if matches!(value.is, Is::Register(_) | Is::Place(_, PRIVATE)) {
            let copy = self.variable(name, &value.of);
            self.assign(&copy, value)?;
            captured.insert(name.into(), Symbol::Value(copy));
        }
        Ok(())
    }

    /// Calls a lambda.
    pub(super) fn call_lambda(&mut self, number: usize, given: &[Value]) -> Parsed<Value> {
        let Lambda { scopes, this, parameters, body } = self.lambdas[number].clone();
        self.in_place(scopes, this, |unit| {
            if let Some(parameters) = parameters {
                unit.at = parameters;
                let parameters = unit.parameters()?;
                if parameters.len() != given.len() {
                    let message = format!("this lambda has {} parameters", parameters.len());
                    return Err(Problem::at(unit.peek(), message));
                }
                unit.bind_parameters(&parameters, given)?;
            }
            unit.at = body;
            unit.statement()
        })
    }

    /// Calls a function that receives lambdas or known functions. Its body is also read at the call.
    pub(super) fn call_with_lambdas(
        &mut self,
        function: &Function,
        given: &[Value],
        this: Option<Value>,
    ) -> Parsed<Value> {
        let Some(body) = function.body else {
            return Err(self.unsupported("a function without a body that receives a lambda"));
        };
        let this = function.owner.zip(this);
        let addressed = self.addressed(body);
        self.body.in_memory.extend(addressed);
        self.in_place(alloc::vec![function.bindings.clone()], this, |unit| {
            unit.bind_parameters(&function.parameters, given)?;
            unit.at = body;
            unit.statement()
        })
    }

    fn bind_parameters(&mut self, parameters: &[Parameter], given: &[Value]) -> Parsed<()> {
        for (parameter, value) in parameters.iter().zip(given) {
            let Some(name) = parameter.name.clone() else { continue };
            let symbol = match value.of {
                Type::Lambda(number) => Symbol::Lambda(number),
                _ if value.is_known_code() => Symbol::Value(value.clone()),
                _ => Symbol::Value(self.bound(&name, &parameter.of, value.clone())?),
            };
            self.declare(name, symbol);
        }
        Ok(())
    }

    /// Reads the body of a function at its call. The result is the value that it returns.
    fn in_place(
        &mut self,
        scopes: Vec<Scope>,
        this: Option<(usize, Value)>,
        read: impl FnOnce(&mut Self) -> Parsed<()>,
    ) -> Parsed<Value> {
        let exit = self.label();
        self.body.exits.push((exit.clone(), None));
        let around = self.scopes.split_off(1);
        self.scopes.extend(scopes);
        let this = core::mem::replace(&mut self.body.this, this);
        let [breaks, continues] =
            [&mut self.body.breaks, &mut self.body.continues].map(core::mem::take);
        let read = self.elsewhere(self.at, |unit| unit.scoped(read));
        (self.body.breaks, self.body.continues) = (breaks, continues);
        self.body.this = this;
        self.scopes.truncate(1);
        self.scopes.extend(around);
        let (_, result) = self.body.exits.pop().unwrap_or((exit.clone(), None));
        read?;
        self.place(&exit);
        Ok(result.unwrap_or(Value { of: Type::Void, is: Is::Nothing }))
    }

    /// A variable with the value of an argument; a reference is the argument itself.
    pub(super) fn bound(&mut self, name: &str, of: &Type, value: Value) -> Parsed<Value> {
        if let Type::Reference(..) = of {
            return Ok(value);
        }
        let of = match of {
            Type::Auto => self.decayed(&value),
            other => other.clone(),
        };
        let variable = self.variable(name, &of);
        self.assign(&variable, value)?;
        Ok(variable)
    }

    /// The type that `auto` becomes for a value.
    pub(super) fn decayed(&self, value: &Value) -> Type {
        match &value.of {
            Type::Array(of, _) | Type::Pointer(of, _) => {
                Type::Pointer(of.clone(), super::types::GENERIC)
            }
            other => other.value(),
        }
    }
}
