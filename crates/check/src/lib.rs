//! The interface of the checker: from the text of a scenario to its report, steps and link.
//!
//! The command line, the page and the npm package use only this crate. It is independent of terminals, pages, files and
//! serialisation formats.
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
//! let scene = Scene::new("two-waves.tide", text);
//! let report = check(&scene, &Options::default(), &mut |_| true);
//! let finding = &report.findings[0];
//! assert_eq!(finding.rule, "amd.drop.race");
//!
//! // The offered edit fixes the scenario.
//! let fixed = apply(text, finding.fix.as_ref().unwrap());
//! let fixed = Scene::new("two-waves.tide", &fixed);
//! assert_eq!(check(&fixed, &Options::default(), &mut |_| true).verdict, "ok");
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod ambiguity;
mod amdgpu;
mod axioms;
pub mod brief;
mod cause;
mod certificate;
mod check;
mod choice;
mod compiler;
pub mod difference;
mod edit;
pub mod expect;
mod explain;
pub mod face;
pub mod find;
mod finding;
pub mod graph;
pub mod inline;
mod judge;
mod judged;
pub mod ledger;
pub mod link;
mod lints;
pub mod lower;
mod machine;
pub mod matrix;
mod memory;
mod mend;
pub mod needs;
mod nvidia;
mod opencl;
mod participates;
pub mod reader;
mod replay;
pub mod report;
mod scene;
pub mod shrink;
pub mod side;
mod space;
mod specification;
pub mod step;
mod subject;
mod tell;
#[cfg(test)]
mod testing;
pub mod word;

pub use cause::{Kind as CauseKind, kinds as cause_kinds};
pub use check::{certificate, check, graph, outside};
pub use edit::fix::apply;
pub use judge::{KeepGoing, Progress};
pub use lower::lower;
pub use matrix::matrix;
pub use scene::{Engine, Options, Scene};
pub use tidegate_lang::launching::Launching;

pub use tidegate_lang as lang;
pub use tidegate_model as model;
