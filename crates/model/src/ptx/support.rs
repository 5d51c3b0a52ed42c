//! The NVIDIA operations that a target supports.
//!
//! PTX ISA 9.1, the target notes of each instruction: mbarrier from `sm_80`, its tx-count, `try_wait`, bulk copies and
//! clusters from `sm_90`. `tlx-barriers`: on AMD barriers are software in LDS, named barriers do not exist.

use crate::context::Context;
use crate::operation::Action as Any;
use crate::ptx::action::Spelling;
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
pub fn lacks(spelling: Spelling, target: &Target) -> Option<RuleId> {
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
        Spelling::Ptx(since) | Spelling::PtxBetween(since, _) => since,
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
    use crate::target::TargetId;

    fn lacks_on(target: &str, spelling: Spelling) -> Option<RuleId> {
        lacks(spelling, TargetId::from_name(target).expect("a target").get())
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
        assert_eq!(lacks_on("sm_75", Spelling::Ptx(80)), unsupported);
        for (target, wanted) in [("sm_90", unsupported), ("sm_100", None), ("sm_120", unsupported)]
        {
            assert_eq!(lacks_on(target, Spelling::PtxBetween(100, 120)), wanted);
        }
        assert_eq!(lacks_on("sm_80", Spelling::Ptx(80)), None);
        assert_eq!(lacks_on("sm_89", Spelling::Tlx), unsupported);
        assert_eq!(lacks_on("gfx942", Spelling::Tlx), None);
        assert_eq!(lacks_on("gfx942", Spelling::Ptx(70)), unsupported);
        assert_eq!(
            lacks_on("gfx942", Spelling::TlxNamed),
            Some(RuleId::TlxNamedBarrierUnsupported)
        );
        assert_eq!(lacks_on("opencl", Spelling::Tlx), unsupported);
    }
}
