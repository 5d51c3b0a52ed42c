//! Statements.

use super::lexer::Kind as Is;
use super::value::Value;
use super::{Done, Reader, Task};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_kernel::ir::{BlockId, Comparison, Edge, End, Kind, Op, Operand, Reg};

/// Most expressions that are read, and most rounds of a loop that is unrolled.
pub(super) const MOST_STEPS: usize = 100_000;
const MOST_ROUNDS: i64 = 128;

fn edge(to: BlockId) -> Edge {
    Edge { to, moves: Vec::new() }
}

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
            while reader.at < end && !reader.is(Is::Close) && reader.returned.is_none() {
                reader.statement()?;
            }
            Ok(())
        })?;
        self.at = end;
        Ok(())
    }

    /// The token after the block whose `:` is next.
    fn end_of_block(&self) -> usize {
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

    fn skip_block(&mut self) {
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
            "def" | "class" | "try" | "break" | "continue" | "raise" | "del" | "global"
            | "match" | "yield" | "@" => {
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

    fn skip_line(&mut self) {
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
                ([name], sign) if sign != "" && sign != ":" => {
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
    fn targets(&self, of: Range<usize>) -> Vec<&'t str> {
        let tokens = self.tokens.get(of).unwrap_or(&[]);
        let annotation = tokens.iter().position(|token| token.text == ":");
        let tokens = &tokens[..annotation.unwrap_or(tokens.len())];
        if tokens.iter().any(|token| matches!(token.text, "." | "[")) {
            return Vec::new();
        }
        tokens.iter().filter(|token| token.kind == Is::Name).map(|token| token.text).collect()
    }

    fn assign_all(&mut self, names: &[&'t str], value: &Value) {
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

    /// Gives variables that blocks assign registers of their own. The result is what [`Reader::close`] restores.
    fn open(&mut self, ranges: &[Range<usize>], repeats: bool) -> BTreeMap<&'t str, Reg> {
        let before = self.fixed.clone();
        let mut names: Vec<&'t str> = Vec::new();
        for range in ranges {
            let mut first = range.start;
            for at in range.clone() {
                let token = &self.tokens[at];
                let sets = token.kind == Is::Sign
                    && token.text.ends_with('=')
                    && !["==", "<=", ">=", "!="].contains(&token.text);
                if sets || token.text == "in" && self.tokens[first].text == "for" {
                    names.extend(self.targets(first..at).into_iter().filter(|it| *it != "for"));
                }
                if matches!(token.kind, Is::Line | Is::Open | Is::Close) || token.text == ";" {
                    first = at + 1;
                }
            }
        }
        for name in names {
            if self.fixed.contains_key(name) {
                continue;
            }
            let value = self.variables.get(name).cloned();
            let register = match &value {
                Some(Value::Data) => continue,
                Some(value) if !value.is_number() => {
                    if repeats {
                        self.variables.insert(name, Value::Mixed);
                    }
                    continue;
                }
                _ => self.builder.register(32),
            };
            match value {
                Some(value) => {
                    let of = self.operand(&value);
                    self.builder.compute_to(register, Op::Copy, &[of]);
                }
                None => self.builder.push(Kind::Opaque { to: alloc::vec![register] }),
            }
            self.fixed.insert(name, register);
            self.variables.insert(name, Value::Number(Operand::Register(register)));
        }
        self.choices += 1;
        before
    }

    /// Ends blocks: a variable has a value if it has the same one on all ways.
    fn close(&mut self, before: BTreeMap<&'t str, Reg>, ways: Vec<BTreeMap<&'t str, Value>>) {
        self.choices -= 1;
        self.fixed = before;
        let mut ways = ways.into_iter();
        let mut all = ways.next().unwrap_or_default();
        for way in ways {
            for (name, value) in &way {
                if all.get(name) != Some(value) {
                    all.insert(name, Value::Mixed);
                }
            }
            all.retain(|name, _| way.contains_key(name));
        }
        self.variables = all;
    }

    fn branch(&mut self) -> Done<()> {
        self.at += 1;
        let on = self.expression()?;
        let other = self.end_of_block();
        let has_other = |reader: &Self, at: usize| {
            reader.tokens.get(at).is_some_and(|token| {
                matches!(token.text, "elif" | "else") && token.kind == Is::Name
            })
        };
        if let Some(truth) = on.truth() {
            if truth {
                self.block()?;
                while has_other(self, self.at) {
                    self.skip_block();
                }
            } else {
                self.at = other;
                if has_other(self, other) {
                    self.otherwise()?;
                }
            }
            return Ok(());
        }
        let start = self.at;
        self.at = other;
        while has_other(self, self.at) {
            self.skip_block();
        }
        let end = self.at;
        let on = self.bit(&on);
        let fixed = self.open(&[start..end], false);
        let [then, way, next] = [self.builder.block(), self.builder.block(), self.builder.block()];
        self.builder.end(End::Branch { on, then: edge(then), other: edge(way) });
        let (variables, registers) = (self.variables.clone(), self.fixed.clone());
        self.builder.go_to(then);
        self.at = start;
        self.block()?;
        self.builder.jump(next);
        let first = core::mem::replace(&mut self.variables, variables);
        self.fixed = registers;
        self.builder.go_to(way);
        self.at = other;
        if has_other(self, other) {
            self.otherwise()?;
        }
        self.builder.jump(next);
        let last = core::mem::take(&mut self.variables);
        self.builder.go_to(next);
        self.close(fixed, alloc::vec![first, last]);
        self.at = end;
        Ok(())
    }

    /// `elif` or `else`
    fn otherwise(&mut self) -> Done<()> {
        if self.text() == "elif" {
            return self.deeper(Self::branch);
        }
        self.at += 1;
        self.block()
    }

    fn while_loop(&mut self) -> Done<()> {
        let first = self.at + 1;
        self.skip_block();
        let end = self.at;
        let fixed = self.open(&[first..end], true);
        let [head, inner, after] =
            [self.builder.block(), self.builder.block(), self.builder.block()];
        self.builder.jump(head);
        self.builder.go_to(head);
        self.at = first;
        let on = self.expression()?;
        let on = self.bit(&on);
        self.builder.end(End::Branch { on, then: edge(inner), other: edge(after) });
        self.looped(head, inner, after, None)?;
        self.done(end, fixed)
    }

    /// The body of a loop; its `:` is next.
    fn looped(
        &mut self,
        head: BlockId,
        inner: BlockId,
        after: BlockId,
        step: Option<(Reg, Operand)>,
    ) -> Done<()> {
        let variables = self.variables.clone();
        let registers = self.fixed.clone();
        self.builder.go_to(inner);
        self.block()?;
        if let Some((counter, by)) = step {
            self.builder.compute_to(counter, Op::Add, &[Operand::Register(counter), by]);
        }
        self.builder.jump(head);
        self.builder.go_to(after);
        (self.variables, self.fixed) = (variables, registers);
        Ok(())
    }

    fn done(&mut self, end: usize, fixed: BTreeMap<&'t str, Reg>) -> Done<()> {
        let variables = core::mem::take(&mut self.variables);
        self.close(fixed, alloc::vec![variables]);
        self.at = end;
        if self.text() == "else" {
            return self.wrong("a loop with `else` is not read");
        }
        Ok(())
    }

    /// `for TARGETS in range(LO, HI, STEP):`; `static_range` and tuples are unrolled.
    fn for_loop(&mut self) -> Done<()> {
        let (place, start) = (self.here(), self.at);
        while self.token().is_some() && self.text() != "in" && !self.is(Is::Line) {
            self.at += 1;
        }
        let names = self.targets(start + 1..self.at);
        self.expect("in")?;
        let over = self.at;
        let mut word = "";
        while self.is(Is::Name) || self.text() == "." {
            word = self.text();
            self.at += 1;
        }
        if !matches!(word, "range" | "static_range") || self.text() != "(" {
            self.at = over;
            let Value::List(values) = self.tuple()? else {
                return Err((place, "expected `range`, `tl.range` or `tl.static_range`".into()));
            };
            return self.unrolled(&names, values);
        }
        let given = self.arguments()?;
        let named = |at: usize, name: &str| {
            let by_name = given.iter().find(|(key, _)| *key == Some(name));
            let by_place = given.iter().filter(|(key, _)| key.is_none()).nth(at);
            by_name.or(by_place).map(|(_, value)| value.clone())
        };
        let (lo, hi) = match (named(0, "arg1"), named(1, "arg2")) {
            (Some(lo), Some(hi)) => (lo, hi),
            (Some(hi), None) => (Value::Int(0), hi),
            _ => return Err((place, "a range has one to three arguments".into())),
        };
        let step = named(2, "step").unwrap_or(Value::Int(1));
        if step == Value::Int(0) {
            return Err((place, "the step of a range must not be 0".into()));
        }
        if word == "static_range" {
            let [mut at, hi, step] = [
                self.size(&lo, place, "`static_range`")?,
                self.size(&hi, place, "`static_range`")?,
                self.size(&step, place, "`static_range`")?,
            ];
            let mut values = Vec::new();
            while if step > 0 { at < hi } else { at > hi } {
                values.push(Value::Int(at));
                at = at.saturating_add(step);
                if values.len() as i64 > MOST_ROUNDS {
                    return Err((place, "this loop has too many rounds to unroll".into()));
                }
            }
            return self.unrolled(&names, values);
        }
        let colon = self.at;
        let end = self.end_of_block();
        let counter = self.builder.register(32);
        let [low, high, by] = [&lo, &hi, &step].map(|value| self.operand(value));
        self.builder.compute_to(counter, Op::Copy, &[low]);
        let high = match high {
            Operand::Register(_) => self.builder.compute(32, Op::Copy, &[high]),
            other => other,
        };
        let by = match by {
            Operand::Register(_) => self.builder.compute(32, Op::Copy, &[by]),
            other => other,
        };
        let fixed = self.open(&[start..end], true);
        let [head, inner, after] =
            [self.builder.block(), self.builder.block(), self.builder.block()];
        self.builder.jump(head);
        self.builder.go_to(head);
        let down = step.int().is_some_and(|step| step < 0);
        let compare = Op::Compare(if down { Comparison::Sgt } else { Comparison::Slt }, 32);
        let on = match high {
            Operand::Data => Operand::Data,
            _ => self.builder.compute(1, compare, &[Operand::Register(counter), high]),
        };
        self.builder.end(End::Branch { on, then: edge(inner), other: edge(after) });
        self.builder.go_to(inner);
        for name in &names {
            self.assign(name, Value::Number(Operand::Register(counter)));
        }
        self.at = colon;
        self.looped(head, inner, after, Some((counter, by)))?;
        self.done(end, fixed)
    }

    fn unrolled(&mut self, names: &[&'t str], values: Vec<Value>) -> Done<()> {
        let colon = self.at;
        let end = self.end_of_block();
        if values.len() as i64 > MOST_ROUNDS {
            return self.wrong("this loop has too many rounds to unroll");
        }
        for (round, value) in values.into_iter().enumerate() {
            match names {
                [name] => self.assign(name, value),
                names => self.assign_all(names, &value),
            }
            self.at = colon;
            self.path.push(round);
            let read = self.block();
            self.path.pop();
            read?;
        }
        self.at = end;
        Ok(())
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
        Ok(())
    }

    fn with(&mut self) -> Done<()> {
        self.at += 1;
        let mut word = "";
        while self.is(Is::Name) || self.text() == "." {
            word = self.text();
            self.at += 1;
        }
        if self.text() != "(" {
            return self.wrong("expected `tlx.async_tasks()` after `with`");
        }
        match word {
            "async_tasks" => {
                self.arguments()?;
                self.tasks()
            }
            "async_task" => self.wrong("`async_task` is only read directly inside `async_tasks`"),
            // Hints to the compiler.
            "warp_pipeline_stage" | "scope" => {
                self.arguments()?;
                self.block()
            }
            _ => self.wrong("expected `tlx.async_tasks()` after `with`"),
        }
    }

    fn tasks(&mut self) -> Done<()> {
        if self.choices > 0 || self.inside || self.calls() > 0 {
            return self
                .wrong("`async_tasks` inside a branch, a loop or a called function is not read");
        }
        self.expect(":")?;
        if !self.is(Is::Line)
            || self.tokens.get(self.at + 1).is_none_or(|next| next.kind != Is::Open)
        {
            return self.wrong("expected an indented block");
        }
        self.at += 2;
        self.gather();
        while self.token().is_some() && !self.is(Is::Close) {
            let (token, place) = (self.at, self.here());
            if self.eat("pass") {
                self.skip_line();
                continue;
            }
            self.expect("with")?;
            if self.ahead(2) == "async_task" {
                self.at += 2;
            }
            self.expect("async_task")?;
            let given = self.arguments()?;
            let value = |name: &str| {
                given.iter().find(|(key, _)| *key == Some(name)).map(|(_, value)| value.clone())
            };
            let default = given
                .iter()
                .any(|(key, value)| key.is_none() && *value == Value::Text("default".into()));
            let number = |reader: &Self, name: &str, usual| match value(name) {
                None => Ok(usual),
                Some(value) => reader.size(&value, place, name),
            };
            let warps = number(self, "num_warps", self.tasks[0].warps)?;
            let replicas = number(self, "replicate", 1)?;
            if !(1..=32).contains(&warps) || !(1..=16).contains(&replicas) {
                return Err((place, "a task has 1 to 32 warps and 1 to 16 replicas".into()));
            }
            let known = default || self.tasks.iter().any(|task| task.token == Some(token));
            if !known {
                let made = |replica| Task { token: Some(token), replica, warps };
                self.tasks.extend((0..replicas).map(made));
            }
            if self.tasks.len() > super::MOST_TASKS {
                return Err((place, "the kernel has too many tasks".into()));
            }
            let own = self.tasks[self.task].token;
            if if default { own.is_none() } else { own == Some(token) } {
                let variables = self.variables.clone();
                (self.inside, self.warps) = (true, self.tasks[self.task].warps);
                self.block()?;
                (self.inside, self.warps) = (false, self.tasks[0].warps);
                self.variables = variables;
            } else {
                self.at = self.end_of_block();
            }
        }
        self.at += 1;
        self.gather();
        Ok(())
    }
}
