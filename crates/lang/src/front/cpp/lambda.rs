//! Lambdas: their bodies are read where they are called.

use super::types::Type;
use super::unit::{Is, Symbol, Unit, Value};
use super::{Parsed, Problem};
use alloc::format;

/// A lambda.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lambda {
    /// The `(` of its parameters, if it has any.
    parameters: Option<usize>,
    /// The `{` of its body.
    body: usize,
}

impl Unit {
    /// Reads a lambda, whose value is its number.
    pub(super) fn lambda(&mut self) -> Parsed<usize> {
        self.skip_group();
        let parameters = self.is("(").then_some(self.at);
        if parameters.is_some() {
            self.skip_group();
        }
        while !self.is("{") {
            if self.is(";") || self.peek().kind == super::lexer::Kind::End {
                return Err(self.unexpected("the body of a lambda"));
            }
            self.at += 1;
        }
        let body = self.at;
        self.skip_group();
        self.lambdas.push(Lambda { parameters, body });
        Ok(self.lambdas.len() - 1)
    }

    /// Calls a lambda.
    pub(super) fn call_lambda(&mut self, number: usize, given: &[Value]) -> Parsed<Value> {
        let lambda = self.lambdas[number];
        let exit = self.label();
        self.body.exits.push((exit.clone(), None));
        let read = self.elsewhere(lambda.parameters.unwrap_or(lambda.body), |unit| {
            unit.scoped(|unit| {
                if lambda.parameters.is_some() {
                    let parameters = unit.parameters()?;
                    if parameters.len() != given.len() {
                        let message = format!("this lambda has {} parameters", parameters.len());
                        return Err(Problem::at(unit.peek(), message));
                    }
                    for (parameter, value) in parameters.into_iter().zip(given) {
                        let Some(name) = parameter.name else { continue };
                        let bound = unit.bound(&name, &parameter.of, value.clone())?;
                        unit.declare(name, Symbol::Value(bound));
                    }
                }
                unit.at = lambda.body;
                unit.statement()
            })
        });
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

    /// The type that `auto` stands for.
    pub(super) fn decayed(&self, value: &Value) -> Type {
        match &value.of {
            Type::Array(of, _) | Type::Pointer(of, _) => {
                Type::Pointer(of.clone(), super::types::GENERIC)
            }
            other => other.value(),
        }
    }
}
