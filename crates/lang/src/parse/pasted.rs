//! What stands around barriers in a pasted skeleton of PTX or SASS: registers, scopes, comparisons and sums.

use super::cursor::{Parsed, Parser};
use super::instruction::folded;
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary, Builtin, Expression};
use crate::lexer;
use crate::tree::{self, Block, Name, Operand, StatementKind};
use crate::vocabulary::nvidia::Flags;
use crate::vocabulary::ptx;

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
        let silent =
            self.is(".") && matches!(self.word_ahead(1), "reg" | "loc" | "pragma" | "file");
        silent.then(|| {
            while !self.at_end() {
                self.advance();
            }
            let close = self.here();
            let never = Expression { code: alloc::vec![(Atom::Int(0), close)], span: close };
            let statements = alloc::vec::Vec::new();
            Ok(StatementKind::If(never, Block { statements, close }, None))
        })
    }

    /// `setp.ne.b32 p, a, b`, `add.u32 i, i, 1`, `not.b32 a, b`.
    pub(super) fn sum(&mut self, head: &Name, start: Span) -> Option<Parsed<StatementKind>> {
        let binary = computes(&head.text)?;
        Some(self.sum_of(binary, head, start))
    }

    fn sum_of(&mut self, binary: Binary, head: &Name, start: Span) -> Parsed<StatementKind> {
        let result = self.result()?;
        self.expect(",")?;
        let mut value = self.register_or_value()?;
        self.expect(",")?;
        value.code.extend(self.register_or_value()?.code);
        value.code.push((Atom::Binary(binary), head.span));
        value.span = self.since(start);
        let text = folded(lexer::slice(self.text, value.span));
        Ok(StatementKind::Instruction(tree::Instruction {
            row: &ptx::SUM.row,
            head: head.span,
            operands: alloc::vec![Operand::Value(value)],
            result,
            declares: false,
            text,
            nvidia: Some((&ptx::SUM, Flags::default())),
        }))
    }

    /// A special register behind `%`: `tid.x`, `laneid`, `warpid`, `ctaid.x`, `ntid.x`, `nctaid.x`.
    pub(super) fn special(&mut self) -> Option<Expression> {
        use Builtin::{LaneId, WaveId, Waves, WorkgroupId, Workgroups};
        const WARP: Atom = Atom::Int(32);
        const TIMES: Atom = Atom::Binary(Binary::Multiply);
        let one = |builtin| [Atom::Builtin(builtin)];
        let (code, dotted): (&[Atom], bool) = match self.word() {
            "laneid" => (&one(LaneId), false),
            "warpid" => (&one(WaveId), false),
            "ctaid" => (&one(WorkgroupId), true),
            "nctaid" => (&one(Workgroups), true),
            "ntid" => (&[Atom::Builtin(Waves), WARP, TIMES], true),
            "tid" => {
                let sum = Atom::Binary(Binary::Add);
                (&[Atom::Builtin(WaveId), WARP, TIMES, Atom::Builtin(LaneId), sum], true)
            }
            _ => return None,
        };
        if dotted && !(self.word_ahead(1) == "." && self.word_ahead(2) == "x") {
            return None;
        }
        let code = code.to_vec();
        let start = self.here();
        self.advance_by(if dotted { 3 } else { 1 });
        let span = self.since(start);
        Some(Expression { code: code.into_iter().map(|atom| (atom, span)).collect(), span })
    }
}
