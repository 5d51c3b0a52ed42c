//! The accesses of what a pasted kernel computes from memory, and under which conditions they happen.

use super::cursor::{Failed, Parsed, Parser};
use super::data::Array;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::expression::{Atom, Binary, Expression, Unary};
use crate::lexer::Kind;
use crate::scenario::Need;
use crate::tree::Access;
use crate::vocabulary::numbers::computes;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// How far ahead conditions are looked for.
const LOOK_AHEAD: usize = 100;

/// What joins operands from left to right, the second of which may not be evaluated: how tight its first binds, and
/// whether the second is evaluated where that holds.
const LAZY: [(&str, u8, bool); 2] = [("||", 2, false), ("&&", 3, true)];

impl Parser<'_> {
    /// An element: its bytes, from the name on.
    fn access(&mut self) -> Parsed<Access> {
        let points = self.eat("*");
        let name = self.name("an array")?;
        let Some(array) = self.arrays.get(&name.text).cloned() else {
            return self.error("unknown-name", name.span, "this is no array");
        };
        let mut code = alloc::vec![(Atom::Int(0), name.span)];
        for (at, size) in array.sizes.iter().enumerate() {
            if points && at == 0 {
                continue;
            }
            if !self.is("[") {
                let message = format!(
                    "`{}` as a whole is not followed: an access names an element, as `{}[0]`",
                    name.text, name.text
                );
                return self.error("memory-as-value", name.span, message);
            }
            self.advance();
            let index = self.expression()?;
            self.expect("]")?;
            if let Some(size) = size.as_ref().filter(|_| at > 0) {
                code.extend(size.code.iter().copied());
                code.push((Atom::Binary(Binary::Multiply), name.span));
            }
            code.extend(index.code);
            code.push((Atom::Binary(Binary::Add), name.span));
        }
        code.push((Atom::Int(i64::from(array.element)), name.span));
        code.push((Atom::Binary(Binary::Multiply), name.span));
        self.declare_array(&name, &array);
        let span = self.since(name.span);
        let first = Expression { code, span };
        let text = String::from(crate::lexer::slice(self.text, span));
        let (first, bytes) = (Some(first), array.element);
        Ok(Access { name, first, bytes, text, ..Access::default() })
    }

    /// An element, or those numbers of a vector that are named behind it; before them what is read for its index. Of an
    /// array that nothing writes it does not matter which element it is.
    pub(super) fn elements(&mut self) -> Parsed<(Vec<Access>, Vec<Access>)> {
        let at = usize::from(self.is("*"));
        let array = self.arrays.get(self.word_ahead(at)).cloned();
        let indexed = self.word_ahead(at + 1) == "[";
        if let Some(array) = array.filter(|one| indexed && (one.constant || self.hangs(at + 1))) {
            return self.any_element(at, &array);
        }
        let access = self.access()?;
        let array = self.arrays.get(&access.name.text);
        let scalar = array.map_or(1, |array| array.scalar.max(1));
        let mut parts = None;
        while self.eat(".") {
            let word = self.word();
            self.term_token();
            self.advance();
            parts = parts.or_else(|| components(word, access.bytes / scalar));
        }
        self.term_reads(&access);
        let (Some(parts), Some(first)) = (parts, &access.first) else {
            return Ok((Vec::new(), alloc::vec![access]));
        };
        let part = |at: u32| {
            let mut first = first.clone();
            first.code.push((Atom::Int(i64::from(at * scalar)), first.span));
            first.code.push((Atom::Binary(Binary::Add), first.span));
            Access { first: Some(first), bytes: scalar, ..access.clone() }
        };
        Ok((Vec::new(), parts.into_iter().map(part).collect()))
    }

    /// An element of an array, whichever it is.
    fn any_element(&mut self, at: usize, array: &Array) -> Parsed<(Vec<Access>, Vec<Access>)> {
        self.advance_by(at);
        let mut read = None;
        if array.constant && !self.hangs(1) {
            let _: Option<()> = self.attempted(|parser| {
                read = parser.access().ok();
                Err(Failed)
            });
        }
        let name = self.name("an array")?;
        let followed = read.is_some();
        let whole = Access { name: name.clone(), ..Access::default() };
        self.term_reads(&read.unwrap_or(whole));
        let kept = self.term.clone();
        let mut inner = Vec::new();
        while self.eat("[") {
            self.deeper(|parser| parser.values(&mut inner, true))?;
            self.expect("]")?;
        }
        let span = self.since(name.span);
        if followed {
            self.term = kept;
        }
        while self.eat(".") {
            self.term_token();
            self.advance();
        }
        self.declare_array(&name, array);
        let bytes = array.element;
        // Which of them it is matters only where something writes.
        let needs = (!array.constant).then(|| self.need(span, None)).into_iter().collect();
        let text = String::from(crate::lexer::slice(self.text, span));
        Ok((inner, alloc::vec![Access { name, bytes, needs, text, ..Access::default() }]))
    }

    /// That data decide what stands there.
    pub(super) fn need(&self, span: Span, holds: Option<bool>) -> Need {
        Need { span, text: String::from(crate::lexer::slice(self.text, span)), holds }
    }

    /// Whether an index that begins so far ahead, or one behind it, hangs on data.
    fn hangs(&self, from: usize) -> bool {
        let mut open = 0_u32;
        for ahead in from..from + LOOK_AHEAD {
            match self.text_of(ahead).unwrap_or(";") {
                ";" | "{" | "}" => return false,
                "[" => open += 1,
                "]" => open = open.saturating_sub(1),
                word if open > 0 && self.holds_data(word) => return true,
                _ if open == 0 => return false,
                _ => {}
            }
        }
        true
    }

    /// An atomic operation, up to its closing parenthesis.
    pub(super) fn atomic(&mut self) {
        self.not_followed(self.here(), "atomic operations race with plain accesses alone");
        self.term_is_doubtful();
        let mut open = 0_u32;
        while self.peek(0).is_some() && !matches!(self.word(), ";" | "}") {
            self.touched.insert(String::from(self.word()));
            open += u32::from(self.is("("));
            let closes = self.is(")");
            self.advance();
            if closes && open <= 1 {
                return;
            }
            open -= u32::from(closes);
        }
    }

    /// Says that an access is left out, so that what is not found is not known.
    pub(super) fn not_followed(&mut self, span: Span, why: &str) {
        let message = format!("{why}: it is not followed, and what is not found here is not known");
        let severity = Severity::Warning;
        self.push(Diagnostic { severity, ..Diagnostic::error("not-followed", span, message) });
        self.more_dimensions = true;
    }

    /// The accesses of values with commas between them; `inside` parentheses lines do not end them.
    pub(super) fn values(&mut self, accesses: &mut Vec<Access>, inside: bool) -> Parsed<()> {
        self.value(accesses, inside)?;
        while self.eat(",") {
            self.value(accesses, inside)?;
        }
        Ok(())
    }

    /// The accesses of a value; of `CONDITION ? A : B` those of one of the two, where the condition is no data.
    pub(super) fn value(&mut self, accesses: &mut Vec<Access>, inside: bool) -> Parsed<()> {
        let start = self.here();
        let condition = self.plain_before("?", 0, inside);
        let mut asked = self.since(start);
        let mut certain = None;
        if condition.is_none() {
            if self.asks() {
                certain = self.certain();
            }
            self.lazy_value(accesses, inside, 0)?;
            asked = self.since(start);
            if !self.eat("?") {
                return Ok(());
            }
        }
        self.term_is_doubtful();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        self.deeper(|parser| parser.value(&mut first, inside))?;
        self.expect(":")?;
        self.deeper(|parser| parser.value(&mut second, inside))?;
        if condition.is_none() {
            let (must, may) = certain.unzip();
            let needs = [self.need(asked, Some(true)), self.need(asked, Some(false))];
            let (not, never) = (must.clone().map(negated), may.clone().map(negated));
            for (own, need, (must, may)) in
                [(first, &needs[0], (must, may)), (second, &needs[1], (never, not))]
            {
                accesses.extend(must.iter().flat_map(|must| guarded(own.clone(), Some(must))));
                let may = may.zip(must).map(|(may, must)| both(&may, &negated(must)));
                let from = accesses.len();
                accesses.extend(guarded(own, may.as_ref()));
                accesses[from..].iter_mut().for_each(|access| access.needs.push(need.clone()));
            }
            return Ok(());
        }
        accesses.extend(guarded(first, condition.as_ref()));
        accesses.extend(guarded(second, condition.map(negated).as_ref()));
        Ok(())
    }

    /// The operands of `||`, or within them of `&&`: what is no data decides whether those behind it are evaluated.
    fn lazy_value(&mut self, accesses: &mut Vec<Access>, inside: bool, level: usize) -> Parsed<()> {
        let Some(&(operator, strength, when)) = LAZY.get(level) else {
            return self.reads(accesses, inside);
        };
        let mut guard: Option<Expression> = None;
        let (start, mut need) = (self.here(), None);
        loop {
            if let Some(condition) = self.plain_before(operator, strength, inside) {
                self.term_is_doubtful();
                let condition = if when { condition } else { negated(condition) };
                guard = Some(guard.map_or(condition.clone(), |before| both(&before, &condition)));
                continue;
            }
            let mut own = Vec::new();
            self.lazy_value(&mut own, inside, level + 1)?;
            own.iter_mut().for_each(|access| access.needs.extend(need.clone()));
            accesses.extend(guarded(own, guard.as_ref()));
            need = Some(self.need(self.since(start), Some(when)));
            if !self.is(operator) {
                return Ok(());
            }
            self.term_token();
            self.advance();
        }
    }

    /// Whether `?` stands behind an operand here.
    fn asks(&self) -> bool {
        let mut open = 0_u32;
        for ahead in 0..LOOK_AHEAD {
            match self.text_of(ahead).unwrap_or(";") {
                "?" if open == 0 => return true,
                ";" | "{" | "}" => return false,
                "(" | "[" => open += 1,
                "," | ":" | ")" | "]" if open == 0 => return false,
                ")" | "]" => open -= 1,
                _ => {}
            }
        }
        false
    }

    /// Takes a condition that is no data and the operator behind it, where both stand here.
    fn plain_before(&mut self, operator: &str, level: u8, inside: bool) -> Option<Expression> {
        if !self.is_plain_before(operator) {
            return None;
        }
        self.attempted(|parser| {
            if inside {
                parser.skip_newlines();
            }
            let (start, mut code) = (parser.here(), Vec::new());
            parser.binary_from(level, &mut code)?;
            let span = parser.since(start);
            if inside {
                parser.skip_newlines();
            }
            parser.expect(operator)?;
            Ok(Expression { code, span })
        })
    }

    /// Whether what stands before the next such operator is no data.
    fn is_plain_before(&self, operator: &str) -> bool {
        let mut open = 0_u32;
        for ahead in 0..LOOK_AHEAD {
            let word = self.text_of(ahead).unwrap_or(";");
            match word {
                _ if open == 0 && word == operator => return true,
                ";" | "{" | "}" => return false,
                "?" | ":" | "," | ")" | "]" if open == 0 => return false,
                "||" if open == 0 && operator == "&&" => return false,
                "(" | "[" => open += 1,
                ")" | "]" => open -= 1,
                _ if self.text_of(ahead + 1) == Some(".") || self.holds_data(word) => return false,
                _ => {}
            }
        }
        false
    }

    /// The conditions at the front of `CONDITION && DATA` that are no data.
    pub(super) fn guard(&mut self) -> Option<Expression> {
        let mut guard: Option<Expression> = None;
        while self.guards() {
            let Some(condition) = self.plain_before("&&", 3, true) else { break };
            guard = Some(guard.map_or(condition.clone(), |before| both(&before, &condition)));
        }
        guard
    }

    /// Whether no `||` and no `?` is in these parentheses.
    fn guards(&self) -> bool {
        let mut open = 0_u32;
        for ahead in 0..LOOK_AHEAD {
            match self.text_of(ahead).unwrap_or(";") {
                ";" | "{" | "}" => return false,
                "||" | "?" if open == 0 => return false,
                "(" | "[" => open += 1,
                ")" | "]" if open == 0 => return true,
                ")" | "]" => open -= 1,
                _ => {}
            }
        }
        false
    }

    /// The accesses of an operand, up to what joins it to others or ends it.
    pub(super) fn reads(&mut self, accesses: &mut Vec<Access>, inside: bool) -> Parsed<()> {
        while self.peek(0).is_some() {
            let newline = self.kind() == Some(Kind::Newline);
            match self.word() {
                _ if newline && (inside || !self.is_behind_value()) => {}
                ")" | "]" | "}" | "," | ":" | "?" | "||" | "&&" => return Ok(()),
                ";" if inside => return self.expect(")").map(drop),
                _ if self.at_end() => return Ok(()),
                "(" | "[" | "{" => {
                    let open = self.word();
                    self.term_token();
                    self.advance();
                    self.deeper(|parser| parser.values(accesses, true))?;
                    self.expect(match open {
                        "(" => ")",
                        "[" => "]",
                        _ => "}",
                    })?;
                    continue;
                }
                word if is_atomic(word) && self.word_ahead(1) == "(" => {
                    self.atomic();
                    continue;
                }
                word if self.is_word() && self.word_ahead(1) == "(" && !self.only_value(word) => {
                    return self.unknown_call();
                }
                word if self.is_word() && self.arrays.contains_key(word) => {
                    let (inner, elements) = self.elements()?;
                    accesses.extend(inner.into_iter().chain(elements));
                    continue;
                }
                _ => {}
            }
            self.term_token();
            self.advance();
        }
        Ok(())
    }
}

impl Parser<'_> {
    /// Whether calls of a function are values and nothing else.
    fn only_value(&self, word: &str) -> bool {
        computes(word) || self.computes.contains_key(word)
    }

    /// A call whose function may do more than compute a number.
    pub(super) fn unknown_call<T>(&mut self) -> Parsed<T> {
        let (word, here) = (String::from(self.word()), self.here());
        let message = no_value(&word);
        self.error("unknown-function", here, message)
    }
}

/// What is told of a function whose value is not known.
pub(super) fn no_value(word: &str) -> String {
    match word.starts_with("work_group_") || word.starts_with("sub_group_") {
        true => format!(
            "what `{word}` yields is not followed: a barrier of that group in its place says who has to come to it"
        ),
        false => format!("`{word}` is no function with a value"),
    }
}

/// Whether a word is the name of an atomic operation.
pub(super) fn is_atomic(word: &str) -> bool {
    word.starts_with("atomic_") || word.starts_with("atom_")
}

/// Which of so many numbers of a vector a word such as `x`, `s0`, `lo` or `xyz` names, each once.
fn components(word: &str, count: u32) -> Option<Vec<u32>> {
    let half = count.next_power_of_two() / 2;
    let all = 0..count;
    let mut named: Vec<u32> = match word {
        "lo" => (0..half).collect(),
        "hi" => (half..count).collect(),
        "even" => all.step_by(2).collect(),
        "odd" => all.skip(1).step_by(2).collect(),
        _ => match word.strip_prefix(['s', 'S']) {
            Some(digits) => digits.chars().map(|c| c.to_digit(16)).collect::<Option<_>>()?,
            None => {
                let place = |c| "xyzw".find(c).map(|at| at as u32);
                word.chars().map(place).collect::<Option<_>>()?
            }
        },
    };
    named.sort_unstable();
    named.dedup();
    let fits = named.last().is_some_and(|&last| last < count);
    fits.then_some(named)
}

/// The accesses, where a condition holds.
fn guarded(accesses: Vec<Access>, condition: Option<&Expression>) -> impl Iterator<Item = Access> {
    accesses.into_iter().map(move |access| match condition {
        // Of what nothing writes it does not matter whether it is read.
        Some(condition) if access.first.is_some() => access.only_if(condition),
        _ => access,
    })
}

pub(super) fn negated(mut condition: Expression) -> Expression {
    condition.code.push((Atom::Unary(Unary::Not), condition.span));
    condition
}

impl Access {
    /// The same access, where a condition holds.
    fn only_if(self, condition: &Expression) -> Self {
        let guard = match &self.guard {
            Some(inner) => both(condition, inner),
            None => condition.clone(),
        };
        Self { guard: Some(guard), ..self }
    }
}

/// `A && B`
pub(super) fn both(first: &Expression, second: &Expression) -> Expression {
    let span = first.span;
    let mut code = first.code.clone();
    code.push((Atom::And(second.code.len() as u32 + 1), span));
    code.extend(second.code.iter().copied());
    code.push((Atom::Truth, span));
    Expression { code, span }
}
