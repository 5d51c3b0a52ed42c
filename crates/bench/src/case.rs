//! A scenario to measure, and what is expected of it.

use serde::Serialize;
use tidegate_check::Engine;

/// A scenario of a family.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The family, one letter.
    pub family: &'static str,
    /// The size, in words that are unique in the family.
    pub size: String,
    /// The scenario.
    pub text: String,
    /// The verdict that it must have.
    pub verdict: &'static str,
    /// Whether `--quick` leaves it out.
    pub long: bool,
    /// The largest number of states, if more than usual.
    pub max_states: Option<u64>,
    /// The engine that judges it.
    pub engine: Engine,
    /// Its expected cost.
    pub goals: Vec<Goal>,
    /// The same program for other model checkers.
    pub counting: Option<Counting>,
}

/// What a case should cost at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// User CPU of the whole command, in units: the user CPU of a loop in Python.
    Units(f64),
    /// Median milliseconds of a check in this process.
    Millis(f64),
    /// Median milliseconds of a check in the engine for WebAssembly.
    Wasm(f64),
    /// Visited states.
    States(u64),
    /// Steps of the witness of the first finding.
    Witness(usize),
    /// Every execution is covered.
    Exhaustive,
}

impl Case {
    /// A short case that the default engine judges.
    pub(crate) fn new(
        family: &'static str,
        size: String,
        text: String,
        verdict: &'static str,
    ) -> Self {
        Self {
            family,
            size,
            text,
            verdict,
            long: false,
            max_states: None,
            engine: Engine::Auto,
            goals: Vec::new(),
            counting: None,
        }
    }

    /// The case with goals.
    pub(crate) fn goals(mut self, goals: &[Goal]) -> Self {
        self.goals.extend(goals);
        self
    }

    /// The case, which `--quick` leaves out if `long`.
    pub(crate) fn long(mut self, long: bool) -> Self {
        self.long = long;
        self
    }

    /// The case with a program for other model checkers.
    pub(crate) fn beside(mut self, counting: Counting) -> Self {
        self.counting = Some(counting);
        self
    }
}

/// A program of barriers that count arrivals, for other model checkers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counting {
    /// The arrivals that complete a phase, by barrier.
    pub expected: Vec<u32>,
    /// The operations of each agent.
    pub agents: Vec<Vec<Step>>,
}

/// What a program must know about the completed phases of a barrier: the smaller, the fewer states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phases {
    /// Nothing: each wait is for the phase in which its agent arrived.
    Own,
    /// Whether their number is odd.
    Parity,
    /// Their number.
    Number,
}

impl Counting {
    /// What the waits of a barrier need.
    pub(crate) fn phases(&self, barrier: usize) -> Phases {
        let needs = |step: &Step| match *step {
            Step::WaitCompleted(b, _) if b == barrier => Phases::Number,
            Step::WaitParity(b, _) if b == barrier => Phases::Parity,
            _ => Phases::Own,
        };
        self.agents.iter().flatten().map(needs).max().unwrap_or(Phases::Own)
    }
}

/// An operation on a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Step {
    /// Arrives in the open phase, and remembers it.
    Arrive(usize),
    /// Waits until the remembered phase is complete.
    Wait(usize),
    /// Waits until this number of phases is complete.
    WaitCompleted(usize, u32),
    /// Waits until the phase with this parity is complete.
    WaitParity(usize, u32),
}
