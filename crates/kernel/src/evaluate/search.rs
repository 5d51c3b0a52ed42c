//! The search for cases, and a case.

use super::guards::Judged;
use super::inputs::Coarse;
use super::known::Known;
use super::launch::Standing;
use super::recorded::Recorded;
use super::request::Request;
use super::split::Split;
use super::strides::Strides;
use super::world::World;
use crate::ir::Place;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The maximum number of instructions of all agents in all cases.
pub(super) const ALL_STEPS: u64 = 4_000_000;

/// The operations of all agents.
pub(super) type Agents = Vec<(u32, Recorded)>;

/// All agents with one value of each argument.
pub(super) struct Case {
    pub(super) values: Vec<i64>,
    /// The answers for agreed data.
    pub(super) answers: Vec<bool>,
    pub(super) agents: Agents,
}

/// A search for cases that cover all values.
pub(super) struct Search<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) world: &'a World<'a>,
    pub(super) standings: &'a [Standing],
    /// The number of workgroups that are evaluated, from the start of the launch.
    pub(super) groups: u32,
    pub(super) place: Place,
    /// Instructions that may still be evaluated.
    pub(super) left: u64,
    /// Instructions that were evaluated.
    pub(super) taken: u64,
    /// The known contents of shared memory in cases in which some are known, and whether they are the same in all such cases.
    /// `None` without such a case.
    pub(super) known: Option<(Rc<Known>, bool)>,
    /// Whether comparisons with arguments that may differ between lanes are data.
    pub(super) coarse: Coarse,
    /// Whether there were such comparisons.
    pub(super) by_lane: bool,
    /// The arguments that are strides and have a large value.
    pub(super) strides: Strides,
    /// Whether the current proof is for negative values that take too many steps to evaluate.
    pub(super) huge: bool,
    /// Whether some case contains decisions by data that may be impossible in one execution.
    pub(super) guesses: bool,
    /// The maximum number of answers of each agent; 0 for no limit.
    pub(super) most_answers: u32,
    /// The number of answers of each agent that were evaluated in all cases.
    pub(super) judged: u32,
    /// The arguments, one bit each, on which some proof depends in another way than by constant steps.
    pub(super) hinted: u128,
    /// The arguments that are evaluated as a quotient and a remainder.
    pub(super) split: Split,
    /// A remainder of which the last proof covered too many values, and the last value that it can cover.
    pub(super) cut: Option<(usize, i64)>,
    /// The values of the arguments in all cases, and the ranges that each case represents.
    pub(super) cases: Vec<Judged>,
}

impl<'a> Search<'a> {
    /// A search of agents in the first workgroups of a launch.
    pub(super) fn new(
        request: &'a Request<'a>,
        world: &'a World<'a>,
        (standings, groups): (&'a [Standing], u32),
        split: Split,
        place: Place,
    ) -> Self {
        Self {
            request,
            world,
            standings,
            groups,
            place,
            left: if split.is_empty() { ALL_STEPS } else { ALL_STEPS / 4 },
            taken: 0,
            known: None,
            coarse: Coarse::No,
            by_lane: false,
            strides: Strides::default(),
            huge: false,
            guesses: false,
            most_answers: 0,
            judged: u32::MAX,
            hinted: 0,
            split,
            cut: None,
            cases: Vec::new(),
        }
    }
}
