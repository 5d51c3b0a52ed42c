//! Functions of OpenCL C that compute numbers from numbers: which work-item calls them does not matter to another.

/// Families of them, by what their names begin with.
const FAMILIES: [&str; 8] =
    ["as_", "convert_", "fast_", "get_", "half_", "is", "native_", "read_image"];

/// The others, in the order of the alphabet.
const FUNCTIONS: [&str; 96] = [
    "abs",
    "abs_diff",
    "acos",
    "acosh",
    "acospi",
    "add_sat",
    "all",
    "any",
    "asin",
    "asinh",
    "asinpi",
    "atan",
    "atan2",
    "atan2pi",
    "atanh",
    "atanpi",
    "bitselect",
    "cbrt",
    "ceil",
    "clamp",
    "clz",
    "copysign",
    "cos",
    "cosh",
    "cospi",
    "cross",
    "ctz",
    "degrees",
    "distance",
    "dot",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hadd",
    "hypot",
    "ilogb",
    "ldexp",
    "length",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "mad",
    "mad24",
    "mad_hi",
    "mad_sat",
    "max",
    "maxmag",
    "min",
    "minmag",
    "mix",
    "mul24",
    "mul_hi",
    "nan",
    "nextafter",
    "normalize",
    "popcount",
    "pow",
    "pown",
    "powr",
    "radians",
    "remainder",
    "rhadd",
    "rint",
    "rootn",
    "rotate",
    "round",
    "rsqrt",
    "select",
    "shuffle",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sinpi",
    "sizeof",
    "smoothstep",
    "sqrt",
    "step",
    "sub_sat",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Whether a function computes a number and does nothing else.
#[must_use]
pub(crate) fn computes(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok() || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Whether a function computes a number and writes another behind the pointer that it takes.
#[must_use]
pub(crate) fn writes_behind(name: &str) -> bool {
    matches!(name, "fract" | "frexp" | "lgamma_r" | "modf" | "remquo" | "sincos")
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, computes};

    #[test]
    fn what_other_work_items_have_to_come_to_is_no_such_function() {
        assert!(FUNCTIONS.is_sorted());
        for name in ["sqrt", "native_exp", "convert_int", "get_local_id"] {
            assert!(computes(name), "{name}");
        }
        for name in ["work_group_any", "sub_group_reduce_add", "barrier", "frobnicate", ""] {
            assert!(!computes(name), "{name}");
        }
    }
}
