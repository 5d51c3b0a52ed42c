//! The layout of an execution: phases as bands, waits and copies in flight as bars.
//!
//! A step sends only its changes, so that messages do not grow with the execution.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tidegate_check::step::{CopyView, FlightView, MemoryView, Performed, Stepper, View, in_ranges};

/// One phase of one object, from the row of its first operation to that of its last.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Band {
    /// Index of the object.
    pub object: usize,
    /// Name of the object.
    pub name: String,
    /// The phase; phases without numbers are counted from 1.
    pub phase: u32,
    /// First row.
    pub from: usize,
    /// Last row.
    pub to: usize,
    /// Whether the phase is complete.
    pub complete: bool,
    /// The position of its name among adjacent bands, from 0.
    pub place: usize,
}

/// The rows in which an agent waits or a copy is in flight.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bar {
    /// Index of the agent.
    pub agent: usize,
    /// First row.
    pub from: usize,
    /// Last row.
    pub to: usize,
    /// The row of the step after which it has ended; `None` if it continues at the cursor.
    pub ended: Option<usize>,
    /// The index of a copy among concurrent copies.
    pub copy: Option<usize>,
}

/// The state of an execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Number of earlier steps that are unchanged.
    pub kept: usize,
    /// The later steps, the agents and the objects; without the keys of undone steps.
    pub view: View,
    /// Number of earlier steps that are now undone, after the cursor.
    pub ahead: usize,
    /// Bands of phases that end after the unchanged steps or are open.
    pub bands: Vec<Band>,
    /// Bars that ended after the unchanged steps or continue.
    pub bars: Vec<Bar>,
    /// Memory events of the steps.
    pub memory: MemoryView,
    /// Describes the hardware model of the execution; empty for an execution of the specification.
    pub machine: String,
}

/// Largest number of copies that are drawn side by side.
const BESIDE: usize = 4;

/// The part of an execution that was sent.
#[derive(Clone, Debug, Default)]
pub struct SentTrace(Vec<Performed>);

impl SentTrace {
    /// Returns the update after some unchanged steps.
    pub fn since(&mut self, stepper: &Stepper, kept: usize) -> Shown {
        let kept = kept.min(self.0.len());
        let mut view = stepper.view_since(kept);
        self.0.truncate(kept);
        self.0.extend_from_slice(&view.performed);
        if view.state == "undefined" {
            // After undefined behaviour no agent waits for anything.
            let stopped = view.agents.iter_mut().filter(|agent| agent.status == "blocked");
            stopped.for_each(|agent| agent.status = "stopped".to_owned());
            view.objects.iter_mut().for_each(|object| object.waiting.clear());
        }
        for object in &mut view.objects {
            object.joined = in_ranges(&object.joined);
            object.waiting = in_ranges(&object.waiting);
        }
        let memory = stepper.memory();
        let (mut bands, phases) = bands(&self.0, &view);
        bands.retain(|band| !band.complete || band.to >= kept);
        let mut bars = bars(&self.0, &view, &memory);
        bars.retain(|bar| bar.ended.is_none_or(|row| row >= kept));
        for (step, phase) in view.performed.iter_mut().zip(phases.into_iter().skip(kept)) {
            step.phases.extend(phase.filter(|_| step.phases.is_empty()));
        }
        let (ahead, machine) = (stepper.ahead(), String::new());
        Shown { kept, view, ahead, bands, bars, memory, machine }
    }
}

/// Whether a step arrives at an object whose phases have no numbers. A wait on such an object is also an arrival, unless the
/// object has separate arrives.
fn is_arrival(view: &View, step: &Performed) -> bool {
    let kind = step.object.and_then(|object| view.objects.get(object)).map(|it| &*it.kind);
    let of_items = || view.agents.first().is_some_and(|agent| agent.sub_group.is_some());
    match (&*step.kind, kind) {
        ("arrive" | "wait", Some("bar" | "warp")) | ("arrive", Some("cluster" | "split")) => true,
        // A thread that ends is not waited for.
        ("end", Some("bar" | "cluster")) => step.completes,
        ("wait", Some("workgroup" | "subgroup" | "named")) => of_items(),
        _ => false,
    }
}

/// Whether operations of that kind belong to a phase.
fn is_participant(kind: &str) -> bool {
    matches!(kind, "arrive" | "drop" | "end")
}

/// Returns the phase of each step; phases without numbers are counted from 1.
fn phase_of(view: &View) -> impl FnMut(&Performed) -> Option<u32> + '_ {
    let mut running: Vec<u32> = Vec::new();
    move |step| {
        if !step.phases.is_empty() || !is_arrival(view, step) {
            return step.phases.first().copied();
        }
        let object = step.object?;
        running.resize(running.len().max(object + 1), 1);
        let phase = running[object];
        running[object] += u32::from(step.completes);
        Some(phase)
    }
}

/// Returns the phases of some steps, and the phase of each step.
fn bands(steps: &[Performed], view: &View) -> (Vec<Band>, Vec<Option<u32>>) {
    let phases: Vec<Option<u32>> = steps.iter().map(phase_of(view)).collect();
    let mut bands: Vec<Band> = Vec::new();
    let mut open: BTreeMap<usize, usize> = BTreeMap::new();
    for ((row, step), phase) in steps.iter().enumerate().zip(&phases) {
        let participates = is_participant(&step.kind) || is_arrival(view, step);
        let (Some(object), &Some(phase), true) = (step.object, phase, participates) else {
            continue;
        };
        let at = match open.get(&object) {
            Some(&at) if bands[at].phase == phase && !bands[at].complete => at,
            _ => {
                let name = view.objects.get(object).map_or_else(String::new, |it| it.name.clone());
                let (complete, place) = (false, 0);
                bands.push(Band { object, name, phase, from: row, to: row, complete, place });
                bands.len() - 1
            }
        };
        open.insert(object, at);
        bands[at].to = row;
        bands[at].complete |= step.completes;
    }
    // The current phase of an object extends to the cursor.
    let is_now = |band: &Band| {
        view.objects.get(band.object).is_some_and(|object| {
            // PTX counts these phases from 0.
            let first = u32::from(object.kind != "mbarrier");
            object.arrived > 0 && object.completed + first == band.phase
        })
    };
    for at in open.into_values() {
        if !bands[at].complete && is_now(&bands[at]) {
            bands[at].to = steps.len() - 1;
        }
    }
    part(&mut bands);
    (bands, phases)
}

/// Assigns positions to adjacent bands, in the order of their ends: the end of a band pushes its name, which sticks to the
/// top of the visible area, out of view.
fn part(bands: &mut [Band]) {
    let mut last: Vec<usize> = Vec::new();
    let mut order: Vec<usize> = (0..bands.len()).collect();
    order.sort_by_key(|&at| (!bands[at].complete, bands[at].to));
    for at in order {
        let band = &mut bands[at];
        let free = last.iter().position(|&to| to < band.from);
        band.place = free.unwrap_or(last.len());
        last.resize(last.len().max(band.place + 1), 0);
        last[band.place] = band.to;
    }
}

/// Returns the rows of waits: from the row after an agent's last step to the completion that releases it, or to the cursor.
/// Copies follow.
fn bars(steps: &[Performed], view: &View, memory: &MemoryView) -> Vec<Bar> {
    let mut next: Vec<usize> = vec![0; view.agents.len()];
    let mut completed: BTreeMap<(usize, u32), usize> = BTreeMap::new();
    let mut bars = Vec::new();
    let bar = |agent, from, to, row| Bar { agent, from, to, ended: Some(row), copy: None };
    // Agents at an object whose wait is an arrival.
    let mut standing: Vec<(usize, usize)> = Vec::new();
    for (row, step) in steps.iter().enumerate() {
        let phase = step.object.zip(step.phases.first().copied());
        if phase.is_none() && step.kind == "wait" && is_arrival(view, step) {
            let object = step.object.unwrap_or_default();
            standing.push((object, step.agent));
            if step.completes {
                standing.retain(|&(at, agent)| {
                    if at == object && agent != step.agent {
                        let from = next.get(agent).copied().unwrap_or(row);
                        bars.push(bar(agent, from, row, row));
                    }
                    at != object
                });
            }
        }
        let Some(free) = next.get_mut(step.agent) else { continue };
        if step.kind == "wait" {
            let to = phase.and_then(|phase| completed.get(&phase)).filter(|&to| to >= free);
            bars.extend(to.map(|&to| bar(step.agent, *free, to, row)));
        }
        if let Some(phase) = phase.filter(|_| step.completes) {
            completed.insert(phase, row);
        }
        *free = row + 1;
    }
    for (agent, from) in next.into_iter().enumerate() {
        if view.agents[agent].status == "blocked" && from < steps.len() {
            bars.push(Bar { agent, from, to: steps.len() - 1, ended: None, copy: None });
        }
    }
    let last = steps.len().saturating_sub(1);
    bars.extend(memory.flights.iter().flat_map(|flight| copies(flight, last)));
    bars
}

/// Returns the copies of an agent, with concurrent ones side by side.
fn copies(flight: &FlightView, last: usize) -> Vec<Bar> {
    let mut free = [0; BESIDE];
    let bar = |copy: &CopyView| {
        let to = copy.completed.unwrap_or(last);
        let beside = free.iter().position(|&free| free <= copy.step).unwrap_or(BESIDE - 1);
        free[beside] = to + 1;
        let ended = copy.completed;
        Bar { agent: flight.agent, from: copy.step, to, ended, copy: Some(beside) }
    };
    flight.copies.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReceivedTrace;
    use std::collections::BTreeSet;
    use tidegate_check::step::{AgentView, ObjectView};
    use tidegate_check::{Options, Scene};

    fn step(agent: usize, kind: &str, phase: u32, completes: bool) -> Performed {
        Performed {
            agent,
            key: format!("0.{agent}:{kind}{phase}"),
            label: format!("{kind} wg"),
            short: format!("{kind} wg"),
            line: 1,
            kind: kind.into(),
            object: Some(0),
            phases: vec![phase],
            completes,
            broke: Vec::new(),
            word: String::new(),
        }
    }

    /// Two waves and one object of a kind.
    fn view(kind: &str, arrived: i64, completed: u32) -> View {
        let agent = |name: &str| AgentView {
            name: name.into(),
            status: "ready".into(),
            joined: None,
            sub_group: None,
            moves: Vec::new(),
        };
        let (name, kind) = ("wg".into(), kind.into());
        View {
            performed: Vec::new(),
            undone: Vec::new(),
            agents: vec![agent("wave 0"), agent("wave 1")],
            objects: vec![ObjectView { name, kind, arrived, completed, ..ObjectView::default() }],
            state: "running".into(),
            summary: String::new(),
        }
    }

    fn bar(agent: usize, from: usize, to: usize, ended: Option<usize>) -> Bar {
        Bar { agent, from, to, ended, copy: None }
    }

    #[test]
    fn a_phase_reaches_from_its_first_arrive_to_its_completion() {
        let steps =
            [step(0, "arrive", 1, false), step(1, "arrive", 1, true), step(0, "wait", 1, false)];
        let (bands, phases) = bands(&steps, &view("workgroup", 0, 1));
        let (name, complete) = ("wg".to_owned(), true);
        assert_eq!(bands, [Band { object: 0, name, phase: 1, from: 0, to: 1, complete, place: 0 }]);
        assert_eq!(phases, [Some(1); 3]);
    }

    #[test]
    fn an_open_phase_reaches_the_cursor() {
        let steps = [
            step(0, "arrive", 1, false),
            step(1, "arrive", 1, true),
            step(1, "arrive", 2, false),
            step(0, "wait", 1, false),
        ];
        let (bands, _) = bands(&steps, &view("workgroup", 1, 1));
        assert_eq!((bands.len(), bands[1].from, bands[1].to, bands[1].complete), (2, 2, 3, false));
    }

    #[test]
    fn a_wait_is_a_bar_until_the_completion_that_releases_it() {
        let steps =
            [step(0, "arrive", 1, false), step(1, "arrive", 1, true), step(0, "wait", 1, false)];
        let bars = bars(&steps, &view("workgroup", 0, 1), &MemoryView::default());
        assert_eq!(bars, [bar(0, 1, 1, Some(2))]);
    }

    #[test]
    fn phases_are_counted_if_a_wait_is_an_arrival() {
        let met = |agent, completes| Performed {
            phases: Vec::new(),
            ..step(agent, "wait", 0, completes)
        };
        let steps = [met(0, false), met(1, true), met(1, false)];
        // The waits of waves do not arrive.
        assert_eq!(bands(&steps, &view("workgroup", 1, 1)), (Vec::new(), vec![None; 3]));
        let (bands, phases) = bands(&steps, &view("bar", 1, 1));
        let found: Vec<_> =
            bands.iter().map(|it| (it.phase, it.from, it.to, it.complete)).collect();
        assert_eq!(found, [(1, 0, 1, true), (2, 2, 2, false)]);
        assert_eq!(phases, [1, 1, 2].map(Some));
        let bars = bars(&steps, &view("bar", 1, 1), &MemoryView::default());
        assert_eq!(bars, [bar(0, 1, 1, Some(1))]);
    }

    #[test]
    fn names_of_adjacent_bands_have_different_positions() {
        let name = String::new();
        let band = Band { object: 0, name, phase: 1, from: 0, to: 0, complete: true, place: 0 };
        let band = |(from, to)| Band { from, to, ..band.clone() };
        let mut bands = [(0, 6), (1, 2), (2, 4), (3, 5), (7, 8)].map(band);
        part(&mut bands);
        assert_eq!(bands.map(|it| it.place), [2, 0, 1, 0, 0]);
    }

    fn copy(step: usize, completed: Option<usize>) -> CopyView {
        CopyView { step, line: 1, operation: "async".into(), completed }
    }

    #[test]
    fn concurrent_copies_are_drawn_side_by_side() {
        let copies = vec![copy(0, Some(2)), copy(1, None), copy(3, None)];
        let flight = FlightView { agent: 1, frames: Vec::new(), copies };
        let bars = super::copies(&flight, 4);
        let bar = |from, to, ended, copy| Bar { agent: 1, from, to, ended, copy: Some(copy) };
        assert_eq!(bars, [bar(0, 2, Some(2), 0), bar(1, 4, None, 1), bar(3, 4, None, 0)]);
    }

    /// Returns bands and bars in a canonical order.
    fn all(bands: &[Band], bars: &[Bar]) -> (BTreeSet<String>, BTreeSet<String>) {
        let shown = |it: &dyn std::fmt::Debug| format!("{it:?}");
        (bands.iter().map(|it| shown(it)).collect(), bars.iter().map(|it| shown(it)).collect())
    }

    /// For every example: incremental updates equal a new update, for every cursor movement.
    #[test]
    fn incremental_updates_equal_the_whole() {
        let (mut most, mut copies, mut branched) = ((0, 0), 0, 0);
        let examples = std::fs::read_dir("../examples").expect("the examples");
        for path in examples.flatten().map(|entry| entry.path()) {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let scene = Scene::new("a.tide", &text);
            let Some(mut stepper) = Stepper::new(&scene, &Options::default()) else { continue };
            let (mut sent, mut received) = (SentTrace::default(), ReceivedTrace::default());
            let mut go = |stepper: &Stepper, kept: usize| {
                received.hear(&mut sent.since(stepper, kept));
                let fresh = SentTrace::default().since(stepper, 0);
                let bands_and_bars = all(&received.bands, &received.bars);
                assert_eq!(
                    bands_and_bars,
                    all(&fresh.bands, &fresh.bars),
                    "{} {kept}",
                    path.display()
                );
                let performed = &received.steps[..received.cursor];
                assert_eq!(performed, fresh.view.performed, "{} {kept}", path.display());
                let keys: Vec<String> =
                    received.steps.iter().map(|step| step.key.clone()).collect();
                assert_eq!(keys, [stepper.keys(), stepper.undone()].concat());
                most = (most.0.max(received.bands.len()), most.1.max(received.bars.len()));
                copies += received.bars.iter().filter(|bar| bar.copy.is_some()).count();
            };
            go(&stepper, 0);
            while stepper.length() < 60 {
                let (moves, before) = (stepper.moves(), stepper.length());
                let Some(next) = moves.get(before * 7 % moves.len().max(1)) else { break };
                stepper.perform(&next.key).expect("it is enabled");
                go(&stepper, before);
            }
            let count = stepper.length();
            for length in (0..count).rev() {
                stepper.back();
                go(&stepper, length);
            }
            stepper.go_to(count);
            go(&stepper, 0);
            // Go back to the middle, and take another branch if there is one.
            stepper.go_to(count / 2);
            go(&stepper, count / 2);
            let next = stepper.next_undone().map(str::to_owned);
            let other = stepper.moves().into_iter().find(|it| Some(&it.key) != next.as_ref());
            if let Some(other) = other {
                stepper.perform(&other.key).expect("it is enabled");
                go(&stepper, count / 2);
                branched += 1;
            }
            go(&stepper, usize::MAX);
        }
        assert!(most.0 > 3 && most.1 > 10 && copies > 20, "{most:?} {copies}");
        assert!(branched > 20, "{branched}");
    }

    #[test]
    fn many_waiting_agents_are_listed_as_ranges() {
        let text = "target model\nlaunch waves=6\nwave * { arrive wg; wait wg }\n";
        let mut stepper = Stepper::new(&Scene::new("a.tide", text), &Options::default()).unwrap();
        for agent in 0..5 {
            let key = stepper.view().agents[agent].moves[0].key.clone();
            stepper.perform(&key).unwrap();
        }
        let shown = SentTrace::default().since(&stepper, 0);
        assert_eq!(shown.view.objects[0].waiting, ["wave 0 to wave 4"]);
    }
}
