//! The execution as the page knows it. Independent of signals and elements.

use crate::engine::{AgentView, MarkView, MemoryView, Performed, View};
use protocol::{Band, Bar, ReceivedTrace, Shown};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The execution so far and the undone steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trace {
    /// The state of the execution without its steps; `None` before the first valid text.
    pub view: Option<View>,
    /// Its steps, phases, and the rows in which agents waited.
    received: ReceivedTrace,
    /// Memory events of the steps.
    pub memory: MemoryView,
    /// Marks that the last step removed, each with its agent and the index of its function body.
    pub left: Vec<(usize, usize, MarkView)>,
    /// Describes the hardware model of the execution; empty for an execution of the specification.
    pub machine: String,
}

/// One performed or undone operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Row, from 0.
    pub index: usize,
    /// The operation.
    pub step: Performed,
    /// Name of its object.
    pub object: Option<String>,
    /// Rows of conflicting accesses that are unordered with it.
    pub races: Vec<usize>,
}

impl Trace {
    /// Applies a change, which contains only what is new.
    pub(crate) fn after(mut self, mut shown: Shown) -> Self {
        let before = self.received.cursor;
        if self.machine != shown.machine {
            // Steps of the other machine do not belong to this execution.
            shown.ahead = 0;
        }
        self.received.hear(&mut shown);
        let Shown { view, memory, machine, .. } = shown;
        let is_next = self.received.cursor == before + 1;
        self.left = if is_next { self.leaving(&memory) } else { Vec::new() };
        Self { view: Some(view), memory, machine, ..self }
    }

    /// Returns the marks that the change removed.
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

    /// Whether it is an execution on the hardware model.
    pub(crate) const fn of_machine(&self) -> bool {
        !self.machine.is_empty()
    }

    /// The cursor: the number of performed steps.
    pub(crate) const fn cursor(&self) -> usize {
        self.received.cursor
    }

    /// Number of performed and undone steps.
    pub(crate) fn length(&self) -> usize {
        self.received.steps.len()
    }

    /// Keys of all steps, performed or undone.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.received.steps.iter().map(|step| step.key.clone()).collect()
    }

    /// The agents.
    pub(crate) fn agents(&self) -> &[AgentView] {
        self.view.as_ref().map_or(&[], |view| &view.agents)
    }

    /// The performed steps.
    pub(crate) fn performed(&self) -> &[Performed] {
        &self.received.steps[..self.received.cursor]
    }

    /// Returns the existing rows of a range.
    pub(crate) fn rows(&self, shown: Range<usize>) -> Vec<Row> {
        let end = shown.end.min(self.received.steps.len());
        let row = |index: usize| {
            let step = self.received.steps[index].clone();
            let object = self.view.as_ref().zip(step.object);
            let object = object.and_then(|(view, object)| view.objects.get(object));
            let object = object.map(|object| object.name.clone());
            Row { index, object, races: self.races(index), step }
        };
        (shown.start..end).map(row).collect()
    }

    /// Returns the rows that race with a row.
    fn races(&self, row: usize) -> Vec<usize> {
        let pairs = self.memory.pairs.iter().filter(|pair| !pair.ordered);
        let ends = pairs.map(|pair| [(pair.first, pair.second), (pair.second, pair.first)]);
        ends.flatten().filter(|(one, _)| *one == row).map(|(_, other)| other).collect()
    }

    /// Returns the phases visible in some rows, by their first row.
    pub(crate) fn bands(&self, rows: &Range<usize>) -> Vec<Band> {
        let seen = |band: &&Band| band.from < rows.end && band.to >= rows.start;
        let mut bands: Vec<Band> = self.received.bands.iter().filter(seen).cloned().collect();
        bands.sort_by_key(|band| (band.from, band.object));
        bands
    }

    /// Returns the last row of the phase of an object that starts in a row, and whether the phase is complete.
    pub(crate) fn reach(&self, object: usize, from: usize) -> Option<(usize, bool)> {
        let own = |it: &&Band| (it.object, it.from) == (object, from);
        self.received.bands.iter().rfind(own).map(|it| (it.to, it.complete))
    }

    /// Packs the whole execution for the overview: the cursor, the number of lanes, of phases and of bars; each phase as its
    /// object, first and last row and whether it is complete; each bar as its lane, first and last row; each row as its lane, its
    /// class and its line. `places` gives the lane of each agent.
    ///
    /// The class has the object plus one in its low bits, then 1 for a wait, 2 for an access or a copy, 4 for a broken rule,
    /// and 8 for a race, times 65,536.
    pub(crate) fn packed(&self, places: &[(usize, bool)], lanes: usize) -> Vec<u32> {
        let lane = |agent: usize| places.get(agent).map_or(u32::MAX, |place| place.0 as u32);
        let ReceivedTrace { steps, bands, bars, .. } = &self.received;
        let waits = || bars.iter().filter(|bar| bar.copy.is_none());
        let mut packed: Vec<u32> =
            [self.cursor(), lanes, bands.len(), waits().count()].map(|it| it as u32).into();
        for band in bands {
            let Band { object, from, to, .. } = *band;
            packed.extend([object as u32, from as u32, to as u32, band.complete.into()]);
        }
        packed.extend(waits().flat_map(|bar| [lane(bar.agent), bar.from as u32, bar.to as u32]));
        let rows = packed.len();
        for step in steps {
            let kind = match &*step.kind {
                "wait" => 1,
                "load" | "store" | "copy" => 2,
                _ => 0,
            };
            let broke = u32::from(!step.broke.is_empty()) << 2;
            let object = step.object.map_or(0, |object| object as u32 + 1) & 0xffff;
            packed.extend([lane(step.agent), object | (kind | broke) << 16, step.line]);
        }
        let pairs = self.memory.pairs.iter().filter(|pair| !pair.ordered);
        for row in pairs.flat_map(|pair| [pair.first, pair.second]) {
            packed.get_mut(rows + 3 * row + 1).into_iter().for_each(|class| *class |= 8 << 16);
        }
        packed
    }

    /// Returns where agents waited and copies were in flight, within some rows.
    pub(crate) fn bars(&self, rows: &Range<usize>) -> Vec<Bar> {
        let seen = |bar: &&Bar| bar.from < rows.end && bar.to >= rows.start;
        self.received.bars.iter().filter(seen).cloned().collect()
    }
}

/// Merges the waits of agents that share a lane: adjacent bars become one.
pub(crate) fn together(mut bars: Vec<Bar>) -> Vec<Bar> {
    bars.sort_by_key(|bar| (bar.agent, bar.from));
    let mut whole: Vec<Bar> = Vec::new();
    for bar in bars {
        match whole.last_mut().filter(|it| it.agent == bar.agent && bar.from <= it.to + 1) {
            Some(it) => (it.to, it.ended) = (it.to.max(bar.to), it.ended.and(bar.ended)),
            None => whole.push(bar),
        }
    }
    whole
}

impl Row {
    /// Hashes everything visible of a row, so that only changed rows are redrawn.
    pub(crate) fn fingerprint(&self) -> u64 {
        let (step, mut hasher) = (&self.step, DefaultHasher::new());
        (self.index, &self.object, step.object, step.agent, &step.key).hash(&mut hasher);
        (&step.label, &step.short, &step.kind).hash(&mut hasher);
        (step.line, &step.phases, step.completes, &step.broke, &step.word, &self.races)
            .hash(&mut hasher);
        hasher.finish()
    }

    /// Describes the operation for screen readers: line, phase, races and broken rules.
    pub(crate) fn words(&self) -> String {
        let step = &self.step;
        let mut words = String::new();
        if step.line > 0 {
            words.push_str(&format!(", line {}", step.line));
        }
        if let (Some(object), Some(phase)) = (&self.object, step.phases.first()) {
            let ending = if step.completes { ", completes it" } else { "" };
            words.push_str(&format!(", phase {phase} of {object}{ending}"));
        }
        for other in &self.races {
            words.push_str(&format!(", unordered with step {}", other + 1));
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
    use crate::engine::{FlightView, FrameView};

    fn step(agent: usize, kind: &str, phase: u32) -> Performed {
        Performed {
            agent,
            key: format!("0.{agent}:{kind}{phase}"),
            label: format!("{kind} wg"),
            short: format!("{kind} wg"),
            line: 1,
            kind: kind.into(),
            object: Some(0),
            phases: vec![phase],
            completes: false,
            broke: Vec::new(),
            word: String::new(),
        }
    }

    fn shown(kept: usize, performed: &[Performed], ahead: usize) -> Shown {
        let view = View {
            performed: performed.to_vec(),
            undone: Vec::new(),
            agents: Vec::new(),
            objects: Vec::new(),
            state: "running".into(),
            summary: String::new(),
        };
        let (bands, bars, memory) = (Vec::new(), Vec::new(), MemoryView::default());
        Shown { kept, view, ahead, bands, bars, memory, machine: String::new() }
    }

    #[test]
    fn undone_steps_stay_until_a_different_step_is_performed() {
        let steps = [step(0, "arrive", 1), step(1, "arrive", 1), step(0, "wait", 1)];
        let full = Trace::default().after(shown(0, &steps, 0));
        let back = full.after(shown(1, &[], 2));
        assert_eq!((back.cursor(), back.length(), back.performed()), (1, 3, &steps[..1]));
        assert_eq!(back.rows(1..usize::MAX).len(), 2);
        let forward = back.clone().after(shown(1, &steps[1..2], 1));
        assert_eq!((forward.cursor(), &*forward.received.steps), (2, &steps[..]));
        let other = back.clone().after(shown(1, &steps[2..], 0));
        assert_eq!(other.received.steps, [steps[0].clone(), steps[2].clone()]);
        let machine =
            back.after(Shown { machine: "A machine.".into(), ..shown(0, &steps[..1], 2) });
        assert_eq!((machine.cursor(), machine.length()), (1, 1));
    }

    #[test]
    fn a_complete_phase_that_does_not_grow_is_not_sent_again() {
        let band = |from, to, complete| Band {
            object: 0,
            name: "wg".into(),
            phase: 1,
            from,
            to,
            complete,
            place: 0,
        };
        let bar = |from, ended| Bar { agent: 0, from, to: from, ended, copy: None };
        let steps = [0, 1, 2, 3].map(|agent| step(agent, "arrive", 1));
        let received =
            |kept: usize, bands, bars| Shown { bands, bars, ..shown(kept, &steps[kept..], 0) };
        let one = Trace::default().after(received(
            0,
            vec![band(0, 1, true), band(2, 3, false)],
            vec![bar(0, Some(1)), bar(1, Some(2)), bar(3, None)],
        ));
        let two = one.after(received(2, vec![band(2, 4, true)], vec![bar(1, Some(3))]));
        assert_eq!(two.bands(&(0..9)), [band(0, 1, true), band(2, 4, true)]);
        assert_eq!(two.bands(&(2..3)), [band(2, 4, true)]);
        assert_eq!((two.reach(0, 2), two.reach(0, 3)), (Some((4, true)), None));
        assert_eq!(two.bars(&(0..9)), [bar(0, Some(1)), bar(1, Some(3))]);
        assert_eq!(two.bars(&(1..9)), [bar(1, Some(3))]);
    }

    #[test]
    fn agents_that_share_a_lane_share_a_bar() {
        let bar = |agent, from, to, ended| Bar { agent, from, to, ended, copy: None };
        let all = [(1, 4, 6), (0, 2, 3), (1, 1, 2), (1, 2, 3), (1, 8, 9)];
        let bars = all.map(|(agent, from, to)| bar(agent, from, to, Some(9))).to_vec();
        let whole = [(0, 2, 3), (1, 1, 6), (1, 8, 9)];
        let whole = whole.map(|(agent, from, to)| bar(agent, from, to, Some(9)));
        assert_eq!(together(bars), whole);
        assert_eq!(together(Vec::new()), []);
        let open = together(vec![bar(0, 0, 3, None), bar(0, 2, 3, Some(4))]);
        assert_eq!(open, [bar(0, 0, 3, None)]);
    }

    #[test]
    fn the_removing_step_lists_removed_marks() {
        let mark = |step| MarkView { step, line: 1, covers: Vec::new() };
        let memory = |marks: &[usize]| {
            let marks = marks.iter().map(|&step| mark(step)).collect();
            let frames = vec![FrameView { name: "wave 0".into(), marks }];
            let flights = vec![FlightView { agent: 0, frames, copies: Vec::new() }];
            MemoryView { flights, ..MemoryView::default() }
        };
        let steps = [0, 1].map(|phase| step(0, "mark", phase));
        let before =
            Trace::default().after(Shown { memory: memory(&[0, 1]), ..shown(0, &steps[..1], 0) });
        assert_eq!(before.left, []);
        let after = before.after(Shown { memory: memory(&[1]), ..shown(1, &steps[1..], 0) });
        assert_eq!(after.left, [(0, 0, mark(0))]);
    }
}
