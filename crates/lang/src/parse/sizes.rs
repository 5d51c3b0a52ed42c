//! `sizeof` in C: the size of a type, an array or an element.

use super::ctypes::bytes_of;
use super::cursor::{Parsed, Parser};
use crate::diagnostic::Span;
use crate::expression::Atom;
use crate::expression::constants::Constants;
use crate::expression::types::Type;
use crate::tree::{Array, Value, ValueKind};

/// Largest index of a designator.
const MOST_ELEMENTS: usize = 1 << 12;

impl Parser<'_> {
    /// `[N] =` and `.NAME =` before a value of a list: the index, if it is given.
    pub(super) fn designated(&mut self) -> Parsed<Option<usize>> {
        let (start, mut place, mut names) = (self.here(), None, 0);
        while self.is("[") || self.is(".") {
            names += 1;
            if self.eat(".") {
                self.name("a member")?;
                continue;
            }
            self.advance();
            let index = self.expression()?;
            let number = Constants::number(&index).ok();
            let number = number.and_then(|(number, _)| usize::try_from(number).ok());
            place = number.filter(|&number| number < MOST_ELEMENTS);
            if place.is_none() {
                let message = "expected a constant number as the index of an element";
                return self.error("expected-number", index.span, message);
            }
            self.expect("]")?;
        }
        if names > 1 {
            let span = self.since(start);
            let message = "only one designator before a value is supported";
            return self.error("expected-expression", span, message);
        }
        if names > 0 {
            self.expect("=")?;
        }
        Ok(place)
    }

    /// `sizeof(…)` of a type, an array or an element.
    pub(super) fn size_of(&mut self, start: Span) -> Option<Value> {
        if !self.is("sizeof") {
            return None;
        }
        if let Some(bytes) = self.size_of_name() {
            self.advance_by(2);
            return Some(self.size(bytes, start));
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

    /// The bytes of the array in `sizeof NAME`.
    fn size_of_name(&self) -> Option<u32> {
        let array = self.arrays.get(self.word_ahead(1))?;
        let whole = !matches!(self.word_ahead(2), "[" | "." | "(" | "-" | "++" | "--")
            || self.word_ahead(2) == "-" && self.word_ahead(3) != ">";
        if whole { bytes_of_rest(array, 0) } else { None }
    }

    /// The bytes of the array in `sizeof(NAME)`, if its sizes are numbers, and the number of tokens.
    fn size_of_array(&self) -> Option<(u32, usize)> {
        let array = self.arrays.get(self.word_ahead(2)).filter(|_| self.word_ahead(3) == ")")?;
        Some((bytes_of_rest(array, 0)?, 4))
    }

    /// The bytes of the element in `sizeof(NAME[…])` or `sizeof(*NAME)`, whose operand is not evaluated, and the number of
    /// tokens.
    fn size_of_element(&self) -> Option<(u32, usize)> {
        let points = self.word_ahead(2) == "*";
        let name = if points { 3 } else { 2 };
        let array = self.arrays.get(self.word_ahead(name))?;
        let (mut at, mut indices) = (name + 1, usize::from(points));
        while !points && self.word_ahead(at) == "[" {
            at = self.closing(at)? + 1;
            indices += 1;
        }
        // An operand that is not evaluated has no effect.
        at += usize::from(matches!(self.word_ahead(at), "++" | "--"));
        let bytes =
            bytes_of_rest(array, indices).filter(|_| indices > 0 && self.word_ahead(at) == ")");
        Some((bytes?, at + 1))
    }
}

/// The bytes of an array, or of an element of it after a number of indices; the host determines no size of a dimension.
fn bytes_of_rest(array: &Array, indices: usize) -> Option<u32> {
    let element = if array.of_pointers { 8 } else { array.element };
    array.sizes.iter().skip(indices).try_fold(element, |bytes, size| {
        let (count, _) = Constants::number(size.as_ref()?).ok()?;
        bytes.checked_mul(u32::try_from(count).ok()?)
    })
}
