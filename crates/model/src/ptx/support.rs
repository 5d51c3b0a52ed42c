//! The NVIDIA operations that a target supports.
//!
//! PTX ISA 9.1, the target notes of each instruction: mbarrier from `sm_80`, its tx-count, `try_wait`, bulk copies and
//! clusters from `sm_90`. `tlx-barriers`: on AMD barriers are software in LDS, named barriers do not exist.

use crate::context::Context;
use crate::operation::Action as Any;
use crate::ptx::action::{Action, Spelling};
use crate::rule::RuleId;
use crate::target::{Family, Target};

/// Whether a program uses operations of NVIDIA.
#[must_use]
pub fn uses(context: &Context) -> bool {
    context.operations().any(|(_, _, operation)| matches!(operation.action, Any::Ptx(..)))
        || !context.program.mbarriers.is_empty()
}

/// The compute capability of a target, such as 90 for `sm_90`; `None` for other vendors.
#[must_use]
pub fn capability(target: &Target) -> Option<u16> {
    match target.family {
        Family::Nvidia => target.name.strip_prefix("sm_")?.parse().ok(),
        _ => None,
    }
}

/// The rule by which a target does not support an NVIDIA operation.
#[must_use]
pub fn lacks(action: Action, spelling: Spelling, target: &Target) -> Option<RuleId> {
    let unsupported = Some(RuleId::PtxOperationUnsupported);
    let Some(capability) = capability(target) else {
        return match (target.family, spelling) {
            (Family::Amdgpu { .. }, Spelling::Tlx) => None,
            (Family::Amdgpu { .. }, Spelling::Lds) if target.cluster_barriers => None,
            (Family::Amdgpu { .. }, Spelling::TlxNamed) => Some(RuleId::TlxNamedBarrierUnsupported),
            _ => unsupported,
        };
    };
    let since = match spelling {
        Spelling::Ptx(since) => since.max(counted(action)),
        Spelling::PtxBetween(since, _) => since,
        Spelling::TlxNamed => 70,
        Spelling::Sass | Spelling::Tlx | Spelling::TlxCopy => 90,
        Spelling::Lds => return unsupported,
    };
    let before = match spelling {
        Spelling::PtxBetween(_, before) => before,
        _ => u16::MAX,
    };
    if (since..before).contains(&capability) { None } else { unsupported }
}

/// A count other than 1 without .noComplete came with `sm_90`.
const fn counted(action: Action) -> u16 {
    match action {
        Action::Arrive { form, .. } if form.count != 1 && !form.no_complete => 90,
        _ => 0,
    }
}

/// Whether a program mixes NVIDIA barrier operations with AMDGPU barriers, copies or marks, which are not judged together.
#[must_use]
pub fn is_mixed(context: &Context) -> bool {
    let other = |action: Any| match action {
        Any::Memory(memory) => memory.is_asynchronous(),
        action => action.object().is_some(),
    };
    uses(context) && context.operations().any(|(_, _, operation)| other(operation.action))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::action::{Arrive, Name, Order, Place};
    use crate::target::TargetId;

    fn lacks_on(target: &str, action: Action, spelling: Spelling) -> Option<RuleId> {
        lacks(action, spelling, TargetId::from_name(target).expect("a target").get())
    }

    #[test]
    fn capabilities_are_read_from_names() {
        for (name, wanted) in [("sm_70", Some(70)), ("sm_100", Some(100)), ("gfx1250", None)] {
            let target = TargetId::from_name(name).expect("a target").get();
            assert_eq!(capability(target), wanted);
        }
    }

    #[test]
    fn instructions_came_with_their_targets() {
        let unsupported = Some(RuleId::PtxOperationUnsupported);
        let nothing = Action::Nothing;
        assert_eq!(lacks_on("sm_75", nothing, Spelling::Ptx(80)), unsupported);
        for (target, wanted) in [("sm_90", unsupported), ("sm_100", None), ("sm_120", unsupported)]
        {
            assert_eq!(lacks_on(target, nothing, Spelling::PtxBetween(100, 120)), wanted);
        }
        assert_eq!(lacks_on("sm_80", nothing, Spelling::Ptx(80)), None);
        assert_eq!(lacks_on("sm_89", nothing, Spelling::Tlx), unsupported);
        assert_eq!(lacks_on("gfx942", nothing, Spelling::Tlx), None);
        assert_eq!(lacks_on("gfx942", nothing, Spelling::Ptx(70)), unsupported);
        assert_eq!(
            lacks_on("gfx942", nothing, Spelling::TlxNamed),
            Some(RuleId::TlxNamedBarrierUnsupported)
        );
        assert_eq!(lacks_on("opencl", nothing, Spelling::Tlx), unsupported);
        let form = Arrive {
            count: 2,
            drop: false,
            no_complete: false,
            expect: None,
            order: Order::Cta,
            token: None,
        };
        let twice = Action::Arrive { name: Name { index: 0, place: Place::Own }, form };
        assert_eq!(lacks_on("sm_80", twice, Spelling::Ptx(80)), unsupported);
        assert_eq!(lacks_on("sm_90", twice, Spelling::Ptx(80)), None);
    }
}
