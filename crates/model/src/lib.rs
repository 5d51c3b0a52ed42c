//! The semantics of GPU execution barriers.
//!
//! This crate defines operations, barrier objects, phases, rules, readings and targets. It is independent of the scenario
//! language, serialisation, input and output, and of the search of executions.
#![no_std]

extern crate alloc;

pub mod agent;
pub mod amd;
pub mod r#async;
pub mod axioms;
pub mod barrier;
pub mod bitset;
pub mod bounds;
pub mod compiler;
pub mod context;
mod endless;
mod frozen;
pub mod hash;
pub mod instance;
pub mod leb128;
pub mod lowering;
pub mod machine;
pub mod mem;
pub mod observation;
pub mod one_run;
pub mod onebit;
pub mod opencl;
pub mod operation;
pub mod ordered;
mod parts;
pub mod program;
pub mod ptx;
pub mod reach;
pub mod reading;
pub mod rule;
pub mod spec;
pub mod support;
pub mod symmetry;
pub mod target;
pub mod target_set;
pub mod tlx;
pub mod verdict;
pub mod work;
