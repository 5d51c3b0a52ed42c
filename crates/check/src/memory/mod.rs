//! Reports on memory: the order of two accesses, the missing order, and the edit that adds it.

pub(crate) mod counters;
mod flight;
pub(crate) mod gap;
pub(crate) mod marks;
pub(crate) mod offer;
pub(crate) mod pairs;
mod round;
pub(crate) mod tell;
pub(crate) mod trail;
pub(crate) mod waits;
