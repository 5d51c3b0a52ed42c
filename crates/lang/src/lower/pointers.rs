//! C pointers: the targets of expressions, and addresses as numbers.
//!
//! The address of a private variable contains its slot. An access through a pointer determines its target when it is
//! performed.

use super::code::{Meaning, PRIVATE, Private, Step};
use super::data::Place;
use super::unit::Lowering;
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression, memory};
use crate::lexer;
use crate::tree::{Code, Element, Pointee, Value, ValueKind};
use alloc::string::String;

impl Lowering<'_, '_, '_> {
    /// The target of a pointer expression.
    pub(super) fn pointer(&mut self, value: &Value) -> Option<Place> {
        let span = value.span;
        match &value.kind {
            ValueKind::Address(inner) => match &inner.kind {
                // The address of a pointer.
                ValueKind::Element(element) if element.is_pointer() => None,
                ValueKind::Element(element) => self.element_of(element, inner.span, true),
                _ => self.place(inner),
            },
            ValueKind::Element(element) if element.is_whole() => {
                self.element_of(element, span, true)
            }
            ValueKind::Plain(_) => {
                let slot = self.taken(value)?;
                let of = self.types.get(&slot).copied().unwrap_or(Type::Data);
                let (count, bytes) = match of {
                    Type::Data => (0, 4),
                    of => (1, of.bytes()),
                };
                let private = Private { first: slot, count, bytes };
                let address = self.address_of_private(private, span)?;
                Some(self.after(address, (bytes, bytes, of), span))
            }
            ValueKind::Binary(operator @ (Binary::Add | Binary::Subtract), two)
                if self.points(value) =>
            {
                let [pointer, by] = match self.points(&two[0]) {
                    true => [&two[0], &two[1]],
                    false => [&two[1], &two[0]],
                };
                let mut place = self.pointer(pointer)?;
                let by = self.evaluated(by).0;
                let Expression { code, .. } = &mut place.offset;
                code.extend(by.code);
                code.extend(place.stride.code.iter().copied());
                code.push((Atom::Binary(Binary::Multiply), span));
                code.push((Atom::Int(i64::from(place.bytes)), span));
                code.push((Atom::Binary(Binary::Multiply), span));
                code.push((Atom::Binary(*operator), span));
                place.span = span;
                Some(place)
            }
            ValueKind::Step(_, true, target) if self.points(target) => {
                let place = self.pointer(target)?;
                let address = self.address_of(place.clone());
                let old = self.held((address, Type::Exact));
                self.effects(value);
                let old = Expression { code: alloc::vec![(Atom::Slot(old), span)], span };
                Some(self.after(old, (place.bytes, place.scalar, place.of), span))
            }
            ValueKind::Comma(two) => {
                self.effects(&two[0]);
                self.pointer(&two[1])
            }
            ValueKind::Cast((bytes, scalar, of), inner) => {
                let place = self.pointer(inner)?;
                // The pointer counts in elements of a different size.
                let address = self.address_of(place);
                Some(self.after(address, (*bytes, *scalar, *of), span))
            }
            _ => {
                let Some(pointee) = self.pointee(value) else {
                    self.effects(value);
                    return None;
                };
                let (address, _) = self.evaluated(value);
                let slot = self.held((address, Type::Exact));
                let address = Expression { code: alloc::vec![(Atom::Slot(slot), span)], span };
                Some(self.after(address, pointee, span))
            }
        }
    }

    /// The place at an address.
    fn after(&self, address: Expression, (bytes, scalar, of): Pointee, span: Span) -> Place {
        let name = String::from(lexer::slice(self.context.text, span));
        let (offset, stride) = (Expression::int(0, span), Expression::int(1, span));
        let (memory, constant, atomic, parts) = (Err(address), false, false, None);
        Place { memory, offset, bytes, scalar, of, constant, atomic, name, parts, stride, span }
    }

    /// The type that an expression points to if it evaluates to an address.
    pub(super) fn pointee(&self, value: &Value) -> Option<Pointee> {
        match &value.kind {
            ValueKind::Element(element) if self.points(value) => Some(element.array.pointee()),
            ValueKind::Address(inner) => match &inner.kind {
                ValueKind::Element(element) => Some(element.array.pointee()),
                ValueKind::At(pointer) => self.pointee(pointer),
                _ => None,
            },
            ValueKind::Plain(_) => {
                let of = *self.types.get(&self.taken(value)?)?;
                Some((of.bytes(), of.bytes(), of))
            }
            ValueKind::Cast(pointee, _) => Some(*pointee),
            ValueKind::Choice(three) => self.pointee(&three[1]).or_else(|| self.pointee(&three[2])),
            ValueKind::Comma(two) => self.pointee(&two[1]),
            ValueKind::Assign(_, two) => self.pointee(&two[0]),
            ValueKind::Step(_, _, one) => self.pointee(one),
            ValueKind::Binary(..) if self.points(value) => {
                let parts = value.parts();
                parts.into_iter().find_map(|part| self.pointee(part))
            }
            _ => None,
        }
    }

    /// Whether an expression is an array or a pointer.
    pub(super) fn points(&self, value: &Value) -> bool {
        match &value.kind {
            ValueKind::Address(_) | ValueKind::Cast(..) => true,
            ValueKind::Element(element) => element.is_whole() || element.array.of_pointers,
            ValueKind::Binary(Binary::Add, two) => two.iter().any(|one| self.points(one)),
            ValueKind::Binary(Binary::Subtract, two) => {
                self.points(&two[0]) && !self.points(&two[1])
            }
            ValueKind::Comma(two) => self.points(&two[1]),
            ValueKind::Assign(_, two) => self.points(&two[0]),
            ValueKind::Choice(three) => self.points(&three[1]) || self.points(&three[2]),
            ValueKind::Step(_, _, one) => self.points(one),
            ValueKind::Plain(code) => code.iter().any(|(atom, _)| *atom == Atom::Address),
            _ => false,
        }
    }

    /// Whether an expression is an address that must be computed.
    pub(super) fn is_address(&self, value: &Value) -> bool {
        match &value.kind {
            ValueKind::Address(_) | ValueKind::Cast(..) => true,
            ValueKind::Element(element) => element.is_whole(),
            ValueKind::Plain(_) => self.taken(value).is_some(),
            ValueKind::Binary(..) => self.points(value),
            _ => false,
        }
    }

    /// The C variable whose address an expression takes.
    pub(super) fn taken(&self, value: &Value) -> Option<u16> {
        let ValueKind::Plain(code) = &value.kind else { return None };
        let [(Atom::Name, name), (Atom::Address, _)] = code[..] else { return None };
        let slot = self.slot(lexer::slice(self.context.text, name))?;
        (self.types.contains_key(&slot) && !self.barriers.contains(&slot)).then_some(slot)
    }

    /// The place of an element, or of an array whose address is needed; `None` for other private arrays.
    pub(super) fn element(&mut self, element: &Element, span: Span) -> Option<Place> {
        self.element_of(element, span, false)
    }

    fn element_of(&mut self, element: &Element, span: Span, wanted: bool) -> Option<Place> {
        let Element { name, array, indices } = element;
        if array.of_pointers && !array.private {
            indices.iter().for_each(|index| self.effects(index));
            return None;
        }
        let mut offset = Expression::int(0, span);
        for (at, size) in array.sizes.iter().enumerate() {
            if let Some(size) = size.as_ref().filter(|_| at > 0) {
                let size = self.resolve(size);
                offset.code.extend(size.code);
                offset.code.push((Atom::Binary(Binary::Multiply), span));
            }
            if let Some(index) = indices.get(at) {
                let index = self.evaluated(index).0;
                offset.code.extend(index.code);
                offset.code.push((Atom::Binary(Binary::Add), span));
            }
        }
        offset.code.push((Atom::Int(i64::from(array.element)), span));
        offset.code.push((Atom::Binary(Binary::Multiply), span));
        let mut stride = Expression::int(1, span);
        for size in array.sizes.iter().skip(indices.len() + 1).flatten() {
            let size = self.resolve(size);
            stride.code.extend(size.code);
            stride.code.push((Atom::Binary(Binary::Multiply), span));
        }
        let memory = match array.space {
            None if array.private => {
                let slot = self.slot(&name.text).filter(|_| wanted && !array.of_pointers)?;
                let parts = self.parts.get(&slot).map(|parts| (parts.first, parts.count));
                let (first, count) = parts.unwrap_or((slot, 0));
                let private = Private { first, count, bytes: array.scalar };
                Err(self.address_of_private(private, span)?)
            }
            None => {
                let code = alloc::vec![(Atom::Slot(self.slot(&name.text)?), name.span)];
                Err(Expression { code, span: name.span })
            }
            Some(_) => match self.context.globals.meaning(&name.text) {
                Some(Meaning::Memory(buffer)) => Ok(buffer),
                _ => {
                    self.unknown_name(&name.text, name.span, "memory");
                    return None;
                }
            },
        };
        let (bytes, scalar, of, constant) = (array.element, array.scalar, array.of, array.constant);
        let (name, parts, atomic) = (name.text.clone(), None, false);
        Some(Place {
            memory,
            offset,
            bytes,
            scalar,
            of,
            constant,
            atomic,
            name,
            parts,
            stride,
            span,
        })
    }

    /// The address of a private variable or array.
    fn address_of_private(&mut self, private: Private, span: Span) -> Option<Expression> {
        let known = self.code.privates.iter().position(|known| *known == private);
        let index = known.unwrap_or(self.code.privates.len());
        if index >= usize::from(u16::MAX - PRIVATE) {
            return None;
        }
        if known.is_none() {
            self.code.privates.push(private);
        }
        let slot = self.declare("", span);
        self.push(Step::Address(slot, index as u16));
        Some(Expression { code: alloc::vec![(Atom::Slot(slot), span)], span })
    }

    /// The address of a place as a number.
    pub(super) fn address_of(&self, place: Place) -> Expression {
        let span = place.span;
        let mut code = match place.memory {
            Ok(buffer) => alloc::vec![(Atom::Memory(memory::address(buffer, 0, None)), span)],
            Err(pointer) => pointer.code,
        };
        code.extend(place.offset.code);
        code.push((Atom::Binary(Binary::Add), span));
        Expression { code, span }
    }

    /// The address that an expression evaluates to, as a number; unknown data if it is not tracked.
    pub(super) fn address(&mut self, value: &Value) -> Expression {
        if let Some(place) = self.pointer(value) {
            return self.address_of(place);
        }
        self.unmodelled(value.span, "the target of this pointer");
        let slot = self.declare("", value.span);
        self.push(Step::Forget(slot));
        let code: Code = alloc::vec![(Atom::Slot(slot), value.span)];
        Expression { code, span: value.span }
    }
}
