//! Structures, unions and enumerations.

use super::Parsed;
use super::lexer::Kind;
use super::symbol::{Specifiers, Symbol};
use super::types::{self, Field, Struct, Type};
use super::unit::Unit;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Unit {
    pub(super) fn structure(&mut self) -> Parsed<Type> {
        let kind = self.take().text;
        let mut align = Specifiers::default();
        while self.is("__attribute__") || self.is("__align__") || self.is("alignas") {
            self.attribute(&mut align)?;
        }
        if &*kind == "enum" {
            return self.enumeration();
        }
        let name = if self.peek().kind == Kind::Word { Some(self.name()?) } else { None };
        self.eat("final");
        let known = name.as_ref().and_then(|name| match self.lookup(name) {
            Some(Symbol::Type(of)) => Some(of.clone()),
            _ => None,
        });
        let bases = self.bases()?;
        if !self.is("{") {
            return match (known, name) {
                (Some(of), _) => Ok(of),
                (None, Some(name)) => Ok(self.new_struct(&name)),
                _ => Err(self.unexpected("the name of a structure")),
            };
        }
        let name = name.unwrap_or_else(|| format!("unnamed {}", self.counter).into());
        if let Some(Type::Struct(at)) = known
            && at >= self.own_structs
            && self.scopes.len() == 1
            && !self.types.structs[at].fields.is_empty()
        {
            return Err(self.defined_twice(&name, self.peek().at));
        }
        let of = match known {
            Some(Type::Struct(at)) if self.types.structs[at].fields.is_empty() => Type::Struct(at),
            _ => self.new_struct(&name),
        };
        let Type::Struct(at) = of else { return Ok(of) };
        self.derive(at, bases)?;
        self.members(at, &kind, align.align)?;
        Ok(of)
    }

    /// Reads the base structures after a colon.
    pub(super) fn bases(&mut self) -> Parsed<Vec<Type>> {
        let mut bases = Vec::new();
        if self.eat(":") {
            while !self.is("{") {
                let access = ["public", "private", "protected", ","];
                if access.iter().any(|word| self.is(word)) {
                    self.at += 1;
                    continue;
                }
                match self.specifiers()?.of {
                    Some(of @ Type::Struct(_)) if !self.is("virtual") => bases.push(of),
                    _ => return Err(self.unexpected("a structure from which another is derived")),
                }
            }
        }
        Ok(bases)
    }

    /// Adds base structures as the first fields of a structure.
    pub(super) fn derive(&mut self, at: usize, bases: Vec<Type>) -> Parsed<()> {
        // A base must be declared earlier, so that no structure contains itself.
        if bases.iter().any(|base| !matches!(base, Type::Struct(base) if *base < at)) {
            return Err(self.unsupported("a base that is declared after the structure"));
        }
        self.types.structs[at].bases = bases.len();
        for (number, of) in bases.into_iter().enumerate() {
            let name = format!("base.{number}").into();
            self.types.structs[at].fields.push(Field { name, of, offset: 0 });
        }
        Ok(())
    }

    /// The field for the base structure that has a member with this name; `None` if no base has one.
    pub(super) fn base_with(&self, at: usize, name: &str) -> Option<Field> {
        let one = self.types.structs.get(at)?;
        let has = |field: &&Field| {
            let Type::Struct(base) = field.of else { return false };
            let key = format!("{}::{name}", self.types.structs[base].name);
            self.types.field(base, name).is_some()
                || self.lookup(&key).is_some()
                || self.base_with(base, name).is_some()
        };
        one.fields.iter().take(one.bases).find(has).cloned()
    }

    pub(super) fn new_struct(&mut self, name: &Rc<str>) -> Type {
        self.types.structs.push(Struct {
            name: name.clone(),
            size: 1,
            align: 1,
            ..Struct::default()
        });
        let of = Type::Struct(self.types.structs.len() - 1);
        self.declare(name.clone(), Symbol::Type(of.clone()));
        of
    }

    /// Reads the members of a structure.
    pub(super) fn members(&mut self, at: usize, kind: &str, align: u64) -> Parsed<()> {
        let around = self.inside.replace(at);
        let read = self.members_inside(at, kind, align);
        self.inside = around;
        read
    }

    fn members_inside(&mut self, at: usize, kind: &str, align: u64) -> Parsed<()> {
        let end = self.partner(self.at);
        self.at += 1;
        let mut one = core::mem::take(&mut self.types.structs[at]);
        one.union = kind == "union";
        // The structure can be named inside.
        self.types.structs[at] = one.clone();
        while self.at < end {
            if self.eat(";") {
                continue;
            }
            let access = ["public", "private", "protected"].iter().any(|word| self.is(word));
            if access && self.ahead(1).is(":") {
                self.at += 2;
                continue;
            }
            if self.member_function(at)? {
                continue;
            }
            let specifiers = self.specifiers()?;
            let Some(mut base) = specifiers.of.clone() else {
                return Err(self.unexpected("a type"));
            };
            if specifiers.volatile {
                base = self.volatile(base);
            }
            if self.eat(";") {
                // Fields of an unnamed inner structure are fields of the outer structure.
                if let Type::Struct(inner) = base {
                    let Struct { name, fields, .. } = self.types.structs[inner].clone();
                    if name.starts_with("unnamed ") {
                        one.fields.extend(fields);
                    } else {
                        let name = format!("{}::{name}", one.name);
                        self.scopes[0].insert(name.into(), Symbol::Type(base));
                    }
                }
                continue;
            }
            while !self.eat(";") {
                let (name, of) = self.declarator(base.clone(), specifiers.space)?;
                let Some(name) = name else { return Err(self.unexpected("the name of a field")) };
                if self.eat(":") {
                    return Err(self.unsupported("a bit field"));
                }
                if specifiers.alias {
                    let name = format!("{}::{name}", one.name);
                    self.scopes[0].insert(name.into(), Symbol::Type(of));
                } else if specifiers.fixed && self.is("=") {
                    self.at += 1;
                    let value = self.constant()?;
                    let value = Self::integer(value, of);
                    let name = format!("{}::{name}", one.name);
                    self.scopes[0].insert(name.into(), Symbol::Value(value));
                } else {
                    if self.is("=") || self.is("{") {
                        self.skip_initializer();
                    }
                    one.fields.push(Field { name, of, offset: 0 });
                }
                if !self.eat(",") && !self.is(";") {
                    return Err(self.unexpected("`,` or `;`"));
                }
            }
        }
        self.at = end + 1;
        self.types.lay_out(&mut one, align);
        self.types.structs[at] = one;
        Ok(())
    }

    /// Skips an initialiser, up to `,` or `;`.
    pub(super) fn skip_initializer(&mut self) {
        while !self.is(",") && !self.is(";") && !self.is("}") && self.peek().kind != Kind::End {
            match self.is("(") || self.is("{") || self.is("[") {
                true => self.skip_group(),
                false => self.at += 1,
            }
        }
    }

    fn enumeration(&mut self) -> Parsed<Type> {
        let scoped = self.eat("class") || self.eat("struct");
        let name = if self.peek().kind == Kind::Word { Some(self.name()?) } else { None };
        let mut of = types::INT;
        if self.eat(":") {
            of = self.specifiers()?.of.unwrap_or(of);
        }
        if let Some(name) = &name {
            self.declare(name.clone(), Symbol::Type(of.clone()));
        }
        if !self.eat("{") {
            return Ok(of);
        }
        let mut next = 0;
        while !self.eat("}") {
            let item = self.name()?;
            if self.eat("=") {
                next = self.constant()?;
            }
            let value = Symbol::Value(Self::integer(next, of.clone()));
            if let Some(name) = &name {
                self.declare(format!("{name}::{item}").into(), value.clone());
            }
            if !scoped {
                self.declare(item, value);
            }
            next = next.wrapping_add(1);
            if !self.eat(",") && !self.is("}") {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        Ok(of)
    }
}
