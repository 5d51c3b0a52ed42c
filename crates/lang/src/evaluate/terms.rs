//! Terms: values computed from data. Equal terms are equal data, for every agent.
//!
//! No text gives the contents of memory; the host can have written anything. A condition on data is therefore a
//! question with two answers, the same for every agent that tests the same elements. Answers to different questions are
//! independent if each question has an element of its own. Otherwise, no data may give some combination of answers.

mod attained;
mod moved;
mod passed;

use self::attained::{element, is_not_zero};
use super::answers::Place;
use super::arguments::Arguments;
use super::values::Values;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::expression::comparison::{Left, Order, Possible};
use crate::expression::{Binary, Operator, Unary, Value, memory};
use crate::lower::code::Code;
use crate::lower::term::{Doubt, PASSED};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use tidegate_model::mem::operation::{Buffer, BufferId, Space};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Counted;

/// Unknown data.
pub(crate) const NOT_KNOWN: u32 = 0;
/// Largest nesting depth of terms; deeper terms are not distinguished.
const DEEPEST: u32 = 64;

/// A part from which a term is computed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Number(i64),
    Term(u32),
    Element(BufferId, i64, u32),
    Memory(BufferId),
}

impl Part {
    pub(crate) fn of(value: Value) -> Self {
        match value {
            Value::Int(number) => Self::Number(number),
            Value::Data(term) => Self::Term(term),
            _ => Self::Term(NOT_KNOWN),
        }
    }
}

/// A byte of memory; `None` is any byte of it.
type Leaf = (BufferId, Option<i64>);

#[derive(Clone, Debug)]
struct Known {
    leaves: Rc<OrderedSet<Leaf>>,
    doubt: Option<Doubt>,
    depth: u32,
    /// The element that it is computed from, by its index.
    place: Option<(BufferId, i64)>,
    /// For a comparison with a number: the compared term, the order, and the number.
    compared: Option<(u32, Order, i64)>,
    /// The question that it asks as a condition, and whether it is negated.
    truth: (u32, bool),
    /// The addresses that it can be; empty if it can be any.
    targets: Vec<i64>,
    /// Whether it is computed only from numbers, so that it has one value.
    fixed: bool,
    /// The values that it can certainly have.
    values: Option<Values>,
    /// Whether it is a nonzero floating-point number or an argument of the host.
    scales: bool,
    /// The term from which it differs by a number, and that number.
    moved: (u32, i64),
    /// Whether it is an integer.
    whole: bool,
    /// Its value, if it is a literal.
    literal: Option<f64>,
    /// A power of two that divides it.
    multiple: i64,
}

/// A question: a term that is used as a condition.
#[derive(Clone, Debug)]
pub(super) struct Question {
    term: u32,
    pub(super) span: Span,
    text: String,
    /// Whether the text is the negation of the term.
    negated: bool,
    /// The element that it tests.
    place: Option<(BufferId, i64)>,
}

/// Whether data give some combination of answers.
pub(super) enum Bound {
    Free,
    Impossible,
    /// It is not known, because of this question.
    Doubtful(Question, Why),
}

/// Why it is not known whether data give some combination of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// Conditions share an element.
    Shared,
    /// The values of a computation are unknown.
    Computed,
}

#[derive(Debug, Default)]
struct Inner {
    /// By operator and operands. A large launch has a term for each element that it reads.
    ids: BTreeMap<(String, Vec<Part>), u32>,
    known: Vec<Known>,
    questions: Vec<Question>,
    by_term: OrderedMap<u32, usize>,
}

/// Largest number of addresses of a pointer that are distinguished; a pointer with more may point anywhere in their
/// memories.
const MOST_TARGETS: usize = 16;

impl Inner {
    /// Whether every agent reads the same value: nothing writes its elements, which are in global memory.
    fn is_common(&self, term: u32, buffers: &[Buffer]) -> bool {
        let global = |(buffer, _): &Leaf| {
            let buffer = buffers.get(usize::from(*buffer));
            buffer.is_some_and(|buffer| buffer.space == Space::Global)
        };
        let known = self.known.get(term as usize);
        known.is_some_and(|known| known.doubt.is_none() && known.leaves.iter().all(global))
    }

    fn is_fixed(&self, part: &Part) -> bool {
        match part {
            Part::Number(_) => true,
            Part::Term(term) => self.known.get(*term as usize).is_some_and(|known| known.fixed),
            _ => false,
        }
    }

    /// The possible addresses of a term computed from these parts; empty if unknown.
    fn targets(&self, shape: &str, parts: &[Part]) -> Vec<i64> {
        let of = |part: &Part| match part {
            Part::Number(number) if memory::at(*number).is_some() => alloc::vec![*number],
            Part::Term(term) => {
                self.known.get(*term as usize).map_or_else(Vec::new, |known| known.targets.clone())
            }
            _ => Vec::new(),
        };
        let mut all = match (shape, parts) {
            ("?:" | "[]", [_, chosen @ ..]) => {
                let each: Vec<Vec<i64>> = chosen.iter().map(of).collect();
                if each.iter().any(Vec::is_empty) { Vec::new() } else { each.concat() }
            }
            ("+" | "-", [first, second]) => {
                let (targets, by) = match of(first) {
                    none if none.is_empty() && shape == "+" => (of(second), first),
                    targets => (targets, second),
                };
                let moved = |&target: &i64| match by {
                    Part::Number(by) if shape == "+" => memory::moved(target, *by),
                    Part::Number(by) => memory::moved(target, by.checked_neg()?),
                    _ => memory::anywhere(target),
                };
                targets.iter().filter_map(moved).collect()
            }
            ("(exact)", [one]) => of(one),
            _ => Vec::new(),
        };
        if all.len() > MOST_TARGETS {
            all = all.into_iter().filter_map(memory::anywhere).collect();
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// All terms of a scenario.
#[derive(Debug, Default)]
pub(crate) struct Terms(RefCell<Inner>);

impl Terms {
    /// Computes an operator whose operands include data. `fixed` if the last operand is a literal number: any other
    /// number may determine the result of an operator by itself.
    pub(crate) fn computed(&self, operator: Operator, values: &[Value], fixed: bool) -> Value {
        let (shape, order, mixed) = match operator {
            Operator::Unary(Unary::Negate) => ("-", None, false),
            Operator::Unary(Unary::Not) => ("!", None, false),
            Operator::Unary(Unary::Complement) => ("~", None, false),
            Operator::Convert(to) if let Some(number) = self.converted(to, values) => {
                return Value::Int(number);
            }
            Operator::Convert(to) => {
                let parts: Vec<Part> = values.iter().map(|&value| Part::of(value)).collect();
                let attained = self.attained(operator, &parts);
                let id = self.number(&format!("({})", to.word()), parts, None);
                if id != NOT_KNOWN {
                    self.0.borrow_mut().known[id as usize].values = attained;
                }
                self.moves(id, operator, values, None);
                return Value::Data(id);
            }
            Operator::Binary(operator) => shape_of(operator),
        };
        let parts: Vec<Part> = values.iter().map(|&value| Part::of(value)).collect();
        let number = |at: usize| match parts.get(at) {
            Some(Part::Number(number)) => Some(*number),
            _ => None,
        };
        let passed = parts.iter().any(|part| self.is_number_of_host(part));
        let numbers = passed || number(0).is_some() || number(1).is_some() && !fixed;
        let doubt = (mixed && numbers).then_some(Doubt::Computed);
        let (compared, truth) = match (&parts[..], order) {
            ([Part::Term(of)], _) if shape == "!" => (None, Some((*of, true))),
            ([Part::Term(of), Part::Number(number)], Some(order)) => {
                (Some((*of, order, *number)), zero(*of, order, *number))
            }
            ([Part::Number(number), Part::Term(of)], Some(order)) => {
                let order = order.mirrored();
                (Some((*of, order, *number)), zero(*of, order, *number))
            }
            _ => (None, None),
        };
        let of_operator = self.attained(operator, &parts);
        let id = self.number(shape, parts, doubt);
        if id != NOT_KNOWN {
            let mut inner = self.0.borrow_mut();
            // The operand of a bitwise operator is compared separately.
            let compared = compared.filter(|&(of, ..)| inner.known[of as usize].compared.is_some());
            let truth = truth.map(|(of, negated)| {
                let (of, before) = inner.known[of as usize].truth;
                (of, before != negated)
            });
            let known = &mut inner.known[id as usize];
            known.compared = compared.filter(|_| order.is_some());
            known.truth = truth.unwrap_or(known.truth);
            known.values = of_operator;
        }
        self.moves(id, operator, values, doubt);
        Value::Data(id)
    }

    /// Returns the number of a term. An element has the same number for every agent.
    pub(crate) fn number(&self, shape: &str, parts: Vec<Part>, doubt: Option<Doubt>) -> u32 {
        let mut inner = self.0.borrow_mut();
        if inner.known.is_empty() {
            inner.known.push(Known {
                leaves: Rc::default(),
                doubt: Some(Doubt::Computed),
                depth: 0,
                place: None,
                compared: None,
                truth: (NOT_KNOWN, false),
                targets: Vec::new(),
                fixed: false,
                values: None,
                scales: false,
                moved: (NOT_KNOWN, 0),
                whole: false,
                literal: None,
                multiple: 1,
            });
        }
        let id = inner.known.len() as u32;
        let mut known = Known {
            leaves: Rc::default(),
            doubt,
            depth: 0,
            place: None,
            compared: Some((id, Order::NotEqual, 0)).filter(|_| !JOINS.contains(&shape)),
            truth: (id, false),
            targets: inner.targets(shape, &parts),
            fixed: !shape.starts_with(PASSED) && parts.iter().all(|part| inner.is_fixed(part)),
            values: element(shape),
            scales: parts.is_empty() && is_not_zero(shape),
            moved: (id, 0),
            whole: inner.is_whole(shape, &parts),
            literal: inner.literal(shape, &parts),
            multiple: inner.multiple(shape, &parts),
        };
        let mut leaves = OrderedSet::new();
        for part in &parts {
            match part {
                Part::Term(of) => {
                    let of = &inner.known[*of as usize];
                    leaves.extend(of.leaves.iter().copied());
                    known.doubt = known.doubt.or(of.doubt);
                    known.depth = known.depth.max(of.depth + 1);
                    known.place = known.place.or(of.place);
                }
                Part::Element(buffer, first, bytes) => {
                    let index = first / i64::from(*bytes).max(1);
                    known.place = known.place.or(Some((*buffer, index)));
                    leaves.extend((0..i64::from(*bytes)).map(|by| (*buffer, Some(first + by))));
                }
                Part::Memory(buffer) => drop(leaves.insert((*buffer, None))),
                Part::Number(_) => {}
            }
        }
        if known.depth > DEEPEST {
            return NOT_KNOWN;
        }
        known.leaves = Rc::new(leaves);
        // A term that depends on more than it shows differs from one that does not.
        let shape = match known.doubt {
            None => String::from(shape),
            Some(_) => format!("{shape} ?"),
        };
        let known_as = *inner.ids.entry((shape, parts)).or_insert(id);
        if known_as == id {
            inner.known.push(known);
        }
        known_as
    }

    /// The addresses that a pointer in data can hold.
    pub(crate) fn targets(&self, term: u32) -> Vec<i64> {
        let inner = self.0.borrow();
        inner.known.get(term as usize).map_or_else(Vec::new, |known| known.targets.clone())
    }

    /// The answer, in the current case, to a condition on a term at that position.
    pub(crate) fn answer(
        &self,
        asked: u32,
        span: Span,
        (arguments, code): (&Arguments, &Code),
    ) -> bool {
        let mut inner = self.0.borrow_mut();
        let (asked, negated) =
            inner.known.get(asked as usize).map_or((asked, false), |one| one.truth);
        let text = || code.source_text(span);
        let known = inner.known.get(asked as usize);
        // A term with a single value has no free answer, even if the value is unknown.
        let doubt = known.map_or(Some(Doubt::Computed), |known| {
            known.doubt.or(known.fixed.then_some(Doubt::Computed))
        });
        if let Some(doubt) = doubt {
            arguments.doubt.borrow_mut().get_or_insert_with(|| unknown(doubt, span, &text()));
            return false;
        }
        let next = inner.questions.len();
        let question = *inner.by_term.entry(asked).or_insert(next);
        if question == next {
            let place = inner.known[asked as usize].place;
            inner.questions.push(Question { term: asked, span, text: text(), negated, place });
        }
        arguments.questions.borrow_mut().insert(question);
        let yes = arguments.values.get(arguments.passed + question).is_some_and(|&yes| yes != 0);
        yes != negated
    }

    /// The comparison that a condition makes on data that no work-item writes: the datum, the order, the number, and
    /// whether it is negated.
    pub(crate) fn compared(
        &self,
        condition: u32,
        buffers: &[Buffer],
    ) -> Option<(u32, Order, i64, bool)> {
        let inner = self.0.borrow();
        let (mut at, mut negated) = (condition, false);
        let mut known = inner.known.get(condition as usize)?;
        if known.compared.is_none() {
            (at, negated) = known.truth;
            known = inner.known.get(at as usize)?;
        }
        // The result of a bitwise operator is a datum of its own.
        let (datum, order, number) = known.compared.unwrap_or((at, Order::NotEqual, 0));
        let one = known.doubt.is_none() && inner.is_common(datum, buffers);
        (one && number.unsigned_abs() < 1 << 60).then_some((datum, order, number, negated))
    }

    /// The bytes between the values of two terms, if both are the sum of one datum and a number.
    pub(crate) fn counted(&self, (start, end): (u32, u32), buffers: &[Buffer]) -> Option<Counted> {
        let inner = self.0.borrow();
        let of = |term: u32| inner.known.get(term as usize).filter(|_| term != NOT_KNOWN);
        let ((datum, first), (other, end)) = (of(start)?.moved, of(end)?.moved);
        let multiple = of(datum)?.multiple;
        let common = Some(datum).filter(|&datum| inner.is_common(datum, buffers));
        (datum == other).then_some(Counted { datum: common, first, end, multiple })
    }

    /// Number of questions so far.
    pub(super) fn questions(&self) -> usize {
        self.0.borrow().questions.len()
    }

    pub(super) fn question(&self, at: usize) -> Option<Question> {
        self.0.borrow().questions.get(at).cloned()
    }

    /// The first question whose answer depends on the answers to others. A question with a byte of memory of its own is
    /// independent of the rest; such questions are removed until none is left.
    ///
    /// Comparisons of one value with numbers are one question, whose answers must be consistent.
    pub(super) fn bound(&self, asked: &OrderedSet<usize>, yes: impl Fn(usize) -> bool) -> Bound {
        let inner = self.0.borrow();
        let mut families: OrderedMap<u32, Left> = OrderedMap::new();
        let mut first = OrderedSet::new();
        for &question in asked {
            let term = inner.questions.get(question).map_or(0, |question| question.term);
            let Some((family, order, number)) = inner.known[term as usize].compared else {
                first.insert(question);
                continue;
            };
            let left = families.entry(family).or_insert_with(|| {
                first.insert(question);
                Left::default()
            });
            left.take(order, number, yes(question));
            let values = inner.known[family as usize].values;
            let possible = values.map_or(Possible::Maybe, |values| values.gives(left));
            match (possible, inner.questions.get(question)) {
                (Possible::No, _) => return Bound::Impossible,
                (Possible::Maybe, Some(question)) => {
                    // No number gives contradicting answers.
                    return match left.possible() {
                        Possible::No => Bound::Impossible,
                        _ => Bound::Doubtful(question.clone(), Why::Computed),
                    };
                }
                _ => {}
            }
        }
        // A result without a known range may be the same for all data.
        for &question in &first {
            let Some(asked) = inner.questions.get(question) else { continue };
            let known = &inner.known[asked.term as usize];
            if known.compared.is_none() && known.values.and_then(Values::truth).is_none() {
                return Bound::Doubtful(asked.clone(), Why::Computed);
            }
        }
        let asked = &first;
        let leaves = |question: usize| {
            let term = inner.questions.get(question).map_or(0, |question| question.term);
            Rc::clone(&inner.known[term as usize].leaves)
        };
        let mut left: Vec<(usize, Rc<OrderedSet<Leaf>>)> =
            asked.iter().map(|&question| (question, leaves(question))).collect();
        let mut readers: OrderedMap<Leaf, u32> = OrderedMap::new();
        let mut of_buffer: OrderedMap<(BufferId, bool), u32> = OrderedMap::new();
        for (_, leaves) in &left {
            leaves.iter().for_each(|&leaf| *readers.entry(leaf).or_default() += 1);
            let buffers: OrderedSet<_> =
                leaves.iter().map(|(buffer, byte)| (*buffer, byte.is_some())).collect();
            buffers.into_iter().for_each(|key| *of_buffer.entry(key).or_default() += 1);
        }
        // A question without elements depends only on the host: one question of that kind is independent.
        let host = left.iter().filter(|(_, leaves)| leaves.is_empty()).count();
        loop {
            let before = left.len();
            left.retain(|(_, leaves)| {
                let own = |leaf: &Leaf| {
                    let others = of_buffer.get(&(leaf.0, leaf.1.is_none())).copied().unwrap_or(0);
                    readers.get(leaf) == Some(&1) && others == 0
                };
                let free = match leaves.is_empty() {
                    true => host <= 1,
                    false => leaves.iter().any(own),
                };
                if free {
                    for leaf in leaves.iter() {
                        readers.entry(*leaf).and_modify(|count| *count -= 1);
                    }
                    let buffers: OrderedSet<_> =
                        leaves.iter().map(|(buffer, byte)| (*buffer, byte.is_some())).collect();
                    for key in buffers {
                        of_buffer.entry(key).and_modify(|count| *count -= 1);
                    }
                }
                !free
            });
            match left.first() {
                None => return Bound::Free,
                Some((first, _)) if left.len() == before => {
                    return match inner.questions.get(*first) {
                        Some(question) => Bound::Doubtful(question.clone(), Why::Shared),
                        None => Bound::Free,
                    };
                }
                Some(_) => {}
            }
        }
    }
}

impl Question {
    /// The element that it tests, such as `data[3]`.
    pub(super) fn place<'a>(&self, names: &'a [String]) -> Option<Place<'a>> {
        let (buffer, index) = self.place?;
        Some((names.get(usize::from(buffer))?, index))
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text holds for an answer.
    pub(super) const fn holds(&self, yes: bool) -> bool {
        yes != self.negated
    }

    /// A warning that it is not known whether data give the answers of a case.
    pub(super) fn warning(&self, why: Why) -> Diagnostic {
        let why = match why {
            Why::Shared => {
                "depends on the same elements as another condition, here or in another work-item; findings may need impossible combinations of values"
            }
            Why::Computed => {
                "is computed from data, and not every result is known to be possible; findings may need impossible values"
            }
        };
        warning(self.span, format!("`{}` {why}", self.text))
    }
}

/// Operators whose results are compared separately.
const JOINS: [&str; 4] = ["&", "|", "^", "?:"];

/// The notation of an operator, its comparison, and whether one number as operand can determine its result.
fn shape_of(operator: Binary) -> (&'static str, Option<Order>, bool) {
    let (shape, mixed) = match operator {
        Binary::Add => ("+", false),
        Binary::Subtract => ("-", false),
        Binary::Multiply => ("*", true),
        Binary::Divide => ("/", false),
        Binary::Remainder => ("%", true),
        Binary::FloorDivide => ("//", false),
        Binary::FloorRemainder => ("floor %", true),
        Binary::ShiftLeft => ("<<", false),
        Binary::ShiftRight => (">>", false),
        Binary::And => ("&", true),
        Binary::Or => ("|", true),
        Binary::Xor => ("^", true),
        Binary::Equal => ("==", false),
        Binary::NotEqual => ("!=", false),
        Binary::Less => ("<", false),
        Binary::LessOrEqual => ("<=", false),
        Binary::Greater => (">", false),
        Binary::GreaterOrEqual => (">=", false),
        Binary::Least => ("min", true),
        Binary::Most => ("max", true),
    };
    (shape, Order::of(shape), mixed)
}

/// A comparison with zero that is a condition on the data itself, and whether it is negated.
fn zero(of: u32, order: Order, number: i64) -> Option<(u32, bool)> {
    match (order, number) {
        (Order::NotEqual, 0) => Some((of, false)),
        (Order::Equal, 0) => Some((of, true)),
        _ => None,
    }
}

/// A warning that two work-items may read different data.
fn unknown(doubt: Doubt, span: Span, text: &str) -> Diagnostic {
    let why = match doubt {
        Doubt::Written => "reads what the kernel writes",
        Doubt::Computed => "uses a computation that is not modelled",
    };
    let message = format!(
        "control flow depends on `{}`, which {why}; its value in each work-item is unknown",
        text
    );
    warning(span, message)
}

fn warning(span: Span, message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..Diagnostic::error("unknown-data", span, message) }
}

#[cfg(test)]
mod tests;
