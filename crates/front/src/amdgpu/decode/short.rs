//! Vector operations of 16 bits: halves of registers, by their names or by `op_sel`.

use super::super::operand::{Arguments, Operand};
use super::{Operation, Source};
use alloc::vec::Vec;

/// An operation of a row; none if a modifier changes the result.
pub(super) fn operation<'a>(row: usize, arguments: &Arguments<'a>) -> Option<Operation<'a>> {
    let first = arguments.operands.first()?;
    let (result, named) = match first.operand {
        Operand::Registers(registers) => (registers, false),
        Operand::Half(registers, upper) => (registers, upper),
        _ => return None,
    };
    let count = arguments.operands.len();
    let selects_beside_a_mask = count > 3 && arguments.modifier("op_sel").is_some();
    if arguments.has("clamp") || selects_beside_a_mask {
        return None;
    }
    let upper = named || is_selected(arguments, count - 1);
    let sources = (1..count).filter_map(|index| source(arguments, index, 1)).collect::<Vec<_>>();
    Some(Operation::Short { row, result, upper, sources })
}

/// The source of 16 bits at an index; the first source is at `from`.
pub(super) fn source<'a>(
    arguments: &Arguments<'a>,
    index: usize,
    from: usize,
) -> Option<Source<'a>> {
    let argument = arguments.operands.get(index)?;
    Some(match (argument.operand, is_selected(arguments, index - from)) {
        _ if argument.changed => Source::Data,
        (Operand::Half(registers, upper), _) => Source::Half(registers, upper),
        (Operand::Registers(registers), true) => Source::Half(registers, true),
        // An inline constant has other bits as a half float.
        (Operand::Float(_), _) | (_, true) => Source::Data,
        _ => super::source(argument),
    })
}

/// Whether `op_sel` selects the upper half of an operand; the destination is after the sources.
fn is_selected(arguments: &Arguments<'_>, at: usize) -> bool {
    let list = arguments.modifier("op_sel").unwrap_or("");
    list.trim_matches(['[', ']']).split(',').nth(at).is_some_and(|bit| bit.trim() == "1")
}
