//! Two executions side by side, aligned by agent and operation.

use protocol::document_page::*;
use protocol::{DocumentPage, SentTrace};
use tidegate_check::step::{Performed, Stepper, View};

/// Largest number of steps that are performed to find another execution.
const TRIED: usize = 60_000;
/// Longest execution that is completed.
const LONGEST: usize = 2_000;
/// Largest product of the lengths of two differing parts that are aligned; longer parts follow each other.
const ALIGNED: usize = 4_000_000;
/// Number of equal steps that stay visible around a difference.
const AROUND: usize = 3;
/// Largest number of rows.
const ROWS: usize = 400;

/// An execution in the comparison.
struct Run {
    view: View,
    /// Whether two accesses race.
    races: bool,
}

impl Run {
    fn of(stepper: &Stepper) -> Self {
        let shown = SentTrace::default().since(stepper, 0);
        Self { view: shown.view, races: shown.memory.pairs.iter().any(|pair| !pair.ordered) }
    }

    /// Whether it ends and breaks no rule.
    fn is_correct(&self) -> bool {
        self.view.state == "finished"
            && !self.races
            && self.view.performed.iter().all(|step| step.broke.is_empty())
    }

    fn agent(&self, step: &Performed) -> &str {
        self.view.agents.get(step.agent).map_or("", |agent| &agent.name)
    }

    fn result(&self) -> &str {
        match (&*self.view.state, self.races) {
            ("finished", true) => "finished, with a race",
            (state, _) => state,
        }
    }
}

/// The page: `word` is empty for the usual choice, `:near` for the nearest correct execution, or the number of a branch after a
/// colon.
pub(crate) fn page(stepper: &Stepper, branches: &[Vec<String>], word: &str) -> DocumentPage {
    let page = DocumentPage::new("Compare executions");
    let mut here = stepper.clone();
    here.go_to(usize::MAX);
    let (keys, left) = (here.keys(), Run::of(&here));
    if keys.is_empty() {
        return page.with(p("").with("No steps are performed: run all agents first."));
    }
    let branch = |number: usize| {
        let mut other = here.clone();
        other.load(branches.get(number)?);
        Some((Run::of(&other), other.keys()))
    };
    let wanted = word.strip_prefix(':').unwrap_or(if left.is_correct() { "0" } else { "near" });
    let found = match wanted {
        "near" => near(&here, &keys),
        number => number.parse().ok().and_then(branch),
    };
    let name = match wanted {
        "near" => "Nearest correct execution".to_owned(),
        _ => "Saved branch".to_owned(),
    };
    let compared = match found {
        Some((right, other)) => side_by_side(&left, &right, &name, &other),
        None if wanted == "near" => all([p("").with(
            "No execution without a finding was found by changing one choice and running all agents.",
        )]),
        None => all([p("").with(
            "There is no saved branch: perform another step at an earlier position, or load a random schedule, to save this execution.",
        )]),
    };
    let choices = branches.iter().enumerate().map(|(number, keys)| {
        let label = format!("Branch {}: {} steps", number + 1, keys.len());
        button("button button--small").does(Action::Work, format!("runs:{number}")).with(label)
    });
    page.with((
        div("plans").with((
            span("quiet").with("Compare this execution with"),
            button("button button--small")
                .does(Action::Work, "runs:near")
                .with("Nearest correct execution"),
            all(choices),
        )),
        compared,
    ))
}

/// Returns the correct execution that shares the longest beginning with some steps.
fn near(stepper: &Stepper, keys: &[String]) -> Option<(Run, Vec<String>)> {
    let (mut tried, mut work) = (stepper.clone(), 0);
    for (kept, taken) in keys.iter().enumerate().rev() {
        tried.load(&keys[..kept]);
        work += kept + 1;
        for next in tried.moves().iter().filter(|next| next.enabled && next.key != *taken) {
            let mut other = tried.clone();
            other.perform(&next.key).ok()?;
            while let Some(next) = in_turn(&other).filter(|_| other.length() < LONGEST) {
                other.perform(&next).ok()?;
            }
            work += other.length();
            let run = Run::of(&other);
            if run.is_correct() {
                return Some((run, other.keys()));
            }
            if work > TRIED {
                return None;
            }
        }
        if work > TRIED {
            return None;
        }
    }
    None
}

/// The step of the next agent in turn.
fn in_turn(stepper: &Stepper) -> Option<String> {
    let moves = stepper.moves();
    let after = stepper.last_agent().map_or(0, |last| last + 1);
    let next = moves.iter().find(|next| next.agent >= after).or(moves.first())?;
    Some(next.key.clone())
}

/// A row of the comparison: a step of the left execution, of the right one, or one of each.
type Aligned = (Option<usize>, Option<usize>);

/// Aligns two sequences of keys: equal keys in the same order are one row.
fn align<K: PartialEq>(left: &[K], right: &[K]) -> Vec<Aligned> {
    let head = left.iter().zip(right).take_while(|(one, other)| one == other).count();
    let (rest, other) = (&left[head..], &right[head..]);
    let ends = rest.iter().rev().zip(other.iter().rev());
    let tail = ends.take_while(|(one, other)| one == other).count();
    let (rest, other) = (&rest[..rest.len() - tail], &other[..other.len() - tail]);
    let mut rows: Vec<Aligned> = (0..head).map(|at| (Some(at), Some(at))).collect();
    let (long, wide) = (rest.len(), other.len() + 1);
    // By position in both: the length of the longest common part of the rests.
    let mut common = vec![0_u16; if long * wide > ALIGNED { 0 } else { (long + 1) * wide }];
    if !common.is_empty() {
        for one in (0..long).rev() {
            for two in (0..other.len()).rev() {
                common[one * wide + two] = match rest[one] == other[two] {
                    true => common[(one + 1) * wide + two + 1] + 1,
                    false => common[(one + 1) * wide + two].max(common[one * wide + two + 1]),
                };
            }
        }
    }
    let (mut one, mut two) = (0, 0);
    while one < long || two < other.len() {
        let equal =
            !common.is_empty() && one < long && two < other.len() && rest[one] == other[two];
        let goes_left = two == other.len()
            || one < long
                && (common.is_empty()
                    || common[(one + 1) * wide + two] >= common[one * wide + two + 1]);
        let row = match (equal, goes_left) {
            (true, _) => (Some(head + one), Some(head + two)),
            (false, true) => (Some(head + one), None),
            (false, false) => (None, Some(head + two)),
        };
        one += usize::from(row.0.is_some());
        two += usize::from(row.1.is_some());
        rows.push(row);
    }
    let (left_tail, right_tail) = (left.len() - tail, right.len() - tail);
    rows.extend((0..tail).map(|at| (Some(left_tail + at), Some(right_tail + at))));
    rows
}

fn side_by_side(left: &Run, right: &Run, name: &str, keys: &[String]) -> Vec<Part> {
    let keys_of = |run: &Run| -> Vec<String> {
        run.view.performed.iter().map(|step| step.key.clone()).collect()
    };
    let (one, other) = (keys_of(left), keys_of(right));
    let rows = align(&one, &other);
    let differs = |row: &Aligned| match *row {
        (Some(one), Some(other)) => left.view.performed[one] != right.view.performed[other],
        _ => true,
    };
    let first = rows.iter().position(differs);
    let near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        rows[from..rows.len().min(at + AROUND + 1)].iter().any(differs)
    };
    let cell = |run: &Run, at: Option<usize>, elsewhere: &[String]| {
        let Some(at) = at else { return all([td("runs__none").set("colspan", "2")]) };
        let step = &run.view.performed[at];
        let phases: Vec<String> = step.phases.iter().map(u32::to_string).collect();
        let phase = (!phases.is_empty())
            .then(|| span("quiet").with(format!(" phase {}", phases.join(" or "))));
        let broke = step
            .broke
            .iter()
            .map(|rule| a("").set("href", format!("#rules/{rule}")).with(code("").with(&**rule)));
        let moved = elsewhere.iter().position(|key| *key == step.key);
        let moved = moved.map(|other| span("quiet").with(format!(" (step {} there)", other + 1)));
        all([
            td("runs__at").with((at + 1).to_string()),
            td("").set_if(!step.broke.is_empty(), "data-tone", "ub").with((
                b("").with(run.agent(step)),
                " ",
                code("").with(&*step.short),
                phase,
                (" ", all(broke), moved),
            )),
        ])
    };
    let mut lines = Vec::new();
    let mut equal = 0;
    for (at, row) in rows.iter().enumerate().take(ROWS * 8) {
        if !near(at) {
            equal += 1;
            continue;
        }
        lines.extend(skipped(&mut equal));
        let elsewhere =
            |both: bool, keys: &'_ [String]| if both { Vec::new() } else { keys.to_vec() };
        let both = row.0.is_some() && row.1.is_some();
        let class = match (first == Some(at), differs(row)) {
            (true, _) => "runs__first",
            (false, true) => "runs__differs",
            (false, false) => "",
        };
        let mark = (first == Some(at))
            .then(|| tr("runs__mark").with(td("").set("colspan", "4").with("First difference")));
        lines.extend(mark);
        lines.push(tr(class).with((
            cell(left, row.0, &elsewhere(both, &other)),
            cell(right, row.1, &elsewhere(both, &one)),
        )));
        if lines.len() > ROWS {
            break;
        }
    }
    lines.extend(skipped(&mut equal));
    let head = |name: &str, run: &Run| {
        th("").set("scope", "col").set("colspan", "2").with((
            name.to_owned(),
            " ",
            span("quiet").with(run.result()),
        ))
    };
    let table = table("runs").with((
        thead("").with(tr("").with((head("This execution", left), head(name, right)))),
        tbody("").with(all(lines)),
    ));
    let same = first.is_none().then(|| p("").with("The executions are equal."));
    let summary = |run: &Run| p("quiet").with(prose(&run.view.summary));
    all([
        div("runs__ends").with((summary(left), summary(right))),
        div("runs__scroll")
            .set("tabindex", "0")
            .set("role", "group")
            .set("aria-label", "Two executions")
            .with((same, table)),
        div("job__do").with(
            button("button")
                .does(Action::Work, format!("load:{}", keys.join(" ")))
                .with("Show the other execution"),
        ),
    ])
}

/// A row for equal steps that are left out.
fn skipped(equal: &mut usize) -> Option<Element> {
    let count = std::mem::take(equal);
    let says = if count == 1 { "1 equal step".to_owned() } else { format!("{count} equal steps") };
    (count > 0).then(|| tr("runs__equal").with(td("").set("colspan", "4").with(says)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::scene;
    use protocol::Terms;

    fn stepper(text: &str, keys: &[&str]) -> Stepper {
        let mut stepper = Stepper::new(&scene(text), &Terms::default().options()).expect("steps");
        let keys: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
        assert_eq!(stepper.load(&keys), keys.len());
        stepper
    }

    #[test]
    fn equal_keys_in_one_order_are_aligned() {
        let both = |at, other| (Some(at), Some(other));
        assert_eq!(align(&["a", "b"], &["a", "b"]), [both(0, 0), both(1, 1)]);
        let rows = align(&["a", "x", "b", "c"], &["a", "b", "y", "c"]);
        assert_eq!(rows, [both(0, 0), (Some(1), None), both(2, 1), (None, Some(2)), both(3, 3)]);
        assert_eq!(align(&["a"], &[][..]), [(Some(0), None)]);
        assert_eq!(align(&[][..], &["a"]), [(None, Some(0))]);
    }

    /// Only a choice of wave 0 waits without an arrival.
    const CHOICE: &str = "target gfx1250\nlaunch waves=2\nwave 0 {\n choose { arrive wg; wait wg } or { wait wg }\n}\nwave 1 {\n arrive wg\n wait wg\n}\n";

    #[test]
    fn a_stuck_execution_is_compared_with_the_nearest_correct_one() {
        let mut stuck = stepper(CHOICE, &[]);
        let choice = stuck.moves().into_iter().find(|next| next.key.ends_with("/1")).expect("it");
        stuck.perform(&choice.key).expect("it is enabled");
        while let Some(next) = in_turn(&stuck) {
            stuck.perform(&next).expect("it is enabled");
        }
        let page = page(&stuck, &[], "");
        let text = page.text();
        for part in ["First difference", "finished", "stuck", "Show the other execution"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn a_missing_other_execution_is_reported() {
        let text = "target gfx1250\nlaunch waves=2\nwave 0 {\n arrive wg\n wait wg\n wait wg\n}\nwave 1 {\n arrive wg\n wait wg\n}\n";
        let mut stuck = stepper(text, &[]);
        while let Some(next) = in_turn(&stuck) {
            stuck.perform(&next).expect("it is enabled");
        }
        assert!(page(&stuck, &[], "").text().contains("No execution without a finding"));
        assert!(page(&stuck, &[], ":0").text().contains("no saved branch"));
        assert!(page(&stepper(text, &[]), &[], "").text().contains("No steps are performed"));
    }

    #[test]
    fn branches_are_compared() {
        let text = "target gfx1250\nlaunch waves=2\nwave * {\n arrive wg\n wait wg\n}\n";
        let mut here = stepper(text, &[]);
        while let Some(next) = in_turn(&here) {
            here.perform(&next).expect("it is enabled");
        }
        let keys = here.keys();
        let mut other = keys.clone();
        other.swap(0, 1);
        let text = page(&here, &[other], "").text();
        assert!(text.contains("First difference") && text.contains("Branch 1"), "{text}");
        assert!(text.contains("there)"), "a moved step names its other position: {text}");
        assert!(page(&here, &[keys], ":0").text().contains("executions are equal"));
    }
}
