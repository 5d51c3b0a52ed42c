//! TLX calls and allocations.
//!
//! As in Python, line ends within the parentheses of a call have no meaning.

use super::cursor::{Failed, Parsed, Parser};
use super::ptx::product;
use crate::diagnostic::Span;
use crate::expression::{Atom, Expression, Unary};
use crate::suggest;
use crate::tree::{Block, Name, Operand, Statement, StatementKind};
use crate::vocabulary::nvidia::{Flags, Kind, Part};
use crate::vocabulary::tlx::UPSTREAM;
use crate::vocabulary::{Effect, ptx, tlx};
use alloc::format;
use alloc::vec::Vec;

impl Parser<'_> {
    /// `tlx.NAME(ARGUMENTS)`, with positional or named arguments.
    pub(super) fn call_of_tlx(&mut self, head: &Name, start: Span) -> Parsed<StatementKind> {
        let Some(row) = tlx::find(&head.text) else {
            if tlx::ALLOCATIONS.contains(&head.text.as_str()) {
                let message =
                    "barriers must be allocated at top level: `NAME = tlx.alloc_barriers(…)`";
                return self.error("unknown-operation", head.span, message);
            }
            let names = tlx::ROWS.iter().map(|row| row.instruction.row.name);
            let suggestion = suggest::instead(&head.text, names);
            let message = format!("unknown TLX operation `{}`", head.text);
            return self.suggest("unknown-operation", head.span, message, suggestion);
        };
        let row = if row.instruction.row.name == UPSTREAM.instruction.row.name && self.is_upstream()
        {
            &UPSTREAM
        } else {
            row
        };
        let mut given: Vec<Vec<Operand>> = row.parameters.iter().map(|_| Vec::new()).collect();
        let alone = row.instruction.row.effect == Effect::Nvidia(Kind::Tensor);
        let stores = head.text == tlx::STORED.instruction.row.name;
        let mut flags = Flags { parity: true, alone, bulk_group: stores, ..Flags::default() };
        let (mut objects, mut predicate) = (Vec::new(), None);
        self.expect("(")?;
        let mut place = 0;
        while !self.ends_arguments(place)? {
            let at = self.parameter(row.parameters)?.unwrap_or(place);
            let Some(part) = row.instruction.parts.get(at) else {
                let here = self.here();
                let message = format!("`{}` takes {} arguments", head.text, row.parameters.len());
                return self.error("argument-count", here, message);
            };
            let mut operands = Vec::new();
            match part {
                Part::Objects => {
                    self.expect("[")?;
                    while !self.eat("]") {
                        if !objects.is_empty() {
                            self.expect(",")?;
                        }
                        objects.push(self.expression()?);
                    }
                }
                Part::Pair => {
                    flags.pair = matches!(self.word(), "True" | "1");
                    self.skip_operand();
                }
                Part::Predicate => predicate = self.predicate(&flags, &head.text)?,
                part => self.part(*part, &mut operands)?,
            }
            given[at] = operands;
            place += 1;
        }
        for (at, operands) in given.iter().enumerate() {
            let part = row.instruction.parts[at];
            let optional = matches!(
                part,
                Part::Maybe | Part::Skipped | Part::Objects | Part::Pair | Part::Predicate
            );
            if operands.is_empty() && !optional {
                let message =
                    format!("missing argument `{1}` of `{0}`", head.text, row.parameters[at]);
                return self.error("argument-count", head.span, message);
            }
        }
        if core::ptr::eq(row, &UPSTREAM) {
            given.swap(0, 1);
        }
        let operands = given.into_iter().flatten().collect();
        let made = |row: &'static ptx::Instruction, operands| {
            self.nvidia_made(row, flags, head.span, operands, None, start)
        };
        let first = made(&row.instruction, operands);
        if let Some(condition) = predicate {
            let close = self.since(start);
            let statements = alloc::vec![Statement { span: close, kind: first }];
            return Ok(StatementKind::If(condition, Block { statements, close }, None));
        }
        if objects.is_empty() && !stores {
            return Ok(first);
        }
        let commit = stores.then(|| made(&tlx::STORED.instruction, Vec::new()));
        let arrives = objects
            .into_iter()
            .map(|object| made(&tlx::COMMITS.instruction, alloc::vec![Operand::Value(object)]))
            .chain(commit);
        let span = self.since(start);
        let statement = |kind| Statement { span, kind };
        Ok(StatementKind::Several(core::iter::once(first).chain(arrives).map(statement).collect()))
    }

    /// Whether the arguments end before the next one; the last one may be followed by a comma.
    fn ends_arguments(&mut self, place: usize) -> Parsed<bool> {
        if self.eat(")") {
            return Ok(true);
        }
        if place > 0 {
            self.expect(",")?;
        }
        Ok(self.eat(")"))
    }

    /// The condition of an operation; `None` if it is always true.
    fn predicate(&mut self, flags: &Flags, head: &str) -> Parsed<Option<Expression>> {
        if matches!(self.word(), "True" | "None" | "1") && matches!(self.word_ahead(1), "," | ")") {
            self.advance();
            return Ok(None);
        }
        // As in Python, `not` applies to the whole comparison after it.
        let not = self.is("not").then(|| self.advance());
        let mut condition = self.expression()?;
        condition.code.extend(not.map(|span| (Atom::Unary(Unary::Not), span)));
        if flags.alone {
            let message = format!("`pred` of `{head}` is only supported as `True`");
            return self.error("unknown-argument", condition.span, message);
        }
        Ok(Some(condition))
    }

    /// The index of the parameter named here, such as `phase=`.
    pub(super) fn parameter(&mut self, names: &[&'static str]) -> Parsed<Option<usize>> {
        if !self.is_word() || self.word_ahead(1) != "=" {
            return Ok(None);
        }
        let name = self.name("an argument")?;
        self.advance();
        let synonym = tlx::SYNONYMS.iter().find(|(other, _)| *other == name.text);
        let meant = synonym.map_or(name.text.as_str(), |&(_, meant)| meant);
        if let Some(place) = names.iter().position(|known| *known == meant) {
            return Ok(Some(place));
        }
        let suggestion = suggest::instead(&name.text, names.iter().copied());
        let message = format!("unknown argument `{}`; expected {}", name.text, names.join(", "));
        self.suggest("unknown-argument", name.span, message, suggestion)
    }

    /// Whether the arguments are those of upstream's copy: one of its names, or a list as the third argument.
    fn is_upstream(&self) -> bool {
        let (mut open, mut commas) = (0_i32, 0);
        for ahead in 0..200 {
            let word = self.word_ahead(ahead);
            let named = self.word_ahead(ahead + 1) == "=" && open == 1;
            match word {
                "desc" | "result" | "offsets" | "barrier" if named => return true,
                "[" if open == 1 && commas == 2 && self.word_ahead(ahead - 1) == "," => {
                    return true;
                }
                "(" | "[" => open += 1,
                ")" | "]" => open -= 1,
                "," if open == 1 => commas += 1,
                "" => return false,
                _ => {}
            }
            if open == 0 {
                return false;
            }
        }
        false
    }

    /// The arguments of `tlx.local_alloc`: the bytes of all stages, and of one, and the elements by dimension, then the bytes
    /// of one element.
    pub(super) fn allocated_memory(&mut self) -> Parsed<(Expression, Expression, Vec<Expression>)> {
        const NAMES: [&str; 4] = ["shape", "dtype", "num", "storage"];
        let head = self.run(|joiner| joiner == ".");
        let mut stage: Option<Expression> = None;
        let (mut count, mut shape) = (None, Vec::new());
        self.expect("(")?;
        let mut place = 0;
        while !self.ends_arguments(place)? {
            let at = self.parameter(&NAMES)?.unwrap_or(place);
            place += 1;
            let factor = match at {
                0 => {
                    let open = if self.eat("[") { "]" } else { ")" };
                    if open == ")" {
                        self.expect("(")?;
                    }
                    while !self.eat(open) {
                        let one = self.expression()?;
                        shape.push(one.clone());
                        stage = Some(match stage.take() {
                            None => one,
                            Some(before) => product(before, &one),
                        });
                        if !self.is(open) {
                            self.expect(",")?;
                        }
                    }
                    continue;
                }
                1 => {
                    let of = self.run(|joiner| joiner == ".");
                    let Some(bytes) = tlx::bytes_of(&of.text) else {
                        let message = "expected a Triton type, such as `tl.float16`";
                        return self.error("unknown-operation", of.span, message);
                    };
                    Expression::int(bytes, of.span)
                }
                2 => {
                    count = Some(self.expression()?);
                    continue;
                }
                _ => {
                    self.skip_operand();
                    continue;
                }
            };
            stage = stage.take().map(|before| product(before, &factor));
            shape.push(factor);
        }
        match (stage, count) {
            (Some(stage), Some(count)) => Ok((product(count, &stage), stage, shape)),
            _ => {
                let message = "`tlx.local_alloc` takes a shape, a type and a number of buffers";
                self.error("argument-count", head.span, message)
            }
        }
    }

    /// The arguments of `tlx.alloc_barriers`: the number of barriers, and their arrival count.
    pub(super) fn allocated(&mut self) -> Parsed<[Option<Expression>; 2]> {
        let head = self.run(|joiner| joiner == ".");
        if !tlx::ALLOCATIONS.contains(&head.text.as_str()) {
            let message = "only `tlx.alloc_barriers` is allowed at top level";
            let suggestion = suggest::instead(&head.text, tlx::ALLOCATIONS);
            return self.suggest("unknown-operation", head.span, message, suggestion);
        }
        let mut given = [None, None];
        self.expect("(")?;
        let mut place = 0;
        while !self.ends_arguments(place)? {
            let at = self.parameter(&["num_barriers", "arrive_count"])?.unwrap_or(place);
            let value = self.expression()?;
            let Some(slot) = given.get_mut(at) else {
                let message = "`tlx.alloc_barriers` takes two arguments";
                return self.error("argument-count", head.span, message);
            };
            *slot = Some(value);
            place += 1;
        }
        if given[0].is_none() {
            self.error::<()>("argument-count", head.span, "missing number of barriers")?;
            return Err(Failed);
        }
        Ok(given)
    }
}
