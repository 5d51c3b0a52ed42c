//! PTX, SASS and TLX instructions, parsed by the rows of their tables.

use super::cursor::{Parsed, Parser};
use super::expression::STRENGTH_OF_SUMS;
use super::instruction::{Target, folded};
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary, Expression};
use crate::lexer;
use crate::suggest;
use crate::tree::{self, Block, Name, Operand, Statement, StatementKind};
use crate::vocabulary::nvidia::{Flags, Part};
use crate::vocabulary::ptx::{self, Unknown};
use crate::vocabulary::{sass, tlx};
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::operation::Object;

impl Parser<'_> {
    /// The NVIDIA instruction of an already parsed head, if it is one.
    pub(super) fn nvidia(
        &mut self,
        head: &Name,
        start: Span,
        target: &Target,
    ) -> Option<Parsed<StatementKind>> {
        let text = head.text.as_str();
        if text == "bra" || text.starts_with("bra.") || text == "BRA" {
            return Some(self.branch(head.span, start));
        }
        if text == ptx::ELECT {
            return Some(self.elect());
        }
        if let Some(sum) = self.sum(head, start) {
            return Some(sum);
        }
        if tlx::recognises(text) {
            return Some(self.call_of_tlx(head, start));
        }
        // The two differ only in the kind of the destination register.
        let named = if text == "S2R" { "S2UR" } else { text };
        if let Some((instruction, flags)) = sass::find(named) {
            return Some(self.plain(instruction, flags, head.span, start));
        }
        if sass::recognises(text) {
            let names = sass::INSTRUCTIONS.iter().map(|(one, _)| one.row.name);
            let suggestion = suggest::instead(text, names);
            let message = format!("unknown SASS instruction `{text}`");
            return Some(self.suggest("unknown-operation", head.span, message, suggestion));
        }
        if !ptx::recognises(text) || target.is_some() {
            return None;
        }
        Some(match ptx::find(text) {
            Ok((instruction, flags)) => self.plain(instruction, flags, head.span, start),
            Err(unknown) => self.no_ptx(head, &unknown),
        })
    }

    fn no_ptx(&mut self, head: &Name, unknown: &Unknown) -> Parsed<StatementKind> {
        match unknown {
            Unknown::Instruction => {
                let names = ptx::ROWS.iter().map(|row| row.row.name);
                let parts: Vec<&str> = head.text.split('.').collect();
                let short = parts[..parts.len().min(2)].join(".");
                let suggestion = suggest::nearest(&short, names)
                    .map(|near| suggest::replace(&format!("{near}{}", &head.text[short.len()..])));
                let message = format!("unknown PTX instruction `{}`", head.text);
                self.suggest("unknown-operation", head.span, message, suggestion)
            }
            Unknown::Modifier(instruction, at)
            | Unknown::Beside(instruction, at)
            | Unknown::Half(instruction, at) => self.no_modifier(head, unknown, instruction, *at),
        }
    }

    /// A modifier that the instruction does not allow, with a suggestion if one is likely intended.
    fn no_modifier(
        &mut self,
        head: &Name,
        unknown: &Unknown,
        instruction: &ptx::Instruction,
        at: usize,
    ) -> Parsed<StatementKind> {
        let rest = head.text.get(at..).unwrap_or("");
        let word = rest.split('.').next().unwrap_or("");
        let span = Span {
            start: head.span.start + at as u32,
            column: head.span.column + at as u32,
            length: word.len() as u32,
            ..head.span
        };
        let name = instruction.row.name;
        let allowed = ptx::allowed(name).unwrap_or(&[]);
        let left_out = Span {
            start: span.start - 1,
            column: span.column - 1,
            length: span.length + 1,
            ..span
        };
        let (span, message, suggestion) = match ptx::allowed(name) {
            _ if matches!(unknown, Unknown::Beside(..)) => (
                left_out,
                format!(
                    "`.{word}` cannot be combined with `.noComplete`, which requires `.release.cta` and an object of the same CTA"
                ),
                Some(suggest::replace("")),
            ),
            _ if matches!(unknown, Unknown::Half(..)) => {
                let orders = ptx::SEMANTICS.iter().find(|order| allowed.contains(order));
                let whole = match ptx::SCOPES.contains(&word) {
                    true => format!("{}.{word}", orders.unwrap_or(&"relaxed")),
                    false => format!("{word}.cta"),
                };
                let message = format!("expected semantics and scope together, as `.{whole}`");
                (span, message, Some(suggest::replace(&whole)))
            }
            _ if word.starts_with("layout") || word.starts_with("phase_type") => (
                left_out,
                format!(
                    "`.{word}` requires PTX 9.3, but Tidegate follows PTX ISA 9.1: write `{name}` without it"
                ),
                Some(suggest::replace("")),
            ),
            Some(_) if word == "aligned" && name.starts_with("bar.") => (
                left_out,
                format!("`{name}` is always aligned: remove `.aligned`"),
                Some(suggest::replace("")),
            ),
            Some([]) => (span, format!("`{name}` takes no modifiers"), None),
            Some(allowed) => (
                span,
                format!(
                    "unknown modifier `.{word}` of `{name}`; expected .{}",
                    allowed.join(", .")
                ),
                match ptx::likely(word, allowed) {
                    Some(meant) => Some(suggest::replace(meant)),
                    None => suggest::instead(word, allowed.iter().copied()),
                },
            ),
            None => (
                span,
                format!("unknown modifier `.{word}` of `{name}`"),
                suggest::instead(word, ptx::modifiers()),
            ),
        };
        self.suggest("unknown-modifier", span, message, suggestion)
    }

    /// An instruction with its operands, separated by commas.
    fn plain(
        &mut self,
        instruction: &'static ptx::Instruction,
        flags: Flags,
        head: Span,
        start: Span,
    ) -> Parsed<StatementKind> {
        let mut operands = Vec::new();
        let mut result = None;
        let mut first = true;
        for &part in instruction.parts {
            match part {
                Part::Result => {
                    if self.is("[") {
                        continue;
                    }
                    result = self.result()?;
                    first = false;
                    continue;
                }
                Part::Rest => {
                    self.skip_operands();
                    break;
                }
                Part::Maybe | Part::Ignored if !first && !self.is(",") => continue,
                Part::Address if flags.bulk_group => continue,
                Part::Mask if !flags.multicast => continue,
                _ => {}
            }
            if !first {
                self.expect(",")?;
            }
            first = false;
            self.part(part, &mut operands)?;
        }
        // The scoreboards of SASS as the document's listing prints them: `{!2,+1.W}`.
        if self.is("{") && self.word_ahead(1) == "!" {
            self.skip_operands();
        }
        if self.is(",") && instruction.row.name == "mbarrier.test_wait" {
            let message = "`mbarrier.test_wait` does not block and takes no time limit: use `mbarrier.try_wait`";
            let verb = Span { start: head.start + 9, column: head.column + 9, length: 9, ..head };
            return self.suggest(
                "argument-count",
                verb,
                message,
                Some(suggest::replace("try_wait")),
            );
        }
        if flags.no_complete && operands.len() < 2 {
            let message = "`.noComplete` requires an arrival count after the address";
            return self.error("argument-count", head, message);
        }
        if let Some(name) = result.as_ref().filter(|_| flags.remote) {
            let message =
                "an arrive at `.shared::cluster` returns no token: write `_` as its destination";
            return self.suggest("no-result", name.span, message, Some(suggest::replace("_")));
        }
        Ok(self.nvidia_made(instruction, flags, head, operands, result, start))
    }

    pub(super) fn nvidia_made(
        &self,
        instruction: &'static ptx::Instruction,
        flags: Flags,
        head: Span,
        operands: Vec<Operand>,
        result: Option<Name>,
        start: Span,
    ) -> StatementKind {
        let text = folded(lexer::slice(self.text, self.since(start)));
        StatementKind::Instruction(tree::Instruction {
            row: &instruction.row,
            head,
            operands,
            result,
            declares: false,
            text,
            nvidia: Some((instruction, flags)),
        })
    }

    pub(super) fn part(&mut self, part: Part, operands: &mut Vec<Operand>) -> Parsed<()> {
        match part {
            Part::Address => operands.push(Operand::Value(self.address()?)),
            Part::Bytes => self.memory_operand(operands)?,
            Part::Ignored if self.is("{") => {
                while !self.at_end() {
                    self.advance();
                }
                self.expect("}")?;
            }
            Part::Coordinates => self.coordinates(operands)?,
            Part::Skipped => self.skip_operand(),
            Part::Tile if self.is("{") || self.is("[") => self.skip_operand(),
            Part::Tile => self.tile(operands)?,
            Part::Ignored => drop(self.register_or_value()?),
            Part::Permuted => self.permuted(operands)?,
            Part::Reduced => self.reduced(operands)?,
            Part::Halves => operands.push(Operand::Value(self.halves()?)),
            _ => {
                let value = if self.is("[") { self.address()? } else { self.register_or_value()? };
                operands.push(Operand::Value(value));
            }
        }
        Ok(())
    }

    /// `THREADS, !p` or `p`: produces the predicate, then the thread count if given.
    fn reduced(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        let mut first = Some(self.maybe_not()?);
        let second = if self.eat(",") { Some(self.maybe_not()?) } else { None };
        let predicate = second.or_else(|| first.take());
        operands.extend(predicate.into_iter().chain(first).map(Operand::Value));
        Ok(())
    }

    /// A predicate, which may be negated, or a number.
    pub(super) fn maybe_not(&mut self) -> Parsed<Expression> {
        let sign = self.here();
        let negated = self.eat("!");
        let mut value = self.register_or_value()?;
        if negated {
            value.code.push((Atom::Unary(crate::expression::Unary::Not), sign));
        }
        Ok(value)
    }

    /// The result register; `None` for `_` and registers that are always zero.
    pub(super) fn result(&mut self) -> Parsed<Option<Name>> {
        self.eat("%");
        let name = self.name("a register or `_`")?;
        if self.eat("|") {
            self.eat("%");
            self.name("a register or `_`")?;
        }
        let nowhere = matches!(name.text.as_str(), "_" | "PT" | "UPT") || sass::is_zero(&name.text);
        Ok((!nowhere).then_some(name))
    }

    /// `UR5, 0x654, UR4`: the lower bytes of the address, and the rank above them.
    fn permuted(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        let rank = self.register_or_value()?;
        self.expect(",")?;
        let selector = self.register_or_value()?;
        self.expect(",")?;
        let address = self.register_or_value()?;
        if !matches!(selector.code[..], [(Atom::Int(0x654), _)]) {
            let message = "only the selector 0x654 is supported, which puts a rank into an address";
            return self.error("unknown-operation", selector.span, message);
        }
        operands.extend([Operand::Value(address), Operand::Value(rank)]);
        Ok(())
    }

    /// `-RZ, RZ, 0, 5.9604644775390625e-08`: the word that the last two form as half floats.
    fn halves(&mut self) -> Parsed<Expression> {
        let start = self.here();
        while !self.at_end() && !self.is("{") {
            self.advance();
        }
        let span = self.since(start);
        let text = lexer::slice(self.text, span);
        let mut numbers = text.rsplit(',').map(str::trim);
        let (low, high) = (numbers.next(), numbers.next());
        match low.zip(high).and_then(|(low, high)| sass::halves(high, low)) {
            Some(word) => Ok(Expression::int(word, span)),
            None => {
                self.error("not-a-number", span, "expected two half-precision numbers at the end")
            }
        }
    }

    /// A value; a register that is always zero is 0, and one register holds the position of the CTA.
    pub(super) fn register_or_value(&mut self) -> Parsed<Expression> {
        if (self.eat("%") || self.word().starts_with("SR_"))
            && let Some(special) = self.special()
        {
            return Ok(special);
        }
        if let Some(bits) = ptx::float_bits(self.word()) {
            let span = self.advance();
            return Ok(Expression::int(bits, span));
        }
        if self.is("SR_CgaCtaId") {
            let span = self.advance();
            return Ok(rank_in_cluster(span));
        }
        if self.is("PT") || self.is("UPT") {
            let span = self.advance();
            return Ok(Expression::int(1, span));
        }
        if sass::is_zero(self.word()) {
            let span = self.advance();
            return Ok(Expression::int(0, span));
        }
        self.of_registers = true;
        let value = self.expression();
        self.of_registers = false;
        value
    }

    /// `[OBJECT]`, `[OBJECT[INDEX]]`, `[R7+URZ+0x8]`.
    fn address(&mut self) -> Parsed<Expression> {
        self.expect("[")?;
        self.eat("%");
        let mut words = (0..24).map(|ahead| self.word_ahead(ahead)).take_while(|word| *word != "]");
        let value =
            if words.any(sass::is_zero) { self.sum_of_registers()? } else { self.expression()? };
        self.expect("]")?;
        Ok(value)
    }

    /// `R7+URZ+0x8`: a sum of registers and numbers; registers that are always zero are skipped.
    fn sum_of_registers(&mut self) -> Parsed<Expression> {
        let start = self.here();
        let mut code = alloc::vec![(Atom::Int(0), start)];
        let mut operator = Binary::Add;
        loop {
            let here = self.here();
            if sass::is_zero(self.word()) {
                self.advance();
            } else if matches!(code[..], [(Atom::Int(0), _)]) && operator == Binary::Add {
                code.clear();
                self.binary_from(STRENGTH_OF_SUMS + 1, &mut code)?;
            } else {
                self.binary_from(STRENGTH_OF_SUMS + 1, &mut code)?;
                code.push((Atom::Binary(operator), here));
            }
            operator = match self.word() {
                "+" => Binary::Add,
                "-" => Binary::Subtract,
                _ => break,
            };
            self.advance();
        }
        Ok(Expression { code, span: self.since(start) })
    }

    /// `[NAME]`, `[NAME[A..B]]`, `[NAME, {X, Y}]`, or without the outer brackets.
    fn memory_operand(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        let bracketed = self.eat("[");
        self.eat("%");
        self.bytes(operands)?;
        if !bracketed {
            return Ok(());
        }
        if self.eat(",") {
            self.coordinates(operands)?;
        }
        self.expect("]").map(drop)
    }

    /// `{X, Y}`, or `[X, Y]` in TLX; any other operand for coordinates gives one unknown coordinate.
    fn coordinates(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        if !self.is("{") && !self.is("[") {
            let span = self.here();
            let code = alloc::vec![(Atom::Object(Object::Null), span)];
            operands.push(Operand::Coordinate(Expression { code, span }));
            self.skip_operand();
            return Ok(());
        }
        let open = if self.is("{") { "{" } else { "[" };
        self.listed(open, |parser| {
            operands.push(Operand::Coordinate(parser.register_or_value()?));
            Ok(())
        })
    }

    /// A comma-separated list in brackets or braces.
    pub(super) fn listed(
        &mut self,
        open: &str,
        mut one: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        let close = match open {
            "{" => "}",
            "(" => ")",
            _ => "]",
        };
        self.expect(open)?;
        let mut first = true;
        while !self.eat(close) {
            if !core::mem::take(&mut first) {
                self.expect(",")?;
            }
            one(self)?;
        }
        Ok(())
    }

    /// Skips to the comma or parenthesis that ends an operand.
    pub(super) fn skip_operand(&mut self) {
        let (mut open, start) = (0_u32, self.here());
        while let Some(word) = self.text_of(0).filter(|word| *word != "\n") {
            match word {
                "{" | "[" | "(" => open += 1,
                "}" | "]" | ")" if open > 0 => open -= 1,
                "," | ")" | ";" | "}" if open == 0 => return,
                _ => {}
            }
            self.advance();
        }
        self.left_open(open, start);
    }

    /// Shared memory that tensor cores read: `NAME`, `NAME[A..B]`, `NAME[STAGE]`, or a value that may be an address or
    /// a descriptor.
    fn tile(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        self.eat("%");
        let ahead = self.word_ahead(1);
        if self.is_word() && matches!(ahead, "[" | "," | ")" | ";" | "}" | "") {
            return self.bytes(operands);
        }
        let value = self.register_or_value()?;
        operands.push(Operand::Value(value));
        Ok(())
    }

    /// `bra LABEL`, and the SASS form ``BRA `(.L_x_0)``.
    fn branch(&mut self, head: Span, start: Span) -> Parsed<StatementKind> {
        let quoted = self.word().starts_with('`');
        if quoted {
            self.advance();
            self.expect("(")?;
        }
        self.eat(".");
        let label = self.name("a label")?;
        if quoted {
            self.expect(")")?;
        }
        if self.is("{") {
            self.skip_operands();
        }
        let operands = alloc::vec![Operand::Label(label)];
        let text = folded(lexer::slice(self.text, self.since(start)));
        Ok(StatementKind::Instruction(tree::Instruction {
            row: &ptx::BRANCH,
            head,
            operands,
            result: None,
            declares: false,
            text,
            nvidia: None,
        }))
    }

    /// `elect.sync _|p, MASK`: lane 0 of each warp is elected.
    fn elect(&mut self) -> Parsed<StatementKind> {
        self.eat("%");
        let mut name = self.name("a register or `_`")?;
        if self.eat("|") {
            self.eat("%");
            name = self.name("a predicate")?;
        }
        let span = name.span;
        self.skip_operands();
        let lane = (Atom::Builtin(crate::expression::Builtin::LaneId), span);
        let code = alloc::vec![lane, (Atom::Unary(crate::expression::Unary::Not), span)];
        Ok(StatementKind::Let(name, Expression { code, span }))
    }

    /// `@p` or `@!p`, then a statement.
    pub(super) fn guarded(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let negated = self.eat("!");
        self.eat("%");
        let name = self.name("a predicate")?;
        let mut code = alloc::vec![(Atom::Name, name.span)];
        if negated {
            code.push((Atom::Unary(crate::expression::Unary::Not), name.span));
        }
        let condition = Expression { code, span: name.span };
        let start = self.here();
        let mut inside = Vec::new();
        let kind = self.deeper(|parser| parser.statement(&mut inside))?;
        if let Some(kind) = kind {
            inside.push(Statement { span: self.since(start), kind });
        }
        let close = self.since(start);
        Ok(StatementKind::If(condition, Block { statements: inside, close }, None))
    }
}

/// The rank of the CTA in its cluster.
fn rank_in_cluster(span: Span) -> Expression {
    use crate::expression::Binary::{Divide, Remainder};
    use crate::expression::Builtin::{Clusters, WorkgroupId, Workgroups};
    let code = [
        Atom::Builtin(WorkgroupId),
        Atom::Builtin(Workgroups),
        Atom::Builtin(Clusters),
        Atom::Binary(Divide),
        Atom::Binary(Remainder),
    ];
    Expression { code: code.into_iter().map(|atom| (atom, span)).collect(), span }
}
