//! OpenCL C++: barriers, named barriers, the split barriers of Intel's extension, flags, scopes, and the functions that
//! return the position of a work-item.
//!
//! To add an operation: 1. add a row to `CALLS`: the function's name, its operands in order, its call; 2. if no
//! `Call` describes it, add one, its meaning in `evaluate/opencl.rs`, and the action to the model; 3. add a scenario
//! that uses it, and an invalid one with its diagnostic, to `tests/diagnostics.txt`.

use super::effect::{Call, Effect};
use super::row::{Place, Row};
use crate::expression::{Atom, Binary, Builtin};
use tidegate_model::opencl::action::Scope;
use tidegate_model::operation::Form;

const fn row(name: &'static str, operands: &'static [Place], call: Call) -> Row {
    Row { name, operands, effect: Effect::Opencl(call), form: Form::Word }
}

/// The functions that are operations.
pub(crate) static CALLS: &[Row] = &[
    row("work_group_barrier", &[Place::Any], Call::WorkGroupBarrier),
    // The same operation by its name in OpenCL C.
    row("barrier", &[Place::Any], Call::WorkGroupBarrier),
    row("sub_group_barrier", &[Place::Any], Call::SubGroupBarrier),
    row("intel_work_group_barrier_arrive", &[Place::Any], Call::Arrive),
    row("intel_work_group_barrier_wait", &[Place::Any], Call::Await),
];

/// `NAME.wait(…)`
pub(crate) static WAIT: Row = row("wait", &[Place::Any, Place::Any], Call::Wait);

/// The constructor of a named barrier.
pub(crate) static CONSTRUCT: Row = row(TYPE, &[Place::Any, Place::Any], Call::Construct);

/// Finds the row of a function, of a wait (`NAME.wait`), or of the named barrier type.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    let name = name.strip_prefix("cl::").unwrap_or(name);
    match name {
        TYPE => Some(&CONSTRUCT),
        _ if name.strip_suffix(".wait").is_some_and(|object| !object.contains('.')) => Some(&WAIT),
        _ => CALLS.iter().find(|row| row.name == name),
    }
}

/// Whether an operation or declaration with this head, followed by this token, is OpenCL's.
pub(crate) fn recognises(head: &str, next: &str) -> bool {
    let head = head.strip_prefix("cl::").unwrap_or(head);
    match next {
        "(" => CALLS.iter().any(|row| row.name == head) || head.ends_with(".wait"),
        "<" => STORAGE.contains(&head),
        _ => head == TYPE,
    }
}

/// The type of named barriers.
pub(crate) const TYPE: &str = "work_group_named_barrier";

/// Address space storage classes.
pub(crate) const STORAGE: [&str; 4] = ["local", "global", "priv", "constant"];

/// The classes that point.
pub(crate) const POINTERS: [&str; 4] = ["local_ptr", "global_ptr", "private_ptr", "constant_ptr"];

/// Words that start the declaration of a type with members.
pub(crate) const CLASSES: [&str; 3] = ["struct", "class", "union"];

/// The flags after `mem_fence::`.
pub(crate) const FLAGS: [(&str, i64); 3] = [("local", 1), ("global", 2), ("image", 4)];

/// The base of scope values, so that no number is mistaken for a scope.
pub(crate) const FIRST_SCOPE: i64 = 1 << 40;

/// Scopes.
pub(crate) const SCOPES: [(&str, Scope); 5] = [
    ("memory_scope_work_item", Scope::WorkItem),
    ("memory_scope_sub_group", Scope::SubGroup),
    ("memory_scope_work_group", Scope::WorkGroup),
    ("memory_scope_device", Scope::Device),
    ("memory_scope_all_svm_devices", Scope::AllDevices),
];

/// The flags of OpenCL C, as the split barriers use them.
const C_FLAGS: [(&str, i64); 3] =
    [("CLK_LOCAL_MEM_FENCE", 1), ("CLK_GLOBAL_MEM_FENCE", 2), ("CLK_IMAGE_MEM_FENCE", 4)];

/// The limits of types.
const LIMITS: [(&str, i64); 9] = [
    ("CHAR_BIT", 8),
    ("CHAR_MAX", 127),
    ("INT_MAX", 0x7fff_ffff),
    ("INT_MIN", -0x8000_0000),
    ("SHRT_MAX", 0x7fff),
    ("UCHAR_MAX", 255),
    ("UINT_MAX", 0xffff_ffff),
    ("USHRT_MAX", 0xffff),
    ("LONG_MAX", i64::MAX),
];

/// Prefixes of constants that are not integers.
const FRACTIONS: [&str; 9] =
    ["FLT_", "DBL_", "HALF_", "HUGE_VAL", "M_PI", "M_E", "M_SQRT", "M_LN", "M_LOG"];

/// Whether a name is a constant that is not an integer.
pub(crate) fn is_fraction(name: &str) -> bool {
    matches!(name, "INFINITY" | "NAN" | "MAXFLOAT")
        || FRACTIONS.iter().any(|head| name.starts_with(head))
}

/// The value of a name that OpenCL defines for flags or scopes, or C for truth values or limits.
pub(crate) fn constant(name: &str) -> Option<i64> {
    let flag =
        C_FLAGS.iter().chain(&LIMITS).find(|(known, _)| *known == name).map(|&(_, value)| value);
    let scope = SCOPES.iter().position(|(known, _)| *known == name);
    let truth = ["false", "true"].iter().position(|known| *known == name);
    let order = ORDERS.iter().position(|known| name.strip_prefix("memory_order_") == Some(known));
    let scope = scope.map(|index| FIRST_SCOPE + index as i64);
    flag.or(scope).or(truth.or(order).map(|value| value as i64))
}

/// The orders of atomic operations, after `memory_order_`.
const ORDERS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];

/// The scope of a value.
pub(crate) fn scope(value: i64) -> Option<Scope> {
    let index = usize::try_from(value.checked_sub(FIRST_SCOPE)?).ok()?;
    SCOPES.get(index).map(|&(_, scope)| scope)
}

/// A function without side effects: its name, its value as code, and for a function of a dimension, its value for any
/// dimension after the first.
pub(crate) type Function = (&'static str, Option<i64>, &'static [Atom]);

const WAVE: &[Atom] = &[Atom::Builtin(Builtin::WaveId)];
const WAVES: &[Atom] = &[Atom::Builtin(Builtin::Waves)];
const WORKGROUP: &[Atom] = &[Atom::Builtin(Builtin::WorkgroupId)];
const WORKGROUPS: &[Atom] = &[Atom::Builtin(Builtin::Workgroups)];
const LANE: &[Atom] = &[Atom::Builtin(Builtin::LaneId)];
const LANES: &[Atom] = &[Atom::Builtin(Builtin::Lanes)];
const MULTIPLY: Atom = Atom::Binary(Binary::Multiply);
const ITEMS: &[Atom] = &[Atom::Builtin(Builtin::Waves), Atom::Builtin(Builtin::Lanes), MULTIPLY];
const ITEM: &[Atom] = &[
    Atom::Builtin(Builtin::WaveId),
    Atom::Builtin(Builtin::Lanes),
    MULTIPLY,
    Atom::Builtin(Builtin::LaneId),
    Atom::Binary(Binary::Add),
];
const GLOBAL_ITEMS: &[Atom] = &[
    Atom::Builtin(Builtin::Workgroups),
    Atom::Builtin(Builtin::Waves),
    MULTIPLY,
    Atom::Builtin(Builtin::Lanes),
    MULTIPLY,
];
const GLOBAL_ITEM: &[Atom] = &[
    Atom::Builtin(Builtin::WorkgroupId),
    Atom::Builtin(Builtin::Waves),
    MULTIPLY,
    Atom::Builtin(Builtin::WaveId),
    Atom::Binary(Binary::Add),
    Atom::Builtin(Builtin::Lanes),
    MULTIPLY,
    Atom::Builtin(Builtin::LaneId),
    Atom::Binary(Binary::Add),
];

/// The functions that expressions can call.
pub(crate) const FUNCTIONS: [Function; 18] = [
    ("get_sub_group_id", None, WAVE),
    ("get_num_sub_groups", None, WAVES),
    ("get_enqueued_num_sub_groups", None, WAVES),
    ("get_sub_group_local_id", None, LANE),
    ("get_sub_group_size", None, LANES),
    ("get_max_sub_group_size", None, LANES),
    ("get_group_id", Some(0), WORKGROUP),
    ("get_num_groups", Some(1), WORKGROUPS),
    ("get_local_id", Some(0), ITEM),
    ("get_local_linear_id", None, ITEM),
    ("get_local_size", Some(1), ITEMS),
    ("get_enqueued_local_size", Some(1), ITEMS),
    ("get_global_id", Some(0), GLOBAL_ITEM),
    ("get_global_linear_id", None, GLOBAL_ITEM),
    ("get_global_size", Some(1), GLOBAL_ITEMS),
    ("get_global_offset", Some(0), &[Atom::Int(0)]),
    ("get_work_dim", None, &[Atom::Int(1)]),
    ("get_group_linear_id", None, WORKGROUP),
];

/// Whether a name is of an extension of OpenCL that Clang defines for SPIR-V, so that it is taken as present.
#[must_use]
pub fn is_usual_extension(name: &str) -> bool {
    const PREFIXES: [&str; 4] = ["cl_khr_", "cl_ext_", "cl_intel_", "cl_amd_media_ops"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_not_numbers() {
        for (index, (name, wanted)) in SCOPES.into_iter().enumerate() {
            assert_eq!(Scope::ALL[index], wanted);
            assert_eq!(constant(name).and_then(scope), Some(wanted));
        }
        assert_eq!(
            (scope(0), scope(2), scope(i64::MIN), scope(i64::MAX)),
            (None, None, None, None)
        );
    }
}
