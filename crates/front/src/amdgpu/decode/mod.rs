//! One instruction as written to what it does.

mod memory;
mod short;

pub(super) use memory::Memory;

use super::operand::{Argument, Arguments, Bank, Operand, Registers, Scalar, number};
use super::table::compare::{Compare, compare};
use super::table::{base, refused, scalar, vector};
use super::unit::Instruction;
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Counter, Scope, Waits};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source<'a> {
    Registers(Registers),
    /// Half of a register: bits 31:16 if `true`, else bits 15:0.
    Half(Registers, bool),
    Number(i64),
    /// Bits of the address of a symbol: 31:0, or 63:32.
    Symbol {
        name: &'a str,
        how: &'a str,
        plus: i64,
        high: bool,
    },
    /// Only data: a floating-point constant, a value with a sign.
    Data,
}

/// A barrier operation. An ID is a number, or m0 has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Barrier<'a> {
    /// `s_barrier`.
    Whole,
    Init(Source<'a>),
    Join(Source<'a>),
    Leave,
    Signal {
        id: Source<'a>,
        is_first: bool,
    },
    Wait(Source<'a>),
    State {
        result: Registers,
        id: Source<'a>,
    },
}

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Always,
    /// Where the condition code is this.
    Scc(bool),
    /// Where the mask is zero (`true`) or not.
    Vcc(bool),
    Exec(bool),
}

/// What an instruction does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Operation<'a> {
    /// It computes nothing that matters.
    Nothing,
    /// It computes data into registers.
    Data(Vec<Registers>),
    Scalar {
        row: usize,
        result: Option<Registers>,
        sources: Vec<Source<'a>>,
    },
    Vector {
        row: usize,
        result: Registers,
        mask: Option<Registers>,
        sources: Vec<Source<'a>>,
    },
    /// An operation of 16 bits, whose result is in the upper half if `upper`.
    Short {
        row: usize,
        result: Registers,
        upper: bool,
        sources: Vec<Source<'a>>,
    },
    /// A bit of the truth table for each of the eight combinations of three source bits.
    Table {
        result: Registers,
        sources: Vec<Source<'a>>,
        table: u8,
    },
    Compare {
        compare: Compare,
        result: Option<Registers>,
        sources: [Source<'a>; 2],
    },
    /// The old mask goes to `result`, or the new one; the new one is an operation of a source and the old one.
    Mask {
        operation: MaskOperation,
        result: Registers,
        source: Source<'a>,
        wide: bool,
    },
    FirstLane {
        result: Registers,
        source: Source<'a>,
    },
    ReadLane {
        result: Registers,
        source: Source<'a>,
        lane: Source<'a>,
    },
    WriteLane {
        result: Registers,
        source: Source<'a>,
        lane: Source<'a>,
    },
    /// Adds the number of lower lanes in a mask.
    CountLanes {
        result: Registers,
        mask: Source<'a>,
        plus: Source<'a>,
        high: bool,
    },
    Memory(Memory<'a>),
    /// A copy of a tile by a descriptor in scalar registers; whether it writes LDS.
    Tensor {
        groups: Vec<Registers>,
        to_local: bool,
    },
    Wait(Waits),
    Barrier(Barrier<'a>),
    /// Invalidates what the wave may have cached of global memory, as far as the scope reaches.
    Invalidate(Scope),
    /// Writes caches back, as far as the scope reaches.
    WriteBack(Scope),
    Branch {
        when: When,
        target: &'a str,
    },
    /// The address of the next instruction; relocations make it an address of their own.
    GetPc(Registers),
    SetPc(Source<'a>),
    SwapPc {
        result: Registers,
        source: Source<'a>,
    },
    Call {
        result: Registers,
        target: &'a str,
    },
    /// Four bits that are zero exactly where the workgroup is in no cluster.
    InCluster(Registers),
    End,
    /// Nothing is known of it, and it could matter.
    Unknown,
}

/// An operation that writes EXEC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MaskOperation {
    /// The step on source and old mask.
    pub(super) join: Join,
    /// Whether the source, the old mask and the result are inverted.
    pub(super) inverted: [bool; 3],
    /// Whether the result is the new mask instead of the old one.
    pub(super) gives_new: bool,
}

/// How masks are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    And,
    Or,
    Xor,
}

/// Names of operations on EXEC, without `s_`, `_saveexec` or `_wrexec`, and the width.
const MASKS: [(&str, Join, [bool; 3]); 14] = [
    ("and", Join::And, [false, false, false]),
    ("or", Join::Or, [false, false, false]),
    ("xor", Join::Xor, [false, false, false]),
    ("andn2", Join::And, [false, true, false]),
    ("and_not1", Join::And, [false, true, false]),
    ("andn1", Join::And, [true, false, false]),
    ("and_not0", Join::And, [true, false, false]),
    ("orn2", Join::Or, [false, true, false]),
    ("or_not1", Join::Or, [false, true, false]),
    ("orn1", Join::Or, [true, false, false]),
    ("or_not0", Join::Or, [true, false, false]),
    ("nand", Join::And, [false, false, true]),
    ("nor", Join::Or, [false, false, true]),
    ("xnor", Join::Xor, [false, false, true]),
];

/// Instructions without an effect that matters.
const NOTHING: [&str; 34] = [
    "s_nop",
    "s_sleep",
    "s_sleep_var",
    "s_delay_alu",
    "s_clause",
    "s_setprio",
    "s_setprio_inc_wg",
    "s_set_inst_prefetch_distance",
    "s_inst_prefetch",
    "s_icache_inv",
    "s_dcache_inv",
    "s_wait_alu",
    "s_waitcnt_depctr",
    "s_code_end",
    "s_setreg_b32",
    "s_setreg_imm32_b32",
    "s_denorm_mode",
    "s_round_mode",
    "s_sendmsg",
    "s_ttracedata",
    "s_ttracedata_imm",
    "s_incperflevel",
    "s_decperflevel",
    "s_version",
    "s_prefetch_inst",
    "s_prefetch_inst_pc_rel",
    "s_prefetch_data",
    "s_prefetch_data_pc_rel",
    "s_gl1_inv",
    "s_monitor_sleep",
    "s_wakeup",
    "v_nop",
    "s_singleuse_vdst",
    "s_buffer_prefetch_data",
];

/// Waits for counters with a number for all of them.
const WAITS: [(&str, Counter); 14] = [
    ("s_waitcnt_vmcnt", Counter::Vm),
    ("s_waitcnt_expcnt", Counter::Exp),
    ("s_waitcnt_lgkmcnt", Counter::Lgkm),
    ("s_waitcnt_vscnt", Counter::Vs),
    ("s_wait_loadcnt", Counter::Load),
    ("s_wait_storecnt", Counter::Store),
    ("s_wait_dscnt", Counter::Ds),
    ("s_wait_kmcnt", Counter::Km),
    ("s_wait_expcnt", Counter::Exp),
    ("s_wait_samplecnt", Counter::Sample),
    ("s_wait_bvhcnt", Counter::Bvh),
    ("s_wait_xcnt", Counter::X),
    ("s_wait_asynccnt", Counter::Async),
    ("s_wait_tensorcnt", Counter::Tensor),
];

/// What an instruction does.
pub(super) fn decode<'a>(instruction: &Instruction<'a>) -> Operation<'a> {
    let arguments = Arguments::read(instruction.text);
    let name = base(instruction.mnemonic);
    let single = name.strip_prefix("v_dual_").map(|rest| format!("v_{rest}"));
    let name = single.as_deref().unwrap_or(name);
    if NOTHING.contains(&name) {
        return Operation::Nothing;
    }
    control(name, &arguments)
        .or_else(|| synchronisation(name, &arguments))
        .or_else(|| memory::memory(name, &arguments))
        .or_else(|| special(name, &arguments))
        .or_else(|| arithmetic(instruction.mnemonic, name, &arguments))
        .unwrap_or_else(|| match written(name, &arguments) {
            to if to.is_empty() || refused(name) => Operation::Unknown,
            to => Operation::Data(to),
        })
}

/// Registers that an instruction writes if it computes only data. Without any, it has another effect.
fn written(name: &str, arguments: &Arguments<'_>) -> Vec<Registers> {
    let both = name.contains("swap") || name.contains("div_scale");
    let count = if both { 2 } else { 1 };
    arguments.operands.iter().take(count).filter_map(|argument| registers(argument)).collect()
}

fn registers(argument: &Argument<'_>) -> Option<Registers> {
    match argument.operand {
        Operand::Registers(registers) | Operand::Half(registers, _) => Some(registers),
        _ => None,
    }
}

fn source<'a>(argument: &Argument<'a>) -> Source<'a> {
    match argument.operand {
        _ if argument.changed => Source::Data,
        Operand::Registers(registers) => Source::Registers(registers),
        Operand::Number(value) => Source::Number(value),
        Operand::Symbol { name, how, plus, high } => Source::Symbol { name, how, plus, high },
        Operand::Float(text) => float(text).map_or(Source::Data, Source::Number),
        _ => Source::Data,
    }
}

/// The bits of an inline constant in 32 bits.
fn float(text: &str) -> Option<i64> {
    Some(match text {
        "0.5" => 0x3f00_0000,
        "1.0" => 0x3f80_0000,
        "2.0" => 0x4000_0000,
        "4.0" => 0x4080_0000,
        "-0.5" => 0xbf00_0000,
        "-1.0" => 0xbf80_0000,
        "-2.0" => 0xc000_0000,
        "-4.0" => 0xc080_0000,
        _ => return None,
    })
}

impl<'a> Arguments<'a> {
    fn source(&self, index: usize) -> Option<Source<'a>> {
        self.operands.get(index).map(source)
    }

    /// A destination: whole registers.
    fn result(&self, index: usize) -> Option<Registers> {
        match self.operands.get(index)?.operand {
            Operand::Registers(registers) => Some(registers),
            _ => None,
        }
    }

    fn name(&self, index: usize) -> Option<&'a str> {
        match self.operands.get(index)?.operand {
            Operand::Symbol { name, .. } => Some(name),
            _ => None,
        }
    }

    fn count(&self, index: usize) -> Option<u16> {
        match self.operands.get(index)?.operand {
            Operand::Number(value) => u16::try_from(value).ok(),
            _ => None,
        }
    }
}

fn control<'a>(name: &str, arguments: &Arguments<'a>) -> Option<Operation<'a>> {
    let branches = [
        ("s_branch", When::Always),
        ("s_add_pc_i64", When::Always),
        ("s_cbranch_scc0", When::Scc(false)),
        ("s_cbranch_scc1", When::Scc(true)),
        ("s_cbranch_vccz", When::Vcc(true)),
        ("s_cbranch_vccnz", When::Vcc(false)),
        ("s_cbranch_execz", When::Exec(true)),
        ("s_cbranch_execnz", When::Exec(false)),
    ];
    if let Some(&(_, when)) = branches.iter().find(|(branch, _)| *branch == name) {
        return arguments.name(0).map(|target| Operation::Branch { when, target });
    }
    match name {
        "s_endpgm" | "s_endpgm_saved" | "s_endpgm_ordered_ps_done" => Some(Operation::End),
        "s_getpc_b64" | "s_get_pc_i64" => arguments.result(0).map(Operation::GetPc),
        "s_setpc_b64" | "s_set_pc_i64" => arguments.source(0).map(Operation::SetPc),
        "s_swappc_b64" | "s_swap_pc_i64" => {
            let (result, source) = (arguments.result(0)?, arguments.source(1)?);
            Some(Operation::SwapPc { result, source })
        }
        "s_call_b64" | "s_call_i64" => {
            let (result, target) = (arguments.result(0)?, arguments.name(1)?);
            Some(Operation::Call { result, target })
        }
        _ => None,
    }
}

fn synchronisation<'a>(name: &str, arguments: &Arguments<'a>) -> Option<Operation<'a>> {
    if let Some(waits) = waits(name, arguments) {
        return Some(Operation::Wait(waits));
    }
    if let Some(caches) = caches(name, arguments) {
        return Some(caches);
    }
    let id = arguments.source(0);
    let barrier = match name {
        "s_barrier" => Barrier::Whole,
        "s_barrier_init" => Barrier::Init(id?),
        "s_barrier_join" => Barrier::Join(id?),
        "s_barrier_leave" => Barrier::Leave,
        "s_barrier_signal" => Barrier::Signal { id: id?, is_first: false },
        "s_barrier_signal_isfirst" => Barrier::Signal { id: id?, is_first: true },
        "s_barrier_wait" => Barrier::Wait(id?),
        "s_get_barrier_state" => {
            Barrier::State { result: arguments.result(0)?, id: arguments.source(1)? }
        }
        _ => return None,
    };
    Some(Operation::Barrier(barrier))
}

/// A wait for counters. The two halves of a number for two counters are bits 13:8 and 5:0.
fn waits(name: &str, arguments: &Arguments<'_>) -> Option<Waits> {
    let none = Waits::default();
    if let Some(&(_, counter)) = WAITS.iter().find(|(wait, _)| *wait == name) {
        let most = arguments.count(0).or_else(|| arguments.count(1))?;
        return Some(none.with(counter, most));
    }
    let two = |high: Counter| {
        arguments
            .count(0)
            .map(|count| none.with(high, count >> 8 & 63).with(Counter::Ds, count & 63))
    };
    match name {
        "s_wait_loadcnt_dscnt" => two(Counter::Load),
        "s_wait_storecnt_dscnt" => two(Counter::Store),
        "s_wait_idle" => Some(Counter::ALL.iter().fold(none, |waits, &c| waits.with(c, 0))),
        "s_waitcnt" => match arguments.operands.first()?.operand {
            Operand::Number(bits) => u16::try_from(bits).ok().map(Waits::of_immediate),
            Operand::Call(first, count) => {
                let words = arguments.modifiers.iter().filter_map(|(word, _)| {
                    word.split_once('(').map(|(name, rest)| (name, rest.trim_end_matches(')')))
                });
                let more = arguments.operands.iter().skip(1).filter_map(|argument| match argument
                    .operand
                {
                    Operand::Call(name, count) => Some((name, count)),
                    _ => None,
                });
                let mut waits = none;
                for (name, count) in [(first, count)].into_iter().chain(words).chain(more) {
                    let counter = match name {
                        "vmcnt" => Counter::Vm,
                        "expcnt" => Counter::Exp,
                        "lgkmcnt" => Counter::Lgkm,
                        _ => return None,
                    };
                    waits = waits.with(counter, u16::try_from(number(count.trim())?).ok()?);
                }
                Some(waits)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Instructions of caches, by the scope that they reach.
fn caches<'a>(name: &str, arguments: &Arguments<'_>) -> Option<Operation<'a>> {
    let scope = scope(arguments);
    Some(match name {
        "buffer_gl0_inv" => Operation::Invalidate(Scope::Workgroup),
        "buffer_gl1_inv" | "buffer_wbinvl1" | "buffer_wbinvl1_vol" => {
            Operation::Invalidate(Scope::Agent)
        }
        "buffer_invl2" => Operation::Invalidate(Scope::System),
        "buffer_inv" => Operation::Invalidate(scope.unwrap_or(Scope::Wavefront)),
        "global_inv" | "global_wbinv" => Operation::Invalidate(scope.unwrap_or(Scope::Wavefront)),
        "buffer_wbl2" => Operation::WriteBack(scope.unwrap_or(Scope::System)),
        "global_wb" => Operation::WriteBack(scope.unwrap_or(Scope::Wavefront)),
        _ => return None,
    })
}

/// The scope that modifiers say: by name from GFX12 on, by the bits `sc0` and `sc1` on GFX9.4.
fn scope(arguments: &Arguments<'_>) -> Option<Scope> {
    let named = match arguments.modifier("scope") {
        Some("SCOPE_CU") => Some(Scope::Workgroup),
        Some("SCOPE_SE") => Some(Scope::Cluster),
        Some("SCOPE_DEV") => Some(Scope::Agent),
        Some("SCOPE_SYS") => Some(Scope::System),
        _ => None,
    };
    named.or(match (arguments.has("sc0"), arguments.has("sc1")) {
        (true, true) => Some(Scope::System),
        (false, true) => Some(Scope::Agent),
        (true, false) => Some(Scope::Workgroup),
        (false, false) => None,
    })
}

fn special<'a>(name: &str, arguments: &Arguments<'a>) -> Option<Operation<'a>> {
    let result = arguments.result(0);
    let (first, second) = (arguments.source(1), arguments.source(2));
    if let Some((whole, bits)) = name.strip_prefix("s_").and_then(|name| name.rsplit_once('_'))
        && let gives_new = whole.ends_with("_wrexec")
        && let Some(how) = whole.strip_suffix(if gives_new { "_wrexec" } else { "_saveexec" })
        && let Some(&(_, join, inverted)) = MASKS.iter().find(|(known, ..)| *known == how)
    {
        let operation = MaskOperation { join, inverted, gives_new };
        let wide = bits == "b64";
        return Some(Operation::Mask { operation, result: result?, source: first?, wide });
    }
    Some(match name {
        "v_readfirstlane_b32" => Operation::FirstLane { result: result?, source: first? },
        "v_readlane_b32" => Operation::ReadLane { result: result?, source: first?, lane: second? },
        "v_writelane_b32" => {
            Operation::WriteLane { result: result?, source: first?, lane: second? }
        }
        "v_mbcnt_lo_u32_b32" | "v_mbcnt_hi_u32_b32" => {
            let high = name.contains("_hi_");
            Operation::CountLanes { result: result?, mask: first?, plus: second?, high }
        }
        "v_bitop2_b32" | "v_bitop3_b32" => {
            let table = arguments.number("bitop3").unwrap_or(0) as u8;
            let sources = (1..4).filter_map(|index| arguments.source(index)).collect();
            Operation::Table { result: result?, sources, table }
        }
        "s_getreg_b32" => match arguments.operands.get(1)?.operand {
            Operand::Call("hwreg", inside)
                if inside.contains("IB_STS2") && inside.replace(' ', "").ends_with(",6,4") =>
            {
                Operation::InCluster(result?)
            }
            _ => Operation::Data(alloc::vec![result?]),
        },
        "tensor_load_to_lds" | "tensor_store_from_lds" => {
            let groups = arguments.operands.iter().filter_map(registers).collect();
            Operation::Tensor { groups, to_local: name == "tensor_load_to_lds" }
        }
        _ => return None,
    })
}

fn arithmetic<'a>(mnemonic: &str, name: &str, arguments: &Arguments<'a>) -> Option<Operation<'a>> {
    if mnemonic.contains("_dpp") || mnemonic.ends_with("_sdwa") {
        return compare(name).and_then(|found| compared(found, arguments, true));
    }
    if let Some(found) = compare(name) {
        return compared(found, arguments, false);
    }
    if let Some(row) = scalar::ROWS.iter().position(|row| row.names.contains(&name)) {
        let has_result = scalar::ROWS[row].bits != 0;
        let result = if has_result { Some(arguments.result(0)?) } else { None };
        let sources = arguments.operands.iter().skip(usize::from(has_result)).map(source).collect();
        return Some(Operation::Scalar { row, result, sources });
    }
    let row = vector::ROWS.iter().position(|row| row.names.contains(&name))?;
    if vector::ROWS[row].bits == 16 {
        return short::operation(row, arguments);
    }
    let result = arguments.result(0)?;
    // A carry is written where a mask follows the result: `v_add_co_u32 v0, vcc, …`, but not GFX9's `v_add_u32 v0, …`.
    let carries =
        name.contains("_co_") || name.starts_with("v_mad_u64") || name.starts_with("v_mad_i64");
    let mask = arguments.result(1).filter(|found| carries && found.bank == Bank::Scalar);
    let from = if mask.is_some() { 2 } else { 1 };
    let mut sources: Vec<Source<'a>> = arguments.operands.iter().skip(from).map(source).collect();
    // VOP2 forms of `v_cndmask_b32` and of VOPD may leave out vcc.
    if name == "v_cndmask_b32" && sources.len() == 2 {
        sources.push(Source::Registers(Registers::scalar(Scalar::VCC, 2)));
    }
    Some(Operation::Vector { row, result, mask, sources })
}

fn compared<'a>(
    compare: Compare,
    arguments: &Arguments<'a>,
    lanes_move: bool,
) -> Option<Operation<'a>> {
    // A scalar compare writes only the condition code; a vector compare that writes EXEC may name no result.
    let named = usize::from(compare.vector && arguments.operands.len() > 2);
    let result = if named == 1 { Some(arguments.result(0)?) } else { None };
    let sources = match (lanes_move, compare.bits, compare.vector) {
        (true, ..) => [Source::Data; 2],
        (_, 16, true) => {
            [short::source(arguments, named, named)?, short::source(arguments, named + 1, named)?]
        }
        _ => [arguments.source(named)?, arguments.source(named + 1)?],
    };
    Some(Operation::Compare { compare, result, sources })
}

#[cfg(test)]
mod tests;
