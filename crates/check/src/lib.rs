//! The façade: from a scenario's text to its report, its steps and its link.
//!
//! Everything outside asks this crate. It knows nothing about terminals, pages, files or formats of serialisation.
//!
//! ```
//! use tidegate_check::{Options, Scene, apply, check};
//!
//! let text = "\
//! target gfx1250
//! launch waves=2
//! wave 0 { arrive wg; wait wg }
//! wave 1 { arrive wg }
//! ";
//! let scene = Scene::new("meet.tide", text);
//! let report = check(&scene, &Options::default(), &mut |_| true);
//! let finding = &report.findings[0];
//! assert_eq!(finding.rule, "amd.drop.race");
//!
//! // The edit that is offered makes it right.
//! let mended = apply(text, finding.fix.as_ref().unwrap());
//! let mended = Scene::new("meet.tide", &mended);
//! assert_eq!(check(&mended, &Options::default(), &mut |_| true).verdict, "ok");
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod ambiguity;
mod amdgpu;
mod axioms;
pub mod brief;
mod check;
mod choice;
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
mod space;
mod specification;
pub mod step;
#[cfg(test)]
mod testing;
pub mod word;

pub use check::check;
pub use judge::{KeepGoing, Progress};
pub use lower::lower;
pub use matrix::matrix;
pub use memory::fix::apply;
pub use scene::{Engine, Options, Scene};
pub use tidegate_lang::launching::Launching;

pub use tidegate_lang as lang;
pub use tidegate_model as model;
