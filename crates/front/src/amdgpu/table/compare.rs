//! Compares: `s_cmp_OP_TYPE`, `s_cmpk_OP_TYPE`, `v_cmp_OP_TYPE` and `v_cmpx_OP_TYPE`.

use super::Step;

/// A compare as its name says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Compare {
    /// Whether it compares in each lane.
    pub(in super::super) vector: bool,
    /// Whether it writes EXEC.
    pub(in super::super) exec: bool,
    /// Whether its second source has 16 bits.
    pub(in super::super) short: bool,
    /// Bits of its sources.
    pub(in super::super) bits: u8,
    /// Whether it compares signed integers.
    pub(in super::super) signed: bool,
    /// The condition; none where it compares no integers, so that data decide.
    pub(in super::super) condition: Option<Condition>,
}

/// A condition on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Condition {
    /// It never holds (`false`) or always.
    Constant(bool),
    /// One step, negated or not.
    Step(Step, bool),
}

/// Reads the name of a compare, without its encoding.
pub(in super::super) fn compare(name: &str) -> Option<Compare> {
    let kinds = [
        ("s_cmp_", false, false, false),
        ("s_cmpk_", false, false, true),
        ("v_cmp_", true, false, false),
        ("v_cmpx_", true, true, false),
    ];
    let (rest, (_, vector, exec, short)) =
        kinds.iter().find_map(|kind| name.strip_prefix(kind.0).map(|rest| (rest, *kind)))?;
    let (operation, kind) = rest.split_once('_')?;
    let bits = match kind.get(1..) {
        Some("16") => 16,
        Some("64") => 64,
        _ => 32,
    };
    let signed = match kind.as_bytes().first()? {
        b'i' => Some(true),
        b'u' => Some(false),
        _ => None,
    };
    let (less, greater) = match signed {
        Some(true) => (Step::LtS, Step::GtS),
        _ => (Step::LtU, Step::GtU),
    };
    let condition = match operation {
        "f" => Condition::Constant(false),
        "t" | "tru" => Condition::Constant(true),
        "eq" => Condition::Step(Step::Eq, false),
        "ne" | "lg" => Condition::Step(Step::Eq, true),
        "lt" => Condition::Step(less, false),
        "ge" => Condition::Step(less, true),
        "gt" => Condition::Step(greater, false),
        "le" => Condition::Step(greater, true),
        _ if signed.is_some() => return None,
        _ => Condition::Constant(false),
    };
    let condition = signed.map(|_| condition);
    Some(Compare { vector, exec, short, bits, signed: signed == Some(true), condition })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_parts() {
        let step = |step, negated| Some(Condition::Step(step, negated));
        let of = |name| compare(name).map(|found| (found.bits, found.condition));
        assert_eq!(of("s_cmp_lg_u32"), Some((32, step(Step::Eq, true))));
        assert_eq!(of("s_cmpk_le_i32"), Some((32, step(Step::GtS, true))));
        assert_eq!(of("v_cmp_lt_i64"), Some((64, step(Step::LtS, false))));
        assert_eq!(of("v_cmpx_ge_u32"), Some((32, step(Step::LtU, true))));
        assert_eq!(of("v_cmp_lt_i16"), Some((16, step(Step::LtS, false))));
        assert_eq!(of("v_cmp_f_u32"), Some((32, Some(Condition::Constant(false)))));
        for data in ["v_cmp_ngt_f32", "v_cmp_class_f32", "v_cmp_eq_f16", "s_cmp_lt_f32"] {
            assert_eq!(compare(data).map(|found| found.condition), Some(None), "{data}");
        }
        assert!(compare("v_cmpx_lt_u32").unwrap().exec && compare("s_cmpk_eq_u32").unwrap().short);
        assert_eq!(compare("v_cmp_frob_u32"), None);
        assert_eq!(compare("s_cmpxchg"), None);
    }
}
