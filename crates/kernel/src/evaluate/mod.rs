//! From a kernel and a launch to a program of the model.
//!
//! Each agent is run with a value for every argument. The values for which all agents do the same are one *case*; the host
//! chooses the case. Loops whose length an argument decides have more cases than can be run: see `evaluate/prove.rs` for
//! why a few of them are enough.

mod agreed;
mod alike;
mod amdgpu;
mod answers;
mod branch;
mod buffers;
mod cases;
mod collective;
mod conflicts;
mod decisions;
mod emit;
mod ends;
mod epochs;
mod facts;
mod graph;
#[cfg(feature = "proofs")]
mod grid;
mod grown;
mod guards;
mod inputs;
mod known;
mod lanes;
mod launch;
mod lds;
mod learned;
mod machine;
mod memory;
mod moves;
mod nvidia;
mod offsets;
#[cfg(feature = "proofs")]
mod one_group;
mod opencl;
mod pace;
mod parted;
mod polls;
mod program;
mod prove;
mod proxies;
mod quotients;
mod reach;
mod reaches;
mod reads;
mod recorded;
mod registers;
mod request;
mod rounds;
mod run;
mod search;
mod split;
mod state;
mod straight;
mod strides;
#[cfg(test)]
mod tests;
mod touches;
mod warp;
mod whole;
mod words;
mod world;

pub use grown::evaluate_grown;
pub use launch::Launch;
#[cfg(feature = "proofs")]
pub(crate) use launch::Standing;
pub use request::{Evaluated, Note, Request};
pub use whole::evaluate;
#[cfg(feature = "proofs")]
pub(crate) use world::functions_with;
