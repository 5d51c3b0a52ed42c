//! Statements and blocks.

use super::AGENTS;
use super::cursor::{Failed, Parsed, Parser};
use super::data::always;
use super::expression::assignment;
use super::instruction::KEYWORDS;
use crate::diagnostic::Span;
use crate::expression::{Atom, Expression};
use crate::lexer::Kind;
use crate::tree::{Block, Name, Statement, StatementKind};
use alloc::format;
use alloc::vec::Vec;

impl Parser<'_> {
    /// Statements between braces.
    pub(crate) fn block(&mut self) -> Parsed<Block> {
        self.skip_newlines();
        let open = self.expect("{")?;
        let result = self.deeper(|parser| Ok(parser.statements(open)));
        if result.is_err() {
            self.skip_open_block();
        }
        result
    }

    fn statements(&mut self, open: Span) -> Block {
        let mut statements = Vec::new();
        while self.skip_separators() {
            if self.is("}") {
                return Block { statements, close: self.advance() };
            }
            if self.begins_top_level() {
                let (word, line) = (self.word(), open.line);
                let message = format!(
                    "missing `}}` before this `{word}`: the block opened in line {line} is not closed"
                );
                let here = self.here();
                let _ = self.error::<()>("open-block", here, message);
                return Block { statements, close: here };
            }
            let start = self.here();
            match self.statement(&mut statements) {
                Ok(Some(kind)) => {
                    statements.push(Statement { span: self.since(start), kind });
                    self.end_of_statement();
                }
                Ok(None) => {}
                Err(Failed) => self.skip_statement(),
            }
        }
        let _ = self.error::<()>("open-block", open, "missing closing brace of this block");
        Block { statements, close: self.here() }
    }

    /// Whether a top-level item starts here: an agent, a function, an expectation, a string.
    fn begins_top_level(&self) -> bool {
        let next = self.peek(1).map(|token| token.kind);
        match self.word() {
            word if AGENTS.contains(&word) => {
                next == Some(Kind::Number) || self.word_ahead(1) == "*"
            }
            "kernel" | "__kernel" => matches!(self.word_ahead(1), "{" | "void"),
            "void" => next == Some(Kind::Word) && self.word_ahead(2) == "(",
            "func" | "expect" => next == Some(Kind::Word),
            "title" | "note" => next == Some(Kind::Text),
            _ => false,
        }
    }

    /// Skips to the position after the closing brace of a block whose opening brace is already consumed.
    fn skip_open_block(&mut self) {
        let mut open = 1_u32;
        while open > 0 && self.peek(0).is_some() {
            if self.is("{") {
                open += 1;
            } else if self.is("}") {
                open -= 1;
            }
            self.advance();
        }
    }

    /// One statement; `None` for a label, which another statement can follow on its line. Calls that synchronise can be
    /// operands of commas in C.
    pub(super) fn statement(
        &mut self,
        before: &mut Vec<Statement>,
    ) -> Parsed<Option<StatementKind>> {
        let start = self.here();
        let read = self.one_statement(before)?;
        match read {
            Some(kind) if self.of_c && self.is(",") => {
                before.push(Statement { span: self.since(start), kind });
                self.advance();
                self.deeper(|parser| parser.statement(before))
            }
            read => Ok(read),
        }
    }

    fn one_statement(&mut self, before: &mut Vec<Statement>) -> Parsed<Option<StatementKind>> {
        if self.of_c && self.is("goto") {
            self.advance();
            return self.name("a label").map(|label| Some(StatementKind::Goto(label)));
        }
        if self.is(".") && self.word_ahead(2) == ":" {
            self.advance();
        }
        if self.is_word() && self.word_ahead(1) == ":" {
            let label = self.name("a label")?;
            self.advance();
            before.push(Statement { span: label.span, kind: StatementKind::Label(label) });
            return Ok(None);
        }
        if self.is("{") {
            return self.block().map(|block| Some(always(block)));
        }
        if let Some(pasted) = self.pasted() {
            return pasted.map(Some);
        }
        if self.begins_structure() {
            return self.structure_and_variables(before).map(Some);
        }
        if self.begins_alias() {
            return self.declare_alias().map(|faults| Some(StatementKind::Restricted(faults)));
        }
        if let Some(restricted) = self.through_pointer() {
            return Ok(Some(restricted));
        }
        if self.begins_declaration() {
            return self.declared(before).map(Some);
        }
        if self.is("switch") && self.word_ahead(1) == "(" {
            return self.switch().map(Some);
        }
        if let Some(read) = self.of_kernel(before) {
            return read.map(Some);
        }
        if let Some(length) = self.number_type() {
            return self.numbers(length, before).map(Some);
        }
        if let Some(passed) = self.of_class() {
            return Ok(Some(passed));
        }
        if self.is("@") {
            return self.guarded().map(Some);
        }
        if self.is("%") {
            self.advance();
        }
        match self.word_ahead(1) {
            "=" if self.is_word() && !KEYWORDS.contains(&self.word()) => {
                return self.assign().map(Some);
            }
            "++" | "--" if self.is_word() => return self.change().map(assigned).map(Some),
            operator
                if self.is_word() && assignment(operator).is_some() && operator.ends_with('=') =>
            {
                return self.assign_with(operator).map(Some);
            }
            _ => {}
        }
        if self.is("++") || self.is("--") {
            return self.change().map(assigned).map(Some);
        }
        self.keyword().map(Some)
    }

    fn keyword(&mut self) -> Parsed<StatementKind> {
        let here = self.here();
        let word = self.word();
        match word {
            "let" => {
                self.advance();
                let name = self.name("a name")?;
                self.is_no_data(&name.text);
                self.expect("=")?;
                self.right_side(name, true)
            }
            "if" => self.conditional_statement(),
            "for" if self.word_ahead(1) == "(" => self.counting(),
            "do" => self.do_while(),
            "for" => {
                self.advance();
                let name = self.name("the name of the counter")?;
                self.expect("in")?;
                if let Some(python) = self.range_of_python(&name, here) {
                    return python;
                }
                let first = self.expression()?;
                self.expect("..")?;
                let end = self.expression()?;
                Ok(StatementKind::For(name, first, end, self.block()?))
            }
            "repeat" => {
                self.advance();
                let times = self.expression()?;
                Ok(StatementKind::Repeat(times, self.block()?))
            }
            "while" => {
                self.advance();
                let closed = self.is("(");
                let condition = self.expression()?;
                Ok(StatementKind::While(condition, self.body(closed)?))
            }
            "loop" => {
                self.advance();
                Ok(StatementKind::Loop(self.block()?))
            }
            "break" | "continue" | "exit" | "EXIT" => {
                self.advance();
                Ok(match word {
                    "break" => StatementKind::Break,
                    "continue" => StatementKind::Continue,
                    _ => StatementKind::Exit,
                })
            }
            "return" | "ret" => self.return_statement(),
            "choose" => self.choose(),
            "with" => self.with_of_python(),
            "else" | "or" if self.word_ahead(1) != "." => self.error(
                "expected-statement",
                here,
                format!("`{word}` must directly follow the block it belongs to"),
            ),
            "call" if self.word_ahead(2) == "(" => self.call(),
            _ => self.instruction(None),
        }
    }

    /// `range(0, 8):`, as in Python, after `for NAME in`.
    fn range_of_python(&mut self, name: &Name, start: Span) -> Option<Parsed<StatementKind>> {
        let ranges = |ahead| matches!(self.word_ahead(ahead), "range" | "static_range");
        let ahead = if self.word_ahead(1) == "." { 2 } else { 0 };
        if !ranges(ahead) || self.word_ahead(ahead + 1) != "(" {
            return None;
        }
        let span = self.since(start);
        self.skip_indented(start);
        let message = format!("write the loop as `for {} in 0..8 {{ … }}`", name.text);
        Some(self.error("expected-expression", span, message))
    }

    /// `with tlx.async_task(…):`.
    pub(super) fn with_of_python<T>(&mut self) -> Parsed<T> {
        let start = self.here();
        self.skip_indented(start);
        let message = "Python `with` blocks are not supported: write each task as a block of its warps, such as `warp 0 { tlx.barrier_wait(full[0], 0) }`";
        self.error("unknown-statement", start, message)
    }

    /// Skips a Python statement that starts here, and the more indented lines after it.
    pub(super) fn skip_indented(&mut self, start: Span) {
        loop {
            self.skip_statement();
            let ahead = match self.is(";") {
                true => 1,
                false => self.behind_newlines(),
            };
            let inner = self.peek(ahead).is_some_and(|token| {
                token.span.line == start.line || token.span.column > start.column
            });
            if ahead == 0 || !inner || self.text_of(ahead) == Some("}") {
                return;
            }
            self.advance_by(ahead);
        }
    }

    fn call(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let name = self.name("the name of the function")?;
        let arguments = self.arguments()?;
        Ok(StatementKind::Call(name, arguments))
    }

    fn conditional_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let closed = self.is("(");
        let condition = self.expression()?;
        let then = self.body(closed)?;
        let has_else = self.continues_with("else") || closed && self.else_behind_semicolon();
        if !has_else {
            return Ok(StatementKind::If(condition, then, None));
        }
        if !self.is("if") {
            return Ok(StatementKind::If(condition, then, Some(self.body(closed)?)));
        }
        let start = self.here();
        let kind = self.deeper(Self::conditional_statement)?;
        let statement = Statement { span: self.since(start), kind };
        let close = self.since(start);
        Ok(StatementKind::If(
            condition,
            then,
            Some(Block { statements: alloc::vec![statement], close }),
        ))
    }

    fn choose(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut blocks = alloc::vec![self.block()?];
        while self.continues_with("or") {
            blocks.push(self.block()?);
        }
        Ok(StatementKind::Choose(blocks))
    }

    /// Consumes a word that continues the statement, also on a later line.
    pub(super) fn continues_with(&mut self, word: &str) -> bool {
        let ahead = self.behind_newlines();
        self.advance_by(ahead);
        if self.eat(word) {
            return true;
        }
        self.retreat_by(ahead);
        false
    }

    fn assign(&mut self) -> Parsed<StatementKind> {
        let name = self.name("a name")?;
        self.advance();
        self.right_side(name, false)
    }

    pub(super) fn right_side(&mut self, name: Name, declares: bool) -> Parsed<StatementKind> {
        if self.is("new") && self.peek(1).is_some_and(|token| token.kind == Kind::Word) {
            return self.dynamic(name);
        }
        if self.begins_instruction() {
            return self.instruction(Some((name, declares)));
        }
        let value = self.expression()?;
        Ok(if declares {
            StatementKind::Let(name, value)
        } else {
            StatementKind::Assign(name, value)
        })
    }

    fn assign_with(&mut self, operator: &str) -> Parsed<StatementKind> {
        let (name, value) = self.combined(operator)?;
        Ok(StatementKind::Assign(name, value))
    }

    /// `NAME += EXPR` and similar: the name and its new value.
    pub(super) fn combined(&mut self, operator: &str) -> Parsed<(Name, Expression)> {
        let name = self.name("a name")?;
        let span = self.advance();
        let right = self.expression()?;
        let mut value = Expression { code: alloc::vec![(Atom::Name, name.span)], span: right.span };
        value.code.extend(right.code);
        if let Some((_, operator)) = operator.strip_suffix('=').and_then(|it| self.binary(it)) {
            value.code.push((Atom::Binary(operator), span));
        }
        Ok((name, value))
    }
}

fn assigned((name, value): (Name, Expression)) -> StatementKind {
    StatementKind::Assign(name, value)
}
