//! The critical path through an execution, and for each wait the arrival that it waited for.
//!
//! Each step takes one unit of time and starts as soon as it can, so the result does not depend on the shown order of
//! independent steps.

use protocol::document_page::*;
use protocol::{DocumentPage, SentTrace, Shown};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tidegate_check::step::{AgentView, Performed, Stepper};

/// Largest number of listed waits and of listed parts of the path.
const LISTED: usize = 200;

/// A wait for another agent.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wait {
    /// The row of the wait.
    row: usize,
    /// The row of the last arrival of its phase.
    arrival: usize,
    /// The phase of its object.
    phase: u32,
    /// How long it waited, in steps.
    long: usize,
}

/// When the steps of an execution end, and why not earlier.
#[derive(Debug, Default)]
struct Times {
    /// By row: the number of steps in the longest chain that ends with it.
    end: Vec<usize>,
    /// By row: the step before it in that chain.
    before: Vec<Option<usize>>,
    waits: Vec<Wait>,
}

/// Computes the times of some steps.
fn times(steps: &[Performed]) -> Times {
    let mut times = Times::default();
    // By agent: the row that its next step follows.
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    // By object: the steps of the phase that is not complete; the waits among them are arrivals.
    let mut open: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    // By object and phase: the last arrival.
    let mut complete: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    // Copies in flight: their agent and line, and the row that started them.
    let mut flying: Vec<((usize, u32), usize)> = Vec::new();
    for (row, step) in steps.iter().enumerate() {
        let lands = step.key.starts_with("copy.");
        let own = match lands {
            true => {
                let started = flying.iter().position(|(of, _)| *of == (step.agent, step.line));
                started.map(|at| flying.remove(at).1)
            }
            false => last.get(&step.agent).copied(),
        };
        let ready = own.map_or(0, |own| times.end[own]);
        let phase = step.object.zip(step.phases.first().copied());
        let awaited =
            phase.filter(|_| step.kind == "wait").and_then(|it| complete.get(&it)).copied();
        let before = awaited.filter(|&it| times.end[it] > ready).or(own);
        let late = awaited.filter(|it| Some(*it) == before).zip(phase);
        if let Some((arrival, (_, phase))) = late
            && (steps[arrival].agent != step.agent || steps[arrival].key.starts_with("copy."))
        {
            let long = times.end[arrival] - ready;
            times.waits.push(Wait { row, arrival, phase, long });
        }
        times.before.push(before);
        times.end.push(before.map_or(0, |before| times.end[before]) + 1);
        if !lands {
            last.insert(step.agent, row);
            if step.kind == "copy" {
                flying.push(((step.agent, step.line), row));
            }
        }
        let Some(object) = step.object.filter(|_| awaited.is_none()) else { continue };
        let of_object = open.entry(object).or_default();
        if matches!(&*step.kind, "arrive" | "drop" | "end" | "wait") || step.completes {
            of_object.push(row);
        }
        if step.completes {
            let all = std::mem::take(of_object);
            let latest = all.iter().copied().max_by_key(|&it| (times.end[it], it)).unwrap_or(row);
            let phase = step.phases.first().copied().unwrap_or(1);
            complete.insert((object, phase), latest);
            // An agent at a barrier whose wait is an arrival continues after the last arrival.
            for at in all.into_iter().filter(|&at| steps[at].kind == "wait" && at != latest) {
                let (agent, long) = (steps[at].agent, times.end[latest] - times.end[at]);
                if last.get(&agent) == Some(&at) && long > 0 {
                    times.waits.push(Wait { row: at, arrival: latest, phase, long });
                    last.insert(agent, latest);
                }
            }
        }
    }
    times.waits.sort_by_key(|wait| (Reverse(wait.long), wait.row));
    times
}

impl Times {
    /// The rows of the longest chain, in order.
    fn path(&self) -> Vec<usize> {
        let last = (0..self.end.len()).max_by_key(|&row| (self.end[row], Reverse(row)));
        let mut path: Vec<usize> = std::iter::successors(last, |&row| self.before[row]).collect();
        path.reverse();
        path
    }
}

/// The page about the performed steps.
pub(crate) fn page(stepper: &Stepper) -> DocumentPage {
    let page = DocumentPage::new("Critical path");
    let Shown { view, .. } = SentTrace::default().since(stepper, 0);
    let steps = &view.performed;
    if steps.is_empty() {
        return page.with(p("").with("No steps are performed: run all agents first."));
    }
    let times = times(steps);
    let path = times.path();
    let agent = |row: usize| view.agents.get(steps[row].agent).map_or("", |agent| &*agent.name);
    let at = |row: usize| {
        let step = &steps[row];
        let line = (step.line > 0).then(|| span("quiet").with(format!(" line {}", step.line)));
        span("").with((b("").with(agent(row)), " ", code("").with(&*step.short), line))
    };
    let object = |row: usize| {
        let object = steps[row].object.and_then(|object| view.objects.get(object));
        object.map_or("", |object| &*object.name)
    };
    let counted = format!(
        "The longest chain has {} of {} steps. Each of its steps must follow the one before it.",
        path.len(),
        steps.len()
    );
    let parts: Vec<&[usize]> =
        path.chunk_by(|&one, &other| steps[one].agent == steps[other].agent).collect();
    let part = |(number, rows): (usize, &&[usize])| {
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        let wait = times.waits.iter().find(|wait| number > 0 && wait.row == first);
        let why = wait.map(|wait| {
            format!(
                "waits {} for phase {} of {}: ",
                counted_steps(wait.long),
                wait.phase,
                object(first)
            )
        });
        let until = (rows.len() > 1).then(|| (" \u{2026} ", code("").with(&*steps[last].short)));
        let lines = match (steps[first].line, steps[last].line) {
            (0, _) | (_, 0) => String::new(),
            (one, other) if one == other => format!(" line {one},"),
            (one, other) => format!(" lines {one} to {other},"),
        };
        li("path__part").with((
            span("diff__at").with(format!("{}", times.end[first])),
            span("").with((
                why,
                b("").with(agent(first)),
                " ",
                code("").with(&*steps[first].short),
                until,
                span("quiet").with(format!("{lines} {}", counted_steps(rows.len()))),
            )),
        ))
    };
    let more = |all: usize| {
        all.checked_sub(LISTED)
            .filter(|more| *more > 0)
            .map(|more| p("quiet").with(format!("And {more} more.")))
    };
    let row = |wait: &Wait| {
        let phase = format!("phase {} of {}", wait.phase, object(wait.arrival));
        tr("").with((
            td("").with(at(wait.row)),
            td("").with(at(wait.arrival)),
            td("").with(phase),
            td("").with(wait.long.to_string()),
        ))
    };
    let blocked: Vec<Element> = view.agents.iter().filter_map(blocked_row).collect();
    let none_blocked = blocked.is_empty();
    let heads = ["Wait", "Last arrival", "Phase", "Steps waited"];
    let listed = table("waits").with((
        thead("").with(tr("").with(all(heads.map(|head| th("").set("scope", "col").with(head))))),
        tbody("").with((all(blocked), all(times.waits.iter().take(LISTED).map(row)))),
    ));
    let waits = match times.waits.is_empty() && none_blocked {
        true => all([p("").with("No wait waits for another agent.")]),
        false => all([div("waits__scroll")
            .set("tabindex", "0")
            .set("role", "group")
            .set("aria-label", "Waits")
            .with(listed)]),
    };
    page.with((
        p("").with(counted),
        p("quiet").with("Each step takes one unit of time and starts as soon as it can. The number is the time at which a part starts."),
        ol("diffs").with(all(parts.iter().enumerate().take(LISTED).map(part))),
        more(parts.len()),
        h3("gallery__name").with("Waits: blocked ones, then the longest"),
        (waits, more(times.waits.len())),
    ))
}

/// The row of an agent that waits at the end of the steps.
fn blocked_row(agent: &AgentView) -> Option<Element> {
    let step = agent.moves.iter().find(|step| step.blocked.is_some());
    let step = step.filter(|_| agent.status == "blocked")?;
    let line = (step.line > 0).then(|| span("quiet").with(format!(" line {}", step.line)));
    let wait = (b("").with(&*agent.name), " ", code("").with(&*step.short), line);
    let why = step.blocked.as_deref().unwrap_or_default().replace('`', "");
    Some(tr("").with((
        td("").with(wait),
        td("").set("colspan", "2").with(why),
        td("").with("blocked"),
    )))
}

fn counted_steps(count: usize) -> String {
    if count == 1 { "1 step".to_owned() } else { format!("{count} steps") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::scene;
    use protocol::Terms;

    /// Runs all agents in turn.
    fn run(text: &str) -> Stepper {
        let mut stepper = Stepper::new(&scene(text), &Terms::default().options()).expect("steps");
        while let Some(next) = stepper.moves().into_iter().next() {
            stepper.perform(&next.key).expect("it is enabled");
        }
        stepper
    }

    fn timed(text: &str) -> (Vec<Performed>, Times) {
        let Shown { view, .. } = SentTrace::default().since(&run(text), 0);
        let times = times(&view.performed);
        (view.performed, times)
    }

    /// Wave 1 performs three more operations than wave 0 before the barrier.
    const LATE: &str = "target gfx1250\nlaunch waves=2\nwave 0 {\n arrive wg\n wait wg\n}\nwave 1 {\n fence release\n fence release\n fence release\n arrive wg\n wait wg\n}\n";

    #[test]
    fn a_wait_waits_for_the_last_arrival() {
        let (steps, times) = timed(LATE);
        let waits: Vec<_> =
            times.waits.iter().map(|it| (&steps[it.row], &steps[it.arrival], it.long)).collect();
        let [(wait, arrival, long)] = waits[..] else { panic!("{waits:?}") };
        assert_eq!((wait.agent, arrival.agent, &*arrival.kind, long), (0, 1, "arrive", 3));
        let path = times.path();
        assert!(path.iter().take(4).all(|&row| steps[row].agent == 1), "{path:?}");
        assert_eq!(times.end[path[path.len() - 1]], path.len());
    }

    #[test]
    fn a_wait_that_is_an_arrival_holds_its_agent() {
        let text = "target sm_90\nlaunch warps=2\nwarp 0 {\n bar.sync 0\n bar.sync 1\n}\nwarp 1 {\n fence.acq_rel.cta\n fence.acq_rel.cta\n bar.sync 0\n bar.sync 1\n}\n";
        let (steps, times) = timed(text);
        let first = times.waits.first().expect("a wait");
        assert_eq!((steps[first.row].agent, steps[first.arrival].agent, first.long), (0, 1, 2));
        assert_eq!(
            times.waits.len(),
            1,
            "both reach the second barrier at once: {:?}",
            times.waits
        );
    }

    #[test]
    fn the_page_names_the_agents() {
        let text = page(&run(LATE)).text();
        for part in ["longest chain", "wave 0", "wave 1", "phase 1 of wg", "Last arrival"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let scene = scene(LATE);
        let empty = Stepper::new(&scene, &Terms::default().options()).expect("steps");
        assert!(page(&empty).text().contains("No steps are performed"));
    }
}
