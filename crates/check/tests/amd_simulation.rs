//! Random AMDGPU programs against two direct simulations of every interleaving. One follows the definitions of the
//! barrier execution model word by word: it keeps the history of every object and looks for assignments of phases to waits. The other
//! is the one-bit machine with plain numbers. Neither shares code with the checker.

use crate::support::{Random, share};
use std::collections::{BTreeMap, BTreeSet};
use tidegate_check::{Options, Scene, check};

/// Objects: the workgroup barrier, then two named barriers.
const NAMES: [&str; 3] = ["wg", "n1", "n2"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Init(usize, i32),
    Join(usize),
    Arrive(usize, Option<i32>),
    Wait(usize),
    Drop(usize),
    /// The end of the wave, which drops the workgroup barrier.
    End,
}

type Waves = Vec<Vec<Op>>;

/// One dynamic operation: its wave and its position there.
type Event = (usize, usize);

fn named(random: &mut Random) -> usize {
    1 + random.below(2)
}

fn wave(random: &mut Random, index: usize, waves: usize, prelude: bool) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut joined = None;
    if prelude {
        if index == 0 {
            ops.extend((1..3).map(|object| Op::Init(object, 1 + random.below(waves) as i32)));
        }
        if random.chance(70) {
            joined = Some(named(random));
            ops.extend(joined.map(Op::Join));
        }
        ops.extend([Op::Arrive(0, None), Op::Wait(0)]);
    }
    for _ in 0..random.below(5) {
        let object = joined.filter(|_| random.chance(80)).unwrap_or_else(|| named(random));
        match random.below(20) {
            0 => ops.push(Op::Init(object, 1 + random.below(2) as i32)),
            1 => {
                joined = Some(object);
                ops.push(Op::Join(object));
            }
            2 => ops.push(Op::Arrive(object, Some(1 + random.below(3) as i32))),
            3 if random.chance(60) => ops.push(Op::Drop(joined.unwrap_or(object))),
            4..9 => ops.push(Op::Arrive(object, None)),
            9..12 => ops.push(Op::Wait(joined.unwrap_or(object))),
            12..16 => ops.extend([Op::Arrive(object, None), Op::Wait(joined.unwrap_or(object))]),
            16 => ops.push(Op::Arrive(0, None)),
            17 => ops.push(Op::Wait(0)),
            _ => ops.extend([Op::Arrive(0, None), Op::Wait(0)]),
        }
    }
    ops.push(Op::End);
    ops
}

fn program(seed: u64) -> Waves {
    let random = &mut Random::new(seed);
    let (waves, prelude) = (2 + random.below(2), random.chance(85));
    (0..waves).map(|index| wave(random, index, waves, prelude)).collect()
}

fn text(waves: &Waves) -> String {
    let mut text = format!("target gfx1250\nlaunch waves={}\n", waves.len());
    text += "barrier n1 = named(1)\nbarrier n2 = named(2)\n";
    for (index, ops) in waves.iter().enumerate() {
        text += &format!("wave {index} {{\n");
        for op in ops {
            text += &match *op {
                Op::Init(object, count) => format!("  init {}, {count}\n", NAMES[object]),
                Op::Join(object) => format!("  join {}\n", NAMES[object]),
                Op::Arrive(object, None) => format!("  arrive {}\n", NAMES[object]),
                Op::Arrive(object, Some(count)) => {
                    format!("  arrive {}, expected={count}\n", NAMES[object])
                }
                Op::Wait(object) => format!("  wait {}\n", NAMES[object]),
                Op::Drop(object) => format!("  drop {}\n", NAMES[object]),
                Op::End => String::new(),
            };
        }
        text += "}\n";
    }
    text
}

/// For each wait that returned, the object and the phase that it depends on.
type Choice = BTreeMap<Event, (usize, usize)>;

/// A state of the execution model: what each wave performed, the modification order of each object, and every choice of phases.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Model {
    next: Vec<usize>,
    orders: [Vec<Event>; 3],
    choices: BTreeSet<Choice>,
}

/// The state of an object, read off its modification order.
#[derive(Default)]
struct Object {
    ready: bool,
    expected: i32,
    arrived: i32,
    open: Vec<Event>,
    phases: Vec<Vec<Event>>,
    undefined: bool,
}

struct Text<'a>(&'a Waves);

impl Text<'_> {
    fn op(&self, (wave, at): Event) -> Op {
        self.0[wave][at]
    }

    fn object(&self, model: &Model, object: usize) -> Object {
        let mut state = Object::default();
        if object == 0 {
            (state.ready, state.expected) = (true, self.0.len() as i32);
        }
        for &event in &model.orders[object] {
            match self.op(event) {
                Op::Init(_, count) => {
                    (state.ready, state.expected, state.arrived) = (true, count, 0);
                    state.open.clear();
                    continue;
                }
                Op::Arrive(_, count) => {
                    state.undefined |= count.is_some_and(|count| count <= state.arrived);
                    state.expected = count.unwrap_or(state.expected);
                    state.arrived += 1;
                }
                _ => state.expected -= 1,
            }
            state.undefined |= !state.ready || state.expected < 0;
            state.open.push(event);
            if state.arrived == state.expected {
                let phase = std::mem::take(&mut state.open);
                if state.arrived > 0 {
                    state.phases.push(phase);
                }
                state.arrived = 0;
            }
        }
        state
    }

    /// The object on which a wait acts: a named wait acts on the barrier joined last.
    fn waits_on(&self, (wave, at): Event, operand: usize) -> usize {
        let before = self.0[wave][..at].iter().rev();
        let joined = before.filter_map(|op| match op {
            Op::Join(object) => Some(*object),
            _ => None,
        });
        if operand == 0 { 0 } else { joined.into_iter().next().unwrap_or(operand) }
    }

    /// The join that is *barrier-joined-before* an operation on an object.
    fn joined_before(&self, (wave, at): Event, object: usize) -> Option<Event> {
        let last = (0..at).rev().find(|&before| match self.0[wave][before] {
            Op::Join(_) => true,
            Op::Drop(dropped) => dropped == object,
            _ => false,
        })?;
        (self.0[wave][last] == Op::Join(object)).then_some((wave, last))
    }

    /// Whether an operation is *barrier-executes-before* another under a choice.
    fn before(&self, phases: &[Vec<Vec<Event>>; 3], choice: &Choice, a: Event, b: Event) -> bool {
        let mut open = vec![b];
        let mut seen = BTreeSet::new();
        while let Some(event) = open.pop() {
            if (event == a && event != b) || (event.0 == a.0 && event.1 > a.1) {
                return true;
            }
            if !seen.insert(event) {
                continue;
            }
            if let Some(&(object, phase)) = choice.get(&event) {
                open.extend(&phases[object][phase]);
            }
            if event.1 > 0 {
                open.push((event.0, event.1 - 1));
            }
        }
        false
    }

    /// Whether a choice keeps the rules that constrain it: a wait of one wave for each phase, and *phase separation*.
    fn consistent(&self, model: &Model, phases: &[Vec<Vec<Event>>; 3], choice: &Choice) -> bool {
        let class = |event: Event| {
            choice.get(&event).copied().or_else(|| {
                let used = choice.values().copied();
                used.into_iter().find(|&(object, phase)| phases[object][phase].contains(&event))
            })
        };
        choice.iter().all(|(&wait, &own)| {
            let twice = choice
                .iter()
                .any(|(other, &phase)| *other != wait && other.0 == wait.0 && phase == own);
            let performed =
                (0..self.0.len()).flat_map(|w| (0..model.next[w]).map(move |at| (w, at)));
            let between = performed.into_iter().any(|x| {
                class(x).is_some_and(|other| other.0 == own.0 && other != own)
                    && self.before(phases, choice, x, wait)
                    && phases[own.0][own.1].iter().any(|&a| self.before(phases, choice, a, x))
            });
            !twice && !between
        })
    }

    /// The choices after a wait returned.
    fn returned(&self, model: &Model, wait: Event, object: usize) -> BTreeSet<Choice> {
        let phases = [0, 1, 2].map(|object| self.object(model, object).phases);
        let mut after = model.clone();
        after.next[wait.0] += 1;
        let mut found = BTreeSet::new();
        for choice in &model.choices {
            for phase in 0..phases[object].len() {
                let mut longer = choice.clone();
                longer.insert(wait, (object, phase));
                if self.consistent(&after, &phases, &longer) {
                    found.insert(longer);
                }
            }
        }
        found
    }

    /// Whether a named wait that returned breaks the ordering of join and wait under a choice.
    fn joined_too_late(&self, phases: &[Vec<Vec<Event>>; 3], choice: &Choice) -> bool {
        choice.iter().any(|(&wait, &(object, phase))| {
            let ordered =
                |join| phases[object][phase].iter().any(|&x| self.before(phases, choice, join, x));
            object > 0 && !self.joined_before(wait, object).is_some_and(ordered)
        })
    }

    /// Whether an arrive that participates in a wait is followed by a drop that none of its waits precedes.
    fn drop_races(&self, model: &Model, phases: &[Vec<Vec<Event>>; 3], choice: &Choice) -> bool {
        (0..3).any(|object| {
            let order = &model.orders[object];
            order.iter().any(|&arrive| {
                let waits: Vec<Event> = choice
                    .iter()
                    .filter(|(_, phase)| {
                        phase.0 == object && phases[object][phase.1].contains(&arrive)
                    })
                    .map(|(&wait, _)| wait)
                    .collect();
                matches!(self.op(arrive), Op::Arrive(..))
                    && !waits.is_empty()
                    && order.iter().any(|&drop| {
                        matches!(self.op(drop), Op::Drop(_) | Op::End)
                            && drop.0 == arrive.0
                            && drop.1 > arrive.1
                            && !waits.iter().any(|&w| self.before(phases, choice, w, drop))
                    })
            })
        })
    }
}

const ORDER: [&str; 4] = ["ok", "deadlock", "violation", "ub"];

/// The state after the next operation of a wave; `Ok(None)` if it waits, `Err` where its behaviour is undefined.
fn step(text: &Text, model: &Model, wave: usize) -> Result<Option<Model>, ()> {
    let event = (wave, model.next[wave]);
    let mut after = model.clone();
    after.next[wave] += 1;
    match text.op(event) {
        Op::Join(_) => {}
        Op::Wait(operand) => {
            let object = text.waits_on(event, operand);
            after.choices = text.returned(model, event, object);
            if after.choices.is_empty() {
                return Ok(None);
            }
            let phases = [0, 1, 2].map(|object| text.object(&after, object).phases);
            if after.choices.iter().all(|choice| text.joined_too_late(&phases, choice)) {
                return Err(());
            }
        }
        Op::Init(object, _) | Op::Arrive(object, _) | Op::Drop(object) => {
            after.orders[object].push(event);
            let dropped = matches!(text.op(event), Op::Drop(_));
            let unjoined = dropped && text.joined_before(event, object).is_none();
            if unjoined || text.object(&after, object).undefined {
                return Err(());
            }
        }
        Op::End => after.orders[0].push(event),
    }
    Ok(Some(after))
}

/// The verdict of the execution model, as its place in `ORDER`; `None` if there are too many states.
fn by_definition(waves: &Waves) -> Option<usize> {
    let text = Text(waves);
    let mut open = vec![Model {
        next: vec![0; waves.len()],
        orders: Default::default(),
        choices: BTreeSet::from([Choice::new()]),
    }];
    let (mut seen, mut worst) = (BTreeSet::new(), 0);
    while let Some(model) = open.pop() {
        if !seen.insert(model.clone()) {
            continue;
        }
        if seen.len() > 4_000 {
            return None;
        }
        let live = (0..waves.len()).filter(|&wave| model.next[wave] < waves[wave].len());
        let live: Vec<usize> = live.collect();
        let mut moved = false;
        for &wave in &live {
            match step(&text, &model, wave) {
                Ok(None) => continue,
                Ok(Some(after)) => open.push(after),
                Err(()) => return Some(3),
            }
            moved = true;
        }
        if moved {
            continue;
        }
        let phases = [0, 1, 2].map(|object| text.object(&model, object).phases);
        if model.choices.iter().all(|choice| text.drop_races(&model, &phases, choice)) {
            worst = worst.max(2);
        }
        for wave in live {
            let event = (wave, model.next[wave]);
            let Op::Wait(operand) = text.op(event) else { unreachable!("only waits block") };
            let object = text.waits_on(event, operand);
            let unjoined = object > 0 && text.joined_before(event, object).is_none();
            worst = worst.max(if unjoined { 3 } else { 1 });
        }
    }
    Some(worst)
}

/// A state of the one-bit machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Bits {
    next: Vec<usize>,
    members: [i32; 3],
    signals: [i32; 3],
    /// For each wave the named barrier that it joined, and its completion bits of the workgroup and of the named barriers.
    waves: Vec<(usize, [bool; 2])>,
}

impl Bits {
    fn complete(&mut self, object: usize, text: &Waves) {
        self.signals[object] = 0;
        for (wave, (joined, bits)) in self.waves.iter_mut().enumerate() {
            let live = self.next[wave] < text[wave].len();
            let member = object == 0 || *joined == object;
            bits[usize::from(object > 0)] |= live && member;
        }
    }

    fn leave(&mut self, object: usize, text: &Waves) {
        self.members[object] = (self.members[object] - 1).max(0);
        if self.signals[object] >= self.members[object] {
            self.complete(object, text);
        }
    }

    /// Performs the next operation of a wave; `false` if it waits.
    fn step(&mut self, wave: usize, text: &Waves) -> bool {
        let op = text[wave][self.next[wave]];
        match op {
            Op::Wait(operand) => {
                let class = usize::from(operand > 0);
                let own = &mut self.waves[wave];
                let waits = operand == 0 || own.0 > 0;
                if waits && !std::mem::take(&mut own.1[class]) {
                    return false;
                }
            }
            Op::Init(object, count) => (self.members[object], self.signals[object]) = (count, 0),
            Op::Join(object) => {
                self.waves[wave].0 = object;
                self.waves[wave].1[1] = false;
            }
            Op::Arrive(object, count) => {
                self.members[object] = count.unwrap_or(self.members[object]);
                if self.members[object] > 0 {
                    self.signals[object] += 1;
                    if self.signals[object] >= self.members[object] {
                        self.complete(object, text);
                    }
                }
            }
            Op::Drop(_) => {
                let (joined, bits) = &mut self.waves[wave];
                let object = std::mem::take(joined);
                if object > 0 {
                    bits[1] = false;
                    self.leave(object, text);
                }
            }
            Op::End => {}
        }
        self.next[wave] += 1;
        if op == Op::End {
            self.leave(0, text);
        }
        true
    }
}

/// Whether some interleaving of the one-bit machine leaves a wave waiting.
fn machine_hangs(text: &Waves) -> bool {
    let mut open = vec![Bits {
        next: vec![0; text.len()],
        members: [text.len() as i32, 0, 0],
        signals: [0; 3],
        waves: vec![(0, [false; 2]); text.len()],
    }];
    let mut seen = BTreeSet::new();
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let live = (0..text.len()).filter(|&wave| state.next[wave] < text[wave].len());
        let live: Vec<usize> = live.collect();
        let after = live.iter().filter_map(|&wave| {
            let mut after = state.clone();
            after.step(wave, text).then_some(after)
        });
        let before = open.len();
        open.extend(after);
        if open.len() == before && !live.is_empty() {
            return true;
        }
    }
    false
}

#[test]
fn random_programs_by_simulation() {
    let (mut verdicts, mut hangs, programs) = (BTreeMap::new(), 0, share(2_000));
    for seed in 0..programs {
        let waves = program(seed);
        let text = text(&waves);
        let scene = Scene::new("random.tide", &text);
        let options = Options { ambiguities: false, ..Options::default() };
        let report = check(&scene, &options, &mut |_| true);
        assert!(report.exhaustive, "{text}");
        let machine = report.machine.expect("gfx1250 has a machine");
        let hang = machine_hangs(&waves);
        assert_eq!(machine.verdict, if hang { "deadlock" } else { "ok" }, "seed {seed}\n{text}");
        hangs += u64::from(hang);
        let Some(worst) = by_definition(&waves) else { continue };
        assert_eq!(report.verdict, ORDER[worst], "seed {seed}\n{text}\n{:?}", report.findings);
        *verdicts.entry(report.verdict).or_insert(0) += 1;
    }
    println!("{programs} programs: {verdicts:?}, {hangs} hang on the machine");
    assert!(ORDER.iter().all(|&verdict| verdicts[verdict] >= programs / 100), "{verdicts:?}");
    assert!(hangs >= programs / 10 && hangs <= programs * 9 / 10, "{hangs}");
}
