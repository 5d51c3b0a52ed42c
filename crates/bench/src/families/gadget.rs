//! S: formulas in conjunctive form, as barriers of PTX. A deadlock is reachable if and only if the formula is satisfiable.

use crate::case::Case;

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
    Case::new("S", size, text(variables, clauses), verdict).long(variables > 2)
}

/// Every barrier has two participants in a phase, except `s` of a variable, where all three warps of the variable meet.
///
/// For each variable, one warp arrives at `g` and then at `s`. One warp for each sign meets it at `s` and then at `g`; the first
/// of the two at `g` passes, and arrives at the clauses that its sign fulfils. One warp meets every clause and arrives at `e`, another arrives at
/// `e` at once, and a third meets there and then lets the other signs pass. If the first one is there before the third, the
/// third stays.
fn text(variables: usize, clauses: &[Vec<Literal>]) -> String {
    let clause = |index: usize| 2 * variables + index;
    let e = clause(clauses.len());
    let mut bodies = Vec::new();
    for variable in 0..variables {
        let (s, g) = (2 * variable, 2 * variable + 1);
        bodies.push(format!("  bar.arrive {g}, 64\n  bar.arrive {s}, 96\n"));
        for sign in [true, false] {
            let fulfils = |index: &usize| clauses[*index].contains(&(variable, sign));
            let arrive = |index: usize| format!("  bar.arrive {}, 64\n", clause(index));
            let arrives: String = (0..clauses.len()).filter(fulfils).map(arrive).collect();
            bodies.push(format!("  bar.sync {s}, 96\n  bar.sync {g}, 64\n{arrives}"));
        }
    }
    let meets = (0..clauses.len()).map(|index| format!("  bar.sync {}, 64\n", clause(index)));
    bodies.push(format!("{}  bar.arrive {e}, 64\n", meets.collect::<String>()));
    bodies.push(format!("  bar.arrive {e}, 64\n"));
    let others = (0..variables).map(|variable| format!("  bar.arrive {}, 64\n", 2 * variable + 1));
    bodies.push(format!("  bar.sync {e}, 64\n{}", others.collect::<String>()));
    let mut text = format!("target sm_90\nlaunch warps={}\n", bodies.len());
    for (warp, body) in bodies.iter().enumerate() {
        text.push_str(&format!("warp {warp} {{\n{body}}}\n"));
    }
    text
}
