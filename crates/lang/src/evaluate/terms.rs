//! What is computed from data: equal terms are equal data, whoever computes them.
//!
//! What memory holds no text says; what the host put there may be anything. So a condition over it is a question with two
//! answers, the same for everybody who asks the same of the same elements. Answers to different questions are free of each
//! other where each has an element of its own; where they are not, a case of answers may be none that data give.

use super::answers::Place;
use super::thread::Arguments;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::expression::comparison::{Left, Order, Possible};
use crate::lower::term::{Compared, Doubt, Term};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use tidegate_model::mem::operation::BufferId;

/// Data of which nothing is known.
pub(crate) const NOT_KNOWN: u32 = 0;
/// The shape of what is an element or a variable alone.
const HELD: &str = "@";
/// Terms within terms, behind which nothing is told apart.
const DEEPEST: u32 = 64;

/// What a term is computed from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Number(i64),
    Term(u32),
    /// What the host passes that is no whole number.
    Passed(u16),
    Element(BufferId, i64, u32),
    Memory(BufferId),
}

/// A byte of memory; none is any of it.
type Leaf = (BufferId, Option<i64>);

#[derive(Clone, Debug)]
struct Known {
    leaves: Rc<BTreeSet<Leaf>>,
    doubt: Option<Doubt>,
    depth: u32,
    /// An element that it is computed from, by its index.
    place: Option<(BufferId, i64)>,
    /// Of what is compared with a number: what that is, how, and the number.
    compared: Option<(u32, Order, i64)>,
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
    ids: BTreeMap<(String, Vec<Part>), u32>,
    families: BTreeMap<(String, Vec<Part>), u32>,
    known: Vec<Known>,
    questions: Vec<Question>,
    by_term: BTreeMap<u32, usize>,
}

/// All terms of a scenario.
#[derive(Debug, Default)]
pub(crate) struct Terms(RefCell<Inner>);

impl Terms {
    /// The number of a term. That of an element is the same whoever holds it, and a variable is what it holds.
    pub(crate) fn number(&self, term: &Term, mut parts: Vec<Part>) -> u32 {
        if term.shape != HELD {
            for part in &mut parts {
                if matches!(part, Part::Element(..)) {
                    let (shape, inputs) = (String::from(HELD), Vec::new());
                    let (number, order) = (None, Order::NotEqual);
                    let compared = Some(Compared { number, order, shape: shape.clone() });
                    let doubt = term.doubt.filter(|doubt| *doubt == Doubt::Written);
                    let element = Term { shape, inputs, compared, doubt, ..term.clone() };
                    *part = Part::Term(self.number(&element, alloc::vec![part.clone()]));
                }
            }
        }
        if let ([Part::Term(same)], true, None) = (&parts[..], term.shape == HELD, term.doubt) {
            return *same;
        }
        let mut inner = self.0.borrow_mut();
        if inner.known.is_empty() {
            let doubt = Some(Doubt::Computed);
            inner.known.push(Known {
                leaves: Rc::default(),
                doubt,
                depth: 0,
                place: None,
                compared: None,
            });
        }
        let (doubt, leaves) = (term.doubt, Rc::default());
        let mut known = Known { leaves, doubt, depth: 0, place: None, compared: None };
        let mut leaves = BTreeSet::new();
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
                Part::Number(_) | Part::Passed(_) => {}
            }
        }
        if known.depth > DEEPEST {
            return NOT_KNOWN;
        }
        known.leaves = Rc::new(leaves);
        known.compared = term.compared.as_ref().and_then(|compared| {
            let mut rest = parts.clone();
            let number = match compared.number.map(|at| rest.remove(at)) {
                None => 0,
                Some(Part::Number(number)) => number,
                Some(_) => return None,
            };
            // What is an element or a variable alone is what that is.
            if let ([Part::Term(same)], true) = (&rest[..], compared.shape == HELD) {
                rest = alloc::vec![Part::Term(*same)];
            } else if compared.number.is_none() && compared.shape == HELD {
                rest = alloc::vec![Part::Term(inner.known.len() as u32)];
            }
            let next = inner.families.len() as u32;
            let key = (compared.shape.clone(), rest);
            let family = inner.families.entry(key).or_insert(next);
            Some((*family, compared.order, number))
        });
        // What hangs on more than it shows is not the same as what does not.
        let shape = match known.doubt {
            None => term.shape.clone(),
            Some(_) => format!("{} ?", term.shape),
        };
        let next = inner.known.len() as u32;
        let id = *inner.ids.entry((shape, parts)).or_insert(next);
        if id == next {
            inner.known.push(known);
        }
        id
    }

    /// What data answer in a case.
    pub(crate) fn answer(&self, asked: u32, term: &Term, arguments: &Arguments) -> bool {
        let mut inner = self.0.borrow_mut();
        let doubt = inner.known.get(asked as usize).and_then(|known| known.doubt);
        if let Some(doubt) = doubt {
            arguments.doubt.borrow_mut().get_or_insert_with(|| told(doubt, term));
            return false;
        }
        let next = inner.questions.len();
        let question = *inner.by_term.entry(asked).or_insert(next);
        if question == next {
            let place = inner.known[asked as usize].place;
            let (span, text) = (term.span, term.text.clone());
            inner.questions.push(Question { term: asked, span, text, place });
        }
        arguments.questions.borrow_mut().insert(question);
        arguments.values.get(arguments.passed + question).is_some_and(|&answer| answer != 0)
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
    pub(super) fn bound(&self, asked: &BTreeSet<usize>, yes: impl Fn(usize) -> bool) -> Bound {
        let inner = self.0.borrow();
        let mut families: BTreeMap<u32, Left> = BTreeMap::new();
        let mut first = BTreeSet::new();
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
        let mut left: Vec<(usize, Rc<BTreeSet<Leaf>>)> =
            asked.iter().map(|&question| (question, leaves(question))).collect();
        let mut readers: BTreeMap<Leaf, u32> = BTreeMap::new();
        let mut of_buffer: BTreeMap<(BufferId, bool), u32> = BTreeMap::new();
        for (_, leaves) in &left {
            leaves.iter().for_each(|&leaf| *readers.entry(leaf).or_default() += 1);
            let buffers: BTreeSet<_> =
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
                    let buffers: BTreeSet<_> =
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
                "`{}` and another condition, or that of another work-item, hang on the same elements: which answers go together is not known, so a finding may be none",
                self.text
            ),
        )
    }
}

/// That what data answer is not known to be the same for two work-items.
fn told(doubt: Doubt, term: &Term) -> Diagnostic {
    let why = match doubt {
        Doubt::Written => "reads what the kernel writes",
        Doubt::Computed => "is computed in a way that is not followed",
    };
    let message = format!(
        "`{}` decides who goes on to what, and {why}: what it is for each work-item is not known",
        term.text
    );
    warning(term.span, message)
}

fn warning(span: Span, message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..Diagnostic::error("unknown-data", span, message) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::term::Input;

    fn term(shape: &str, compared: Option<Compared>) -> Term {
        let (inputs, span) = (Vec::<Input>::new(), Span::default());
        Term { shape: shape.into(), inputs, doubt: None, compared, span, text: shape.into() }
    }

    fn element(at: i64) -> Part {
        Part::Element(0, 4 * at, 4)
    }

    /// Whether answers to these terms, in their order, are possible.
    fn are_possible(asked: &[(&Term, Vec<Part>, bool)]) -> Option<bool> {
        let (terms, arguments) = (Terms::default(), Arguments::default());
        for (term, parts, _) in asked {
            terms.answer(terms.number(term, parts.clone()), term, &arguments);
        }
        let all = arguments.questions.borrow();
        match terms.bound(&all, |question| asked[question].2) {
            Bound::Free => Some(true),
            Bound::Impossible => Some(false),
            Bound::Doubtful(_) => None,
        }
    }

    #[test]
    fn equal_terms_are_one() {
        let (terms, plain, sum) = (Terms::default(), term("@", None), term("@ + #", None));
        let first = terms.number(&plain, alloc::vec![element(3)]);
        assert_eq!(terms.number(&plain, alloc::vec![Part::Term(first)]), first);
        let of_element = terms.number(&sum, alloc::vec![element(3), Part::Number(1)]);
        let of_variable = terms.number(&sum, alloc::vec![Part::Term(first), Part::Number(1)]);
        assert_eq!(of_element, of_variable);
        assert_ne!(of_element, terms.number(&sum, alloc::vec![element(4), Part::Number(1)]));
    }

    #[test]
    fn answers_are_free_where_each_has_an_element_of_its_own() {
        let (one, two) = (term("@ % #", None), term("@ > @", None));
        let single = |at| (&one, alloc::vec![element(at), Part::Number(2)], true);
        let pair = |a, b| (&two, alloc::vec![element(a), element(b)], false);
        assert_eq!(are_possible(&[single(0), single(1)]), Some(true));
        assert_eq!(are_possible(&[pair(0, 1), pair(1, 2), pair(2, 3)]), Some(true));
        assert_eq!(are_possible(&[single(0), pair(0, 1)]), Some(true));
        assert_eq!(are_possible(&[single(0), pair(0, 0)]), None);
        assert_eq!(are_possible(&[pair(0, 1), pair(1, 0)]), None);
        let any = (&one, alloc::vec![Part::Memory(0), Part::Number(2)], true);
        assert_eq!(are_possible(&[single(0), any]), None);
    }

    #[test]
    fn comparisons_with_numbers_go_together() {
        let above = term(
            "@ > #",
            Some(Compared { number: Some(1), order: Order::Greater, shape: "@".into() }),
        );
        let is = |number, yes| (&above, alloc::vec![element(0), Part::Number(number)], yes);
        assert_eq!(are_possible(&[is(5, true), is(3, true)]), Some(true));
        assert_eq!(are_possible(&[is(5, false), is(3, true)]), Some(true));
        assert_eq!(are_possible(&[is(5, true), is(3, false)]), Some(false));
    }
}
