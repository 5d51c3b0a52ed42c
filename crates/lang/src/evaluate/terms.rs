//! What is computed from data: equal terms are equal data, whoever computes them.
//!
//! What memory holds no text says; what the host put there may be anything. So a condition over it is a question with two
//! answers, the same for everybody who asks the same of the same elements. Answers to different questions are free of each
//! other where each has an element of its own; where they are not, a case of answers may be none that data give.

use super::answers::Place;
use super::thread::Surroundings;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::expression::comparison::{Left, Order, Possible};
use crate::expression::{Binary, Operator, Unary, Value, memory};
use crate::lower::term::{Doubt, PASSED};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use tidegate_model::mem::operation::{Buffer, BufferId, Space};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ordered::OrderedSet;

/// Data of which nothing is known.
pub(crate) const NOT_KNOWN: u32 = 0;
/// Terms within terms, behind which nothing is told apart.
const DEEPEST: u32 = 64;

/// What a term is computed from.
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

/// A byte of memory; none is any of it.
type Leaf = (BufferId, Option<i64>);

#[derive(Clone, Debug)]
struct Known {
    leaves: Rc<OrderedSet<Leaf>>,
    doubt: Option<Doubt>,
    depth: u32,
    /// An element that it is computed from, by its index.
    place: Option<(BufferId, i64)>,
    /// Of what is compared with a number: what that is, how, and the number.
    compared: Option<(u32, Order, i64)>,
    /// What it asks where it decides, and whether for the contrary.
    truth: (u32, bool),
    /// The addresses one of which it is; none where it may be any.
    targets: Vec<i64>,
    /// Whether it is computed from numbers alone, so that it has one value.
    fixed: bool,
}

/// A question: a term that decides.
#[derive(Clone, Debug)]
pub(super) struct Question {
    term: u32,
    pub(super) span: Span,
    text: String,
    /// The element that it asks for.
    place: Option<(BufferId, i64)>,
}

/// Whether there are data that give some answers.
pub(super) enum Bound {
    Free,
    Impossible,
    /// It is not known; the first question of which it is not.
    Doubtful(Question),
}

#[derive(Debug, Default)]
struct Inner {
    ids: OrderedMap<(String, Vec<Part>), u32>,
    known: Vec<Known>,
    questions: Vec<Question>,
    by_term: OrderedMap<u32, usize>,
}

/// Most addresses that a pointer is told to hold; of more it may be any of their memories.
const MOST_TARGETS: usize = 16;

impl Inner {
    fn is_fixed(&self, part: &Part) -> bool {
        match part {
            Part::Number(_) => true,
            Part::Term(term) => self.known.get(*term as usize).is_some_and(|known| known.fixed),
            _ => false,
        }
    }

    /// The addresses one of which a term is made of these parts; none where that is not known.
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
            ("(Exact)", [one]) => of(one),
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
    /// What an operator makes of values, some of which are data. `fixed` where the last is written as a number: an operator
    /// may decide the result by any other number.
    pub(crate) fn computed(&self, operator: Operator, values: &[Value], fixed: bool) -> Value {
        let (shape, order, mixed) = match operator {
            Operator::Unary(Unary::Negate) => ("-", None, false),
            Operator::Unary(Unary::Not) => ("!", None, false),
            Operator::Unary(Unary::Complement) => ("~", None, false),
            Operator::Convert(to) => {
                let parts = values.iter().map(|&value| Part::of(value)).collect();
                return Value::Data(self.number(&format!("({to:?})"), parts, None));
            }
            Operator::Binary(operator) => shape_of(operator),
        };
        let parts: Vec<Part> = values.iter().map(|&value| Part::of(value)).collect();
        let number = |at: usize| match parts.get(at) {
            Some(Part::Number(number)) => Some(*number),
            _ => None,
        };
        let numbers = number(0).is_some() || number(1).is_some() && !fixed;
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
        let id = self.number(shape, parts, doubt);
        if id != NOT_KNOWN {
            let mut inner = self.0.borrow_mut();
            // What bits are joined to is compared by itself.
            let compared = compared.filter(|&(of, ..)| inner.known[of as usize].compared.is_some());
            let truth = truth.map(|(of, negated)| {
                let (of, before) = inner.known[of as usize].truth;
                (of, before != negated)
            });
            let known = &mut inner.known[id as usize];
            known.compared = compared.filter(|_| order.is_some());
            known.truth = truth.unwrap_or(known.truth);
        }
        Value::Data(id)
    }

    /// The number of a term. That of an element is the same whoever holds it.
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
        // What hangs on more than it shows is not the same as what does not.
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

    /// The addresses one of which a pointer of data holds.
    pub(crate) fn targets(&self, term: u32) -> Vec<i64> {
        let inner = self.0.borrow();
        inner.known.get(term as usize).map_or_else(Vec::new, |known| known.targets.clone())
    }

    /// What data answer in a case where a condition of that place is over a term.
    pub(crate) fn answer(&self, asked: u32, span: Span, around: Surroundings<'_>) -> bool {
        let arguments = around.arguments;
        let mut inner = self.0.borrow_mut();
        let (asked, negated) =
            inner.known.get(asked as usize).map_or((asked, false), |one| one.truth);
        let text = || around.code.source_text(span);
        let known = inner.known.get(asked as usize);
        // What has one value is no free answer, even if that value is not known.
        let doubt = known.and_then(|known| known.doubt.or(known.fixed.then_some(Doubt::Computed)));
        if let Some(doubt) = doubt {
            arguments.doubt.borrow_mut().get_or_insert_with(|| told(doubt, span, &text()));
            return false;
        }
        let next = inner.questions.len();
        let question = *inner.by_term.entry(asked).or_insert(next);
        if question == next {
            let place = inner.known[asked as usize].place;
            inner.questions.push(Question { term: asked, span, text: text(), place });
        }
        arguments.questions.borrow_mut().insert(question);
        let yes = arguments.values.get(arguments.passed + question).is_some_and(|&yes| yes != 0);
        yes != negated
    }

    /// What a condition compares that no work-item writes: the datum, how, the number, and whether it asks for the contrary.
    pub(crate) fn compared(
        &self,
        condition: u32,
        buffers: &[Buffer],
    ) -> Option<(u32, Order, i64, bool)> {
        let inner = self.0.borrow();
        let mut known = inner.known.get(condition as usize)?;
        let mut negated = false;
        if known.compared.is_none() {
            let (of, contrary) = known.truth;
            (known, negated) = (inner.known.get(of as usize)?, contrary);
        }
        let (datum, order, number) = known.compared?;
        let of = inner.known.get(datum as usize)?;
        let global = |(buffer, _): &Leaf| {
            let buffer = buffers.get(usize::from(*buffer));
            buffer.is_some_and(|buffer| buffer.space == Space::Global)
        };
        let one = of.doubt.is_none() && known.doubt.is_none() && of.leaves.iter().all(global);
        (one && number.unsigned_abs() < 1 << 60).then_some((datum, order, number, negated))
    }

    /// How many questions there are so far.
    pub(super) fn questions(&self) -> usize {
        self.0.borrow().questions.len()
    }

    pub(super) fn question(&self, at: usize) -> Option<Question> {
        self.0.borrow().questions.get(at).cloned()
    }

    /// The first question whose answer is not free of those to the others: questions that have a byte of memory to
    /// themselves are free, whatever the rest is, and are taken away until there are none.
    ///
    /// Comparisons of one value with numbers are one question, whose answers must go together.
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
            match (left.possible(), inner.questions.get(question)) {
                (Possible::No, _) => return Bound::Impossible,
                (Possible::Maybe, Some(question)) => return Bound::Doubtful(question.clone()),
                _ => {}
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
        // Without elements it is the host's: one question of that kind.
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
                        Some(question) => Bound::Doubtful(question.clone()),
                        None => Bound::Free,
                    };
                }
                Some(_) => {}
            }
        }
    }
}

impl Question {
    /// The element that it asks for, such as `data[3]`.
    pub(super) fn place<'a>(&self, names: &'a [String]) -> Option<Place<'a>> {
        let (buffer, index) = self.place?;
        Some((names.get(usize::from(buffer))?, index))
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// That different conditions read the same element.
    pub(super) fn told(&self) -> Diagnostic {
        warning(
            self.span,
            format!(
                "`{}` depends on the same elements as another condition, here or in another work-item; findings may need impossible combinations of values",
                self.text
            ),
        )
    }
}

/// Operators whose result is compared by itself.
const JOINS: [&str; 4] = ["&", "|", "^", "?:"];

/// How an operator is written, how it compares, and whether a number in it may decide it alone.
fn shape_of(operator: Binary) -> (&'static str, Option<Order>, bool) {
    let (shape, mixed) = match operator {
        Binary::Add => ("+", false),
        Binary::Subtract => ("-", false),
        Binary::Multiply => ("*", true),
        Binary::Divide => ("/", false),
        Binary::Remainder => ("%", true),
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

/// A comparison of data with zero that asks for the data itself, and whether for the contrary.
fn zero(of: u32, order: Order, number: i64) -> Option<(u32, bool)> {
    match (order, number) {
        (Order::NotEqual, 0) => Some((of, false)),
        (Order::Equal, 0) => Some((of, true)),
        _ => None,
    }
}

/// That what data answer is not known to be the same for two work-items.
fn told(doubt: Doubt, span: Span, text: &str) -> Diagnostic {
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
mod tests {
    use super::*;

    /// Whether answers to these terms, in their order, are possible.
    fn are_possible(terms: &Terms, asked: &[(Value, bool)]) -> Option<bool> {
        let (mut answers, mut all) = (Vec::new(), OrderedSet::new());
        for &(value, yes) in asked {
            let Value::Data(term) = value else { continue };
            let mut inner = terms.0.borrow_mut();
            let (term, negated) = inner.known[term as usize].truth;
            let (span, text, place) = (Span::default(), String::new(), None);
            inner.questions.push(Question { term, span, text, place });
            all.insert(answers.len());
            answers.push(yes != negated);
        }
        match terms.bound(&all, |question| answers[question]) {
            Bound::Free => Some(true),
            Bound::Impossible => Some(false),
            Bound::Doubtful(_) => None,
        }
    }

    fn element(terms: &Terms, at: i64) -> Value {
        Value::Data(terms.number("@", alloc::vec![Part::Element(0, 4 * at, 4)], None))
    }

    fn of(terms: &Terms, operator: Binary, values: [Value; 2]) -> Value {
        terms.computed(Operator::Binary(operator), &values, true)
    }

    const TWO: Value = Value::Int(2);

    #[test]
    fn equal_terms_are_one() {
        let terms = Terms::default();
        let (three, four) = (element(&terms, 3), element(&terms, 4));
        assert_eq!(element(&terms, 3), three);
        let sum = |value| of(&terms, Binary::Add, [value, TWO]);
        assert_eq!(sum(three), sum(three));
        assert_ne!(sum(three), sum(four));
        assert_ne!(sum(three), three);
    }

    #[test]
    fn a_chosen_pointer_has_the_targets_of_both() {
        let terms = Terms::default();
        let targets = |value| match value {
            Value::Data(term) => terms.targets(term),
            _ => Vec::new(),
        };
        let [t, u] = [0, 1].map(|buffer| memory::address(buffer, 8, None));
        let chosen = |parts: [Part; 2]| {
            let [one, other] = parts;
            let Value::Data(asked) = element(&terms, 0) else { return Value::Int(0) };
            let parts = alloc::vec![Part::Term(asked), one, other];
            Value::Data(terms.number("?:", parts, Some(Doubt::Computed)))
        };
        let both = chosen([Part::Number(u), Part::Number(t)]);
        assert_eq!(targets(both), [t, u]);
        assert_eq!(targets(of(&terms, Binary::Add, [both, TWO])), [t + 2, u + 2]);
        let by_data = of(&terms, Binary::Add, [Value::Int(t), element(&terms, 1)]);
        assert_eq!(targets(by_data), memory::anywhere(t).into_iter().collect::<Vec<_>>());
        assert_eq!(targets(chosen([Part::Number(t), Part::Term(NOT_KNOWN)])), []);
        assert_eq!(targets(element(&terms, 0)), []);
    }

    #[test]
    fn answers_are_free_where_each_has_an_element_of_its_own() {
        let single =
            |terms: &Terms, at| (of(terms, Binary::Remainder, [element(terms, at), TWO]), true);
        let pair = |terms: &Terms, a, b| {
            (of(terms, Binary::Greater, [element(terms, a), element(terms, b)]), false)
        };
        let new = Terms::default;
        let is = |terms: Terms, asked: &[(Value, bool)]| are_possible(&terms, asked);
        let (a, b, c, d, e) = (new(), new(), new(), new(), new());
        let asked = [single(&a, 0), single(&a, 1)];
        assert_eq!(is(a, &asked), Some(true));
        let asked = [pair(&b, 0, 1), pair(&b, 1, 2), pair(&b, 2, 3)];
        assert_eq!(is(b, &asked), Some(true));
        let asked = [single(&c, 0), pair(&c, 0, 1)];
        assert_eq!(is(c, &asked), Some(true));
        let asked = [single(&d, 0), pair(&d, 0, 0)];
        assert_eq!(is(d, &asked), None);
        let any = Value::Data(e.number("@", alloc::vec![Part::Memory(0)], None));
        let asked = [single(&e, 0), (of(&e, Binary::Remainder, [any, TWO]), true)];
        assert_eq!(is(e, &asked), None);
    }

    #[test]
    fn comparisons_with_numbers_go_together() {
        let is = |asked: &[(i64, bool)]| {
            let terms = Terms::default();
            let above = |&(number, yes): &(i64, bool)| {
                (of(&terms, Binary::Greater, [element(&terms, 0), Value::Int(number)]), yes)
            };
            let asked: Vec<_> = asked.iter().map(above).collect();
            are_possible(&terms, &asked)
        };
        assert_eq!(is(&[(5, true), (3, true)]), Some(true));
        assert_eq!(is(&[(5, false), (3, true)]), Some(true));
        assert_eq!(is(&[(5, true), (3, false)]), Some(false));
    }

    #[test]
    fn a_number_and_its_contrary_are_one_question() {
        let terms = Terms::default();
        let value = element(&terms, 0);
        let zero = of(&terms, Binary::Equal, [value, Value::Int(0)]);
        let not = terms.computed(Operator::Unary(Unary::Not), &[zero], false);
        assert_eq!(are_possible(&terms, &[(value, true), (not, true)]), Some(true));
        let terms = Terms::default();
        let value = element(&terms, 0);
        let not = terms.computed(Operator::Unary(Unary::Not), &[value], false);
        assert_eq!(are_possible(&terms, &[(value, true), (not, true)]), Some(false));
    }
}
