//! Which combinations of answers to conditions on data are possible.

use super::*;

/// Whether these answers, in order, are possible.
fn are_possible(terms: &Terms, asked: &[(Value, bool)]) -> Option<bool> {
    let (mut answers, mut all) = (Vec::new(), OrderedSet::new());
    for &(value, yes) in asked {
        let Value::Data(term) = value else { continue };
        let mut inner = terms.0.borrow_mut();
        let (term, negated) = inner.known[term as usize].truth;
        let (span, text, place) = (Span::default(), String::new(), None);
        inner.questions.push(Question { term, span, text, negated: false, place });
        all.insert(answers.len());
        answers.push(yes != negated);
    }
    match terms.bound(&all, |question| answers[question]) {
        Bound::Free => Some(true),
        Bound::Impossible => Some(false),
        Bound::Doubtful(..) => None,
    }
}

fn element(terms: &Terms, at: i64) -> Value {
    Value::Data(terms.number("@int", alloc::vec![Part::Element(0, 4 * at, 4)], None))
}

fn of(terms: &Terms, operator: Binary, values: [Value; 2]) -> Value {
    terms.computed(Operator::Binary(operator), &values, true)
}

const TWO: Value = Value::Int(2);

#[test]
fn equal_terms_have_one_number() {
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
fn answers_are_independent_if_each_condition_has_its_own_element() {
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
    let any = Value::Data(e.number("@int", alloc::vec![Part::Memory(0)], None));
    let asked = [single(&e, 0), (of(&e, Binary::Remainder, [any, TWO]), true)];
    assert_eq!(is(e, &asked), None);
}

#[test]
fn comparisons_of_one_value_are_one_question() {
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
fn a_condition_and_its_negation_are_one_question() {
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
