//! `ptx.bar.warp-member`: A thread that executes `bar.warp.sync` must be in its membermask.
//!
//! PTX ISA 9.1, "bar.warp.sync".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.warp-member",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A thread that executes `bar.warp.sync` must be in its membermask.",
    document: "PTX ISA 9.1",
    section: "bar.warp.sync",
    remedy: "Include every lane that executes the instruction in the mask, as 0xffffffff does, or keep the other lanes from executing it.",
};

/// Passes if the mask names the thread that executes the instruction.
///
/// # Errors
/// This rule, if it does not.
pub const fn check(named: bool) -> Result<(), RuleId> {
    if named { Ok(()) } else { Err(RuleId::PtxBarWarpMember) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_must_name_the_thread() {
        assert_eq!(check(true), Ok(()));
        assert_eq!(check(false), Err(RuleId::PtxBarWarpMember));
    }
}
