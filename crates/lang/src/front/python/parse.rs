//! Statements, and the functions of a file.

use super::lexer::{Kind as Is, Token};
use super::tree::{Does, Expression, Function, Kind, Parameter, Sign, Statement};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::Place;

/// Deepest nesting of blocks and expressions.
const DEEPEST: usize = 48;

/// What is wrong, and where.
pub(super) type Wrong = (Place, String);
/// Something that is read.
pub(super) type Parsed<T> = Result<T, Wrong>;

/// A reader of tokens.
pub(super) struct Parser<'a, 't> {
    pub(super) tokens: &'a [Token<'t>],
    pub(super) at: usize,
    pub(super) depth: usize,
}

/// The functions with `@triton.jit` in a file.
pub(super) fn functions<'t>(tokens: &[Token<'t>]) -> Parsed<Vec<Function<'t>>> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let mut found = Vec::new();
    let mut decorators = 0..0;
    while let Some(token) = parser.token() {
        let begins = parser.at == 0
            || matches!(parser.tokens[parser.at - 1].kind, Is::Line | Is::Open | Is::Close);
        match token.text {
            "@" if begins => {
                if decorators.end != parser.at {
                    decorators.start = parser.at;
                }
                parser.skip_line();
                decorators.end = parser.at;
            }
            "def"
                if begins && decorators.end == parser.at && is_jit(&tokens[decorators.clone()]) =>
            {
                found.push(parser.function(decorators.clone())?);
            }
            _ => parser.at += 1,
        }
    }
    Ok(found)
}

fn is_jit(decorators: &[Token<'_>]) -> bool {
    let follows =
        |two: &[Token<'_>]| matches!(two[0].text, "." | "@") && matches!(two[1].text, "jit");
    decorators.windows(2).any(follows)
}

impl<'t> Parser<'_, 't> {
    pub(super) fn token(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn text(&self) -> &'t str {
        self.token().filter(|token| token.kind != Is::Text).map_or("", |token| token.text)
    }

    pub(super) fn here(&self) -> Place {
        let last = || self.tokens.last().map(|token| token.place);
        self.token().map(|token| token.place).or_else(last).unwrap_or_default()
    }

    /// From the begin of a place up to the last token.
    pub(super) fn since(&self, start: Place) -> Place {
        let last = self.tokens[..self.at.min(self.tokens.len())].iter().rev();
        let last = last.map(|token| token.place).find(|place| place.end > place.start);
        Place { start: start.start, end: last.map_or(start.end, |last| last.end.max(start.end)) }
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let is = self.text() == text;
        self.at += usize::from(is);
        is
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { self.wrong(&format!("`{text}`")) }
    }

    pub(super) fn wrong<T>(&self, expected: &str) -> Parsed<T> {
        let found = match self.token() {
            Some(Token { kind: Is::Line | Is::Close, .. }) | None => {
                String::from("the end of the line")
            }
            Some(Token { kind: Is::Open, .. }) => String::from("an indented block"),
            Some(token) => format!("`{}`", token.text.lines().next().unwrap_or("")),
        };
        Err((self.here(), format!("expected {expected}, found {found}")))
    }

    pub(super) fn name(&mut self) -> Parsed<&'t str> {
        match self.token() {
            Some(token) if token.kind == Is::Name => {
                self.at += 1;
                Ok(token.text)
            }
            _ => self.wrong("a name"),
        }
    }

    fn is(&self, kind: Is) -> bool {
        self.token().is_some_and(|token| token.kind == kind)
    }

    fn skip_line(&mut self) {
        while self.token().is_some_and(|token| token.kind != Is::Line) {
            self.at += 1;
        }
        self.at += 1;
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err((self.here(), format!("this nests deeper than {DEEPEST} levels")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn function(&mut self, decorators: core::ops::Range<usize>) -> Parsed<Function<'t>> {
        self.expect("def")?;
        let place = self.here();
        let name = self.name()?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.eat(")") {
            if self.eat("*") || self.eat("/") || self.eat("**") {
                if self.is(Is::Name) {
                    self.at += 1;
                }
            } else {
                parameters.push(self.parameter()?);
            }
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        if self.eat("->") {
            self.expression()?;
        }
        let body = self.block()?;
        Ok(Function { name, place, parameters, body, decorators })
    }

    fn parameter(&mut self) -> Parsed<Parameter<'t>> {
        let place = self.here();
        let name = self.name()?;
        let mut constant = false;
        if self.eat(":") {
            let first = self.at;
            self.expression()?;
            constant = self.tokens[first..self.at].iter().any(|one| one.text.contains("constexpr"));
        }
        let default = if self.eat("=") { Some(self.expression()?) } else { None };
        Ok(Parameter { name, place, constant, default })
    }

    /// `:` and the statements after it.
    fn block(&mut self) -> Parsed<Vec<Statement<'t>>> {
        self.expect(":")?;
        let mut body = Vec::new();
        if !self.is(Is::Line) {
            self.deeper(|parser| parser.line(&mut body))?;
            return Ok(body);
        }
        self.at += 1;
        if !self.is(Is::Open) {
            return self.wrong("an indented block");
        }
        self.at += 1;
        self.deeper(|parser| {
            while !parser.is(Is::Close) && parser.token().is_some() {
                parser.line(&mut body)?;
            }
            Ok(())
        })?;
        self.at += 1;
        Ok(body)
    }

    /// A compound statement, or simple ones up to the end of the line.
    fn line(&mut self, body: &mut Vec<Statement<'t>>) -> Parsed<()> {
        if self.is(Is::Open) {
            return self.wrong("a statement with the indentation of the block");
        }
        let start = self.here();
        let kind = match self.text() {
            "for" => self.for_loop()?,
            "while" => {
                self.at += 1;
                let condition = self.expression()?;
                let body = self.block()?;
                self.without_else()?;
                Does::While(condition, body)
            }
            "if" => self.branch()?,
            "with" => self.with()?,
            "def" | "class" | "try" | "match" | "async" | "@" if self.is_compound() => {
                return Err((start, format!("a kernel cannot have `{}`", self.text())));
            }
            _ => {
                while !self.is(Is::Line) && self.token().is_some() {
                    let start = self.here();
                    let kind = self.simple()?;
                    body.push(Statement { place: self.since(start), kind });
                    if !self.eat(";") && !self.is(Is::Line) {
                        return self.wrong("the end of the statement");
                    }
                }
                self.at += 1;
                return Ok(());
            }
        };
        let first_line = |place: Place| Place { end: place.end.min(start.end), ..place };
        body.push(Statement { place: first_line(start), kind });
        Ok(())
    }

    /// Whether a word that begins a line is no variable.
    fn is_compound(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        next.is_none_or(|next| !matches!(next.text, "=" | "." | "," | "(" | "["))
    }

    fn for_loop(&mut self) -> Parsed<Does<'t>> {
        self.at += 1;
        let target = self.targets("in")?;
        self.expect("in")?;
        let over = self.tuple()?;
        let body = self.block()?;
        self.without_else()?;
        Ok(Does::For(target, over, body))
    }

    fn without_else(&self) -> Parsed<()> {
        if self.text() != "else" {
            return Ok(());
        }
        Err((self.here(), String::from("a kernel cannot have `else` after a loop")))
    }

    /// Names up to a word.
    fn targets(&mut self, end: &str) -> Parsed<Expression<'t>> {
        let start = self.here();
        let mut parts = Vec::new();
        let mut comma = false;
        while self.text() != end {
            parts.push(self.postfix()?);
            if !self.eat(",") {
                break;
            }
            comma = true;
        }
        match parts.pop() {
            Some(one) if parts.is_empty() && !comma => Ok(one),
            Some(last) => {
                parts.push(last);
                Ok(Expression { place: self.since(start), kind: Kind::Tuple(parts) })
            }
            None => self.wrong("a name"),
        }
    }

    fn branch(&mut self) -> Parsed<Does<'t>> {
        self.at += 1;
        let condition = self.expression()?;
        let then = self.block()?;
        let start = self.here();
        let other = match self.text() {
            "elif" => {
                let kind = self.deeper(Self::branch)?;
                alloc::vec![Statement { place: start, kind }]
            }
            "else" => {
                self.at += 1;
                self.block()?
            }
            _ => Vec::new(),
        };
        Ok(Does::If(condition, then, other))
    }

    fn with(&mut self) -> Parsed<Does<'t>> {
        self.at += 1;
        let mut all = alloc::vec![self.expression()?];
        loop {
            if self.eat("as") {
                self.postfix()?;
            }
            if !self.eat(",") {
                break;
            }
            all.push(self.expression()?);
        }
        let mut body = self.block()?;
        let last = all.remove(0);
        for one in all.into_iter().rev() {
            body = alloc::vec![Statement { place: one.place, kind: Does::With(one, body) }];
        }
        Ok(Does::With(last, body))
    }

    fn simple(&mut self) -> Parsed<Does<'t>> {
        match self.text() {
            "pass" | "import" | "from" | "global" | "nonlocal" => {
                self.skip_to_end();
                return Ok(Does::Pass);
            }
            "assert" => {
                self.at += 1;
                self.tuple()?;
                return Ok(Does::Pass);
            }
            "return" => {
                self.at += 1;
                let ends = self.is(Is::Line) || self.text() == ";";
                return Ok(Does::Return(if ends { None } else { Some(self.tuple()?) }));
            }
            "break" | "continue" | "raise" | "del" | "yield" | "lambda" => {
                self.skip_to_end();
                return Ok(Does::Unknown);
            }
            _ => {}
        }
        let first = self.tuple()?;
        if self.eat(":") {
            self.expression()?;
            if !self.eat("=") {
                return Ok(Does::Pass);
            }
            return Ok(Does::Assign(alloc::vec![first], self.tuple()?));
        }
        if let Some(sign) = self.text().strip_suffix('=').and_then(sign) {
            self.at += 1;
            return Ok(Does::Augment(first, sign, self.tuple()?));
        }
        let mut all = alloc::vec![first];
        while self.eat("=") {
            all.push(self.tuple()?);
        }
        let Some(value) = all.pop() else { return Ok(Does::Pass) };
        Ok(if all.is_empty() { Does::Evaluate(value) } else { Does::Assign(all, value) })
    }

    fn skip_to_end(&mut self) {
        while !self.is(Is::Line) && self.text() != ";" && self.token().is_some() {
            self.at += 1;
        }
    }
}

/// The operation of two values with this sign.
pub(super) fn sign(text: &str) -> Option<Sign> {
    Some(match text {
        "+" => Sign::Add,
        "-" => Sign::Sub,
        "*" => Sign::Mul,
        "/" => Sign::Div,
        "//" => Sign::Floor,
        "%" => Sign::Rem,
        "**" => Sign::Power,
        "<<" => Sign::Shl,
        ">>" => Sign::Shr,
        "&" => Sign::And,
        "|" => Sign::Or,
        "^" => Sign::Xor,
        "@" => Sign::Matrix,
        _ => return None,
    })
}
