//! Functions that only compute.

use super::Parsed;
use super::symbol::{Is, Value};
use super::types::{INT, Type, UNSIGNED};
use super::unit::Unit;
use alloc::format;

impl Unit {
    pub(super) fn computing(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        let wide = given.first().map_or(INT, |one| one.of.value());
        let single = |bits: u8| Type::Int(bits, false);
        let stem = name.trim_start_matches('_');
        let stem = stem.strip_suffix('f').filter(|stem| *stem != "mod").unwrap_or(stem);
        if matches!(stem, "frexp" | "modf" | "remquo" | "sincos" | "sincospi") {
            // These functions write their second result to the address in a pointer.
            for pointer in given.iter().filter(|one| matches!(one.of, Type::Pointer(..))) {
                let place = self.at_address(pointer.clone())?;
                let value = self.data(place.of.value());
                self.assign(&place, value)?;
            }
            return Ok(Some(self.data(wide)));
        }
        let (intrinsic, of) = match name {
            "min" | "max" | "umin" | "umax" | "llmin" | "llmax" => {
                return self.least_or_greatest(name.contains("min"), given).map(Some);
            }
            "abs" | "labs" | "llabs" if wide.is_integer() => {
                ("abs", super::convert::promoted(&wide))
            }
            "__popc" | "__builtin_popcount" => ("ctpop", single(32)),
            "__popcll" | "__builtin_popcountll" | "__builtin_popcountl" => ("ctpop", single(64)),
            "__clz" | "__builtin_clz" => ("ctlz", single(32)),
            "__clzll" | "__builtin_clzll" | "__builtin_clzl" => ("ctlz", single(64)),
            "__builtin_ctz" => ("cttz", single(32)),
            "__builtin_ctzll" | "__builtin_ctzl" => ("cttz", single(64)),
            "__brev" => ("bitreverse", single(32)),
            "__brevll" => ("bitreverse", single(64)),
            "__ffs" | "__ffsll" => return self.first_set(name == "__ffsll", given).map(Some),
            "__mulhi" | "__umulhi" => {
                return self.high_product(name == "__umulhi", given).map(Some);
            }
            "__mul24" | "__umul24" => {
                let (one, other) = (self.given(given, 0)?, self.given(given, 1)?);
                return self.operation("*", one, other).map(Some);
            }
            "__builtin_expect" => return self.given(given, 0).map(Some),
            "assert"
            | "__nanosleep"
            | "__builtin_prefetch"
            | "__prefetch_global_l1"
            | "__prefetch_global_l2" => return Ok(Some(Self::nothing())),
            "printf" => return Ok(Some(self.data(INT))),
            "clock" | "clock64" | "wall_clock64" | "__clock64" | "__clock" | "__globaltimer" => {
                return Ok(Some(self.data(Type::Int(64, true))));
            }
            "__byte_perm" | "__vabsdiffu4" | "__dp4a" | "__sad" | "__usad" => {
                return Ok(Some(self.data(UNSIGNED)));
            }
            _ => return Ok(self.mathematics(name, &wide)),
        };
        let value = self.given_as(given, 0, &of)?;
        let spelled = self.types.spelled(&of);
        let typed = self.typed(&value);
        let text = format!("call {spelled} @llvm.{intrinsic}.{spelled}({typed})");
        let result = self.compute(of.clone(), text);
        let of = if intrinsic == "abs" || intrinsic == "bitreverse" { of } else { INT };
        self.convert(result, &of).map(Some)
    }

    fn least_or_greatest(&mut self, least: bool, given: &[Value]) -> Parsed<Value> {
        let (one, other) = (self.given(given, 0)?, self.given(given, 1)?);
        if !one.of.is_number() || !other.of.is_number() {
            return Err(self.mismatch(&one, &INT));
        }
        let of = Self::common(&one.of, &other.of);
        let (one, other) = (self.convert(one, &of)?, self.convert(other, &of)?);
        if matches!(of, Type::Float(_)) {
            return Ok(Value { of, is: Is::Data });
        }
        let less = self.operation("<", one.clone(), other.clone())?;
        if let Is::Int(less) = less.is {
            return Ok(if (less != 0) == least { one } else { other });
        }
        Ok(if least { self.select(&less, &one, &other) } else { self.select(&less, &other, &one) })
    }

    fn first_set(&mut self, wide: bool, given: &[Value]) -> Parsed<Value> {
        let of = Type::Int(if wide { 64 } else { 32 }, false);
        let value = self.given_as(given, 0, &of)?;
        let (spelled, typed) = (self.types.spelled(&of), self.typed(&value));
        let text = format!("call {spelled} @llvm.cttz.{spelled}({typed})");
        let zeros = self.compute(of.clone(), text);
        let zeros = self.convert(zeros, &INT)?;
        let place = self.operation("+", zeros, Self::integer(1, INT))?;
        let none = self.operation("==", value, Self::integer(0, of))?;
        Ok(self.select(&none, &Self::integer(0, INT), &place))
    }

    fn high_product(&mut self, unsigned: bool, given: &[Value]) -> Parsed<Value> {
        let (narrow, wide) = (Type::Int(32, !unsigned), Type::Int(64, !unsigned));
        let mut factors = [0, 1].map(|at| self.given_as(given, at, &narrow));
        let mut next = |at: usize| core::mem::replace(&mut factors[at], Ok(Self::nothing()));
        let (one, other) = (next(0)?, next(1)?);
        let (one, other) = (self.convert(one, &wide)?, self.convert(other, &wide)?);
        let product = self.operation("*", one, other)?;
        let high = self.operation(">>", product, Self::integer(32, INT))?;
        self.convert(high, &narrow)
    }

    /// Functions whose results are data.
    fn mathematics(&mut self, name: &str, of: &Type) -> Option<Value> {
        let conversion = ["__float", "__double", "__int", "__uint", "__ll", "__half", "__bfloat"];
        let base = name.trim_start_matches("__").trim_start_matches("builtin_");
        let of = match () {
            () if base.contains("2int") || base.contains("as_int") => INT,
            () if base.contains("2uint") || base.contains("as_uint") => UNSIGNED,
            () if base.contains("2ll") || base.contains("2ull") || base.contains("as_longlong") => {
                Type::Int(64, true)
            }
            () if conversion.iter().any(|start| name.starts_with(start))
                && (base.contains('2') || base.contains("_as_")) =>
            {
                Type::Float(if base.ends_with("double") { 64 } else { 32 })
            }
            () if matches!(base, "isnan" | "isinf" | "isfinite" | "signbit") => Type::Bool,
            () if matches!(base, "lrintf" | "lroundf" | "lrint" | "lround" | "llrint") => {
                Type::Int(64, true)
            }
            () => {
                let stem = base.split('_').next().unwrap_or(base);
                let stem = stem.strip_suffix('f').unwrap_or(stem);
                if !MATHEMATICS.contains(&stem) && !MATHEMATICS.contains(&base) {
                    return None;
                }
                match of {
                    Type::Float(64) if !base.ends_with('f') => Type::Float(64),
                    Type::Float(16) => Type::Float(16),
                    _ if base.ends_with('f') || *of == Type::Float(32) => Type::Float(32),
                    _ => Type::Float(64),
                }
            }
        };
        Some(self.data(of))
    }
}

/// Names of functions of mathematics, without `f` at the end.
const MATHEMATICS: [&str; 76] = [
    "sqrt",
    "rsqrt",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "pow",
    "powi",
    "fma",
    "fabs",
    "floor",
    "ceil",
    "round",
    "rint",
    "nearbyint",
    "trunc",
    "fmod",
    "remainder",
    "fmin",
    "fmax",
    "fdim",
    "hypot",
    "cbrt",
    "rcbrt",
    "erf",
    "erfc",
    "erfinv",
    "tgamma",
    "lgamma",
    "copysign",
    "ldexp",
    "scalbn",
    "logb",
    "sinpi",
    "cospi",
    "fdividef",
    "fdivide",
    "saturate",
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "frcp",
    "fsqrt",
    "fmaf",
    "hadd",
    "hsub",
    "hmul",
    "hfma",
    "hneg",
    "hmax",
    "hmin",
    "abs",
    "norm3d",
    "normcdf",
    "j0",
    "y0",
    "dadd",
    "dmul",
];
