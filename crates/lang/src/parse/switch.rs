//! `switch (VALUE) { case N: … default: … }`

use super::cursor::{Parsed, Parser};
use super::data::always;
use crate::diagnostic::Span;
use crate::expression::Expression;
use crate::tree::{Block, Statement, StatementKind, Switch, Value};
use alloc::vec::Vec;

impl Parser<'_> {
    pub(super) fn switch(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let value = if self.of_c {
            self.advance();
            self.inner_value(")")?
        } else {
            Value::of(self.expression()?)
        };
        self.skip_newlines();
        let open = self.expect("{")?;
        self.deeper(|parser| {
            let (mut cases, mut statements) = (Vec::new(), Vec::new());
            let close = parser.cases(&mut cases, &mut statements, open)?;
            Ok(StatementKind::Switch(Switch { value, cases, body: Block { statements, close } }))
        })
    }

    /// Labels and statements up to the closing brace; each label with the number of statements before it.
    fn cases(
        &mut self,
        cases: &mut Vec<(Option<Expression>, usize)>,
        statements: &mut Vec<Statement>,
        open: Span,
    ) -> Parsed<Span> {
        while self.skip_separators() {
            if self.is("}") {
                return Ok(self.advance());
            }
            if self.is("default") || self.is("case") {
                let (start, is_default) = (self.here(), self.is("default"));
                self.advance();
                let label = match is_default {
                    true => None,
                    false => {
                        let mut label = self.expression()?;
                        label.span = self.since(start);
                        Some(label)
                    }
                };
                self.expect(":")?;
                cases.push((label, statements.len()));
                continue;
            }
            let start = self.here();
            if self.is("{") {
                let kind = always(self.block()?);
                statements.push(Statement { span: self.since(start), kind });
                continue;
            }
            if let Some(kind) = self.statement(statements)? {
                statements.push(Statement { span: self.since(start), kind });
                self.end_of_statement();
            }
        }
        self.error("open-block", open, "missing closing brace of this block")
    }
}
