//! Removes from a state what no later step can distinguish: accesses and events that all agents know of, the times of
//! agents that ended, and, in cyclic programs, absolute phases.

use super::memory::{Clock, Event, Made, Memory, Who};
use super::state::State;
use crate::ordered::OrderedSet;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// In cyclic programs, phases from this one are distinguished only by parity.
const LATE: u32 = 4;

/// Removes what no later step can distinguish.
pub(super) fn tidy(state: &mut State, cyclic: bool) {
    if cyclic {
        wrap_phases(state);
    }
    tidy_memory(state, cyclic);
}

/// A late phase becomes the earliest late phase of its parity. Tokens keep their distance if it is 0 or 1, which is within
/// the window; of other distances only the parity matters.
fn wrap_phases(state: &mut State) {
    for (index, object) in state.mbarriers.iter_mut().enumerate() {
        let real = object.phase;
        if real >= LATE {
            object.phase = LATE + (real & 1);
        }
        let now = object.phase;
        let tokens = state.agents.iter_mut().flat_map(|at| at.tokens.iter_mut().flatten());
        for token in tokens.filter(|token| token.object as usize == index) {
            let distance = real.wrapping_sub(token.phase);
            if real >= LATE || distance > 3 {
                let kept = if distance < 2 { distance } else { 2 + (distance & 1) };
                token.phase = now.wrapping_sub(kept);
            }
        }
    }
}

fn tidy_memory(state: &mut State, cyclic: bool) {
    let ended: Vec<bool> = state.agents.iter().map(|at| at.ended).collect();
    let Some(memory) = &mut state.memory else { return };
    for agent in (0..ended.len()).filter(|&agent| ended[agent]) {
        memory.clocks[agent] = Clock::default();
        memory.fenced[agent] = Default::default();
        memory.groups[agent] = Default::default();
    }
    let Memory { clocks, made, inits, .. } = &mut **memory;
    let live = || clocks.iter().zip(&ended).filter(|(_, ended)| !**ended).map(|(clock, _)| clock);
    let matters = |made: &Made| !live().all(|clock| clock.happened_before(made.who));
    if !made.iter().all(matters) {
        Rc::make_mut(made).retain(matters);
    }
    for init in inits {
        if init.is_some_and(|event| live().all(|clock| clock.knows(event))) {
            *init = None;
        }
    }
    memory.forget_events();
    if cyclic {
        memory.rank_times();
    }
}

impl Memory {
    /// Every clock.
    fn every_clock(&mut self) -> impl Iterator<Item = &mut Clock> {
        let fenced = self
            .fenced
            .iter_mut()
            .flat_map(|fenced| fenced.released.iter_mut().chain(&mut fenced.seen));
        let objects = self.objects.iter_mut();
        let knowledge =
            objects.flat_map(|knowledge| knowledge.near.iter_mut().chain(&mut knowledge.far));
        let clusters = self.clusters.iter_mut().flatten();
        let scheduled = self.scheduled.iter_mut().map(|scheduled| &mut scheduled.completes);
        let groups = self.groups.iter_mut().flatten().map(|groups| &mut groups.before);
        let agents = self.clocks.iter_mut().chain(fenced).chain(scheduled).chain(groups);
        agents.chain(knowledge).chain(&mut self.bars).chain(clusters)
    }

    /// Removes an event from the knowledge of all agents, because it occurs again.
    pub(super) fn forget_event(&mut self, event: Event) {
        self.every_clock().for_each(|clock| clock.retain(|&known| known != event));
    }

    /// Removes events without an effect: of copies without a remaining access, and of inits that all agents know.
    fn forget_events(&mut self) {
        let of_copies = self.made.iter().filter_map(|made| match made.who {
            Who::Copy(event) => Some(event),
            Who::Agent(..) => None,
        });
        let left: OrderedSet<Event> =
            of_copies.chain(self.inits.iter().flatten().copied()).collect();
        let is_left = |event: &Event| left.contains(event);
        self.every_clock().for_each(|clock| clock.retain(is_left));
        for groups in self.groups.iter_mut().flatten() {
            groups.open.retain(is_left);
            groups.groups.iter_mut().for_each(|group| group.retain(is_left));
            // Empty groups at the front are equivalent to groups that were waited for.
            let empty = groups.groups.iter().take_while(|group| group.is_empty()).count();
            groups.groups.drain(..empty);
        }
    }

    /// Renumbers the times of each agent without gaps: they are only compared with each other.
    fn rank_times(&mut self) {
        for agent in 0..self.clocks.len() {
            let mut times: Vec<u32> =
                self.every_clock().map(|clock| clock.time(agent as u32)).collect();
            times.extend(self.made.iter().filter_map(|made| match made.who {
                Who::Agent(other, time) if other as usize == agent => Some(time),
                _ => None,
            }));
            times.push(0);
            times.sort_unstable();
            times.dedup();
            if (0..).zip(&times).all(|(rank, &time): (u32, _)| rank == time) {
                continue;
            }
            let rank = |time: u32| times.binary_search(&time).unwrap_or(0) as u32;
            for clock in self.every_clock() {
                if let Some(time) = Rc::make_mut(&mut clock.times).get_mut(agent) {
                    *time = rank(*time);
                }
            }
            for made in Rc::make_mut(&mut self.made) {
                if let Who::Agent(other, time) = &mut made.who
                    && *other as usize == agent
                {
                    *time = rank(*time);
                }
            }
        }
        let made = Rc::make_mut(&mut self.made);
        made.sort_unstable();
        made.dedup();
    }
}
