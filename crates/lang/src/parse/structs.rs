//! Structures of C: their layout, and accesses to their members in memory.

use super::ctypes::Alias;
use super::ctypes::{bytes_of, type_of};
use super::cursor::{Parsed, Parser};
use crate::expression::{Atom, types};
use crate::lexer::{self, Kind};
use crate::tree::{Member, Statement, StatementKind, StructId, Structure, Value, ValueKind};
use crate::vocabulary::opencl::TYPE;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// Stands for the structure that was defined last.
const LAST: &str = "{}";

/// Largest number of tokens of the type of a member.
const LOOK_AHEAD: usize = 16;

impl Parser<'_> {
    /// The structure that a word of a type names.
    pub(super) fn structure(&self, word: &str) -> Option<StructId> {
        self.structures.get(word).copied()
    }

    /// The bytes of a structure.
    pub(super) fn bytes_of_structure(&self, id: StructId) -> u32 {
        self.layouts.get(usize::from(id)).map_or(1, |layout| layout.bytes.max(1))
    }

    /// Whether the definition of a structure without named barriers starts here: `typedef struct { … } NAME;` or
    /// `struct NAME { … };`.
    pub(super) fn begins_structure(&self) -> bool {
        let at = usize::from(self.is("typedef"));
        if !matches!(self.word_ahead(at), "struct" | "union") {
            return false;
        }
        let name = usize::from(self.text_of(at + 1) != Some("{"));
        let open = (at + 1 + name..)
            .find(|&at| self.peek(at).is_none_or(|token| token.kind != Kind::Newline));
        let Some(open) = open.filter(|&open| self.text_of(open) == Some("{")) else { return false };
        let Some(close) = self.closing(open) else { return false };
        let is_number = |at: usize| {
            let word = self.text_of(at).unwrap_or_default();
            bytes_of(word).is_some() || self.is_number_type(word) || self.structure(word).is_some()
        };
        // Named barriers as members break their restrictions, and member functions belong to C++.
        let other = |at: usize| {
            let word = self.text_of(at).unwrap_or_default();
            matches!(word, "(" | TYPE) || self.alias(word).is_some_and(Alias::is_barrier)
        };
        (open + 1..close).any(is_number) && !(open + 1..close).any(other)
    }

    /// The definition of a structure.
    pub(super) fn define_structure(&mut self) -> Parsed<()> {
        let alias = self.eat("typedef");
        let is_union = self.is("union");
        self.advance();
        let mut names = Vec::new();
        if !self.is("{") && self.is_word() {
            names.push(String::from(self.word()));
            self.advance();
        }
        self.skip_newlines();
        self.expect("{")?;
        let mut layout = Structure { is_union, ..Structure::default() };
        loop {
            while self.skip_separators() && self.is(";") {
                self.advance();
            }
            if self.eat("}") {
                break;
            }
            self.members(&mut layout)?;
        }
        layout.bytes = layout.bytes.next_multiple_of(layout.align.max(1));
        self.skip_attribute();
        while alias && self.is_word() {
            names.push(String::from(self.word()));
            self.advance();
            if !self.eat(",") {
                break;
            }
        }
        self.skip_attribute();
        let id = self.layouts.len() as StructId;
        self.layouts.push(layout);
        // The definition that was read last, for variables after it.
        names.push(String::from(LAST));
        self.structures.extend(names.into_iter().map(|name| (name, id)));
        Ok(())
    }

    /// The definition of a structure in a function, and variables of it.
    pub(super) fn structure_and_variables(
        &mut self,
        before: &mut Vec<Statement>,
    ) -> Parsed<StatementKind> {
        let alias = self.is("typedef");
        self.define_structure()?;
        if alias || self.at_end() {
            return Ok(StatementKind::Several(Vec::new()));
        }
        let mut words = alloc::vec![LAST];
        while self.eat("*") {
            words.push("*");
        }
        self.variables_of(words, before)
    }

    /// `__attribute__((packed))` and similar.
    fn skip_attribute(&mut self) {
        if self.is("__attribute__")
            && let Some(end) = self.closing(1)
        {
            self.advance_by(end + 1);
        }
    }

    /// `TYPE NAME, NAME[N];`
    fn members(&mut self, layout: &mut Structure) -> Parsed<()> {
        let start = self.here();
        let is_type = |parser: &Self, word: &str| {
            bytes_of(word).is_some()
                || parser.is_number_type(word)
                || parser.structure(word).is_some()
                || matches!(word, "const" | "volatile" | "struct" | "union" | "unsigned" | "signed")
                || matches!(word, "global" | "__global" | "local" | "__local" | "constant")
        };
        let length = (0..LOOK_AHEAD).take_while(|&at| is_type(self, self.word_ahead(at))).count();
        let words: Vec<&str> = (0..length).map(|at| self.word_ahead(at)).collect();
        let structure = words.iter().find_map(|word| self.structure(word));
        let number = words.iter().filter_map(|word| bytes_of(word)).max();
        let of = type_of(words.iter().copied()).unwrap_or(types::Type::Data);
        let (bytes, scalar, align) = match structure {
            Some(id) => {
                let all = self.bytes_of_structure(id);
                (all, all, self.layouts[usize::from(id)].align)
            }
            None => {
                let (bytes, scalar) = number.unwrap_or((4, 4));
                (bytes, scalar, bytes)
            }
        };
        if length == 0 {
            return self.error("unknown-type", start, "expected the type of a member");
        }
        self.advance_by(length);
        loop {
            let mut points = false;
            while matches!(self.word(), "*" | "const" | "restrict" | "__restrict") {
                points |= self.is("*");
                self.advance();
            }
            let name = self.name("the name of a member")?;
            let mut sizes = Vec::new();
            while self.eat("[") {
                let size =
                    lexer::number_of_c(self.word()).flatten().and_then(|n| n.try_into().ok());
                let Some(size) = size else {
                    let message = "expected a number as the size of a member";
                    return self.error("expected-number", self.here(), message);
                };
                self.advance();
                self.expect("]")?;
                sizes.push(size);
            }
            let (bytes, scalar, of, structure) = match points {
                true => (8, 8, types::Type::Data, None),
                false => (bytes, scalar, of, structure),
            };
            let member = Member { offset: 0, bytes, scalar, of, sizes, structure };
            layout.add(name.text, member, if points { 8 } else { align });
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    /// The structure that a place in memory contains.
    fn structure_of(&self, value: &Value) -> Option<StructId> {
        match &value.kind {
            ValueKind::Element(element) if !element.is_whole() => element.array.structure,
            ValueKind::At(pointer) => self.pointed_structure(pointer),
            ValueKind::Member(_, member, indices) if indices.len() == member.sizes.len() => {
                member.structure
            }
            _ => None,
        }
    }

    /// The structure that a pointer points to.
    fn pointed_structure(&self, pointer: &Value) -> Option<StructId> {
        match &pointer.kind {
            ValueKind::Element(element) => element.array.structure,
            ValueKind::Address(inner) => self.structure_of(inner),
            ValueKind::Step(_, _, inner) => self.pointed_structure(inner),
            ValueKind::Binary(_, two) => {
                two.iter().find_map(|operand| self.pointed_structure(operand))
            }
            _ => None,
        }
    }

    /// The element of an array member of a private structure, which is one unit of data with the structure.
    pub(super) fn is_private_member(&self, value: &Value, index: &Value) -> bool {
        let of_variable = |inner: &Value| match &inner.kind {
            ValueKind::Plain(code) => matches!(code[..], [(Atom::Name, _)]),
            ValueKind::Part(..) => true,
            _ => false,
        };
        let part = matches!(&value.kind, ValueKind::Part(inner, _) if of_variable(inner));
        part && index.plain().is_some() && !self.layouts.is_empty()
    }

    /// The member of a structure in memory; `through` if the value is a pointer to the structure.
    pub(super) fn member(&self, value: Value, name: &str, through: bool) -> ValueKind {
        let span = value.span;
        let value = match through {
            true => Value { kind: ValueKind::At(Box::new(value)), span },
            false => value,
        };
        let layout = self.structure_of(&value).and_then(|id| self.layouts.get(usize::from(id)));
        let member = layout.and_then(|layout| layout.members.iter().find(|(own, _)| own == name));
        match member {
            Some((_, member)) => {
                ValueKind::Member(Box::new(value), Box::new(member.clone()), Vec::new())
            }
            None => ValueKind::Part(Box::new(value), String::from(name)),
        }
    }
}
