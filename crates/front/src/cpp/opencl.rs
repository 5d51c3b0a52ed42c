//! Qualifiers and library functions of OpenCL C.

use super::Parsed;
use super::symbol::{Specifiers, Symbol, Value};
use super::types::{CONSTANT, GENERIC, GLOBAL, INT, LOCAL, Type, UNSIGNED};
use super::unit::Unit;
use crate::llvm::{READ_PIXEL, WRITE_PIXEL, collective};
use alloc::format;
use alloc::vec::Vec;
use tidegate_lang::vocabulary::numbers;

const SIZE: Type = Type::Int(64, false);

/// Functions that give a size or a position in a dimension.
const OF_DIMENSION: [&str; 8] = [
    "get_local_id",
    "get_global_id",
    "get_group_id",
    "get_local_size",
    "get_global_size",
    "get_num_groups",
    "get_global_offset",
    "get_enqueued_local_size",
];

/// Functions of sub-groups without arguments.
const OF_SUB_GROUP: [&str; 6] = [
    "get_sub_group_id",
    "get_sub_group_local_id",
    "get_sub_group_size",
    "get_max_sub_group_size",
    "get_num_sub_groups",
    "get_enqueued_num_sub_groups",
];

/// Functions of floating-point numbers that only OpenCL C has.
const MATHEMATICS: [&str; 13] = [
    "mad",
    "mix",
    "step",
    "smoothstep",
    "sign",
    "radians",
    "degrees",
    "recip",
    "divide",
    "powr",
    "rootn",
    "pown",
    "maxmag",
];

/// Atomic functions without a memory order, without `atomic_` or `atom_`, and the number of values that each takes.
const ATOMICS: [(&str, usize); 11] = [
    ("add", 1),
    ("sub", 1),
    ("xchg", 1),
    ("inc", 0),
    ("dec", 0),
    ("cmpxchg", 2),
    ("min", 1),
    ("max", 1),
    ("and", 1),
    ("or", 1),
    ("xor", 1),
];

/// Functions of integers, and the number of arguments that each takes.
const INTEGERS: [(&str, usize); 16] = [
    ("clamp", 3),
    ("abs", 1),
    ("abs_diff", 2),
    ("hadd", 2),
    ("rhadd", 2),
    ("mul24", 2),
    ("mad24", 3),
    ("mul_hi", 2),
    ("mad_hi", 3),
    ("rotate", 2),
    ("popcount", 1),
    ("clz", 1),
    ("ctz", 1),
    ("bitselect", 3),
    ("select", 3),
    ("upsample", 2),
];

impl Unit {
    /// Adds a qualifier: of a kernel, or of the memory that a pointer points to.
    pub(super) fn qualifier_of_opencl(&self, all: &mut Specifiers) {
        match self.peek().text.trim_start_matches('_') {
            "kernel" => all.kernel = true,
            "local" => all.space = LOCAL,
            "global" => all.space = GLOBAL,
            "constant" => (all.space, all.fixed) = (CONSTANT, true),
            _ => {}
        }
    }

    /// The specifiers of a variable of a type: the address space of OpenCL is that of the variable, unless it is a pointer.
    pub(super) fn in_space(&self, specifiers: &Specifiers, of: &Type) -> Specifiers {
        let mut specifiers = specifiers.clone();
        let mut element = of;
        while let Type::Array(inner, _) = element {
            element = inner;
        }
        if self.opencl && !matches!(element, Type::Pointer(..)) {
            specifiers.shared |= specifiers.space == LOCAL;
            specifiers.constant |= specifiers.space == CONSTANT;
        }
        specifiers
    }

    /// A call of a library function, if it is one.
    pub(super) fn opencl_builtin(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        let mangled = |types: &str| format!("_Z{}{name}{types}", name.len());
        if OF_DIMENSION.contains(&name) {
            let dimension = self.given_as(given, 0, &UNSIGNED)?;
            return Ok(Some(self.call_value(&mangled("j"), SIZE, &[&dimension])));
        }
        if name == "get_local_linear_id" {
            return Ok(Some(self.call_value(&mangled("v"), SIZE, &[])));
        }
        if OF_SUB_GROUP.contains(&name) || name == "get_work_dim" {
            return Ok(Some(self.call_value(&mangled("v"), UNSIGNED, &[])));
        }
        match name {
            "barrier" | "work_group_barrier" | "sub_group_barrier" => {
                let flags = self.given_as(given, 0, &UNSIGNED)?;
                if given.len() > 1 {
                    let scope = self.given_as(given, 1, &INT)?;
                    self.call_void(&mangled("j12memory_scope"), &[&flags, &scope]);
                } else {
                    self.call_void(&mangled("j"), &[&flags]);
                }
            }
            "mem_fence" | "read_mem_fence" | "write_mem_fence" => {
                let flags = self.given_as(given, 0, &UNSIGNED)?;
                self.call_void(&mangled("j"), &[&flags]);
            }
            "async_work_group_copy" => return self.group_copy(given).map(Some),
            "wait_group_events" => {
                let count = self.given_as(given, 0, &INT)?;
                let events = self.given(given, 1)?;
                self.call_void(&mangled("iPU3AS49ocl_event"), &[&count, &events]);
            }
            "prefetch" => {}
            "__builtin_expect" => return self.given(given, 0).map(Some),
            _ if name.starts_with("read_image") || name.starts_with("write_image") => {
                return self.image_access(name, given).map(Some);
            }
            "get_image_dim" => return self.opaque_named("int2").map(Some),
            _ if name.starts_with("get_image_") => return Ok(Some(self.data(INT))),
            _ if collective(name).is_some()
                && given.iter().all(|one| one.of.value().is_number()) =>
            {
                let (_, what) = name.split_once("_group_").unwrap_or_default();
                let of = match given.first() {
                    Some(value) if !matches!(what, "any" | "all") => value.of.value(),
                    Some(_) => INT,
                    None => return Ok(None),
                };
                let value = self.given_as(given, 0, &of)?;
                let items = match what {
                    "broadcast" => given.get(1..).unwrap_or_default(),
                    _ => &[],
                };
                let all: Vec<&Value> = [&value].into_iter().chain(items).collect();
                return Ok(Some(self.call_value(&mangled("i"), of, &all)));
            }
            _ => return self.opencl_value(name, given),
        }
        Ok(Some(Self::nothing()))
    }

    fn opencl_value(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        if let Some(to) = name.strip_prefix("convert_") {
            let end = |word| to.find(word).unwrap_or(to.len());
            let Some(of) = named(&to[..end("_sat").min(end("_rt"))]) else { return Ok(None) };
            let saturates = to.contains("_sat");
            let value = self.given_as(given, 0, &of)?;
            return Ok(Some(if saturates { self.data(of) } else { value }));
        }
        if let Some(of) = name.strip_prefix("as_").and_then(named) {
            let value = self.given(given, 0)?;
            let same = value.of.is_integer() && of.is_integer();
            return Ok(Some(if same { self.convert(value, &of)? } else { self.data(of) }));
        }
        if let Some(value) = self.old_atomic(name, given)? {
            return Ok(Some(value));
        }
        let of = match given.first() {
            Some(value) => value.of.value(),
            None => return Ok(None),
        };
        if let Some(value) = self.of_vector(name, &of, given)? {
            return Ok(Some(value));
        }
        let stem = name.trim_start_matches("native_").trim_start_matches("half_");
        match (stem, &of) {
            _ if MATHEMATICS.contains(&stem) && matches!(of, Type::Float(_)) => {
                Ok(Some(self.data(of)))
            }
            ("clamp" | "select" | "bitselect", Type::Float(_)) => Ok(Some(self.data(of))),
            (_, &Type::Int(bits, signed)) => match self.integers(name, (bits, signed), given)? {
                None if stem != name => self.computing(stem, given),
                value => Ok(value),
            },
            _ if stem != name => self.computing(stem, given),
            _ => Ok(None),
        }
    }

    /// A value of the type with a name, as data.
    fn opaque_named(&mut self, name: &str) -> Parsed<Value> {
        match self.lookup(name).cloned() {
            Some(Symbol::Type(of)) => self.opaque(&of),
            _ => Err(self.unsupported(&format!("`{name}`"))),
        }
    }

    /// An access to a pixel of an image. The coordinates become separate arguments.
    fn image_access(&mut self, name: &str, given: &[Value]) -> Parsed<Value> {
        let writes = name.starts_with("write");
        let image = self.given(given, 0)?;
        let sampled = !writes && given.len() > 2;
        // With a level, the pixel may be anywhere.
        let plain = given.len() == if writes { 3 } else { 2 + usize::from(sampled) };
        let at = self.given(given, if sampled { 2 } else { 1 })?;
        let coordinates = match (plain, &at.of) {
            (false, _) => Vec::new(),
            (true, Type::Struct(_)) => self.parts(&at)?.into_iter().map(|(_, part)| part).collect(),
            _ => alloc::vec![at],
        };
        let mut all = alloc::vec![image];
        for value in coordinates {
            let whole = value.of.is_integer();
            all.push(if whole { self.convert(value, &UNSIGNED)? } else { self.data(UNSIGNED) });
        }
        let all: Vec<&Value> = all.iter().collect();
        self.call_void(if writes { WRITE_PIXEL } else { READ_PIXEL }, &all);
        if writes {
            return Ok(Self::nothing());
        }
        let kinds = [("imageui", "uint4"), ("imagei", "int4"), ("imageh", "half4")];
        let kind = kinds.iter().find(|(end, _)| name.ends_with(end));
        self.opaque_named(kind.map_or("float4", |(_, kind)| kind))
    }

    /// A function of vectors that only computes.
    fn of_vector(&mut self, name: &str, of: &Type, given: &[Value]) -> Parsed<Option<Value>> {
        let Some((element, _)) = self.vector_of(of) else { return Ok(None) };
        if let Some(to) = name.strip_prefix("convert_").or_else(|| name.strip_prefix("as_")) {
            return self.opaque_named(to.split('_').next().unwrap_or(to)).map(Some);
        }
        if matches!(name, "shuffle" | "shuffle2") {
            let mask = given.last().and_then(|mask| self.vector_of(&mask.of.value()));
            let Some((_, count)) = mask else { return Ok(None) };
            let name = format!("{}{count}", self.shown_name(&element));
            return self.opaque_named(&name).map(Some);
        }
        if !numbers::computes(name) || given.iter().any(|one| matches!(one.of, Type::Pointer(..))) {
            return Ok(None);
        }
        match name {
            _ if name.starts_with("is") => Ok(None),
            "dot" | "length" | "distance" | "fast_length" | "fast_distance" => {
                Ok(Some(self.data(element)))
            }
            "any" | "all" => Ok(Some(self.data(INT))),
            _ => self.opaque(of).map(Some),
        }
    }

    /// A function of elements that are integers of this width and sign.
    fn integers(
        &mut self,
        name: &str,
        (bits, signed): (u8, bool),
        given: &[Value],
    ) -> Parsed<Option<Value>> {
        let Some(&(_, count)) = INTEGERS.iter().find(|(known, _)| *known == name) else {
            return Ok(None);
        };
        let of = Type::Int(bits, signed);
        let mut values = Vec::new();
        for at in 0..count {
            values.push(self.given_as(given, at, &of)?);
        }
        let letter = match (bits, signed) {
            (8, true) => "c",
            (8, false) => "h",
            (16, true) => "s",
            (16, false) => "t",
            (32, true) => "i",
            (32, false) => "j",
            (_, true) => "l",
            (_, false) => "m",
        };
        let of = match name {
            "abs" | "abs_diff" => Type::Int(bits, false),
            "upsample" => Type::Int(2 * bits, signed),
            _ => of,
        };
        let name = format!("_Z{}{name}{letter}", name.len());
        let values: Vec<&Value> = values.iter().collect();
        Ok(Some(self.call_value(&name, of, &values)))
    }

    /// A copy that the work-items of a work-group start together. The mangled name contains the type of its elements.
    fn group_copy(&mut self, given: &[Value]) -> Parsed<Value> {
        let [to, from] = [self.given(given, 0)?, self.given(given, 1)?];
        let count = self.given_as(given, 2, &SIZE)?;
        let event = self.given_as(given, 3, &SIZE)?;
        let (Type::Pointer(of, into), Type::Pointer(_, out)) = (&to.of, &from.of) else {
            return Err(self.unsupported("a copy between values that are not pointers"));
        };
        let element = match self.types.size(of).0 {
            1 => "c",
            2 => "s",
            4 => "i",
            8 => "l",
            16 => "Dv2_l",
            32 => "Dv4_l",
            64 => "Dv8_l",
            _ => return Err(self.unsupported("a copy of elements of this size")),
        };
        let space = |space: u32| if space == GENERIC { GLOBAL } else { space };
        let (into, out) = (space(*into), space(*out));
        let name =
            format!("_Z21async_work_group_copyPU3AS{into}{element}PU3AS{out}K{element}m9ocl_event");
        Ok(self.call_value(&name, SIZE, &[&to, &from, &count, &event]))
    }

    /// An atomic function of OpenCL 1, which is relaxed and has device scope.
    fn old_atomic(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        let stem = name.strip_prefix("atomic_").or_else(|| name.strip_prefix("atom_"));
        let known = stem.and_then(|stem| ATOMICS.iter().find(|(known, _)| *known == stem));
        let Some(&(_, values)) = known else { return Ok(None) };
        let pointer = self.given(given, 0)?;
        let Type::Pointer(of, _) = pointer.of.clone() else {
            return Err(self.unsupported("an atomic function of a value that is not a pointer"));
        };
        let mut all = alloc::vec![pointer];
        for at in 1..=values {
            all.push(self.given_as(given, at, &of)?);
        }
        let all: Vec<&Value> = all.iter().collect();
        let name = format!("_Z{}{name}PVj", name.len());
        Ok(Some(self.call_value(&name, (*of).clone(), &all)))
    }
}

/// The scalar type with a name.
fn named(name: &str) -> Option<Type> {
    Some(match name {
        "char" => Type::Int(8, true),
        "uchar" => Type::Int(8, false),
        "short" => Type::Int(16, true),
        "ushort" => Type::Int(16, false),
        "int" => INT,
        "uint" => UNSIGNED,
        "long" => Type::Int(64, true),
        "ulong" => SIZE,
        "half" => Type::Float(16),
        "float" => Type::Float(32),
        "double" => Type::Float(64),
        _ => return None,
    })
}
