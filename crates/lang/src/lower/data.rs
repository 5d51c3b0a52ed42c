//! Accesses of a pasted kernel to its arrays, and calls of functions that may access arrays.

use super::code::{Bytes, Operand, Operate, Rounds, Step, Through};
use super::term::{Doubt, Input, Term};
use super::unit::{Lowering, NOWHERE};
use super::vector::components;
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression};
use crate::lexer;
use crate::parse::no_value;
use crate::source::Need;
use crate::tree::{Code, Name, Value, ValueKind};
use crate::vocabulary;
use crate::vocabulary::atomics;
use crate::vocabulary::numbers::{computes, writes_behind};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::BufferId;

/// A place in memory.
#[derive(Clone)]
pub(super) struct Place {
    /// The memory, or the pointer to it.
    pub(super) memory: Result<BufferId, Expression>,
    /// The first byte, without further conversions.
    pub(super) offset: Expression,
    /// Bytes of an access, and of a vector component.
    pub(super) bytes: u32,
    pub(super) scalar: u32,
    pub(super) of: Type,
    pub(super) constant: bool,
    /// Whether accesses to it are atomic.
    pub(super) atomic: bool,
    pub(super) name: String,
    /// The components of a vector.
    pub(super) parts: Option<Vec<u32>>,
    /// Number of elements between consecutive elements of a pointer.
    pub(super) stride: Expression,
    pub(super) span: Span,
}

impl Lowering<'_, '_, '_> {
    /// The place in memory that an expression names; evaluates the effects of its indices. `None` for variables, and
    /// for places that are not tracked.
    pub(super) fn place(&mut self, value: &Value) -> Option<Place> {
        match &value.kind {
            ValueKind::Element(element) => self.element(element, value.span),
            ValueKind::At(pointer) => {
                let place = self.pointer(pointer)?;
                Some(Place { span: value.span, ..place })
            }
            ValueKind::Member(inner, member, indices) => {
                let place = self.place(inner)?;
                Some(self.member(place, member, indices, value.span))
            }
            ValueKind::Part(inner, name) => {
                let place = self.place(inner)?;
                let count = place.bytes / place.scalar.max(1);
                let parts = components(name, count).filter(|_| place.parts.is_none());
                let all = (0..count).collect();
                let mut parts = place.parts.clone().or(parts).unwrap_or(all);
                // Each component is accessed once.
                parts.sort_unstable();
                parts.dedup();
                Some(Place { parts: Some(parts), of: Type::Data, span: value.span, ..place })
            }
            _ => {
                self.effects(value);
                None
            }
        }
    }

    /// The value read from a place, a variable or a pointer.
    pub(super) fn read(&mut self, value: &Value) -> Code {
        let span = value.span;
        if let Some((main, numbers)) = self.numbers(value) {
            return self.gathered(main, &numbers, span);
        }
        if let Some(place) = self.place(value) {
            return self.load(&place);
        }
        let slot = self.part_of(value);
        if slot.is_none() && !matches!(value.kind, ValueKind::Part(..)) {
            self.not_followed(span, "this read through a pointer");
        }
        // The value of a component or private element is computed from all assigned values.
        let old = slot.map(|slot| (Atom::Slot(slot), span));
        let mut inputs = Vec::new();
        inputs.extend(old.map(|old| Input::Value(Expression { code: alloc::vec![old], span })));
        let slot = self.declare("", span);
        self.types.insert(slot, Type::Data);
        let private = matches!(value.kind, ValueKind::Element(_));
        let doubt = (private || inputs.is_empty()).then_some(Doubt::Computed);
        let shape =
            String::from(lexer::slice(self.context.text, span).rsplit('.').next().unwrap_or(""));
        self.push(Step::Compute(slot, Rc::new(Term { shape, inputs, doubt })));
        alloc::vec![(Atom::Slot(slot), span)]
    }

    /// The byte ranges of a place, one for each access: their start and size.
    fn ranges(place: &Place) -> Vec<(Expression, u32)> {
        let Some(parts) = &place.parts else {
            return alloc::vec![(place.offset.clone(), place.bytes)];
        };
        let part = |&at: &u32| {
            let mut first = place.offset.clone();
            first.code.push((Atom::Int(i64::from(at * place.scalar)), place.span));
            first.code.push((Atom::Binary(Binary::Add), place.span));
            (first, place.scalar)
        };
        parts.iter().map(part).collect()
    }

    /// Reads a place; returns the code of its value.
    pub(super) fn load(&mut self, place: &Place) -> Code {
        if place.memory.is_ok() {
            self.access(place, false);
        }
        // No other contents than those of the text are possible.
        let given = self.context.given.contains(&place.name).then_some(Doubt::Computed);
        let written = self.context.written.contains(&place.name).then_some(Doubt::Written);
        let doubt = written.or(given);
        let input = match &place.memory {
            Ok(buffer) => Input::Element(*buffer, place.offset.clone(), place.bytes),
            Err(pointer) => {
                let mut address = pointer.clone();
                address.code.extend(place.offset.code.iter().copied());
                address.code.push((Atom::Binary(Binary::Add), place.span));
                Input::Pointed(address, place.bytes)
            }
        };
        // Pointed-to elements may be written under another name.
        let doubt = doubt.or(place.memory.is_err().then_some(Doubt::Written));
        let slot = self.declare("", place.span);
        self.types.insert(slot, place.of);
        let text = lexer::slice(self.context.text, place.span);
        let shape = match place.parts {
            Some(_) => format!("@{}.{}", place.of.word(), text.rsplit('.').next().unwrap_or("")),
            None => format!("@{}", place.of.word()),
        };
        let inputs = alloc::vec![input];
        self.push(Step::Compute(slot, Rc::new(Term { shape, inputs, doubt })));
        self.through(place, slot, false);
        alloc::vec![(Atom::Slot(slot), place.span)]
    }

    /// Writes a variable to a place; without a variable, the written value is unknown.
    pub(super) fn store(&mut self, place: &Place, value: Option<u16>) {
        if place.memory.is_ok() {
            return self.access(place, true);
        }
        let value = value.filter(|_| place.parts.is_none());
        let value = value.unwrap_or_else(|| {
            let slot = self.declare("", place.span);
            self.push(Step::Forget(slot));
            slot
        });
        self.through(place, value, true);
    }

    /// Accesses the target of a pointer; `value` is the variable that is written or that receives the value.
    fn through(&mut self, place: &Place, value: u16, writes: bool) {
        let Err(pointer) = &place.memory else { return };
        let span = place.span;
        for (first, bytes) in Self::ranges(place) {
            let before = self.scopes.len();
            let pointer = self.held((pointer.clone(), Type::Exact));
            let offset = self.held((first, Type::Exact));
            let zero = || Expression::int(0, span);
            let [turn, at, start] = [(); 3].map(|()| self.held((zero(), Type::Exact)));
            let slot = |slot| Expression { code: alloc::vec![(Atom::Slot(slot), span)], span };
            let end = NOWHERE;
            let through = Through { pointer, offset, turn, value, writes, bytes, end, span };
            let through = self.push(Step::Through(through));
            let text = String::from(lexer::slice(self.context.text, span));
            self.needs.push((turn, None, Need { span, text, holds: None, orders: false }));
            let place = Place { memory: Err(slot(at)), ..place.clone() };
            self.access_bytes(&place, writes, Some(slot(start)), bytes);
            self.needs.pop();
            let only = self.push(Step::Unless(slot(turn), NOWHERE));
            self.push(Step::Jump(through, span));
            self.arrive(alloc::vec![through, only]);
            self.scopes.truncate(before);
        }
    }

    fn access(&mut self, place: &Place, writes: bool) {
        for (first, bytes) in Self::ranges(place) {
            let whole = place.constant && !writes && place.memory.is_ok();
            self.access_bytes(place, writes, (!whole).then_some(first), bytes);
        }
    }

    /// An access to a number of bytes; to any bytes if the address does not matter.
    fn access_bytes(&mut self, place: &Place, writes: bool, first: Option<Expression>, bytes: u32) {
        let span = place.span;
        let word = if writes { "store" } else { "load" };
        let Some((_, row)) = vocabulary::find(word) else { return };
        let (buffer, base) = match &place.memory {
            Ok(buffer) => (*buffer, None),
            Err(pointer) => (0, Some(pointer.clone())),
        };
        let somewhere =
            base.is_none() && first.as_ref().is_some_and(|first| first.slots().next().is_some());
        let range = first.map(|first| {
            let mut code = first.code.clone();
            code.push((Atom::Int(i64::from(bytes)), span));
            code.push((Atom::Binary(Binary::Add), span));
            (first, Expression { code, span })
        });
        let size = self.code.buffers.get(usize::from(buffer)).map_or(1, |buffer| buffer.size);
        let bytes = Bytes { buffer, base, size, range, span };
        let text = lexer::slice(self.context.text, span);
        let (source, guards) = match place.atomic {
            true => self.sources(span, text, somewhere),
            false => self.sources(span, &format!("{word} {text}"), somewhere),
        };
        let operands = alloc::vec![Operand::Bytes(bytes)];
        self.push(Step::Operate(Operate {
            atomic: place.atomic,
            guards,
            somewhere,
            ..Operate::new(row, operands, self.declared(), source)
        }));
    }

    /// A call in an expression: the effects of its arguments, its reads and writes, and its result.
    pub(super) fn called(&mut self, name: &Name, arguments: &[Value], span: Span) -> Code {
        let word = name.text.strip_prefix("cl::").unwrap_or(&name.text);
        self.unsequenced(arguments, None);
        if let Some(&(unit, count)) = self.context.globals.functions.get(word) {
            return self.called_unit(unit, count, name, arguments, span);
        }
        if let Some(code) = self.collective(word, arguments, span) {
            return code;
        }
        let atomic = atomics::access(word);
        let is_atomic = atomic.is_some();
        if let (true, [one]) = (matches!(word, "any" | "all"), arguments)
            && let Some(code) = self.signs(word == "any", one)
        {
            return code;
        }
        if let Some((loads, wide)) = vector_access(word).filter(|_| arguments.len() > 1) {
            return self.vector(loads, wide, arguments, span);
        }
        let out = writes_behind(word);
        let known = is_atomic || out || computes(word) || self.context.computes.contains(word);
        let silent = matches!(word, "printf" | "prefetch" | "wait_group_events");
        let known = known || silent;
        let declared = !known && self.context.prototypes.contains(word);
        if declared {
            let why = format!("the function `{word}`, which has no definition,");
            self.unmodelled(name.span, &why);
        }
        let mut inputs = Vec::new();
        for argument in arguments {
            if let ValueKind::Plain(code) = &argument.kind
                && let [inner @ .., (Atom::Address, _)] = &code[..]
            {
                // A private variable of the work-item.
                let kind = ValueKind::Plain(inner.to_vec());
                let inner = Value { kind, span: argument.span };
                match self.variable_of(&inner) {
                    Some(slot) => drop(self.push(Step::Forget(slot))),
                    None => self.effects(&inner),
                }
                continue;
            }
            if !self.points(argument) {
                inputs.push(Input::Value(self.evaluated(argument).0));
                continue;
            }
            let variable = match &argument.kind {
                ValueKind::Address(inner) => self.variable_of(inner),
                _ => None,
            };
            let place = self.pointer(argument);
            match (place, atomic) {
                _ if silent => {}
                (Some(place), Some(access)) if Self::is_object(arguments, argument) => {
                    self.atomic(word, access, place, span);
                }
                (Some(place), _) if out || is_atomic => self.store(&place, None),
                (None, _) if (out || is_atomic) && variable.is_some() => {}
                _ => {
                    let why = format!("the memory access of `{word}` through this argument");
                    self.unmodelled(argument.span, &why);
                }
            }
            if let Some(slot) = variable {
                let code = alloc::vec![(Atom::Slot(slot), span)];
                inputs.push(Input::Value(Expression { code, span }));
                self.push(Step::Forget(slot));
            }
        }
        let pointed = arguments.iter().any(|argument| self.points(argument));
        if !known && !declared && !pointed && !self.reports.is_full() {
            self.reports.error("unknown-function", name.span, no_value(word));
        }
        let doubt = (is_atomic || !known).then_some(Doubt::Computed);
        let slot = self.declare("", span);
        self.types.insert(slot, Type::Data);
        let shape = format!("{word}()");
        self.push(Step::Compute(slot, Rc::new(Term { shape, inputs, doubt })));
        alloc::vec![(Atom::Slot(slot), span)]
    }

    /// `vloadN(OFFSET, POINTER)` and `vstoreN(DATA, OFFSET, POINTER)`, which access N numbers.
    fn vector(
        &mut self,
        loads: bool,
        (count, apart): (u32, u32),
        arguments: &[Value],
        span: Span,
    ) -> Code {
        let mut inputs = Vec::new();
        let [before @ .., offset, pointer] = arguments else { return Code::new() };
        for value in before {
            inputs.push(Input::Value(self.evaluated(value).0));
        }
        let offset = self.evaluated(offset).0;
        match self.pointer(pointer) {
            Some(mut place) => {
                let code = &mut place.offset.code;
                code.extend(offset.code.iter().copied());
                code.push((Atom::Int(i64::from(place.scalar * apart)), span));
                code.push((Atom::Binary(Binary::Multiply), span));
                code.push((Atom::Binary(Binary::Add), span));
                (place.bytes, place.of, place.span) = (place.scalar * count, Type::Data, span);
                if loads {
                    return self.load(&place);
                }
                self.store(&place, None);
            }
            None => self.not_followed(span, "this access through a pointer"),
        }
        self.computed("vload", inputs, Type::Data, span)
    }

    fn called_unit(
        &mut self,
        unit: u32,
        count: usize,
        name: &Name,
        arguments: &[Value],
        span: Span,
    ) -> Code {
        if count != arguments.len() {
            let message = format!(
                "`{}` takes {count} arguments, but {} were given",
                name.text,
                arguments.len()
            );
            self.reports.error("argument-count", name.span, message);
            return Code::new();
        }
        let mut values = Vec::with_capacity(count);
        for argument in arguments {
            let barrier = argument.plain().is_some() && self.taken(argument).is_none();
            let value = match self.points(argument) && !barrier {
                true => self.address(argument),
                false => self.evaluated(argument).0,
            };
            values.push(value);
        }
        // The function receives whether data decide that it is called.
        let mut code = Code::new();
        for (at, &(slot, ..)) in self.needs.iter().enumerate() {
            code.push((Atom::Slot(slot), span));
            code.extend((at > 0).then_some((Atom::Binary(Binary::Or), span)));
        }
        if code.is_empty() {
            code.push((Atom::Int(0), span));
        }
        values.push(Expression { code, span });
        self.push(Step::Call(unit, values, span));
        let rounds = self.rounds();
        if rounds != Rounds::default() {
            self.push(Step::Keep(rounds));
        }
        let slot = self.declare("", span);
        let of = self.context.results.get(&name.text).copied().unwrap_or_default();
        self.types.insert(slot, of);
        self.push(Step::Take(slot));
        alloc::vec![(Atom::Slot(slot), span)]
    }
}

/// For `vloadN`, `vstoreN` and those of halves: whether it reads, the number of components, and the stride.
fn vector_access(word: &str) -> Option<(bool, (u32, u32))> {
    let rest = word.strip_prefix("vload").or_else(|| word.strip_prefix("vstore"))?;
    let loads = word.starts_with("vload");
    let aligned = rest.starts_with("a_half");
    let rest = rest.strip_prefix("a_half").or_else(|| rest.strip_prefix("_half")).unwrap_or(rest);
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let rounding = &rest[digits.len()..];
    if !rounding.is_empty() && !rounding.starts_with("_rt") {
        return None;
    }
    let count = if digits.is_empty() && word.contains("half") { 1 } else { digits.parse().ok()? };
    let apart = if aligned && count == 3 { 4 } else { count };
    matches!(count, 1..=16).then_some((loads, (count, apart)))
}
