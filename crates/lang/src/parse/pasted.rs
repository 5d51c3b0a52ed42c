//! What stands around barriers in a pasted skeleton of PTX or SASS: registers, scopes, comparisons and sums.

use super::cursor::{Parsed, Parser};
use super::instruction::folded;
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary, Builtin, Expression};
use crate::lexer;
use crate::tree::{self, Name, Operand, StatementKind};
use crate::vocabulary::nvidia::Flags;
use crate::vocabulary::ptx;
use alloc::vec::Vec;

/// Instructions that compute one number from two, and what they do.
const SUMS: [(&str, Binary); 9] = [
    ("add", Binary::Add),
    ("sub", Binary::Subtract),
    ("mul", Binary::Multiply),
    ("rem", Binary::Remainder),
    ("and", Binary::And),
    ("or", Binary::Or),
    ("xor", Binary::Xor),
    ("shl", Binary::ShiftLeft),
    ("shr", Binary::ShiftRight),
];

/// How a comparison of machine code is joined with a predicate.
const JOINS: [(&str, Binary); 3] = [("and", Binary::And), ("or", Binary::Or), ("xor", Binary::Xor)];

/// The comparisons of `setp`.
const COMPARISONS: [(&str, Binary); 10] = [
    ("eq", Binary::Equal),
    ("ne", Binary::NotEqual),
    ("lt", Binary::Less),
    ("le", Binary::LessOrEqual),
    ("gt", Binary::Greater),
    ("ge", Binary::GreaterOrEqual),
    ("lo", Binary::Less),
    ("ls", Binary::LessOrEqual),
    ("hi", Binary::Greater),
    ("hs", Binary::GreaterOrEqual),
];

/// What an instruction of that head computes, if it is one of these.
fn computes(head: &str) -> Option<Binary> {
    let mut parts = head.split('.');
    let (first, second) = (parts.next()?, parts.next()?);
    let (table, word) =
        if first == "setp" { (&COMPARISONS[..], second) } else { (&SUMS[..], first) };
    table.iter().find(|(name, _)| *name == word).map(|&(_, binary)| binary)
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
        if head.text.starts_with("selp.") || head.text == "SEL" {
            let selected = self.selected();
            return Some(selected.map(|(result, value)| self.sum_made(head, result, value, start)));
        }
        if head.text.starts_with("ISETP.") {
            let compared = self.compared(&head.text);
            return Some(compared.map(|(result, value)| self.sum_made(head, result, value, start)));
        }
        let binary = computes(&head.text)?;
        Some(self.sum_of(binary, head, start))
    }

    /// `ISETP.NE.AND P0, PT, R0, RZ, PT`: a comparison of machine code, joined with a predicate.
    fn compared(&mut self, head: &str) -> Parsed<(Option<Name>, Expression)> {
        let parts = || head.split('.').skip(1);
        let of = |table: &[(&str, Binary)], part: &str| {
            let found = table.iter().find(|(name, _)| part.eq_ignore_ascii_case(name));
            found.map(|&(_, binary)| binary)
        };
        let compare = parts().find_map(|part| of(&COMPARISONS, part)).unwrap_or(Binary::Equal);
        let join = parts().find_map(|part| of(&JOINS, part)).unwrap_or(Binary::And);
        let result = self.result()?;
        self.expect(",")?;
        self.result()?;
        let mut values = Vec::new();
        for _ in 0..3 {
            self.expect(",")?;
            values.push(self.maybe_not()?);
        }
        let mut value = Expression { code: Vec::new(), span: values[0].span };
        let span = value.span;
        for (operand, operator) in values.into_iter().zip([None, Some(compare), Some(join)]) {
            value.code.extend(operand.code);
            value.code.extend(operator.map(|operator| (Atom::Binary(operator), span)));
        }
        Ok((result, value))
    }

    fn sum_of(&mut self, binary: Binary, head: &Name, start: Span) -> Parsed<StatementKind> {
        let result = self.result()?;
        self.expect(",")?;
        let mut value = self.register_or_value()?;
        self.expect(",")?;
        value.code.extend(self.register_or_value()?.code);
        value.code.push((Atom::Binary(binary), head.span));
        Ok(self.sum_made(head, result, value, start))
    }

    fn sum_made(
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
