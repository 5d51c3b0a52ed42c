//! The barriers of a CTA, of a warp and of a cluster.

use super::ample::aligned_at;
use super::state::{Bar as BarState, Held, State};
use super::{BARS, Machine, action_of, bit};
use crate::program::Node;
use crate::ptx::action::{Action, Bar};
use crate::ptx::bar;
use crate::ptx::cluster::arrive_once::{self, Standing};
use crate::rule::RuleId;

/// What a barrier instruction says: id, thread count, kind, whether aligned, site.
type Said = (i64, Option<i64>, Bar, bool, u32);

impl Machine {
    /// Threads that a lane counts at a barrier: those of a warp are shared among its lanes, and the last of these to arrive
    /// brings what is left over.
    fn share(&self, state: &State, agent: usize, id: i64) -> u32 {
        let (lanes, warp) = (self.context.program.lanes_apart(), bar::count_multiple::WARP as u32);
        let each = (warp / lanes).max(1);
        let has_arrived = |&lane: &usize| {
            lane != agent
                && u32::try_from(id).is_ok_and(|id| state.agents[lane].bars >> id.min(15) & 1 != 0)
        };
        let others = self.lanes(agent).filter(has_arrived).count() as u32;
        if others + 1 == lanes { warp.saturating_sub(each * others).max(1) } else { each }
    }

    /// The threads that an agent brings to a barrier at most while `actor` does not move, such that over all live lanes of
    /// a warp no fewer are counted than they bring together. An aligned instruction is one of the whole warp: its threads
    /// are counted for one lane, and only if the actor is none of them. Where lanes come one by one, one of those that can
    /// brings what is left over.
    pub(super) fn most_threads(
        &self,
        state: &State,
        actor: usize,
        agent: usize,
        aligned: bool,
    ) -> u32 {
        let (lanes, warp) = (self.context.program.lanes_apart(), bar::count_multiple::WARP as u32);
        let whole = aligned && lanes > 1;
        let each = if whole { 0 } else { (warp / lanes).max(1) };
        let may = |&lane: &usize| !state.agents[lane].ended && (whole || lane != actor);
        let first = self.lanes(agent).find(may);
        if first == Some(agent) { warp.saturating_sub(each * (lanes - 1)).max(1) } else { each }
    }

    /// The lanes of an agent's warp.
    pub(super) fn lanes(&self, agent: usize) -> impl Iterator<Item = usize> + Clone {
        let warp = self.warp(agent);
        self.in_cta(self.cta(agent)).filter(move |&other| self.warp(other) == warp)
    }

    /// The thread count that an instruction means.
    pub(super) fn threads(&self, threads: Option<i64>) -> Result<u32, RuleId> {
        match threads {
            Some(threads) if self.law.text => bar::count_multiple::check(threads),
            Some(threads) => Ok(u32::try_from(threads).unwrap_or(u32::MAX)),
            None => Ok(self.context.program.launch.waves * bar::count_multiple::WARP as u32),
        }
    }

    pub(super) fn bar(&self, state: &mut State, agent: usize, said: Said) -> Result<(), RuleId> {
        let lanes = self.context.program.lanes_apart();
        if lanes == 1 || !said.3 {
            let threads = if lanes == 1 {
                bar::count_multiple::WARP as u32
            } else {
                self.share(state, agent, said.0)
            };
            return self.arrive_at_bar(state, &[agent], said, threads);
        }
        if let Some(warp) = self.gather(state, agent)? {
            self.arrive_at_bar(state, &warp, said, bar::count_multiple::WARP as u32)?;
            self.pass_others(state, agent, &warp);
        }
        Ok(())
    }

    /// An operation of one agent, or of all lanes of a warp together.
    pub(super) fn by_warp(
        &self,
        state: &mut State,
        agent: usize,
        aligned: Option<u32>,
        operation: fn(&Self, &mut State, usize),
    ) -> Result<(), RuleId> {
        if aligned.is_none() || self.context.program.lanes_apart() == 1 {
            operation(self, state, agent);
        } else if let Some(warp) = self.gather(state, agent)? {
            warp.iter().for_each(|&lane| operation(self, state, lane));
            self.pass_others(state, agent, &warp);
        }
        Ok(())
    }

    /// A lane comes to an aligned instruction: the lanes of its warp, once all of them are there.
    fn gather(
        &self,
        state: &mut State,
        agent: usize,
    ) -> Result<Option<alloc::vec::Vec<usize>>, RuleId> {
        state.agents[agent].held = Held::Gathering;
        self.gathered(state, agent)?;
        let warp: alloc::vec::Vec<usize> = self.lanes(agent).collect();
        if !warp.iter().all(|&lane| state.agents[lane].held == Held::Gathering) {
            return Ok(None);
        }
        warp.iter().for_each(|&lane| state.agents[lane].held = Held::Free);
        Ok(Some(warp))
    }

    /// The other lanes of a warp stand behind the instruction, or are held at it; the last is moved by its own step.
    fn pass_others(&self, state: &mut State, agent: usize, warp: &[usize]) {
        for &lane in warp.iter().filter(|&&lane| lane != agent) {
            let stands = self.node(state, lane).and_then(action_of).and_then(aligned_at);
            if state.agents[lane].held == Held::Free && stands.is_some() {
                self.pass(state, lane);
            }
        }
    }

    /// Whether the lanes of a warp that wait for each other stand at one instruction.
    fn gathered(&self, state: &State, agent: usize) -> Result<(), RuleId> {
        let site = |lane: usize| {
            let at = &state.agents[lane];
            match self.node(state, lane).and_then(action_of).and_then(aligned_at) {
                Some(site) if at.held == Held::Gathering => Some(Some(site)),
                _ if at.ended => Some(None),
                _ => None,
            }
        };
        if !self.law.text {
            return Ok(());
        }
        bar::aligned::check(self.lanes(agent).filter_map(site))
    }

    /// A lane that ends leaves lanes alone that wait for it.
    pub(super) fn check_gathering(&self, state: &mut State, agent: usize) {
        let waits = self.lanes(agent).any(|lane| state.agents[lane].held == Held::Gathering);
        if waits && let Err(rule) = self.gathered(state, agent) {
            state.stop(rule);
        }
    }

    fn arrive_at_bar(
        &self,
        state: &mut State,
        agents: &[usize],
        (id, threads, kind, aligned, site): Said,
        weight: u32,
    ) -> Result<(), RuleId> {
        let id = bar::id::check(id)?;
        let threads = self.threads(threads)?;
        let cta = self.cta(agents[0]);
        let index = cta as usize * BARS + usize::from(id);
        let mut at = state.bars[index];
        if self.law.text {
            if agents.iter().any(|&agent| {
                bar::double_arrive::check(state.agents[agent].bars >> id & 1 != 0).is_err()
            }) {
                state.broken |= bit(RuleId::PtxBarDoubleArrive);
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
        state.bars[index] = at;
        Self::hand_to_bar(state, agents, index);
        for &agent in agents {
            state.agents[agent].bars |= 1 << id;
            if kind != Bar::Arrive {
                state.agents[agent].held = Held::Bar(id);
            }
        }
        if at.arrived >= threads {
            // Whoever performs the step is moved on by it.
            self.complete_bar(state, cta, id, agents);
        }
        Ok(())
    }

    /// A generation completes: whoever is blocked on it goes on, except those whose own step goes on with it.
    fn complete_bar(&self, state: &mut State, cta: u32, id: u8, own: &[usize]) {
        let index = cta as usize * BARS + usize::from(id);
        state.bars[index] = BarState::default();
        let blocked: alloc::vec::Vec<usize> =
            self.in_cta(cta).filter(|&agent| state.agents[agent].held == Held::Bar(id)).collect();
        Self::take_from_bar(state, &blocked, index);
        for agent in self.in_cta(cta) {
            state.agents[agent].bars &= !(1 << id);
            if state.agents[agent].held == Held::Bar(id) {
                state.agents[agent].held = Held::Free;
                if !own.contains(&agent) {
                    self.pass(state, agent);
                }
            }
        }
    }

    /// Moves an agent behind the operation at which it was held.
    fn pass(&self, state: &mut State, agent: usize) {
        if let Some(Node::Operation { next, .. }) = self.node(state, agent) {
            let next = next[0];
            self.go_to(state, agent, next);
        }
    }

    /// Agents that ended are not waited for: a barrier completes when all that live are blocked on it.
    pub(super) fn settle_bars(&self, state: &mut State, agent: usize) {
        let cta = self.cta(agent);
        let mut live = self.in_cta(cta).filter(|&other| !state.agents[other].ended).peekable();
        let Some(&first) = live.peek() else { return };
        let Held::Bar(id) = state.agents[first].held else { return };
        let ended = self.in_cta(cta).any(|other| state.agents[other].ended);
        if ended && live.all(|other| state.agents[other].held == Held::Bar(id)) {
            self.complete_bar(state, cta, id, &[]);
        }
    }

    /// What ends of agents leave behind at the barriers of a CTA.
    pub(super) fn check_leftover(&self, state: &mut State, agent: usize) {
        let start = self.cta(agent) as usize * BARS;
        if state.bars[start..start + BARS].iter().any(|bar| bar.arrived > 0) {
            state.broken |= bit(RuleId::PtxBarLeftover);
        }
    }

    /// `bar.warp.sync`: the lanes of the mask meet.
    pub(super) fn warp_sync(&self, state: &mut State, agent: usize, mask: u32) {
        if self.context.program.lanes_apart() == 1 || !self.is_named(agent, mask) {
            return;
        }
        state.agents[agent].held = Held::Warp;
        self.meet_lanes(state, agent, mask);
    }

    /// The end of a lane may leave nobody to come to those that wait at `bar.warp.sync`.
    pub(super) fn settle_warp(&self, state: &mut State, agent: usize) {
        let waiting = self.lanes(agent).find(|&lane| state.agents[lane].held == Held::Warp);
        let node = waiting.and_then(|lane| self.node(state, lane));
        if let Some(Action::WarpSync { mask }) = node.and_then(action_of) {
            self.meet_lanes(state, agent, mask);
        }
    }

    fn is_named(&self, lane: usize, mask: u32) -> bool {
        let program = &self.context.program;
        mask >> (program.agents[lane].wave % program.lanes_apart()).min(31) & 1 != 0
    }

    /// Lets the lanes of a mask go on where all that live have come. Who ended is not waited for, and hands nothing over.
    fn meet_lanes(&self, state: &mut State, agent: usize, mask: u32) {
        let named = self.lanes(agent).filter(|&lane| self.is_named(lane, mask));
        let live: alloc::vec::Vec<usize> =
            named.filter(|&lane| !state.agents[lane].ended).collect();
        if live.iter().any(|&lane| state.agents[lane].held != Held::Warp) {
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

    /// The phase of the cluster barrier completes when every agent of the cluster that lives has arrived.
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
