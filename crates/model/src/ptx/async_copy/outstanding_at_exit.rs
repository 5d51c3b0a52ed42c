//! `ptx.async-copy.outstanding-at-exit`: A CTA does not end while a bulk copy still reads or writes its shared memory.
//!
//! PTX ISA 9.1, "Shared State Space": shared memory is owned by an executing CTA; "cp.async.bulk": the copy is asynchronous.
//! No passage names the end of the CTA; that the memory must outlast the copy follows from the two.

use crate::rule::{Force, Rule, RuleId};
use crate::verdict::Class;

/// The rule.
pub const RULE: Rule = Rule {
    id: "ptx.async-copy.outstanding-at-exit",
    class: Some(Class::Ub),
    force: Force::Requires,
    statement: "A CTA does not end while a bulk copy still reads or writes its shared memory.",
    document: "PTX ISA 9.1",
    section: "Shared State Space; cp.async.bulk",
    remedy: "Wait for the copy before the CTA ends: by its mbarrier, or with `cp.async.bulk.commit_group` and `cp.async.bulk.wait_group.read 0`.",
};

/// Whether copies are left when nothing of the CTA can wait for them any more.
///
/// # Errors
/// This rule, when some are.
pub const fn check(copies: usize) -> Result<(), RuleId> {
    if copies == 0 { Ok(()) } else { Err(RuleId::PtxAsyncCopyOutstandingAtExit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_may_be_left() {
        assert_eq!(check(0), Ok(()));
        assert_eq!(check(1), Err(RuleId::PtxAsyncCopyOutstandingAtExit));
    }
}
