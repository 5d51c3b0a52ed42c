//! Which barriers the parts of an OpenCL text use.

use super::term;
use crate::tree::{Block, Count, Function, StatementKind, Switch, ValueKind};
use crate::vocabulary::Effect;
use alloc::string::String;
use tidegate_model::ordered::OrderedMap;

/// Whether a body uses barriers of its work-group, and of its sub-group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) group: bool,
    pub(crate) sub_group: bool,
}

impl Uses {
    fn with(self, other: Self) -> Self {
        Self { group: self.group || other.group, sub_group: self.sub_group || other.sub_group }
    }
}

/// For each function, the barriers that it and the functions that it calls use.
pub(crate) fn functions(functions: &[Function]) -> OrderedMap<String, Uses> {
    let mut known: OrderedMap<String, Uses> = OrderedMap::new();
    // Each iteration covers one more level of calls; the result can only grow, at most twice for each function.
    for _ in 0..=2 * functions.len() {
        let mut grown = false;
        for function in functions {
            let used = of_block(&function.body, &known);
            grown |= known.insert(function.name.text.clone(), used) != Some(used);
        }
        if !grown {
            break;
        }
    }
    known
}

/// Whether a body uses barriers whose iterations are distinguished.
pub(super) fn uses_any(body: &Block, known: &OrderedMap<String, Uses>) -> bool {
    let used = of_block(body, known);
    used.group || used.sub_group
}

/// The barriers that the statements of a block use.
pub(super) fn of_block(block: &Block, known: &OrderedMap<String, Uses>) -> Uses {
    let kinds = block.statements.iter().map(|statement| statement_uses(&statement.kind, known));
    kinds.fold(Uses::default(), Uses::with)
}

fn statement_uses(kind: &StatementKind, known: &OrderedMap<String, Uses>) -> Uses {
    match kind {
        StatementKind::Instruction(instruction) => match instruction.row.effect {
            Effect::Opencl(call) => {
                Uses { group: call.is_of_group(), sub_group: !call.is_of_group() }
            }
            _ => Uses::default(),
        },
        StatementKind::Construct(_) => Uses { group: true, sub_group: false },
        StatementKind::Call(name, _) => known.get(&name.text).copied().unwrap_or_default(),
        StatementKind::Variable(..) | StatementKind::Value(_) | StatementKind::Give(_) => {
            of_calls(kind, known)
        }
        StatementKind::Either(_, then, otherwise) => {
            let other = otherwise.as_ref().map(|other| of_block(other, known));
            of_block(then, known).with(other.unwrap_or_default()).with(of_calls(kind, known))
        }
        StatementKind::Rounds(rounds) => {
            let first = rounds.first.iter().map(|one| statement_uses(&one.kind, known));
            first.fold(of_block(&rounds.body, known), Uses::with).with(of_calls(kind, known))
        }
        StatementKind::Several(statements) => {
            let each = statements.iter().map(|one| statement_uses(&one.kind, known));
            each.fold(Uses::default(), Uses::with)
        }
        StatementKind::If(_, then, otherwise) => {
            let other = otherwise.as_ref().map(|other| of_block(other, known));
            of_block(then, known).with(other.unwrap_or_default())
        }
        StatementKind::For(_, _, _, body)
        | StatementKind::Repeat(_, body)
        | StatementKind::While(_, body)
        | StatementKind::Count(Count { body, .. })
        | StatementKind::DoWhile(body, _)
        | StatementKind::Switch(Switch { body, .. })
        | StatementKind::Loop(body) => of_block(body, known),
        StatementKind::Choose(blocks) => {
            blocks.iter().map(|one| of_block(one, known)).fold(Uses::default(), Uses::with)
        }
        _ => Uses::default(),
    }
}

/// The barriers used by the calls in the expressions of a statement.
fn of_calls(kind: &StatementKind, known: &OrderedMap<String, Uses>) -> Uses {
    let mut used = Uses::default();
    for value in term::values(kind) {
        value.any(&mut |part| {
            if let ValueKind::Call(name, _) = &part.kind {
                let own = known.get(&name.text).copied().or_else(|| collective(&name.text));
                used = used.with(own.unwrap_or_default());
            }
            false
        });
    }
    used
}

/// Whether a function is called by all work-items of the sub-group, or else of the work-group, together; `None` for other
/// functions.
pub(super) fn of_sub_group(word: &str) -> Option<bool> {
    let (operation, sub_group) = match word.strip_prefix("work_group_") {
        Some(operation) => (operation, false),
        None => (word.strip_prefix("sub_group_")?, true),
    };
    let prefixes = ["reduce_", "scan_exclusive_", "scan_inclusive_"];
    let known = matches!(operation, "all" | "any" | "broadcast")
        || prefixes.iter().any(|prefix| operation.starts_with(prefix));
    known.then_some(sub_group)
}

/// The barriers that such a function is.
pub(super) fn collective(word: &str) -> Option<Uses> {
    of_sub_group(word).map(|sub_group| Uses { group: !sub_group, sub_group })
}
