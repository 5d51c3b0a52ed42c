//! States.

use super::memory::Memory;
use crate::ptx::cluster::arrive_once::Standing;
use crate::ptx::transition::Mbarrier;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What keeps an agent where it stands, other than its next operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Held {
    /// Nothing.
    #[default]
    Free,
    /// It has arrived at a barrier of its CTA and waits for the generation to complete.
    Bar(u8),
    /// A lane that waits for its warp at an aligned barrier instruction.
    Gathering,
    /// A lane that waits at `bar.warp.sync`.
    Warp,
    /// It waits at the cluster barrier without having arrived.
    Forever,
}

/// What a token holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The object, by index.
    pub object: u32,
    /// The phase before the arrive.
    pub phase: u32,
    /// Whether the arrive was marked .noComplete.
    pub no_complete: bool,
}

/// Where an agent stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// Its node.
    pub node: u32,
    /// Whether it has ended.
    pub ended: bool,
    /// What keeps it there.
    pub held: Held,
    /// The barriers of its CTA at which it has arrived in a generation that runs, one bit each.
    pub bars: u16,
    /// Where it stands with the cluster barrier.
    pub cluster: Standing,
    /// Tokens by register.
    pub tokens: Vec<Option<Token>>,
}

/// A barrier of a CTA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bar {
    /// Threads that arrived in the running generation.
    pub arrived: u32,
    /// Threads that it waits for, once someone has arrived.
    pub threads: Option<u32>,
    /// Whether it is a reduction, once someone has arrived.
    pub red: Option<bool>,
    /// The aligned instruction at which the first arrived.
    pub site: Option<u32>,
}

/// What is in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Copy {
    /// The object that it completes, by index in [`State::mbarriers`].
    pub object: u32,
    /// Bytes left to be copied; `None` for an arrive that is to come.
    pub left: Option<u32>,
    /// Who started it.
    pub agent: u32,
    /// At which node.
    pub node: u32,
}

/// A state of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// By agent.
    pub agents: Vec<At>,
    /// By CTA, then declared object.
    pub mbarriers: Vec<Mbarrier>,
    /// By CTA, then number.
    pub bars: Vec<Bar>,
    /// Copies in flight.
    pub copies: Vec<Copy>,
    /// What happens before what, where the program accesses memory.
    pub memory: Option<Box<Memory>>,
    /// Rules broken so far, by number.
    pub broken: u64,
    /// Whether what follows is not defined.
    pub stopped: bool,
}
