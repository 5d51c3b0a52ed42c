//! The interface of the specifications that judge scenarios.

use crate::graph::{ExecutionGraph, GraphError, Pick};
use crate::judge::{Judgement, KeepGoing};
use crate::ledger::rows::LedgerRow;
use crate::replay::{Replay, Steps, at_end};
use crate::report::{Certificate, Report};
use crate::scene::{Engine, Options, Scene};
use crate::step::walk::Walking;
use crate::subject::Subject;
use crate::tell::open::reason;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::vec::Vec;
use tidegate_model::verdict::Verdict;

/// The result under the chosen readings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether no execution that was not seen could make it worse.
    pub settled: bool,
    /// Readings that mattered in some step of the search, one bit each; `u32::MAX` where nothing is known.
    pub relevant: u32,
}

/// The verdict under another answer.
pub(crate) struct Under {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether no execution that was not seen could make it worse.
    pub settled: bool,
    /// States that it took.
    pub states: u64,
}

impl From<Judgement> for Under {
    fn from(judgement: Judgement) -> Self {
        Self {
            verdict: judgement.verdict,
            settled: judgement.is_settled(),
            states: judgement.states,
        }
    }
}

/// Writes into a report how far a judgement reaches, and what it took.
pub(crate) fn sum_up(judgement: &Judgement, options: &Options, report: &mut Report) {
    report.exhaustive = judgement.exhaustive;
    report.bound = judgement.bound.map(|open| reason(open).to_owned());
    judgement.prove(options, report);
    report.stats.states += judgement.states;
    report.stats.transitions += judgement.transitions;
    report.stats.executions = judgement.executions;
    report.stuck_everywhere = judgement.stuck_everywhere;
    if judgement.one_run && judgement.exhaustive && options.engine == Engine::Auto {
        "fast".clone_into(&mut report.engine);
    }
}

/// A ledger: the result, the number of steps of an execution, and a row for each barrier.
pub(crate) type Counted = (Judgement, usize, Vec<LedgerRow>);

/// The ledger of a judged program, by the rows of its execution.
pub(crate) fn counted<M: Steps>(
    scene: &Scene,
    (machine, judgement): (M, Judgement),
    rows: fn(&Scene, &Replay<M>) -> Vec<LedgerRow>,
) -> Counted {
    let replay = at_end(machine, &judgement);
    let rows = rows(scene, &replay);
    (judgement, replay.done.len(), rows)
}

/// The specification of a family of barriers.
pub(crate) trait Specification {
    /// Whether the axioms engine can judge its programs.
    fn has_axioms(&self) -> bool {
        false
    }

    /// Whether the compiler oracle applies to its operations.
    fn is_compiled_for_amdgpu(&self) -> bool {
        true
    }

    /// Judges a program that its target supports, and writes the findings into a report.
    fn judge(&self, subject: Subject<'_>, report: &mut Report, keep_going: KeepGoing<'_>) -> Base;

    /// The verdict only, and the number of states that it took.
    fn verdict(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Under;

    /// The relations of one execution.
    ///
    /// # Errors
    /// If barriers of another specification are ignored, there is no such finding, or the execution is too large.
    fn graph(
        &self,
        subject: Subject<'_>,
        pick: Pick,
        keep_going: KeepGoing<'_>,
    ) -> Result<ExecutionGraph, GraphError>;

    /// The ledger at the end of one execution; `None` if the program cannot be judged.
    fn ledger(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Option<Counted>;

    /// The certificate of a verdict that one run proves; `None` if it proves none.
    fn certificate(&self, subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Option<Certificate>;

    /// An execution at launch; `None` if the program is too large to be stepped.
    fn walk(&self, subject: Subject<'_>) -> Option<Box<dyn Walking>>;

    /// An execution at launch on the hardware model; `None` if there is no such model of the program.
    fn walk_on_hardware(&self, subject: Subject<'_>) -> Option<Box<dyn Walking>>;
}
