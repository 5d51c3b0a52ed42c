//! Triton kernels with TLX, as people write them in Python: from the text to the kernel IR.
//!
//! Only functions with `@triton.jit` are read; of the rest of a file the constants, the configurations and the launches.
//! The operations are those of the document on barriers in TLX.

mod evaluate;
mod expression;
mod facts;
mod lexer;
mod lower;
mod parse;
mod pointers;
mod roles;
#[cfg(test)]
mod tests;
mod tlx;
mod tree;
mod value;

use crate::diagnostic::{Diagnostic, Span};
use crate::launching::{Launching, Parameter};
use alloc::string::String;
use alloc::vec::Vec;
use lower::{Frame, Lowering};
use parse::Wrong;
use roles::Bars;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{
    self, End, Kernel, Machine, Module, Operand, Passed, Space, Special, Style,
};
use tree::{Function, Kind, visit};
use value::{Host, Value};

/// Whether a line is one of a file with kernels of Triton.
pub(crate) fn shows(line: &str) -> bool {
    line.starts_with("@triton.jit")
        || line == "import triton"
        || line.starts_with("import triton.")
        || line.starts_with("from triton")
}

/// Reads a file and lowers the kernel that is judged.
///
/// # Errors
///
/// The first thing that keeps the kernel from being judged, with its place.
pub(crate) fn read(text: &str, launching: &Launching) -> Result<Module, Diagnostic> {
    module(text, launching).map_err(|(place, message)| {
        let before = text.get(..place.start as usize).unwrap_or("");
        let line = before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
        let column = before.chars().rev().take_while(|letter| *letter != '\n').count() as u32 + 1;
        let length = place.end.saturating_sub(place.start);
        Diagnostic::error("python", Span { start: place.start, length, line, column }, message)
    })
}

fn module(text: &str, launching: &Launching) -> Result<Module, Wrong> {
    let tokens = lexer::tokens(text);
    let functions = parse::functions(&tokens)?;
    let kernels: Vec<&Function<'_>> = kernels(&functions);
    let mut builder = Builder::new(Machine::Nvidia, Style::Lanes);
    let chosen = match &launching.entry {
        Some(entry) => kernels.iter().position(|one| one.name == entry),
        None => Some(0),
    };
    let Some(&kernel) = kernels.get(chosen.unwrap_or(0)) else {
        return Err((
            ir::Place::default(),
            String::from("the file has no function with `@triton.jit`"),
        ));
    };
    let (function, facts) = lowered(&mut builder, &functions, kernel, &tokens, launching)?;
    builder.function(function);
    for one in kernels {
        let mut made = Kernel { name: one.name.into(), place: one.place, ..Kernel::default() };
        made.parameters = one.parameters.iter().map(|parameter| parameter.name.into()).collect();
        made.facts = facts.clone();
        builder.kernel(made);
    }
    Ok(builder.finish())
}

/// Functions that no other one calls, in the order of the text.
fn kernels<'a, 't>(functions: &'a [Function<'t>]) -> Vec<&'a Function<'t>> {
    let mut called: Vec<&str> = Vec::new();
    for function in functions {
        visit(&function.body, &mut |one| {
            if let Kind::Call(of, _) = &one.kind
                && let Kind::Name(name) = of.kind
                && name != function.name
            {
                called.push(name);
            }
        });
    }
    let mut found: Vec<&Function<'_>> =
        functions.iter().filter(|one| !called.contains(&one.name)).collect();
    // Those that use TLX come first.
    let uses = |function: &Function<'_>| {
        let mut uses = false;
        visit(&function.body, &mut |one| uses |= matches!(one.kind, Kind::Name("tlx")));
        uses
    };
    found.sort_by_key(|one| !uses(one));
    found
}

fn lowered<'t>(
    builder: &mut Builder,
    functions: &[Function<'t>],
    kernel: &Function<'t>,
    tokens: &[lexer::Token<'t>],
    launching: &Launching,
) -> Result<(ir::Function, ir::Facts), Wrong> {
    let facts = facts::of(tokens, kernel);
    let globals = pointers::find(functions);
    let mut values = Vec::new();
    for (at, parameter) in kernel.parameters.iter().enumerate() {
        let given = launching.arguments.iter().find(|(known, _)| match known {
            Parameter::Name(name) => name == parameter.name,
            Parameter::Position(place) => *place == at,
        });
        let known = facts
            .values
            .get(parameter.name)
            .filter(|_| parameter.constant || parameter.default.is_some());
        let value = match given.map(|(_, value)| value).or(known) {
            Some(value) => Value::Int(*value),
            None if globals.contains(&(kernel.name, parameter.name)) => {
                let object = builder.object(parameter.name, parameter.place, Space::Global, None);
                builder.argument(parameter.name, parameter.place, 64, Passed::Object(object));
                Value::Global(object)
            }
            None if matches!(parameter.default.as_ref().map(|it| &it.kind), Some(Kind::None)) => {
                Value::None
            }
            None => Value::Host(Host { key: parameter.name.into(), known: None, local: false }, 0),
        };
        values.push((parameter.name, value));
    }
    let asked =
        launching.waves.map(i64::from).or_else(|| launching.threads.map(|it| it.all() / 32));
    let warps = asked.or(facts.warps).unwrap_or(4).clamp(1, 32);
    let uses_tensor_memory =
        tokens.iter().any(|token| token.text == "tmem" || token.text.starts_with("tcgen05"));
    let name = if uses_tensor_memory { "sm_100" } else { "sm_90" };
    builder.module().target = tidegate_model::target::TargetId::from_name(name);
    let mut lowering = Lowering::new(builder, functions, &facts, kernel);
    lowering.bars = Bars::of(functions);
    let first = || Frame::of(values.iter().cloned().collect());
    let mut agents = lowering.default_roles(kernel, warps);
    let mut blocks = Vec::new();
    while let Some(role) = agents.get(blocks.len()).cloned() {
        blocks.push(lowering.agent(kernel, role, first())?);
        for role in core::mem::take(&mut lowering.roles) {
            if !agents.contains(&role) {
                agents.push(role);
            }
        }
    }
    start(&mut lowering, &blocks);
    let threads = Some([blocks.len() as u32, 1, 1]);
    let facts =
        ir::Facts { threads, cluster: facts.cluster, lanes: Some(1), ..ir::Facts::default() };
    Ok((lowering.finish(), facts))
}

/// The first block: each agent continues in its own part.
fn start(lowering: &mut Lowering<'_, '_>, blocks: &[ir::BlockId]) {
    lowering.builder.go_to(0);
    lowering.assume_positive();
    let never = lowering.builder.block();
    let cases = (0..).zip(blocks).map(|(at, &block)| (at, lower::edge(block))).collect();
    let on = Operand::Special(Special::Wave);
    lowering.builder.end(End::Switch { on, cases, default: lower::edge(never) });
}
