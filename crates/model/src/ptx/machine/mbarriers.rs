//! Operations on mbarrier objects, and copies in flight.

use super::memory::{Event, events_of};
use super::node::action_of;
use super::state::{Copy, State, Token};
use super::{Machine, WaitKey};
use crate::operation::Action as Any;
use crate::program::Node;
use crate::ptx::action::{Action, Asked, Name, Queue, Spelling, is_odd};
use crate::ptx::async_copy::size;
use crate::ptx::cluster::exited_cta;
use crate::ptx::mbarrier;
use crate::ptx::object::Mbarrier;
use crate::ptx::transition::Change;
use crate::rule::RuleId;
use alloc::vec::Vec;

impl Machine {
    /// Whether the wait at a node of an agent would return now; `None` if it breaks a rule or is not a wait.
    #[must_use]
    pub fn passes(&self, state: &State, agent: usize, node: u32) -> Option<bool> {
        let node = &self.context.program.body_of(agent).nodes[node as usize];
        let Some(Action::Wait { name, asked, .. }) = action_of(node) else { return None };
        let (object, remote) = self.object(agent, name)?;
        let object_state = state.mbarriers[object];
        let known = object_state.valid && Self::knows_init(state, agent, object);
        if self.law.text && (remote || !known) {
            return None;
        }
        Some(match asked {
            Asked::Parity(parity) => object_state.passes_parity(is_odd(parity)),
            // A token of another object or of an earlier phase has no defined meaning here.
            Asked::Token(register) if self.law.text => {
                let token = token_of(state, agent, register)?;
                !is_in_window(object_state, object, Some(token))
                    || object_state.passes_token(token.phase, self.law)
            }
            Asked::Token(register) => {
                object_state.passes_token(token_of(state, agent, register)?.phase, self.law)
            }
        })
    }

    /// The next operation of an agent if it is a wait by parity, and the phase in which it returns, now or at the earliest.
    /// `None` if the agent repeats the wait: it is then meant for many phases.
    #[must_use]
    pub fn meets(&self, state: &State, agent: usize) -> Option<(WaitKey, u32)> {
        let node = state.agents[agent].node;
        if self.facts_of(agent).repeats[node as usize] {
            return None;
        }
        let action = self.node(state, agent).and_then(action_of)?;
        let Action::Wait { name, asked: Asked::Parity(_), .. } = action else { return None };
        let phase = state.mbarriers[self.object(agent, name)?.0].phase;
        let key = (self.context.program.agents[agent].body, node);
        Some((key, if self.passes(state, agent, node)? { phase } else { phase.wrapping_add(1) }))
    }

    /// Whether the next wait of an agent sees a later phase than the first one it can see.
    pub(super) fn aliased(&self, state: &State, agent: usize) -> bool {
        let met = if self.aliases.is_empty() { None } else { self.meets(state, agent) };
        met.is_some_and(|(key, phase)| self.aliases.get(&key).is_some_and(|&first| first < phase))
    }

    pub(super) fn wait(
        &self,
        state: &mut State,
        agent: usize,
        passes: bool,
    ) -> Result<usize, RuleId> {
        let Some(action @ Action::Wait { name, asked, .. }) =
            self.node(state, agent).and_then(action_of)
        else {
            return Ok(0);
        };
        let object = self.reach(agent, name, action)?;
        self.must_be_valid(state, agent, object, name)?;
        if !passes {
            return Ok(0);
        }
        let before = state.mbarriers[object];
        if self.aliased(state, agent) {
            state.broken |= RuleId::PtxMbarrierParityAlias.bit();
        }
        if self.law.text {
            match asked {
                Asked::Parity(parity) => {
                    if mbarrier::first_parity::is_met(before, is_odd(parity)) {
                        state.broken |= RuleId::PtxMbarrierFirstParity.bit();
                    }
                }
                Asked::Token(register) => {
                    if !is_in_window(before, object, token_of(state, agent, register)) {
                        state.broken |= RuleId::PtxMbarrierPhaseWindow.bit();
                    }
                }
            }
        }
        // A fresh object has no completed phase to observe.
        if before.phase > 0 {
            state.mbarriers[object] = before.observe();
        }
        if let Action::Wait { order, .. } = action {
            Self::take_over(state, agent, object, order);
        }
        Ok(1)
    }

    /// The index of the object, if the operation may act on it.
    fn reach(&self, agent: usize, name: Name, action: Action) -> Result<usize, RuleId> {
        let Some((object, remote)) = self.object(agent, name) else {
            return Err(RuleId::PtxMbarrierValidObject);
        };
        if remote && self.law.text {
            mbarrier::remote_operation::check(action)?;
        }
        Ok(object)
    }

    /// Every operation on an object except a wait.
    pub(super) fn modify(
        &self,
        state: &mut State,
        agent: usize,
        action: Action,
    ) -> Result<(), RuleId> {
        let node = state.agents[agent].node;
        self.check_copy(agent, node, action)?;
        if let Action::Copy { name: None, bulk, .. } = action {
            let events = events_of(agent as u32, node, self.cta(agent));
            self.copy_starts(state, agent, action, (events, self.cta(agent)));
            Self::join_group(state, agent, bulk, events);
            return Ok(());
        }
        let Some(name) = action.name() else { return Ok(()) };
        let object = self.reach(agent, name, action)?;
        let own_way = matches!(
            action,
            Action::Init { .. }
                | Action::Access { .. }
                | Action::Copy { .. }
                | Action::CopyArrive { .. }
        );
        if !own_way {
            self.must_be_valid(state, agent, object, name)?;
        }
        let change = match action {
            Action::Init { count, .. } => Change::Init(count),
            Action::Inval { .. } => Change::Inval,
            Action::Expect { bytes, .. } => Change::Expect(bytes),
            Action::Complete { bytes, .. } => Change::Complete(bytes),
            Action::Arrive { form, .. } => Change::Arrive {
                count: form.count,
                drop: form.drop,
                no_complete: form.no_complete,
                expect: form.expect.unwrap_or(0),
            },
            Action::Copy { bytes, .. } => return self.start_copies(state, agent, name, bytes),
            Action::CopyArrive { no_increment, threads, of_copies, .. } => {
                for (object, _) in self.objects(agent, action) {
                    self.must_be_valid(state, agent, object, name)?;
                    let object = object as u32;
                    state.copies.push(Copy { object, left: None, agent: agent as u32, node });
                    let queue = if of_copies { Queue::Thread } else { Queue::Tensor };
                    Self::ride(state, agent, node, object, queue);
                }
                state.copies.sort_unstable();
                if no_increment {
                    return Ok(());
                }
                for _ in 1..threads {
                    self.change(state, object, Change::Increment)?;
                }
                Change::Increment
            }
            Action::Access { .. } => {
                return if self.law.text {
                    mbarrier::foreign_access::check(state.mbarriers[object])
                } else {
                    Ok(())
                };
            }
            _ => return Ok(()),
        };
        let before = state.mbarriers[object];
        let completed = self.change(state, object, change)?;
        match action {
            Action::Arrive { form, .. } => {
                self.hand_over(state, agent, object, form.order, completed)
            }
            Action::Init { .. } => {
                forget_tokens(state, object);
                Self::initialised(state, agent, object);
            }
            Action::Inval { .. } => {
                // `observed` records that the object was valid before.
                state.mbarriers[object].observed = self.law.text;
                Self::invalidated(state, object);
            }
            _ => Self::copy_completes(state, object, None, completed),
        }
        if let Action::Arrive { form, .. } = action
            && let Some(register) = form.token
        {
            let count = self.counts.then(|| u32::try_from(before.pending).unwrap_or(0));
            let (phase, no_complete) = (before.phase, form.no_complete);
            let token = Token { object: object as u32, phase, no_complete, count };
            set_token(state, agent, register, token);
        }
        Ok(())
    }

    /// Checks the size of a PTX bulk copy. The compiler splits TLX copies.
    fn check_copy(&self, agent: usize, node: u32, action: Action) -> Result<(), RuleId> {
        match (action, &self.context.program.body_of(agent).nodes[node as usize]) {
            (
                Action::Copy { bulk: true, bytes, to, from, .. },
                Node::Operation { operation, .. },
            ) if self.law.text && matches!(operation.action, Any::Ptx(_, Spelling::Ptx(_))) => {
                size::check(bytes, [to, from])
            }
            _ => Ok(()),
        }
    }

    /// Starts the copies that complete bytes at an object: one, or one in each CTA of a mask.
    fn start_copies(
        &self,
        state: &mut State,
        agent: usize,
        name: Name,
        bytes: i64,
    ) -> Result<(), RuleId> {
        let Some(action) = self.node(state, agent).and_then(action_of) else { return Ok(()) };
        let Ok(left @ 1..) = u32::try_from(bytes) else { return Ok(()) };
        let node = state.agents[agent].node;
        let objects: Vec<usize> = self.objects(agent, action).map(|(object, _)| object).collect();
        for object in objects {
            self.must_be_valid(state, agent, object, name)?;
            let started =
                Copy { object: object as u32, left: Some(left), agent: agent as u32, node };
            let cta = self.named(object).1;
            self.copy_starts(state, agent, action, (self.events(started), cta));
            state.copies.push(started);
        }
        state.copies.sort_unstable();
        Ok(())
    }

    /// The number of arrivals of an entry in flight: one per requesting thread, none for a copy of bytes.
    pub(super) fn arrivals_of(&self, copy: &Copy) -> i64 {
        let body = self.context.program.body_of(copy.agent as usize);
        match (copy.left, action_of(&body.nodes[copy.node as usize])) {
            (None, Some(Action::CopyArrive { threads, .. })) => i64::from(threads),
            _ => 0,
        }
    }

    /// The events of a copy in flight.
    fn events(&self, copy: Copy) -> [Event; 2] {
        events_of(copy.agent, copy.node, self.named(copy.object as usize).1)
    }

    /// Checks that a used object is initialised, and that the init is visible to its user.
    fn must_be_valid(
        &self,
        state: &mut State,
        agent: usize,
        object: usize,
        name: Name,
    ) -> Result<(), RuleId> {
        let (known, at) = (Self::knows_init(state, agent, object), state.mbarriers[object]);
        if !self.law.text {
            // The init of a barrier in LDS is a store.
            if self.law.hazards && !(known && at.valid) && self.is_initialised(agent, name) {
                state.break_rule(RuleId::MemRace);
            }
            return Ok(());
        }
        let ended = !at.valid && at.observed;
        let outcome = if known {
            mbarrier::valid_object::check(at)
        } else {
            Err(RuleId::PtxMbarrierValidObject)
        };
        // After an inval, the missing order is not with the init.
        if outcome.is_err() && !(known && ended) {
            self.explain_init(state, agent, name);
        }
        outcome?;
        exited_cta::check(self.has_ended(state, self.named(object).1))
    }

    /// Changes an object; returns whether that completed the phase.
    fn change(&self, state: &mut State, object: usize, change: Change) -> Result<bool, RuleId> {
        let outcome = state.mbarriers[object].apply(change, self.law)?;
        state.mbarriers[object] = outcome.next;
        state.broken |= outcome.broken.map_or(0, RuleId::bit);
        Ok(outcome.completes)
    }

    /// Reports the use of an object that is not ordered after its init by another agent.
    fn explain_init(&self, state: &mut State, agent: usize, name: Name) {
        if self.is_initialised(agent, name) {
            state.break_rule(RuleId::PtxMbarrierInitVisibility);
        }
    }

    /// Whether an agent other than this one can initialise the object that this one names.
    fn is_initialised(&self, agent: usize, name: Name) -> bool {
        let meant = self.object(agent, name).map(|(object, _)| object);
        let initialises = |&other: &usize| {
            let nodes = &self.context.program.body_of(other).nodes;
            nodes.iter().any(|node| {
                matches!(action_of(node), Some(Action::Init { name, .. }) if self.object(other, name).map(|(object, _)| object) == meant)
            })
        };
        let agents = self.context.program.agents.len();
        (0..agents).filter(|&other| other != agent).any(|other| initialises(&other))
    }

    pub(super) fn pending_count(
        &self,
        state: &mut State,
        agent: usize,
        token: u16,
        register: Option<u16>,
    ) -> Result<(), RuleId> {
        let token = token_of(state, agent, token);
        if self.law.text {
            mbarrier::pending_count_token::check(token.map(|token| token.no_complete))?;
        }
        if let Some(register) = register {
            let count = token.and_then(|token| token.count);
            set_token(state, agent, register, Token::number(count));
        }
        Ok(())
    }

    /// The number of ways in which a copy can complete: as a whole, or first in part. Two kinds of parts matter: those that can
    /// make the tx-count zero, now or with later expected bytes, and one that keeps it from zero while the copy is in flight.
    pub(super) fn copy_ways(&self, state: &State, copy: usize) -> usize {
        // Equal copies are interchangeable.
        if copy > 0 && state.copies[copy - 1] == state.copies[copy] {
            return 0;
        }
        1 + self.parts(state, copy).count()
    }

    /// Bytes of a part of a copy.
    fn parts(&self, state: &State, copy: usize) -> impl Iterator<Item = u32> {
        let copy = state.copies[copy];
        let object = copy.object as usize;
        let tx = i64::from(state.mbarriers[object].tx);
        let left = i64::from(copy.left.unwrap_or(0));
        let sums = &self.expected[usize::from(self.named(object).0)];
        let zero = move |size: &i64| sums.iter().any(|sum| tx + sum == *size);
        let sizes = sums.iter().map(move |sum| tx + sum);
        let away =
            (1..=left / size::UNIT).map(|part| part * size::UNIT).find(move |part| !zero(part));
        let away = away.filter(|_| self.law.text && zero(&0));
        let sizes = sizes.chain(away);
        sizes.filter(move |&size| 0 < size && size < left).map(|size| size as u32)
    }

    pub(super) fn perform_copy(&self, state: &mut State, index: usize, way: usize) {
        let copy = state.copies[index];
        let object = copy.object as usize;
        let change = match copy.left {
            None => {
                let count = self.arrivals_of(&copy);
                Change::Arrive { count, drop: false, no_complete: false, expect: 0 }
            }
            Some(left) => {
                let part = way.checked_sub(1).and_then(|part| self.parts(state, index).nth(part));
                let bytes = part.unwrap_or(left);
                state.copies[index].left = Some(left - bytes);
                Change::Complete(i64::from(bytes))
            }
        };
        let whole = copy.left.is_none() || state.copies[index].left == Some(0);
        if whole {
            state.copies.remove(index);
        }
        match self.change(state, object, change) {
            Ok(completed) => {
                if copy.left.is_none() {
                    Self::arrives_with_copies(state, object, copy.agent, copy.node);
                }
                let done = (whole && copy.left.is_some()).then(|| self.events(copy));
                Self::copy_completes(state, object, done, completed);
            }
            Err(rule) => state.stop(rule),
        }
        state.copies.sort_unstable();
    }

    /// The facts on the body of an agent.
    pub(super) fn facts_of(&self, agent: usize) -> &super::reach::BodyFacts {
        &self.facts[self.context.program.agents[agent].body as usize]
    }
}

fn token_of(state: &State, agent: usize, register: u16) -> Option<Token> {
    state.agents[agent].tokens.get(usize::from(register)).copied().flatten()
}

/// The number in a register, if it is known.
pub(super) fn count_of(state: &State, agent: usize, register: u16) -> Option<u32> {
    token_of(state, agent, register)?.count
}

/// Whether a token is of this object, and of its current or previous phase.
fn is_in_window(at: Mbarrier, object: usize, token: Option<Token>) -> bool {
    let own = token.filter(|token| token.object as usize == object);
    own.is_some_and(|token| mbarrier::phase_window::check(at, token.phase).is_ok())
}

/// Detaches the tokens of the previous object at this location.
fn forget_tokens(state: &mut State, object: usize) {
    let tokens = state.agents.iter_mut().flat_map(|at| at.tokens.iter_mut().flatten());
    tokens
        .filter(|token| token.object as usize == object)
        .for_each(|token| token.object = u32::MAX);
}

pub(super) fn set_token(state: &mut State, agent: usize, register: u16, token: Token) {
    let tokens = &mut state.agents[agent].tokens;
    if tokens.len() <= usize::from(register) {
        tokens.resize(usize::from(register) + 1, None);
    }
    tokens[usize::from(register)] = Some(token);
}
