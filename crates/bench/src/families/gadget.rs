//! S: formulas in conjunctive form, as barriers of PTX. A deadlock is reachable if and only if the formula is satisfiable.

use crate::case::{Case, Counting, Goal, Step};

/// A literal: a variable, and whether it is true.
type Literal = (usize, bool);

/// Formulas with one to four variables, some satisfiable and some not. Each clause has one or three literals: with an even
/// number, the arrivals at its barrier would not be whole phases.
pub(super) fn formulas() -> Vec<Case> {
    let one = |variable, sign| vec![(variable, sign)];
    let three = |first: usize, signs: u32| -> Vec<Literal> {
        (0..3).map(|place| (first + place, signs >> place & 1 == 1)).collect()
    };
    let every: Vec<Vec<Literal>> = (0..8).map(|signs| three(0, signs)).collect();
    vec![
        case(1, &[one(0, true)]),
        case(1, &[one(0, true), one(0, false)]),
        case(2, &[one(0, true), one(1, false)]),
        case(2, &[one(0, true), one(1, true), one(0, false)]),
        case(3, &every[..2]),
        case(3, &every[1..]),
        case(3, &every),
        case(4, &[three(0, 0b101), three(1, 0b010)]),
    ]
}

fn case(variables: usize, clauses: &[Vec<Literal>]) -> Case {
    let satisfiable = (0..1_u32 << variables).any(|chosen| {
        let holds = |&(variable, sign): &Literal| (chosen >> variable & 1 == 1) == sign;
        clauses.iter().all(|clause| clause.iter().any(holds))
    });
    let verdict = if satisfiable { "deadlock" } else { "ok" };
    let word = if satisfiable { "satisfiable" } else { "unsatisfiable" };
    let size = format!("{variables} variables, {} clauses, {word}", clauses.len());
    let warps = warps(variables, clauses);
    let case = Case::new("S", size, text(&warps), verdict).goals(&[Goal::Exhaustive]);
    // With every clause, a formula needs more states than a check visits unless more are asked for.
    let case = Case { max_states: (clauses.len() > 3).then_some(1_000_000), ..case };
    case.long(variables > 2).beside(counting(&warps))
}

/// An operation of a warp: the barrier, the arrivals that complete its phases, and whether the warp waits.
type Operation = (usize, u32, bool);

/// Every barrier has two participants in a phase, except `s` of a variable, where all three warps of the variable synchronise.
///
/// For each variable, one warp arrives at `g` and then at `s`. One warp for each sign synchronises at `s` and then at `g`; the
/// first of the two to leave `g` arrives at the clauses that its sign fulfils. One warp synchronises at every clause and then
/// arrives at `e`. Another arrives at `e` at once. A third synchronises at `e` and then arrives at `g` of every variable, so
/// that the other signs continue. If the first one arrives at `e` before the third does, the third stays blocked.
fn warps(variables: usize, clauses: &[Vec<Literal>]) -> Vec<Vec<Operation>> {
    let arrive = |barrier: usize| (barrier, 2, false);
    let sync = |barrier: usize| (barrier, 2, true);
    let clause = |index: usize| 2 * variables + index;
    let e = clause(clauses.len());
    let mut warps = Vec::new();
    for variable in 0..variables {
        let (s, g) = (2 * variable, 2 * variable + 1);
        warps.push(vec![arrive(g), (s, 3, false)]);
        for sign in [true, false] {
            let fulfils = |index: &usize| clauses[*index].contains(&(variable, sign));
            let arrives = (0..clauses.len()).filter(fulfils).map(|index| arrive(clause(index)));
            warps.push([(s, 3, true), sync(g)].into_iter().chain(arrives).collect());
        }
    }
    let syncs = (0..clauses.len()).map(|index| sync(clause(index)));
    warps.push(syncs.chain([arrive(e)]).collect());
    warps.push(vec![arrive(e)]);
    let others = (0..variables).map(|variable| arrive(2 * variable + 1));
    warps.push([sync(e)].into_iter().chain(others).collect());
    warps
}

fn text(warps: &[Vec<Operation>]) -> String {
    let mut text = format!("target sm_90\nlaunch warps={}\n", warps.len());
    for (warp, operations) in warps.iter().enumerate() {
        text.push_str(&format!("warp {warp} {{\n"));
        for (barrier, arrivals, waits) in operations {
            let word = if *waits { "sync" } else { "arrive" };
            text.push_str(&format!("  bar.{word} {barrier}, {}\n", 32 * arrivals));
        }
        text.push_str("}\n");
    }
    text
}

fn counting(warps: &[Vec<Operation>]) -> Counting {
    let all = || warps.iter().flatten();
    let barriers = all().map(|operation| operation.0 + 1).max().unwrap_or(0);
    let expected = |barrier| all().find(|operation| operation.0 == barrier).map_or(0, |it| it.1);
    let steps = |operations: &Vec<Operation>| -> Vec<Step> {
        let steps = operations.iter().map(|&(barrier, _, waits)| {
            [Some(Step::Arrive(barrier)), waits.then_some(Step::Wait(barrier))]
        });
        steps.flatten().flatten().collect()
    };
    Counting {
        expected: (0..barriers).map(expected).collect(),
        agents: warps.iter().map(steps).collect(),
    }
}
