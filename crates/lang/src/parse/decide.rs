//! Conditions over what memory holds: who answers them the same, and what parts of them are no data.

use super::cursor::{Failed, Parsed, Parser};
use super::data::always;
use super::values::{both, negated};
use crate::diagnostic::Span;
use crate::expression::{Atom, Expression};
use crate::lexer::Kind;
use crate::tree::{Access, Block, Decision, Input, Name, Statement, StatementKind, Term};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// What stands for an element or a variable with data in what is computed from it.
const HELD: &str = "@";
/// Binds tighter than every operator.
const OPERAND: u8 = u8::MAX;
/// What binds tighter than `&&`.
const BEHIND_AND: u8 = 3;

impl Parser<'_> {
    /// What is read from here on is a new term.
    pub(super) fn begin_term(&mut self) {
        self.term = Term::default();
    }

    /// The term that was read since it began at that place.
    pub(super) fn end_term(&mut self, start: Span) -> Term {
        let span = self.since(start);
        let text = String::from(crate::lexer::slice(self.text, span));
        Term { span, text, ..core::mem::take(&mut self.term) }
    }

    /// Notes an element that a term is computed from.
    pub(super) fn term_reads(&mut self, access: &Access) {
        self.shape(HELD);
        self.term.inputs.push(match &access.first {
            Some(first) => Input::Element(access.name.clone(), first.clone(), access.bytes),
            None => Input::Memory(access.name.clone()),
        });
    }

    /// Notes the token here as a part of a term.
    pub(super) fn term_token(&mut self) {
        if self.kind() == Some(Kind::Newline) {
            return;
        }
        let word = self.word();
        let whole = self.kind() == Some(Kind::Number)
            && self.text_of(1) != Some(".")
            && !self.term.shape.ends_with(" .");
        if let Some(number) = word.parse().ok().filter(|_| whole) {
            self.shape("#");
            let span = self.here();
            let value = Expression { code: alloc::vec![(Atom::Int(number), span)], span };
            return self.term.inputs.push(Input::Number(value));
        }
        let data = self.is_word() && self.data.contains(word);
        self.shape(if data { HELD } else { word });
        if !self.is_word() {
            self.term.doubtful |= word == "?";
            return;
        }
        let called = self.word_ahead(1) == "(";
        if called && word.starts_with("get_") {
            let mut found = None;
            let _: Option<()> = self.attempted(|parser| {
                let (start, mut code) = (parser.here(), Vec::new());
                parser.binary_from(OPERAND, &mut code)?;
                found = Some(Expression { code, span: parser.since(start) });
                Err(Failed)
            });
            self.term.doubtful |= found.is_none();
            self.term.inputs.extend(found.map(Input::Number));
        } else if called {
            self.term.mixed = true;
        } else {
            let name = Name { text: String::from(word), span: self.here() };
            self.term.inputs.push(Input::Variable(name, data));
        }
    }

    /// Notes that a part of a term is evaluated only under a condition that is no data.
    pub(super) fn term_is_doubtful(&mut self) {
        self.term.doubtful = true;
    }

    fn shape(&mut self, word: &str) {
        if !self.term.shape.is_empty() {
            self.term.shape.push(' ');
        }
        self.term.shape.push_str(word);
        self.term.mixed |= matches!(word, "*" | "&" | "|" | "%" | "^");
    }

    /// The condition here up to the parenthesis or semicolon behind it, read twice: the accesses of its evaluation, and who
    /// decides.
    pub(super) fn decision(&mut self) -> Parsed<(Vec<Access>, Decision)> {
        let mut decision = None;
        let start = self.here();
        let _: Option<()> = self.attempted(|parser| {
            decision = parser.either_of(start).ok();
            Err(Failed)
        });
        let mut accesses = Vec::new();
        self.values(&mut accesses, !self.ends_with_semicolon())?;
        match decision {
            Some(decision) => Ok((accesses, decision)),
            None => self.undecided(self.since(start)),
        }
    }

    /// Whether a semicolon ends what stands here rather than a parenthesis.
    fn ends_with_semicolon(&self) -> bool {
        let mut open = 0_u32;
        for ahead in 0.. {
            match self.text_of(ahead) {
                None | Some(";") => return true,
                Some("(" | "[") => open += 1,
                Some(")") if open == 0 => return false,
                Some(")" | "]") => open = open.saturating_sub(1),
                _ => {}
            }
        }
        true
    }

    fn either_of(&mut self, start: Span) -> Parsed<Decision> {
        let mut left = self.both_of(start)?;
        while self.eat("||") {
            left = Decision::Either(Box::new(left), Box::new(self.both_of(start)?));
        }
        Ok(left)
    }

    fn both_of(&mut self, start: Span) -> Parsed<Decision> {
        let mut left = self.operand_of(start)?;
        while self.eat("&&") {
            left = Decision::Both(Box::new(left), Box::new(self.operand_of(start)?));
        }
        Ok(left)
    }

    fn operand_of(&mut self, start: Span) -> Parsed<Decision> {
        self.skip_newlines();
        let negated = usize::from(self.is("!"));
        if self.word_ahead(negated) == "(" && self.is_group(negated) {
            self.advance_by(negated + 1);
            let inner = self.deeper(|parser| parser.either_of(start))?;
            self.skip_newlines();
            self.expect(")")?;
            self.skip_newlines();
            return Ok(if negated == 1 { Decision::Not(Box::new(inner)) } else { inner });
        }
        let here = self.here();
        let decision = if self.operand_holds_data() {
            self.begin_term();
            self.reads(&mut Vec::new(), !self.ends_with_semicolon())?;
            let term = self.end_term(here);
            simpler(term)
        } else {
            let mut code = Vec::new();
            self.binary_from(BEHIND_AND, &mut code)?;
            Decision::Plain(Expression { code, span: self.since(here) })
        };
        self.skip_newlines();
        match self.word() {
            "||" | "&&" | ")" | ";" | "?" => Ok(decision),
            _ => Err(Failed),
        }
    }

    /// Whether the parentheses so far ahead are all of an operand of `&&` or `||`.
    fn is_group(&self, from: usize) -> bool {
        let mut open = 0_u32;
        for ahead in from..from + 400 {
            match self.text_of(ahead) {
                None | Some(";" | "{" | "}") => return false,
                Some("(") => open += 1,
                Some(")") => open -= 1,
                _ => {}
            }
            if open == 0 {
                let behind = (ahead + 1..)
                    .find(|&at| self.peek(at).is_none_or(|token| token.kind != Kind::Newline));
                let behind = behind.and_then(|at| self.text_of(at));
                return matches!(behind, Some("||" | "&&" | ")" | ";" | "?"));
            }
        }
        false
    }

    /// Whether data stands before the next `&&` or `||` outside of parentheses, or the end.
    fn operand_holds_data(&self) -> bool {
        let mut open = 0_u32;
        for ahead in 0..400 {
            match self.text_of(ahead).unwrap_or(";") {
                ";" | "{" | "}" => return false,
                "(" | "[" => open += 1,
                ")" | "]" if open == 0 => return false,
                ")" | "]" => open -= 1,
                "||" | "&&" if open == 0 => return false,
                word if self.holds_data(word) => return true,
                _ => {}
            }
        }
        false
    }

    /// That a condition of data cannot be followed.
    pub(super) fn undecided<T>(&mut self, span: Span) -> Parsed<T> {
        let message = "what memory holds is not known, and here it decides who goes on to what: write `choose { … } or { … }`, which checks both";
        self.error("unknown-data", span, message)
    }

    /// The same without taking it; none where it cannot be told who decides.
    pub(super) fn foreseen(&mut self) -> Option<(Vec<Access>, Decision)> {
        let mut found = None;
        let _: Option<()> = self.attempted(|parser| {
            found = parser.decision().ok();
            Err(Failed)
        });
        found
    }

    /// Of a condition here what is no data: where it certainly holds, and where it may. None where data decide all of it.
    pub(super) fn certain(&mut self) -> Option<(Expression, Expression)> {
        let start = self.here();
        let mut found = None;
        let _: Option<()> = self.attempted(|parser| {
            found = parser.either_of(start).ok();
            Err(Failed)
        });
        let decision = found.filter(Decision::has_plain)?;
        Some(decision.bounds(start))
    }

    /// `while (DATA) …`
    pub(super) fn while_data(&mut self) -> Parsed<StatementKind> {
        let start = self.advance();
        self.advance();
        let (accesses, decision) = self.decision()?;
        self.expect(")")?;
        let body = self.body(true)?;
        Ok(StatementKind::Loop(going_on(accesses, decision, body, start)))
    }

    /// The condition of `for (…; DATA; …)`, if it is one.
    pub(super) fn condition_of_data(&mut self) -> Parsed<Option<(Vec<Access>, Decision)>> {
        if !self.is_data(0, false) {
            return Ok(None);
        }
        self.decision().map(Some)
    }
}

impl Decision {
    fn has_plain(&self) -> bool {
        match self {
            Self::Plain(_) => true,
            Self::Data(_) => false,
            Self::Not(inner) => inner.has_plain(),
            Self::Both(one, other) | Self::Either(one, other) => {
                one.has_plain() || other.has_plain()
            }
        }
    }

    /// Where it certainly holds, and where it may.
    fn bounds(&self, span: Span) -> (Expression, Expression) {
        let number = |number| Expression { code: alloc::vec![(Atom::Int(number), span)], span };
        match self {
            Self::Plain(condition) => (condition.clone(), condition.clone()),
            Self::Data(_) => (number(0), number(1)),
            Self::Not(inner) => {
                let (must, may) = inner.bounds(span);
                (negated(may), negated(must))
            }
            Self::Both(one, other) => {
                let ((must, may), (then, maybe)) = (one.bounds(span), other.bounds(span));
                (both(&must, &then), both(&may, &maybe))
            }
            Self::Either(one, other) => {
                let ((must, may), (then, maybe)) = (one.bounds(span), other.bounds(span));
                let either = |one, other| negated(both(&negated(one), &negated(other)));
                (either(must, then), either(may, maybe))
            }
        }
    }
}

/// `do BODY while (DATA)`; none where something in the body goes on with the condition.
pub(super) fn once_more(
    (accesses, decision): (Vec<Access>, Decision),
    mut body: Block,
    span: Span,
) -> Option<Block> {
    if goes_on(&body) {
        return None;
    }
    let stays = Block { statements: Vec::new(), close: body.close };
    let round = going_on(accesses, decision, stays, span);
    let inner = core::mem::take(&mut body.statements);
    let inner = Block { statements: inner, close: body.close };
    let first = Statement { span, kind: always(inner) };
    body.statements = core::iter::once(first).chain(round.statements).collect();
    Some(body)
}

/// Whether a `continue` of a block belongs to the loop around it.
pub(super) fn goes_on(block: &Block) -> bool {
    block.statements.iter().any(|statement| match &statement.kind {
        StatementKind::Continue => true,
        StatementKind::If(_, then, otherwise) | StatementKind::Decide(_, then, otherwise) => {
            goes_on(then) || otherwise.as_ref().is_some_and(goes_on)
        }
        StatementKind::Switch(switch) => goes_on(&switch.body),
        StatementKind::Maybe(_, body) => goes_on(body),
        StatementKind::Choose(blocks) => blocks.iter().any(goes_on),
        _ => false,
    })
}

/// A round of a loop that goes on while something holds.
pub(super) fn going_on(
    accesses: Vec<Access>,
    decision: Decision,
    body: Block,
    span: Span,
) -> Block {
    let leaves = Statement { span, kind: StatementKind::Break };
    let leaves = Block { statements: alloc::vec![leaves], close: body.close };
    let kind = StatementKind::Decide(decision, body, Some(leaves));
    behind_accesses(accesses, kind, span)
}

pub(super) fn behind_accesses(accesses: Vec<Access>, kind: StatementKind, span: Span) -> Block {
    let reads = StatementKind::Data(accesses, Vec::new(), None);
    let statements = [reads, kind].into_iter().map(|kind| Statement { span, kind }).collect();
    Block { statements, close: span }
}

/// `X`, `!X`, `X != 0` and `X == 0` ask the same of one value.
fn simpler(mut term: Term) -> Decision {
    let before = term.shape.clone();
    let plain = |text: &str| {
        let known =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | ' ' | '@');
        !text.is_empty() && text.chars().all(known)
    };
    let (mut shape, mut negated) = (before.as_str(), false);
    if let Some(rest) = shape.strip_prefix("! ").filter(|rest| plain(rest)) {
        (shape, negated) = (rest, true);
    }
    for (end, negates) in [(" != #", false), (" == #", true)] {
        let zero = |term: &Term| match term.inputs.last() {
            Some(Input::Number(value)) => matches!(value.code[..], [(Atom::Int(0), _)]),
            _ => false,
        };
        let rest = shape.strip_suffix(end).filter(|rest| plain(rest) && zero(&term));
        if let Some(rest) = rest {
            (shape, negated) = (rest, negated != negates);
            let last = term.inputs.len() - 1;
            term.inputs.truncate(last);
        }
    }
    term.shape = String::from(shape);
    match negated {
        true => Decision::Not(Box::new(Decision::Data(term))),
        false => Decision::Data(term),
    }
}
