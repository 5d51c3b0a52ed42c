//! `ptx.async-copy.outstanding-at-exit`: A CTA must not exit while a bulk copy still reads or writes its shared memory.
//!
//! PTX ISA 9.1, "Shared State Space": shared memory is owned by an executing CTA; "cp.async.bulk": the copy is asynchronous.
//! No passage names the end of the CTA. The two passages together imply that the memory must outlast the copy.

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.async-copy.outstanding-at-exit",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A CTA must not exit while a bulk copy still reads or writes its shared memory.",
    document: "PTX ISA 9.1",
    section: "Shared State Space; cp.async.bulk",
    remedy: "Wait for the copy before the CTA exits: on its mbarrier, or with `cp.async.bulk.commit_group` and `cp.async.bulk.wait_group.read 0`.",
};

/// Passes if no copies remain when no operation of the CTA can wait for them.
///
/// # Errors
/// This rule, if some remain.
pub const fn check(copies: usize) -> Result<(), RuleId> {
    if copies == 0 { Ok(()) } else { Err(RuleId::PtxAsyncCopyOutstandingAtExit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_copy_may_remain() {
        assert_eq!(check(0), Ok(()));
        assert_eq!(check(1), Err(RuleId::PtxAsyncCopyOutstandingAtExit));
    }
}
