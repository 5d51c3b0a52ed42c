//! Vectors and small private arrays of integers: each component is a separate variable.
//!
//! The variable of the whole holds data, which is the value if components are not tracked. A vector whose address is
//! taken has no component variables, because its components may change through a pointer.

use super::code::{Among, Meaning, Step};
use super::term::{Doubt, Input, Term};
use super::unit::Lowering;
use super::vector::{Parts, components};
use crate::diagnostic::Span;
use crate::expression::constants::Constants;
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression, Unary};
use crate::lexer;
use crate::tree::{Code, Element, Name, Value, ValueKind};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// Largest number of tracked components of a vector or array, and of variables in scope then.
const MOST_PARTS: i64 = 16;
const MOST_IN_SCOPE: usize = 96;
/// Largest number of variables in scope for which components are kept under conditions on data.
const MOST_KEPT: usize = 192;

/// A component of a vector or an array.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Slot(u16),
    /// The component selected by the index in a variable.
    At(u16),
}

impl Lowering<'_, '_, '_> {
    /// Declares the components of a vector or array in addition to its own variable, or marks it as data.
    pub(super) fn declare_parts(&mut self, name: &Name, slot: u16) {
        let shapes = self.context.shapes;
        let Some(shape) = shapes.get(&name.span.start) else { return };
        self.types.insert(slot, Type::Data);
        let size = |size: &Option<Expression>| self.constant(size.as_ref()?);
        let Some(sizes) = shape.sizes.iter().map(size).collect::<Option<Vec<i64>>>() else {
            return;
        };
        let all = sizes.iter().try_fold(i64::from(shape.width), |all, &size| all.checked_mul(size));
        let Some(count @ 1..=MOST_PARTS) = all else { return };
        if self.scopes.len() + count as usize > MOST_IN_SCOPE {
            return;
        }
        let first = self.scopes.len() as u16;
        for at in 0..count {
            let part = self.declare(&(alloc::format!("{}.{at}", name.text)), name.span);
            self.types.insert(part, shape.of);
        }
        let (count, width, of) = (count as u16, shape.width as u16, shape.of);
        if self.scopes.len() == usize::from(first + count) {
            self.parts.insert(slot, Parts { first, count, width, sizes, of });
        }
    }

    /// The value of a constant expression.
    fn constant(&self, value: &Expression) -> Option<i64> {
        let mut value = value.clone();
        for (atom, span) in &mut value.code {
            if *atom == Atom::Name {
                let name = lexer::slice(self.context.text, *span);
                let meaning = self.context.globals.meaning(name);
                let Some(Meaning::Number(number, of)) = meaning else { return None };
                *atom = Atom::Literal(number, of);
            }
        }
        let known = |(atom, _): &(Atom, Span)| {
            matches!(
                atom,
                Atom::Int(_)
                    | Atom::Literal(..)
                    | Atom::Unary(_)
                    | Atom::Binary(_)
                    | Atom::Convert(_)
                    | Atom::Checked(_)
            )
        };
        if !value.code.iter().all(known) {
            return None;
        }
        Constants::number(&value).ok().map(|(number, _)| number)
    }

    pub(super) fn has_parts(&self, name: &Name) -> bool {
        self.slot(&name.text).is_some_and(|slot| self.parts.contains_key(&slot))
    }

    /// Makes a variable and its components unknown.
    pub(super) fn forget_whole(&mut self, slot: u16) {
        let parts = self.parts.get(&slot).map(Parts::slots);
        let all = core::iter::once(slot).chain(parts.into_iter().flatten());
        self.code.steps.extend(all.map(Step::Forget));
    }

    /// Splits variables that are assigned under conditions on data: those whose values are kept, with their components,
    /// and those that become unknown because there are too many.
    pub(super) fn kept(&self, assigned: Vec<u16>) -> (Vec<u16>, Vec<u16>) {
        let parts = assigned.iter().filter_map(|slot| self.parts.get(slot));
        let parts: Vec<u16> = parts.flat_map(Parts::slots).collect();
        if self.scopes.len() + 2 * (assigned.len() + parts.len()) > MOST_KEPT {
            return (assigned, parts);
        }
        (assigned.into_iter().chain(parts).collect(), Vec::new())
    }

    /// The variable and components that an expression names, in order; evaluates the effects of indices.
    pub(super) fn numbers(&mut self, value: &Value) -> Option<(u16, Vec<Number>)> {
        let main = self.variable_of(value)?;
        let parts = self.parts.get(&main)?.clone();
        let numbers = match &value.kind {
            ValueKind::Plain(_) => parts.slots().map(Number::Slot).collect(),
            ValueKind::Part(inner, name) => {
                let (_, all) = self.numbers(inner)?;
                let named = components(name, all.len() as u32)?;
                named.into_iter().map(|at| all[at as usize]).collect()
            }
            ValueKind::Element(element) => self.numbers_of_element(element, &parts, value.span),
            _ => return None,
        };
        Some((main, numbers))
    }

    fn numbers_of_element(&mut self, element: &Element, parts: &Parts, span: Span) -> Vec<Number> {
        let mut code: Code = alloc::vec![(Atom::Int(0), span)];
        for (index, &size) in element.indices.iter().zip(&parts.sizes) {
            let index = self.evaluated(index).0;
            code.extend([(Atom::Int(size), span), (Atom::Binary(Binary::Multiply), span)]);
            code.extend(index.code);
            code.push((Atom::Binary(Binary::Add), span));
        }
        let width = i64::from(parts.width);
        code.extend([(Atom::Int(width), span), (Atom::Binary(Binary::Multiply), span)]);
        let number = |this: &mut Self, at: i64| {
            let mut code = code.clone();
            code.extend([(Atom::Int(at), span), (Atom::Binary(Binary::Add), span)]);
            let index = Expression { code, span };
            match this.constant(&index) {
                Some(at) if (0..i64::from(parts.count)).contains(&at) => {
                    Number::Slot(parts.first + at as u16)
                }
                _ => Number::At(this.held((index, Type::Exact))),
            }
        };
        (0..width).map(|at| number(self, at)).collect()
    }

    /// The code of a component.
    pub(super) fn pick(&mut self, main: u16, number: Number, span: Span) -> Code {
        let slot = match number {
            Number::Slot(slot) => slot,
            Number::At(index) => {
                let other = self.declare("", span);
                self.among(main, index, (other, false), span);
                other
            }
        };
        alloc::vec![(Atom::Slot(slot), span)]
    }

    fn among(&mut self, main: u16, index: u16, (other, writes): (u16, bool), span: Span) {
        let Some(&Parts { first, count, of, .. }) = self.parts.get(&main) else { return };
        if !writes {
            self.types.insert(other, of);
        }
        self.push(Step::Among(Among { first, count, index, other, writes, span }));
    }

    /// Assigns a component from a variable.
    fn put(&mut self, main: u16, number: Number, from: u16, span: Span) {
        match number {
            Number::Slot(slot) => drop(self.push(Step::Move(slot, from))),
            Number::At(index) => self.among(main, index, (from, true), span),
        }
    }

    /// The value of several components as a whole.
    pub(super) fn gathered(&mut self, main: u16, numbers: &[Number], span: Span) -> Code {
        let mut inputs = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let code = self.pick(main, number, span);
            if numbers.len() == 1 {
                return code;
            }
            inputs.push(Input::Value(Expression { code, span }));
        }
        self.computed("()", inputs, Type::Data, span)
    }

    /// `NAME = VALUE` of a vector.
    pub(super) fn assigned_whole(&mut self, name: &Name, value: &Expression, span: Span) {
        let code = alloc::vec![(Atom::Name, name.span)];
        let target = Value { kind: ValueKind::Plain(code), span: name.span };
        let from = Value::of(value.clone());
        if let Some(found) = self.numbers(&target) {
            self.assign_numbers(None, true, found, &from, span);
        }
    }

    /// Assigns components of a variable, all of them if `whole`; returns the code of their new values.
    pub(super) fn assign_numbers(
        &mut self,
        operator: Option<Binary>,
        whole: bool,
        (main, numbers): (u16, Vec<Number>),
        from: &Value,
        span: Span,
    ) -> Code {
        let Some(parts) = self.parts.get(&main).cloned() else { return Code::new() };
        self.before = None;
        let single = numbers.len() == 1;
        if operator.is_some() {
            let code = self.gathered(main, &numbers, span);
            let held = self.resolve_typed(&Expression { code, span });
            self.before = Some(self.held(held));
        }
        let before = self.before;
        let values = match single {
            true => Ok(alloc::vec![self.flat(from)]),
            false => self.each(from, numbers.len(), &parts),
        };
        let mut new = Vec::with_capacity(numbers.len());
        match (values, operator) {
            (Ok(values), operator) if operator.is_none() || single || is_wide(parts.of) => {
                for (&number, value) in numbers.iter().zip(values) {
                    let mut code = match operator {
                        Some(_) => self.pick(main, number, span),
                        None => Code::new(),
                    };
                    code.extend(value);
                    code.extend(operator.map(|operator| (Atom::Binary(operator), span)));
                    code.push((Atom::Convert(parts.of), span));
                    let value = self.resolve_typed(&Expression { code, span });
                    new.push(self.held((value.0, parts.of)));
                }
            }
            (values, _) => {
                let shape = if operator.is_some() { "=" } else { "()" };
                let all = values.err().into_iter().chain(before);
                let inputs: Vec<Input> = all.map(|slot| variable(slot, span)).collect();
                for at in 0..numbers.len() {
                    let shape = alloc::format!("{shape}.{at}");
                    let code = self.computed(&shape, inputs.clone(), parts.of, span);
                    new.extend(Expression { code, span }.slots());
                }
            }
        }
        for (&number, &value) in numbers.iter().zip(&new) {
            self.put(main, number, value, span);
        }
        self.before = before;
        // The value of the vector as a whole.
        if parts.sizes.is_empty() {
            let inputs = parts.slots().map(|slot| variable(slot, span)).collect();
            let doubt = (!whole).then_some(Doubt::Computed);
            let term = Term { shape: String::from("()"), inputs, doubt };
            self.push(Step::Compute(main, Rc::new(term)));
        }
        match new[..] {
            [one] => alloc::vec![(Atom::Slot(one), span)],
            _ if whole => alloc::vec![(Atom::Slot(main), span)],
            _ => self.gathered(main, &numbers, span),
        }
    }

    /// Evaluates an expression; returns the code of each of its components, or the variable that holds it as a whole.
    fn each(&mut self, value: &Value, count: usize, parts: &Parts) -> Result<Vec<Code>, u16> {
        let span = value.span;
        if self.is_scalar(value) {
            let value = self.evaluated(value);
            let slot = self.held(value);
            return Ok(alloc::vec![alloc::vec![(Atom::Slot(slot), span)]; count]);
        }
        match &value.kind {
            ValueKind::Data(shape, values) if shape == "{}" && !parts.sizes.is_empty() => {
                return self.listed(values, count, parts, span);
            }
            ValueKind::Data(shape, values) if matches!(&shape[..], "()" | "{}") => {
                if let [one] = &values[..] {
                    return self.each(one, count, parts);
                }
                if let Some(flat) = self.flattened(values, count) {
                    return Ok(flat);
                }
            }
            ValueKind::Plain(code) if code.len() > 1 => {
                if let Some(each) = self.by_number(code, count, parts.of) {
                    return Ok(each);
                }
            }
            ValueKind::Binary(operator, two) if is_wide(parts.of) && !compares(*operator) => {
                let both = [&two[0], &two[1]].map(|one| self.each(one, count, parts));
                let [Ok(first), Ok(second)] = both else { return Err(self.unknown(span)) };
                let joined = |(mut one, other): (Code, Code)| {
                    one.push((Atom::Convert(parts.of), span));
                    one.extend(other);
                    one.extend([(Atom::Convert(parts.of), span), (Atom::Binary(*operator), span)]);
                    one
                };
                return Ok(first.into_iter().zip(second).map(joined).collect());
            }
            _ => {
                if let Some((main, numbers)) = self.numbers(value)
                    && numbers.len() == count
                {
                    // They may be assigned before they are used.
                    let each = numbers.into_iter().map(|number| {
                        let code = self.pick(main, number, span);
                        let value = self.resolve_typed(&Expression { code, span });
                        alloc::vec![(Atom::Slot(self.held(value)), span)]
                    });
                    return Ok(each.collect());
                }
            }
        }
        let value = self.evaluated(value);
        Err(self.held(value))
    }

    /// The components of `{…}`; missing ones are zero.
    fn listed(
        &mut self,
        values: &[Value],
        count: usize,
        parts: &Parts,
        span: Span,
    ) -> Result<Vec<Code>, u16> {
        let width = usize::from(parts.width);
        let rest = parts.sizes.len() == 1 || values.len() < 2;
        let mut all = Vec::with_capacity(count);
        let mut known = values.len() * width == count || rest && values.len() * width < count;
        for value in values {
            match self.each(value, width, parts) {
                Ok(each) if known => all.extend(each),
                _ => known = false,
            }
        }
        if !known {
            return Err(self.unknown(span));
        }
        all.resize(count, alloc::vec![(Atom::Int(0), span)]);
        Ok(all)
    }

    /// A variable that holds unknown data.
    fn unknown(&mut self, span: Span) -> u16 {
        let slot = self.declare("", span);
        self.types.insert(slot, Type::Data);
        self.push(Step::Forget(slot));
        slot
    }

    /// The components of `(TYPE)(A, B, …)`, if all operands are numbers or tracked vectors.
    fn flattened(&mut self, values: &[Value], count: usize) -> Option<Vec<Code>> {
        let single = values.len() == count;
        let tracked = |value: &Value| {
            let parts = self.variable_of(value).and_then(|slot| self.parts.get(&slot));
            parts.is_some() || single || self.is_scalar(value)
        };
        if !values.iter().all(tracked) {
            return None;
        }
        let mut all: Vec<Code> = Vec::with_capacity(count);
        for value in values {
            let span = value.span;
            let codes = match self.numbers(value) {
                Some((main, numbers)) => {
                    numbers.into_iter().map(|number| self.pick(main, number, span)).collect()
                }
                None => alloc::vec![self.flat(value)],
            };
            for code in codes {
                let value = self.resolve_typed(&Expression { code, span });
                all.push(alloc::vec![(Atom::Slot(self.held(value)), span)]);
            }
        }
        let missing = all.len() != count;
        all.resize(count, alloc::vec![(Atom::Int(0), Span::default())]);
        (!missing).then_some(all)
    }

    /// Applies operators on vectors and numbers component by component.
    fn by_number(&self, code: &Code, count: usize, of: Type) -> Option<Vec<Code>> {
        if !is_wide(of) {
            return None;
        }
        let mut all = alloc::vec![Code::with_capacity(code.len()); count];
        for (index, &(atom, span)) in code.iter().enumerate() {
            let last = index + 1 == code.len();
            let name = lexer::slice(self.context.text, span);
            let slot = self.slot(name).filter(|_| atom == Atom::Name);
            let parts = slot.and_then(|slot| self.parts.get(&slot));
            let known = match atom {
                Atom::Name if parts.is_some() => {
                    parts.is_some_and(|parts| usize::from(parts.count) == count)
                }
                Atom::Name => slot.is_none_or(|slot| self.types.get(&slot) != Some(&Type::Data)),
                Atom::Binary(operator) => last || !compares(operator),
                Atom::Unary(operator) => operator != Unary::Not,
                Atom::Int(_) | Atom::Literal(..) | Atom::Builtin(_) => true,
                _ => false,
            };
            if !known {
                return None;
            }
            for (at, own) in all.iter_mut().enumerate() {
                match parts {
                    Some(parts) => own.push((Atom::Slot(parts.first + at as u16), span)),
                    None => own.push((atom, span)),
                }
                let compares = matches!(atom, Atom::Binary(operator) if compares(operator));
                own.extend(compares.then_some((Atom::Unary(Unary::Negate), span)));
                let value = matches!(atom, Atom::Name | Atom::Literal(..) | Atom::Builtin(_));
                own.extend((value && parts.is_none()).then_some((Atom::Convert(of), span)));
            }
        }
        Some(all)
    }

    /// `any` and `all`: whether the sign of any component is set, or of all; `None` if components are not tracked.
    pub(super) fn signs(&mut self, any: bool, value: &Value) -> Option<Code> {
        let span = value.span;
        let operator = Atom::Binary(if any { Binary::Or } else { Binary::And });
        let mut code = Code::new();
        for mut one in self.components(value)? {
            let first = code.is_empty();
            one.extend([(Atom::Int(0), span), (Atom::Binary(Binary::Less), span)]);
            code.extend(one);
            code.extend((!first).then_some((operator, span)));
        }
        Some(code)
    }

    /// The code of each component of a vector, if all are tracked; a splat has one.
    fn components(&mut self, value: &Value) -> Option<Vec<Code>> {
        if let ValueKind::Plain(code) = &value.kind
            && let Some(parts) = self.first_parts(code)
            && code.len() > 1
        {
            let count = usize::from(parts.count);
            return Some(parts).filter(|parts| parts.sizes.is_empty()).and_then(|parts| {
                let of = parts.of;
                self.by_number(code, count, of)
            });
        }
        if !self.is_tracked(value) {
            return None;
        }
        match &value.kind {
            ValueKind::Data(_, values) => {
                let each: Option<Vec<_>> =
                    values.iter().map(|value| self.components(value)).collect();
                Some(each?.concat())
            }
            _ if self.is_scalar(value) => Some(alloc::vec![self.flat(value)]),
            ValueKind::Binary(operator, two) => {
                let [one, other] = [&two[0], &two[1]].map(|one| self.components(one));
                let (one, other) = (one?, other?);
                let count = one.len().max(other.len());
                let joined = |at: usize| {
                    let pick = |all: &[Code]| all[at % all.len()].clone();
                    let mut code = pick(&one);
                    code.extend(pick(&other));
                    code.push((Atom::Binary(*operator), value.span));
                    code.extend(
                        compares(*operator).then_some((Atom::Unary(Unary::Negate), value.span)),
                    );
                    code
                };
                Some((0..count).map(joined).collect())
            }
            _ => {
                let (main, numbers) = self.numbers(value)?;
                let each = numbers.into_iter().map(|number| self.pick(main, number, value.span));
                Some(each.collect())
            }
        }
    }

    /// Whether the components of a vector are tracked.
    fn is_tracked(&self, value: &Value) -> bool {
        let of_parts = self.variable_of(value).is_some_and(|slot| self.parts.contains_key(&slot));
        of_parts
            || self.is_scalar(value)
            || match &value.kind {
                ValueKind::Data(shape, values) => {
                    shape == "()" && values.iter().all(|value| self.is_tracked(value))
                }
                ValueKind::Binary(_, two) => two.iter().all(|one| self.is_tracked(one)),
                _ => false,
            }
    }

    /// The components of the first variable in code that has any.
    fn first_parts(&self, code: &Code) -> Option<Parts> {
        let names = code.iter().filter(|(atom, _)| *atom == Atom::Name);
        let mut slots =
            names.filter_map(|&(_, span)| self.slot(lexer::slice(self.context.text, span)));
        slots.find_map(|slot| self.parts.get(&slot).cloned())
    }

    /// Whether an expression is certainly a single integer.
    fn is_scalar(&self, value: &Value) -> bool {
        match &value.kind {
            ValueKind::Plain(code) => !code.iter().any(|&(atom, span)| {
                let slot = self.slot(lexer::slice(self.context.text, span));
                let data = slot.is_some_and(|slot| self.types.get(&slot) == Some(&Type::Data));
                atom == Atom::Name && data
            }),
            ValueKind::Part(inner, name) => {
                let known = self.variable_of(inner).is_some_and(|at| self.parts.contains_key(&at));
                known && components(name, MOST_PARTS as u32).is_some_and(|named| named.len() == 1)
            }
            ValueKind::Element(element) => {
                let width = self.variable_of(value).and_then(|slot| self.parts.get(&slot));
                element.array.of != Type::Data && width.is_none_or(|parts| parts.width == 1)
            }
            ValueKind::Convert(to, _) => *to != Type::Data,
            ValueKind::Data(..) | ValueKind::Call(..) | ValueKind::At(_) => false,
            ValueKind::Member(_, member, _) => member.of != Type::Data,
            _ => value.parts().into_iter().all(|part| self.is_scalar(part)),
        }
    }
}

/// The value of a variable.
fn variable(slot: u16, span: Span) -> Input {
    Input::Value(Expression { code: alloc::vec![(Atom::Slot(slot), span)], span })
}

/// Whether vector operators equal scalar operators on the components: types narrower than `int` are promoted only in
/// scalars.
fn is_wide(of: Type) -> bool {
    matches!(of, Type::Int | Type::Uint | Type::Long | Type::Ulong)
}

/// Whether an operator is a comparison, which results in zero or all ones for each component.
fn compares(operator: Binary) -> bool {
    use Binary::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    matches!(operator, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
}
