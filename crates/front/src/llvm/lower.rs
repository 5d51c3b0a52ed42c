//! From a module of LLVM IR to the kernel IR.

use super::around::{Around, Triple};
use super::cursor::{self, Parsed, Problem};
use super::launch;
use super::lexer::Token;
use super::module::{self, Module};
use super::types::{Scalar, Type};
use super::unit;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{
    self, BARRIER_BYTES, Content, Kernel, Machine, ObjectId, Operand, Passed, Place, Space, Style,
    window,
};
use tidegate_model::ordered::OrderedMap;

fn triple(text: &str) -> Triple {
    match text {
        text if text.starts_with("nvptx") => Triple::Nvidia,
        text if text.starts_with("spir") => Triple::Spir,
        _ => Triple::Amdgpu,
    }
}

/// Reads a module.
pub(super) fn read(text: &str) -> Parsed<ir::Module> {
    let tokens = cursor::tokens(text);
    let module = module::read(&tokens)?;
    let triple = match triple(module.triple) {
        // Without a triple, intrinsics say whose code it is.
        _ if module.triple.is_empty()
            && module.functions.iter().any(|one| one.name.starts_with("llvm.nvvm.")) =>
        {
            Triple::Nvidia
        }
        triple => triple,
    };
    let machine = match triple {
        _ if module.functions.iter().any(|one| is_library_barrier(one.name))
            && !module.functions.iter().any(|one| is_own_barrier(one.name)) =>
        {
            Machine::Opencl
        }
        Triple::Spir => Machine::Opencl,
        Triple::Nvidia => Machine::Nvidia,
        Triple::Amdgpu => Machine::Amdgpu,
    };
    let builder = Builder::new(machine, Style::Lanes);
    let recursive = recursive(&module, &tokens);
    let (globals, functions) = Default::default();
    let target = launch::target(&module, machine, &tokens);
    let launched = OrderedMap::new();
    let (mut has_marks, mut has_copies, mut has_tiles) = (false, false, false);
    for name in tokens.iter().filter_map(|token| token.text.strip_prefix("llvm.amdgcn.")) {
        has_marks |= name == "asyncmark";
        has_copies |= name.contains("async") && name.contains("lds");
        has_tiles |= name.starts_with("tensor.");
    }
    let mut around = Around {
        module,
        builder,
        triple,
        target,
        globals,
        launched,
        functions,
        recursive,
        has_marks,
        has_copies,
        has_tiles,
    };
    around.builder.module().target = target;
    around.globals();
    around.functions(&tokens)?;
    around.kernels(&tokens)?;
    Ok(around.builder.finish())
}

/// Barriers of OpenCL's library, as Clang mangles them.
pub(super) fn is_library_barrier(name: &str) -> bool {
    let Some((name, _)) = demangled(name) else { return false };
    matches!(
        name,
        "barrier"
            | "work_group_barrier"
            | "sub_group_barrier"
            | "wait_group_events"
            | "intel_work_group_barrier_arrive"
            | "get_local_id"
            | "get_global_id"
    )
}

/// Whether a function is an intrinsic of AMDGPU on barriers: then it is code for AMDGPU, whatever library it calls.
fn is_own_barrier(name: &str) -> bool {
    name.strip_prefix("llvm.amdgcn.s.").is_some_and(|name| name.contains("barrier"))
}

/// The name in `_Z7barrierj`, and what follows it.
pub(super) fn demangled(name: &str) -> Option<(&str, &str)> {
    prefixed(name.strip_prefix("_Z")?)
}

/// A part of a mangled name after its length, and what follows it.
pub(crate) fn prefixed(rest: &str) -> Option<(&str, &str)> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = rest.get(..digits)?.parse().ok()?;
    let end = digits.checked_add(length)?;
    Some((rest.get(digits..end)?, rest.get(end..)?))
}

impl<'a> Around<'a> {
    fn globals(&mut self) {
        let mut barriers = 1_u8;
        for at in 0..self.module.globals.len() {
            let global = &self.module.globals[at];
            let (name, place, of) = (global.name, global.place, global.of.clone());
            let space = match self.space(global.space) {
                Space::Generic | Space::Private if global.constant => Space::Constant,
                Space::Generic | Space::Private => Space::Global,
                other => other,
            };
            let (size, _) = self.module.types.size(&of);
            let generic = self.space(global.space) == Space::Generic;
            let id = self.builder.object(name, place, space, (size > 0).then_some(size));
            if let Type::Array(_, inner) = self.module.types.resolve(&of) {
                let element = self.module.types.size(inner).0;
                self.builder.module().objects[id as usize].element = Some(element);
            }
            let is_barrier = |of: &Type| match self.module.types.resolve(of) {
                Type::Barrier => true,
                Type::Array(_, inner) => **inner == Type::Barrier,
                Type::Struct(fields, _) => fields.first() == Some(&Type::Barrier),
                _ => false,
            };
            if is_barrier(&of) {
                self.builder.module().objects[id as usize].barrier = Some(barriers);
                let count = u8::try_from(size / BARRIER_BYTES).unwrap_or(u8::MAX);
                barriers = barriers.saturating_add(count.max(1));
            }
            let offset = if generic { window(space) as i64 } else { 0 };
            self.globals.insert(name, Operand::Object(id, offset));
        }
    }

    fn functions(&mut self, tokens: &[Token<'a>]) -> Parsed<()> {
        let defined: Vec<usize> = (0..self.module.functions.len())
            .filter(|&at| self.module.functions[at].body.is_some())
            .collect();
        for &at in &defined {
            let name = self.module.functions[at].name;
            let id = self.builder.function(ir::Function::default());
            self.functions.insert(name, id);
        }
        for &at in &defined {
            let id = self.functions[self.module.functions[at].name];
            let function = unit::lower(self, tokens, at)?;
            self.builder.replace(id, function);
        }
        Ok(())
    }

    /// The kernels: functions with the calling convention of kernels, or those that nothing calls.
    fn kernels(&mut self, tokens: &[Token<'a>]) -> Parsed<()> {
        let annotated = launch::annotated(&self.module, tokens);
        let defined = |function: &&module::Function<'_>| function.body.is_some();
        let is_kernel = |function: &module::Function<'_>| {
            function.is_kernel || annotated.iter().any(|(name, ..)| *name == function.name)
        };
        let all: Vec<usize> = (0..self.module.functions.len())
            .filter(|&at| defined(&&self.module.functions[at]))
            .collect();
        let mut kernels: Vec<usize> =
            all.iter().copied().filter(|&at| is_kernel(&self.module.functions[at])).collect();
        if kernels.is_empty() {
            let called = called(&self.module, tokens);
            let free = |at: &usize| {
                !called.iter().any(|(_, name)| *name == self.module.functions[*at].name)
            };
            kernels = all.into_iter().filter(free).collect();
        }
        if kernels.is_empty() {
            let message = String::from("this module defines no kernel");
            return Err(Problem::new(Place::default(), message));
        }
        for at in kernels {
            let kernel = self.kernel(at, tokens);
            self.builder.kernel(kernel);
        }
        Ok(())
    }

    fn kernel(&mut self, at: usize, tokens: &[Token<'a>]) -> Kernel {
        let facts = launch::facts(&self.module, at, tokens, self.target);
        let widths = unit::widths(self, &self.module.functions[at]);
        let mut arguments = Vec::new();
        for (index, scalars) in widths.into_iter().enumerate() {
            arguments.extend(self.argument(at, index, &scalars));
        }
        let function = &self.module.functions[at];
        let (name, place) = (String::from(function.name), function.place);
        let parameters = function.parameters.iter().enumerate();
        let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
        let unnamed = parameters.len() > 0
            && parameters.clone().all(|(_, one)| one.name.is_none_or(is_number));
        let parameters = parameters.map(|(index, one)| shown(one.name, index)).collect();
        let function = self.functions[function.name];
        Kernel { name, place, function, arguments, parameters, unnamed, facts }
    }

    /// The values of a parameter of a kernel.
    fn argument(&mut self, function: usize, index: usize, scalars: &[Scalar]) -> Vec<Operand> {
        let parameter = &self.module.functions[function].parameters[index];
        let (place, read_only, by_value) =
            (parameter.place, parameter.read_only, parameter.by_value.clone());
        let name = shown(parameter.name, index);
        let of = self.module.types.resolve(&parameter.of).clone();
        if let Type::Pointer(number) = of {
            let space = match self.space(number) {
                _ if by_value.is_some() => Space::Constant,
                Space::Generic | Space::Private => Space::Global,
                other => other,
            };
            let width = scalars
                .first()
                .map_or(64, |one| if let Scalar::Followed(bits) = one { *bits } else { 64 });
            let id: ObjectId = self.builder.object(&name, place, space, None);
            let pieces = by_value.map(|of| self.fields(&of, &name, place)).unwrap_or_default();
            let object = &mut self.builder.module().objects[id as usize];
            object.read_only = read_only;
            object.image = number == super::types::IMAGE;
            if !pieces.is_empty() {
                object.content = Content::Pieces(pieces);
            }
            let argument = self.builder.argument(&name, place, width, Passed::Object(id));
            return alloc::vec![Operand::Argument(argument)];
        }
        let followed = scalars.iter().filter_map(|scalar| match scalar {
            Scalar::Followed(bits) => Some(*bits),
            Scalar::Data(_) => None,
        });
        let single = scalars.len() == 1;
        followed
            .enumerate()
            .map(|(at, bits)| {
                let name = if single { name.clone() } else { format!("{name}.{at}") };
                let passed = if bits == 1 { Passed::Data } else { Passed::Integer };
                Operand::Argument(self.builder.argument(&name, place, bits, passed))
            })
            .collect()
    }

    /// The pointers and integers of a structure that the host passes by value.
    fn fields(&mut self, of: &Type, name: &str, place: Place) -> Vec<(u32, u8, Operand)> {
        let mut pieces = Vec::new();
        for (offset, scalar) in self.module.types.scalars(of) {
            let Scalar::Followed(bits) = scalar else { continue };
            let shown = if offset == 0 { String::from(name) } else { format!("{name}+{offset}") };
            let argument = match *self.module.types.at(of, offset) {
                Type::Pointer(number) => {
                    let space = match self.space(number) {
                        Space::Generic | Space::Private => Space::Global,
                        other => other,
                    };
                    self.builder.pointer(&shown, place, bits, space)
                }
                _ => self.builder.argument(&shown, place, bits, Passed::Integer),
            };
            pieces.push((offset as u32, bits.div_ceil(8), Operand::Argument(argument)));
        }
        pieces
    }
}

/// Calls between functions: by name which calls which.
fn called<'a>(module: &Module<'a>, tokens: &[Token<'a>]) -> Vec<(&'a str, &'a str)> {
    let mut calls = Vec::new();
    for function in module.functions.iter() {
        let Some(start) = function.body else { continue };
        let mut depth = 1_u32;
        for token in tokens.get(start..).unwrap_or_default() {
            match (token.kind, token.text) {
                (super::lexer::Kind::Mark, "{") => depth += 1,
                (super::lexer::Kind::Mark, "}") => depth -= 1,
                (super::lexer::Kind::Global, name) => calls.push((function.name, name)),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    calls.sort_unstable();
    calls.dedup();
    calls
}

/// The functions that can call themselves, in some steps.
fn recursive<'a>(module: &Module<'a>, tokens: &[Token<'a>]) -> Vec<&'a str> {
    let calls = called(module, tokens);
    let next = |name: &str| {
        let start = calls.partition_point(|(from, _)| *from < name);
        calls[start..]
            .iter()
            .take_while(move |(from, _)| *from == name)
            .map(|(_, to)| *to)
            .collect::<Vec<_>>()
    };
    let defined = module.functions.iter().filter(|function| function.body.is_some());
    let cycles = |name: &&str| {
        let (mut seen, mut open) = (Vec::new(), next(name));
        while let Some(one) = open.pop() {
            if one == *name {
                return true;
            }
            if !seen.contains(&one) {
                seen.push(one);
                open.extend(next(one));
            }
        }
        false
    };
    defined.map(|function| function.name).filter(cycles).collect()
}

/// The name of a parameter; its number if it has none.
fn shown(name: Option<&str>, index: usize) -> String {
    match name {
        Some(name) if !name.bytes().all(|byte| byte.is_ascii_digit()) => String::from(name),
        _ => format!("%{index}"),
    }
}
