//! The relations of the text by their definitions, and the executions that its rules admit.
//!
//! Nothing here is incremental and nothing is shared with the exploration in [`crate::spec`], which is held against this
//! in tests. An [`execution::Execution`] is what was performed, with one *barrier-modification-order* for each object;
//! [`phase`] counts through such an order; an [`participates::Assignment`] says what takes part in each wait;
//! [`relations`] gives every relation with the reason of every edge; [`rules`] is the list of all rules in the order of the
//! text, each a predicate on these. [`clause`] names what each relation and rule is made of.

pub mod clause;
pub mod course;
pub mod engine;
pub mod event;
pub mod execution;
pub mod group;
pub mod meter;
pub mod participates;
pub mod path;
pub mod phase;
pub mod relation;
pub mod relations;
pub mod rules;
pub mod seen;
pub mod skeleton;
pub mod tally;
pub mod text;
pub mod thread;
pub mod timeline;
