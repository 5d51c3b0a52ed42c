//! Memory told: what orders two accesses, which edge is missing where nothing does, and what would add it.

pub(crate) mod counters;
pub(crate) mod fix;
mod flight;
pub(crate) mod gap;
pub(crate) mod marks;
pub(crate) mod offer;
pub(crate) mod pairs;
mod round;
pub(crate) mod tell;
pub(crate) mod trail;
pub(crate) mod waits;
