//! What stands around barriers in a pasted skeleton of PTX or SASS: registers, scopes, comparisons and sums.

use super::cursor::{Parsed, Parser};
use super::instruction::folded;
use crate::diagnostic::Span;
use crate::expression::machine::{self, Does, Typed};
use crate::expression::{Atom, Binary, Builtin, Expression};
use crate::lexer;
use crate::tree::{self, Name, Operand, StatementKind};
use crate::vocabulary::nvidia::Flags;
use crate::vocabulary::ptx;
use alloc::vec::Vec;

/// How a comparison of machine code is joined with a predicate.
const JOINS: [(&str, Binary); 3] = [("and", Binary::And), ("or", Binary::Or), ("xor", Binary::Xor)];

/// How many operands an instruction of whole numbers takes; none where it is none.
fn operands_of(head: &str) -> Option<usize> {
    let first = head.split('.').next()?;
    let last = head.rsplit('.').next()?;
    match first {
        "not" | "neg" => machine::whole(last).map(|_| 1),
        "cvt" if !head.contains(".sat") => {
            let mut types = head.rsplit('.').map(machine::whole);
            types.next()??;
            types.next()?.map(|_| 1)
        }
        "mad" => machine::binary_of(head).map(|_| 3),
        _ => machine::binary_of(head).map(|_| 2),
    }
}

/// Whether an instruction of that head computes whole numbers.
pub(super) fn computes(head: &str) -> bool {
    operands_of(head).is_some()
}

impl Parser<'_> {
    /// `.reg .pred p;` and other lines that say nothing of barriers; a scope in braces.
    pub(super) fn pasted(&mut self) -> Option<Parsed<StatementKind>> {
        if self.is("{") {
            let here = self.here();
            let always = Expression { code: alloc::vec![(Atom::Int(1), here)], span: here };
            return Some(self.block().map(|block| StatementKind::If(always, block, None)));
        }
        if matches!(self.word(), "asm" | "__asm__" | "__asm") {
            return Some(self.inline_assembly());
        }
        self.ptx_around()
    }

    /// `setp.ne.b32 p, a, b`, `add.u32 i, i, 1`, `not.b32 a, b`.
    pub(super) fn sum(&mut self, head: &Name, start: Span) -> Option<Parsed<StatementKind>> {
        if head.text.starts_with("selp.") {
            let selected = self.selected();
            return Some(selected.map(|(result, value)| self.sum_made(head, result, value, start)));
        }
        if let Some(sum) = self.sum_of_sass(head, start) {
            return Some(sum);
        }
        let count = operands_of(&head.text)?;
        Some(self.sum_of(count, head, start))
    }

    fn sum_of(&mut self, count: usize, head: &Name, start: Span) -> Parsed<StatementKind> {
        let result = self.result()?;
        let mut values = Vec::new();
        for _ in 0..count {
            self.expect(",")?;
            values.push(self.register_or_value()?.code);
        }
        let (text, span) = (head.text.as_str(), head.span);
        let last = text.rsplit('.').next().unwrap_or("");
        let in_type = |operator, of: &str| {
            let (bits, signed) = machine::whole(of).unwrap_or((64, true));
            let typed = Typed { does: Does::Plain(operator), bits, signed };
            (Atom::Machine(typed), span)
        };
        let mut values = values.into_iter();
        let mut code = values.next().unwrap_or_default();
        match text.split('.').next() {
            Some("not") => code.extend([(Atom::Int(-1), span), in_type(Binary::Xor, last)]),
            Some("neg") => {
                code.insert(0, (Atom::Int(0), span));
                code.push(in_type(Binary::Subtract, last));
            }
            // Read in the one type, and written in the other.
            Some("cvt") => {
                for of in text.rsplit('.').take(2) {
                    code.extend([(Atom::Int(0), span), in_type(Binary::Add, of)]);
                }
            }
            _ => {
                code.extend(values.next().unwrap_or_default());
                let typed = machine::binary_of(text);
                code.extend(typed.map(|typed| (Atom::Machine(typed), span)));
                if let (Some(third), Some(typed)) = (values.next(), typed) {
                    let bits = if typed.does == Does::Wide { typed.bits * 2 } else { typed.bits };
                    code.extend(third);
                    let sum = Typed { does: Does::Plain(Binary::Add), bits, ..typed };
                    code.push((Atom::Machine(sum), span));
                }
            }
        }
        let joins = JOINS.iter().find(|(name, _)| text.split('.').any(|part| part == *name));
        if let Some(&(_, join)) = joins.filter(|_| text.starts_with("setp.") && self.is(",")) {
            self.expect(",")?;
            code.extend(self.maybe_not()?.code);
            code.push((Atom::Binary(join), span));
        }
        Ok(self.sum_made(head, result, Expression { code, span }, start))
    }

    pub(super) fn sum_made(
        &self,
        head: &Name,
        result: Option<Name>,
        value: Expression,
        start: Span,
    ) -> StatementKind {
        let value = Expression { span: self.since(start), ..value };
        let text = folded(lexer::slice(self.text, value.span));
        StatementKind::Instruction(tree::Instruction {
            row: &ptx::SUM.row,
            head: head.span,
            operands: alloc::vec![Operand::Value(value)],
            result,
            declares: false,
            text,
            nvidia: Some((&ptx::SUM, Flags::default())),
        })
    }

    /// A special register behind `%`: `tid.x`, `laneid`, `warpid`, `ctaid.x`, `ntid.x`, `nctaid.x`.
    pub(super) fn special(&mut self) -> Option<Expression> {
        use Builtin::{LaneId, WaveId, Waves, WorkgroupId, Workgroups};
        const WARP: Atom = Atom::Int(32);
        const TIMES: Atom = Atom::Binary(Binary::Multiply);
        let one = |builtin| [Atom::Builtin(builtin)];
        let (code, dotted): (&[Atom], bool) = match self.word() {
            "laneid" | "SR_LANEID" => (&one(LaneId), false),
            "warpid" => (&one(WaveId), false),
            "ctaid" | "SR_CTAID" => (&one(WorkgroupId), true),
            "nctaid" => (&one(Workgroups), true),
            "ntid" => (&[Atom::Builtin(Waves), WARP, TIMES], true),
            "tid" | "SR_TID" => {
                let sum = Atom::Binary(Binary::Add);
                (&[Atom::Builtin(WaveId), WARP, TIMES, Atom::Builtin(LaneId), sum], true)
            }
            _ => return None,
        };
        if dotted && !(self.word_ahead(1) == "." && matches!(self.word_ahead(2), "x" | "X")) {
            return None;
        }
        let code = code.to_vec();
        let start = self.here();
        self.advance_by(if dotted { 3 } else { 1 });
        let span = self.since(start);
        Some(Expression { code: code.into_iter().map(|atom| (atom, span)).collect(), span })
    }
}
