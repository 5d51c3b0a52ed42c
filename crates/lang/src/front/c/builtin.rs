//! Functions of CUDA, HIP and clang that the text does not define.

use super::lexer::{Kind, Token};
use super::types::{GENERIC, GLOBAL, INT, LOCAL, Type, UNSIGNED};
use super::unit::{Is, Unit, Value};
use super::{Parsed, Problem};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const LONG: Type = Type::Int(64, false);

impl Unit {
    /// A call of a function that the text does not define; its name has been read.
    pub(super) fn builtin(&mut self, name: &str, token: &Token) -> Parsed<Value> {
        if name == "__builtin_amdgcn_fence" {
            return self.amdgpu_fence();
        }
        let given = self.arguments()?;
        self.mark = token.at;
        if let Some(value) = self.synchronizing(name, &given)? {
            return Ok(value);
        }
        if let Some(value) = self.atomic_builtin(name, &given)? {
            return Ok(value);
        }
        if let Some(value) = self.lane_builtin(name, &given)? {
            return Ok(value);
        }
        if let Some(value) = self.computing(name, &given)? {
            return Ok(value);
        }
        if let Some(value) = self.memory_builtin(name, &given)? {
            return Ok(value);
        }
        if let Some(rest) = name.strip_prefix("__builtin_amdgcn_") {
            return self.target_builtin("amdgcn", rest, &given);
        }
        if let Some(rest) = name.strip_prefix("__nvvm_") {
            return self.target_builtin("nvvm", rest, &given);
        }
        Err(self.undeclared(token))
    }

    /// `name<…>(…)` of something that the text does not define.
    pub(super) fn template_builtin(
        &mut self,
        name: &str,
        after: usize,
        token: &Token,
    ) -> Parsed<Value> {
        let mut at = after;
        while self.tokens.get(at).is_some_and(|next| !next.is("(") && !next.is(";")) {
            at += 1;
        }
        if matches!(name, "min" | "max") && self.tokens[at].is("(") {
            self.at = at;
            return self.builtin(name, token);
        }
        Err(self.undeclared(token))
    }

    /// One value of a call.
    fn given(&mut self, given: &[Value], at: usize) -> Parsed<Value> {
        match given.get(at) {
            Some(value) => Ok(self.rvalue(value.clone())),
            None => {
                let here = self.at.saturating_sub(1);
                Err(Problem::at(&self.tokens[here], "this call has too few arguments"))
            }
        }
    }

    /// One value of a call, converted.
    fn given_as(&mut self, given: &[Value], at: usize, of: &Type) -> Parsed<Value> {
        let value = self.given(given, at)?;
        self.convert(value, of)
    }

    pub(super) fn call_void(&mut self, name: &str, arguments: &[&Value]) {
        let list: Vec<String> = arguments.iter().map(|value| self.typed(value)).collect();
        self.effect(format!("call void @{name}({})", list.join(", ")));
    }

    fn call_value(&mut self, name: &str, of: Type, arguments: &[&Value]) -> Value {
        let list: Vec<String> = arguments.iter().map(|value| self.typed(value)).collect();
        let spelled = self.types.spelled(&of);
        let text = format!("call {spelled} @{name}({})", list.join(", "));
        if matches!(of, Type::Float(_)) {
            self.effect(text);
            return Value { of, is: Is::Data };
        }
        self.body.effects += 1;
        self.compute(of, text)
    }

    const fn nothing() -> Value {
        Value { of: Type::Void, is: Is::Nothing }
    }

    fn fence(&mut self, order: &str, scope: &str) {
        self.effect(match scope {
            "" => format!("fence {order}"),
            scope => format!("fence syncscope(\"{scope}\") {order}"),
        });
    }

    /// All threads of the workgroup.
    fn workgroup_barrier(&mut self) {
        if self.amdgpu {
            self.fence("release", "workgroup");
            self.call_void("llvm.amdgcn.s.barrier", &[]);
            self.fence("acquire", "workgroup");
        } else {
            let zero = Self::integer(0, INT);
            self.call_void("llvm.nvvm.barrier.cta.sync.aligned.all", &[&zero]);
        }
    }

    fn synchronizing(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        match name {
            "__syncthreads" => self.workgroup_barrier(),
            "__syncthreads_count" | "__syncthreads_and" | "__syncthreads_or" => {
                let value = self.given(given, 0)?;
                let on = self.truth(value)?;
                if self.amdgpu {
                    self.workgroup_barrier();
                    return Ok(Some(self.data(INT)));
                }
                let how = match name {
                    "__syncthreads_count" => "popc",
                    "__syncthreads_and" => "and",
                    _ => "or",
                };
                let on = self.convert(on, &INT)?;
                return Ok(Some(self.call_value(&format!("llvm.nvvm.barrier0.{how}"), INT, &[&on])));
            }
            "__syncwarp" if self.amdgpu => {
                self.fence("release", "wavefront");
                self.call_void("llvm.amdgcn.wave.barrier", &[]);
                self.fence("acquire", "wavefront");
            }
            "__syncwarp" => {
                let mask = match given.is_empty() {
                    true => Self::integer(-1, UNSIGNED),
                    false => self.given_as(given, 0, &UNSIGNED)?,
                };
                self.call_void("llvm.nvvm.bar.warp.sync", &[&mask]);
            }
            "__threadfence" | "__threadfence_block" | "__threadfence_system" => {
                let (amdgpu, nvidia) = match name {
                    "__threadfence" => ("agent", "gl"),
                    "__threadfence_block" => ("workgroup", "cta"),
                    _ => ("", "sys"),
                };
                match self.amdgpu {
                    true => self.fence("seq_cst", amdgpu),
                    false => self.call_void(&format!("llvm.nvvm.membar.{nvidia}"), &[]),
                }
            }
            "__builtin_amdgcn_s_barrier" => self.call_void("llvm.amdgcn.s.barrier", &[]),
            "__trap" | "__builtin_trap" | "__builtin_unreachable" | "abort" => {
                self.effect("unreachable".into());
                self.close();
            }
            "__pipeline_memcpy_async" => {
                let to = self.given_as(given, 0, &Type::Void.pointer(LOCAL))?;
                let from = self.given_as(given, 1, &Type::Void.pointer(GLOBAL))?;
                let Is::Int(bytes) = self.given(given, 2)?.is else {
                    return Err(self.unsupported("a copy of a number of bytes that is not constant"));
                };
                self.call_void(&format!("llvm.nvvm.cp.async.ca.shared.global.{bytes}"), &[&to, &from]);
            }
            "__pipeline_commit" => self.call_void("llvm.nvvm.cp.async.commit.group", &[]),
            "__pipeline_wait_prior" => {
                let groups = self.given_as(given, 0, &INT)?;
                self.call_void("llvm.nvvm.cp.async.wait.group", &[&groups]);
            }
            _ => return Ok(None),
        }
        Ok(Some(Self::nothing()))
    }

    /// `__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local")`
    fn amdgpu_fence(&mut self) -> Parsed<Value> {
        self.expect("(")?;
        let order = self.constant()?;
        let mut texts = Vec::new();
        while self.eat(",") {
            if self.peek().kind != Kind::Text {
                return Err(self.unexpected("a text"));
            }
            texts.push(self.take().text);
        }
        self.expect(")")?;
        let scope = texts.first().map_or("", |text| text);
        let spaces = texts.get(1..).unwrap_or_default();
        let node = match (
            spaces.iter().any(|space| &**space == "local"),
            spaces.iter().any(|space| &**space == "global"),
        ) {
            (true, false) => ", !mmra !1",
            (false, true) => ", !mmra !2",
            (true, true) => ", !mmra !3",
            _ => "",
        };
        let scope = match scope {
            "" => String::new(),
            scope => format!("syncscope(\"{scope}\") "),
        };
        self.effect(format!("fence {scope}{}{node}", ordering(order)));
        Ok(Self::nothing())
    }

    // Atomic operations

    fn atomic_builtin(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        if let Some(rest) = name.strip_prefix("atomic") {
            let (rest, scope) = match rest {
                rest if rest.ends_with("_block") => (rest.trim_end_matches("_block"), "workgroup"),
                rest if rest.ends_with("_system") => (rest.trim_end_matches("_system"), ""),
                rest => (rest, "agent"),
            };
            let op = match rest {
                "Add" => "add",
                "Sub" => "sub",
                "Min" => "min",
                "Max" => "max",
                "And" => "and",
                "Or" => "or",
                "Xor" => "xor",
                "Exch" => "xchg",
                "Inc" => "uinc_wrap",
                "Dec" => "udec_wrap",
                "CAS" => {
                    let (_, old) = self.exchange_if(given, scope, false)?;
                    return Ok(Some(old));
                }
                _ => return Ok(None),
            };
            return self.modify(op, given, scope).map(Some);
        }
        let families = ["__hip_atomic_", "__scoped_atomic_", "__atomic_"];
        let found = families.iter().find_map(|family| Some((*family, name.strip_prefix(family)?)));
        let Some((family, what)) = found else { return Ok(None) };
        let scope = match (family, given.last().map(|last| last.is.clone())) {
            ("__atomic_", _) => "",
            (_, Some(Is::Int(number))) => scope_name(family == "__hip_atomic_", number),
            _ => "",
        };
        self.atomic_operation(what, given, scope).map(Some)
    }

    fn atomic_operation(&mut self, what: &str, given: &[Value], scope: &str) -> Parsed<Value> {
        let synced = match scope {
            "" => String::new(),
            scope => format!(" syncscope(\"{scope}\")"),
        };
        match what {
            "load" | "load_n" => {
                let pointer = self.given(given, 0)?;
                let place = self.at_address(pointer)?;
                let Is::Place(address, space) = &place.is else { return Ok(place) };
                let (of, at) = (
                    self.types.stored(&place.of),
                    self.types.spelled(&Type::Void.pointer(*space)),
                );
                let name = self.fresh();
                self.effect(format!("{name} = load atomic {of}, {at} {address}{synced} acquire"));
                let is = match place.of {
                    Type::Float(_) => Is::Data,
                    _ => Is::Operand(name),
                };
                Ok(Value { of: place.of, is })
            }
            "store" | "store_n" => {
                let pointer = self.given(given, 0)?;
                let place = self.at_address(pointer)?;
                let value = self.given_as(given, 1, &place.of)?;
                let Is::Place(address, space) = &place.is else { return Ok(place) };
                let typed = self.typed(&value);
                let at = self.types.spelled(&Type::Void.pointer(*space));
                self.effect(format!("store atomic {typed}, {at} {address}{synced} release"));
                Ok(Self::nothing())
            }
            "compare_exchange_strong" | "compare_exchange_weak" | "compare_exchange_n"
            | "compare_exchange" => {
                let (done, old) = self.exchange_if(given, scope, true)?;
                let expected = self.given(given, 1)?;
                let place = self.at_address(expected)?;
                self.assign(&place, old)?;
                Ok(done)
            }
            "exchange" | "exchange_n" => self.modify("xchg", given, scope),
            "thread_fence" => {
                let order = self.given(given, 0)?;
                let order = if let Is::Int(order) = order.is { ordering(order) } else { "seq_cst" };
                self.fence(order, scope);
                Ok(Self::nothing())
            }
            other => {
                let op = other.strip_prefix("fetch_").or_else(|| other.strip_suffix("_fetch"));
                let op = op.filter(|op| {
                    ["add", "sub", "min", "max", "and", "or", "xor", "nand"].contains(op)
                });
                match op {
                    Some(op) => self.modify(op, given, scope),
                    None => Err(self.unsupported(&format!("the atomic operation `{other}`"))),
                }
            }
        }
    }

    /// An atomic read and write; the old value, which is data.
    fn modify(&mut self, op: &str, given: &[Value], scope: &str) -> Parsed<Value> {
        let pointer = self.given(given, 0)?;
        let place = self.at_address(pointer.clone())?;
        let value = self.given_as(given, 1, &place.of)?;
        if !place.of.is_scalar() {
            return Err(self.unsupported("an atomic operation on this type"));
        }
        let op = match (&place.of, op) {
            (Type::Float(_), "add" | "sub" | "min" | "max") => format!("f{op}"),
            (Type::Int(_, false), "min" | "max") => format!("u{op}"),
            _ => op.into(),
        };
        let (pointer, value) = (self.typed(&pointer), self.typed(&value));
        let scope = if scope.is_empty() { scope.into() } else { format!("syncscope(\"{scope}\") ") };
        let text = format!("atomicrmw {op} {pointer}, {value} {scope}monotonic");
        if matches!(place.of, Type::Float(_)) {
            self.effect(text);
            return Ok(Value { of: place.of, is: Is::Data });
        }
        self.body.effects += 1;
        Ok(self.compute(place.of, text))
    }

    /// An atomic exchange under a condition: whether it took place, and the old value.
    fn exchange_if(
        &mut self,
        given: &[Value],
        scope: &str,
        by_address: bool,
    ) -> Parsed<(Value, Value)> {
        let pointer = self.given(given, 0)?;
        let of = self.at_address(pointer.clone())?.of;
        let mut expected = self.given(given, 1)?;
        if by_address {
            let place = self.at_address(expected)?;
            expected = self.rvalue(place);
        }
        let expected = self.convert(expected, &of)?;
        let desired = self.given_as(given, 2, &of)?;
        let list = [&pointer, &expected, &desired].map(|value| self.typed(value));
        let scope = if scope.is_empty() { scope.into() } else { format!("syncscope(\"{scope}\") ") };
        let pair = self.fresh();
        self.effect(format!("{pair} = cmpxchg {} {scope}monotonic monotonic", list.join(", ")));
        let pair = format!("extractvalue {{ {}, i1 }} {pair}", self.types.spelled(&of));
        let done = self.compute(Type::Bool, format!("{pair}, 1"));
        let old = self.compute(of, format!("{pair}, 0"));
        Ok((done, old))
    }

    // Lanes

    fn lane(&mut self) -> Value {
        self.compute(INT, "call i32 @llvm.nvvm.read.ptx.sreg.laneid()".into())
    }

    fn ballot(&mut self, on: &Value) -> Value {
        let (bits, name) = if self.amdgpu { (64, "i64") } else { (32, "i32") };
        let typed = self.typed(on);
        let of = Type::Int(bits, false);
        self.body.effects += 1;
        self.compute(of, format!("call {name} @llvm.amdgcn.ballot.{name}({typed})"))
    }

    fn lane_builtin(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        let (base, synced) = match name.strip_suffix("_sync") {
            Some(base) => (base, 1),
            None => (name, 0),
        };
        if let Some(how) = base.strip_prefix("__shfl") {
            return self.shuffle(how, &given[synced.min(given.len())..]).map(Some);
        }
        let all = matches!(base, "__all");
        match base {
            "__ballot" | "__any" | "__all" => {
                let value = self.given(given, synced)?;
                let mut on = self.truth(value)?;
                if all {
                    on = self.operation("==", on, Self::integer(0, INT))?;
                }
                let mut lanes = self.ballot(&on);
                if synced == 1 {
                    let mask = self.given_as(given, 0, &lanes.of.clone())?;
                    lanes = self.operation("&", lanes, mask)?;
                }
                let zero = Self::integer(0, lanes.of.clone());
                Ok(Some(match base {
                    "__ballot" => lanes,
                    "__any" => self.operation("!=", lanes, zero)?,
                    _ => self.operation("==", lanes, zero)?,
                }))
            }
            "__activemask" => {
                let on = Self::integer(1, Type::Bool);
                Ok(Some(self.ballot(&on)))
            }
            "__lane_id" | "__laneid" => Ok(Some(self.lane())),
            "__match_any" | "__match_all" | "__reduce_add" | "__reduce_min" | "__reduce_max"
            | "__reduce_and" | "__reduce_or" | "__reduce_xor" => Ok(Some(self.data(UNSIGNED))),
            _ => Ok(None),
        }
    }

    /// `__shfl_down(value, by, width)`
    fn shuffle(&mut self, how: &str, given: &[Value]) -> Parsed<Value> {
        let value = self.given(given, 0)?;
        if !value.of.is_integer() {
            return Ok(self.data(value.of));
        }
        let by = self.given_as(given, 1, &INT)?;
        let lane = self.lane();
        let width = match given.len() {
            0..=2 => self.compute(INT, "call i32 @llvm.nvvm.read.ptx.sreg.warpsize()".into()),
            _ => self.given_as(given, 2, &INT)?,
        };
        let below = self.operation("-", width, Self::integer(1, INT))?;
        let last = self.operation("|", lane.clone(), below.clone())?;
        let inverse = self.operation("^", below.clone(), Self::integer(-1, INT))?;
        let first = self.operation("&", lane.clone(), inverse)?;
        let from = match how {
            "" => {
                let inside = self.operation("&", by, below)?;
                self.operation("|", first, inside)?
            }
            "_up" => {
                let from = self.operation("-", lane.clone(), by)?;
                let outside = self.operation("<", from.clone(), first)?;
                self.select(&outside, &lane, &from)
            }
            "_down" | "_xor" => {
                let op = if how == "_xor" { "^" } else { "+" };
                let from = self.operation(op, lane.clone(), by)?;
                let outside = self.operation(">", from.clone(), last)?;
                self.select(&outside, &lane, &from)
            }
            _ => return Err(self.unsupported(&format!("`__shfl{how}`"))),
        };
        let of = value.of.clone();
        let mask = Self::integer(-1, INT);
        let zero = Self::integer(31, INT);
        let wide = self.convert(value, &Type::Int(of.bits().max(32), of.is_signed()))?;
        let name = "llvm.nvvm.shfl.sync.idx";
        let moved = self.call_value(name, wide.of.clone(), &[&mask, &wide, &from, &zero]);
        self.convert(moved, &of)
    }

    fn select(&mut self, on: &Value, one: &Value, other: &Value) -> Value {
        let list = [on, one, other].map(|value| self.typed(value));
        self.compute(one.of.clone(), format!("select {}", list.join(", ")))
    }

    // Computation

    fn computing(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        let wide = given.first().map_or(INT, |one| one.of.value());
        let single = |bits: u8| Type::Int(bits, false);
        let (intrinsic, of) = match name {
            "min" | "max" | "umin" | "umax" | "llmin" | "llmax" => {
                return self.least_or_greatest(name.contains("min"), given).map(Some);
            }
            "abs" | "labs" | "llabs" if wide.is_integer() => ("abs", super::convert::promoted(&wide)),
            "__popc" | "__builtin_popcount" => ("ctpop", single(32)),
            "__popcll" | "__builtin_popcountll" | "__builtin_popcountl" => ("ctpop", single(64)),
            "__clz" | "__builtin_clz" => ("ctlz", single(32)),
            "__clzll" | "__builtin_clzll" | "__builtin_clzl" => ("ctlz", single(64)),
            "__builtin_ctz" => ("cttz", single(32)),
            "__builtin_ctzll" | "__builtin_ctzl" => ("cttz", single(64)),
            "__brev" => ("bitreverse", single(32)),
            "__brevll" => ("bitreverse", single(64)),
            "__ffs" | "__ffsll" => return self.first_set(name == "__ffsll", given).map(Some),
            "__mulhi" | "__umulhi" => return self.high_product(name == "__umulhi", given).map(Some),
            "__mul24" | "__umul24" => {
                let (one, other) = (self.given(given, 0)?, self.given(given, 1)?);
                return self.operation("*", one, other).map(Some);
            }
            "__builtin_expect" => return self.given(given, 0).map(Some),
            "__builtin_assume" | "assert" | "__assume" | "__nanosleep" | "__builtin_prefetch"
            | "__prefetch_global_l1" | "__prefetch_global_l2" => return Ok(Some(Self::nothing())),
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

    // Memory

    fn memory_builtin(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        let loads = ["__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"];
        let stores = ["__stwb", "__stcg", "__stcs", "__stwt"];
        if loads.contains(&name) || name == "__builtin_nontemporal_load" {
            let pointer = self.given(given, 0)?;
            let place = self.at_address(pointer)?;
            if self.types_in_memory(&place.of) {
                let copy = self.stack("value", &place.of);
                self.assign(&copy, place)?;
                return Ok(Some(copy));
            }
            return Ok(Some(self.rvalue(place)));
        }
        match name {
            _ if stores.contains(&name) => {
                let pointer = self.given(given, 0)?;
                let place = self.at_address(pointer)?;
                let value = given.get(1).cloned().unwrap_or(Self::nothing());
                self.assign(&place, value)?;
            }
            "__builtin_nontemporal_store" => {
                let pointer = self.given(given, 1)?;
                let place = self.at_address(pointer)?;
                let value = given.first().cloned().unwrap_or(Self::nothing());
                self.assign(&place, value)?;
            }
            "memcpy" | "memmove" | "memset" | "__builtin_memcpy" | "__builtin_memset" => {
                let generic = Type::Void.pointer(GENERIC);
                let sets = name.ends_with("set");
                let to = self.given_as(given, 0, &generic)?;
                let from = match sets {
                    true => self.given_as(given, 1, &Type::Int(8, true))?,
                    false => self.given_as(given, 1, &generic)?,
                };
                let bytes = self.given_as(given, 2, &LONG)?;
                let name = if sets { "llvm.memset" } else { "llvm.memcpy" };
                self.call_void(name, &[&to, &from, &bytes]);
                return Ok(Some(to));
            }
            "__cvta_generic_to_shared" => {
                let address = self.given_as(given, 0, &Type::Void.pointer(LOCAL))?;
                return self.convert(address, &LONG).map(Some);
            }
            "__cvta_generic_to_global" => return self.given_as(given, 0, &LONG).map(Some),
            "__cvta_shared_to_generic" => {
                let address = self.given_as(given, 0, &LONG)?;
                let address = self.convert(address, &Type::Void.pointer(LOCAL))?;
                return self.convert(address, &Type::Void.pointer(GENERIC)).map(Some);
            }
            "__isShared" | "__isGlobal" | "__isLocal" | "__isConstant" => {
                return Ok(Some(self.data(Type::Bool)));
            }
            _ => return Ok(None),
        }
        Ok(Some(Self::nothing()))
    }

    // Functions of one target

    fn target_builtin(&mut self, target: &str, name: &str, given: &[Value]) -> Parsed<Value> {
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
            name => name.replace('_', "."),
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
        _ if starts(&["s.barrier", "s.wait", "cp.async", "bar", "membar", "fence", "mbarrier.in"]) => {
            Type::Void
        }
        _ if starts(&["workitem", "workgroup", "cluster", "read.ptx.sreg", "mbcnt", "grid"]) => UNSIGNED,
        _ => INT,
    }
}

/// Parts of names of AMDGPU functions that only compute.
const COMPUTING: [&str; 30] = [
    "dpp", "permlane", "swizzle", "bpermute", "ds_permute", "mfma", "wmma", "smfmac", "cvt_", "perm",
    "sad_", "med3", "rcp", "sqrt", "rsq", "exp2", "log", "sinf", "cosf", "fract", "frexp", "ldexp",
    "class", "div_", "dot", "lerp", "alignbyte", "is_shared", "is_private", "bitop3",
];

/// Names of functions of mathematics, without `f` at the end.
const MATHEMATICS: [&str; 76] = [
    "sqrt", "rsqrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos",
    "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "pow", "powi", "fma", "fabs", "floor", "ceil", "round", "rint", "nearbyint", "trunc", "fmod",
    "remainder", "fmin", "fmax", "fdim", "hypot", "cbrt", "rcbrt", "erf", "erfc", "erfinv", "tgamma",
    "lgamma", "copysign", "ldexp", "scalbn", "logb", "sinpi", "cospi", "fdividef", "fdivide",
    "saturate", "fadd", "fsub", "fmul", "fdiv", "frcp", "fsqrt", "fmaf", "hadd", "hsub", "hmul",
    "hfma", "hneg", "hmax", "hmin", "abs", "norm3d", "normcdf", "j0", "y0", "dadd", "dmul",
];

const fn ordering(number: i64) -> &'static str {
    match number {
        0 => "monotonic",
        1 | 2 => "acquire",
        3 => "release",
        4 => "acq_rel",
        _ => "seq_cst",
    }
}

/// The scope that a number stands for: of HIP, or of clang.
const fn scope_name(hip: bool, number: i64) -> &'static str {
    match (hip, number) {
        (true, 1) | (false, 4) => "singlethread",
        (true, 2) | (false, 3) => "wavefront",
        (true, 3) | (false, 2) => "workgroup",
        (true, 4) | (false, 1) => "agent",
        (true, 6) => "cluster",
        _ => "",
    }
}
