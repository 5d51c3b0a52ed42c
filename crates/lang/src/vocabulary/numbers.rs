//! OpenCL C functions that compute numbers from numbers: their results do not depend on which work-item calls them.

/// Families of functions, by prefix.
const FAMILIES: [&str; 8] =
    ["as_", "convert_", "fast_", "get_", "half_", "is", "native_", "read_image"];

/// Other functions, in alphabetical order.
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

/// Whether a function only computes a number.
#[must_use]
pub fn computes(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok() || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Whether a function computes a number and writes another through a pointer argument.
#[must_use]
pub(crate) fn writes_behind(name: &str) -> bool {
    matches!(name, "fract" | "frexp" | "lgamma_r" | "modf" | "remquo" | "sincos")
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, computes};

    #[test]
    fn functions_that_synchronise_work_items_are_excluded() {
        assert!(FUNCTIONS.is_sorted());
        for name in ["sqrt", "native_exp", "convert_int", "get_local_id"] {
            assert!(computes(name), "{name}");
        }
        for name in ["work_group_any", "sub_group_reduce_add", "barrier", "frobnicate", ""] {
            assert!(!computes(name), "{name}");
        }
    }
}
