//! The class of each line of a text, by the instructions that a front end made of it.

use tidegate_kernel::ir::{Block, End, Instruction, Kind, Module, Place};
use tidegate_lang::compiled::classes::{LineClass, LineClasses};
use tidegate_model::ordered::OrderedMap;

/// Returns the classes of the lines with instructions. `line_of` gives the line of a place.
pub(super) fn of(module: &Module, line_of: impl Fn(Place) -> Option<u32>) -> LineClasses {
    let mut lines: OrderedMap<u32, LineClass> = OrderedMap::new();
    let mut put = |place: Place, class: LineClass| {
        // Instructions that a front end adds have no place.
        let Some(line) = (place.end > place.start).then(|| line_of(place)).flatten() else {
            return;
        };
        let known = lines.entry(line).or_insert(class);
        *known = (*known).max(class);
    };
    let blocks = || module.functions.iter().flat_map(|function| &function.blocks);
    for function in &module.functions {
        for block in &function.blocks {
            for instruction in &block.instructions {
                class_of(instruction).into_iter().for_each(|class| put(instruction.place, class));
            }
            end_of(block).into_iter().for_each(|class| put(block.place, class));
        }
    }
    module.ignored_at.iter().for_each(|place| put(*place, LineClass::Ignored));
    // A block without a branch ends at its last instruction, so a jump is a class of lines without another class only.
    for block in blocks().filter(|block| matches!(block.end, End::Jump(_))) {
        let Some(line) = line_of(block.place).filter(|_| block.place.end > 0) else { continue };
        lines.entry(line).or_insert(LineClass::Branches);
    }
    for place in module.functions.iter().flat_map(|function| &function.read) {
        let Some(line) = line_of(*place) else { continue };
        lines.entry(line).or_insert(LineClass::Computes);
    }
    lines.into_iter().collect()
}

fn class_of(instruction: &Instruction) -> Option<LineClass> {
    Some(match &instruction.kind {
        Kind::Compute { .. } | Kind::Opaque { .. } => LineClass::Computes,
        Kind::Access(_) => LineClass::Accesses,
        Kind::Fence(_)
        | Kind::Memory(..)
        | Kind::Caches(_)
        | Kind::Amdgpu(..)
        | Kind::Nvidia(_)
        | Kind::Opencl(_) => LineClass::Synchronises,
        Kind::Call { .. } => LineClass::Branches,
        Kind::Unknown { .. } => LineClass::NotModelled,
        // It repeats accesses of other lines.
        Kind::Outstanding => return None,
    })
}

fn end_of(block: &Block) -> Option<LineClass> {
    match block.end {
        End::Branch { .. } | End::Switch { .. } | End::Return(_) | End::Exit => {
            Some(LineClass::Branches)
        }
        End::Unknown(_) => Some(LineClass::NotModelled),
        End::Jump(_) | End::Unreachable => None,
    }
}
