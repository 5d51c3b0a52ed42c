//! Machine code as text: each instruction spelled as LLVM prints it.

use alloc::format;
use alloc::string::String;
use tidegate_model::lowering::instruction::{BarrierOperand, Condition, Instruction, Policy};
use tidegate_model::mem::operation::{Counter, Fence, Memory, Range, Scope, Space, Spaces, Waits};
use tidegate_model::operation::Mnemonic;
use tidegate_model::program::NodeId;

/// An instruction as text; `label` names the label of a node. `None` if the scenario's own text applies.
#[must_use]
pub fn instruction(instruction: Instruction, label: &dyn Fn(NodeId) -> String) -> Option<String> {
    Some(match instruction {
        Instruction::SetM0(value) => format!("s_mov_b32 m0, {value:#x}"),
        Instruction::Barrier(mnemonic, operand) => barrier(mnemonic, operand),
        Instruction::Waitcnt(waits) => format!("s_waitcnt{}", counters(waits)),
        Instruction::WaitFor(mnemonic, most) => wait(mnemonic, most),
        Instruction::Cache(mnemonic, policy) => format!("{}{}", mnemonic.name(), reach(policy)),
        Instruction::Compare(block) => format!("s_cmp_eq_u32 s1, {block:#x}"),
        Instruction::SetCondition => String::from("s_cmp_eq_u32 0, 0"),
        Instruction::Branch(Condition::Always, node) => format!("s_branch {}", label(node)),
        Instruction::Branch(Condition::Scc1, node) => format!("s_cbranch_scc1 {}", label(node)),
        Instruction::End => String::from("s_endpgm"),
        Instruction::AsWritten | Instruction::Kept => return None,
    })
}

fn barrier(mnemonic: Mnemonic, operand: BarrierOperand) -> String {
    let result = if mnemonic == Mnemonic::SGetBarrierState { " s0," } else { "" };
    let name = mnemonic.name();
    match operand {
        BarrierOperand::Nothing => String::from(name),
        BarrierOperand::Id(id) => format!("{name}{result} {id}"),
        BarrierOperand::M0 => format!("{name}{result} m0"),
    }
}

/// Formats a wait. `s_waitcnt_vscnt null, 0x0` and similar waits name a register that is added; later waits do not.
fn wait(mnemonic: Mnemonic, most: u16) -> String {
    let name = mnemonic.name();
    let null = if name.starts_with("s_waitcnt_") { " null," } else { "" };
    format!("{name}{null} {most:#x}")
}

fn counters(waits: Waits) -> String {
    let named = [(Counter::Vm, "vmcnt"), (Counter::Exp, "expcnt"), (Counter::Lgkm, "lgkmcnt")];
    let counter = |(counter, name)| waits.most(counter).map(|most| format!(" {name}({most})"));
    named.into_iter().filter_map(counter).collect()
}

const fn reach(policy: Policy) -> &'static str {
    match policy {
        Policy::Plain => "",
        Policy::Sc1 => " sc1",
        Policy::Sc0Sc1 => " sc0 sc1",
        Policy::ScopeSe => " scope:SCOPE_SE",
        Policy::ScopeDev => " scope:SCOPE_DEV",
        Policy::ScopeSys => " scope:SCOPE_SYS",
    }
}

/// An operation on memory in the notation of the model; `name` names a memory. `None` if the model has no notation for
/// it.
#[must_use]
pub fn memory(memory: Memory, name: &dyn Fn(Range) -> String) -> Option<String> {
    let bytes = |range: Range| format!("{}[{}..{}]", name(range), range.start, range.end);
    Some(match memory {
        Memory::Load(range) => format!("load {}", bytes(range)),
        Memory::Store(range) => format!("store {}", bytes(range)),
        Memory::Fence(fence) => self::fence(fence),
        Memory::Copy { to, from } => format!("async_load {} <- {}", bytes(to), bytes(from)),
        Memory::Mark => String::from("asyncmark"),
        Memory::WaitMarks(most) => format!("wait_asyncmark {most}"),
        Memory::Wait(_) | Memory::Enter | Memory::Leave => return None,
    })
}

/// A fence in the notation of the model.
#[must_use]
pub fn fence(fence: Fence) -> String {
    let order = match (fence.release, fence.acquire) {
        (true, true) => "acq_rel",
        (true, false) => "release",
        _ => "acquire",
    };
    let scope = match fence.scope {
        Scope::Wavefront => "wavefront",
        Scope::Workgroup => "workgroup",
        Scope::Cluster => "cluster",
        Scope::Agent => "agent",
        Scope::System => "system",
    };
    let one_as = if fence.one_as { " one-as" } else { "" };
    let spaces = match (fence.spaces == Spaces::ALL, fence.spaces.contains(Space::Local)) {
        (true, _) => "",
        (false, true) => " local",
        (false, false) => " global",
    };
    format!("fence {order} {scope}{one_as}{spaces}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(what: Instruction) -> String {
        instruction(what, &|node| format!("L{node}")).unwrap_or_default()
    }

    #[test]
    fn instructions_are_spelled_as_llvm_prints_them() {
        let id = BarrierOperand::Id(-3);
        let zero = |waits: Waits, counter| waits.with(counter, 0);
        let all = [Counter::Lgkm, Counter::Vm].into_iter().fold(Waits::default(), zero);
        for (what, wanted) in [
            (Instruction::SetM0(0x5_0001), "s_mov_b32 m0, 0x50001"),
            (Instruction::Barrier(Mnemonic::SBarrierSignal, id), "s_barrier_signal -3"),
            (Instruction::Barrier(Mnemonic::SGetBarrierState, id), "s_get_barrier_state s0, -3"),
            (Instruction::Barrier(Mnemonic::SBarrierInit, BarrierOperand::M0), "s_barrier_init m0"),
            (Instruction::Waitcnt(all), "s_waitcnt vmcnt(0) lgkmcnt(0)"),
            (Instruction::WaitFor(Mnemonic::SWaitcntVscnt, 0), "s_waitcnt_vscnt null, 0x0"),
            (Instruction::WaitFor(Mnemonic::SWaitDscnt, 3), "s_wait_dscnt 0x3"),
            (Instruction::Cache(Mnemonic::GlobalInv, Policy::ScopeSe), "global_inv scope:SCOPE_SE"),
            (Instruction::Compare(2), "s_cmp_eq_u32 s1, 0x2"),
            (Instruction::Branch(Condition::Scc1, 4), "s_cbranch_scc1 L4"),
        ] {
            assert_eq!(spelled(what), wanted);
        }
    }

    #[test]
    fn memory_operations_use_the_notation_of_the_model() {
        let range = Range { buffer: 0, start: 0, end: 4 };
        let local = Spaces::default().with(Space::Local);
        let fence = Fence {
            release: true,
            acquire: false,
            scope: Scope::Agent,
            one_as: true,
            spaces: local,
        };
        let said = |what| memory(what, &|_| String::from("tile"));
        assert_eq!(said(Memory::Load(range)).as_deref(), Some("load tile[0..4]"));
        assert_eq!(said(Memory::Fence(fence)).as_deref(), Some("fence release agent one-as local"));
        assert_eq!(said(Memory::Enter), None);
    }
}
