//! Scalar arithmetic: the result and the condition code of each instruction.

use super::Step::{self, *};

/// A row. Sources are numbered as written, after the destination.
pub(in super::super) struct Row {
    /// Names in all generations.
    pub(in super::super) names: &'static [&'static str],
    /// Bits of the result: 0, 32 or 64.
    pub(in super::super) bits: u8,
    /// The result.
    pub(in super::super) result: &'static [Step],
    /// The condition code; empty where it stays.
    pub(in super::super) scc: &'static [Step],
}

const fn row(
    names: &'static [&'static str],
    bits: u8,
    result: &'static [Step],
    scc: &'static [Step],
) -> Row {
    Row { names, bits, result, scc }
}

const NONE: &[Step] = &[];
const NOT_ZERO: &[Step] = &[R, L(0), Ne];
const NOT_ZERO_64: &[Step] = &[R, L64(0), Ne];
/// Bit 32 of a sum, where R has 64 bits.
const SUM: [Step; 5] = [A(0), Zext, A(1), Zext, Add];
/// Whether a signed sum overflows: both sources have a sign that the result has not.
const ADD_OVERFLOW: &[Step] = &[A(0), R, Xor, A(1), R, Xor, And, L(0), LtS];
const SUB_OVERFLOW: &[Step] = &[A(0), A(1), Xor, A(0), R, Xor, And, L(0), LtS];

/// The rows. A row that reads its destination (`s_addk_i32`) has [`Old`].
pub(in super::super) static ROWS: &[Row] = &[
    row(&["s_mov_b32"], 32, &[A(0)], NONE),
    row(&["s_movk_i32"], 32, &[A(0), Sext16], NONE),
    row(&["s_mov_b64"], 64, &[W(0)], NONE),
    row(&["s_cmov_b32"], 32, &[Scc, L(0), Ne, A(0), Old, Select], NONE),
    row(&["s_cmovk_i32"], 32, &[Scc, L(0), Ne, A(0), Sext16, Old, Select], NONE),
    row(&["s_not_b32"], 32, &[A(0), Not], NOT_ZERO),
    row(&["s_not_b64"], 64, &[W(0), Not], NOT_ZERO_64),
    row(
        &["s_add_u32", "s_add_co_u32"],
        32,
        &[A(0), A(1), Add],
        &[SUM[0], SUM[1], SUM[2], SUM[3], SUM[4], High, First],
    ),
    row(
        &["s_sub_u32", "s_sub_co_u32"],
        32,
        &[A(0), A(1), Sub],
        &[A(0), Zext, A(1), Zext, Sub, High, First],
    ),
    row(&["s_add_i32", "s_add_co_i32"], 32, &[A(0), A(1), Add], ADD_OVERFLOW),
    row(&["s_sub_i32", "s_sub_co_i32"], 32, &[A(0), A(1), Sub], SUB_OVERFLOW),
    row(
        &["s_addc_u32", "s_add_co_ci_u32"],
        32,
        &[A(0), A(1), Add, Scc, Add],
        &[SUM[0], SUM[1], SUM[2], SUM[3], SUM[4], Scc, Zext, Add, High, First],
    ),
    row(
        &["s_subb_u32", "s_sub_co_ci_u32"],
        32,
        &[A(0), A(1), Sub, Scc, Sub],
        &[A(0), Zext, A(1), Zext, Sub, Scc, Zext, Sub, High, First],
    ),
    row(
        &["s_addk_i32", "s_addk_co_i32"],
        32,
        &[Old, A(0), Sext16, Add],
        &[Old, R, Xor, A(0), Sext16, R, Xor, And, L(0), LtS],
    ),
    row(&["s_mulk_i32"], 32, &[Old, A(0), Sext16, Mul], NONE),
    row(&["s_mul_i32"], 32, &[A(0), A(1), Mul], NONE),
    row(&["s_mul_hi_u32"], 32, &[A(0), A(1), MulHiU], NONE),
    row(&["s_mul_hi_i32"], 32, &[A(0), A(1), MulHiS], NONE),
    row(&["s_add_nc_u64", "s_add_u64"], 64, &[W(0), W(1), Add], NONE),
    row(&["s_sub_nc_u64", "s_sub_u64"], 64, &[W(0), W(1), Sub], NONE),
    row(&["s_mul_u64"], 64, &[W(0), W(1), Mul], NONE),
    row(&["s_and_b32"], 32, &[A(0), A(1), And], NOT_ZERO),
    row(&["s_or_b32"], 32, &[A(0), A(1), Or], NOT_ZERO),
    row(&["s_xor_b32"], 32, &[A(0), A(1), Xor], NOT_ZERO),
    row(&["s_andn2_b32", "s_and_not1_b32"], 32, &[A(0), A(1), Not, And], NOT_ZERO),
    row(&["s_orn2_b32", "s_or_not1_b32"], 32, &[A(0), A(1), Not, Or], NOT_ZERO),
    row(&["s_nand_b32"], 32, &[A(0), A(1), And, Not], NOT_ZERO),
    row(&["s_nor_b32"], 32, &[A(0), A(1), Or, Not], NOT_ZERO),
    row(&["s_xnor_b32"], 32, &[A(0), A(1), Xor, Not], NOT_ZERO),
    row(&["s_and_b64"], 64, &[W(0), W(1), And], NOT_ZERO_64),
    row(&["s_or_b64"], 64, &[W(0), W(1), Or], NOT_ZERO_64),
    row(&["s_xor_b64"], 64, &[W(0), W(1), Xor], NOT_ZERO_64),
    row(&["s_andn2_b64", "s_and_not1_b64"], 64, &[W(0), W(1), Not, And], NOT_ZERO_64),
    row(&["s_orn2_b64", "s_or_not1_b64"], 64, &[W(0), W(1), Not, Or], NOT_ZERO_64),
    row(&["s_nand_b64"], 64, &[W(0), W(1), And, Not], NOT_ZERO_64),
    row(&["s_nor_b64"], 64, &[W(0), W(1), Or, Not], NOT_ZERO_64),
    row(&["s_xnor_b64"], 64, &[W(0), W(1), Xor, Not], NOT_ZERO_64),
    row(&["s_lshl_b32"], 32, &[A(0), A(1), Shl], NOT_ZERO),
    row(&["s_lshr_b32"], 32, &[A(0), A(1), Shr], NOT_ZERO),
    row(&["s_ashr_i32"], 32, &[A(0), A(1), Sar], NOT_ZERO),
    row(&["s_lshl_b64"], 64, &[W(0), A(1), Shl], NOT_ZERO_64),
    row(&["s_lshr_b64"], 64, &[W(0), A(1), Shr], NOT_ZERO_64),
    row(&["s_ashr_i64"], 64, &[W(0), A(1), Sar], NOT_ZERO_64),
    row(&["s_lshl1_add_u32"], 32, &[A(0), L(1), Shl, A(1), Add], NONE),
    row(&["s_lshl2_add_u32"], 32, &[A(0), L(2), Shl, A(1), Add], NONE),
    row(&["s_lshl3_add_u32"], 32, &[A(0), L(3), Shl, A(1), Add], NONE),
    row(&["s_lshl4_add_u32"], 32, &[A(0), L(4), Shl, A(1), Add], NONE),
    row(&["s_min_u32"], 32, &[A(0), A(1), MinU], &[A(0), A(1), LtU]),
    row(&["s_min_i32"], 32, &[A(0), A(1), MinS], &[A(0), A(1), LtS]),
    row(&["s_max_u32"], 32, &[A(0), A(1), MaxU], &[A(0), A(1), GtU]),
    row(&["s_max_i32"], 32, &[A(0), A(1), MaxS], &[A(0), A(1), GtS]),
    row(&["s_abs_i32"], 32, &[A(0), L(0), A(0), Sub, MaxS], NOT_ZERO),
    row(&["s_absdiff_i32"], 32, &[A(0), A(1), Sub, A(1), A(0), Sub, MaxS], NOT_ZERO),
    row(&["s_cselect_b32"], 32, &[Scc, L(0), Ne, A(0), A(1), Select], NONE),
    row(&["s_cselect_b64"], 64, &[Scc, L(0), Ne, W(0), W(1), Select], NONE),
    // The second source has the offset in bits 4:0 and the width in bits 22:16.
    row(
        &["s_bfe_u32"],
        32,
        &[A(0), A(1), L(31), And, A(1), L(16), Shr, L(0x7f), And, Field],
        NOT_ZERO,
    ),
    row(
        &["s_bfe_i32"],
        32,
        &[A(0), A(1), L(31), And, A(1), L(16), Shr, L(0x7f), And, SignedField],
        NOT_ZERO,
    ),
    row(
        &["s_bfe_u64"],
        64,
        &[W(0), A(1), L(63), And, A(1), L(16), Shr, L(0x7f), And, Field],
        NOT_ZERO_64,
    ),
    row(
        &["s_bfe_i64"],
        64,
        &[W(0), A(1), L(63), And, A(1), L(16), Shr, L(0x7f), And, SignedField],
        NOT_ZERO_64,
    ),
    row(&["s_bfm_b32"], 32, &[L(1), A(0), Shl, L(1), Sub, A(1), Shl], NONE),
    row(&["s_sext_i32_i8"], 32, &[A(0), Sext8], NONE),
    row(&["s_sext_i32_i16"], 32, &[A(0), Sext16], NONE),
    row(&["s_pack_ll_b32_b16"], 32, &[A(0), L(0xffff), And, A(1), L(16), Shl, Or], NONE),
    row(&["s_pack_lh_b32_b16"], 32, &[A(0), L(0xffff), And, A(1), L(0xffff_0000), And, Or], NONE),
    row(&["s_pack_hl_b32_b16"], 32, &[A(0), L(16), Shr, A(1), L(16), Shl, Or], NONE),
    row(&["s_pack_hh_b32_b16"], 32, &[A(0), L(16), Shr, A(1), L(0xffff_0000), And, Or], NONE),
    row(&["s_bcnt1_i32_b32"], 32, &[A(0), Ones], NOT_ZERO),
    row(&["s_bcnt1_i32_b64"], 32, &[W(0), Ones], NOT_ZERO),
    row(&["s_bcnt0_i32_b32"], 32, &[A(0), Not, Ones], NOT_ZERO),
    row(&["s_bcnt0_i32_b64"], 32, &[W(0), Not, Ones], NOT_ZERO),
    row(&["s_brev_b32"], 32, &[A(0), Reverse], NONE),
    row(&["s_brev_b64"], 64, &[W(0), Reverse], NONE),
    row(&["s_ff1_i32_b32", "s_ctz_i32_b32"], 32, &[A(0), Lowest], NONE),
    row(&["s_ff1_i32_b64", "s_ctz_i32_b64"], 32, &[W(0), Lowest], NONE),
    row(&["s_flbit_i32_b32", "s_clz_i32_u32"], 32, &[A(0), Leading], NONE),
    row(&["s_flbit_i32_b64", "s_clz_i32_u64"], 32, &[W(0), Leading], NONE),
    row(&["s_bitset1_b32"], 32, &[Old, L(1), A(0), Shl, Or], NONE),
    row(&["s_bitset0_b32"], 32, &[Old, L(1), A(0), Shl, Not, And], NONE),
    row(&["s_bitcmp1_b32"], 0, NONE, &[A(0), A(1), Shr, L(1), And, L(0), Ne]),
    row(&["s_bitcmp0_b32"], 0, NONE, &[A(0), A(1), Shr, L(1), And, L(0), Eq]),
    row(&["s_bitcmp1_b64"], 0, NONE, &[W(0), A(1), Shr, L64(1), And, L64(0), Ne]),
    row(&["s_bitcmp0_b64"], 0, NONE, &[W(0), A(1), Shr, L64(1), And, L64(0), Eq]),
];
