//! The façade: from a scenario's text to its report, its steps and its link.
//!
//! Everything outside asks this crate. It knows nothing about terminals, pages, files or formats of serialisation.
#![no_std]

extern crate alloc;

pub mod link;
pub mod report;
pub mod step;

pub use tidegate_lang as lang;
pub use tidegate_model as model;
