//! Operators that a text defines.

use super::Parsed;
use super::lexer::Kind;
use super::symbol::{Arguments, Is, Symbol, Value};
use super::types::Type;
use super::unit::Unit;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;

/// The name of the functions that define an operator, with only characters that LLVM IR allows.
fn name_of(op: &str) -> String {
    op.bytes().fold(String::from("operator"), |name, byte| format!("{name}.{byte:x}"))
}

impl Unit {
    /// Reads the name of a function that defines an operator, such as `operator+`.
    pub(super) fn operator_name(&mut self) -> Parsed<Rc<str>> {
        self.expect("operator")?;
        let mut op = String::new();
        if self.is("(") || self.is("[") {
            op += if self.is("(") { "()" } else { "[]" };
            self.skip_group();
        }
        while self.peek().kind == Kind::Mark && !self.is("(") {
            op += &self.take().text;
        }
        Ok(name_of(&op).into())
    }

    /// The functions of a structure that define an operator on it.
    pub(super) fn operators_of(&self, of: &Type, op: &str) -> Option<&[usize]> {
        let Type::Struct(at) = of else { return None };
        let key = format!("{}::{}", self.types.structs.get(*at)?.name, name_of(op));
        match self.scopes.first()?.get(&*key) {
            Some(Symbol::Functions(all)) => Some(all),
            _ => None,
        }
    }

    /// The result of an operator that the text defines for these operands; `None` if it defines none.
    pub(super) fn overloaded(&mut self, op: &str, given: &[Value]) -> Parsed<Option<Value>> {
        let fit = |unit: &Self, all: &[usize], given: &[Value]| {
            all.iter().any(|at| unit.fits(*at, given, &Arguments::new()).is_some())
        };
        if let Some((this, rest)) = given.split_first()
            && matches!(this.is, Is::Place(..))
            && let Some(all) = self.operators_of(&this.of, op)
            && fit(self, all, rest)
        {
            let all = all.to_vec();
            let this = Some(this.clone());
            return self.call_one_of(&all, rest.to_vec(), Arguments::new(), this).map(Some);
        }
        match self.lookup(&name_of(op)).cloned() {
            Some(Symbol::Functions(all)) if fit(self, &all, given) => {
                self.call_one_of(&all, given.to_vec(), Arguments::new(), None).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The same for operands of which one is a structure.
    pub(super) fn overloaded_on(&mut self, op: &str, given: &[&Value]) -> Parsed<Option<Value>> {
        if !given.iter().any(|one| matches!(one.of, Type::Struct(_))) {
            return Ok(None);
        }
        let given: alloc::vec::Vec<Value> = given.iter().map(|&one| one.clone()).collect();
        self.overloaded(op, &given)
    }
}
