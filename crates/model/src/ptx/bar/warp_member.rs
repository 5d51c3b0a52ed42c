//! `ptx.bar.warp-member`: A thread that executes `bar.warp.sync` is in its mask.
//!
//! PTX ISA 9.1, "bar.warp.sync".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.warp-member",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A thread that executes `bar.warp.sync` is in its mask.",
    document: "PTX ISA 9.1",
    section: "bar.warp.sync",
    remedy: "Name in the mask every lane that comes here, as 0xffffffff does, or keep the others from coming.",
};

/// Whether the mask names who executes the instruction.
///
/// # Errors
/// This rule, when it does not.
pub const fn check(named: bool) -> Result<(), RuleId> {
    if named { Ok(()) } else { Err(RuleId::PtxBarWarpMember) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_names_its_threads() {
        assert_eq!(check(true), Ok(()));
        assert_eq!(check(false), Err(RuleId::PtxBarWarpMember));
    }
}
