//! Cases: values of the arguments for which all agents do the same.

use super::agreed;
use super::answers::Asked;
use super::graph::record;
use super::guards::Begin;
use super::inputs::{Coarse, Inputs};
use super::known::Known;
use super::pace::Loops;
use super::prove::prove;
use super::recorded::Recorded;
use super::request::{Note, Stop};
use super::search::{ALL_STEPS, Agents, Case, Search};
use super::world::Run;
use crate::ir::{Argument, Passed};
use crate::value::ones;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::program::Node;

/// The maximum number of cases.
const MOST_CASES: usize = 72;
/// The maximum number of cases of a kernel with mbarrier objects whose cases have more than [`MOST_OBJECT_NODES`] nodes.
const MOST_OBJECT_CASES: usize = 22;
/// See [`MOST_OBJECT_CASES`].
const MOST_OBJECT_NODES: usize = 12_000;
/// The maximum number of nodes of all cases together.
const MOST_NODES: usize = 100_000;
/// The maximum number of instructions of one agent in one case.
const STEPS: u64 = 300_000;
/// The maximum number of evaluations of a case until the known contents of shared memory do not change any more.
const MOST_ROUNDS: usize = 5;
/// The maximum number of answers of each agent in each attempt with agreed data.
const ANSWERS: [u32; 2] = [9, 14];
/// The maximum number of cases with different answers.
const MOST_ANSWERED: usize = 160;
/// The numbers of cases after which a proof is tried for all other values.
const PROOFS: [usize; 9] = [3, 5, 8, 11, 15, 22, 32, 48, 72];

/// The steps by which arguments grow in a proof. The next one is tried if a proof fails.
const STEPS_OF_ARGUMENTS: [u64; 5] = [1, 2, 4, 8, 16];
/// The maximum number of proofs, one for each combination of remainders, or for each part of a region.
const MOST_CLASSES: u64 = 16;

/// Ranges of values of the arguments: the minimum and the maximum of each.
type Region = Vec<(i64, i64)>;

/// All cases, the number of exact ones, which come first, and whether the cases cover all values.
pub(super) fn all(search: &mut Search<'_>) -> Result<((Vec<Case>, usize), bool), Note> {
    let (world, place) = (search.world, search.place);
    let (mut cases, mut complete) = search.cases()?;
    if world.agreed.is_useful()
        && let Some(agreeing) = search.agreeing()
    {
        (cases, complete) = agreeing;
    }
    let exact = cases.len();
    let mut partial = None;
    // Cases in which comparisons of lanes with arguments are data cover the other values. They prove nothing if they reach a
    // construct that is not modelled.
    for coarse in [Coarse::Exact, Coarse::Widened] {
        // Without an exact case, data end a loop whose states never repeat.
        if complete || !search.by_lane && exact > 0 {
            break;
        }
        (search.coarse, search.left) = (coarse, ALL_STEPS / 4);
        let notes = world.notes.borrow().clone();
        let (more, proved) = search.cases()?;
        if proved && *world.notes.borrow() == notes {
            cases.extend(more);
            complete = true;
        } else {
            let found = world.notes.replace(notes);
            if partial.is_none() && !more.is_empty() {
                partial = Some((more, found));
            }
        }
    }
    if cases.is_empty() {
        let message = match partial {
            Some((more, notes)) => {
                (cases, *world.notes.borrow_mut()) = (more, notes);
                "the length of a loop depends on data; only its first rounds are checked"
            }
            None => {
                cases.push(search.nothing());
                "the kernel takes more steps than the checker evaluates"
            }
        };
        world.note(place, String::from(message));
    }
    Ok(((cases, exact), complete))
}

impl Search<'_> {
    /// Evaluates the cases again with agreed data. `None` if that is no better: an incomplete evaluation replaces only one that
    /// reached constructs that are not modelled.
    fn agreeing(&mut self) -> Option<(Vec<Case>, bool)> {
        let world = self.world;
        let before = world.notes.take();
        let guesses = core::mem::replace(&mut self.guesses, true);
        world.agreed.is_used.set(true);
        let mut found = None;
        for answers in ANSWERS {
            (self.most_answers, self.judged, self.left) = (answers, u32::MAX, ALL_STEPS / 4);
            let Ok((cases, proved)) = self.cases() else { break };
            let clean = world.notes.borrow().is_empty();
            let fits = clean && !cases.is_empty() && (proved || !before.is_empty());
            if fits {
                found = Some((cases, proved));
            }
            if proved || !clean || self.judged == u32::MAX {
                break;
            }
            world.notes.take();
        }
        world.agreed.is_used.set(false);
        if found.is_none() {
            self.guesses = guesses;
            *world.notes.borrow_mut() = before;
        } else {
            world.notes.take();
            world.doubts.set(false);
        }
        found
    }

    /// Evaluates all agents in a case, for all answers for agreed data.
    fn answered(&mut self, inputs: &Inputs) -> Result<Vec<(Vec<bool>, Agents)>, Stop> {
        let agreed = &self.world.agreed;
        let mut open = alloc::vec![Vec::new()];
        let mut found = Vec::new();
        while let Some(at) = (0..open.len()).min_by_key(|&at| reached(&open[at])) {
            if reached(&open[at]) >= self.most_answers && self.most_answers > 0 {
                self.judged = self.judged.min(reached(&open[at]));
                break;
            }
            if found.len() >= MOST_ANSWERED {
                return Err(Stop::NoProof);
            }
            let given = open.swap_remove(at);
            let agents = loop {
                agreed.begin(&given);
                let agents = self.agents(inputs)?;
                if agreed::holds(self.world, self.request.launch, &agents) {
                    break agents;
                }
            };
            if self.standings.len() > self.groups as usize && !agreed.are_shared() {
                return Err(Stop::NoProof);
            }
            open.extend(agreed.others(given.len()));
            found.push((agreed.answers(), agents));
        }
        Ok(found)
    }

    /// Inputs with these values of the arguments; see [`Inputs::new`].
    fn inputs(&self, values: &[i64], proof: Option<Vec<u64>>) -> Inputs {
        let values = (values, &self.split);
        let inputs = Inputs::new(self.request.module, values, self.request.given, proof);
        #[cfg(feature = "proofs")]
        if let Some(grid) = &self.world.grid {
            return inputs.numbered(grid.borrow().first());
        }
        inputs
    }

    /// The values that an argument can have.
    fn range(&self, at: usize, argument: &Argument) -> (i64, i64) {
        #[cfg(feature = "proofs")]
        if let Some(range) = self.world.grid.as_ref().and_then(|it| it.borrow().range(at)) {
            return range;
        }
        let given = self.request.given.iter().find(|(id, _)| *id as usize == at);
        match (given, argument.passed) {
            (Some((_, value)), _) => (*value, *value),
            (None, Passed::Integer) => {
                let most = (ones(argument.width) >> 1) as i64;
                let bits = self.split.parts(at, 0).map_or(0, |(bits, _)| bits);
                ((-most - 1) >> bits, most >> bits)
            }
            _ => (0, 0),
        }
    }

    /// Evaluates cases until each value of the arguments is in a case or proved equivalent to one. The second result is whether
    /// this succeeded.
    fn cases(&mut self) -> Result<(Vec<Case>, bool), Note> {
        let arguments = self.request.module.arguments.iter().enumerate();
        let ranges = arguments.map(|(at, argument)| self.range(at, argument));
        let mut whole: Region = ranges.collect();
        whole.extend(self.split.remainders().map(|most| (0, most)));
        let mut open: Vec<Region> = alloc::vec![whole];
        let (mut cases, mut nodes, mut judged) = (Vec::<Case>::new(), 0, 0);
        self.cases.clear();
        // Regions of negative values that take too many steps, because they are large in unsigned comparisons.
        let mut huge: Vec<Region> = Vec::new();
        while !open.is_empty() {
            let objects = !self.world.mbarriers.borrow().is_empty();
            let large = objects && nodes > MOST_OBJECT_NODES;
            let most = if large { MOST_OBJECT_CASES } else { MOST_CASES };
            let full = judged >= most || nodes > MOST_NODES;
            if full || PROOFS.contains(&judged) {
                open.retain(|region| !self.proves(region));
                if full {
                    let proved = open.is_empty() && self.proves_huge(&huge);
                    return Ok((cases, proved));
                }
            }
            let Some(at) = nearest(&open) else { break };
            let region = open.swap_remove(at);
            let value = |(at, &range)| self.strides.value(at, range).unwrap_or_else(|| near(range));
            let values: Vec<i64> = region.iter().enumerate().map(value).collect();
            let inputs = self.inputs(&values, None);
            let inputs = inputs.coarse(self.coarse).spaced(self.spaced(&values));
            let varying = self.world.varying.borrow().clone();
            let answered = self.answered(&inputs);
            if let Ok(answered) = &answered
                && answered.iter().any(|(_, one)| self.spread(&values, &inputs.reach(), one))
            {
                *self.world.varying.borrow_mut() = varying;
                open.push(region);
                continue;
            }
            self.by_lane |= inputs.differ_by_lane();
            match answered {
                Ok(answered) => {
                    judged += 1;
                    for (answers, agents) in answered {
                        let decisions = self.world.decisions.borrow();
                        let buffers = self.world.buffers.borrow();
                        self.guesses |= decisions.are_guesses(&agents, &buffers);
                        nodes += agents.iter().map(|(_, one)| one.nodes.len()).sum::<usize>();
                        let arguments = self.request.module.arguments.len();
                        let values = self.split.joined(values.clone(), arguments);
                        cases.push(Case { values, answers, agents });
                    }
                    let part = split(&region, &values, &inputs.reach(), &mut open);
                    self.cases.push((values, part.clone()));
                    // A loop that data end may continue after the evaluated iterations.
                    if (inputs.is_cut() || self.judged < u32::MAX) && !self.proves(&part) {
                        return Ok((cases, false));
                    }
                }
                Err(Stop::TooDeep(place)) => {
                    let message = String::from("functions call each other too deeply");
                    return Err(Note { place, message });
                }
                Err(Stop::TooLong) if values.iter().any(|&value| value < 0) && !open.is_empty() => {
                    *self.world.varying.borrow_mut() = varying;
                    huge.push(region);
                }
                Err(_) => {
                    open.push(region);
                    open.append(&mut huge);
                    let proved = !cases.is_empty() && open.iter().all(|region| self.proves(region));
                    return Ok((cases, proved));
                }
            }
        }
        let proved = self.proves_huge(&huge);
        Ok((cases, proved))
    }

    /// Whether negative values that take too many steps are equivalent to values that were evaluated. As unsigned numbers, they
    /// are larger than all others. If no comparison depends on the sign, they end the same loops as small values.
    fn proves_huge(&mut self, huge: &[Region]) -> bool {
        self.huge = true;
        let proved = huge.iter().all(|region| self.proves(region));
        self.huge = false;
        proved
    }

    /// The arguments whose value here is a stride that keeps rows far apart.
    fn spaced<'a>(&'a self, values: &'a [i64]) -> impl Iterator<Item = usize> + 'a {
        self.strides.arguments().filter(|&at| self.strides.is_chosen(at, values[at]))
    }

    /// Chooses a large value for one more stride, with which the case is evaluated again. `false` if there is none.
    fn spread(&mut self, values: &[i64], reach: &[(u64, u64)], agents: &[(u32, Recorded)]) -> bool {
        let (factors, buffers) = (self.world.factors.borrow(), self.world.buffers.borrow());
        let of = (self.request.module, &*buffers);
        self.strides.extend(&factors, (values, reach), agents, of)
    }

    /// A case without operations, for a kernel of which no case could be evaluated.
    fn nothing(&self) -> Case {
        let recorded = || Recorded {
            nodes: alloc::vec![Node::End],
            places: alloc::vec![self.place],
            ..Recorded::default()
        };
        let agents = self.standings.iter().map(|standing| (standing.group, recorded())).collect();
        let values = alloc::vec![0; self.request.module.arguments.len()];
        Case { values, answers: Vec::new(), agents }
    }

    /// Evaluates all agents in a case, with the known contents of shared memory.
    fn agents(&mut self, inputs: &Inputs) -> Result<Agents, Stop> {
        let (world, launch) = (self.world, self.request.launch);
        let notes = world.notes.borrow().clone();
        // The contents known from other cases are used if this case confirms them.
        let mut known = self.known.as_ref().map(|(known, _)| known.clone()).unwrap_or_default();
        let mut first = true;
        for _ in 0..MOST_ROUNDS {
            *world.known.borrow_mut() = known.clone();
            *world.notes.borrow_mut() = notes.clone();
            let agents = self.recorded(inputs)?;
            let decided = |node: &Node| matches!(node, Node::Operation { operation, .. } if operation.decided || operation.possible);
            if known.is_empty() && !agents.iter().any(|(_, one)| one.nodes.iter().any(decided)) {
                return Ok(agents);
            }
            let more = Rc::new(Known::of(world, launch, &agents));
            if more == known {
                self.known = match self.known.take() {
                    old if known.is_empty() => old,
                    Some((old, same)) => Some((old.clone(), same && old == known)),
                    None => Some((known, true)),
                };
                return Ok(agents);
            }
            known = if first && !known.is_empty() { Rc::default() } else { more };
            first = false;
        }
        *world.known.borrow_mut() = Rc::default();
        *world.notes.borrow_mut() = notes;
        self.recorded(inputs)
    }

    /// Counts the instructions of an agent that was evaluated with this limit.
    fn take(&mut self, steps: u64) {
        let taken = steps - self.world.steps.get();
        (self.left, self.taken) = (self.left - taken, self.taken + taken);
    }

    /// Evaluates all agents in a case.
    fn recorded(&mut self, inputs: &Inputs) -> Result<Agents, Stop> {
        self.world.decisions.take();
        let mut agents = Vec::with_capacity(self.standings.len());
        for standing in self.standings {
            let run = Run { world: self.world, standing, inputs };
            let start = run.start(self.request.kernel).ok_or(Stop::TooLong)?;
            let steps = STEPS.min(self.left);
            self.world.steps.set(steps);
            let recorded = record(&run, start, self.place)?;
            self.take(steps);
            agents.push((standing.group, recorded));
        }
        Ok(agents)
    }

    /// Sets the contents of shared memory that a proof may use: those that are the same in all cases and for these values, with
    /// which the proof starts.
    fn know(&mut self, values: &[i64]) {
        let known = match &self.known {
            Some((known, true)) => known.clone(),
            _ => Rc::default(),
        };
        let inputs = self.inputs(values, None);
        let same =
            known.is_empty() || self.agents(&inputs).is_ok() && *self.world.known.borrow() == known;
        *self.world.known.borrow_mut() = if same { known } else { Rc::default() };
    }

    /// Whether every agent repeats itself for all values of a region and reaches nothing that is not modelled. If a proof covers
    /// only some values of a remainder, the others are proved separately.
    fn proves(&mut self, region: &Region) -> bool {
        if !cfg!(feature = "proofs") {
            return self.proves_part(region);
        }
        let (mut open, mut parts) = (alloc::vec![region.clone()], 1);
        while let Some(mut region) = open.pop() {
            if self.proves_part(&region) {
                continue;
            }
            let Some((at, last)) = self.cut.filter(|_| parts < MOST_CLASSES) else {
                return false;
            };
            let mut rest = region.clone();
            (region[at].1, rest[at].0) = (last, last + 1);
            open.extend([rest, region]);
            parts += 1;
        }
        true
    }

    /// Whether one proof covers all values of a region. A failed proof does not change the notes of the exact cases.
    fn proves_part(&mut self, region: &Region) -> bool {
        self.cut = None;
        let notes = self.world.notes.borrow().clone();
        #[cfg(feature = "proofs")]
        let grid = self.world.grid.clone();
        let proved = self.repeats(region) && *self.world.notes.borrow() == notes;
        #[cfg(feature = "proofs")]
        if let (false, Some(now), Some(before)) = (proved, &self.world.grid, grid) {
            now.replace(before.take());
        }
        if !proved {
            *self.world.notes.borrow_mut() = notes;
        }
        proved
    }

    /// Whether every agent repeats itself for all values of a region. This is proved for all values together, or for each
    /// remainder of some arguments.
    fn repeats(&mut self, region: &Region) -> bool {
        let mut stepped = 0;
        for step in STEPS_OF_ARGUMENTS {
            let count = u128::count_ones(stepped);
            let classes = step.checked_pow(count).filter(|classes| *classes <= MOST_CLASSES);
            let tried = region.iter().zip(0..128).filter(|(_, at)| stepped >> at & 1 == 1);
            let mut tried = tried.map(|(&range, _)| near(range).unsigned_abs());
            let Some(classes) = classes.filter(|_| tried.all(|tried| tried >= step)) else {
                return false;
            };
            let mut hints = 0;
            let mut proves = |class| {
                let (proved, more) = self.proves_class(region, (step, stepped, class));
                hints |= more;
                proved
            };
            if (0..classes).all(&mut proves) {
                return true;
            }
            if hints == 0 {
                return false;
            }
            self.hinted |= hints;
            stepped |= hints;
        }
        false
    }

    /// Whether every agent repeats itself for the values of a region with certain remainders. `stepped` has one bit for each
    /// argument that grows by `step`; `class` encodes their remainders. The second result has one bit for each argument that
    /// might need a step.
    fn proves_class(
        &mut self,
        region: &Region,
        (step, stepped, mut class): (u64, u128, u64),
    ) -> (bool, u128) {
        // Values grow from the one nearest to zero. A region below zero starts at its minimum.
        let (mut values, mut room, mut begin) = (Vec::new(), Vec::new(), Vec::new());
        for (at, &(least, most)) in region.iter().enumerate() {
            let mut value = if most < 0 { least } else { near((least, most)) };
            let mut by = 1;
            if at < 128 && stepped >> at & 1 == 1 {
                value = value.wrapping_add((class % step) as i64);
                (class, by) = (class / step, step);
            }
            if value > most {
                return (true, 0);
            }
            values.push(value);
            room.push(most.wrapping_sub(value) as u64 / by);
            // As unsigned numbers, negative values are larger than all others.
            let far = self.huge && value < 0;
            let bits = self.split.parts(at, 0).map_or(0, |(bits, _)| bits);
            let width = self.request.module.arguments.get(at).map_or(64, |one| one.width - bits);
            let first = i128::from(value) + if far { 1 << width } else { 0 };
            begin.push(Begin { first, step: by, far });
        }
        self.know(&values);
        let inputs = self.inputs(&values, Some(room));
        let inputs = inputs.coarse(self.coarse).stepped(step, stepped);
        let inputs = inputs.spaced(self.strides.arguments()).judged(self.judged);
        let mut loops = Loops::default();
        self.world.rounds.borrow_mut().clear();
        let proved = (0..).zip(self.standings).all(|(agent, standing)| {
            let run = Run { world: self.world, standing, inputs: &inputs };
            let steps = STEPS.min(self.left);
            self.world.steps.set(steps);
            let found = run.start(self.request.kernel).map(|start| prove(&run, start));
            self.take(steps);
            let Some(Ok(found)) = found else { return false };
            found.into_iter().for_each(|one| loops.add(agent, standing.group, one));
            true
        });
        let clusters = self.request.launch.cluster.iter().any(|&size| size > 1);
        let proved = proved && loops.keep_pace(clusters);
        let proved = proved && !(self.huge && inputs.depends_on_signs());
        let proved = proved && inputs.guards.are_judged(&begin, &self.cases);
        if cfg!(feature = "proofs")
            && let Some((symbol, up)) = inputs.cut_at()
        {
            let at = usize::from(symbol);
            self.cut = Some((at, values[at].saturating_add_unsigned(up)));
        }
        (proved && !self.world.rounds.borrow_mut().may_meet(), inputs.hints())
    }
}

/// The number of answers that an agent had before the last of these; 0 without answers.
fn reached(answers: &[Asked]) -> u32 {
    answers.last().map_or(0, |last| last.before)
}

/// The value of a range that is nearest to zero.
fn near((least, most): (i64, i64)) -> i64 {
    0.clamp(least, most)
}

/// The index of the region whose values are nearest to zero, positive ones first; `None` without regions.
fn nearest(open: &[Region]) -> Option<usize> {
    let far = |region: &Region| -> u64 {
        let away = |&range: &(i64, i64)| {
            2 * near(range).unsigned_abs().min(1 << 40) + u64::from(near(range) < 0)
        };
        region.iter().map(away).sum()
    };
    (0..open.len()).min_by_key(|&at| (far(&open[at]), open[at].clone()))
}

/// Adds the parts of a region that a case does not represent to `open`. Returns the part that it represents.
fn split(region: &Region, values: &[i64], reach: &[(u64, u64)], open: &mut Vec<Region>) -> Region {
    let mut rest = region.clone();
    for (argument, &value) in values.iter().enumerate() {
        let (down, up) = reach.get(argument).copied().unwrap_or((u64::MAX, u64::MAX));
        let (least, most) = region[argument];
        let first = i128::from(value) - i128::from(down);
        let last = i128::from(value) + i128::from(up);
        let clamped = |to: i128| to.clamp(i128::from(least), i128::from(most)) as i64;
        let (first, last) = (clamped(first), clamped(last));
        if first > least {
            rest[argument] = (least, first - 1);
            open.push(rest.clone());
        }
        if last < most {
            rest[argument] = (last + 1, most);
            open.push(rest.clone());
        }
        rest[argument] = (first, last);
    }
    rest
}
