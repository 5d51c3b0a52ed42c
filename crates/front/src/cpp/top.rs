//! The top level of a text, and the LLVM IR of its kernels and of everything that they use.

use super::launch::HostLaunch;
use super::lexer::{self, Kind};
use super::preprocess::Preprocessor;
use super::symbol::{Scope, Shape, Specifiers, Symbol};
use super::types::{INT, Type, Types};
use super::unit::{Line, Unit};
use super::{Advice, Dialect, Parsed, Problem, Written};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::compiled::debug::DebugLines;
use tidegate_lang::launching::Header;

/// Declarations that kernels use without declaring them.
const PRELUDE: &str = include_str!("prelude.h");
const OPENCL: &str = include_str!("opencl.h");
const AMDGPU_LAYOUT: &str = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32";

/// Compiles a text for a processor.
pub(super) fn compile(
    text: &str,
    headers: &[Header],
    dialect: Dialect,
    processor: &str,
) -> Parsed<Written> {
    let mut preprocessor = Preprocessor::new(headers);
    let read = unit(&mut preprocessor, text, dialect, processor).and_then(|mut unit| {
        unit.everything()?;
        unit.launched(unit.own)?;
        let functions = unit.compiled()?;
        Ok(unit.written(processor, functions))
    });
    read.map_err(|mut problem| {
        let header = problem.at.header.checked_sub(1);
        let header = header.and_then(|at| preprocessor.included.get(usize::from(at)));
        let Some(header) = header else { return problem };
        problem.message = format!("{}:{}: {}", header.name, problem.at.line, problem.message);
        problem.at = header.at;
        problem
    })
}

/// The launches in host code, as far as its declarations can be read.
pub(super) fn launches(
    text: &str,
    headers: &[Header],
    dialect: Dialect,
    processor: &str,
) -> Parsed<Vec<HostLaunch>> {
    let mut unit = unit(&mut Preprocessor::new(headers), text, dialect, processor)?;
    let _ = unit.everything().and_then(|()| unit.launched(unit.own));
    Ok(unit.host_launches())
}

/// The tokens of a text and of the prelude.
fn unit(
    preprocessor: &mut Preprocessor<'_>,
    text: &str,
    dialect: Dialect,
    processor: &str,
) -> Parsed<Unit> {
    let amdgpu = dialect != Dialect::Cuda;
    let kind = match dialect {
        Dialect::Opencl => String::new(),
        Dialect::Hip => format!(
            "#define __HIP__ 1\n#define __HIPCC__ 1\n#define __HIP_DEVICE_COMPILE__ 1\n#define __HIP_PLATFORM_AMD__ 1\n#define __AMDGCN__ 1\n#define __{processor}__ 1\n"
        ),
        Dialect::Cuda => {
            let version: String = processor.chars().filter(char::is_ascii_digit).collect();
            format!("#define __CUDA_ARCH__ {version}0\n#define __NVPTX__ 1\n")
        }
    };
    let prelude = match dialect {
        Dialect::Opencl => kind + OPENCL,
        _ => {
            let more = preprocessor.available.iter().map(|header| &*header.text);
            let texts: Vec<&str> = [text].into_iter().chain(more).collect();
            kind + PRELUDE + &super::before(&texts)
        }
    };
    let mut tokens = preprocessor.run(lexer::tokens(&prelude, 0))?;
    tokens.pop();
    let own = tokens.len();
    tokens.extend(preprocessor.run(lexer::tokens(text, 0))?);
    let opencl = dialect == Dialect::Opencl;
    let mut unit = Unit { tokens, amdgpu, opencl, ..Unit::default() };
    unit.operators = unit.tokens[own..]
        .windows(2)
        .any(|pair| pair[0].is("operator") && pair[1].text.starts_with(['+', '-', '*', '/', '%']));
    unit.types = Types { short: amdgpu, ..Types::default() };
    unit.missing = core::mem::take(&mut preprocessor.missing);
    unit.included = preprocessor.included.clone();
    unit.scopes.push(Scope::new());
    unit.declare("__amdgpu_named_workgroup_barrier_t".into(), Symbol::Type(Type::Barrier));
    for (name, amdgpu, nvidia) in [
        ("threadIdx", "workitem.id", "tid"),
        ("blockIdx", "workgroup.id", "ctaid"),
        ("blockDim", "workgroup.size", "ntid"),
        ("gridDim", "workgroup.count", "nctaid"),
    ] {
        if opencl {
            continue;
        }
        unit.declare(name.into(), Symbol::Axes(amdgpu, nvidia));
    }
    unit.pair()?;
    unit.own = own;
    Ok(unit)
}

impl Unit {
    /// Reads all declarations.
    fn everything(&mut self) -> Parsed<()> {
        while self.peek().kind != Kind::End {
            let before = self.at;
            if before <= self.own {
                self.own_structs = self.types.structs.len();
            }
            self.nested(Self::top)?;
            if self.at == before {
                return Err(self.unexpected("a declaration"));
            }
        }
        Ok(())
    }

    fn top(&mut self) -> Parsed<()> {
        let word = self.peek().clone();
        self.mark = word.at;
        match &*word.text {
            ";" | "}" => self.at += 1,
            "namespace" | "inline" if self.begins_namespace() => {
                while !self.is("{") {
                    self.at += 1;
                }
                self.at += 1;
            }
            "namespace" | "static_assert" => return self.passed_over(),
            "using" => return self.passed_over(),
            "extern" if self.ahead(1).kind == Kind::Text && self.ahead(2).is("{") => self.at += 3,
            "template" => match self.shape_of_template() {
                Shape::Host(end) => self.at = end,
                _ => return self.tolerated(|unit| unit.template(None)),
            },
            _ => match self.shape() {
                Shape::Host(end) => self.at = end,
                Shape::Function => return self.external(),
                Shape::Other => return self.tolerated(Self::external),
            },
        }
        Ok(())
    }

    /// `namespace a::b {`
    fn begins_namespace(&self) -> bool {
        let mut at = self.at;
        while self.tokens[at].kind == Kind::Word || self.tokens[at].is("::") {
            at += 1;
        }
        let all = &self.tokens[self.at..at];
        all.iter().any(|token| token.is("namespace")) && self.tokens[at].is("{")
    }

    /// The kind of the declaration after `template <…>`.
    pub(super) fn shape_of_template(&mut self) -> Shape {
        let start = self.at;
        let mut depth = 0_u32;
        self.at += 1;
        while self.peek().kind != Kind::End {
            match &*self.peek().text {
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                "(" => self.at = self.partner(self.at),
                _ => {}
            }
            if depth == 0 {
                break;
            }
            self.at += 1;
        }
        self.at += 1;
        let shape = self.shape();
        self.at = start;
        shape
    }

    /// Reads a declaration that may belong to the host. If it cannot be read, it is skipped.
    fn tolerated(&mut self, read: impl FnOnce(&mut Self) -> Parsed<()>) -> Parsed<()> {
        let (start, scopes) = (self.at, self.scopes.len());
        let end = self.end_of_declaration();
        let marked = ["__device__", "__global__", "__shared__", "__constant__"];
        let device = self.opencl
            || self.tokens[start..end].iter().any(|token| {
                marked.contains(&&*token.text) || token.is("device") || token.is("global")
            });
        match read(self) {
            Err(problem) if !device && problem.advise != Some(Advice::Name) => {
                self.scopes.truncate(scopes);
                self.at = end;
                Ok(())
            }
            other => other,
        }
    }

    fn end_of_declaration(&self) -> usize {
        let mut at = self.at;
        while self.tokens[at].kind != Kind::End {
            if self.tokens[at].is(";") {
                return at + 1;
            }
            at = if self.partners[at] > at { self.partners[at] + 1 } else { at + 1 };
        }
        at
    }

    fn external(&mut self) -> Parsed<()> {
        let specifiers = self.specifiers()?;
        let Some(base) = specifiers.of.clone() else { return Err(self.unexpected("a type")) };
        if self.eat(";") {
            return Ok(());
        }
        loop {
            let (Some(name), of) = self.declarator(base.clone(), specifiers.space)? else {
                return Err(self.unexpected("a name"));
            };
            if self.is("::") {
                return Err(self.unsupported("a member that is defined outside its structure"));
            }
            if self.is("(") && !specifiers.shared && !specifiers.alias {
                return self.function(&specifiers, name, of, None).map(drop);
            }
            if specifiers.alias {
                self.declare(name, Symbol::Type(of));
            } else {
                self.external_variable(&specifiers, name, of)?;
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")
    }

    fn external_variable(
        &mut self,
        specifiers: &Specifiers,
        name: alloc::rc::Rc<str>,
        of: Type,
    ) -> Parsed<()> {
        let specifiers = &self.in_space(specifiers, &of);
        let memory = specifiers.shared || specifiers.constant && !self.opencl;
        let constant = specifiers.fixed && !memory;
        if constant && of.value().is_number() && self.is("=") {
            self.at += 1;
            if matches!(of, Type::Float(_)) {
                self.skip_initializer();
                self.declare(name, Symbol::Value(Self::zero(of)));
                return Ok(());
            }
            let value = self.constant()?;
            let of = if of == Type::Auto { INT } else { of };
            self.declare(name, Symbol::Value(Self::integer(value, of)));
            return Ok(());
        }
        let specifiers =
            Specifiers { constant: specifiers.constant || constant, ..specifiers.clone() };
        if !memory && !constant && !specifiers.device {
            // A variable of the host.
            self.skip_initializer();
            return Ok(());
        }
        self.global_variable(&specifiers, &name, of)
    }

    /// Writes the instances of kernel templates that the host launches: `k<256><<<…>>>`.
    fn launched(&mut self, own: usize) -> Parsed<()> {
        for at in own..self.tokens.len() {
            let launch = |at: usize| {
                ["<<", "<"].iter().zip(at..).all(|(mark, at)| self.tokens[at].is(mark))
                    && self.tokens[at + 1].glued
            };
            if self.tokens[at].kind != Kind::Word || !self.tokens[at + 1].is("<") {
                continue;
            }
            let mut end = at + 2;
            while end + 2 < self.tokens.len() && end < at + 64 && !launch(end) {
                end += 1;
            }
            if end + 2 < self.tokens.len() && launch(end) && self.tokens[end - 1].is(">") {
                self.kernel_instance(at + 1)?;
            }
        }
        Ok(())
    }

    /// The lines of all kernels, and of the functions that they call.
    fn compiled(&mut self) -> Parsed<Vec<Line>> {
        for at in 0..self.functions.len() {
            let one = &self.functions[at];
            if one.kernel && one.template.is_none() && one.body.is_some() {
                self.called(at);
            }
        }
        if self.queue.is_empty() {
            // A kernel template without an instance in the text is instantiated with its defaults.
            for at in 0..self.functions.len() {
                let one = &self.functions[at];
                if one.kernel && one.template.is_some() {
                    let instance = self.instance(at, Vec::new())?;
                    self.called(instance);
                }
            }
        }
        if self.queue.is_empty() {
            return Err(Problem::at(self.peek(), "the text defines no kernel"));
        }
        self.queue.reverse();
        let mut lines = Vec::new();
        while let Some(at) = self.queue.pop() {
            lines.extend(self.write(at)?);
        }
        Ok(lines)
    }

    fn written(mut self, processor: &str, functions: Vec<Line>) -> Written {
        let mut code = match self.amdgpu {
            true => format!(
                "target datalayout = \"{AMDGPU_LAYOUT}\"\ntarget triple = \"amdgcn-amd-amdhsa\"\n"
            ),
            false => String::from("target triple = \"nvptx64-nvidia-cuda\"\n\n"),
        };
        code += &format!("attributes #0 = {{ \"target-cpu\"=\"{processor}\" }}\n");
        if self.opencl {
            // A module with this function uses the barriers of OpenCL.
            code += "declare void @_Z7barrierj(i32)\n";
        }
        code += "!1 = !{!\"amdgpu-synchronize-as\", !\"local\"}\n\
                 !2 = !{!\"amdgpu-synchronize-as\", !\"global\"}\n!3 = !{!1, !2}\n";
        let mut positions = Vec::new();
        let launches = self.host_launches();
        self.body.called_at = None;
        let mut number = code.lines().count() as u32;
        for line in self.globals.iter().chain(&functions) {
            number += 1;
            let at = self.in_text(line.at);
            positions.push((number, at.line, at.column));
            code += &line.text;
            code.push('\n');
        }
        Written { launches, code, lines: DebugLines::of_positions(positions) }
    }
}
