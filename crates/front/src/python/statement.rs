//! Statements.

use super::lexer::Kind as Is;
use super::value::Value;
use super::{Done, Reader};
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_kernel::ir::{End, Kind, Op, Operand};

/// The maximum number of expressions that are read.
pub(super) const MOST_STEPS: usize = 100_000;

impl<'t> Reader<'_, 't> {
    /// `:` and the statements after it.
    pub(super) fn block(&mut self) -> Done<()> {
        let end = self.end_of_block();
        self.expect(":")?;
        if self.is(Is::Line) {
            self.at += 1;
            if !self.is(Is::Open) {
                return self.wrong("expected an indented block");
            }
            self.at += 1;
        }
        self.deeper(|reader| {
            while reader.at < end
                && !reader.is(Is::Close)
                && reader.returned.is_none()
                && !reader.left
            {
                reader.statement()?;
            }
            Ok(())
        })?;
        self.at = end;
        Ok(())
    }

    /// The token after the block whose `:` is next.
    pub(super) fn end_of_block(&self) -> usize {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.kind {
                Is::Open => depth += 1,
                Is::Close if depth > 1 => depth -= 1,
                Is::Close => return if depth == 1 { at + 1 } else { at },
                Is::Line if depth == 0 => {
                    let opens = self.tokens.get(at + 1).is_some_and(|next| next.kind == Is::Open);
                    if !opens || at != self.at + 1 {
                        return at + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    pub(super) fn skip_block(&mut self) {
        while self.token().is_some() && self.text() != ":" && !self.is(Is::Line) {
            self.skip();
        }
        self.at = self.end_of_block();
    }

    fn statement(&mut self) -> Done<()> {
        let place = self.here();
        self.builder.at(place);
        match self.text() {
            "for" => self.for_loop(),
            "while" => self.while_loop(),
            "if" => self.branch(),
            "with" => self.with(),
            "pass" | "import" | "from" | "assert" => {
                self.skip_line();
                Ok(())
            }
            "return" => self.leave(),
            "break" | "continue" => self.leave_loop(),
            "def" | "class" | "try" | "raise" | "del" | "global" | "match" | "yield" | "@" => {
                let message = alloc::format!("a kernel with `{}` is not read", self.text());
                Err((place, message))
            }
            _ => {
                self.simple()?;
                if !self.eat(";") && !self.is(Is::Line) {
                    return self.wrong("expected the end of the statement");
                }
                self.at += usize::from(self.is(Is::Line));
                Ok(())
            }
        }
    }

    pub(super) fn skip_line(&mut self) {
        while self.token().is_some() && !self.is(Is::Line) {
            self.at += 1;
        }
        self.at += 1;
    }

    /// An expression or an assignment.
    fn simple(&mut self) -> Done<()> {
        let start = self.at;
        // The targets come before the last `=` outside of brackets.
        let mut sets = Vec::new();
        while self.token().is_some() && !self.is(Is::Line) && self.text() != ";" {
            let sign = self.text();
            if sign == "="
                || sign.len() > 1
                    && sign.ends_with('=')
                    && !["==", "<=", ">=", "!="].contains(&sign)
            {
                sets.push(self.at);
            }
            self.skip();
        }
        let end = self.at;
        self.at = sets.last().map_or(start, |last| last + 1);
        if sets.is_empty() {
            self.tuple()?;
            if self.text() == ":" {
                self.at = end;
            }
            return Ok(());
        }
        let value = self.tuple()?;
        let after = self.at;
        let mut first = start;
        for &at in &sets {
            self.at = first;
            let names = self.targets(first..at);
            let sign = self.tokens[at].text.trim_end_matches('=');
            match (&names[..], sign) {
                ([], _) => self.unknown("an assignment to this is not modelled"),
                ([name], "") if !self.tokens[first..at].iter().any(|it| it.text == ",") => {
                    self.assign(name, value.clone());
                }
                ([name], sign) if !sign.is_empty() && sign != ":" => {
                    let old = self.named(name);
                    let sum = self.binary(sign, &old, &value);
                    self.assign(name, sum);
                }
                (names, _) => self.assign_all(names, &value),
            }
            first = at + 1;
        }
        self.at = after;
        Ok(())
    }

    /// The names of targets.
    pub(super) fn targets(&self, of: Range<usize>) -> Vec<&'t str> {
        let tokens = self.tokens.get(of).unwrap_or(&[]);
        let annotation = tokens.iter().position(|token| token.text == ":");
        let tokens = &tokens[..annotation.unwrap_or(tokens.len())];
        if tokens.iter().any(|token| matches!(token.text, "." | "[")) {
            return Vec::new();
        }
        tokens.iter().filter(|token| token.kind == Is::Name).map(|token| token.text).collect()
    }

    pub(super) fn assign_all(&mut self, names: &[&'t str], value: &Value) {
        let values = match value {
            Value::List(values) if values.len() == names.len() => {
                values.iter().map(|one| self.kept(one)).collect()
            }
            _ => names.iter().map(|_| Value::Data).collect::<Vec<_>>(),
        };
        for (name, value) in names.iter().zip(values) {
            self.assign(name, value);
        }
    }

    /// The value without registers of variables, which change.
    pub(super) fn kept(&mut self, value: &Value) -> Value {
        match value {
            Value::Number(Operand::Register(of)) if self.fixed.values().any(|it| it == of) => {
                Value::Number(self.builder.compute(32, Op::Copy, &[Operand::Register(*of)]))
            }
            Value::List(parts) => Value::List(parts.iter().map(|part| self.kept(part)).collect()),
            other => other.clone(),
        }
    }

    pub(super) fn assign(&mut self, name: &'t str, value: Value) {
        let Some(&register) = self.fixed.get(name) else {
            let kept = self.kept(&value);
            self.variables.insert(name, kept);
            return;
        };
        match value {
            _ if value.is_number() => {
                let of = self.operand(&value);
                self.builder.compute_to(register, Op::Copy, &[of]);
            }
            Value::Data => self.builder.push(Kind::Opaque { to: alloc::vec![register] }),
            other => {
                self.fixed.remove(name);
                self.variables.insert(name, other);
                return;
            }
        }
        self.variables.insert(name, Value::Number(Operand::Register(register)));
    }

    fn leave(&mut self) -> Done<()> {
        self.at += 1;
        let value = if self.is(Is::Line) { Value::None } else { self.tuple()? };
        self.at += 1;
        if self.calls() > 0 {
            if self.choices > 0 && self.choices > self.choices_at_call() {
                self.unknown("a return from a part of a called function is not modelled");
            }
            let kept = self.kept(&value);
            self.returned = Some(kept);
            return Ok(());
        }
        self.builder.end(End::Exit);
        let rest = self.builder.block();
        self.builder.go_to(rest);
        self.left = true;
        Ok(())
    }
}
