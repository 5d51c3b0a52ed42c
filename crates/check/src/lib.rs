//! The façade: from a scenario's text to its report, its steps and its link.
//!
//! Everything outside asks this crate. It knows nothing about terminals, pages, files or formats of serialisation.
#![no_std]

extern crate alloc;

mod ambiguity;
mod axioms;
pub mod brief;
mod check;
mod compiler;
pub mod difference;
pub mod expect;
mod explain;
pub mod find;
mod finding;
pub mod graph;
pub mod inline;
mod judge;
pub mod ledger;
pub mod link;
mod lints;
pub mod lower;
mod machine;
pub mod matrix;
mod memory;
mod mend;
mod nvidia;
mod opencl;
mod participates;
mod replay;
pub mod report;
mod scene;
pub mod shrink;
pub mod side;
pub mod step;
mod systems;
pub mod word;

pub use check::check;
pub use judge::{KeepGoing, Progress};
pub use lower::lower;
pub use matrix::matrix;
pub use memory::fix::apply;
pub use scene::{Engine, Options, Scene};

pub use tidegate_lang as lang;
pub use tidegate_model as model;
