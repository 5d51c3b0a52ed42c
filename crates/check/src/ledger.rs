//! Ledgers: phase, expected and missing arrivals, arriving and waiting agents of each barrier.

pub(crate) mod rows;

pub use rows::{LedgerAgent, LedgerRow};

use crate::choice::specification_of;
use crate::judge::KeepGoing;
use crate::scene::{Options, Scene};
use crate::subject::Subject;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::support;

/// The ledger of a scenario, at the end of one execution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// The file, as the caller named it.
    pub file: String,
    /// The target.
    pub target: String,
    /// The verdict.
    pub verdict: String,
    /// Steps of the execution that it is about.
    pub steps: u64,
    /// One row for each barrier.
    pub rows: Vec<LedgerRow>,
}

/// The ledger of a scenario; `None` for an unsupported scenario or one that cannot be checked. It shows the execution
/// of the first deadlock, or else of the first undefined behaviour, or else one complete execution.
pub fn ledger(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Option<Ledger> {
    let context = scene.context()?;
    let subject = Subject::new(scene, &context, options);
    let target = subject.target;
    if !support::lacking(&context, target, subject.readings).is_empty() {
        return None;
    }
    let (judgement, steps, rows) = specification_of(subject).ledger(subject, keep_going)?;
    Some(Ledger {
        file: scene.file().to_owned(),
        target: target.name.to_owned(),
        verdict: judgement.verdict.word().to_owned(),
        steps: steps as u64,
        rows,
    })
}
