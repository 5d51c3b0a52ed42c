//! States.

use super::memory::Memory;
use crate::opencl::action::{Arguments, Instance};
use crate::rule::RuleId;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The activity of a work-item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It continues.
    #[default]
    Going,
    /// It has arrived at the barrier at its node and waits for the others.
    Waiting,
    /// It has ended.
    Ended,
}

/// The state of a work-item at the split barrier of its work-group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Split {
    /// It has not arrived since it waited last.
    #[default]
    Idle,
    /// It has arrived in the running phase.
    Arrived,
    /// It has arrived in a phase that is complete.
    Complete,
}

/// The state of a work-item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// Its node.
    pub node: u32,
    /// Its activity there.
    pub standing: Standing,
    /// With the split barrier.
    pub split: Split,
}

/// A call that others must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Met {
    /// The dynamic instance.
    pub at: Instance,
    /// Its arguments.
    pub arguments: Arguments,
}

/// The split barrier of a work-group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phase {
    /// The first arrive of the running phase.
    pub open: Option<Met>,
    /// The arguments of the arrives of the last completed phase.
    pub done: Option<Arguments>,
    /// The first wait for the phase that completed last.
    pub waited: Option<Met>,
}

/// A named barrier object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// The work-group.
    pub group: u32,
    /// Its declaration, by number.
    pub declared: u16,
    /// The number of its construction of this declaration; the oldest that a work-item still has is 1.
    pub generation: u16,
    /// The instance of its construction.
    pub at: Instance,
    /// Sub-groups of a phase.
    pub count: u32,
}

/// A state of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// By agent.
    pub agents: Vec<At>,
    /// By agent, then declared named barrier: how often it was constructed.
    pub made: Vec<u16>,
    /// Named barrier objects, in order.
    pub objects: Vec<Object>,
    /// By work-group.
    pub phases: Vec<Phase>,
    /// Happens-before, if accesses can conflict.
    pub memory: Option<Box<Memory>>,
    /// Rules broken so far, by number.
    pub broken: u64,
    /// Whether behaviour is undefined from here on.
    pub stopped: bool,
}

impl State {
    /// The same without its accesses.
    pub(super) fn without_memory(&self) -> Self {
        Self {
            agents: self.agents.clone(),
            made: self.made.clone(),
            objects: self.objects.clone(),
            phases: self.phases.clone(),
            memory: None,
            broken: self.broken,
            stopped: self.stopped,
        }
    }
}

impl State {
    /// Breaks a rule; the path stops at undefined behaviour.
    pub(super) fn break_rule(&mut self, rule: RuleId) {
        self.broken |= rule.bit();
        self.stopped |= rule.ends_paths();
    }

    /// Breaks a rule if a check fails.
    pub(super) fn check(&mut self, checked: Result<(), RuleId>) {
        if let Err(rule) = checked {
            self.break_rule(rule);
        }
    }
}
