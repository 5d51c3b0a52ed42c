//! The relations of the text by their definitions, on one execution.
//!
//! Nothing here is incremental: an [`execution::Execution`] is what was performed and in which order each object observed
//! it, a [`participates::Assignment`] says what takes part in each wait, and every rule is a predicate on the two. The
//! exploration in [`crate::spec`] is held against this in tests.

pub mod execution;
pub mod participates;
pub mod relation;
