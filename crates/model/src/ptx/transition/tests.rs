use super::*;
use crate::ptx::object::MOST;
use crate::reading::Readings;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const STRICT: fn() -> Law = || Law { text: true, hazards: true, readings: Readings::default() };
const MACHINE: fn() -> Law = || Law { text: false, hazards: false, readings: Readings::default() };

fn changes() -> Vec<Change> {
    let arrive =
        |count, drop, no_complete, expect| Change::Arrive { count, drop, no_complete, expect };
    alloc::vec![
        Change::Init(2),
        Change::Inval,
        arrive(1, false, false, 0),
        arrive(2, false, false, 0),
        arrive(1, true, false, 0),
        arrive(1, false, true, 0),
        arrive(1, false, false, 8),
        Change::Expect(8),
        Change::Complete(8),
        Change::Increment,
    ]
}

fn states() -> Vec<Mbarrier> {
    let mut states = alloc::vec![Mbarrier::default()];
    for pending in 0..=2 {
        for (tx, observed) in [(0, true), (0, false), (8, true), (-8, true)] {
            if (pending, tx) != (0, 0) {
                states.push(Mbarrier { valid: true, phase: 4, pending, expected: 2, tx, observed });
            }
        }
    }
    states
}

fn line(object: Mbarrier, change: Change, law: Law) -> String {
    let shown = |object: Mbarrier| {
        let valid = if object.valid { "" } else { " invalid" };
        let observed = if object.observed { "" } else { " unobserved" };
        format!(
            "phase {} {}/{} tx {}{valid}{observed}",
            object.phase, object.pending, object.expected, object.tx
        )
    };
    let after = match object.apply(change, law) {
        Err(rule) => rule.get().id.into(),
        Ok(outcome) => {
            let broken =
                outcome.broken.map_or(String::new(), |rule| format!(" breaks {}", rule.get().id));
            let completes = if outcome.completes { " completes" } else { "" };
            format!("{}{completes}{broken}", shown(outcome.next))
        }
    };
    format!("{} | {change:?} | {after}", shown(object))
}

#[test]
fn every_state_under_every_operation() {
    let table = |law: Law| {
        let rows = states().into_iter().flat_map(move |object| {
            changes().into_iter().map(move |change| line(object, change, law))
        });
        rows.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("by_the_text", table(STRICT()));
    insta::assert_snapshot!("by_the_machine", table(MACHINE()));
}

#[test]
fn counts_are_conserved() {
    for object in states().into_iter().filter(|object| object.valid) {
        for count in 1..=i64::from(object.pending) {
            let change = Change::Arrive { count, drop: false, no_complete: false, expect: 0 };
            let outcome = object.apply(change, STRICT()).expect("that many are pending");
            let left = object.pending - count as i32;
            let completes = left == 0 && object.tx == 0;
            assert_eq!(outcome.completes, completes);
            assert_eq!(outcome.next.pending, if completes { object.expected } else { left });
            assert_eq!(outcome.next.phase, object.phase + u32::from(completes));
        }
    }
}

#[test]
fn any_numbers_are_accepted() {
    let numbers = [i64::MIN, -1, 0, 1, MOST, MOST + 1, i64::MAX / 2];
    for law in [STRICT(), MACHINE()] {
        for object in states() {
            for number in numbers {
                let arrive = Change::Arrive {
                    count: number,
                    drop: true,
                    no_complete: false,
                    expect: number,
                };
                for change in
                    [Change::Init(number), Change::Expect(number), Change::Complete(number), arrive]
                {
                    let _ = object.apply(change, law);
                }
            }
        }
    }
}

#[test]
fn parity_is_derived_from_the_phase() {
    for phase in 0..6 {
        let object = Mbarrier { valid: true, phase, ..Mbarrier::default() };
        for parity in [false, true] {
            assert_eq!(object.passes_parity(parity), phase % 2 != u32::from(parity));
        }
        assert!(!object.passes_token(phase, STRICT()));
        assert!(phase == 0 || object.passes_token(phase - 1, STRICT()));
    }
}
