//! Programs of NVIDIA operations as a step-by-step machine over interleavings.
//!
//! Agents are warps or lanes of warps. A warp counts as 32 threads at the barriers of a CTA, and as one elected thread at an
//! mbarrier. Asynchronous copies in flight are separate actors, numbered after the agents. The machine implements both the
//! specification and the hardware model ([`Law`]).

mod accesses;
mod ample;
mod bars;
pub mod endless;
mod exits;
mod groups;
mod leaving;
mod mbarriers;
pub mod memory;
pub mod node;
pub mod one_run;
mod order;
pub(crate) mod pack;
mod parts;
mod reach;
mod search;
pub mod state;
mod step;
mod tidy;

use crate::context::Context;
use crate::ordered::{OrderedMap, OrderedSet};
use crate::program::{Node, Program};
use crate::ptx::action::{Action, Name, Place};
use crate::ptx::bar::BARS;
use crate::ptx::object::{Law, Mbarrier};
use crate::rule::RuleId;
use crate::symmetry;
use alloc::rc::Rc;
use alloc::vec::Vec;
use node::action_of;
use reach::BodyFacts;
use state::{At, State};

/// A wait of a program, by body and node: agents of one body perform the same wait there.
pub type WaitKey = (u32, u32);

/// A program prepared for stepping under a law.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The program.
    pub context: Rc<Context>,
    /// The semantics.
    pub law: Law,
    /// For waits by parity that can see several phases, the first phase. Empty until a search has found some.
    pub aliases: Rc<OrderedMap<WaitKey, u32>>,
    /// Whether the program accesses memory.
    tracked: bool,
    /// By buffer, whether it is global memory that no operation writes: its reads race with nothing.
    read_only: Rc<[bool]>,
    /// Whether it reads the pending count of a token.
    counts: bool,
    /// Whether an agent can repeat an operation, other than by waiting.
    cyclic: bool,
    /// Whether the end of an agent can complete a barrier at which an agent has arrived without waiting.
    ends_matter: bool,
    /// Whether it names objects of other CTAs.
    remote: bool,
    /// By declared object, the sums of a few expected byte counts, including zero, ascending.
    expected: Rc<[Vec<i64>]>,
    /// Barriers of each CTA that it can name, and whether it names the cluster barrier.
    barriers: (usize, bool),
    facts: Rc<[BodyFacts]>,
    classes: Rc<[u32]>,
}

/// For each lane of a warp, the number of its class below the number of lanes: equal for lanes that are in the same masks
/// of `bar.warp.sync`. Only these are interchangeable.
fn lane_marks(program: &Program, lanes: u32) -> Vec<u32> {
    let nodes = program.bodies.iter().flat_map(|body| &body.nodes);
    let masks: OrderedSet<u32> = nodes
        .filter_map(|node| match action_of(node) {
            Some(Action::WarpSync { mask }) => Some(mask),
            _ => None,
        })
        .collect();
    let mut known: Vec<Vec<bool>> = Vec::new();
    let mark = |lane: u32| {
        let named: Vec<bool> = masks.iter().map(|mask| mask >> lane.min(31) & 1 != 0).collect();
        known.iter().position(|other| *other == named).unwrap_or_else(|| {
            known.push(named);
            known.len() - 1
        }) as u32
    };
    (0..lanes).map(mark).collect()
}

impl Machine {
    /// Prepares a program.
    #[must_use]
    pub fn new(context: Rc<Context>, law: Law) -> Self {
        let tracked = memory::is_tracked(&context.program);
        Self::of(context, law, tracked)
    }

    /// Prepares a program, and tracks the visibility of inits even if that cannot change the verdict.
    #[must_use]
    pub fn with_knowledge(context: Rc<Context>, law: Law) -> Self {
        Self::of(context, law, true)
    }

    /// Whether the end of an agent may complete a barrier. Returns `true` if unknown.
    #[must_use]
    pub fn ends_complete(program: &Program) -> bool {
        exits::complete_barriers(program)
    }

    /// Whether the visibility of inits is tracked.
    #[must_use]
    pub const fn has_knowledge(&self) -> bool {
        self.tracked
    }

    fn of(context: Rc<Context>, law: Law, tracked: bool) -> Self {
        let facts: Rc<[BodyFacts]> = context.program.bodies.iter().map(BodyFacts::of).collect();
        let lanes = context.program.lanes_apart();
        let counts = context.operations().any(|(_, _, operation)| {
            matches!(
                operation.action,
                crate::operation::Action::Ptx(Action::PendingCount { register: Some(_), .. }, _)
            )
        });
        let cyclic = facts.iter().any(|facts: &BodyFacts| facts.repeats.contains(&true));
        let classes = if tracked || cyclic {
            // Clocks distinguish agents, and so do agents that wait forever.
            (0..context.program.agents.len() as u32).collect()
        } else if lanes == 1 {
            Rc::clone(&context.classes)
        } else {
            let marks = lane_marks(&context.program, lanes);
            symmetry::classes_by(&context.program, |agent| {
                agent.wave / lanes * lanes + marks[(agent.wave % lanes) as usize]
            })
        };
        let expected = expected_sums(&context);
        let aliases = Rc::default();
        let read_only = memory::read_only(&context.program);
        let mut machine = Self {
            expected,
            context,
            law,
            aliases,
            tracked,
            read_only,
            counts,
            cyclic,
            ends_matter: false,
            remote: false,
            barriers: (0, false),
            facts,
            classes,
        };
        machine.remote = machine.is_remote();
        machine.barriers = machine.named_barriers();
        machine.ends_matter =
            machine.context.operations().any(|(_, _, operation)| match operation.action {
                crate::operation::Action::Ptx(Action::Bar { threads, kind, .. }, _) => {
                    kind == crate::ptx::action::Bar::Arrive && machine.counts_ends(threads)
                }
                _ => false,
            });
        machine
    }

    /// The state at launch.
    #[must_use]
    pub fn initial(&self) -> State {
        let program = &self.context.program;
        let ctas = program.launch.workgroups as usize;
        let object = |count: &Option<i64>| match *count {
            None => Mbarrier::default(),
            Some(count) => {
                let count = i32::try_from(count).unwrap_or(i32::MAX);
                Mbarrier {
                    valid: true,
                    pending: count,
                    expected: count,
                    observed: true,
                    ..Mbarrier::default()
                }
            }
        };
        let mbarriers: Vec<Mbarrier> =
            (0..ctas).flat_map(|_| program.mbarriers.iter().map(object)).collect();
        State {
            agents: alloc::vec![At::default(); program.agents.len()],
            memory: self.initial_memory(mbarriers.len(), ctas * BARS),
            mbarriers,
            bars: alloc::vec![Default::default(); ctas * BARS],
            copies: Vec::new(),
            broken: 0,
            stopped: false,
        }
    }

    /// The node of an agent; `None` if it has ended or a barrier holds it.
    #[must_use]
    pub fn node(&self, state: &State, agent: usize) -> Option<&Node> {
        let at = &state.agents[agent];
        (!at.ended).then(|| &self.context.program.body_of(agent).nodes[at.node as usize])
    }

    /// The CTA of an agent.
    #[must_use]
    pub fn cta(&self, agent: usize) -> u32 {
        self.context.program.agents[agent].workgroup
    }

    /// The warp of an agent within its CTA.
    #[must_use]
    pub fn warp(&self, agent: usize) -> u32 {
        self.context.program.agents[agent].wave / self.context.program.lanes_apart()
    }

    /// The agents of a CTA, which are contiguous.
    #[must_use]
    pub fn in_cta(&self, cta: u32) -> core::ops::Range<usize> {
        let size = self.context.program.agents_of_workgroup();
        let start = cta as usize * size;
        start..start + size
    }

    /// The agents of a cluster.
    #[must_use]
    pub fn in_cluster(&self, agent: usize) -> core::ops::Range<usize> {
        let launch = self.context.program.launch;
        let per = launch.workgroups_per_cluster();
        let first = launch.cluster_of(self.cta(agent)) * per;
        self.in_cta(first).start..self.in_cta(first + per - 1).end
    }

    /// The index in [`State::mbarriers`] of the object that an agent names, and whether it is of another CTA; `None` if no CTA
    /// has this rank.
    #[must_use]
    pub fn object(&self, agent: usize, name: Name) -> Option<(usize, bool)> {
        let launch = self.context.program.launch;
        let own = self.cta(agent);
        let cta = match name.place {
            Place::Own => own,
            Place::Rank(rank) if rank < launch.workgroups_per_cluster() => {
                launch.cluster_of(own) * launch.workgroups_per_cluster() + rank
            }
            Place::Rank(_) => return None,
        };
        let count = self.context.program.mbarriers.len();
        Some((cta as usize * count + usize::from(name.index), cta != own))
    }

    /// The objects that an operation of an agent acts on, each as from [`Self::object`]: one, or one in each CTA of a mask.
    pub fn objects(&self, agent: usize, action: Action) -> impl Iterator<Item = (usize, bool)> {
        let ranks = action.ranks();
        let far = (0..16).filter(move |rank| ranks.unwrap_or(0) >> rank & 1 != 0).map(Place::Rank);
        let one = action.name().filter(|_| ranks.is_none()).map(|name| name.place);
        let name = action.name();
        let places = one.into_iter().chain(far);
        places.filter_map(move |place| self.object(agent, Name { place, ..name? }))
    }

    /// The declared object and the CTA of an index in [`State::mbarriers`].
    #[must_use]
    pub fn named(&self, object: usize) -> (u16, u32) {
        let count = self.context.program.mbarriers.len().max(1);
        ((object % count) as u16, (object / count) as u32)
    }

    /// Puts a state into canonical form; returns the order that it used.
    pub fn canonicalise(&self, state: &mut State) -> Vec<usize> {
        let order = symmetry::order(&self.classes, &state.agents);
        if order.iter().enumerate().any(|(place, &agent)| place != agent) {
            state.agents = order.iter().map(|&agent| state.agents[agent].clone()).collect();
            let mut places = alloc::vec![0; order.len()];
            order.iter().enumerate().for_each(|(place, &agent)| places[agent] = place as u32);
            state.copies.iter_mut().for_each(|copy| copy.agent = places[copy.agent as usize]);
        }
        state.copies.sort_unstable();
        tidy::tidy(state, self.cyclic);
        order
    }

    /// Whether a path can return to a state. A wait that fails in a loop without an effect is not a step.
    #[must_use]
    pub const fn has_cycles(&self) -> bool {
        self.cyclic
    }

    /// The rules that a state has broken, by number, including those that apply at the end of a path.
    #[must_use]
    pub fn broken(&self, state: &State, terminal: bool) -> u64 {
        let mut broken = state.broken;
        if terminal && !state.stopped {
            for agent in (0..state.agents.len()).filter(|&agent| !state.agents[agent].ended) {
                broken |= self.stuck(state, agent);
            }
        }
        broken
    }

    /// The rules that an agent breaks if it can never continue.
    pub(super) fn stuck(&self, state: &State, agent: usize) -> u64 {
        let rule = match self.node(state, agent).and_then(action_of) {
            Some(Action::Wait { .. }) => RuleId::PtxMbarrierNeverCompletes,
            _ => RuleId::PtxBarNeverCompletes,
        };
        rule.bit()
            | if self.aliased(state, agent) { RuleId::PtxMbarrierParityAlias.bit() } else { 0 }
    }
}

/// For each declared object, at most 32 sums of up to three byte counts that programs expect at it.
fn expected_sums(context: &Context) -> Rc<[Vec<i64>]> {
    let mut amounts = alloc::vec![OrderedSet::new(); context.program.mbarriers.len()];
    for (_, _, operation) in context.operations() {
        if let crate::operation::Action::Ptx(action, _) = operation.action
            && let Some(bytes) = expects(action)
            && let Some(name) = action.name()
            && let Some(amounts) = amounts.get_mut(usize::from(name.index))
        {
            amounts.insert(bytes);
        }
    }
    let sums = |amounts: &OrderedSet<i64>| {
        let mut sums = OrderedSet::from([0]);
        for _ in 0..3 {
            let more: Vec<i64> = sums
                .iter()
                .flat_map(|sum| amounts.iter().map(move |amount| sum + amount))
                .collect();
            sums.extend(more);
        }
        sums.into_iter().take(32).collect()
    };
    amounts.iter().map(sums).collect()
}

/// Bytes that an operation expects.
fn expects(action: Action) -> Option<i64> {
    match action {
        Action::Expect { bytes, .. } => Some(bytes),
        Action::Arrive { form, .. } => form.expect,
        _ => None,
    }
    .filter(|bytes| (1..=crate::ptx::object::MOST).contains(bytes))
}
