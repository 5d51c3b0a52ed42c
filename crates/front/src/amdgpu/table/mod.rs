//! The instructions: one table for scalar and one for vector arithmetic, each row a mnemonic and its formula; the families
//! whose names have parts (compares, accesses) are read by their parts.
//!
//! To add an instruction: add its row with the formula of its result. An instruction that no row has computes data if its
//! name begins with `v_` or `s_` and it is no instruction of [`refused`]; otherwise it is unknown.

pub(super) mod access;
pub(super) mod compare;
pub(super) mod scalar;
pub(super) mod vector;

/// One step of a formula in postfix order. Values have 1, 32 or 64 bits; each step takes its operands from the top of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A source of 32 bits, by its number.
    A(u8),
    /// A source of 64 bits, by its number.
    W(u8),
    /// The old value of the result, 32 bits.
    Old,
    /// The result, where a formula is about the condition code.
    R,
    /// The condition code as a value of 32 bits.
    Scc,
    /// The bit of the lane in a source that is a mask.
    Lane(u8),
    /// A constant of 32 bits.
    L(u32),
    /// A constant of 64 bits.
    L64(u64),
    Add,
    Sub,
    Mul,
    /// The high half of an unsigned product.
    MulHiU,
    /// The high half of a signed product.
    MulHiS,
    And,
    Or,
    Xor,
    Not,
    /// A shift by an amount of 32 bits, of which only as many low bits count as the width has places.
    Shl,
    Shr,
    Sar,
    MinU,
    MinS,
    MaxU,
    MaxS,
    /// The number of one bits; 32 bits.
    Ones,
    /// The bits in reverse order.
    Reverse,
    /// The position of the lowest one bit, or -1; 32 bits.
    Lowest,
    /// The number of zero bits above the highest one bit, or -1; 32 bits.
    Leading,
    /// 32 bits from 64, or 64 from 32.
    Low,
    High,
    Zext,
    Sext,
    /// Sign extension of the low 8 or 16 bits.
    Sext8,
    Sext16,
    /// 64 bits from a low and a high half.
    Join,
    /// Compares to 1 bit.
    Eq,
    Ne,
    LtU,
    LtS,
    GtU,
    GtS,
    /// From 1 bit to 32 bits.
    Bit,
    /// The lowest bit, as 1 bit. A carry is one: a comparison would make an address data.
    First,
    /// Takes a condition of 1 bit, the value where it holds, and the value where it does not.
    Select,
    /// Takes a value, a position and a number of bits (32 bits each): these bits of the value, with zeros above.
    Field,
    /// The same with copies of the highest bit above.
    SignedField,
    /// Takes two values of 32 bits and a selector: each byte of the selector picks one of the eight bytes (`v_perm_b32`).
    Bytes,
}

/// The sort of instruction by its base name.
pub(super) fn base(mnemonic: &str) -> &str {
    let endings = ["_e32", "_e64", "_dpp", "_dpp8", "_sdwa", "_e64_dpp", "_e64_dpp8"];
    let mut name = mnemonic;
    for ending in endings.iter().rev() {
        if let Some(rest) = name.strip_suffix(ending) {
            name = rest;
            break;
        }
    }
    name
}

/// Prefixes and names of instructions that no part of the model knows and that can do more than compute data.
const REFUSED: [&str; 28] = [
    "s_cbranch_",
    "s_trap",
    "s_rfe",
    "s_sethalt",
    "s_setkill",
    "s_setvskip",
    "s_set_gpr_idx",
    "s_set_vgpr_msb",
    "s_movrel",
    "s_store_",
    "s_scratch_store",
    "s_buffer_store",
    "s_atomic_",
    "s_buffer_atomic",
    "s_barrier",
    "s_wakeup_barrier",
    "s_wait_event",
    "s_sendmsghalt",
    "s_alloc_vgpr",
    "s_subvector_loop",
    "s_call",
    "s_swap",
    "s_setpc",
    "s_set_pc",
    "s_add_pc",
    "v_movrel",
    "v_swaprel",
    "s_dcache_wb",
];

/// Whether an instruction that no row has must not be passed over.
pub(super) fn refused(mnemonic: &str) -> bool {
    let arithmetic = mnemonic.starts_with("v_") || mnemonic.starts_with("s_");
    !arithmetic || REFUSED.iter().any(|refused| mnemonic.starts_with(refused))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_no_part_of_a_name() {
        for (mnemonic, wanted) in [
            ("v_add_co_u32_e64", "v_add_co_u32"),
            ("v_mov_b32_dpp", "v_mov_b32"),
            ("v_add_f32_e64_dpp", "v_add_f32"),
            ("v_mov_b32_sdwa", "v_mov_b32"),
            ("s_add_u32", "s_add_u32"),
        ] {
            assert_eq!(base(mnemonic), wanted);
        }
    }

    #[test]
    fn only_arithmetic_is_passed_over() {
        for name in ["v_exp_f32", "v_mfma_f32_32x32x8_f16", "s_cvt_f32_u32"] {
            assert!(!refused(name), "{name}");
        }
        for name in ["image_store", "s_trap", "v_movreld_b32", "s_cbranch_g_fork", "frobnicate"] {
            assert!(refused(name), "{name}");
        }
    }
}
