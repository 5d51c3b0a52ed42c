//! The OpenCL operations that a target supports.
//!
//! The language is portable: every target runs its functions as far as its barriers allow. Barriers of the work-group
//! and the sub-group exist on every target; a named barrier needs one of the target.

use crate::context::Context;
use crate::opencl::action::Action;
use crate::operation::Action as Any;
use crate::rule::RuleId;
use crate::target::{Family, Target};

/// Whether a program uses operations of OpenCL.
#[must_use]
pub fn uses(context: &Context) -> bool {
    context.operations().any(|(_, _, operation)| matches!(operation.action, Any::Opencl(_)))
}

/// Whether a program mixes OpenCL operations with barriers of other vocabularies, which are not judged together.
#[must_use]
pub fn is_mixed(context: &Context) -> bool {
    let other =
        |action: Any| action.object().is_some() || matches!(action, Any::Ptx(..) | Any::Leave);
    uses(context) && context.operations().any(|(_, _, operation)| other(operation.action))
}

/// The number of named barriers of a work-group on a target: IDs 1 to 16 on AMDGPU, barriers 1 to 15 of a CTA on NVIDIA;
/// `None` if unlimited.
#[must_use]
pub const fn named_barriers(target: &Target) -> Option<u16> {
    match target.family {
        Family::Amdgpu { .. } if target.named_barriers => Some(16),
        Family::Amdgpu { .. } => Some(0),
        Family::Nvidia => Some(15),
        Family::Model | Family::Opencl => None,
    }
}

/// The rule by which a target does not support an OpenCL operation.
#[must_use]
pub fn lacks(action: Action, target: &Target) -> Option<RuleId> {
    let (Action::Construct { object, .. } | Action::Wait { object, .. }) = action else {
        return None;
    };
    let there = named_barriers(target).is_none_or(|count| object < count);
    let rule = match target.family {
        Family::Nvidia => RuleId::PtxOperationUnsupported,
        _ => RuleId::AmdObjectUnsupported,
    };
    (!there).then_some(rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::Instance;
    use crate::target::TargetId;

    #[test]
    fn named_barriers_need_those_of_the_target() {
        let lacks_on = |name: &str, object: u16| {
            let construct = Action::Construct { object, count: 2, at: Instance::default() };
            lacks(construct, TargetId::from_name(name).expect("a target").get())
        };
        let unsupported = Some(RuleId::AmdObjectUnsupported);
        assert_eq!(["opencl", "model", "gfx1250", "sm_90"].map(|on| lacks_on(on, 0)), [None; 4]);
        assert_eq!(["gfx900", "gfx1200"].map(|on| lacks_on(on, 0)), [unsupported; 2]);
        assert_eq!((lacks_on("gfx1250", 15), lacks_on("gfx1250", 16)), (None, unsupported));
        assert_eq!(lacks_on("sm_90", 15), Some(RuleId::PtxOperationUnsupported));
        assert_eq!(lacks_on("opencl", 99), None);
    }
}
