//! Ledgers: per barrier who arrives, how many are expected, which phase runs, who waits, and what is missing.

use crate::judge::{Broken, Judgement, KeepGoing, Step};
use crate::replay::{Replay, Steps};
use crate::scene::{Options, Scene};
use crate::specification::Subject;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::support;
use tidegate_model::verdict::Class;

/// An agent in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LedgerAgent {
    /// Its name.
    pub agent: String,
    /// How many such operations its body has, loops unrolled.
    pub written: u32,
    /// How many of them it performed.
    pub performed: u32,
    /// Whether it is blocked there.
    pub blocked: bool,
}

/// One barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LedgerRow {
    /// Its name.
    pub object: String,
    /// `mbarrier`, `bar`, `cluster` or `warp` (`bar.warp.sync`); of OpenCL `workgroup`, `subgroup`, `named` or `split`.
    pub kind: String,
    /// The running phase of an mbarrier object or of a barrier of OpenCL, from 0.
    pub phase: Option<u32>,
    /// Arrivals that a phase waits for; threads at a barrier of a CTA, agents that have not ended at one of a cluster and at
    /// `bar.warp.sync` (where it is 0 until one of them waits), work-items at one of OpenCL, sub-groups at a named
    /// one.
    pub expected: i64,
    /// Those that are still missing.
    pub pending: i64,
    /// Bytes expected and not completed.
    pub bytes: i64,
    /// Who arrives.
    pub arrives: Vec<LedgerAgent>,
    /// Who waits.
    pub waits: Vec<LedgerAgent>,
    /// What is missing for whoever is blocked there, in a sentence.
    pub missing: Option<String>,
}

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
    /// One row a barrier.
    pub rows: Vec<LedgerRow>,
}

/// Most steps of an execution that is only looked at.
const MOST_STEPS: usize = 100_000;

/// The ledger of a scenario; `None` for one that its target lacks something for, and one that cannot be judged. It is about
/// the execution on which the first deadlock was found, else the first undefined behaviour, or else about one execution to
/// its end.
pub fn ledger(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Option<Ledger> {
    let context = scene.context()?;
    let subject = Subject::new(scene, &context, options);
    let target = subject.target;
    if !support::lacking(&context, target, subject.readings).is_empty() {
        return None;
    }
    let (judgement, steps, rows) = subject.specification().ledger(scene, subject, keep_going)?;
    Some(Ledger {
        file: scene.file().to_owned(),
        target: target.name.to_owned(),
        verdict: judgement.verdict.word().to_owned(),
        steps: steps as u64,
        rows,
    })
}

/// The execution that the first deadlock was found on, else the first undefined behaviour: behind that nothing is defined
/// that could be counted. Or else one execution.
pub(crate) fn at_end<M: Steps>(machine: M, judgement: &Judgement) -> Replay<M> {
    let of = |class: Class| {
        let is_of = move |broken: &&Broken| broken.rule.get().class == Some(class);
        judgement.broken.iter().find(is_of)
    };
    let mut replay = Replay::new(machine);
    match of(Class::Deadlock).or_else(|| of(Class::Ub)) {
        Some(ends) => _ = replay.perform_all(&ends.path),
        None => run(&mut replay),
    }
    replay
}

/// Performs whatever can be performed first, to the end.
fn run<M: Steps>(replay: &mut Replay<M>) {
    for _ in 0..MOST_STEPS {
        let (machine, state) = (&replay.machine, replay.state());
        let ready = (0..machine.actors(state)).find(|&actor| machine.ways(state, actor) > 0);
        let Some(agent) = ready else { return };
        replay.perform(Step { agent, way: 0 });
    }
}
