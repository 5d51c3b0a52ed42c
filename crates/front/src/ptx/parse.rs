//! From tokens to a module: directives, variables, heads of kernels and functions.

use super::constant;
use super::lexer::{self, Kind, Parsed, Token};
use super::tree::{Function, Module, Variable};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::Space;
use tidegate_lang::diagnostic::{Diagnostic, Span};

/// Longest list of numbers of an initialiser that is kept, in bytes.
const MOST_CONTENT: usize = 1 << 16;

/// Reads a module.
///
/// # Errors
///
/// The first line that is not PTX.
pub(super) fn parse(text: &str) -> Parsed<Module<'_>> {
    let tokens = lexer::tokens(text)?;
    let mut parser = Parser::new(&tokens);
    let mut module = Module::default();
    while parser.skip_empty() {
        parser.top_level(&mut module)?;
    }
    Ok(module)
}

/// Letters of the operators of constant expressions.
const OPERATORS: &[u8] = b"+-*/%<>=!&|^~?:()";

pub(super) struct Parser<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
    /// Whether decimal floating-point numbers have 32 bits here.
    pub(super) singles: bool,
}

impl<'a, 't> Parser<'a, 't> {
    pub(super) const fn new(tokens: &'a [Token<'t>]) -> Self {
        Self { tokens, at: 0, singles: false }
    }

    pub(super) fn token(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn ahead(&self, by: usize) -> Option<Token<'t>> {
        self.tokens.get(self.at + by).copied()
    }

    /// The text of the next token; empty at the end.
    pub(super) fn text(&self) -> &'t str {
        self.token().map_or("", |token| token.text)
    }

    /// The token before the next one.
    pub(super) fn back(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at.checked_sub(1)?).copied()
    }

    pub(super) const fn at_back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    pub(super) const fn advance(&mut self) {
        self.at += 1;
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text() == text
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    /// The place of the next token, or of the last one at the end.
    pub(super) fn here(&self) -> Span {
        let token = self.token().or_else(|| self.tokens.last().copied());
        token.map_or(Span { line: 1, column: 1, ..Span::default() }, |token| token.span)
    }

    pub(super) fn skip_lines(&mut self) {
        while self.token().is_some_and(|token| token.kind == Kind::Line) {
            self.at += 1;
        }
    }

    /// Skips empty statements; `false` at the end of the text.
    pub(super) fn skip_empty(&mut self) -> bool {
        while self.token().is_some_and(|token| token.kind == Kind::Line || token.text == ";") {
            self.at += 1;
        }
        self.token().is_some()
    }

    pub(super) fn error<T>(&self, expected: &str) -> Parsed<T> {
        let found = match self.token() {
            None => format!("expected {expected}, found the end of the text"),
            Some(token) if token.kind == Kind::Line => {
                format!("expected {expected}, found the end of the line")
            }
            Some(token) => format!("expected {expected}, found `{}`", token.text),
        };
        Err(Diagnostic::error("expected-token", self.here(), found).into())
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<()> {
        self.skip_lines();
        if self.eat(text) { Ok(()) } else { self.error(&format!("`{text}`")) }
    }

    pub(super) fn word(&mut self, what: &str) -> Parsed<Token<'t>> {
        match self.token() {
            Some(token) if token.kind == Kind::Word => {
                self.advance();
                Ok(token)
            }
            _ => self.error(what),
        }
    }

    /// An integer constant.
    pub(super) fn literal(&mut self) -> Parsed<i64> {
        let number = match self.token() {
            Some(token) if token.kind == Kind::Number && self.singles => lexer::single(token.text),
            Some(token) if token.kind == Kind::Number => lexer::number(token.text),
            _ => None,
        };
        let Some(number) = number else { return self.error("a number") };
        self.advance();
        Ok(number)
    }

    /// A constant expression: numbers and the operators of C, computed in 64 bits.
    pub(super) fn number(&mut self) -> Parsed<i64> {
        let (start, first) = (self.here(), self.at);
        let (mut open, mut plain) = (0_u32, String::new());
        while let Some(token) = self.token() {
            match (token.kind, token.text) {
                (Kind::Number, _) if lexer::is_float(token.text) => break,
                (Kind::Number, text) => push_integer(&mut plain, text),
                // A remainder: the lexer reads the sign and the digits after it as the name of a register.
                (_, "%") => plain.push('%'),
                (_, text) if text.strip_prefix('%').and_then(lexer::number).is_some() => {
                    plain.push('%');
                    push_integer(&mut plain, text.trim_start_matches('%'));
                }
                (_, "WARP_SZ") => plain.push_str("32 "),
                (_, ".s64") if open > 0 => plain.push_str("long"),
                (_, ".u64") if open > 0 => plain.push_str("ulong"),
                (_, ")") if open == 0 => break,
                (Kind::Sign(sign), text) if OPERATORS.contains(&sign) => {
                    open += u32::from(sign == b'(');
                    open -= u32::from(sign == b')');
                    plain.push_str(text);
                }
                _ => break,
            }
            self.advance();
        }
        // A floating-point number has at most a sign.
        if self.token().is_some_and(|token| token.kind == Kind::Number)
            && matches!(plain.as_str(), "" | "-")
        {
            let sign = if self.singles { 1 << 31 } else { i64::MIN };
            return self.literal().map(|bits| bits ^ if plain.is_empty() { 0 } else { sign });
        }
        if self.at == first {
            return self.error("a number");
        }
        let here = self.back().map_or(start, |last| last.span);
        let span = Span { length: here.start + here.length - start.start, ..start };
        constant::value(&plain).ok_or_else(|| {
            Diagnostic::error("expected-token", span, "this constant expression has no value")
                .into()
        })
    }

    pub(super) fn skip_line(&mut self) {
        while self.token().is_some_and(|token| token.kind != Kind::Line) {
            self.advance();
        }
    }

    /// Skips up to and including the next `;`.
    pub(super) fn skip_statement(&mut self) {
        while self.token().is_some_and(|token| token.text != ";") {
            self.advance();
        }
        self.advance();
    }

    /// Skips what stands between braces.
    fn skip_braces(&mut self) -> Parsed<()> {
        self.expect("{")?;
        let mut depth = 1_u32;
        while depth > 0 {
            match self.text() {
                "" => return self.error("`}`"),
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }

    fn top_level(&mut self, module: &mut Module<'t>) -> Parsed<()> {
        let mut external = false;
        while matches!(self.text(), ".visible" | ".extern" | ".weak" | ".common") {
            external |= self.is(".extern");
            self.advance();
        }
        match self.text() {
            ".version" | ".address_size" | ".file" | ".loc" => self.skip_line(),
            ".target" => {
                self.advance();
                let name = self.word("a target")?;
                module.target = Some((name.text, name.span));
                self.skip_line();
            }
            ".section" => {
                self.advance();
                self.word("the name of the section")?;
                self.skip_braces()?;
            }
            ".pragma" | ".alias" | ".metadata_section" => self.skip_statement(),
            ".func" | ".entry" => {
                let function = self.function()?;
                // A prototype repeats the head of a function of the module.
                if function.body.is_some() {
                    module.functions.retain(|known| known.name != function.name);
                }
                if module.functions.iter().all(|known| known.name != function.name) {
                    module.functions.push(function);
                }
            }
            _ if self.begins_variable() => {
                let variables = &mut module.variables;
                let first = variables.len();
                self.variables(variables)?;
                variables[first..].iter_mut().for_each(|one| one.external = external);
            }
            _ => return self.error("a PTX directive, such as `.entry`"),
        }
        Ok(())
    }

    fn function(&mut self) -> Parsed<Function<'t>> {
        let mut function = Function { entry: self.is(".entry"), ..Function::default() };
        self.advance();
        self.skip_lines();
        if self.is("(") {
            function.results = self.parameters()?;
            self.skip_lines();
        }
        while matches!(self.text(), ".noreturn") {
            self.advance();
        }
        let name = self.word("the name of the function")?;
        (function.name, function.span) = (name.text, name.span);
        self.skip_lines();
        if self.is("(") {
            function.parameters = self.parameters()?;
        }
        self.limits(&mut function)?;
        if self.is("{") {
            self.body(&mut function)?;
        }
        Ok(function)
    }

    /// `(.param .u64 .ptr .global .align 1 a, .param .align 64 .b8 b[128])`
    fn parameters(&mut self) -> Parsed<Vec<Variable<'t>>> {
        let mut found = Vec::new();
        self.expect("(")?;
        loop {
            self.skip_lines();
            match self.text() {
                ")" => break,
                "," => self.advance(),
                _ => found.push(self.variable()?),
            }
        }
        self.advance();
        Ok(found)
    }

    /// The directives between the parameters and the body.
    fn limits(&mut self, function: &mut Function<'t>) -> Parsed<()> {
        loop {
            self.skip_lines();
            let directive = self.text();
            match directive {
                ".reqntid" | ".maxntid" | ".reqnctapercluster" => {
                    self.advance();
                    let sizes = Some(self.sizes()?);
                    match directive {
                        ".reqntid" => function.threads = sizes,
                        ".maxntid" => function.most = sizes,
                        _ => function.cluster = sizes,
                    }
                }
                ".pragma" => self.skip_statement(),
                "{" | ";" | "" => return Ok(()),
                _ if directive.starts_with('.') => {
                    self.advance();
                    while self.token().is_some_and(|it| it.kind == Kind::Number || it.text == ",") {
                        self.advance();
                    }
                }
                _ => return self.error("`{`"),
            }
        }
    }

    fn sizes(&mut self) -> Parsed<[u32; 3]> {
        let mut sizes = [1; 3];
        for size in &mut sizes {
            match u32::try_from(self.number()?) {
                Ok(number) if number > 0 => *size = number,
                _ => return self.error("a positive number before this"),
            }
            if !self.eat(",") {
                break;
            }
        }
        Ok(sizes)
    }

    pub(super) fn begins_variable(&self) -> bool {
        matches!(self.text(), ".global" | ".shared" | ".const" | ".local" | ".param" | ".tex")
    }

    /// Variables that are declared together.
    pub(super) fn variables(&mut self, into: &mut Vec<Variable<'t>>) -> Parsed<()> {
        let first = self.variable()?;
        into.push(first.clone());
        while self.eat(",") {
            self.skip_lines();
            let mut next = Variable { content: Vec::new(), ..first.clone() };
            let element = first.element.unwrap_or(first.bytes);
            self.named(&mut next, element)?;
            into.push(next);
        }
        Ok(())
    }

    /// One declaration, from its address space on.
    fn variable(&mut self) -> Parsed<Variable<'t>> {
        let mut variable = Variable {
            name: "",
            span: self.here(),
            space: None,
            bytes: 4,
            element: None,
            external: false,
            points: None,
            content: Vec::new(),
        };
        let (mut pointer, mut element, mut vector) = (false, 4, 1);
        self.singles = false;
        while let Some(token) = self.token().filter(|token| token.text.starts_with('.')) {
            self.advance();
            match token.text {
                ".ptr" => (pointer, variable.points) = (true, Some(Space::Generic)),
                ".align" => {
                    self.number()?;
                }
                ".v2" => vector = 2,
                ".v4" => vector = 4,
                ".v8" => vector = 8,
                word => match space(word) {
                    Some(space) if pointer => variable.points = Some(space),
                    Some(space) => variable.space = Some(space),
                    None => {
                        self.singles = word == ".f32";
                        element = bits(word).map_or(element, |bits| u64::from(bits.max(8)) / 8);
                    }
                },
            }
        }
        self.named(&mut variable, element * vector)?;
        Ok(variable)
    }

    /// The name of a variable with the sizes of its array and its initialiser.
    fn named(&mut self, variable: &mut Variable<'t>, element: u64) -> Parsed<()> {
        let name = self.word("the name of a variable")?;
        (variable.name, variable.span, variable.bytes) = (name.text, name.span, element);
        variable.element = self.is("[").then_some(element);
        while self.eat("[") {
            let count = if self.is("]") { 0 } else { self.number()? };
            variable.bytes = variable.bytes.saturating_mul(u64::try_from(count).unwrap_or(0));
            self.expect("]")?;
        }
        if self.eat("=") {
            self.initialiser(variable, element)?;
        }
        Ok(())
    }

    fn initialiser(&mut self, variable: &mut Variable<'t>, element: u64) -> Parsed<()> {
        let mut known = true;
        let mut depth = 0_u32;
        loop {
            let Some(token) = self.token() else { return self.error("`;`") };
            match token.text {
                ";" => break,
                "," if depth == 0 => break,
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ if token.kind == Kind::Number => {
                    let value = if self.singles { lexer::single } else { lexer::number };
                    let bytes = value(token.text).unwrap_or(0).to_le_bytes();
                    let room = variable.content.len() < MOST_CONTENT;
                    variable.content.extend(bytes.iter().take(if room {
                        element as usize
                    } else {
                        0
                    }));
                }
                "," | "\n" => {}
                _ => known = false,
            }
            self.advance();
        }
        if !known {
            variable.content.clear();
        }
        Ok(())
    }
}

/// An integer as a `long` or `ulong` of C.
fn push_integer(plain: &mut String, text: &str) {
    plain.push_str(text);
    plain.push(' ');
}

fn space(word: &str) -> Option<Space> {
    Some(match word {
        ".global" | ".tex" => Space::Global,
        ".shared" | ".shared::cta" | ".shared::cluster" => Space::Local,
        ".const" => Space::Constant,
        ".local" => Space::Private,
        _ => return None,
    })
}

/// The width of a type in bits.
pub(super) fn bits(word: &str) -> Option<u32> {
    let word = word.strip_prefix('.').unwrap_or(word);
    Some(match word {
        "pred" => 1,
        "b8" | "u8" | "s8" => 8,
        "b16" | "u16" | "s16" | "f16" | "bf16" | "e4m3x2" | "e5m2x2" => 16,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" | "tf32" => 32,
        "b64" | "u64" | "s64" | "f64" | "f32x2" => 64,
        "b128" => 128,
        _ => return None,
    })
}
