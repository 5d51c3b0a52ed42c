//! Pointers to functions.

use super::Parsed;
use super::symbol::{Is, Value};
use super::types::{GENERIC, Type};
use super::unit::Unit;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

impl Type {
    /// The type that a function or a pointer to a function returns; `None` for other types.
    pub(super) fn returns(&self) -> Option<&Self> {
        match self {
            Self::Code(of) => Some(of),
            Self::Pointer(of, _) => match &**of {
                Self::Code(of) => Some(of),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Value {
    /// Whether it is the address of a function of the text.
    pub(super) fn is_known_code(&self) -> bool {
        self.of.returns().is_some()
            && matches!(&self.is, Is::Operand(name) | Is::Place(name, _) if name.starts_with('@'))
    }
}

impl Unit {
    /// `(*name)(…)` after the type of a result. `inner` is the position after the first parenthesis.
    pub(super) fn code_pointer(
        &mut self,
        returns: Type,
        inner: usize,
    ) -> Parsed<(Option<Rc<str>>, Type)> {
        self.skip_group();
        let after = self.at;
        let of = Type::Code(Rc::new(returns));
        self.at = inner;
        let found = self.declarator(of, GENERIC)?;
        self.expect(")")?;
        self.at = after;
        Ok(found)
    }

    /// The address of the only function with a name.
    pub(super) fn code_address(&mut self, all: &[usize]) -> Parsed<Value> {
        let [at] = all else {
            return Err(self.unsupported("the address of a function with several definitions"));
        };
        let function = &self.functions[*at];
        if function.template.is_some() || function.owner.is_some() {
            return Err(self.unsupported("the address of this function"));
        }
        let of = Type::Code(Rc::new(function.returns.clone())).pointer(GENERIC);
        let name = self.called(*at);
        Ok(Value { of, is: Is::Operand(format!("@{name}").into()) })
    }

    /// Whether the enclosing block may change a variable after this position.
    pub(super) fn is_assigned_later(&self, name: &str) -> bool {
        let (mut at, mut depth) = (self.at, 1_u32);
        while let Some(token) = self.tokens.get(at).filter(|_| depth > 0) {
            match &*token.text {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            let next = self.tokens.get(at + 1);
            if *token.text == *name && next.is_some_and(|next| next.is("=")) {
                return true;
            }
            // The address of the variable is taken.
            if token.is("&") && next.is_some_and(|next| *next.text == *name) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Calls the function that a value points to. If the function is not known, the verdict is `unknown`.
    pub(super) fn call_code(&mut self, value: Value) -> Parsed<Value> {
        let value = self.rvalue(value);
        let mark = self.tokens[self.at.saturating_sub(1)].at;
        let given = self.arguments()?;
        self.mark = mark;
        let callee = self.operand(&value);
        let known = callee
            .strip_prefix('@')
            .and_then(|name| self.functions.iter().position(|function| *function.linked == *name));
        if let Some(at) = known {
            return self.call_function(at, given, None);
        }
        let mut passed: Vec<String> = Vec::new();
        for value in given {
            let value = self.rvalue(value);
            passed.push(match &value.is {
                Is::Place(address, space) => {
                    format!("{} {address}", self.types.spelled(&Type::Void.pointer(*space)))
                }
                _ => self.typed(&value),
            });
        }
        let returns = value.of.returns().cloned().unwrap_or(Type::Void);
        self.effect(format!("call void {callee}({})", passed.join(", ")));
        self.opaque(&returns)
    }
}
