//! The execution as it is drawn: rows, bands of phases, bars of waiting. Knows nothing of signals or elements.

mod bands;

pub(crate) use bands::Band;

use crate::engine::{AgentView, CopyView, FlightView, MarkView, MemoryView, Performed, View};
use protocol::Shown;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The execution so far and the steps undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Track {
    /// Where the execution stands; none before the first valid text.
    pub view: Option<View>,
    /// Steps undone that can be performed again, the next one first.
    pub future: Vec<Performed>,
    /// Memory beside the steps.
    pub memory: MemoryView,
    /// Marks that the last step removed, each with its agent and the place of its function body.
    pub left: Vec<(usize, usize, MarkView)>,
    /// What is said of the machine whose execution it is; empty where it is one of the text.
    pub machine: String,
}

/// One performed or undone operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// From 0.
    pub index: usize,
    /// The operation.
    pub step: Performed,
    /// Name of the object that it acted on.
    pub object: Option<String>,
    /// Rows of accesses that nothing orders against it.
    pub races: Vec<usize>,
}

/// An agent waiting over rows, or a copy of it in flight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bar {
    /// Index of the agent.
    pub agent: usize,
    /// First row.
    pub from: usize,
    /// Last row.
    pub to: usize,
    /// Whether it goes on at the cursor.
    pub open: bool,
    /// Of a copy which of those side by side it is.
    pub copy: Option<usize>,
}

/// How many copies in flight are drawn side by side.
const BESIDE: usize = 4;

impl Track {
    /// The track after a change: steps undone are remembered from the track before it.
    pub(crate) fn after(self, shown: Shown) -> Self {
        let Shown { kept, mut view, memory, machine } = shown;
        let before = self.cursor();
        let left = match kept + view.performed.len() == before + 1 {
            true => self.leaving(&memory),
            false => Vec::new(),
        };
        let mut performed: Vec<Performed> =
            self.view.map(|view| view.performed).into_iter().flatten().chain(self.future).collect();
        let known = performed.split_off(kept.min(performed.len()));
        let ahead = known.into_iter().skip(view.performed.len()).zip(&view.undone);
        let same = self.machine == machine;
        let ahead = ahead.filter(|_| same);
        let future = ahead.map_while(|(step, key)| (step.key == *key).then_some(step)).collect();
        performed.append(&mut view.performed);
        view.performed = performed;
        if view.state == "undefined" {
            // Nobody waits for anything where nothing is defined any more.
            let stopped = view.agents.iter_mut().filter(|agent| agent.status == "blocked");
            stopped.for_each(|agent| agent.status = "stopped".to_owned());
            view.objects.iter_mut().for_each(|object| object.waiting.clear());
        }
        Self { view: Some(view), future, memory, left, machine }
    }

    /// Marks that are not there any more.
    fn leaving(&self, now: &MemoryView) -> Vec<(usize, usize, MarkView)> {
        let stays = |agent: usize, frame: usize, step: usize| {
            let flight = now.flights.iter().find(|flight| flight.agent == agent);
            let frame = flight.and_then(|flight| flight.frames.get(frame));
            frame.is_some_and(|frame| frame.marks.iter().any(|mark| mark.step == step))
        };
        let mut left = Vec::new();
        for flight in &self.memory.flights {
            for (place, frame) in flight.frames.iter().enumerate() {
                let gone = frame.marks.iter().filter(|it| !stays(flight.agent, place, it.step));
                left.extend(gone.map(|mark| (flight.agent, place, mark.clone())));
            }
        }
        left
    }

    /// Whether it is an execution of the machine.
    pub(crate) const fn of_machine(&self) -> bool {
        !self.machine.is_empty()
    }

    /// The cursor: how many steps are performed.
    pub(crate) fn cursor(&self) -> usize {
        self.view.as_ref().map_or(0, |view| view.performed.len())
    }

    /// How many steps are performed or undone.
    pub(crate) fn length(&self) -> usize {
        self.cursor() + self.view.as_ref().map_or(0, |view| view.undone.len())
    }

    /// Keys of every step, performed or undone.
    pub(crate) fn keys(&self) -> Vec<String> {
        let performed =
            self.view.iter().flat_map(|view| &view.performed).map(|step| step.key.clone());
        performed.chain(self.view.iter().flat_map(|view| view.undone.iter().cloned())).collect()
    }

    /// The agents.
    pub(crate) fn agents(&self) -> &[AgentView] {
        self.view.as_ref().map_or(&[], |view| &view.agents)
    }

    fn steps(&self) -> impl Iterator<Item = &Performed> {
        self.view.iter().flat_map(|view| &view.performed).chain(&self.future)
    }

    fn object_name(&self, index: usize) -> Option<String> {
        self.view.as_ref()?.objects.get(index).map(|object| object.name.clone())
    }

    /// The steps of a range of rows.
    pub(crate) fn rows(&self, shown: Range<usize>) -> Vec<Row> {
        let phase_of = self.phase_of();
        let phases = self.steps().map(phase_of).take(shown.end);
        let row = |((index, step), phase): ((usize, &Performed), Option<u32>)| {
            let mut step = step.clone();
            step.phases.extend(phase.filter(|_| step.phases.is_empty()));
            Row {
                index,
                object: step.object.and_then(|object| self.object_name(object)),
                races: self.races(index),
                step,
            }
        };
        self.steps().enumerate().zip(phases).skip(shown.start).map(row).collect()
    }

    /// Whether a step arrives at an object whose phases have no numbers of their own: of those a wait is an arrival, too, but
    /// where the two are apart.
    fn meets(&self, step: &Performed) -> bool {
        let Some(view) = &self.view else { return false };
        let kind = step.object.and_then(|object| view.objects.get(object)).map(|it| &*it.kind);
        let of_items = view.agents.first().is_some_and(|agent| agent.sub_group.is_some());
        match (&*step.kind, kind) {
            ("arrive" | "wait", Some("bar" | "warp")) | ("arrive", Some("cluster" | "split")) => {
                true
            }
            // Who ends is not waited for.
            ("end", Some("bar" | "cluster")) => step.completes,
            ("wait", Some("workgroup" | "subgroup" | "named")) => of_items,
            _ => false,
        }
    }

    /// Tells of one step after the other in which phase it is; where phases have no numbers they are counted from 1.
    fn phase_of(&self) -> impl FnMut(&Performed) -> Option<u32> {
        let mut running: Vec<u32> = Vec::new();
        move |step| {
            if !step.phases.is_empty() || !self.meets(step) {
                return step.phases.first().copied();
            }
            let object = step.object?;
            running.resize(running.len().max(object + 1), 1);
            let phase = running[object];
            running[object] += u32::from(step.completes);
            Some(phase)
        }
    }

    /// The rows that race with a row.
    fn races(&self, row: usize) -> Vec<usize> {
        let pairs = self.memory.pairs.iter().filter(|pair| !pair.ordered);
        let ends = pairs.map(|pair| [(pair.first, pair.second), (pair.second, pair.first)]);
        ends.flatten().filter(|(one, _)| *one == row).map(|(_, other)| other).collect()
    }

    /// The phases of the steps performed that are seen in some rows, by their first row.
    pub(crate) fn bands(&self, rows: &Range<usize>) -> Vec<Band> {
        let mut bands = self.phases();
        bands::part(&mut bands);
        bands.retain(|band| band.from < rows.end && band.to >= rows.start);
        for band in &mut bands {
            band.name = self.object_name(band.object).unwrap_or_default();
        }
        bands
    }

    /// The phases of the steps performed, without names.
    fn phases(&self) -> Vec<Band> {
        let mut bands: Vec<Band> = Vec::new();
        let mut open: BTreeMap<usize, usize> = BTreeMap::new();
        let performed = self.view.iter().flat_map(|view| &view.performed);
        let mut phase_of = self.phase_of();
        for (row, step) in performed.enumerate() {
            let takes_part = is_participant(&step.kind) || self.meets(step);
            let (Some(object), Some(phase)) = (step.object, phase_of(step)) else { continue };
            if !takes_part {
                continue;
            }
            let at = match open.get(&object) {
                Some(&at) if bands[at].phase == phase && !bands[at].complete => at,
                _ => {
                    let name = String::new();
                    let (complete, place) = (false, 0);
                    bands.push(Band { object, name, phase, from: row, to: row, complete, place });
                    bands.len() - 1
                }
            };
            open.insert(object, at);
            bands[at].to = row;
            bands[at].complete |= step.completes;
        }
        // A phase that its object is still in reaches down to the cursor.
        let last = self.cursor().saturating_sub(1);
        let now = |band: &Band| {
            let object = self.view.as_ref()?.objects.get(band.object)?;
            // PTX counts the phases of these from 0.
            let first = u32::from(object.kind != "mbarrier");
            (object.arrived > 0 && object.completed + first == band.phase).then_some(())
        };
        for at in open.into_values() {
            if !bands[at].complete && now(&bands[at]).is_some() {
                bands[at].to = last;
            }
        }
        bands
    }

    /// The last row of the phase of an object that begins in a row, and whether it is complete.
    pub(crate) fn reach(&self, object: usize, from: usize) -> Option<(usize, bool)> {
        let own = |it: &Band| (it.object, it.from) == (object, from);
        self.phases().into_iter().find(own).map(|it| (it.to, it.complete))
    }

    /// Where agents waited, as far as it is seen in some rows: from the step after their last one to the completion that
    /// let them go, or to the cursor.
    pub(crate) fn bars(&self, rows: &Range<usize>) -> Vec<Bar> {
        let Some(view) = &self.view else { return Vec::new() };
        let mut next: Vec<usize> = vec![0; view.agents.len()];
        let mut completed: BTreeMap<(usize, u32), usize> = BTreeMap::new();
        let seen = |bar: &Bar| bar.from < rows.end && bar.to >= rows.start;
        let mut bars = Vec::new();
        // Who stands at an object where a wait is an arrival.
        let mut standing: Vec<(usize, usize)> = Vec::new();
        for (row, step) in view.performed.iter().enumerate() {
            if step.phases.is_empty() && step.kind == "wait" && self.meets(step) {
                let object = step.object.unwrap_or_default();
                standing.push((object, step.agent));
                if step.completes {
                    standing.retain(|&(at, agent)| {
                        let from = next.get(agent).copied().unwrap_or(row);
                        if at == object && agent != step.agent {
                            let bar = Bar { agent, from, to: row, open: false, copy: None };
                            bars.extend(Some(bar).filter(seen));
                        }
                        at != object
                    });
                }
            }
            let Some(free) = next.get_mut(step.agent) else { continue };
            if step.kind == "wait" {
                let phase =
                    step.phases.first().and_then(|&phase| completed.get(&(step.object?, phase)));
                if let Some(&to) = phase.filter(|&&to| to >= *free) {
                    let bar = Bar { agent: step.agent, from: *free, to, open: false, copy: None };
                    bars.extend(Some(bar).filter(seen));
                }
            }
            if let (true, Some(object), Some(&phase)) =
                (step.completes, step.object, step.phases.first())
            {
                completed.insert((object, phase), row);
            }
            *free = row + 1;
        }
        for (agent, from) in next.into_iter().enumerate() {
            if view.agents[agent].status == "blocked" && from < view.performed.len() {
                let to = view.performed.len() - 1;
                bars.push(Bar { agent, from, to, open: true, copy: None });
            }
        }
        let last = view.performed.len().saturating_sub(1);
        bars.extend(self.memory.flights.iter().flat_map(|flight| copies(flight, last)));
        bars.retain(seen);
        bars
    }
}

/// Where any of those who share a lane waits: bars that touch are one.
pub(crate) fn together(mut bars: Vec<Bar>) -> Vec<Bar> {
    bars.sort_by_key(|bar| (bar.agent, bar.from));
    let mut whole: Vec<Bar> = Vec::new();
    for bar in bars {
        match whole.last_mut().filter(|it| it.agent == bar.agent && bar.from <= it.to + 1) {
            Some(it) => (it.to, it.open) = (it.to.max(bar.to), it.open || bar.open),
            None => whole.push(bar),
        }
    }
    whole
}

/// The copies of an agent, side by side while they are in flight together.
fn copies(flight: &FlightView, last: usize) -> Vec<Bar> {
    let mut free = [0; BESIDE];
    let bar = |copy: &CopyView| {
        let to = copy.completed.unwrap_or(last);
        let beside = free.iter().position(|&free| free <= copy.step).unwrap_or(BESIDE - 1);
        free[beside] = to + 1;
        let open = copy.completed.is_none();
        Bar { agent: flight.agent, from: copy.step, to, open, copy: Some(beside) }
    };
    flight.copies.iter().map(bar).collect()
}

/// Whether operations of that kind belong to a phase.
fn is_participant(kind: &str) -> bool {
    matches!(kind, "arrive" | "drop" | "end")
}

impl Row {
    /// Tells rows apart that look different, so that only they are drawn anew.
    pub(crate) fn fingerprint(&self) -> u64 {
        let (step, mut hasher) = (&self.step, DefaultHasher::new());
        (self.index, &self.object, step.object, step.agent, &step.key).hash(&mut hasher);
        (&step.label, &step.kind).hash(&mut hasher);
        (step.line, &step.phases, step.completes, &step.broke, &step.word, &self.races)
            .hash(&mut hasher);
        hasher.finish()
    }

    /// What is to be heard after the operation: place, phase, and what it broke.
    pub(crate) fn words(&self) -> String {
        let step = &self.step;
        let mut words = String::new();
        if step.line > 0 {
            words.push_str(&format!(", line {}", step.line));
        }
        if let (Some(object), Some(phase)) = (&self.object, step.phases.first()) {
            let ending = if step.completes { ", which it completes" } else { "" };
            words.push_str(&format!(", phase {phase} of {object}{ending}"));
        }
        for other in &self.races {
            words.push_str(&format!(", nothing orders it and step {}", other + 1));
        }
        if !step.word.is_empty() {
            words.push_str(&format!(", reads {}", step.word));
        }
        for rule in &step.broke {
            words.push_str(&format!(", breaks {rule}"));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{FrameView, ObjectView};

    /// Every row.
    const ALL: Range<usize> = 0..usize::MAX;

    fn step(agent: usize, kind: &str, phase: u32, completes: bool) -> Performed {
        Performed {
            agent,
            key: format!("0.{agent}:{kind}{phase}"),
            label: format!("{kind} wg"),
            line: 1,
            kind: kind.into(),
            object: Some(0),
            phases: vec![phase],
            completes,
            broke: Vec::new(),
            word: String::new(),
        }
    }

    fn track(performed: Vec<Performed>, arrived: i64, completed: u32) -> Track {
        let agent = |name: &str| AgentView {
            name: name.into(),
            status: "ready".into(),
            joined: None,
            sub_group: None,
            moves: Vec::new(),
        };
        let object = ObjectView {
            name: "wg".into(),
            kind: "workgroup".into(),
            initialised: true,
            expected: 2,
            arrived,
            completed,
            joined: Vec::new(),
            waiting: Vec::new(),
            changed: false,
            detail: String::new(),
        };
        let view = View {
            performed,
            undone: Vec::new(),
            agents: vec![agent("wave 0"), agent("wave 1")],
            objects: vec![object],
            state: "running".into(),
            summary: String::new(),
        };
        Track { view: Some(view), ..Track::default() }
    }

    #[test]
    fn a_phase_reaches_from_its_first_arrive_to_its_completion() {
        let steps = vec![
            step(0, "arrive", 1, false),
            step(1, "arrive", 1, true),
            step(0, "wait", 1, false),
        ];
        let bands = track(steps, 0, 1).bands(&ALL);
        assert_eq!(
            bands,
            [Band {
                object: 0,
                name: "wg".into(),
                phase: 1,
                from: 0,
                to: 1,
                complete: true,
                place: 0
            }]
        );
    }

    #[test]
    fn an_open_phase_reaches_the_cursor() {
        let steps = vec![
            step(0, "arrive", 1, false),
            step(1, "arrive", 1, true),
            step(1, "arrive", 2, false),
            step(0, "wait", 1, false),
        ];
        let bands = track(steps, 1, 1).bands(&ALL);
        assert_eq!((bands.len(), bands[1].from, bands[1].to, bands[1].complete), (2, 2, 3, false));
    }

    #[test]
    fn a_wait_is_a_bar_until_the_completion_that_lets_it_go() {
        let steps = vec![
            step(0, "arrive", 1, false),
            step(1, "arrive", 1, true),
            step(0, "wait", 1, false),
        ];
        assert_eq!(
            track(steps, 0, 1).bars(&ALL),
            [Bar { agent: 0, from: 1, to: 1, open: false, copy: None }]
        );
    }

    #[test]
    fn where_a_wait_is_an_arrival_phases_are_counted() {
        let met = |agent, completes| Performed {
            phases: Vec::new(),
            ..step(agent, "wait", 0, completes)
        };
        let steps = vec![met(0, false), met(1, true), met(1, false)];
        // The waits of waves arrive at nothing.
        assert_eq!(track(steps.clone(), 1, 1).bands(&ALL), []);
        let mut bar = track(steps, 1, 1);
        bar.view
            .iter_mut()
            .flat_map(|view| &mut view.objects)
            .for_each(|it| it.kind = "bar".into());
        let bands = bar.bands(&ALL);
        let told: Vec<_> = bands.iter().map(|it| (it.phase, it.from, it.to, it.complete)).collect();
        assert_eq!(told, [(1, 0, 1, true), (2, 2, 2, false)]);
        let phases: Vec<_> = bar.rows(ALL).into_iter().flat_map(|row| row.step.phases).collect();
        assert_eq!(phases, [1, 1, 2]);
        assert_eq!(bar.bars(&ALL), [Bar { agent: 0, from: 1, to: 1, open: false, copy: None }]);
    }

    #[test]
    fn undone_steps_are_remembered_while_their_keys_agree() {
        let steps = vec![step(0, "arrive", 1, false), step(1, "arrive", 1, true)];
        let full = track(steps.clone(), 0, 1);
        let mut back = track(steps[..1].to_vec(), 1, 0).view.expect("a view");
        back.undone = vec![steps[1].key.clone()];
        let after = full.clone().after(shown(back.clone(), MemoryView::default()));
        assert_eq!((after.future.len(), after.cursor(), after.length()), (1, 1, 2));
        back.undone = vec!["other".into()];
        assert_eq!(full.after(shown(back, MemoryView::default())).future, []);
    }

    fn shown(view: View, memory: MemoryView) -> Shown {
        Shown { kept: 0, view, memory, machine: String::new() }
    }

    #[test]
    fn steps_that_are_known_are_not_told_again() {
        let steps = vec![step(0, "arrive", 1, false), step(1, "arrive", 1, true)];
        let before = track(steps[..1].to_vec(), 1, 0);
        let view = track(steps[1..].to_vec(), 0, 1).view.expect("a view");
        let after = before.after(Shown { kept: 1, ..shown(view, MemoryView::default()) });
        assert_eq!(after.view.map(|view| view.performed), Some(steps));
    }

    fn copy(step: usize, completed: Option<usize>) -> CopyView {
        CopyView { step, line: 1, operation: "async".into(), completed }
    }

    #[test]
    fn copies_in_flight_together_are_drawn_side_by_side() {
        let copies = vec![copy(0, Some(2)), copy(1, None), copy(3, None)];
        let flight = FlightView { agent: 1, frames: Vec::new(), copies };
        let bars = super::copies(&flight, 4);
        let bar = |from, to, open, copy| Bar { agent: 1, from, to, open, copy: Some(copy) };
        assert_eq!(bars, [bar(0, 2, false, 0), bar(1, 4, true, 1), bar(3, 4, true, 0)]);
    }

    #[test]
    fn those_who_share_a_lane_wait_together() {
        let bar = |agent, from, to| Bar { agent, from, to, open: false, copy: None };
        let bars = vec![bar(1, 4, 6), bar(0, 2, 3), bar(1, 1, 2), bar(1, 2, 3), bar(1, 8, 9)];
        assert_eq!(together(bars), [bar(0, 2, 3), bar(1, 1, 6), bar(1, 8, 9)]);
        assert_eq!(together(Vec::new()), []);
    }

    #[test]
    fn marks_leave_by_the_step_that_removes_them() {
        let mark = |step| MarkView { step, line: 1, covers: Vec::new() };
        let memory = |marks: &[usize]| {
            let marks = marks.iter().map(|&step| mark(step)).collect();
            let frames = vec![FrameView { name: "wave 0".into(), marks }];
            let flights = vec![FlightView { agent: 0, frames, copies: Vec::new() }];
            MemoryView { flights, ..MemoryView::default() }
        };
        let steps = [0, 1].map(|phase| step(0, "mark", phase, false));
        let view = |count| track(steps[..count].to_vec(), 0, 0).view.expect("a view");
        let before = Track::default().after(shown(view(1), memory(&[0, 1])));
        assert_eq!(before.left, []);
        let after = before.after(shown(view(2), memory(&[1])));
        assert_eq!(after.left, [(0, 0, mark(0))]);
    }
}
