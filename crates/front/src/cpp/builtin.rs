//! Functions of CUDA, HIP and clang that the text does not define.

use super::atomics::ordering;
use super::lexer::{Kind, Token};
use super::symbol::{Is, Value};
use super::types::{GENERIC, GLOBAL, INT, LOCAL, Type, UNSIGNED};
use super::unit::Unit;
use super::{Parsed, Problem};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) const LONG: Type = Type::Int(64, false);

impl Unit {
    /// A call of a function that the text does not define; its name has been read.
    pub(super) fn builtin(&mut self, name: &str, token: &Token) -> Parsed<Value> {
        if name == "__builtin_amdgcn_fence" {
            return self.amdgpu_fence();
        }
        let given = self.arguments()?;
        let given = self.read_all(given)?;
        self.mark = token.at;
        if matches!(name, "__builtin_assume" | "__assume") {
            return Ok(Self::nothing());
        }
        if self.opencl
            && let Some(value) = self.opencl_builtin(name, &given)?
        {
            return Ok(value);
        }
        if let Some(value) = self.synchronizing(name, &given)?.filter(|_| !self.opencl) {
            return Ok(value);
        }
        if let Some(value) = self.texture(name, &given)? {
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

    /// Reads the arguments that are in memory, whether or not the function needs their values.
    fn read_all(&mut self, given: Vec<Value>) -> Parsed<Vec<Value>> {
        let mut all = Vec::new();
        for value in given {
            let value = self.rvalue(value);
            all.push(match (&value.of, &value.is) {
                (of @ Type::Struct(_), Is::Place(..)) => {
                    let copy = self.stack("argument", of);
                    self.assign(&copy, value)?;
                    copy
                }
                _ => value,
            });
        }
        Ok(all)
    }

    /// `name<…>(…)` for a template that the text does not define.
    pub(super) fn template_builtin(
        &mut self,
        name: &str,
        after: usize,
        token: &Token,
    ) -> Parsed<Value> {
        if let Some(value) = self.texel_of(name, after)? {
            return Ok(value);
        }
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

    /// One argument of a call, as a value.
    pub(super) fn given(&mut self, given: &[Value], at: usize) -> Parsed<Value> {
        match given.get(at) {
            Some(value) => Ok(self.rvalue(value.clone())),
            None => {
                let here = self.at.saturating_sub(1);
                Err(Problem::at(&self.tokens[here], "this call has too few arguments"))
            }
        }
    }

    /// One argument of a call, converted to a type.
    pub(super) fn given_as(&mut self, given: &[Value], at: usize, of: &Type) -> Parsed<Value> {
        let value = self.given(given, at)?;
        self.convert(value, of)
    }

    pub(super) fn call_void(&mut self, name: &str, arguments: &[&Value]) {
        let list: Vec<String> = arguments.iter().map(|value| self.typed(value)).collect();
        self.effect(format!("call void @{name}({})", list.join(", ")));
    }

    pub(super) fn call_value(&mut self, name: &str, of: Type, arguments: &[&Value]) -> Value {
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

    pub(super) const fn nothing() -> Value {
        Value { of: Type::Void, is: Is::Nothing }
    }

    pub(super) fn fence(&mut self, order: &str, scope: &str) {
        self.effect(match scope {
            "" => format!("fence {order}"),
            scope => format!("fence syncscope(\"{scope}\") {order}"),
        });
    }

    /// A barrier of all threads of the workgroup.
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
                return Ok(Some(self.call_value(
                    &format!("llvm.nvvm.barrier0.{how}"),
                    INT,
                    &[&on],
                )));
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
                    return Err(
                        self.unsupported("a copy of a number of bytes that is not constant")
                    );
                };
                self.call_void(
                    &format!("llvm.nvvm.cp.async.ca.shared.global.{bytes}"),
                    &[&to, &from],
                );
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
            "move" | "forward" => return self.given(given, 0).map(Some),
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
}
