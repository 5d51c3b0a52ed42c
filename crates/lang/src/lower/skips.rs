//! Rounds of a loop that end early: `if (C) continue; REST` does what `if (C) { } else { REST }` does.
//!
//! Where data decide the condition, the accesses of `REST` are then accesses under a condition, not a way of their own.

use crate::tree::{Block, Statement, StatementKind};
use alloc::vec::Vec;

/// The body of a loop in which conditions enclose what a `continue` passes over. `None` if it has no such `continue`, or if
/// what it passes over does more than access memory and compute.
pub(super) fn enclosed(body: &Block, decides: &dyn Fn(&[Statement]) -> bool) -> Option<Block> {
    let skips = |statement: &Statement| match &statement.kind {
        StatementKind::Either(_, then, None) => ends_round(then),
        _ => false,
    };
    let at = body.statements.iter().position(skips)?;
    let StatementKind::Either(condition, then, None) = &body.statements[at].kind else {
        return None;
    };
    let passed = Block { statements: body.statements[at + 1..].to_vec(), close: body.close };
    let passed = enclosed(&passed, decides).unwrap_or(passed);
    let kept = then.statements.len() - 1;
    let then = Block { statements: then.statements[..kept].to_vec(), close: then.close };
    if decides(&passed.statements) || decides(&then.statements) {
        return None;
    }
    let kind = StatementKind::Either(condition.clone(), then, Some(passed));
    let mut statements: Vec<Statement> = body.statements[..at].to_vec();
    statements.push(Statement { kind, ..body.statements[at].clone() });
    Some(Block { statements, close: body.close })
}

/// Whether a block ends with `continue`.
fn ends_round(block: &Block) -> bool {
    let last = block.statements.last();
    last.is_some_and(|statement| matches!(statement.kind, StatementKind::Continue))
}
