//! Operations of NVIDIA: one action of the model for each lane. Equal actions of several lanes are merged.

pub(super) mod copies;
pub(super) mod lane;

use super::request::Stop;
use super::state::State;
use super::world::{Event, Run};
use crate::ir::{Nvidia, NvidiaKind, Place as At, Reg};
use crate::value::{Origin, Value};
use alloc::string::String;
use alloc::vec::Vec;
use lane::{Found, Lane, Problem, UNKNOWN};
use tidegate_model::mem::operation::Range;
use tidegate_model::operation::{Action as Any, Form, Operation};
use tidegate_model::ptx::action::{Action, Arrive, Asked, Bar, Patience, Reduce, Reduction};

/// The active lanes, and whether data decide which.
type Active = (u64, bool);

impl Run<'_> {
    pub(super) fn nvidia(
        &self,
        state: &mut State,
        nvidia: &Nvidia,
        place: At,
        active: Active,
    ) -> Result<Option<Event>, Stop> {
        if let NvidiaKind::CopyTile { to_local } = nvidia.kind {
            return self.tile(state, (nvidia, to_local), place);
        }
        if let NvidiaKind::WarpSync { orders } = nvidia.kind {
            if let Some(&mask) = nvidia.operands.first() {
                let mask = self.operand(state, mask);
                self.collect(state, (&mask, orders), place, active.0);
            }
            if !orders {
                return Ok(None);
            }
        }
        if let Some(event) = self.apart(state, nvidia, place, active) {
            return Ok(event);
        }
        let actions = match self.actions(state, nvidia, place, active.0) {
            Ok(actions) => actions,
            Err(Problem::Stop(stop)) => return Err(stop),
            Err(Problem::Open(why)) => {
                self.world.note(place, String::from(why));
                self.forget(state, &nvidia.results, active);
                return Ok(None);
            }
        };
        self.emit(state, nvidia, place, (active, actions))
    }

    /// The actions of these lanes: for each one, the lanes that perform it and whether its accesses are certain.
    pub(super) fn actions(
        &self,
        state: &State,
        nvidia: &Nvidia,
        place: At,
        lanes: u64,
    ) -> Found<Vec<(Any, u64, bool)>> {
        let mut actions: Vec<(Any, u64, bool)> = Vec::new();
        for lane in (0..self.standing.lanes).filter(|lane| lanes >> lane & 1 == 1) {
            let one = Lane { run: self, state, nvidia, lane, place };
            let (action, certain) = one.action()?;
            let action = Any::Ptx(action, nvidia.spelling);
            match actions.iter_mut().find(|(known, ..)| *known == action) {
                Some((_, lanes, _)) => *lanes |= 1 << lane,
                None => actions.push((action, 1 << lane, certain)),
            }
        }
        Ok(actions)
    }

    /// Handles an operation that needs all lanes of a warp and that only some of them reach; `None` for all others.
    fn apart(
        &self,
        state: &mut State,
        nvidia: &Nvidia,
        place: At,
        active: Active,
    ) -> Option<Option<Event>> {
        let aligned = match nvidia.kind {
            NvidiaKind::Bar { aligned, .. }
            | NvidiaKind::ClusterArrive { aligned, .. }
            | NvidiaKind::ClusterWait { aligned, .. } => aligned,
            _ => return None,
        };
        if active.0 == self.alive(state) {
            return None;
        }
        if aligned {
            return Some(Some(Event::Divergent(place)));
        }
        let why = String::from("threads of one warp are at different barriers");
        self.world.note(place, why);
        self.forget(state, &nvidia.results, active);
        Some(None)
    }

    fn emit(
        &self,
        state: &mut State,
        nvidia: &Nvidia,
        place: At,
        (active, mut actions): (Active, Vec<(Any, u64, bool)>),
    ) -> Result<Option<Event>, Stop> {
        self.touch_of_lanes(&actions);
        match nvidia.kind {
            // Each thread initialises and invalidates for itself; the second one represents all others.
            NvidiaKind::Init | NvidiaKind::Inval => {
                let several = |one: &(Any, u64, bool)| one.1.count_ones() > 1;
                let again: Vec<_> = actions.iter().copied().filter(several).collect();
                actions.extend(again);
            }
            NvidiaKind::Bar { reduce: Some(_), .. } => actions = reduced(actions),
            NvidiaKind::CopyAsync => actions = joined(actions),
            _ => {}
        }
        if matches!(nvidia.kind, NvidiaKind::Wait { .. } | NvidiaKind::WaitWord { .. }) {
            let Some(&(action, ..)) = actions.first() else { return Ok(None) };
            if self.world.lds.looks_ahead() {
                return Ok(Some(Event::Divergent(place)));
            }
            let operation = self.operation(state, action, Form::Word, active.1);
            let states = [0, 1].map(|outcome| {
                let mut next = state.clone();
                for &to in &nvidia.results {
                    self.write(&mut next, to, Value::int(outcome), active);
                }
                next
            });
            // A loop that waits: only its end matters.
            let is_one = actions.len() == 1 || are_of_one_object(&actions);
            let polls = || is_one && self.polls_elsewhere(states.clone(), &actions, active.0);
            let blocks = matches!(nvidia.kind, NvidiaKind::Wait { patience: Patience::Block, .. });
            let repeats = || blocks || self.comes_again(states[0].clone(), place) || polls();
            if !active.1 && is_one && repeats() {
                let [_, after] = states;
                let first = Operation { action: blocking(operation.action), ..operation };
                let mut operations = alloc::vec![first];
                // The waits of other lanes are only possible: lanes that wait for another phase do not act as one agent.
                operations.extend(actions[1..].iter().map(|&(action, ..)| {
                    self.operation(state, blocking(action), Form::Word, true)
                }));
                let lanes = actions.iter().fold(0, |all, (_, lanes, _)| all | lanes);
                self.performed_by(operations.iter().map(|_| lanes));
                *state = after;
                return Ok(Some(Event::Perform(operations, place)));
            }
            if actions.len() > 1 {
                let why = String::from("threads of one warp wait for different phases or objects");
                self.world.note(place, why);
            }
            self.performed_by(actions.iter().map(|(_, lanes, _)| *lanes));
            return Ok(Some(Event::Outcome(operation.into(), place, states.into())));
        }
        self.results(state, nvidia, active, &mut actions);
        let operation = |&(action, lanes, certain): &(Any, u64, bool)| {
            let action = times(action, i64::from(lanes.count_ones()));
            let open = active.1 || !certain || action != action.certain();
            self.operation(state, action, Form::Word, open)
        };
        let operations: Vec<Operation> = actions.iter().map(operation).collect();
        self.pass(state, &operations);
        self.performed_by(actions.iter().map(|(_, lanes, _)| *lanes));
        Ok((!operations.is_empty()).then_some(Event::Perform(operations, place)))
    }

    /// Writes the result registers of an operation: a token, or data.
    fn results(
        &self,
        state: &mut State,
        nvidia: &Nvidia,
        active: Active,
        actions: &mut [(Any, u64, bool)],
    ) {
        let [to] = nvidia.results[..] else { return self.forget(state, &nvidia.results, active) };
        if let (NvidiaKind::Bar { .. }, [(action, ..)]) = (nvidia.kind, &*actions) {
            let vote = self.operation(state, *action, Form::Word, false);
            let agreed = self.agree_on_vote(state, &vote);
            let result = Value { agreed, ..Value::data(self.width(state, to)) };
            return self.write(state, to, result, active);
        }
        let mut tokens = Vec::new();
        for (action, lanes, _) in actions.iter_mut() {
            let Any::Ptx(Action::Arrive { form, .. }, _) = action else { continue };
            let token = free(state, to, &tokens);
            form.token = Some(token);
            tokens.push((token, *lanes));
        }
        if tokens.is_empty() {
            return self.forget(state, &nvidia.results, active);
        }
        let width = self.width(state, to);
        match tokens.iter().map(|&(token, lanes)| Origin::token(token, lanes)).reduce(Origin::join)
        {
            Some(origin) => {
                self.write(state, to, Value::data(width).with_origin(origin), active);
            }
            None => self.forget(state, &[to], active),
        }
    }
}

/// The smallest token number that is not in use. The register that is written does not count.
fn free(state: &State, to: Reg, taken: &[(u16, u64)]) -> u16 {
    let depth = state.frames.len();
    let held = |token: u16| {
        let frames = state.frames.iter().enumerate();
        taken.iter().any(|(known, _)| *known == token)
            || frames.into_iter().any(|(at, frame)| {
                frame.registers.iter().any(|(register, value)| {
                    value.origin.has_token(token) && (at + 1 != depth || register != to)
                })
            })
            || state.private.values().any(|(_, value)| value.origin.has_token(token))
    };
    (0..u16::MAX).find(|&token| !held(token)).unwrap_or(0)
}

/// Whether these are several waits on one object, each for the token of an arrival.
fn are_of_one_object(actions: &[(Any, u64, bool)]) -> bool {
    let token = |action: &Any| match *action {
        Any::Ptx(Action::Wait { name, asked: Asked::Token(_), patience, order }, _) => {
            Some((name, patience, order))
        }
        _ => None,
    };
    let first = actions.first().and_then(|(action, ..)| token(action));
    first.is_some()
        && actions.len() > 1
        && actions.iter().all(|(action, ..)| token(action) == first)
}

/// A wait that continues only when its phase is complete.
fn blocking(action: Any) -> Any {
    match action {
        Any::Ptx(Action::Wait { name, asked, order, .. }, spelling) => {
            let patience = Patience::Block;
            Any::Ptx(Action::Wait { name, asked, patience, order }, spelling)
        }
        other => other,
    }
}

/// The operation as performed by a number of threads.
fn times(action: Any, threads: i64) -> Any {
    let Any::Ptx(mut action, spelling) = action else { return action };
    match &mut action {
        Action::Arrive { form, .. } => {
            form.count = form.count.saturating_mul(threads);
            form.expect = form.expect.map(|bytes| bytes.saturating_mul(threads));
        }
        Action::Expect { bytes, .. } | Action::Complete { bytes, .. } => {
            *bytes = bytes.saturating_mul(threads);
        }
        Action::Copy { bytes, bulk: true, .. } => *bytes = bytes.saturating_mul(threads),
        Action::CopyArrive { threads: all, of_copies: true, .. } => *all = threads as u32,
        _ => {}
    }
    Any::Ptx(action, spelling)
}

/// Merges the barriers of all lanes into one, whose reduction takes all their predicates.
fn reduced(actions: Vec<(Any, u64, bool)>) -> Vec<(Any, u64, bool)> {
    let of = |action: &Any| match action {
        Any::Ptx(Action::Bar { reduction: Some(reduction), .. }, _) => Some(*reduction),
        _ => None,
    };
    let all: Vec<Reduction> = actions.iter().filter_map(|(action, ..)| of(action)).collect();
    let lanes = actions.iter().fold(0, |all, (_, lanes, _)| all | lanes);
    let Some(first) = all.first().copied() else { return actions };
    let has = |wanted: bool| all.iter().any(|one| one.predicate == Some(wanted));
    let predicate = match first.reduce {
        _ if all.iter().all(|one| one.predicate == first.predicate) => first.predicate,
        Reduce::All if has(false) => Some(false),
        Reduce::Any if has(true) => Some(true),
        _ => None,
    };
    let mut whole = actions[0].0;
    if let Any::Ptx(Action::Bar { reduction, .. }, _) = &mut whole {
        *reduction = Some(Reduction { predicate, ..first });
    }
    alloc::vec![(whole, lanes, true)]
}

/// Merges copies of lanes whose sources and destinations are both adjacent.
fn joined(actions: Vec<(Any, u64, bool)>) -> Vec<(Any, u64, bool)> {
    let mut made: Vec<(Any, u64, bool)> = Vec::new();
    for (action, lanes, certain) in actions {
        if let Some((Any::Ptx(last, _), all, same)) = made.last_mut()
            && let Any::Ptx(next, _) = action
            && *same == certain
            && follow(last, next)
        {
            *all |= lanes;
            continue;
        }
        made.push((action, lanes, certain));
    }
    made
}

/// Extends a copy by one that is adjacent in source and destination; `false` if it is not.
fn follow(last: &mut Action, next: Action) -> bool {
    let Action::Copy { to: Some(to), from, bytes, .. } = last else { return false };
    let Action::Copy { to: Some(more), from: source, bytes: further, .. } = next else {
        return false;
    };
    let adjoins = |one: Range, other: Range| one.buffer == other.buffer && one.end == other.start;
    let sources = match (*from, source) {
        (None, None) => true,
        (Some(one), Some(other)) => adjoins(one, other),
        _ => false,
    };
    if !adjoins(*to, more) || !sources {
        return false;
    }
    to.end = more.end;
    if let (Some(from), Some(source)) = (from.as_mut(), source) {
        from.end = source.end;
    }
    *bytes += further;
    true
}

impl Lane<'_, '_> {
    pub(super) fn action(&self) -> Found<(Action, bool)> {
        let certain = |action| Ok((action, true));
        certain(match self.nvidia.kind {
            NvidiaKind::Init => Action::Init { name: self.object(0)?, count: self.word(1)? },
            NvidiaKind::Inval => Action::Inval { name: self.object(0)? },
            NvidiaKind::Arrive { drop, no_complete, expects, order } => {
                let expect = if expects { Some(self.word(2)?) } else { None };
                let count = self.word(1)?;
                let form = Arrive { count, drop, no_complete, expect, order, token: None };
                Action::Arrive { name: self.object(0)?, form }
            }
            NvidiaKind::Expect => Action::Expect { name: self.object(0)?, bytes: self.word(1)? },
            NvidiaKind::Complete => {
                Action::Complete { name: self.object(0)?, bytes: self.word(1)? }
            }
            NvidiaKind::Wait { parity, patience, order } => {
                let asked = match parity {
                    true => Asked::Parity(self.word(1)?),
                    false => Asked::Token(self.token(1).ok_or(UNKNOWN)?),
                };
                Action::Wait { name: self.object(0)?, asked, patience, order }
            }
            NvidiaKind::WaitWord { patience, order } => {
                let asked = match self.token(1) {
                    Some(token) => Asked::Token(token),
                    None => Asked::Parity((self.number(1)? >> 31 & 1) as i64),
                };
                Action::Wait { name: self.object(0)?, asked, patience, order }
            }
            NvidiaKind::PendingCount => {
                let token = self.token(0).ok_or(UNKNOWN)?;
                Action::PendingCount { token, register: None }
            }
            NvidiaKind::CopyAsync
            | NvidiaKind::CopyBulk { .. }
            | NvidiaKind::CopyBulkOut { .. } => return self.copy(),
            NvidiaKind::CopyTensor { .. } | NvidiaKind::CopyTensorOut { .. } => {
                return self.copy_of_tensor();
            }
            NvidiaKind::CopyArrive { no_increment, of_copies } => Action::CopyArrive {
                name: self.object(0)?,
                no_increment,
                threads: 1,
                of_copies,
                ranks: self.mask(1)?,
            },
            NvidiaKind::Tensor { pair, alone, matrices } => {
                let matrices = self.matrices(matrices)?;
                let reads = [self.matrix(0, matrices)?, self.matrix(1, matrices)?];
                Action::Tensor { reads, pair, alone }
            }
            NvidiaKind::Commit(queue) => Action::Commit { queue },
            NvidiaKind::WaitGroup(queue, read) => {
                Action::WaitGroup { queue, most: Some(self.number(0)? as u32), read }
            }
            NvidiaKind::WaitAll(queue) => Action::WaitGroup { queue, most: None, read: false },
            NvidiaKind::Bar { kind, reduce, aligned } => self.barrier(kind, reduce, aligned)?,
            NvidiaKind::WarpSync { .. } => {
                let mask = self.number(0)? as u32;
                // If the mask does not contain the thread, it is replaced by 0.
                Action::WarpSync { mask: if mask >> self.lane & 1 == 1 { mask } else { 0 } }
            }
            NvidiaKind::ClusterArrive { order, aligned } => {
                Action::ClusterArrive { order, aligned: aligned.then_some(self.place.start) }
            }
            NvidiaKind::ClusterWait { order, aligned } => {
                Action::ClusterWait { order, aligned: aligned.then_some(self.place.start) }
            }
            NvidiaKind::FenceInit => Action::FenceInit,
            NvidiaKind::Fence { release, acquire, cluster } => {
                Action::Fence { release, acquire, cluster }
            }
            NvidiaKind::FenceProxy | NvidiaKind::CopyTile { .. } => Action::Nothing,
        })
    }

    fn barrier(&self, kind: Bar, reduce: Option<Reduce>, aligned: bool) -> Found<Action> {
        let threads = self.word(1)?;
        let reduction = reduce.map(|reduce| Reduction {
            reduce,
            predicate: self.value(2).known_in(self.lane).map(|bit| bit & 1 == 1),
            register: None,
        });
        Ok(Action::Bar {
            id: self.word(0)?,
            threads: (threads != 0).then_some(threads),
            kind,
            reduction,
            aligned,
            site: self.place.start,
        })
    }
}
