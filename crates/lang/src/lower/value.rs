//! C expressions, evaluated in order: effects become steps, pure computation stays code.
//!
//! C does not specify the evaluation order of operands, and an effect on a variable that another operand uses is
//! undefined. The code of an operand may therefore be evaluated after the effects of its neighbours. A warning reports
//! a result that depends on this order. Results of sequenced operators (`,`, `&&`, `||`, `? :`) are stored in a
//! separate variable.

use super::code::{Pc, Step};
use super::term::{Doubt, Input, Term};
use super::unit::{Lowering, NOWHERE};
use super::vector::components;
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression, Unary};
use crate::source::Need;
use crate::tree::{Code, Value, ValueKind};
use crate::{lexer, parse};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;

impl Lowering<'_, '_, '_> {
    /// Evaluates the effects of an expression; its value is not used.
    pub(super) fn effects(&mut self, value: &Value) {
        match &value.kind {
            ValueKind::Comma(two) => two.iter().for_each(|one| self.effects(one)),
            ValueKind::Step(operator, true, target) => {
                let kind = ValueKind::Step(*operator, false, target.clone());
                self.flat(&Value { kind, span: value.span });
            }
            ValueKind::Lazy(both, two) => {
                let [first, second] = &**two;
                let assigned = self.assigned_by(&[second]);
                let mut run = |this: &mut Self, yes: bool| {
                    if yes == *both {
                        this.effects(second);
                    }
                };
                self.either(first, assigned, &mut run);
            }
            ValueKind::Choice(three) => {
                let [condition, yes, no] = &**three;
                let assigned = self.assigned_by(&[yes, no]);
                let mut run =
                    |this: &mut Self, taken: bool| this.effects(if taken { yes } else { no });
                self.either(condition, assigned, &mut run);
            }
            _ => {
                let code = self.flat(value);
                // Resolves the names to report errors.
                self.resolve(&Expression { code, span: value.span });
            }
        }
    }

    /// Evaluates the effects of an expression; returns its value with C conversions.
    pub(super) fn evaluated(&mut self, value: &Value) -> (Expression, Type) {
        let code = self.flat(value);
        self.resolve_typed(&Expression { code, span: value.span })
    }

    /// Stores a value in a new variable.
    pub(super) fn held(&mut self, (value, of): (Expression, Type)) -> u16 {
        let span = value.span;
        let slot = self.declare("", span);
        self.types.insert(slot, of);
        self.push(Step::Set(slot, value));
        slot
    }

    /// A variable that holds data computed from values.
    pub(super) fn computed(
        &mut self,
        shape: &str,
        inputs: Vec<Input>,
        of: Type,
        span: Span,
    ) -> Code {
        let slot = self.declare("", span);
        self.types.insert(slot, of);
        let (shape, doubt) = (String::from(shape), None);
        self.push(Step::Compute(slot, Rc::new(Term { shape, inputs, doubt })));
        alloc::vec![(Atom::Slot(slot), span)]
    }

    /// Evaluates the effects of an expression; returns the code of its value without conversions.
    pub(super) fn flat(&mut self, value: &Value) -> Code {
        let span = value.span;
        if self.is_address(value) {
            return self.address(value).code;
        }
        match &value.kind {
            ValueKind::Plain(code) => code.clone(),
            ValueKind::Data(shape, parts) => {
                let inputs =
                    parts.iter().map(|part| Input::Value(self.evaluated(part).0)).collect();
                self.computed(shape, inputs, Type::Data, span)
            }
            ValueKind::Element(_)
            | ValueKind::At(_)
            | ValueKind::Part(..)
            | ValueKind::Member(..) => self.read(value),
            ValueKind::Address(one) | ValueKind::Cast(_, one) => self.flat(one),
            ValueKind::Convert(to, inner) => {
                let mut code = self.flat(inner);
                code.push((Atom::Convert(*to), span));
                code
            }
            ValueKind::Unary(operator, inner) => {
                let mut code = self.flat(inner);
                code.push((Atom::Unary(*operator), span));
                code
            }
            ValueKind::Binary(operator, two) => {
                self.unsequenced(&two[..], None);
                let mut code = self.flat(&two[0]);
                code.extend(self.flat(&two[1]));
                code.push((Atom::Binary(*operator), span));
                if *operator == Binary::Subtract
                    && let (Some((bytes, ..)), true) = (self.pointee(&two[0]), self.points(&two[1]))
                {
                    // The number of elements between two pointers.
                    code.push((Atom::Int(bytes.max(1).into()), span));
                    code.push((Atom::Binary(Binary::Divide), span));
                }
                code
            }
            ValueKind::Lazy(both, two) => {
                let [first, second] = &**two;
                let slot = self.declare("", span);
                self.types.insert(slot, Type::Int);
                let mut assigned = self.assigned_by(&[second]);
                assigned.push(slot);
                let truth = |this: &mut Self, code: Code| {
                    let mut value = this.resolve(&Expression { code, span });
                    value.code.extend([(Atom::Unary(Unary::Not), span); 2]);
                    this.push(Step::Set(slot, value));
                };
                let mut run = |this: &mut Self, yes: bool| {
                    let code = match yes == *both {
                        true => this.flat(second),
                        false => alloc::vec![(Atom::Int(i64::from(yes)), span)],
                    };
                    truth(this, code);
                };
                self.either(first, assigned, &mut run);
                alloc::vec![(Atom::Slot(slot), span)]
            }
            ValueKind::Choice(three) => self.choice(&three[0], &three[1], &three[2], span),
            ValueKind::Comma(two) => {
                self.effects(&two[0]);
                self.flat(&two[1])
            }
            ValueKind::Assign(operator, two) => {
                let [target, from] = &**two;
                self.unsequenced(&two[..], Some(target));
                self.assign(*operator, target, from, span)
            }
            ValueKind::Step(operator, before, target) => {
                let one = ValueKind::Plain(alloc::vec![(Atom::Int(1), span)]);
                let one = Value { kind: one, span };
                let plain = self.variable_of(target).filter(|at| !self.parts.contains_key(at));
                if let (true, Some(slot)) = (*before, plain) {
                    let code = alloc::vec![(Atom::Slot(slot), span)];
                    let held = self.resolve_typed(&Expression { code, span });
                    let held = self.held(held);
                    self.assign(Some(*operator), target, &one, span);
                    return alloc::vec![(Atom::Slot(held), span)];
                }
                let code = self.assign(Some(*operator), target, &one, span);
                match (before, self.before.take()) {
                    (true, Some(held)) => alloc::vec![(Atom::Slot(held), span)],
                    _ => code,
                }
            }
            ValueKind::Call(name, arguments) => self.called(name, arguments, span),
        }
    }

    fn choice(&mut self, condition: &Value, yes: &Value, no: &Value, span: Span) -> Code {
        let slot = self.declare("", span);
        let mut assigned = self.assigned_by(&[yes, no]);
        assigned.push(slot);
        let mut ends: Vec<(Pc, Type)> = Vec::new();
        let mut run = |this: &mut Self, taken: bool| {
            let (value, of) = this.evaluated(if taken { yes } else { no });
            ends.push((this.push(Step::Set(slot, value)), of));
        };
        self.either(condition, assigned, &mut run);
        // Both branches have one type.
        let of = ends.iter().map(|&(_, of)| of).reduce(Type::common).unwrap_or_default();
        for (at, own) in ends {
            if let Step::Set(_, value) = &mut self.code.steps[at as usize]
                && own.changes(of)
            {
                value.code.push((Atom::Convert(of), span));
            }
        }
        self.types.insert(slot, of);
        alloc::vec![(Atom::Slot(slot), span)]
    }

    /// The variable that an expression names.
    pub(super) fn variable_of(&self, value: &Value) -> Option<u16> {
        match &value.kind {
            ValueKind::Plain(code) => match code[..] {
                [(Atom::Name, span)] => self.slot(lexer::slice(self.context.text, span)),
                [(Atom::Slot(slot), _)] => Some(slot),
                _ => None,
            },
            ValueKind::Element(element) if element.array.space.is_none() => {
                self.slot(&element.name.text)
            }
            ValueKind::Part(inner, _) => self.variable_of(inner),
            _ => None,
        }
    }

    /// The same, but not for the elements that a pointer points to, which are other memory.
    pub(super) fn part_of(&self, value: &Value) -> Option<u16> {
        let following = matches!(&value.kind, ValueKind::Element(element)
            if !element.is_whole() && !element.array.private);
        self.variable_of(value).filter(|_| !following)
    }

    /// The variables that expressions assign.
    pub(super) fn assigned_by(&self, values: &[&Value]) -> Vec<u16> {
        let mut slots = OrderedSet::new();
        for value in values {
            value.any(&mut |part| {
                let target = match &part.kind {
                    ValueKind::Assign(_, two) => Some(&two[0]),
                    ValueKind::Step(_, _, one) => Some(&**one),
                    ValueKind::Address(one) => Some(&**one),
                    // A named barrier, or the address of a variable.
                    ValueKind::Plain(code) => {
                        let address = code.iter().position(|(atom, _)| *atom == Atom::Address);
                        let before = address.and_then(|at| code.get(at.checked_sub(1)?));
                        slots.extend(before.and_then(|&(_, span)| {
                            self.slot(lexer::slice(self.context.text, span))
                        }));
                        None
                    }
                    _ => None,
                };
                slots.extend(target.and_then(|target| self.variable_of(target)));
                false
            });
        }
        slots.into_iter().collect()
    }

    /// Takes one of two branches; both if data decide. `run` lowers the branch that is requested; `assigned` are the
    /// variables that it assigns.
    ///
    /// If both are taken, each starts with the values before the condition. Afterwards each variable holds the
    /// selection between the two values. Accesses in the branches carry `needs`: a variable that is nonzero if data
    /// decide, and the condition.
    pub(super) fn either(
        &mut self,
        condition: &Value,
        assigned: Vec<u16>,
        run: &mut dyn FnMut(&mut Self, bool),
    ) {
        let span = condition.span;
        let (condition, of) = self.evaluated(condition);
        let known = condition.slots().next().is_none();
        if known {
            let unless = self.push(Step::Unless(condition, NOWHERE));
            run(self, true);
            let end = self.push(Step::Jump(NOWHERE, span));
            self.arrive(alloc::vec![unless]);
            run(self, false);
            return self.arrive(alloc::vec![end]);
        }
        let asked = self.held((condition, of));
        let mode = self.declare("", span);
        self.push(Step::IsData(mode, asked));
        let (kept, lost) = self.kept(assigned);
        let only = |mode| Expression { code: alloc::vec![(Atom::Slot(mode), span)], span };
        let forget = |this: &mut Self| {
            this.code.steps.extend(lost.iter().map(|&slot| Step::Forget(slot)));
        };
        if !lost.is_empty() {
            let known = self.push(Step::Unless(only(mode), NOWHERE));
            forget(self);
            self.arrive(alloc::vec![known]);
        }
        let kept: Vec<[u16; 3]> = kept
            .into_iter()
            .map(|slot| {
                let [before, then] = [(); 2].map(|()| self.declare("", span));
                self.push(Step::Move(before, slot));
                [slot, before, then]
            })
            .collect();
        let slot = |slot: u16| (Atom::Slot(slot), span);
        let code = alloc::vec![slot(mode), (Atom::Or(2), span), slot(asked), (Atom::Truth, span)];
        let otherwise = self.push(Step::Unless(Expression { code, span }, NOWHERE));
        let text = String::from(lexer::slice(self.context.text, span));
        self.needs.push((mode, Some(asked), Need { span, text, holds: Some(true), orders: false }));
        run(self, true);
        let done = self.push(Step::Unless(only(mode), NOWHERE));
        for &[slot, before, then] in &kept {
            self.push(Step::Move(then, slot));
            self.push(Step::Move(slot, before));
        }
        forget(self);
        self.arrive(alloc::vec![otherwise]);
        if let Some((_, _, need)) = self.needs.last_mut() {
            need.holds = Some(false);
        }
        run(self, false);
        self.needs.pop();
        let single = self.push(Step::Unless(only(mode), NOWHERE));
        for &[slot, _, then] in &kept {
            self.push(Step::Join(slot, asked, then));
        }
        forget(self);
        self.arrive(alloc::vec![done, single]);
    }

    pub(super) fn arrive(&mut self, jumps: Vec<Pc>) {
        let here = self.here();
        jumps.into_iter().for_each(|at| self.patch(at, here));
    }

    /// Continues at the next step if the condition holds, otherwise at these jumps.
    pub(super) fn branch(&mut self, condition: &Value, no: &mut Vec<Pc>) {
        match &condition.kind {
            ValueKind::Lazy(true, two) => two.iter().for_each(|one| self.branch(one, no)),
            ValueKind::Lazy(false, two) => {
                let mut other = Vec::new();
                self.branch(&two[0], &mut other);
                let holds = self.push(Step::Jump(NOWHERE, condition.span));
                self.arrive(other);
                self.branch(&two[1], no);
                self.arrive(alloc::vec![holds]);
            }
            ValueKind::Unary(Unary::Not, inner) => {
                let mut yes = Vec::new();
                self.branch(inner, &mut yes);
                no.push(self.push(Step::Jump(NOWHERE, condition.span)));
                self.arrive(yes);
            }
            ValueKind::Comma(two) => {
                self.effects(&two[0]);
                self.branch(&two[1], no);
            }
            _ => {
                let value = self.evaluated(condition).0;
                no.push(self.push(Step::Unless(value, NOWHERE)));
            }
        }
    }

    /// The code of an assigned variable or element after the assignment.
    fn assign(
        &mut self,
        operator: Option<Binary>,
        target: &Value,
        from: &Value,
        span: Span,
    ) -> Code {
        self.before = None;
        if let Some(found) = self.numbers(target) {
            let whole = matches!(target.kind, ValueKind::Plain(_));
            return self.assign_numbers(operator, whole, found, from, span);
        }
        if let ValueKind::Plain(code) = &target.kind {
            let mut value = if operator.is_some() { code.clone() } else { Code::new() };
            value.extend(self.flat(from));
            value.extend(operator.map(|operator| (Atom::Binary(operator), span)));
            let value = Expression { code: value, span };
            let name = match code[..] {
                [(Atom::Name, at)] => at,
                _ => {
                    let message =
                        String::from("expected a variable or an array element to assign to");
                    self.reports.error("not-a-variable", target.span, message);
                    return alloc::vec![(Atom::Int(0), span)];
                }
            };
            let text = String::from(lexer::slice(self.context.text, name));
            let step = self.assignment(&crate::tree::Name { text, span: name }, &value, span);
            self.code.steps.extend(step);
            return code.clone();
        }
        if let ValueKind::Element(element) = &target.kind
            && element.is_whole()
            && element.array.space.is_none()
            && !element.array.private
            && let Some(slot) = self.slot(&element.name.text)
        {
            let sum = |operator| {
                ValueKind::Binary(operator, alloc::boxed::Box::new([target.clone(), from.clone()]))
            };
            let value = match operator {
                Some(operator) => &Value { kind: sum(operator), span },
                None => from,
            };
            let address = self.address(value);
            self.push(Step::Set(slot, address));
            return alloc::vec![(Atom::Slot(slot), span)];
        }
        let place = self.place(target);
        let Some(place) = place else {
            return self.assign_data(operator, target, from, span);
        };
        let mut code = Code::new();
        if operator.is_some() {
            code = self.load(&place);
            let held = Expression { code: code.clone(), span };
            let held = self.resolve_typed(&held);
            self.before = Some(self.held(held));
        }
        let before = self.before;
        code.extend(self.flat(from));
        code.extend(operator.map(|operator| (Atom::Binary(operator), span)));
        code.push((Atom::Convert(place.of), span));
        let stored = self.resolve_typed(&Expression { code, span });
        let stored = self.held(stored);
        self.store(&place, Some(stored));
        self.before = before;
        alloc::vec![(Atom::Slot(stored), span)]
    }

    /// The same for values that are not tracked: a vector component, an element of a private array.
    fn assign_data(
        &mut self,
        operator: Option<Binary>,
        target: &Value,
        from: &Value,
        span: Span,
    ) -> Code {
        if operator.is_some() {
            self.flat(target);
        }
        let mut inputs = alloc::vec![Input::Value(self.evaluated(from).0)];
        let Some(slot) = self.part_of(target) else {
            self.unmodelled(span, "this write through a pointer");
            return self.computed("=", inputs, Type::Data, span);
        };
        let old = Expression { code: alloc::vec![(Atom::Slot(slot), span)], span };
        inputs.push(Input::Value(old));
        let (shape, doubt) = (String::from("."), Some(Doubt::Computed));
        if self.parts.contains_key(&slot) {
            self.forget_whole(slot);
        }
        self.push(Step::Compute(slot, Rc::new(Term { shape, inputs, doubt })));
        self.types.insert(slot, Type::Data);
        alloc::vec![(Atom::Slot(slot), span)]
    }

    /// Reports that something is not followed, so that the result is incomplete.
    pub(super) fn not_followed(&mut self, span: Span, why: &str) {
        self.reports.push(parse::not_followed(span, why));
        self.code.more_dimensions = true;
    }

    /// The same for something that may write: if it is reached, no finding is certain.
    pub(super) fn unmodelled(&mut self, span: Span, why: &str) {
        self.push(Step::Unmodelled(Rc::new(parse::not_followed(span, why))));
    }

    /// Reports operands whose effects on a variable C leaves undefined. `target` is the target of an assignment, which
    /// is written after both operands are evaluated.
    pub(super) fn unsequenced(&mut self, operands: &[Value], target: Option<&Value>) {
        let mut known: Vec<[Vec<Own>; 2]> = Vec::with_capacity(operands.len());
        for value in operands {
            let own = target.filter(|target| core::ptr::eq(*target, value));
            let [mut reads, mut writes] = [Vec::new(), Vec::new()];
            self.touched(value, &mut reads, &mut writes);
            reads.extend(own.and_then(|own| self.own(own)));
            let meets = |one: &[Own], other: &[Own]| {
                one.iter().any(|one| {
                    let same = |other: &&Own| {
                        one.0 == other.0
                            && (one.1.is_none() || other.1.is_none() || one.1 == other.1)
                    };
                    other.iter().find(same).is_some()
                })
            };
            let clash = |other: &[Vec<Own>; 2]| {
                meets(&writes, &other[0]) || meets(&writes, &other[1]) || meets(&other[1], &reads)
            };
            let clashing = known.iter().any(clash);
            known.push([reads, writes]);
            if clashing {
                let text = lexer::slice(self.context.text, value.span);
                let why = format!(
                    "the order of the side effects of `{text}` and of the preceding operand, which C leaves undefined,"
                );
                return self.not_followed(value.span, &why);
            }
        }
    }

    /// The variable that an expression names, or one of its components.
    fn own(&self, value: &Value) -> Option<Own> {
        match &value.kind {
            ValueKind::Part(inner, name) => {
                let (slot, number) = self.own(inner)?;
                let one = components(name, 16).filter(|named| named.len() == 1);
                Some((slot, number.or(one.map(|named| i64::from(named[0])))))
            }
            ValueKind::Element(element) if element.array.private => {
                let number = match &element.indices[..] {
                    [index] => index.plain().and_then(|index| match index.code[..] {
                        [(Atom::Int(number) | Atom::Literal(number, _), _)] => Some(number),
                        _ => None,
                    }),
                    _ => None,
                };
                Some((self.slot(&element.name.text)?, number))
            }
            ValueKind::Element(element) if !element.is_whole() => None,
            _ => Some((self.variable_of(value)?, None)),
        }
    }

    /// The variables that an expression reads and assigns.
    fn touched(&self, value: &Value, reads: &mut Vec<Own>, writes: &mut Vec<Own>) {
        let target = match &value.kind {
            ValueKind::Assign(_, two) => Some(&two[0]),
            ValueKind::Step(_, _, one) => Some(&**one),
            _ => None,
        };
        if let ValueKind::Call(_, arguments) = &value.kind {
            // The function may write through the addresses that it receives.
            let all: Vec<&Value> = arguments.iter().collect();
            writes.extend(self.assigned_by(&all).into_iter().map(|slot| (slot, None)));
        }
        writes.extend(target.and_then(|target| self.own(target)));
        match &value.kind {
            // An address does not depend on the contents.
            ValueKind::Plain(_) if self.taken(value).is_some() => {}
            ValueKind::Plain(code) => {
                let names = code.iter().filter(|(atom, _)| *atom == Atom::Name);
                let slots =
                    names.filter_map(|&(_, span)| self.slot(lexer::slice(self.context.text, span)));
                reads.extend(slots.map(|slot| (slot, None)));
            }
            ValueKind::Part(inner, _) if self.own(value).is_some() => {
                reads.extend(self.own(value));
                if let ValueKind::Element(element) = &inner.kind {
                    element.indices.iter().for_each(|one| self.touched(one, reads, writes));
                }
            }
            _ => {
                if let ValueKind::Element(element) = &value.kind {
                    reads.extend(self.own(value));
                    let pointer = element.array.space.is_none() && !element.array.private;
                    let slot = self.slot(&element.name.text).filter(|_| pointer);
                    reads.extend(slot.map(|slot| (slot, None)));
                }
                value.parts().into_iter().for_each(|part| self.touched(part, reads, writes));
            }
        }
    }
}

/// A variable, and one of its components; `None` for all of it.
type Own = (u16, Option<i64>);
