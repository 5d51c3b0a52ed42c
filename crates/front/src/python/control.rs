//! Branches and loops.

use super::lexer::Kind as Is;
use super::lexer::Token;
use super::value::Value;
use super::{Done, Loop, Reader};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_kernel::ir::{BlockId, Comparison, Edge, End, Kind, Op, Operand, Reg};

/// The maximum number of rounds of a loop that is unrolled.
const MOST_ROUNDS: i64 = 128;
/// A loop over a range of the execution with fewer rounds is unrolled if they have fewer tokens.
const SHORT: i64 = 8;
const MOST_TOKENS: i64 = 4000;

fn edge(to: BlockId) -> Edge {
    Edge { to, moves: Vec::new() }
}

impl<'t> Reader<'_, 't> {
    /// Gives variables that blocks assign registers of their own. The result is what [`Reader::close`] restores.
    fn open(&mut self, range: Range<usize>, repeats: bool) -> BTreeMap<&'t str, Reg> {
        let before = self.fixed.clone();
        // A variable, and whether something other than a sum with it is assigned.
        let mut names: Vec<(&'t str, bool)> = Vec::new();
        let (mut first, mut depth) = (range.start, 0_usize);
        for at in range {
            let token = &self.tokens[at];
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let sets = depth == 0
                && token.kind == Is::Sign
                && token.text.ends_with('=')
                && !["==", "<=", ">=", "!="].contains(&token.text);
            if sets || token.text == "in" && self.tokens[first].text == "for" {
                let after = |by: usize| self.tokens.get(at + by).map_or("", |token| token.text);
                for name in self.targets(first..at).into_iter().filter(|it| *it != "for") {
                    let own = token.text != "=" || after(1) == name && after(2) == "+";
                    names.push((name, !own));
                }
            }
            if matches!(token.kind, Is::Line | Is::Open | Is::Close) || token.text == ";" {
                first = at + 1;
            }
        }
        for (name, is_new) in names {
            if self.fixed.contains_key(name) {
                continue;
            }
            let value = self.variables.get(name).cloned();
            let register = match &value {
                Some(Value::Data) => continue,
                Some(Value::Global(_)) if !is_new => continue,
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

    pub(super) fn branch(&mut self) -> Done<()> {
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
        let (start, place) = (self.at, self.here());
        self.at = other;
        while has_other(self, self.at) {
            self.skip_block();
        }
        let end = self.at;
        let allocates = |it: &Token<'_>| it.text.starts_with("alloc_") || it.text == "local_alloc";
        if !self.constants.is_empty() && self.tokens[start..end].iter().any(allocates) {
            let message =
                alloc::format!("a condition of an allocation needs a value: {}", self.missing());
            return Err((place, message));
        }
        let on = self.bit(&on);
        let fixed = self.open(start..end, false);
        let [then, way, next] = [self.builder.block(), self.builder.block(), self.builder.block()];
        self.builder.end(End::Branch { on, then: edge(then), other: edge(way) });
        let (variables, registers) = (self.variables.clone(), self.fixed.clone());
        self.builder.go_to(then);
        self.at = start;
        self.block()?;
        self.builder.jump(next);
        let first = core::mem::replace(&mut self.variables, variables);
        let first_left = core::mem::take(&mut self.left);
        self.fixed = registers;
        self.builder.go_to(way);
        self.at = other;
        if has_other(self, other) {
            self.otherwise()?;
        }
        self.builder.jump(next);
        let last = core::mem::take(&mut self.variables);
        let last_left = core::mem::take(&mut self.left);
        self.builder.go_to(next);
        // A way that leaves the block decides no value after it.
        let ways = match (first_left, last_left) {
            (true, false) => alloc::vec![last],
            (false, true) => alloc::vec![first],
            _ => alloc::vec![first, last],
        };
        self.left = first_left && last_left;
        self.close(fixed, ways);
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

    pub(super) fn while_loop(&mut self) -> Done<()> {
        let first = self.at + 1;
        self.skip_block();
        let end = self.at;
        let fixed = self.open(first..end, true);
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
        let next = self.builder.block();
        self.loops.push(Loop { to: Some([next, after]), choices: self.choices, ended: None });
        self.builder.go_to(inner);
        self.block()?;
        self.loops.pop();
        self.left = false;
        self.builder.jump(next);
        self.builder.go_to(next);
        if let Some((counter, by)) = step {
            self.builder.compute_to(counter, Op::Add, &[Operand::Register(counter), by]);
        }
        self.builder.jump(head);
        self.builder.go_to(after);
        (self.variables, self.fixed) = (variables, registers);
        Ok(())
    }

    /// `break` or `continue`
    pub(super) fn leave_loop(&mut self) -> Done<()> {
        let ends = self.text() == "break";
        let choices = self.choices;
        let Some(innermost) = self.loops.last_mut() else {
            return self.wrong("this is not inside a loop");
        };
        match innermost.to {
            Some([next, after]) => {
                self.builder.jump(if ends { after } else { next });
                let rest = self.builder.block();
                self.builder.go_to(rest);
            }
            None if innermost.choices == choices => innermost.ended = Some(ends),
            None => {
                return self.wrong(
                    "a condition that the execution decides cannot end a loop that is unrolled",
                );
            }
        }
        self.at += 1;
        self.left = true;
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
    pub(super) fn for_loop(&mut self) -> Done<()> {
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
            return self.unrolled(&names, values, true);
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
        let is_known =
            [&lo, &hi, &step].iter().all(|it| matches!(it, Value::Int(_) | Value::Host(_)));
        if word == "static_range" && !is_known {
            self.unknown("the rounds of a loop that is unrolled are not known");
        }
        if is_known && (word == "static_range" || self.is_short([&lo, &hi, &step])) {
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
            return self.unrolled(&names, values, word == "static_range");
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
        let fixed = self.open(start..end, true);
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

    /// Whether a loop over a range has few rounds, all of which are executed: its values are known if it is unrolled.
    fn is_short(&self, [lo, hi, step]: [&Value; 3]) -> bool {
        let (Value::Int(lo), Value::Int(hi), Value::Int(step)) = (lo, hi, step) else {
            return false;
        };
        let rounds = hi.saturating_sub(*lo).checked_div(*step).unwrap_or(i64::MAX);
        let body = self.tokens.get(self.at..self.end_of_block()).unwrap_or(&[]);
        let leaves = body.iter().any(|it| matches!(it.text, "break" | "continue"));
        rounds < SHORT && !leaves && (body.len() as i64).saturating_mul(rounds) < MOST_TOKENS
    }

    /// The rounds of a loop. Unless they allocate memory of their own, all use the same.
    fn unrolled(&mut self, names: &[&'t str], values: Vec<Value>, own: bool) -> Done<()> {
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
            self.path.push(if own { round } else { 0 });
            self.loops.push(Loop { to: None, choices: self.choices, ended: None });
            let read = self.block();
            let ended = self.loops.pop().and_then(|one| one.ended);
            self.path.pop();
            read?;
            self.left &= ended.is_none();
            if ended == Some(true) || self.left || self.returned.is_some() {
                break;
            }
        }
        self.at = end;
        Ok(())
    }
}
