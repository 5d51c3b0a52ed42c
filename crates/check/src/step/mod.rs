//! Stepping: one execution, one operation at a time, forwards and backwards.

mod amdgpu;
pub(crate) mod label;
pub(crate) mod ledger;
pub(crate) mod memory;
mod onebit;
pub(crate) mod short;
mod stepper;
pub(crate) mod view;
pub(crate) mod walk;

pub use crate::tell::names::in_ranges;
pub use stepper::Stepper;
pub use view::{
    AgentView, CopyView, CounterView, FlightView, FrameView, MarkView, MemoryView, Move,
    ObjectView, PairView, Performed, Synchronization, View,
};
pub use walk::StepError;
