//! The tracked aspects of memory.

use crate::r#async::useful;
use crate::context::Context;
use crate::mem::map::Map;
use crate::mem::order::{Reach, Seat};
use crate::program::Program;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The tracked aspects of memory.
#[derive(Clone, Debug)]
pub struct Tracking {
    /// The accesses that can conflict; `None` if only counters are tracked.
    pub map: Option<Rc<Map>>,
    /// The position of each agent in the scopes.
    pub(super) seats: Rc<[Seat]>,
    pub(super) furthest: Reach,
    /// By body and node: the maximum number of marks that a later wait allows, if there is one.
    pub(super) useful: Rc<[Vec<Option<u16>>]>,
    /// Whether counters are looked at, and whether stores count as exports too (GFX6).
    pub(super) counting: Option<bool>,
    /// Whether every call counts as inlined: its marks are in the sequence of the caller.
    pub(super) inlined: bool,
}

impl Tracking {
    /// The tracking for races; `None` if no two accesses can conflict.
    pub(super) fn of(context: &Context) -> Option<Self> {
        context.memory.as_ref().map(|map| Self::new(&context.program, Some(Rc::clone(map))))
    }

    pub(super) fn new(program: &Program, map: Option<Rc<Map>>) -> Self {
        let launch = program.launch;
        let seat = |agent: &crate::program::Agent| Seat {
            workgroup: agent.workgroup,
            cluster: launch.cluster_of(agent.workgroup),
        };
        let furthest = match (launch.clusters, launch.workgroups) {
            (1, 1) => Reach::Workgroup,
            (1, _) => Reach::Cluster,
            _ => Reach::Agent,
        };
        Self {
            map,
            seats: program.agents.iter().map(seat).collect(),
            furthest,
            useful: program.bodies.iter().map(|body| useful(&body.nodes)).collect(),
            counting: None,
            inlined: false,
        }
    }
}
