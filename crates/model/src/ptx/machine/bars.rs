//! The barriers of a CTA, of a warp and of a cluster.

use super::Machine;
use super::ample::meets_at;
use super::mbarriers::set_token;
use super::node::action_of;
use super::state::{Held, State, Token};
use crate::program::Node;
use crate::ptx::action::{Action, Bar, Reduction};
use crate::ptx::bar;
use crate::ptx::bar::BARS;
use crate::ptx::cluster::arrive_once::{self, Standing};
use crate::reading::ReadingId;
use crate::rule::RuleId;

/// The operands of a barrier instruction: ID, thread count, kind, whether aligned, site.
type Said = (i64, Option<i64>, Bar, bool, u32);

/// The input to a reduction of the next instruction of an agent.
fn reduction_of(machine: &Machine, state: &State, agent: usize) -> Option<Reduction> {
    match machine.node(state, agent).and_then(action_of) {
        Some(Action::Bar { reduction, .. }) => reduction,
        _ => None,
    }
}

impl Machine {
    /// The lanes of an agent's warp.
    pub(super) fn lanes(&self, agent: usize) -> core::ops::Range<usize> {
        let lanes = self.context.program.lanes_apart();
        let first = agent - (self.context.program.agents[agent].wave % lanes) as usize;
        first..(first + lanes as usize).min(self.in_cta(self.cta(agent)).end)
    }

    /// The thread count of an instruction.
    pub(super) fn threads(&self, threads: Option<i64>) -> Result<u32, RuleId> {
        match threads {
            Some(threads) if self.law.text => bar::count_multiple::check(threads),
            Some(threads) => Ok(u32::try_from(threads).unwrap_or(u32::MAX)),
            None => Ok(self.context.program.launch.waves * bar::count_multiple::WARP as u32),
        }
    }

    /// An agent reaches a barrier of its CTA or cluster: a warp, or a lane that waits there for the other live lanes of its
    /// warp. PTX ISA 9.1, "bar, barrier" and "barrier.cluster": with or without `.aligned`, arriving or waiting.
    pub(super) fn come(&self, state: &mut State, agent: usize) -> Result<(), RuleId> {
        if self.context.program.lanes_apart() == 1 {
            return self.perform_at_barrier(
                state,
                agent,
                bar::count_multiple::WARP as u32,
                &[agent],
            );
        }
        state.agents[agent].held = Held::Gathering;
        self.gathered(state, agent)?;
        self.proceed(state, agent)
    }

    /// The lanes of a warp continue together when all live lanes have reached one barrier. `actor` is the agent that moved; its
    /// own step advances it.
    fn proceed(&self, state: &mut State, actor: usize) -> Result<(), RuleId> {
        let live = self.lanes(actor).filter(|&lane| !state.agents[lane].ended);
        let warp: alloc::vec::Vec<usize> = live.collect();
        let comes_to = |lane: usize| {
            let here = self.node(state, lane).and_then(action_of).and_then(meets_at);
            here.filter(|_| state.agents[lane].held == Held::Gathering).map(|(place, _)| place)
        };
        let (Some(&last), Some(place)) =
            (warp.last(), warp.first().and_then(|&lane| comes_to(lane)))
        else {
            return Ok(());
        };
        if warp.iter().any(|&lane| comes_to(lane) != Some(place)) {
            return Ok(());
        }
        for &lane in &warp {
            state.agents[lane].held = Held::Free;
        }
        for &lane in &warp {
            let weight = if lane == last { bar::count_multiple::WARP as u32 } else { 0 };
            self.perform_at_barrier(state, lane, weight, &warp)?;
        }
        for &lane in warp.iter().filter(|&&lane| lane != actor) {
            if state.agents[lane].held == Held::Free {
                self.pass(state, lane);
            }
        }
        Ok(())
    }

    /// Performs the operation of an agent at a barrier with this number of threads; the caller advances `together`.
    fn perform_at_barrier(
        &self,
        state: &mut State,
        agent: usize,
        weight: u32,
        together: &[usize],
    ) -> Result<(), RuleId> {
        match self.node(state, agent).and_then(action_of) {
            Some(Action::Bar { id, threads, kind, aligned, site, .. }) => {
                let said = (id, threads, kind, aligned, site);
                self.arrive_at_bar(state, agent, said, weight, together)?;
            }
            Some(Action::ClusterArrive { .. }) => self.cluster_arrive(state, agent),
            Some(Action::ClusterWait { .. }) => self.cluster_wait(state, agent),
            _ => {}
        }
        Ok(())
    }

    /// Whether the lanes of a warp that wait for each other are at one instruction.
    fn gathered(&self, state: &State, agent: usize) -> Result<(), RuleId> {
        let site = |lane: usize| {
            let at = &state.agents[lane];
            match self.node(state, lane).and_then(action_of).and_then(meets_at) {
                Some((_, site)) if at.held == Held::Gathering => Some(site),
                _ if at.ended => Some(None),
                _ => None,
            }
        };
        // All lanes of the warp execute only `.aligned` instructions together, not other instructions or the end.
        let stands = || self.lanes(agent).filter_map(site);
        if !self.law.text || stands().all(|site| site.is_none()) {
            return Ok(());
        }
        bar::aligned::check(stands())
    }

    /// Handles lanes that wait for a lane that ended: they continue, or are divergent at an aligned instruction.
    pub(super) fn check_gathering(&self, state: &mut State, agent: usize) {
        let waits = self.lanes(agent).any(|lane| state.agents[lane].held == Held::Gathering);
        if waits
            && let Err(rule) = self.gathered(state, agent).and_then(|()| self.proceed(state, agent))
        {
            state.stop(rule);
        }
    }

    fn arrive_at_bar(
        &self,
        state: &mut State,
        agent: usize,
        (id, threads, kind, aligned, site): Said,
        weight: u32,
        together: &[usize],
    ) -> Result<(), RuleId> {
        let id = bar::id::check(id)?;
        let threads = self.threads(threads)?;
        let cta = self.cta(agent);
        let index = cta as usize * BARS + usize::from(id);
        let mut at = state.bars[index];
        if self.law.text {
            if bar::double_arrive::check(state.agents[agent].bars >> id & 1 != 0).is_err() {
                state.broken |= RuleId::PtxBarDoubleArrive.bit();
            }
            at.red = Some(bar::red_mix::check(at.red, kind == Bar::Red)?);
            at.threads = Some(bar::count_mismatch::check(at.threads, threads)?);
            if aligned {
                at.site = Some(bar::aligned_site::check(at.site, site, self.law.readings)?);
            }
        } else {
            at.threads = Some(threads);
        }
        at.arrived = at.arrived.saturating_add(weight);
        if let Some(reduction) = reduction_of(self, state, agent) {
            let apart = self.context.program.lanes_apart() > 1;
            at.votes = at.votes.with(reduction.predicate, if apart { 1 } else { weight });
        }
        state.bars[index] = at;
        Self::hand_to_bar(state, &[agent], index);
        state.agents[agent].bars |= 1 << id;
        if kind != Bar::Arrive {
            state.agents[agent].held = Held::Bar(id);
        }
        if weight > 0 && at.arrived >= threads {
            self.complete_bar(state, cta, id, together);
        }
        Ok(())
    }

    /// A generation completes: the agents that it blocks continue, except those that their own step advances.
    fn complete_bar(&self, state: &mut State, cta: u32, id: u8, own: &[usize]) {
        let index = cta as usize * BARS + usize::from(id);
        let votes = core::mem::take(&mut state.bars[index]).votes;
        let blocked: alloc::vec::Vec<usize> =
            self.in_cta(cta).filter(|&agent| state.agents[agent].held == Held::Bar(id)).collect();
        Self::take_from_bar(state, &blocked, index);
        for agent in self.in_cta(cta) {
            state.agents[agent].bars &= !(1 << id);
            if state.agents[agent].held == Held::Bar(id) {
                if let Some(Reduction { reduce, register: Some(register), .. }) =
                    reduction_of(self, state, agent)
                {
                    set_token(state, agent, register, Token::number(votes.reduced(reduce)));
                }
                state.agents[agent].held = Held::Free;
                if !own.contains(&agent) {
                    self.pass(state, agent);
                }
            }
        }
    }

    /// Moves an agent past the operation that held it.
    fn pass(&self, state: &mut State, agent: usize) {
        if let Some(Node::Operation { next, .. }) = self.node(state, agent) {
            let next = next[0];
            self.go_to(state, agent, next);
        }
    }

    /// Completes the barriers of a CTA that only exited warps have not reached. PTX does not wait for exited threads at a
    /// barrier that counts all threads of the CTA; reading `ptx.exit-counted` extends that to smaller counts.
    pub(super) fn settle_bars(&self, state: &mut State, agent: usize) {
        let cta = self.cta(agent);
        let agents = &state.agents[self.in_cta(cta)];
        if !agents.iter().any(|at| at.ended) {
            return;
        }
        let held = |id: u8| agents.iter().any(|at| at.held == Held::Bar(id));
        let held: alloc::vec::Vec<u8> = (0..BARS as u8).filter(|&id| held(id)).collect();
        for id in held {
            if self.lacks_only_ended(state, cta, id) {
                self.complete_bar(state, cta, id, &[]);
            }
        }
    }

    /// Whether every live warp has reached a barrier, and the missing arrivals equal the threads of the warps that exited
    /// without reaching it. A warp that arrived and then exited has been counted.
    fn lacks_only_ended(&self, state: &State, cta: u32, id: u8) -> bool {
        let bar = state.bars[cta as usize * BARS + usize::from(id)];
        let threads = bar.threads.unwrap_or(0);
        if !self.counts_ends(Some(i64::from(threads))) {
            return false;
        }
        let mut arrived = bar.arrived;
        let lanes = self.context.program.lanes_apart() as usize;
        for warp in state.agents[self.in_cta(cta)].chunks(lanes) {
            let came = warp.iter().any(|at| at.bars >> id & 1 != 0);
            if !came && warp.iter().any(|at| !at.ended) {
                return false;
            }
            arrived += if came { 0 } else { bar::count_multiple::WARP as u32 };
        }
        arrived >= threads
    }

    /// Whether a barrier with this count does not wait for exited warps.
    pub(super) fn counts_ends(&self, threads: Option<i64>) -> bool {
        let all = i64::from(self.context.program.launch.waves) * bar::count_multiple::WARP;
        threads.is_none_or(|threads| threads == all)
            || !self.law.readings.is_default(ReadingId::PtxExitCounted)
    }

    /// Checks for arrivals of incomplete generations when the agents of a CTA have ended.
    pub(super) fn check_leftover(&self, state: &mut State, agent: usize) {
        let start = self.cta(agent) as usize * BARS;
        if state.bars[start..start + BARS].iter().any(|bar| bar.arrived > 0) {
            state.broken |= RuleId::PtxBarLeftover.bit();
        }
    }

    /// `bar.warp.sync`: the lanes of the mask synchronise. No lane can execute it with an empty mask.
    pub(super) fn warp_sync(
        &self,
        state: &mut State,
        agent: usize,
        mask: u32,
    ) -> Result<(), RuleId> {
        let apart = self.context.program.lanes_apart() > 1;
        if self.law.text {
            bar::warp_member::check(if apart { self.is_named(agent, mask) } else { mask != 0 })?;
        }
        if apart && self.is_named(agent, mask) {
            state.agents[agent].held = Held::Warp;
            self.meet_lanes(state, agent, mask);
        }
        Ok(())
    }

    /// The mask with which a lane waits at `bar.warp.sync`.
    fn waits_with(&self, state: &State, lane: usize) -> Option<u32> {
        match self.node(state, lane).and_then(action_of) {
            Some(Action::WarpSync { mask }) if state.agents[lane].held == Held::Warp => Some(mask),
            _ => None,
        }
    }

    /// After the end of a lane, the lanes that wait at `bar.warp.sync` may continue.
    pub(super) fn settle_warp(&self, state: &mut State, agent: usize) {
        for lane in self.lanes(agent) {
            if let Some(mask) = self.waits_with(state, lane) {
                self.meet_lanes(state, agent, mask);
            }
        }
    }

    fn is_named(&self, lane: usize, mask: u32) -> bool {
        let program = &self.context.program;
        mask >> (program.agents[lane].wave % program.lanes_apart()).min(31) & 1 != 0
    }

    /// Advances the lanes of a mask if all live ones have arrived with the same mask. Exited lanes are not waited for and
    /// release nothing.
    fn meet_lanes(&self, state: &mut State, agent: usize, mask: u32) {
        let named = self.lanes(agent).filter(|&lane| self.is_named(lane, mask));
        let live: alloc::vec::Vec<usize> =
            named.filter(|&lane| !state.agents[lane].ended).collect();
        if live.iter().any(|&lane| self.waits_with(state, lane) != Some(mask)) {
            return;
        }
        Self::meet(state, &live);
        for lane in live {
            state.agents[lane].held = Held::Free;
            if lane != agent {
                self.pass(state, lane);
            }
        }
    }

    pub(super) fn cluster_arrive(&self, state: &mut State, agent: usize) {
        self.hand_to_cluster(state, agent);
        match arrive_once::arrive(state.agents[agent].cluster) {
            Ok(standing) => state.agents[agent].cluster = standing,
            Err(rule) if self.law.text => state.break_rule(rule),
            Err(_) => {}
        }
        self.settle_cluster(state, agent);
    }

    /// The phase of the cluster barrier completes when every live agent of the cluster has arrived.
    pub(super) fn settle_cluster(&self, state: &mut State, agent: usize) {
        let mut live =
            self.in_cluster(agent).filter(|&other| !state.agents[other].ended).peekable();
        let any = live.peek().is_some();
        if any && live.all(|other| state.agents[other].cluster == Standing::Arrived) {
            self.cluster_turns(state, agent);
            for other in self
                .in_cluster(agent)
                .filter(|&other| !state.agents[other].ended)
                .collect::<alloc::vec::Vec<_>>()
            {
                state.agents[other].cluster = Standing::Released;
            }
        }
    }

    pub(super) fn may_wait_for_cluster(state: &State, agent: usize) -> bool {
        state.agents[agent].cluster != Standing::Arrived
    }

    pub(super) fn cluster_wait(&self, state: &mut State, agent: usize) {
        if let Err(rule) = arrive_once::wait(state.agents[agent].cluster) {
            if self.law.text {
                state.break_rule(rule);
            }
            state.agents[agent].held = Held::Forever;
            return;
        }
        state.agents[agent].cluster = Standing::Away;
        self.take_from_cluster(state, agent);
    }
}
