//! The bodies of kernels and functions: blocks with registers and labels of their own, instructions, operands.

use super::lexer::{Kind, Parsed, Token};
use super::parse::{Parser, bits};
use super::tree::{Base, Function, Label, Line, Operand, Register, Symbol};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::{Diagnostic, Span};
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// The maximum number of registers of a function that the text can name.
const MOST_REGISTERS: usize = 1 << 18;
/// Deepest nesting of blocks and of brackets in an operand.
const DEEPEST: usize = 64;

/// Special registers, without `%` and what follows the first dot.
const SPECIAL: [&str; 44] = [
    "tid",
    "ntid",
    "ctaid",
    "nctaid",
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "clusterid",
    "nclusterid",
    "cluster_ctaid",
    "cluster_nctaid",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "total_smem_size",
    "dynamic_smem_size",
    "aggr_smem_size",
    "current_graph_exec",
    "pm0",
    "pm1",
    "pm2",
    "pm3",
    "envreg0",
    "envreg1",
    "envreg2",
];

/// What a block declares.
#[derive(Default)]
struct Scope<'t> {
    registers: BTreeMap<&'t str, Register>,
    /// `%r<8>`: the beginning of the names, their number and width.
    ranges: Vec<(&'t str, u64, u8)>,
    variables: OrderedMap<&'t str, u32>,
    labels: OrderedMap<&'t str, Label>,
    /// Uses of labels that are not known yet: the number that stands for the label, its name and place.
    open: Vec<(Label, &'t str, Span)>,
}

/// The state of a body that is read.
struct Body<'f, 't> {
    function: &'f mut Function<'t>,
    lines: Vec<Line<'t>>,
    scopes: Vec<Scope<'t>>,
    /// For each number that stands for a label in an operand the label that it is.
    uses: Vec<Label>,
    /// Whether the instruction is a call, whose operands in parentheses are lists.
    calls: bool,
    /// Whether a block declares registers.
    declares: bool,
    /// Registers that no block declares, with their names.
    undeclared: Vec<(Register, &'t str)>,
}

impl<'t> Parser<'_, 't> {
    /// The body of a function, from its opening brace on.
    pub(super) fn body(&mut self, function: &mut Function<'t>) -> Parsed<()> {
        let open = self.here();
        self.expect("{")?;
        let mut body = Body {
            function,
            lines: Vec::new(),
            scopes: alloc::vec![Scope::default()],
            uses: Vec::new(),
            calls: false,
            declares: false,
            undeclared: Vec::new(),
        };
        while !body.scopes.is_empty() {
            if !self.skip_empty() {
                let message = "this body has no closing `}`: the text ends before it";
                return Err(Diagnostic::error("expected-token", open, message).into());
            }
            self.statement(&mut body)?;
        }
        body.all_declared()?;
        let Body { function, mut lines, uses, .. } = body;
        let resolve = |label: &mut Label| *label = uses[*label as usize];
        for operand in lines.iter_mut().flat_map(|line| &mut line.operands) {
            if let Operand::Label(label) = operand {
                resolve(label);
            }
        }
        function.tables.iter_mut().flat_map(|(_, labels)| labels).for_each(resolve);
        function.body = Some(lines);
        Ok(())
    }

    fn statement(&mut self, body: &mut Body<'_, 't>) -> Parsed<()> {
        let colon = self.ahead(1).is_some_and(|token| token.text == ":");
        match self.text() {
            "{" if body.scopes.len() >= DEEPEST => {
                let message = format!("blocks nest deeper than {DEEPEST} levels");
                Err(Diagnostic::error("bound-depth", self.here(), message).into())
            }
            "{" => {
                self.advance();
                body.scopes.push(Scope::default());
                Ok(())
            }
            "}" => {
                body.function.end = self.here();
                self.advance();
                body.close()
            }
            ".reg" => self.registers(body),
            ".loc" | ".file" => {
                self.skip_line();
                Ok(())
            }
            ".pragma" | ".callprototype" | ".calltargets" | ".attribute" => {
                self.skip_statement();
                Ok(())
            }
            _ if self.begins_variable() => {
                let first = body.function.locals.len();
                self.variables(&mut body.function.locals)?;
                let locals = &body.function.locals;
                let Some(scope) = body.scopes.last_mut() else { return Ok(()) };
                scope
                    .variables
                    .extend((first..).zip(&locals[first..]).map(|(at, one)| (one.name, at as u32)));
                Ok(())
            }
            _ if colon => {
                let name = self.word("a label")?;
                self.advance();
                self.skip_lines();
                if self.eat(".branchtargets") {
                    return self.table(body, name.text);
                }
                if !matches!(self.text(), ".callprototype" | ".calltargets") {
                    body.label(name)?;
                }
                Ok(())
            }
            _ => self.instruction(body),
        }
    }

    /// `.reg .b32 %r<8>, p;`
    fn registers(&mut self, body: &mut Body<'_, 't>) -> Parsed<()> {
        self.advance();
        body.declares = true;
        let mut width = 32;
        while self.text().starts_with('.') {
            width = bits(self.text()).map_or(width, |bits| bits.min(128) as u8);
            self.advance();
        }
        loop {
            let name = self.word("the name of a register")?;
            if self.eat("<") {
                let count = self.literal()?.max(0) as u64;
                self.expect(">")?;
                if let Some(scope) = body.scopes.last_mut() {
                    scope.ranges.push((name.text, count, width));
                }
            } else {
                body.declare(name.text, width);
            }
            if !self.eat(",") {
                return Ok(());
            }
            self.skip_lines();
        }
    }

    fn table(&mut self, body: &mut Body<'_, 't>, name: &'t str) -> Parsed<()> {
        let mut labels = Vec::new();
        loop {
            self.skip_lines();
            let label = self.word("a label")?;
            labels.push(body.used(label));
            self.skip_lines();
            if !self.eat(",") {
                break;
            }
        }
        body.function.tables.push((name, labels));
        Ok(())
    }

    fn instruction(&mut self, body: &mut Body<'_, 't>) -> Parsed<()> {
        let mut predicate = None;
        let start = self.here();
        if self.eat("@") {
            let negated = self.eat("!");
            let name = self.word("a predicate")?;
            predicate = Some((body.register(name.text), !negated));
        }
        let head = self.word("an instruction")?;
        if !head.text.starts_with(|first: char| first.is_ascii_lowercase() || first == '_') {
            self.at_back();
            return self.error("an instruction");
        }
        self.singles = head.text.ends_with(".f32");
        body.calls = head.text.starts_with("call");
        if body.calls {
            self.skip_lines();
        }
        let branches = matches!(head.text, "bra" | "bra.uni");
        let mut operands = Vec::new();
        while self.token().is_some_and(|it| it.kind != Kind::Line && !matches!(it.text, ";" | "}"))
        {
            operands.push(match branches {
                true => Operand::Label(body.used(self.word("a label")?)),
                false => self.operand(body, 0)?,
            });
            self.skip_lines_before(",");
            if !self.eat(",") {
                break;
            }
            self.skip_lines();
        }
        let last = self.back();
        if !self.token().is_none_or(|it| it.kind == Kind::Line || matches!(it.text, ";" | "}")) {
            return self.error("`,` or `;`");
        }
        let end = last.map_or(start, |token| token.span);
        let span = Span { length: (end.start + end.length).saturating_sub(start.start), ..start };
        body.lines.push(Line { span, predicate, head: head.text, operands });
        Ok(())
    }

    /// Skips ends of lines if this follows them.
    fn skip_lines_before(&mut self, text: &str) {
        let mut by = 0;
        while self.ahead(by).is_some_and(|token| token.kind == Kind::Line) {
            by += 1;
        }
        if self.ahead(by).is_some_and(|token| token.text == text) {
            self.skip_lines();
        }
    }

    fn operand(&mut self, body: &mut Body<'_, 't>, depth: usize) -> Parsed<Operand<'t>> {
        if depth > DEEPEST {
            return self.error("an operand with fewer brackets");
        }
        let Some(token) = self.token() else { return self.error("an operand") };
        match (token.kind, token.text) {
            (Kind::Number, _) | (_, "-" | "+" | "~" | "WARP_SZ") => {
                self.number().map(Operand::Number)
            }
            (_, "_") if self.ahead(1).is_none_or(|next| next.text != "|") => {
                self.advance();
                Ok(Operand::Sink)
            }
            (_, "!") if self.ahead(1).is_some_and(|next| next.kind != Kind::Word) => {
                self.number().map(Operand::Number)
            }
            (_, "!") => {
                self.advance();
                Ok(Operand::Not(body.register(self.word("a predicate")?.text)))
            }
            (_, "[") => self.address(body, depth),
            (_, "{") => self.list(body, "}", depth).map(Operand::Vector),
            (_, "(") if body.calls => self.list(body, ")", depth).map(Operand::List),
            (_, "(") => self.number().map(Operand::Number),
            (Kind::Word, _) => self.named_operand(body, token),
            _ => self.error("an operand"),
        }
    }

    fn named_operand(&mut self, body: &mut Body<'_, 't>, token: Token<'t>) -> Parsed<Operand<'t>> {
        self.advance();
        if self.eat("|") {
            let other = self.word("a register")?;
            let side = |body: &mut Body<'_, 't>, name| (name != "_").then(|| body.register(name));
            let first = side(body, token.text);
            return Ok(Operand::Pair(first, side(body, other.text)));
        }
        Ok(match body.base(token.text) {
            None | Some(Base::Absolute) => Operand::Special(token.text),
            Some(Base::Register(register)) => Operand::Register(register),
            Some(Base::Name(name)) => Operand::Name(name, self.offset()?),
        })
    }

    /// `+8`, `-8`, `+-8`, if it follows.
    fn offset(&mut self) -> Parsed<i64> {
        if self.eat("+") {
            return self.number();
        }
        if self.is("-") { self.number() } else { Ok(0) }
    }

    fn list(
        &mut self,
        body: &mut Body<'_, 't>,
        close: &str,
        depth: usize,
    ) -> Parsed<Vec<Operand<'t>>> {
        self.advance();
        let mut found = Vec::new();
        loop {
            self.skip_lines();
            match self.text() {
                text if text == close => break,
                "," => self.advance(),
                _ => found.push(self.operand(body, depth + 1)?),
            }
        }
        self.advance();
        Ok(found)
    }

    /// `[%rd1+8]`, `[%rd1, {%r1, %r2}]`, `[name]`, `[16]`
    fn address(&mut self, body: &mut Body<'_, 't>, depth: usize) -> Parsed<Operand<'t>> {
        self.advance();
        let token = self.token();
        let (base, mut offset) = match token {
            Some(token) if token.kind == Kind::Word && token.text != "WARP_SZ" => {
                self.advance();
                (body.base(token.text).unwrap_or(Base::Absolute), 0)
            }
            _ => (Base::Absolute, self.number()?),
        };
        if base != Base::Absolute {
            offset = self.offset()?;
        }
        let mut more = Vec::new();
        loop {
            self.skip_lines();
            match self.text() {
                "]" => break,
                "," => self.advance(),
                _ => more.push(self.operand(body, depth + 1)?),
            }
        }
        self.advance();
        Ok(Operand::Address(base, offset, more))
    }
}

impl<'t> Body<'_, 't> {
    fn declare(&mut self, name: &'t str, width: u8) -> Register {
        let number = self.function.registers.len().min(MOST_REGISTERS) as Register;
        if self.function.registers.len() <= MOST_REGISTERS {
            self.function.registers.push(width);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.registers.insert(name, number);
        }
        number
    }

    /// The register of a name that a block declares.
    fn known(&mut self, name: &'t str) -> Option<Register> {
        for index in (0..self.scopes.len()).rev() {
            let scope = &self.scopes[index];
            if let Some(&register) = scope.registers.get(name) {
                return Some(register);
            }
            let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
            let number = name.get(stem.len()..).and_then(|digits| digits.parse::<u64>().ok());
            let Some(number) = number else { continue };
            let range =
                scope.ranges.iter().find(|(start, count, _)| *start == stem && number < *count);
            if let Some(&(_, _, width)) = range {
                let register = self.function.registers.len().min(MOST_REGISTERS) as Register;
                if self.function.registers.len() <= MOST_REGISTERS {
                    self.function.registers.push(width);
                }
                self.scopes[index].registers.insert(name, register);
                return Some(register);
            }
        }
        None
    }

    /// The register of a name; one that no block declares belongs to the whole body.
    fn register(&mut self, name: &'t str) -> Register {
        if let Some(register) = self.known(name) {
            return register;
        }
        let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let width = match stem {
            "%p" | "p" => 1,
            "%rs" | "%h" => 16,
            "%rd" | "%fd" | "%SP" | "%SPL" => 64,
            _ => 32,
        };
        let rest = self.scopes.split_off(self.scopes.len().min(1));
        let register = self.declare(name, width);
        self.scopes.extend(rest);
        self.undeclared.push((register, name));
        register
    }

    /// Checks that a body with declarations declares each register, or at least gives it a value.
    fn all_declared(&self) -> Parsed<()> {
        if !self.declares {
            return Ok(());
        }
        let results = self.lines.iter().filter_map(|line| line.operands.first());
        let results = results.filter(|first| !matches!(first, Operand::Address(..)));
        let written: OrderedSet<Register> = results.flat_map(registers).collect();
        let missing = |line: &Line<'_>| {
            let used = line.operands.iter().flat_map(registers);
            let all: Vec<Register> = used.chain(line.predicate.map(|(one, _)| one)).collect();
            let is_missing = |(register, _): &&(Register, &str)| {
                all.contains(register) && !written.contains(register)
            };
            self.undeclared.iter().find(is_missing).map(|(_, name)| *name)
        };
        match self.lines.iter().find_map(|line| Some((missing(line)?, line.span))) {
            None => Ok(()),
            Some((name, span)) => {
                let message = format!("the register `{name}` is not declared");
                Err(Diagnostic::error("unknown-name", span, message).into())
            }
        }
    }

    /// What a word is; `None` for a special register.
    fn base(&mut self, name: &'t str) -> Option<Base<'t>> {
        if let Some(register) = self.known(name) {
            return Some(Base::Register(register));
        }
        if let Some(special) = name.strip_prefix('%') {
            let stem = special.split('.').next().unwrap_or(special);
            if SPECIAL.contains(&stem) || stem.starts_with("envreg") {
                return None;
            }
            return Some(Base::Register(self.register(name)));
        }
        let local = self.scopes.iter().rev().find_map(|scope| scope.variables.get(name));
        Some(Base::Name(local.map_or(Symbol::Outer(name), |&local| Symbol::Local(local))))
    }

    fn label(&mut self, name: Token<'t>) -> Parsed<()> {
        let label = self.function.labels.len() as Label;
        self.function.labels.push(self.lines.len() as u32);
        let Some(scope) = self.scopes.last_mut() else { return Ok(()) };
        if scope.labels.insert(name.text, label).is_some() {
            let message = format!("the label `{}` is defined twice in one block", name.text);
            return Err(Diagnostic::error("duplicate-name", name.span, message).into());
        }
        Ok(())
    }

    /// A number that stands for a label until its block ends.
    fn used(&mut self, name: Token<'t>) -> Label {
        let number = self.uses.len() as Label;
        self.uses.push(0);
        if let Some(scope) = self.scopes.last_mut() {
            scope.open.push((number, name.text, name.span));
        }
        number
    }

    /// The end of a block: its labels are known, others are those of the block around it.
    fn close(&mut self) -> Parsed<()> {
        let Some(scope) = self.scopes.pop() else { return Ok(()) };
        for (number, name, span) in scope.open {
            if let Some(&label) = scope.labels.get(name) {
                self.uses[number as usize] = label;
            } else if let Some(outer) = self.scopes.last_mut() {
                outer.open.push((number, name, span));
            } else {
                let message = format!("no block around this has the label `{name}`");
                return Err(Diagnostic::error("unknown-name", span, message).into());
            }
        }
        Ok(())
    }
}

/// The registers of an operand.
fn registers(operand: &Operand<'_>) -> Vec<Register> {
    match operand {
        Operand::Register(one) | Operand::Not(one) => alloc::vec![*one],
        Operand::Pair(one, other) => one.iter().chain(other).copied().collect(),
        Operand::Vector(all) | Operand::List(all) => all.iter().flat_map(registers).collect(),
        Operand::Address(base, _, more) => {
            let base = match base {
                Base::Register(register) => Some(*register),
                _ => None,
            };
            base.into_iter().chain(more.iter().flat_map(registers)).collect()
        }
        _ => Vec::new(),
    }
}
