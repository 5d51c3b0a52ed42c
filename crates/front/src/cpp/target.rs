//! Built-in functions of one target: `__builtin_amdgcn_…`, `__nvvm_…`.

use super::Parsed;
use super::builtin::LONG;
use super::symbol::Value;
use super::types::{GLOBAL, INT, LOCAL, Type, UNSIGNED};
use super::unit::Unit;
use alloc::format;
use alloc::vec::Vec;

impl Unit {
    pub(super) fn target_builtin(
        &mut self,
        target: &str,
        name: &str,
        given: &[Value],
    ) -> Parsed<Value> {
        if target == "amdgcn" && COMPUTING.iter().any(|part| name.contains(part)) {
            let of = match name.contains("f32") || name.contains("f16") || name.contains("f64") {
                true => Type::Float(32),
                false => given.first().map_or(INT, |one| one.of.value()),
            };
            let of = if of.is_scalar() { of } else { INT };
            return Ok(self.data(of));
        }
        let name = match name {
            "ballot_w32" => "ballot.i32".into(),
            "ballot_w64" => "ballot.i64".into(),
            name => match name.strip_prefix("bar0_") {
                Some(how) => format!("barrier0.{how}"),
                None => name.replace('_', "."),
            },
        };
        let (from, to) = match name.contains(".lds") && !name.contains("buffer") {
            true => (Some(GLOBAL), Some(LOCAL)),
            false if name.starts_with("s.barrier") || name.starts_with("s.get.named") => {
                (Some(LOCAL), None)
            }
            false => (None, None),
        };
        let mut arguments = Vec::new();
        for (at, one) in given.iter().enumerate() {
            let mut value = self.rvalue(one.clone());
            let space = [from, to].get(at).copied().flatten();
            if let (Type::Pointer(of, _), Some(space)) = (&value.of, space) {
                let to = Type::Pointer(of.clone(), space);
                value = self.convert(value, &to)?;
            }
            if self.types_in_memory(&value.of) {
                let copy = self.stack("argument", &value.of);
                self.assign(&copy, value)?;
                value = Self::integer(0, INT);
            }
            arguments.push(value);
        }
        let list: Vec<&Value> = arguments.iter().collect();
        let of = result_of(&name);
        let name = format!("llvm.{target}.{name}");
        if of == Type::Void {
            self.call_void(&name, &list);
            return Ok(Self::nothing());
        }
        Ok(self.call_value(&name, of, &list))
    }
}

/// The type of the result of a function of a target.
fn result_of(name: &str) -> Type {
    let starts = |all: &[&str]| all.iter().any(|start| name.starts_with(start));
    match name {
        "s.barrier.signal.isfirst" => Type::Bool,
        "ballot.i64" | "s.memtime" | "s.memrealtime" | "read.exec" => LONG,
        "ballot.i32" | "wavefrontsize" => UNSIGNED,
        "dispatch.ptr" | "implicitarg.ptr" => Type::Int(8, false).pointer(super::types::CONSTANT),
        _ if name.contains("test.wait") || name.starts_with("isspacep") => Type::Bool,
        _ if starts(&["mbarrier.arrive"]) => Type::Int(64, true),
        _ if starts(&["mapa.shared.cluster"]) => Type::Void.pointer(LOCAL),
        _ if name.ends_with(".f32") => Type::Float(32),
        _ if starts(&["barrier0."]) => INT,
        _ if starts(&[
            "s.barrier",
            "s.wait",
            "cp.async",
            "bar",
            "membar",
            "fence",
            "mbarrier.in",
        ]) =>
        {
            Type::Void
        }
        _ if starts(&["workitem", "workgroup", "cluster", "read.ptx.sreg", "mbcnt", "grid"]) => {
            UNSIGNED
        }
        _ => INT,
    }
}

/// Parts of names of AMDGPU functions that only compute.
const COMPUTING: [&str; 30] = [
    "dpp",
    "permlane",
    "swizzle",
    "bpermute",
    "ds_permute",
    "mfma",
    "wmma",
    "smfmac",
    "cvt_",
    "perm",
    "sad_",
    "med3",
    "rcp",
    "sqrt",
    "rsq",
    "exp2",
    "log",
    "sinf",
    "cosf",
    "fract",
    "frexp",
    "ldexp",
    "class",
    "div_",
    "dot",
    "lerp",
    "alignbyte",
    "is_shared",
    "is_private",
    "bitop3",
];
