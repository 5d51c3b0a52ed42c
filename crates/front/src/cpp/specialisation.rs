//! Specialisations of templates: definitions for certain arguments.

use super::Parsed;
use super::symbol::Is;
use super::symbol::{Specifiers, Symbol, Value};
use super::types::Type;
use super::unit::Unit;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Unit {
    /// Reads the declaration after `template <>`.
    pub(super) fn specialisation(&mut self) -> Parsed<()> {
        if self.is("struct") || self.is("class") {
            return self.specialised_structure();
        }
        let specifiers = self.specifiers()?;
        let Some(base) = specifiers.of.clone() else { return Err(self.unexpected("a type")) };
        let (Some(name), of) = self.declarator(base, specifiers.space)? else {
            return Err(self.unexpected("the name of a function"));
        };
        let Some(Symbol::Functions(all)) = self.scopes[0].get(&name).cloned() else {
            return Err(self.unsupported("a specialisation of this template"));
        };
        let found = all.iter().find_map(|at| Some((*at, self.functions[*at].template?)));
        let Some((general, template)) = found else {
            return Err(self.unsupported("a specialisation of this template"));
        };
        if all.iter().filter(|at| self.functions[**at].template.is_some()).count() > 1 {
            return Err(self.unsupported("a specialisation of one of several templates"));
        }
        let mut arguments = match self.is("<") {
            true => self.template_arguments(template)?,
            false => Vec::new(),
        };
        let own: Rc<str> = format!("{name}<>{}", self.count()).into();
        let at = self.function(&Specifiers { of: None, ..specifiers }, own, of, None)?;
        let parameters = self.functions[at].parameters.clone();
        let values: Vec<Value> = parameters
            .into_iter()
            .map(|parameter| Value { of: parameter.of, is: Is::Nothing })
            .collect();
        self.deduce(general, &values, &mut arguments);
        let (_, key) = self.bind(template, &arguments)?;
        self.instances.insert(format!("{key}>{template}"), at);
        Ok(())
    }

    fn specialised_structure(&mut self) -> Parsed<()> {
        self.at += 1;
        let name = self.name()?;
        let Some(Symbol::StructTemplate(template)) = self.lookup(&name).cloned() else {
            return Err(self.unsupported("a specialisation of this template"));
        };
        let arguments = self.template_arguments(template)?;
        let (_, key) = self.bind(template, &arguments)?;
        let key = format!("{key}>{template}");
        let shown: Rc<str> = key.as_str().into();
        if !self.is("{") {
            return Err(self.unsupported("this specialisation of a template"));
        }
        let Type::Struct(at) = self.new_struct(&shown) else { return Ok(()) };
        self.instances.insert(key, at);
        self.members(at, "struct", 1)?;
        self.expect(";")
    }
}
