//! A request for an evaluation, and its result.

use super::launch::Launch;
use crate::ir::{ArgumentId, Kernel, Module, Place};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::program::Program;

/// Something about a place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place.
    pub place: Place,
    /// The message, as a sentence without a full stop.
    pub message: String,
}

/// Why an agent is not run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It takes too many steps.
    TooLong,
    /// Functions call each other too deeply.
    TooDeep(Place),
    /// A proof fails.
    NoProof,
}

/// The kernel and the launch to evaluate.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The module.
    pub module: &'a Module,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The launch.
    pub launch: Launch,
    /// Values of arguments that are given.
    pub given: &'a [(ArgumentId, i64)],
}

impl Request<'_> {
    /// The place of the function of the kernel.
    pub(crate) fn place(&self) -> Place {
        let function = self.module.functions.get(self.kernel.function as usize);
        function.map_or_else(Place::default, |function| function.place)
    }
}

/// A kernel as a program.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The program.
    pub program: Program,
    /// For each agent and each node of its body, its place in the text.
    pub places: Vec<Rc<[Place]>>,
    /// Names of the memories.
    pub buffers: Vec<String>,
    /// Names of the mbarrier objects of a workgroup.
    pub mbarriers: Vec<String>,
    /// The values that the host passes in each case, such as `n = 3`; empty if there is only one case.
    pub passed: Vec<String>,
    /// The reasons why the verdict is open.
    pub open: Vec<Note>,
    /// Values of arguments that the host is assumed not to pass.
    pub assumed: Vec<Note>,
    /// Whether an access is outside its array for all values of arguments and data.
    pub outside: bool,
    /// The number of instructions that were evaluated.
    pub steps: u64,
}
