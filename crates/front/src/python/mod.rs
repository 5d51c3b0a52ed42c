//! Triton kernels with TLX, written in Python: from the text to the kernel IR.
//!
//! The reader executes the tokens of a kernel once for each task and builds its code. Each task is an agent of one lane,
//! because a task executes as one program. Loops over known tuples and `static_range` are unrolled, helper functions are
//! expanded where they are called.

mod call;
mod config;
mod control;
mod expression;
mod gluon;
mod lexer;
mod memory;
mod statement;
mod tasks;
#[cfg(test)]
mod tests;
mod tlx;
mod value;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use lexer::{Kind as Is, Token};
use tidegate_kernel::builder::{Builder, FunctionBuilder};
use tidegate_kernel::ir::{
    ArgumentId, BlockId, Edge, End, Facts, Kernel, Kind, Machine, Module, Nvidia, NvidiaKind,
    Operand, Passed, Place, Reg, Space, Special, Style,
};
use tidegate_lang::compiled::Code;
use tidegate_lang::diagnostic::{Diagnostic, Span};
use tidegate_lang::launching::Parameter;
use tidegate_model::ptx::action::{Bar, Spelling};
use tidegate_model::target::TargetId;
use value::Value;

/// The first thing that keeps a kernel from being judged, and its place.
type Done<T> = Result<T, (Place, String)>;

/// The named barrier at which tasks start and end.
const GATHER: u64 = 15;
/// The maximum number of tasks of a kernel.
const MOST_TASKS: usize = 32;

/// A task of `async_tasks`: the token of its `with`, and its replica. The default task has no token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Task {
    token: Option<usize>,
    replica: i64,
    warps: i64,
}

/// A loop around the statement that is read.
#[derive(Clone, Copy, Debug)]
struct Loop {
    /// Where `continue` and `break` go to; `None` for a loop that is unrolled.
    to: Option<[BlockId; 2]>,
    /// Blocks that the execution decides around it.
    choices: usize,
    /// Whether `break` or `continue` has ended a round of an unrolled loop, and `break` the loop.
    ended: Option<bool>,
}

/// The state of the reading.
struct Reader<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
    module: Builder,
    builder: FunctionBuilder,
    /// The functions with `@triton.jit`, by name: the token after it.
    functions: BTreeMap<&'t str, usize>,
    /// Names of modules that the file imports, with the last parts of their paths.
    modules: BTreeMap<&'t str, &'t str>,
    target: &'static str,
    /// Whether the file gives the bytes of copies as those of blocks of descriptors.
    blocks: bool,
    /// Constants of the file.
    globals: BTreeMap<&'t str, i64>,
    variables: BTreeMap<&'t str, Value>,
    /// Variables that blocks around the statement assign.
    fixed: BTreeMap<&'t str, Reg>,
    tasks: Vec<Task>,
    /// The number of the task that is read.
    task: usize,
    /// Warps of the task at this place.
    warps: i64,
    inside: bool,
    /// Allocations by the tokens of their calls, and of the calls around them.
    allocations: BTreeMap<Vec<usize>, Value>,
    path: Vec<usize>,
    /// Arguments of the host by name.
    hosts: BTreeMap<String, ArgumentId>,
    /// Warps of the tasks that use each named barrier.
    named: BTreeMap<i64, i64>,
    returned: Option<Value>,
    /// For each call of a function of the file, the open blocks around it.
    frames: Vec<usize>,
    /// Open blocks that the execution decides.
    choices: usize,
    /// Open loops of the function that is read.
    loops: Vec<Loop>,
    /// Whether the execution has left the block that is read.
    left: bool,
    /// Constants of the kernel without a value.
    constants: Vec<&'t str>,
    depth: usize,
    steps: usize,
    effects: usize,
}

/// Reads a file and builds the chosen kernel.
///
/// # Errors
///
/// The first thing that keeps the kernel from being judged, with its place.
pub(super) fn read(code: &Code) -> Result<Module, Diagnostic> {
    module(code).map_err(|(place, message)| {
        let before = code.text.get(..place.start as usize).unwrap_or("");
        let line = before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
        let column = before.chars().rev().take_while(|letter| *letter != '\n').count() as u32 + 1;
        let length = place.end.saturating_sub(place.start);
        Diagnostic::error("python", Span { start: place.start, length, line, column }, message)
    })
}

fn module(code: &Code) -> Done<Module> {
    if code.launching.sizes_group() {
        let message = "the tasks of a TLX kernel have the warps that the text gives: leave `threads` and `warps` out";
        return Err((Place::default(), String::from(message)));
    }
    let tokens = lexer::tokens(&code.text);
    let functions = functions(&tokens);
    let nothing = "the file has no function with `@triton.jit`";
    let place_of =
        |at: usize| tokens.get(at.saturating_sub(1)).map_or(Place::default(), |one| one.place);
    let body = |at: usize| {
        let ends = functions.iter().map(|(_, one)| *one).filter(|one| *one > at).min();
        tokens.get(at..ends.unwrap_or(tokens.len())).unwrap_or(&[])
    };
    // A kernel that no other function calls comes first, if it has tasks or barriers or calls a function with some.
    // A partition of `warp_specialize` is only named.
    let calls = |at: usize, name: &str| {
        body(at).windows(2).any(|two| two[0].text != "def" && two[1].text == name)
    };
    let mut has: Vec<[bool; 2]> = functions
        .iter()
        .map(|(_, at)| {
            [
                &["async_tasks", "warp_specialize"][..],
                &["tlx", "mbarrier", "tma", "tdm", "async_copy"],
            ]
            .map(|words| body(*at).iter().any(|it| words.contains(&it.text)))
        })
        .collect();
    for _ in 0..3 {
        for one in 0..functions.len() {
            for other in 0..functions.len() {
                if one != other && calls(functions[one].1, functions[other].0) {
                    has[one] = [0, 1].map(|word| has[one][word] || has[other][word]);
                }
            }
        }
    }
    let is_called = |name: &str| functions.iter().any(|(_, at)| calls(*at, name));
    let weight = |one: usize| (has[one][0], !is_called(functions[one].0), has[one][1]);
    let entry = code.launching.entry.as_deref();
    let mut order: Vec<usize> = (0..functions.len()).collect();
    order.sort_by_key(|one| core::cmp::Reverse(weight(*one)));
    // Functions that others call, and kernels without barriers in a file with some, are no kernels to judge.
    let named = |one: usize| code.launching.entry.as_deref() == Some(functions[one].0);
    let shared = order.iter().any(|one| has[*one][1]);
    let kernels = |one: &usize| !is_called(functions[*one].0) && (has[*one][1] || !shared);
    if order.iter().any(kernels) {
        order.retain(|one| kernels(one) || named(*one));
    }
    let order: Vec<(&str, usize)> = order.into_iter().map(|one| functions[one]).collect();
    let chosen = order.iter().find(|(name, _)| entry.is_none_or(|entry| entry == *name));
    let Some(&(name, start)) = chosen.or(order.first()) else {
        return Err((Place::default(), String::from(nothing)));
    };
    let place = place_of(start);
    let mut reader = Reader {
        tokens: &tokens,
        at: start,
        module: Builder::new(Machine::Nvidia, Style::Lanes),
        builder: FunctionBuilder::new(name, place),
        functions: functions.iter().copied().collect(),
        modules: modules(&tokens),
        target: target(&tokens),
        blocks: blocks(&tokens),
        globals: globals(&tokens),
        variables: BTreeMap::new(),
        fixed: BTreeMap::new(),
        tasks: alloc::vec![Task { warps: 4, ..Task::default() }],
        task: 0,
        warps: 4,
        inside: false,
        allocations: BTreeMap::new(),
        path: Vec::new(),
        hosts: BTreeMap::new(),
        named: BTreeMap::new(),
        returned: None,
        frames: Vec::new(),
        choices: 0,
        loops: Vec::new(),
        left: false,
        constants: Vec::new(),
        depth: 0,
        steps: 0,
        effects: 0,
    };
    // The compiler adds fences of proxies.
    reader.module.module().fences_proxies = true;
    let pointers = pointers(&tokens);
    let (parameters, variables) = reader.parameters(code, &pointers, name, place)?;
    let body = reader.at;
    let mut blocks = Vec::new();
    while blocks.len() < reader.tasks.len() {
        reader.task = blocks.len();
        let block = reader.builder.block();
        reader.builder.at(place);
        reader.builder.go_to(block);
        reader.at = body;
        reader.variables.clone_from(&variables);
        reader.fixed.clear();
        (reader.warps, reader.inside, reader.returned) = (reader.tasks[0].warps, false, None);
        reader.left = false;
        reader.block()?;
        reader.builder.end(End::Return(Vec::new()));
        blocks.push(block);
    }
    reader.builder.go_to(0);
    let edge = |&to: &u32| Edge { to, moves: Vec::new() };
    let cases = (0..).zip(blocks.iter().map(edge)).collect();
    let default = Edge { to: reader.builder.block(), moves: Vec::new() };
    reader.builder.end(End::Switch { on: Operand::Special(Special::Wave), cases, default });
    reader.module.module().target = TargetId::from_name(reader.target);
    let threads = Some([blocks.len() as u32, 1, 1]);
    let function = reader.module.function(reader.builder.finish());
    let facts = Facts { threads, lanes: Some(1), ..Facts::default() };
    for (other, at) in order {
        let own = other == name;
        reader.module.kernel(Kernel {
            name: other.into(),
            place: place_of(at),
            function,
            parameters: if own { parameters.clone() } else { Vec::new() },
            facts: facts.clone(),
            ..Kernel::default()
        });
    }
    Ok(reader.module.finish())
}

/// The oldest processor that has the operations of a file.
fn target(tokens: &[Token<'_>]) -> &'static str {
    let has = |words: &[&str]| tokens.iter().any(|it| words.contains(&it.text));
    match has(&["amd", "gfx1250", "cdna4", "cdna5"]) {
        true if has(&gluon::OF_CDNA4) => "gfx950",
        true => "gfx1250",
        false if has(&["tmem"]) || tokens.iter().any(|it| it.text.starts_with("tcgen05")) => {
            "sm_100"
        }
        false => "sm_90",
    }
}

/// The functions with `@triton.jit`, with the token after the name, in the order of the text.
fn functions<'t>(tokens: &[Token<'t>]) -> Vec<(&'t str, usize)> {
    let mut found = Vec::new();
    let mut is_kernel = false;
    for (at, two) in tokens.windows(2).enumerate() {
        match two[0].text {
            "jit" if at > 0 && matches!(tokens[at - 1].text, "." | "@") => is_kernel = true,
            "def" if two[0].kind == Is::Name && core::mem::take(&mut is_kernel) => {
                found.push((two[1].text, at + 2));
            }
            _ => {}
        }
    }
    found
}

/// Modules that are known by their usual names even if the text has no import.
const MODULES: [(&str, &str); 14] = [
    ("tl", "language"),
    ("gl", "language"),
    ("ttgl", "language"),
    ("tlx", "tlx"),
    ("triton", "triton"),
    ("gluon", "triton"),
    ("libdevice", "libdevice"),
    ("torch", "torch"),
    ("math", "math"),
    ("mbarrier", "mbarrier"),
    ("tma", "tma"),
    ("tdm", "tdm"),
    ("async_copy", "async_copy"),
    ("cp", "async_copy"),
];

/// Names that the file imports, with the last parts of their paths.
fn modules<'t>(tokens: &[Token<'t>]) -> BTreeMap<&'t str, &'t str> {
    let mut found: BTreeMap<&str, &str> = MODULES.into_iter().collect();
    for line in tokens.split(|token| token.kind == Is::Line) {
        let imports = line.iter().position(|token| token.text == "import");
        let begins = |token: &Token<'_>| matches!(token.text, "import" | "from");
        let Some(at) = imports.filter(|_| line.iter().take(2).any(begins)) else { continue };
        let (mut last, mut path) = ("", "");
        for token in line.get(at + 1..).unwrap_or(&[]) {
            match token.text {
                "as" => path = last,
                "," | "(" | ")" | "." => {
                    if !last.is_empty() && token.text != "." {
                        found.insert(last, if path.is_empty() { last } else { path });
                        path = "";
                    }
                }
                text => last = text,
            }
        }
        if !last.is_empty() {
            found.insert(last, if path.is_empty() { last } else { path });
        }
    }
    found
}

/// Whether all calls of `expect` give the bytes of blocks.
fn blocks(tokens: &[Token<'_>]) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.text == text);
    let calls = (0..tokens.len()).filter(|&at| is(at, "expect") && is(at + 1, "("));
    let mut all = calls.map(|at| {
        let rest = tokens.get(at..).unwrap_or(&[]).iter();
        rest.take_while(|token| token.kind != Is::Line)
            .any(|token| token.text.starts_with("nbytes"))
    });
    all.next().is_some_and(|first| first && all.all(|one| one))
}

/// Names that the file sets to an integer outside of functions.
fn globals<'t>(tokens: &[Token<'t>]) -> BTreeMap<&'t str, i64> {
    let mut found = BTreeMap::new();
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(token.kind == Is::Open) - i32::from(token.kind == Is::Close);
        let first = at == 0 || matches!(tokens[at - 1].kind, Is::Line | Is::Close);
        let Some(rest) = tokens.get(at + 1..).filter(|_| depth == 0 && first) else { continue };
        let line: Vec<&Token<'_>> =
            rest.iter().take(12).take_while(|one| one.kind != Is::Line).collect();
        let value = match &line[..] {
            [is, .., value, close] if is.text == ":" && close.text == ")" => value,
            [sets, value] if sets.text == "=" => value,
            [sets, of, open, value, _]
                if sets.text == "=" && open.text == "(" && of.text == "constexpr" =>
            {
                value
            }
            [sets, _, _, of, open, value, _]
                if sets.text == "=" && open.text == "(" && of.text == "constexpr" =>
            {
                value
            }
            _ => continue,
        };
        if let Some(value) = expression::number(value.text) {
            found.insert(token.text, value);
        }
    }
    found
}

/// Names that are the first argument of an access to global memory.
fn pointers<'t>(tokens: &[Token<'t>]) -> BTreeSet<&'t str> {
    const OF: [&str; 11] = [
        "global_to_shared",
        "async_copy_global_to_shared",
        "async_copy_shared_to_global",
        "load",
        "store",
        "make_tensor_descriptor",
        "make_block_ptr",
        "async_load",
        "async_descriptor_load",
        "async_descriptor_store",
        "atomic_add",
    ];
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for (at, three) in tokens.windows(3).enumerate() {
        if OF.contains(&three[0].text) && three[1].text == "(" {
            found.insert(three[2].text);
            // The pointer comes after the buffer in Gluon.
            let rest = tokens.get(at + 3..at + 12).unwrap_or(&[]);
            if let Some([_, second]) = rest.windows(2).find(|two| two[0].text == ",")
                && (three[0].text.starts_with("async_") || three[0].text == "global_to_shared")
                && !rest.iter().take_while(|one| one.text != ",").any(|one| one.text == "[")
            {
                found.insert(second.text);
            }
        }
        if three[1].text == "." && matches!(three[2].text, "load" | "store" | "gather" | "scatter")
        {
            found.insert(three[0].text);
        }
    }
    // The pointers from which they are computed.
    for _ in 0..4 {
        for (at, token) in tokens.iter().enumerate() {
            let begins = at > 0 && matches!(tokens[at - 1].kind, Is::Line | Is::Open | Is::Close);
            let sets = tokens.get(at + 1).is_some_and(|next| next.text == "=");
            if begins && sets && found.contains(token.text) {
                found.extend(tokens.get(at + 2).map(|root| root.text));
            }
        }
    }
    found
}

impl<'t> Reader<'_, 't> {
    fn token(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    /// The text of the next token that is no string.
    fn text(&self) -> &'t str {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> &'t str {
        let token = self.tokens.get(self.at + by).filter(|token| token.kind != Is::Text);
        token.map_or("", |token| token.text)
    }

    fn is(&self, kind: Is) -> bool {
        self.token().is_some_and(|token| token.kind == kind)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.text() == text;
        self.at += usize::from(found);
        found
    }

    fn here(&self) -> Place {
        let token = self.token().or_else(|| self.tokens.last().copied());
        token.map_or(Place::default(), |token| token.place)
    }

    fn wrong<T>(&self, message: &str) -> Done<T> {
        Err((self.here(), String::from(message)))
    }

    fn expect(&mut self, text: &str) -> Done<()> {
        if self.eat(text) {
            return Ok(());
        }
        let found = match self.token() {
            Some(token) if !matches!(token.kind, Is::Line | Is::Open | Is::Close) => {
                alloc::format!("`{}`", token.text.lines().next().unwrap_or(""))
            }
            _ => String::from("the end of the line"),
        };
        Err((self.here(), alloc::format!("expected `{text}`, found {found}")))
    }

    fn name(&mut self) -> Done<&'t str> {
        match self.token() {
            Some(token) if token.kind == Is::Name => {
                self.at += 1;
                Ok(token.text)
            }
            _ => self.wrong("expected a name"),
        }
    }

    /// Skips one token, or a bracket and everything in it.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        while self.token().is_some() {
            match self.text() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Whether the task that is read executes the next statement.
    fn active(&self) -> bool {
        self.inside || self.task == 0
    }

    fn push(&mut self, kind: Kind) {
        self.effects += 1;
        self.builder.push(kind);
    }

    fn nvidia(&mut self, kind: NvidiaKind, operands: Vec<Operand>, spelling: Spelling) {
        if self.target == "gfx950" {
            return self.unknown("Gluon's synchronisation of CDNA4 is not modelled");
        }
        let spelling = if self.of_amd() { Spelling::Lds } else { spelling };
        self.push(Kind::Nvidia(Nvidia { kind, operands, results: Vec::new(), spelling }));
    }

    /// Whether the operations are those of AMD processors.
    fn of_amd(&self) -> bool {
        self.target.starts_with("gfx")
    }

    /// What is not modelled: the verdict is unknown if an agent reaches it.
    fn unknown(&mut self, why: &str) {
        if self.active() {
            self.push(Kind::Unknown { why: String::from(why), to: Vec::new() });
        }
    }

    /// All agents wait for each other.
    fn gather(&mut self) {
        let kind = NvidiaKind::Bar { kind: Bar::Sync, reduce: None, aligned: false };
        let operands = alloc::vec![Operand::Int(GATHER), Operand::Int(0)];
        self.nvidia(kind, operands, Spelling::Ptx(0));
    }

    /// The parameters of the kernel: their names and their values. The next token is that of the body.
    fn parameters(
        &mut self,
        code: &Code,
        pointers: &BTreeSet<&'t str>,
        kernel: &str,
        place: Place,
    ) -> Done<(Vec<String>, BTreeMap<&'t str, Value>)> {
        let mut names = Vec::new();
        let mut values = BTreeMap::new();
        let mut configured = self.configured(self.at);
        let mut launched = self.launched(kernel);
        let warps = configured.get("num_warps").or(launched.get("num_warps")).cloned();
        self.elsewhere(&mut launched);
        self.expect("(")?;
        while !self.eat(")") {
            if self.eat("*") || self.eat("/") {
                self.eat(",");
                continue;
            }
            let own = self.here();
            let name = self.name()?;
            let first = self.at;
            if self.eat(":") {
                while !matches!(self.text(), "=" | "," | ")") && self.token().is_some() {
                    self.skip();
                }
            }
            let constant =
                self.tokens[first..self.at].iter().any(|it| it.text.contains("constexpr"));
            let default = if self.eat("=") { Some(self.expression()?) } else { None };
            let position = names.len();
            let given = code.launching.arguments.iter().find(|(known, _)| match known {
                Parameter::Name(known) => known == name,
                Parameter::Position(at) => *at == position,
            });
            let launch = launched.remove(name).filter(|_| constant);
            let known = configured.remove(name).or(default).or(launch);
            let value = match (given, known) {
                (Some((_, value)), _) => Value::Int(*value),
                (None, Some(known)) => known,
                (None, None) if pointers.contains(name) => {
                    let object = self.module.object(name, own, Space::Global, None);
                    self.module.argument(name, own, 64, Passed::Object(object));
                    Value::Global(object)
                }
                (None, None) => {
                    if constant {
                        self.constants.push(name);
                    }
                    Value::Host(String::from(name))
                }
            };
            names.push(String::from(name));
            values.insert(name, value);
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        if let Some(Value::Int(warps)) = values.get("num_warps").cloned().or(warps) {
            self.tasks[0].warps = warps.clamp(1, 32);
        }
        if self.eat("->") {
            self.expression()?;
        }
        self.builder.at(place);
        Ok((names, values))
    }
}
