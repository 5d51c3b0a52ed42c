//! The graph of what one agent can do.

use super::inputs::Coarse;
use super::recorded::{OPEN, Recorded};
use super::request::Stop;
use super::state::State;
use super::warp;
use super::world::{Event, Run};
use crate::hash::WordHasher;
use crate::ir::Place;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use tidegate_model::program::{Node, NodeId};

/// The maximum number of states that are remembered to recognise a loop.
const MOST_STATES: usize = 20_000;
/// The approximate maximum size of these states in bytes.
const MOST_BYTES: usize = 200_000_000;
/// The maximum number of nodes of one agent.
const MOST_NODES: usize = 60_000;
/// A successor that is to be set: the node, and the index of the successor; `None` if there is only one.
type Slot = (NodeId, Option<usize>);

#[derive(Default)]
struct Graph {
    made: Recorded,
    /// The states that were seen and their nodes: those with the same hash together.
    seen: Vec<Vec<(State, NodeId)>>,
    /// The positions in `seen` by the hash of the state.
    hashes: BTreeMap<u64, u32>,
    states: usize,
    /// The approximate size of the states in bytes.
    bytes: usize,
    /// The last state at each loop header, with the number of earlier ones.
    headers: Vec<(State, usize)>,
}

/// The number of different states at a loop header before registers that differ become data, if arguments are data.
const EXACT_ROUNDS: usize = 4;
/// The number of times that a loop header is reached after a branch on data before data are assumed to end the loop. These
/// iterations then represent all: see `evaluate/prove.rs`.
pub(super) const MOST_DECIDED_ROUNDS: usize = 24;

/// Runs an agent from a state, on every path that data and outcomes allow.
pub(crate) fn record(run: &Run<'_>, start: State, end: Place) -> Result<Recorded, Stop> {
    let mut graph = Graph::default();
    graph.made.mask = run.standing.mask as u32;
    let mut open = Vec::new();
    let first = graph.push(Node::Choose { next: alloc::vec![OPEN] }, end);
    open.push((start, (first, None)));
    while let Some((state, slot)) = open.pop() {
        graph.follow(run, (state, slot), &mut open, end)?;
    }
    graph.made.unordered = warp::unordered(&graph.made, run);
    Ok(graph.made)
}

impl Graph {
    fn push(&mut self, node: Node, place: Place) -> NodeId {
        self.made.nodes.push(node);
        self.made.places.push(place);
        self.made.nodes.len() as NodeId - 1
    }

    fn enter(&mut self, (node, way): Slot, to: NodeId) {
        match &mut self.made.nodes[node as usize] {
            Node::Operation { next, .. } => match way {
                Some(way) => next[way] = to,
                None => *next = [to; 2],
            },
            Node::Choose { next } => next[way.unwrap_or(0)] = to,
            Node::Divergent | Node::End => {}
        }
    }

    /// The node for a state, and whether the state is new.
    fn label(
        &mut self,
        run: &Run<'_>,
        state: &mut State,
        place: Place,
    ) -> Result<(NodeId, bool), Stop> {
        drop_dead(run, state);
        let mut hasher = WordHasher::new();
        state.hash(&mut hasher);
        let next = self.seen.len() as u32;
        let at = *self.hashes.entry(hasher.finish()).or_insert(next);
        if at == next {
            self.seen.push(Vec::new());
        }
        let same = &mut self.seen[at as usize];
        if let Some((_, node)) = same.iter().find(|(known, _)| known == state) {
            return Ok((*node, false));
        }
        let node = self.made.nodes.len() as NodeId;
        same.push((state.clone(), node));
        self.states += 1;
        self.bytes += state.bytes();
        if self.states > MOST_STATES
            || self.bytes > MOST_BYTES
            || self.made.nodes.len() > MOST_NODES
        {
            return Err(Stop::TooLong);
        }
        self.push(Node::Choose { next: alloc::vec![OPEN] }, place);
        Ok((node, true))
    }

    /// Follows an agent until it ends, reaches a known state, or has several paths.
    fn follow(
        &mut self,
        run: &Run<'_>,
        (mut state, mut slot): (State, Slot),
        open: &mut Vec<(State, Slot)>,
        end: Place,
    ) -> Result<(), Stop> {
        loop {
            if self.made.nodes.len() > MOST_NODES {
                return Err(Stop::TooLong);
            }
            match run.advance(&mut state)? {
                Event::Perform(operations, place) => {
                    let mut touched = run.world.touches.borrow_mut().take();
                    let mut lanes = run.world.touches.borrow_mut().performed().into_iter();
                    let mut stored = run.world.touches.borrow_mut().stored();
                    if stored.len() != operations.len() {
                        stored.clear();
                    }
                    let mut stored = stored.into_iter();
                    let mut agreed = run.world.agreed.take();
                    for operation in operations {
                        let next = [OPEN; 2];
                        let node = self.push(Node::Operation { operation, next }, place);
                        self.enter(slot, node);
                        slot = (node, None);
                        self.made.agreed.extend(agreed.take().map(|reading| (node, reading)));
                        if let Some(touched) = touched.take() {
                            self.made.touches.insert(node, touched);
                        }
                        let value = stored.next().flatten();
                        self.made.constants.extend(value.map(|value| (node, value)));
                        if let Some(lanes) = lanes.next() {
                            self.made.lanes.insert(node, lanes);
                        }
                    }
                }
                Event::Header => {
                    state.loops = true;
                    self.widen(run, &mut state);
                    let (node, is_new) = self.label(run, &mut state, end)?;
                    self.enter(slot, node);
                    if !is_new {
                        return Ok(());
                    }
                    slot = (node, None);
                }
                Event::Outcome(operation, place, states) => {
                    let next = [OPEN; 2];
                    let node = self.push(Node::Operation { operation: *operation, next }, place);
                    let lanes = run.world.touches.borrow_mut().performed();
                    self.made.lanes.extend(lanes.first().map(|&lanes| (node, lanes)));
                    self.enter(slot, node);
                    return self.fork(run, node, (states, place), open);
                }
                Event::Data(states, place) => {
                    let next = alloc::vec![OPEN; states.len()];
                    let node = self.push(Node::Choose { next }, place);
                    self.enter(slot, node);
                    return self.fork(run, node, (states, place), open);
                }
                Event::Divergent(place) => {
                    let node = self.push(Node::Divergent, place);
                    self.enter(slot, node);
                    return Ok(());
                }
                Event::Host(_) => return Err(Stop::NoProof),
                Event::Done => {
                    let node = self.push(Node::End, end);
                    self.enter(slot, node);
                    return Ok(());
                }
            }
        }
    }

    /// Limits the number of states at a loop header, if arguments are data. Registers that differ between iterations become
    /// data. If data end the loop, the agent goes back to the state of the previous iteration.
    fn widen(&mut self, run: &Run<'_>, state: &mut State) {
        let how = run.inputs.how_coarse();
        if how == Coarse::No || how == Coarse::Exact && !state.decided {
            return;
        }
        drop_dead(run, state);
        match self.headers.iter_mut().find(|(known, _)| known.is_at(state)) {
            Some((known, count)) => {
                *count += 1;
                if how == Coarse::Exact && *count > MOST_DECIDED_ROUNDS {
                    run.inputs.cut();
                    *state = known.clone();
                    return;
                }
                if how == Coarse::Widened && *count > EXACT_ROUNDS {
                    let function = state.frame().map_or(0, |frame| frame.function);
                    let widths = &run.world.module.functions[function as usize].widths;
                    state.forget_differences(known, widths);
                }
                *known = state.clone();
            }
            None => self.headers.push((state.clone(), 0)),
        }
    }

    fn fork(
        &mut self,
        run: &Run<'_>,
        node: NodeId,
        (states, place): (Vec<State>, Place),
        open: &mut Vec<(State, Slot)>,
    ) -> Result<(), Stop> {
        for (way, mut state) in states.into_iter().enumerate() {
            let (label, is_new) = self.label(run, &mut state, place)?;
            self.enter((node, Some(way)), label);
            if is_new {
                open.push((state, (label, None)));
            }
        }
        Ok(())
    }
}

/// Clears registers that are not read again, so that they do not make states differ.
pub(crate) fn drop_dead(run: &Run<'_>, state: &mut State) {
    let Some(frame) = state.frames.last_mut() else { return };
    let Some(part) = frame.parts.last() else { return };
    if part.index != 0 || frame.parts.len() > 1 && !frame.sides.is_empty() {
        return;
    }
    let flow = &run.world.flows[frame.function as usize];
    let mut live = flow.live[part.block as usize].clone();
    for other in &frame.parts {
        let more = &flow.live[other.block as usize];
        live.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
    }
    let parts_begin = frame.parts.iter().all(|part| part.index == 0);
    if !parts_begin {
        return;
    }
    frame.registers.keep(&live);
}
