//! Happens-before between memory accesses, and between an init and the uses of its object.
//!
//! Each agent has a vector clock and a set of known *events*: that a copy has read or written, or that an object was
//! initialised. An arrive with release semantics releases the knowledge of its agent to the current phase. A wait with
//! acquire semantics acquires the knowledge of the completed phases. A `.relaxed` arrive after a release fence releases what
//! happened before the fence. Across CTAs, both sides need `.cluster` (`order.rs`). A bulk copy starts after the earlier operations of its
//! agent. An agent knows that it is complete if it observes the phase that its bytes completed, or waits for its group
//! (`groups.rs`). Two overlapping accesses, one of them a write, race if neither happens before the other. A use of an
//! object by an agent that does not know of its init may precede the init.

use super::exits;
use crate::mem::operation::{Buffer, Range, Space};
use crate::operation::{Action as Any, Alike};
use crate::program::{Node, Program};
use crate::ptx::action::{Action, Name, Order, Place, Reads};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A unique occurrence that agents can know of; `event` computes its number.
pub type Event = u64;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A copy has read its source.
    Read = 0,
    /// A copy has written its destination.
    Written = 1,
    /// An object was initialised.
    Init = 2,
}

/// The number of an event, from its agent, and its node or object.
pub(super) fn event(kind: Kind, agent: u32, of: u64) -> Event {
    of << 32 | u64::from(agent) << 2 | kind as u64
}

/// The events of a copy, from its agent, its node and the CTA whose object or memory it writes.
pub(super) fn events_of(agent: u32, node: u32, cta: u32) -> [Event; 2] {
    let of = u64::from(cta & 0xfff) << 20 | u64::from(node & 0xf_ffff);
    [Kind::Read, Kind::Written].map(|kind| event(kind, agent, of))
}

/// The agent and the node of a copy, from one of its events.
#[must_use]
pub const fn copy_of(event: Event) -> (usize, u32) {
    ((event >> 2 & 0x3fff_ffff) as usize, (event >> 32 & 0xf_ffff) as u32)
}

/// The CTA whose object or memory a copy writes, from one of its events.
#[must_use]
pub const fn cta_of(event: Event) -> u32 {
    (event >> 52 & 0xfff) as u32
}

/// Whether an event is the init of an object by this agent.
pub(super) fn is_init_by(event: Event, agent: usize) -> bool {
    event & 3 == Kind::Init as u64 && (event >> 2 & 0x3fff_ffff) as usize == agent
}

/// The knowledge of an agent: the times of the other agents, and events.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock {
    /// By agent. States share those that did not change: there are as many clocks as agents, each as long.
    pub times: Rc<Vec<u32>>,
    /// Events, ascending. States share them, too.
    pub events: Rc<Vec<Event>>,
}

impl Clock {
    pub(super) fn join(&mut self, other: &Self) {
        if self.times.is_empty() {
            self.times = Rc::clone(&other.times);
        } else if !Rc::ptr_eq(&self.times, &other.times) && !self.covers(other) {
            let times = Rc::make_mut(&mut self.times);
            if times.len() < other.times.len() {
                times.resize(other.times.len(), 0);
            }
            let pairs = times.iter_mut().zip(other.times.iter());
            pairs.for_each(|(mine, other)| *mine = (*mine).max(*other));
        }
        if self.events.is_empty() {
            self.events = Rc::clone(&other.events);
        } else if !Rc::ptr_eq(&self.events, &other.events) {
            other.events.iter().for_each(|&event| self.learn(event));
        }
    }

    /// Whether the times of another clock add nothing to these.
    fn covers(&self, other: &Self) -> bool {
        self.times.len() >= other.times.len()
            && self.times.iter().zip(other.times.iter()).all(|(mine, other)| mine >= other)
    }

    /// Increments the clock of an agent.
    pub(super) fn advance(&mut self, agent: usize) {
        if let Some(time) = Rc::make_mut(&mut self.times).get_mut(agent) {
            *time += 1;
        }
    }

    pub(super) fn learn(&mut self, event: Event) {
        if let Err(at) = self.events.binary_search(&event) {
            Rc::make_mut(&mut self.events).insert(at, event);
        }
    }

    /// Forgets the events that a test does not keep.
    pub(super) fn retain(&mut self, keeps: impl Fn(&Event) -> bool) {
        if !self.events.iter().all(&keeps) {
            Rc::make_mut(&mut self.events).retain(&keeps);
        }
    }

    pub(super) fn knows(&self, event: Event) -> bool {
        self.events.binary_search(&event).is_ok()
    }

    /// The known time of an agent; 0 if none.
    #[must_use]
    pub fn time(&self, agent: u32) -> u32 {
        self.times.get(agent as usize).copied().unwrap_or(0)
    }

    /// Whether an access is known to have happened before.
    #[must_use]
    pub fn happened_before(&self, who: Who) -> bool {
        match who {
            Who::Agent(agent, time) => self.time(agent) >= time,
            Who::Copy(event) => self.knows(event),
        }
    }
}

/// The originator of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    /// An agent, at its time.
    Agent(u32, u32),
    /// A copy, with the event after which its access is complete.
    Copy(Event),
}

/// An access that later ones can race with. Accesses of an agent at one time to adjoining bytes are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Made {
    /// The accessed bytes.
    pub range: Range,
    /// The CTA that owns the memory; 0 for global memory.
    pub place: u32,
    /// Whether it writes.
    pub write: bool,
    /// Which other accesses it never races with.
    pub alike: Alike,
    /// Its originator.
    pub who: Who,
}

impl Made {
    /// Whether two accesses conflict: they share a byte, one of them writes, and they are not alike.
    pub(super) const fn meets(&self, other: &Self) -> bool {
        self.place == other.place
            && self.range.overlaps(other.range)
            && (self.write || other.write)
            && !self.alike.excuses(other.alike)
    }
}

impl Made {
    /// Whether two accesses are parts of one: later accesses conflict with both alike, and their bytes adjoin.
    pub(super) fn continues(&self, other: &Self) -> bool {
        let alike = |one: &Self| (one.range.buffer, one.place, one.write, one.alike, one.who);
        let of_agent = matches!(self.who, Who::Agent(..)) || self.range == other.range;
        alike(self) == alike(other)
            && of_agent
            && self.range.start <= other.range.end
            && other.range.start <= self.range.end
    }
}

/// The knowledge that a synchronising object releases.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Knowledge {
    /// From agents of its own CTA and from copies: of the current phase and of earlier phases.
    pub near: [Clock; 2],
    /// From agents of other CTAs.
    pub far: [Clock; 2],
}

/// The state of the fences of an agent: within the CTA, and at wider scopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fenced {
    /// The knowledge that relaxed operations release.
    pub released: [Clock; 2],
    /// The knowledge that relaxed waits observed.
    pub seen: [Clock; 2],
}

/// Copies that an agent has not waited for: those started since the last group, and the groups, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Groups {
    /// Copies without a group.
    pub open: Vec<Event>,
    /// Copies of each group.
    pub groups: Vec<Vec<Event>>,
    /// For tensor core operations, the knowledge at the start of the last one.
    pub before: Clock,
}

/// A scheduled arrive at an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scheduled {
    /// The agent that requested it.
    pub agent: u32,
    /// Its node.
    pub node: u32,
    /// The object, by index.
    pub object: u32,
    /// The knowledge of an agent that observes it: the complete operations, and everything before them.
    pub completes: Clock,
}

/// The clocks and accesses of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Memory {
    /// By agent.
    pub clocks: Vec<Clock>,
    /// By agent.
    pub fenced: Vec<Fenced>,
    /// By agent and [`Queue`](crate::ptx::action::Queue).
    pub groups: Vec<[Groups; 3]>,
    /// Scheduled arrives, in the order of the requests.
    pub scheduled: Vec<Scheduled>,
    /// By mbarrier object.
    pub objects: Vec<Knowledge>,
    /// By mbarrier object: the event of its init, unless all agents know of it.
    pub inits: Vec<Option<Event>>,
    /// By barrier of a CTA: the knowledge that the current generation releases.
    pub bars: Vec<Clock>,
    /// By cluster: the knowledge that the current and the previous phase release.
    pub clusters: Vec<[Clock; 2]>,
    /// Accesses, in order. States share them as long as none is added.
    pub made: Rc<Vec<Made>>,
}

/// Whether a program accesses memory, by agents or copies, or has steps that may follow an init without knowing of it.
pub(super) fn is_tracked(program: &Program) -> bool {
    let actions = || {
        let nodes = program.bodies.iter().flat_map(|body| &body.nodes);
        nodes.filter_map(|node| match node {
            Node::Operation { operation, .. } => Some(operation.action),
            _ => None,
        })
    };
    let inits = actions().any(|action| matches!(action, Any::Ptx(Action::Init { .. }, _)));
    actions().any(accesses)
        || inits
            && program.agents.len() > 1
            && (actions().any(orders_without_knowledge) || exits::complete_barriers(program))
}

/// By buffer, whether it is global memory that no operation writes.
pub(super) fn read_only(program: &Program) -> Rc<[bool]> {
    let is_global = |buffer: &Buffer| buffer.space == Space::Global;
    let mut read_only: Vec<bool> = program.buffers.iter().map(is_global).collect();
    for node in program.bodies.iter().flat_map(|body| &body.nodes) {
        let Node::Operation { operation, .. } = node else { continue };
        let written = match operation.action {
            Any::Memory(memory) => memory.accesses().1,
            Any::Ptx(Action::Copy { to, .. }, _) => to,
            _ => None,
        };
        if let Some(range) = written {
            read_only[usize::from(range.buffer)] = false;
        }
    }
    read_only.into()
}

fn accesses(action: Any) -> bool {
    match action {
        Any::Memory(memory) => memory.accesses() != (None, None),
        Any::Ptx(Action::Copy { to, from, .. }, _) => to.is_some() || from.is_some(),
        Any::Ptx(Action::Tensor { reads, .. }, _) => {
            reads.iter().any(|reads| matches!(reads, Reads::Bytes(_) | Reads::Within(_)))
        }
        _ => false,
    }
}

/// Whether an operation can delay other agents without releasing knowledge.
fn orders_without_knowledge(action: Any) -> bool {
    let Any::Ptx(action, _) = action else { return false };
    let elsewhere = action.name().is_some_and(|Name { place, .. }| place != Place::Own);
    match action {
        Action::Arrive { form, .. } => {
            form.order == Order::Relaxed || form.order == Order::Cta && elsewhere
        }
        Action::Wait { order, .. }
        | Action::ClusterArrive { order, .. }
        | Action::ClusterWait { order, .. } => order == Order::Relaxed,
        Action::Complete { .. } | Action::Copy { .. } | Action::CopyArrive { .. } => true,
        _ => false,
    }
}
