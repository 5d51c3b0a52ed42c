//! Statements around barriers in pasted PTX or SASS: registers, scopes, comparisons and arithmetic.

use super::cursor::{Parsed, Parser};
use super::forms::{CARRY, Form, NEXT_CARRY};
use super::instruction::folded;
use crate::diagnostic::Span;
use crate::expression::machine::{self, Does, Typed};
use crate::expression::{Atom, Binary, Builtin, Expression, Unary};
use crate::lexer;
use crate::tree::{self, Name, Operand, Statement, StatementKind};
use crate::vocabulary::nvidia::Flags;
use crate::vocabulary::ptx;
use alloc::string::String;
use alloc::vec::Vec;

impl Parser<'_> {
    /// `.reg .pred p;` and other lines without an effect on barriers; a scope in braces.
    pub(super) fn pasted(&mut self) -> Option<Parsed<StatementKind>> {
        if self.is("{") {
            let here = self.here();
            let always = Expression::int(1, here);
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
        let form = Form::of(&head.text)?;
        Some(self.sum_of(&form, head, start))
    }

    fn sum_of(&mut self, form: &Form, head: &Name, start: Span) -> Parsed<StatementKind> {
        let second = self.second_result();
        let result = self.result()?;
        let mut values = Vec::new();
        for _ in 0..form.operands() {
            self.expect(",")?;
            values.push(self.register_or_value()?.code);
        }
        let mut first = form.code(&values, head.span);
        let mut contrary = first.clone();
        contrary.push((Atom::Unary(Unary::Not), head.span));
        let mut reads_first = false;
        if let Some(join) = form.join().filter(|_| self.is(",")) {
            self.expect(",")?;
            let other = self.maybe_not()?.code;
            reads_first = result.as_ref().is_some_and(|name| self.reads(&other, &name.text));
            for code in [&mut first, &mut contrary] {
                code.extend(other.iter().copied());
                code.push((Atom::Binary(join), head.span));
            }
        }
        form.finish(&mut first, head.span);
        let mut made = alloc::vec![(result, first)];
        if let Some(second) = second {
            // The first predicate may be the one that the comparison is combined with.
            made.insert(usize::from(!reads_first), (Some(second), contrary));
        }
        if let Some(carry) = form.carry(&values, head.span) {
            let hidden = |text: &str| Some(Name { text: text.into(), span: head.span });
            made.insert(0, (hidden(NEXT_CARRY), carry));
            made.push((hidden(CARRY), alloc::vec![(Atom::Hidden(NEXT_CARRY), head.span)]));
        }
        let span = self.since(start);
        let made = made.into_iter().map(|(result, code)| {
            let kind = self.sum_made(head, result, Expression { code, span }, start);
            Statement { span, kind }
        });
        let mut statements: Vec<Statement> = made.collect();
        Ok(match statements.len() {
            1 => statements.remove(0).kind,
            _ => StatementKind::Several(statements),
        })
    }

    /// Whether code reads a register with that name.
    fn reads(&self, code: &[(Atom, Span)], register: &str) -> bool {
        code.iter().any(|&(atom, span)| {
            atom == Atom::Name && lexer::slice(self.text, span).trim_start_matches('%') == register
        })
    }

    /// The second register of `p|q`, if there are two results: it is the negated comparison.
    fn second_result(&self) -> Option<Name> {
        let at = (1..3).find(|&at| self.word_ahead(at) == "|")?;
        let at = at + if self.word_ahead(at + 1) == "%" { 2 } else { 1 };
        let span = self.peek(at)?.span;
        let text = String::from(self.word_ahead(at));
        (text != "_").then_some(Name { text, span })
    }

    /// `mov.b64 %rd1, {%r1, %r2}` and `mov.b64 {%r1, %r2}, %rd1`: the lowest bits are first.
    pub(super) fn packed(&mut self) -> Parsed<StatementKind> {
        let start = self.here();
        let head = self.run(|joiner| joiner == ".");
        let (bits, _) =
            head.text.rsplit('.').next().and_then(machine::whole).unwrap_or((128, false));
        let in_type = |operator, bits| {
            Atom::Machine(Typed { does: Does::Plain(operator), bits, signed: false })
        };
        let width = |parts: usize| bits / parts.max(1) as u8;
        if !self.is("{") {
            let result = self.result()?;
            self.expect(",")?;
            let mut parts = Vec::new();
            self.listed("{", |parser| {
                parts.push(parser.register_or_value()?);
                Ok(())
            })?;
            let span = self.since(start);
            if bits > 64 {
                return Ok(StatementKind::Forget(result.into_iter().collect()));
            }
            let (width, mut code) = (width(parts.len()), Vec::new());
            for (at, part) in (0..).zip(parts) {
                code.extend(part.code);
                code.extend([(Atom::Int(0), span), (in_type(Binary::Add, width), span)]);
                if at > 0 {
                    code.extend([
                        (Atom::Int(at * i64::from(width)), span),
                        (in_type(Binary::ShiftLeft, bits), span),
                        (in_type(Binary::Or, bits), span),
                    ]);
                }
            }
            return Ok(self.sum_made(&head, result, Expression { code, span }, start));
        }
        let mut results = Vec::new();
        self.listed("{", |parser| {
            results.push(parser.result()?);
            Ok(())
        })?;
        self.expect(",")?;
        let value = self.register_or_value()?;
        let (span, width) = (self.since(start), width(results.len()));
        if bits > 64 {
            return Ok(StatementKind::Forget(results.into_iter().flatten().collect()));
        }
        let statements = (0..).zip(results).filter_map(|(at, result)| {
            let mut code = value.code.clone();
            code.extend([
                (Atom::Int(at * i64::from(width)), span),
                (in_type(Binary::ShiftRight, bits), span),
                (Atom::Int(0), span),
                (in_type(Binary::Add, width), span),
            ]);
            let kind = self.sum_made(&head, Some(result?), Expression { code, span }, start);
            Some(Statement { span, kind })
        });
        Ok(StatementKind::Several(statements.collect()))
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

    /// A special register after `%` that holds the position of a thread or the size of the launch: `tid.x`, `laneid`,
    /// `ctaid.y`.
    pub(super) fn special(&mut self) -> Option<Expression> {
        use Builtin::{Clusters, LaneId, WaveId, Waves, WorkgroupId, Workgroups};
        const TIMES: Atom = Atom::Binary(Binary::Multiply);
        const BY: Atom = Atom::Binary(Binary::Divide);
        const REST: Atom = Atom::Binary(Binary::Remainder);
        const fn of(builtin: Builtin) -> Atom {
            Atom::Builtin(builtin)
        }
        const THREAD: [Atom; 5] =
            [of(WaveId), Atom::Int(32), TIMES, of(LaneId), Atom::Binary(Binary::Add)];
        const PER_CLUSTER: [Atom; 3] = [of(Workgroups), of(Clusters), BY];
        let word = self.word();
        let name = word.strip_prefix("SR_").map_or(String::from(word), str::to_ascii_lowercase);
        let axis = match self.word_ahead(2) {
            _ if self.word_ahead(1) != "." => None,
            "x" | "X" => Some(0),
            "y" | "Y" => Some(1),
            "z" | "Z" => Some(2),
            _ => None,
        };
        let flat = matches!(
            name.as_str(),
            "laneid" | "warpid" | "nwarpid" | "cluster_ctarank" | "cluster_nctarank"
        );
        let axis = if flat { 0 } else { axis? };
        let along = |sizes: Option<[i64; 3]>, all: &[Atom]| -> Vec<Atom> {
            let mut code = all.to_vec();
            match sizes {
                Some(sizes) => {
                    let before: i64 = sizes[..axis].iter().product();
                    code.extend([
                        Atom::Int(before.max(1)),
                        BY,
                        Atom::Int(sizes[axis].max(1)),
                        REST,
                    ]);
                }
                None if axis > 0 => code = alloc::vec![Atom::Int(0)],
                None => {}
            }
            code
        };
        let count = |sizes: Option<[i64; 3]>, all: &[Atom]| match sizes {
            Some(sizes) => alloc::vec![Atom::Int(sizes[axis])],
            None if axis > 0 => alloc::vec![Atom::Int(1)],
            None => all.to_vec(),
        };
        let in_cluster = || {
            let mut code = alloc::vec![of(WorkgroupId)];
            code.extend(PER_CLUSTER);
            code
        };
        let (sizes, groups) = (self.sizes, self.groups);
        let code = match name.as_str() {
            "laneid" => alloc::vec![of(LaneId)],
            "warpid" => alloc::vec![of(WaveId)],
            "nwarpid" => alloc::vec![of(Waves)],
            "ctaid" => along(groups, &[of(WorkgroupId)]),
            "nctaid" => count(groups, &[of(Workgroups)]),
            "tid" => along(sizes, &THREAD),
            "ntid" => count(sizes, &[of(Waves), Atom::Int(32), TIMES]),
            "cluster_ctarank" => [in_cluster(), alloc::vec![REST]].concat(),
            "cluster_nctarank" => PER_CLUSTER.to_vec(),
            // Clusters are along the first dimension.
            "cluster_ctaid" => along(None, &[in_cluster(), alloc::vec![REST]].concat()),
            "cluster_nctaid" => count(None, &PER_CLUSTER),
            "clusterid" => along(None, &[in_cluster(), alloc::vec![BY]].concat()),
            "nclusterid" => count(None, &[of(Clusters)]),
            _ => return None,
        };
        let start = self.here();
        self.advance_by(if flat { 1 } else { 3 });
        let span = self.since(start);
        Some(Expression { code: code.into_iter().map(|atom| (atom, span)).collect(), span })
    }
}
