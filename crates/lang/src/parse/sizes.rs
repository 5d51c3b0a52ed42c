//! `sizeof` in C: the size of a type, an array or an element.

use super::cursor::Parser;
use super::data::bytes_of;
use crate::diagnostic::Span;
use crate::expression::Atom;
use crate::expression::types::Type;
use crate::lower::names::Constants;
use crate::tree::{Value, ValueKind};

impl Parser<'_> {
    /// `sizeof(…)` of a type, an array or an element.
    pub(super) fn size_of(&mut self, start: Span) -> Option<Value> {
        if !self.is("sizeof") {
            return None;
        }
        let size = self.size_of_type().or_else(|| self.size_of_array());
        let (bytes, length) = size.or_else(|| self.size_of_element())?;
        self.advance_by(length);
        Some(self.size(bytes, start))
    }

    /// The bytes of the type in `sizeof(TYPE)`, and the number of tokens.
    fn size_of_type(&self) -> Option<(u32, usize)> {
        let (length, _, points) = self.type_at(2)?;
        if self.word_ahead(2 + length) != ")" || points {
            return None;
        }
        let words = || (2..2 + length).map(|ahead| self.word_ahead(ahead));
        let structure = words().find_map(|word| self.structure(word));
        let whole = structure.map(|id| self.bytes_of_structure(id));
        let bytes = whole.or_else(|| words().filter_map(bytes_of).max().map(|(bytes, _)| bytes));
        Some((bytes?, length + 3))
    }

    /// A number of bytes, as `sizeof` yields it.
    fn size(&mut self, bytes: u32, start: Span) -> Value {
        let span = self.since(start);
        let code = alloc::vec![(Atom::Literal(i64::from(bytes), Type::Ulong), span)];
        Value { kind: ValueKind::Plain(code), span }
    }

    /// The bytes of the array in `sizeof(NAME)`, if its sizes are numbers, and the number of tokens.
    fn size_of_array(&self) -> Option<(u32, usize)> {
        let array = self.arrays.get(self.word_ahead(2)).filter(|_| self.word_ahead(3) == ")")?;
        let element = if array.of_pointers { 8 } else { array.element };
        let bytes = array.sizes.iter().try_fold(element, |bytes, size| {
            let (count, _) = Constants::number(size.as_ref()?).ok()?;
            bytes.checked_mul(u32::try_from(count).ok()?)
        });
        Some((bytes?, 4))
    }

    /// The bytes of the element in `sizeof(NAME[…])` or `sizeof(*NAME)`, whose operand is not evaluated, and the number of
    /// tokens.
    fn size_of_element(&self) -> Option<(u32, usize)> {
        let points = self.word_ahead(2) == "*";
        let name = if points { 3 } else { 2 };
        let array = self.arrays.get(self.word_ahead(name))?;
        let is_one = array.sizes.len() < 2 && !array.of_pointers;
        let mut at = name + 1;
        if !points {
            let mut open = 0_u32;
            loop {
                open += u32::from(self.word_ahead(at) == "[");
                open = open.checked_sub(u32::from(self.word_ahead(at) == "]"))?;
                if self.word_ahead(at).is_empty() || open == 0 && self.word_ahead(at) != "]" {
                    return None;
                }
                at += 1;
                if open == 0 {
                    break;
                }
            }
        }
        // An operand that is not evaluated has no effect.
        at += usize::from(matches!(self.word_ahead(at), "++" | "--"));
        (is_one && self.word_ahead(at) == ")").then_some((array.element, at + 1))
    }
}
