//! Other model checkers, on the same programs.

mod spin;
mod stateright;

use crate::case::Counting;
use anyhow::Result;
use serde::Serialize;
use std::path::Path;

/// The time and the states of another model checker.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Peer {
    /// Its name.
    pub name: &'static str,
    /// Stored states; `None` if it did not finish within the limit.
    pub states: Option<u64>,
    /// Transitions that it counts, if it counts them.
    pub transitions: Option<u64>,
    /// Seconds of the search, without compiling.
    pub seconds: f64,
}

/// Whether Spin and a C compiler are installed.
pub(crate) fn has_spin() -> bool {
    spin::is_installed()
}

/// Every model checker that is here, on one program. `folder` is for generated files.
pub(crate) fn run(counting: &Counting, with_spin: bool, folder: &Path) -> Result<Vec<Peer>> {
    let mut peers = Vec::new();
    if with_spin {
        peers.push(spin::run(counting, true, folder)?);
        peers.push(spin::run(counting, false, folder)?);
    }
    peers.push(stateright::run(counting));
    Ok(peers)
}
