//! Calls: functions of the module, intrinsics, library functions and inline assembly.

use super::around::Triple;
use super::cursor::{Cursor, Parsed};
use super::lexer::Kind as Token;
use super::module::skip_to_type;
use super::types::{self, Scalar, Type};
use super::unit::Unit;
use super::value::ones;
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Comparison, Kind, Nvidia, NvidiaKind, Op, Operand, Space};
use tidegate_model::mem::operation::{Fence, Scope};
use tidegate_model::ptx::action::Spelling;

/// Words that begin a constant.
const CONSTANTS: [&str; 18] = [
    "true",
    "false",
    "null",
    "undef",
    "poison",
    "zeroinitializer",
    "none",
    "getelementptr",
    "addrspacecast",
    "ptrtoint",
    "inttoptr",
    "bitcast",
    "splat",
    "add",
    "sub",
    "trunc",
    "ptrtoaddr",
    "xor",
];

/// An argument of a call: its type and the values of its scalars.
pub(super) struct Argument {
    pub(super) of: Type,
    pub(super) values: Vec<Operand>,
}

/// A call: what is called, its result and its arguments.
pub(super) struct Call<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) of: Type,
    pub(super) arguments: Vec<Argument>,
}

impl Call<'_> {
    /// The value of an argument of one scalar.
    pub(super) fn value(&self, at: usize) -> Operand {
        let argument = self.arguments.get(at);
        argument.and_then(|one| one.values.first()).copied().unwrap_or(Operand::Data)
    }

    /// An argument that must be constant.
    pub(super) fn constant(&self, at: usize) -> Option<u64> {
        match self.value(at) {
            Operand::Int(value) => Some(value),
            _ => None,
        }
    }
}

/// The maximum number of bytes of a copy that is followed.
const MOST_FOLLOWED: u32 = 128;

/// The sizes of the parts of some bytes that registers hold.
fn parts(bytes: u32) -> Vec<u8> {
    let mut parts = alloc::vec![8; bytes as usize / 8];
    parts.extend([4, 2, 1].into_iter().filter(|part| bytes & u32::from(*part) != 0));
    parts
}

/// The space of a pointer argument.
pub(super) fn space_of(argument: Option<&Argument>) -> Option<u32> {
    match argument.map(|one| &one.of) {
        Some(Type::Pointer(space)) => Some(*space),
        _ => None,
    }
}

impl<'a> Unit<'_, 'a> {
    pub(super) fn call(
        &mut self,
        cursor: &mut Cursor<'_, 'a>,
        name: Option<&'a str>,
    ) -> Parsed<()> {
        skip_to_type(cursor)?;
        let of = types::read(cursor)?;
        if cursor.is("asm") {
            return self.assembly(cursor, name, of);
        }
        let callee = cursor.take();
        if matches!(callee.text, "null" | "undef" | "poison") && callee.kind == Token::Word {
            let why = format!("`{}` is called, but is not a function", callee.text);
            self.unknown(why, name, &of);
            return Ok(());
        }
        if !matches!(callee.kind, Token::Global | Token::Local) {
            cursor.at -= 1;
            return Err(cursor.unexpected("the name of a function"));
        }
        let of = match of {
            Type::Other => Type::Void,
            other => other,
        };
        let arguments = self.arguments(cursor)?;
        let call = Call { name, of, arguments };
        match callee.kind {
            Token::Global => self.direct(callee.text, &call),
            _ => {
                let why = format!("it is not known which function `%{}` calls", callee.text);
                self.unknown(why, name, &call.of);
            }
        }
        Ok(())
    }

    pub(super) fn arguments(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<Vec<Argument>> {
        cursor.expect("(")?;
        let mut arguments = Vec::new();
        while !cursor.eat(")") {
            if cursor.eat(",") {
                continue;
            }
            let of = types::read(cursor)?;
            if of == Type::Other {
                while !matches!(cursor.peek().text, "," | ")") && !cursor.at_line_end() {
                    match cursor.is("(") {
                        true => cursor.skip_group(),
                        false => cursor.at += 1,
                    }
                }
                arguments.push(Argument { of, values: Vec::new() });
                continue;
            }
            loop {
                let token = cursor.peek();
                match token.kind {
                    Token::Word if !CONSTANTS.contains(&token.text) => cursor.at += 1,
                    // `align 4`
                    Token::Number if cursor.ahead(1).kind != Token::Mark => cursor.at += 1,
                    Token::Mark if token.text == "(" => cursor.skip_group(),
                    _ => break,
                }
            }
            let values = self.value(cursor, &of)?;
            arguments.push(Argument { of, values });
        }
        Ok(arguments)
    }

    fn direct(&mut self, callee: &'a str, call: &Call<'a>) {
        if let Some(&function) = self.around.functions.get(callee) {
            return self.defined(callee, function, call);
        }
        let done = if let Some(intrinsic) = callee.strip_prefix("llvm.") {
            self.intrinsic(intrinsic, call)
        } else {
            self.library(callee, call)
        };
        if !done {
            self.undefined(callee, call);
        }
    }

    fn defined(&mut self, callee: &str, function: u32, call: &Call<'a>) {
        if self.around.recursive.contains(&callee) {
            let why = format!("`{callee}` can call itself, and recursion is not modelled");
            return self.unknown(why, call.name, &call.of);
        }
        let types = &self.around.module.types;
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            let scalars = types.scalars(&argument.of);
            let pairs = scalars.iter().zip(&argument.values);
            let followed = pairs.filter(|((_, one), _)| matches!(one, Scalar::Followed(_)));
            arguments.extend(followed.map(|(_, value)| *value));
        }
        let results = call.name.map(|name| self.registers(name, &call.of)).unwrap_or_default();
        let results = results.into_iter().flatten().collect();
        self.code.push(Kind::Call { function, arguments, results });
    }

    /// A function that this module only declares: it computes, if its attributes say that it accesses no memory.
    fn undefined(&mut self, callee: &str, call: &Call<'a>) {
        if callee == super::NO_ORDER {
            let why = "an operand changes a variable that another operand uses, and the language gives them no order";
            return self.unknown(why.into(), call.name, &call.of);
        }
        let module = &self.around.module;
        let declared = module.function(callee);
        let memory = declared.and_then(|function| {
            module
                .attribute(function, "memory")
                .or_else(|| module.attribute(function, "readnone").map(|_| "none"))
        });
        let convergent =
            declared.is_some_and(|function| module.attribute(function, "convergent").is_some());
        match memory {
            Some("none") if !convergent || callee.starts_with("llvm.") => {
                self.define(call.name, &call.of, &[]);
                self.around.builder.ignore(callee, tidegate_kernel::ir::Place::default());
            }
            Some("none") => self.define(call.name, &call.of, &[]),
            _ => {
                let why =
                    format!("`{callee}` is not modelled: it may access memory or synchronise");
                self.unknown(why, call.name, &call.of);
            }
        }
    }

    /// Intrinsics of every target; then those of one.
    fn intrinsic(&mut self, name: &str, call: &Call<'a>) -> bool {
        let base = name.split('.').next().unwrap_or_default();
        let op = match base {
            "smax" => Some(Op::MaxSigned),
            "smin" => Some(Op::MinSigned),
            "umax" => Some(Op::MaxUnsigned),
            "umin" => Some(Op::MinUnsigned),
            "ctpop" => Some(Op::CountOnes),
            "ctlz" => Some(Op::CountLeadingZeros),
            "cttz" => Some(Op::CountTrailingZeros),
            "bitreverse" => Some(Op::Reverse),
            _ => None,
        };
        match base {
            _ if op.is_some() => {
                let (Some(op), [one, ..]) = (op, &call.arguments[..]) else { return true };
                let binary =
                    matches!(op, Op::MaxSigned | Op::MinSigned | Op::MaxUnsigned | Op::MinUnsigned);
                let empty = Vec::new();
                let other = call.arguments.get(1).map_or(&empty, |one| &one.values);
                let registers =
                    call.name.map(|name| self.registers(name, &call.of)).unwrap_or_default();
                for (at, to) in registers.into_iter().enumerate() {
                    let (Some(to), Some(&value)) = (to, one.values.get(at)) else { continue };
                    match (binary, other.get(at)) {
                        (true, Some(&other)) => self.code.compute_to(to, op, &[value, other]),
                        _ => self.code.compute_to(to, op, &[value]),
                    }
                }
                true
            }
            "fshl" | "fshr" => self.funnel(base == "fshl", call),
            // The larger of the two numbers, less the second.
            "usub" if name.starts_with("usub.sat") && matches!(call.of, Type::Int(_)) => {
                let (Some(to), Type::Int(bits)) = (self.target(call.name, &call.of), &call.of)
                else {
                    return true;
                };
                let bits = (*bits).min(64) as u8;
                let (one, other) = (call.value(0), call.value(1));
                let larger = self.code.compute(bits, Op::MaxUnsigned, &[one, other]);
                self.code.compute_to(to, Op::Sub, &[larger, other]);
                true
            }
            "sadd" | "ssub" | "smul" | "uadd" | "usub" | "umul" | "sshl" | "ushl"
                if name.contains(".sat") || name.contains(".fix") =>
            {
                self.define(call.name, &call.of, &[]);
                true
            }
            "abs" => {
                if let (Some(to), Type::Int(bits)) = (self.target(call.name, &call.of), &call.of) {
                    let bits = (*bits).min(64) as u8;
                    let zero = Operand::Int(0);
                    let negative = self.code.compute(
                        1,
                        Op::Compare(Comparison::Slt, bits),
                        &[call.value(0), zero],
                    );
                    let other = self.code.compute(bits, Op::Sub, &[zero, call.value(0)]);
                    self.code.compute_to(to, Op::Select, &[negative, other, call.value(0)]);
                } else {
                    self.define(call.name, &call.of, &[]);
                }
                true
            }
            "assume" | "readcyclecounter" | "readsteadycounter" | "lifetime" | "dbg"
            | "experimental" | "donothing" | "sideeffect" | "prefetch" | "invariant"
            | "annotation" | "pseudoprobe" | "trap" | "debugtrap" | "ubsantrap" => true,
            "expect" | "launder" | "strip" | "ptr" | "ssa" => {
                let value =
                    call.arguments.first().map(|one| one.values.clone()).unwrap_or_default();
                self.define(call.name, &call.of, &value);
                true
            }
            "memcpy" | "memmove" | "memset" => self.copy(base, call),
            "amdgcn" => name.strip_prefix("amdgcn.").is_some_and(|name| self.amdgcn(name, call)),
            "nvvm" => name.strip_prefix("nvvm.").is_some_and(|name| self.nvvm(name, call)),
            _ => false,
        }
    }

    fn funnel(&mut self, left: bool, call: &Call<'a>) -> bool {
        let (Some(to), Type::Int(bits)) = (self.target(call.name, &call.of), &call.of) else {
            self.define(call.name, &call.of, &[]);
            return true;
        };
        let bits = *bits as u8;
        let [high, low, by] = [0, 1, 2].map(|at| call.value(at));
        let mask = Operand::Int(u64::from(bits) - 1);
        let by = self.code.compute(bits, Op::And, &[by, mask]);
        if left {
            // A shift to the left by n is one to the right by the width minus n; by none it gives the high operand.
            let back = self.code.compute(bits, Op::Sub, &[Operand::Int(u64::from(bits)), by]);
            let moved = self.code.compute(bits, Op::Funnel, &[high, low, back]);
            let none =
                self.code.compute(1, Op::Compare(Comparison::Eq, bits), &[by, Operand::Int(0)]);
            self.code.compute_to(to, Op::Select, &[none, high, moved]);
        } else {
            self.code.compute_to(to, Op::Funnel, &[high, low, by]);
        }
        true
    }

    fn copy(&mut self, base: &str, call: &Call<'a>) -> bool {
        let space = |argument: Option<&Argument>| match argument.map(|one| &one.of) {
            Some(Type::Pointer(space)) => self.around.space(*space),
            _ => Space::Generic,
        };
        let (to, from) = (space(call.arguments.first()), space(call.arguments.get(1)));
        let bytes = call.constant(2).unwrap_or(1).min(1 << 30) as u32;
        let anywhere = call.constant(2).is_none();
        // The contents of private memory are followed.
        let parts = if anywhere || bytes > MOST_FOLLOWED { Vec::new() } else { parts(bytes) };
        let mut values = Vec::new();
        if base == "memset" {
            let byte = call.constant(1).map(|byte| u64::from(byte as u8) * 0x0101_0101_0101_0101);
            values.extend(byte.iter().flat_map(|&byte| {
                parts.iter().map(move |&part| (Operand::Int(byte & ones(part * 8)), part))
            }));
        } else {
            let to: Vec<u32> = parts.iter().map(|&part| self.code.register(part * 8)).collect();
            values.extend(to.iter().map(|&register| Operand::Register(register)).zip(parts));
            let mut read = Access::load(call.value(1), from, bytes, to);
            read.anywhere = anywhere;
            self.code.access(read);
        }
        let mut write = Access::store(call.value(0), to, bytes, values);
        write.anywhere = anywhere;
        self.code.access(write);
        true
    }

    /// A fence, as the machine of the module understands it.
    pub(super) fn fence_of(&mut self, fence: Fence) {
        if self.around.triple != Triple::Nvidia {
            return self.code.push(Kind::Fence(fence));
        }
        let cluster = fence.scope > Scope::Workgroup;
        let kind = NvidiaKind::Fence { release: fence.release, acquire: fence.acquire, cluster };
        self.nvidia(kind, Vec::new(), Vec::new());
    }

    pub(super) fn nvidia(&mut self, kind: NvidiaKind, operands: Vec<Operand>, results: Vec<u32>) {
        let spelling = Spelling::Ptx(0);
        self.code.push(Kind::Nvidia(Nvidia { kind, operands, results, spelling }));
    }
}
