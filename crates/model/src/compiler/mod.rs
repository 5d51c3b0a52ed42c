//! The third oracle: the behaviour of LLVM on the operations of a scenario. A table of measured facts, without their
//! meaning; the assembler test measures them again.

pub mod differences;
mod fact;
pub mod facts;

pub use fact::{Fact, Outcome, What, has};

use crate::context::Context;
use crate::lowering::mnemonic_of;
use crate::mem::operation::Memory;
use crate::operation::{Action, Form, Mnemonic, Operation};
use crate::program::NodeId;
use crate::ptx::action::Spelling;
use crate::support;
use crate::target::{Target, TargetId};
use alloc::vec::Vec;

/// The version of `llvm-mc` and `llc` with which the facts were measured, as packaged by Debian.
pub const VERSION: &str = "22.1.8";

/// The outcome of a mnemonic or an intrinsic on a target.
#[must_use]
pub fn outcome(what: What, target: TargetId) -> Outcome {
    match what {
        What::Machine(mnemonic) => facts::MACHINE[mnemonic as usize].on(target),
        What::Intrinsic(intrinsic) => facts::INTRINSICS[intrinsic as usize].on(target),
        What::NoCode => Outcome::Rejected,
    }
}

/// An operation of a program, and the behaviour of LLVM on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// The input.
    pub what: What,
    /// The outcome.
    pub outcome: Outcome,
    /// Whether the specification has the operation on the target.
    pub text_has_it: bool,
    /// The agent.
    pub agent: usize,
    /// The node of its body.
    pub node: NodeId,
}

/// Returns the behaviour of LLVM on the operations of a program on an AMDGPU processor: each kind once, at its first
/// node. `lacking` is the result of [`support::lacking`] for the same program, in the same order.
#[must_use]
pub fn ask(context: &Context, target: TargetId, lacking: &[support::Lacking]) -> Vec<Told> {
    let mut told: Vec<Told> = Vec::new();
    let mut lacking = lacking.iter().peekable();
    for (agent, node, operation) in context.operations() {
        let here = |lack: &&support::Lacking| (lack.agent, lack.node) == (agent, node);
        let text_has_it = lacking.next_if(here).is_none();
        let Some(what) = given(target.get(), operation, text_has_it) else { continue };
        if !told.iter().any(|known| known.what == what && known.text_has_it == text_has_it) {
            let outcome = outcome(what, target);
            told.push(Told { what, outcome, text_has_it, agent, node });
        }
    }
    told
}

/// The input for an operation: the operation itself if it is code or an intrinsic, otherwise the code that the tables
/// give for it.
fn given(target: &Target, operation: &Operation, text_has_it: bool) -> Option<What> {
    match (operation.form, operation.action) {
        (Form::Machine(mnemonic), _) => Some(What::Machine(mnemonic)),
        // A call of a function with its own marks is not an operation to a compiler.
        (_, Action::Memory(Memory::Enter | Memory::Leave)) => None,
        (Form::Intrinsic(intrinsic), _) => Some(What::Intrinsic(intrinsic)),
        // Conditions are what the scalar instructions around the operations compute.
        (Form::Word, Action::Memory(_) | Action::Condition(_)) => None,
        // Barriers in LDS come from code, which is ordinary accesses and arrivals.
        (Form::Word, Action::Ptx(_, Spelling::Lds)) => None,
        (Form::Word, action) => Some(match mnemonic_of(action, target) {
            // Half an `s_barrier` has no code.
            Some(Mnemonic::SBarrier) if !text_has_it => What::NoCode,
            mnemonic => mnemonic.map_or(What::NoCode, What::Machine),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Intrinsic;
    use crate::target::{Family, TARGETS};
    use crate::target_set::expand;

    #[test]
    fn facts_are_in_the_order_of_their_inputs() {
        for (fact, (mnemonic, name)) in facts::MACHINE.iter().zip(Mnemonic::NAMED) {
            assert_eq!(fact.what, What::Machine(mnemonic));
            assert_eq!(fact.probe.split(' ').next(), Some(name));
        }
        for (index, fact) in facts::INTRINSICS.iter().enumerate() {
            let What::Intrinsic(intrinsic) = fact.what else { panic!("{fact:?}") };
            assert_eq!(intrinsic as usize, index);
        }
        assert_eq!(facts::INTRINSICS.len(), Intrinsic::AsyncBuffer as usize + 1);
    }

    #[test]
    fn every_set_is_a_set_of_targets() {
        let facts = facts::MACHINE.iter().chain(&facts::INTRINSICS).map(|fact| fact.takes);
        let differences = differences::DIFFERENCES.iter().map(|difference| difference.targets);
        for set in facts.chain(differences).flat_map(str::split_ascii_whitespace) {
            assert!(expand(set).is_some(), "{set}");
        }
    }

    /// The table of targets agrees with LLVM on instructions, except for named barriers on GFX12.0.
    #[test]
    fn the_table_of_targets_agrees_except_for_named_barriers() {
        let mut differing = Vec::new();
        for id in TargetId::all().filter(|id| matches!(id.get().family, Family::Amdgpu { .. })) {
            for (mnemonic, name) in Mnemonic::NAMED {
                let taken = outcome(What::Machine(mnemonic), id) == Outcome::Taken;
                if taken != id.get().has(mnemonic) {
                    differing.push((name, id.get().name));
                }
            }
        }
        let named = ["s_barrier_init", "s_barrier_join", "s_barrier_leave"];
        let targets = ["gfx1200", "gfx1201", "gfx12-generic"];
        let expected: Vec<_> =
            targets.iter().flat_map(|target| named.map(|name| (name, *target))).collect();
        assert_eq!(differing, expected);
        assert!(!TARGETS.is_empty());
    }
}
