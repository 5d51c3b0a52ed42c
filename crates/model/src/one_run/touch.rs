//! What a step does to an object, as the conditions of [`super`] see it.

use alloc::vec::Vec;

/// An operation that participates in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Arrivals and drops.
    pub count: u32,
    /// How many fewer arrivals later phases need.
    pub fewer: u32,
    /// The arrivals that complete its phase, if each participant says so; otherwise 0.
    pub needs: u32,
    /// Bytes that it expects.
    pub expects: u32,
    /// Bytes that it completes.
    pub completes: u32,
    /// Whether it can complete a phase: a phase of drops only does not complete.
    pub arrives: bool,
    /// Whether it sets the expected count, to the value that it has.
    pub keeps: bool,
    /// Whether a copy performs it, which its agent started in its last step.
    pub flying: bool,
    /// Whether its agent continues only after the completion.
    pub holds: bool,
    /// Whether it must follow a wait for the previous phase.
    pub observed: bool,
    /// Whether it belongs to its phase only after an arrive of it, so that its place among the arrives must not vary.
    pub follows: bool,
}

impl Part {
    /// A part that counts nothing.
    pub const NONE: Self = Self {
        count: 0,
        fewer: 0,
        needs: 0,
        expects: 0,
        completes: 0,
        arrives: false,
        keeps: false,
        flying: false,
        holds: false,
        observed: false,
        follows: false,
    };
}

/// Why a wait depends on one phase only, *g*, the last completed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// AMDGPU: an agent uses no phase twice, and none before one whose wait happens before this wait.
    Next,
    /// The hardware model: the completion bit, which each wait and each change of membership clears.
    Once,
    /// Its agent participated in phase *g*.
    Own,
    /// The number of completed phases has the other parity, and phase *g - 1* completes before the wait begins.
    Parity,
    /// Phase *g* is the phase with this number since the last reset.
    Token(u32),
}

/// What an agent waits for that never continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The completion of a phase in which it participates.
    Own,
    /// The next phase of this object.
    Next(u32),
}

/// The effect of a step on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Participates in the open phase.
    Part(Part),
    /// Waits.
    Wait(Passes),
    /// Changes which agents a completion reaches. It commutes with resets.
    Member,
    /// Resets the counts.
    Whole {
        /// Arrivals that complete a phase.
        needed: u32,
        /// Whether no wait can depend on an earlier phase any more.
        forgets: bool,
    },
    /// Depends on a reset only.
    Use,
    /// One of several steps of which the last drops the object: no phase completes any more.
    Close,
}

/// The touches of one step, each with its object.
pub type Touches = Vec<(u32, Touch)>;
