//! Accesses to global memory whose addresses move in each iteration of a loop.
//!
//! A proof follows a loop for every number of iterations, but conflicts of its accesses are checked only for a few iterations.
//! An access that moves by `s` bytes in each iteration has the address `b + s·t` in iteration `t`. Two such accesses never
//! overlap if they do not overlap modulo the greatest common divisor of their steps. An example is `a[i]`, where `i` starts at
//! the number of the work-item and grows by the number of work-items. Otherwise they may overlap in later iterations, as `a[100
//! * l + i]` does.
//!
//! Agents of a workgroup with a barrier of the workgroup in each iteration are at most one iteration apart. If two such
//! accesses move in the same way, their distance stays the same. The checked iterations then represent all, if each iteration
//! also orders global memory: by the flag of an OpenCL barrier, or by a fence next to an AMDGPU barrier.

use crate::ir::{BlockId, ObjectId};
use crate::value::Symbol;
use alloc::vec::Vec;

/// The header of a loop, and its function.
pub(crate) type Header = (u32, BlockId);

/// The bytes by which an access moves in each iteration of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) symbol: Symbol,
    pub(super) by: i64,
    /// The loop, if each of its iterations contains a barrier of the workgroup.
    pub(super) gathers: Option<Header>,
}

/// Accesses to an object that move in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alike {
    pub(super) object: ObjectId,
    pub(super) bytes: u32,
    pub(super) writes: bool,
    pub(super) atomic: bool,
    pub(super) steps: Vec<Step>,
}

/// Bytes that an agent accesses in the first iteration: the start, the end, the workgroup and the number of the agent there,
/// and whether the access is the second of two that are compared.
type Bytes = (u64, u64, (u32, u32), bool);

/// The accesses of a proof.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    all: Vec<(Alike, Vec<Bytes>)>,
    count: usize,
    /// An object in which accesses of several agents may overlap after some iterations.
    meeting: Option<ObjectId>,
}

/// The maximum number of accesses that are compared.
const MOST: usize = 1 << 19;

impl Rounds {
    /// Starts a proof.
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.count = 0;
    }

    pub(super) fn add(&mut self, alike: &Alike, agent: (u32, u32), start: u64) {
        if self.count >= MOST {
            return;
        }
        let at = self.all.iter().position(|(known, _)| known == alike).unwrap_or_else(|| {
            self.all.push((alike.clone(), Vec::new()));
            self.all.len() - 1
        });
        let all = &mut self.all[at].1;
        if all.len() == all.capacity() {
            let before = all.len();
            all.sort_unstable();
            all.dedup();
            self.count -= before - all.len();
        }
        all.push((start, start + u64::from(alike.bytes), agent, false));
        self.count += 1;
    }

    /// Records that a loop has been proved. `gathers` says that each iteration contains a barrier of the workgroup and orders
    /// global memory.
    pub(crate) fn close(&mut self, symbol: Symbol, header: Header, gathers: bool) {
        let steps = self.all.iter_mut().flat_map(|(alike, _)| &mut alike.steps);
        for step in steps.filter(|step| gathers && step.symbol == symbol) {
            step.gathers = step.gathers.or(Some(header));
        }
    }

    /// Whether accesses of two agents may overlap in iterations that are not checked.
    pub(crate) fn may_meet(&mut self) -> bool {
        let all = &self.all;
        let found = (0..all.len()).find_map(|at| {
            let meets = |other: &&(Alike, Vec<Bytes>)| meet(&all[at], other);
            all[at..].iter().find(meets).map(|(alike, _)| alike.object)
        });
        let full = all.first().filter(|_| self.count >= MOST).map(|(alike, _)| alike.object);
        let found = found.or(full);
        self.meeting = found.or(self.meeting);
        found.is_some()
    }

    /// An object in which accesses may overlap in iterations that are not checked.
    pub(crate) fn meeting(&self) -> Option<ObjectId> {
        self.meeting
    }
}

/// Whether accesses of two classes, or of one, may overlap in iterations that are not checked.
fn meet((one, bytes): &(Alike, Vec<Bytes>), (other, others): &(Alike, Vec<Bytes>)) -> bool {
    let conflict = (one.writes || other.writes) && !(one.atomic && other.atomic);
    if one.object != other.object || !conflict || one.steps.is_empty() && other.steps.is_empty() {
        return false;
    }
    let together = |step: &&Step| {
        step.gathers.is_some()
            && other.steps.iter().any(|it| (it.gathers, it.by) == (step.gathers, step.by))
    };
    let kept: Vec<i64> = one.steps.iter().filter(together).map(|step| step.by).collect();
    let apart = |steps: &[Step]| -> u64 {
        let free = steps.iter().filter(|step| {
            let both = |steps: &[Step]| {
                steps.iter().any(|it| (it.gathers, it.by) == (step.gathers, step.by))
            };
            step.gathers.is_none() || !both(&one.steps) || !both(&other.steps)
        });
        free.fold(0, |all, step| common_divisor(all, step.by.unsigned_abs()))
    };
    let every = |steps: &[Step]| {
        steps.iter().fold(0, |all, step| common_divisor(all, step.by.unsigned_abs()))
    };
    let between = common_divisor(every(&one.steps), every(&other.steps));
    let within = common_divisor(apart(&one.steps), apart(&other.steps));
    let mut shifts = alloc::vec![0_i64];
    for by in kept {
        shifts = shifts.iter().flat_map(|at| [at - by, *at, at + by]).collect();
    }
    let overlap = |modulus: u64, shift: i64, apart: &dyn Fn((u32, u32), (u32, u32)) -> bool| {
        modulus > 0 && overlaps([bytes, others], (modulus, shift), apart)
    };
    overlap(between, 0, &|one, other| one.0 != other.0)
        || shifts
            .iter()
            .any(|&shift| overlap(within, shift, &|one, other| one.0 == other.0 && one != other))
}

fn common_divisor(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// Whether bytes of two agents overlap modulo a number, if those of the second side are shifted.
fn overlaps(
    sides: [&[Bytes]; 2],
    (modulus, shift): (u64, i64),
    apart: &dyn Fn((u32, u32), (u32, u32)) -> bool,
) -> bool {
    let mut ends: Vec<Bytes> = Vec::new();
    for (bytes, second) in sides.into_iter().zip([false, true]) {
        let shift = i128::from(if second { shift } else { 0 });
        for &(start, end, agent, _) in bytes {
            let size = (end - start).min(modulus);
            let start = (i128::from(start) + shift).rem_euclid(i128::from(modulus)) as u64;
            ends.push((start, start + size, agent, second));
            ends.push((start + modulus, start + modulus + size, agent, second));
        }
    }
    ends.sort_unstable();
    // For each side, the accesses that have not ended: those of two agents suffice.
    let mut open: [Vec<(u64, (u32, u32))>; 2] = [Vec::new(), Vec::new()];
    for (start, end, agent, second) in ends {
        let side = usize::from(second);
        open.iter_mut().for_each(|open| open.retain(|(end, _)| *end > start));
        if open[1 - side].iter().any(|(_, other)| apart(agent, *other)) {
            return true;
        }
        match open[side].iter_mut().find(|(_, known)| *known == agent) {
            Some((known, _)) => *known = end.max(*known),
            None => open[side].push((end, agent)),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Accesses of several agents of one workgroup, each at a multiple of a distance.
    fn meets(agents: u32, distance: u64, by: i64, gathers: Option<Header>) -> bool {
        let mut rounds = Rounds::default();
        let steps = alloc::vec![Step { symbol: 1, by, gathers }];
        let alike = Alike { object: 0, bytes: 4, writes: true, atomic: false, steps };
        (0..agents).for_each(|agent| rounds.add(&alike, (0, agent), distance * u64::from(agent)));
        rounds.may_meet()
    }

    #[test]
    fn steps_of_all_agents_keep_accesses_apart() {
        assert!(!meets(64, 4, 256, None));
        assert!(!meets(64, 4, -512, None));
    }

    #[test]
    fn rows_of_agents_meet_after_some_rounds() {
        assert!(meets(2, 400, 4, None));
        assert!(meets(64, 4, 128, None));
        assert!(meets(2, 400, -4, None));
    }

    #[test]
    fn one_agent_does_not_meet_itself() {
        assert!(!meets(1, 4, 4, None));
    }

    #[test]
    fn a_barrier_in_each_round_keeps_the_distance() {
        assert!(!meets(2, 400, 4, Some((0, 1))));
    }

    #[test]
    fn workgroups_are_not_kept_together() {
        let mut rounds = Rounds::default();
        let steps = alloc::vec![Step { symbol: 1, by: 4, gathers: Some((0, 1)) }];
        let alike = Alike { object: 0, bytes: 4, writes: true, atomic: false, steps };
        (0..2).for_each(|group| rounds.add(&alike, (group, 0), 400 * u64::from(group)));
        assert!(rounds.may_meet());
        assert_eq!(rounds.meeting(), Some(0));
    }

    #[test]
    fn a_store_that_does_not_move_may_be_met() {
        let mut rounds = Rounds::default();
        let steps = alloc::vec![Step { symbol: 1, by: 8, gathers: None }];
        let moving = Alike { object: 0, bytes: 4, writes: false, atomic: false, steps };
        let fixed = Alike { writes: true, steps: Vec::new(), ..moving.clone() };
        rounds.add(&moving, (0, 0), 0);
        rounds.add(&fixed, (0, 1), 4);
        assert!(!rounds.may_meet());
        rounds.add(&fixed, (0, 1), 800);
        assert!(rounds.may_meet());
    }
}
