//! The functions with their own async marks or waits for marks: only their calls need a frame.

use crate::tree::{Block, Count, Function, Rounds, StatementKind, Switch};
use crate::vocabulary::Effect;
use tidegate_model::ordered::OrderedSet;

/// The functions, by number, whose body contains a mark or a wait for marks.
pub(crate) fn framed(functions: &[Function]) -> OrderedSet<u32> {
    (0..)
        .zip(functions)
        .filter(|(_, function)| marks(&function.body))
        .map(|(unit, _)| unit)
        .collect()
}

fn marks(block: &Block) -> bool {
    block.statements.iter().any(|statement| match &statement.kind {
        StatementKind::Instruction(instruction) => {
            matches!(instruction.row.effect, Effect::Mark | Effect::WaitMarks)
        }
        StatementKind::If(_, then, otherwise) | StatementKind::Either(_, then, otherwise) => {
            marks(then) || otherwise.as_ref().is_some_and(marks)
        }
        StatementKind::For(_, _, _, body)
        | StatementKind::Repeat(_, body)
        | StatementKind::While(_, body)
        | StatementKind::Count(Count { body, .. })
        | StatementKind::Rounds(Rounds { body, .. })
        | StatementKind::DoWhile(body, _)
        | StatementKind::Switch(Switch { body, .. })
        | StatementKind::Loop(body) => marks(body),
        StatementKind::Choose(blocks) => blocks.iter().any(marks),
        _ => false,
    })
}
