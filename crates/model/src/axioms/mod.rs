//! The relations of the specification by their definitions, and the executions that its rules admit.
//!
//! Nothing here is incremental or shared with the exploration in [`crate::spec`], which tests compare with this module. An
//! [`execution::Execution`] contains the performed operations, with one *barrier-modification-order* per object. [`phase`]
//! finds the phases of such an order. A [`participates::Assignment`] gives the operations that participate in each wait.
//! [`relations`] gives every relation with the reason for every edge. [`rules`] lists all rules in the order of the
//! document, each as a predicate. [`clause`] names the clauses of each relation and rule.

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
pub mod sample;
pub mod seen;
pub mod skeleton;
pub mod tally;
pub mod text;
pub mod thread;
pub mod timeline;
