//! Vector arithmetic on integers: the result in each lane.

use super::Step::{self, *};

/// A row. Sources are numbered as written, after the destination.
pub(in super::super) struct Row {
    /// Names in all generations, without the encoding.
    pub(in super::super) names: &'static [&'static str],
    /// Bits of the result: 16, 32 or 64. The low 16 bits of a formula are the result of 16 bits.
    pub(in super::super) bits: u8,
    /// The result.
    pub(in super::super) result: &'static [Step],
    /// What the mask after the result gets, if there is one: 1 bit for each lane.
    pub(in super::super) carry: &'static [Step],
}

const fn row(names: &'static [&'static str], bits: u8, result: &'static [Step]) -> Row {
    Row { names, bits, result, carry: &[] }
}

const fn carrying(
    names: &'static [&'static str],
    bits: u8,
    result: &'static [Step],
    carry: &'static [Step],
) -> Row {
    Row { names, bits, result, carry }
}

/// The rows. Where an instruction reads a mask, [`Lane`] has its number among the sources.
pub(in super::super) static ROWS: &[Row] = &[
    row(
        &["v_mov_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_accvgpr_mov_b32"],
        32,
        &[A(0)],
    ),
    row(&["v_mov_b64"], 64, &[W(0)]),
    row(&["v_not_b32"], 32, &[A(0), Not]),
    row(&["v_add_u32", "v_add_nc_u32", "v_add_nc_i32", "v_add_i32"], 32, &[A(0), A(1), Add]),
    row(&["v_sub_u32", "v_sub_nc_u32", "v_sub_nc_i32", "v_sub_i32"], 32, &[A(0), A(1), Sub]),
    row(&["v_subrev_u32", "v_subrev_nc_u32"], 32, &[A(1), A(0), Sub]),
    carrying(
        &["v_add_co_u32"],
        32,
        &[A(0), A(1), Add],
        &[A(0), Zext, A(1), Zext, Add, High, First],
    ),
    carrying(
        &["v_addc_co_u32", "v_add_co_ci_u32"],
        32,
        &[A(0), A(1), Add, Lane(2), Bit, Add],
        &[A(0), Zext, A(1), Zext, Add, Lane(2), Bit, Zext, Add, High, First],
    ),
    carrying(
        &["v_sub_co_u32"],
        32,
        &[A(0), A(1), Sub],
        &[A(0), Zext, A(1), Zext, Sub, High, First],
    ),
    carrying(
        &["v_subrev_co_u32"],
        32,
        &[A(1), A(0), Sub],
        &[A(1), Zext, A(0), Zext, Sub, High, First],
    ),
    carrying(
        &["v_subb_co_u32", "v_sub_co_ci_u32"],
        32,
        &[A(0), A(1), Sub, Lane(2), Bit, Sub],
        &[A(0), Zext, A(1), Zext, Sub, Lane(2), Bit, Zext, Sub, High, First],
    ),
    carrying(
        &["v_subbrev_co_u32", "v_subrev_co_ci_u32"],
        32,
        &[A(1), A(0), Sub, Lane(2), Bit, Sub],
        &[A(1), Zext, A(0), Zext, Sub, Lane(2), Bit, Zext, Sub, High, First],
    ),
    carrying(
        &["v_mad_u64_u32", "v_mad_co_u64_u32"],
        64,
        &[A(0), Zext, A(1), Zext, Mul, W(2), Add],
        &[],
    ),
    carrying(
        &["v_mad_i64_i32", "v_mad_co_i64_i32"],
        64,
        &[A(0), Sext, A(1), Sext, Mul, W(2), Add],
        &[],
    ),
    row(&["v_mad_nc_u64_u32"], 64, &[A(0), Zext, A(1), Zext, Mul, W(2), Add]),
    row(&["v_mad_nc_i64_i32"], 64, &[A(0), Sext, A(1), Sext, Mul, W(2), Add]),
    row(&["v_mad_u32"], 32, &[A(0), A(1), Mul, A(2), Add]),
    row(&["v_add_nc_u64", "v_add_u64"], 64, &[W(0), W(1), Add]),
    row(&["v_sub_nc_u64", "v_sub_u64"], 64, &[W(0), W(1), Sub]),
    row(&["v_mul_u64", "v_mul_lo_u64"], 64, &[W(0), W(1), Mul]),
    row(&["v_lshl_add_u64"], 64, &[W(0), A(1), Shl, W(2), Add]),
    row(&["v_mul_lo_u32", "v_mul_lo_i32"], 32, &[A(0), A(1), Mul]),
    row(&["v_mul_hi_u32"], 32, &[A(0), A(1), MulHiU]),
    row(&["v_mul_hi_i32"], 32, &[A(0), A(1), MulHiS]),
    row(&["v_mul_u32_u24"], 32, &[A(0), L(0xff_ffff), And, A(1), L(0xff_ffff), And, Mul]),
    row(&["v_mul_i32_i24"], 32, &[A(0), L(8), Shl, L(8), Sar, A(1), L(8), Shl, L(8), Sar, Mul]),
    row(
        &["v_mad_u32_u24"],
        32,
        &[A(0), L(0xff_ffff), And, A(1), L(0xff_ffff), And, Mul, A(2), Add],
    ),
    row(
        &["v_mad_i32_i24"],
        32,
        &[A(0), L(8), Shl, L(8), Sar, A(1), L(8), Shl, L(8), Sar, Mul, A(2), Add],
    ),
    row(&["v_mul_hi_u32_u24"], 32, &[A(0), L(0xff_ffff), And, A(1), L(0xff_ffff), And, MulHiU]),
    row(&["v_and_b32"], 32, &[A(0), A(1), And]),
    row(&["v_or_b32"], 32, &[A(0), A(1), Or]),
    row(&["v_xor_b32"], 32, &[A(0), A(1), Xor]),
    row(&["v_xnor_b32"], 32, &[A(0), A(1), Xor, Not]),
    row(&["v_or3_b32"], 32, &[A(0), A(1), Or, A(2), Or]),
    row(&["v_xor3_b32"], 32, &[A(0), A(1), Xor, A(2), Xor]),
    row(&["v_and_or_b32"], 32, &[A(0), A(1), And, A(2), Or]),
    row(&["v_xad_u32"], 32, &[A(0), A(1), Xor, A(2), Add]),
    row(&["v_bfi_b32"], 32, &[A(0), A(1), And, A(0), Not, A(2), And, Or]),
    row(&["v_add3_u32"], 32, &[A(0), A(1), Add, A(2), Add]),
    row(&["v_add_lshl_u32"], 32, &[A(0), A(1), Add, A(2), Shl]),
    row(&["v_lshl_add_u32"], 32, &[A(0), A(1), Shl, A(2), Add]),
    row(&["v_lshl_or_b32"], 32, &[A(0), A(1), Shl, A(2), Or]),
    row(&["v_lshlrev_b32"], 32, &[A(1), A(0), Shl]),
    row(&["v_lshrrev_b32"], 32, &[A(1), A(0), Shr]),
    row(&["v_ashrrev_i32"], 32, &[A(1), A(0), Sar]),
    row(&["v_lshl_b32"], 32, &[A(0), A(1), Shl]),
    row(&["v_lshr_b32"], 32, &[A(0), A(1), Shr]),
    row(&["v_ashr_i32"], 32, &[A(0), A(1), Sar]),
    row(&["v_lshlrev_b64"], 64, &[W(1), A(0), Shl]),
    row(&["v_lshrrev_b64"], 64, &[W(1), A(0), Shr]),
    row(&["v_ashrrev_i64"], 64, &[W(1), A(0), Sar]),
    row(&["v_mov_b16"], 16, &[A(0)]),
    row(&["v_not_b16"], 16, &[A(0), Not]),
    row(&["v_and_b16"], 16, &[A(0), A(1), And]),
    row(&["v_or_b16"], 16, &[A(0), A(1), Or]),
    row(&["v_xor_b16"], 16, &[A(0), A(1), Xor]),
    row(&["v_add_u16", "v_add_nc_u16", "v_add_nc_i16"], 16, &[A(0), A(1), Add]),
    row(&["v_sub_u16", "v_sub_nc_u16", "v_sub_nc_i16"], 16, &[A(0), A(1), Sub]),
    row(&["v_subrev_u16"], 16, &[A(1), A(0), Sub]),
    row(&["v_mul_lo_u16"], 16, &[A(0), A(1), Mul]),
    row(&["v_lshlrev_b16"], 16, &[A(1), A(0), L(15), And, Shl]),
    row(&["v_lshrrev_b16"], 16, &[A(1), L(0xffff), And, A(0), L(15), And, Shr]),
    row(&["v_ashrrev_i16"], 16, &[A(1), Sext16, A(0), L(15), And, Sar]),
    row(&["v_min_u16"], 16, &[A(0), L(0xffff), And, A(1), L(0xffff), And, MinU]),
    row(&["v_max_u16"], 16, &[A(0), L(0xffff), And, A(1), L(0xffff), And, MaxU]),
    row(&["v_min_i16"], 16, &[A(0), Sext16, A(1), Sext16, MinS]),
    row(&["v_max_i16"], 16, &[A(0), Sext16, A(1), Sext16, MaxS]),
    row(&["v_cndmask_b16"], 16, &[Lane(2), A(1), A(0), Select]),
    row(&["v_bfe_u32"], 32, &[A(0), A(1), L(31), And, A(2), L(31), And, Field]),
    row(&["v_bfe_i32"], 32, &[A(0), A(1), L(31), And, A(2), L(31), And, SignedField]),
    row(&["v_bfm_b32"], 32, &[L(1), A(0), Shl, L(1), Sub, A(1), Shl]),
    row(&["v_min_u32"], 32, &[A(0), A(1), MinU]),
    row(&["v_min_i32"], 32, &[A(0), A(1), MinS]),
    row(&["v_max_u32"], 32, &[A(0), A(1), MaxU]),
    row(&["v_max_i32"], 32, &[A(0), A(1), MaxS]),
    row(&["v_min3_u32"], 32, &[A(0), A(1), MinU, A(2), MinU]),
    row(&["v_min3_i32"], 32, &[A(0), A(1), MinS, A(2), MinS]),
    row(&["v_max3_u32"], 32, &[A(0), A(1), MaxU, A(2), MaxU]),
    row(&["v_max3_i32"], 32, &[A(0), A(1), MaxS, A(2), MaxS]),
    row(&["v_cndmask_b32"], 32, &[Lane(2), A(1), A(0), Select]),
    row(&["v_cndmask_b64"], 64, &[Lane(2), W(1), W(0), Select]),
    row(&["v_bcnt_u32_b32"], 32, &[A(0), Ones, A(1), Add]),
    row(&["v_bfrev_b32"], 32, &[A(0), Reverse]),
    row(&["v_ffbl_b32", "v_ctz_i32_b32"], 32, &[A(0), Lowest]),
    row(&["v_ffbh_u32", "v_clz_i32_u32"], 32, &[A(0), Leading]),
    row(&["v_perm_b32"], 32, &[A(0), A(1), A(2), Bytes]),
    row(&["v_alignbit_b32"], 32, &[A(1), A(0), Join, A(2), L(31), And, Shr, Low]),
    row(&["v_alignbyte_b32"], 32, &[A(1), A(0), Join, A(2), L(3), And, L(3), Shl, Shr, Low]),
];

#[cfg(test)]
mod tests {
    use super::super::scalar;
    use alloc::collections::BTreeSet;

    #[test]
    fn every_name_has_one_row() {
        let mut seen = BTreeSet::new();
        let names = super::ROWS.iter().flat_map(|row| row.names);
        for name in names.chain(scalar::ROWS.iter().flat_map(|row| row.names)) {
            assert!(seen.insert(name), "{name}");
        }
    }
}
