//! `ptx.bar.aligned`: All threads of a warp must execute the same aligned barrier instruction.
//!
//! PTX ISA 9.1, "bar, barrier".

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.bar.aligned",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "All threads of a warp must execute the same aligned barrier instruction.",
    document: "PTX ISA 9.1",
    section: "bar, barrier",
    remedy: "Move the barrier out of the branch, or use the form without .aligned.",
};

/// Passes if the lanes of a warp are at the same aligned barrier instruction and none of them has exited.
///
/// # Errors
/// This rule, if they do not.
pub fn check(sites: impl IntoIterator<Item = Option<u32>>) -> Result<(), RuleId> {
    let mut first = None;
    for site in sites {
        let site = site.ok_or(RuleId::PtxBarAligned)?;
        if *first.get_or_insert(site) != site {
            return Err(RuleId::PtxBarAligned);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lanes_execute_the_same_instruction() {
        assert!(check([Some(3), Some(3)]).is_ok() && check([]).is_ok());
        assert!(check([Some(3), Some(4)]).is_err() && check([Some(3), None]).is_err());
    }
}
