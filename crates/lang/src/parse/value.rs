//! C expressions with effects, as one tree by C's precedence.
//!
//! Parts that only compute from numbers and variables are flat code; other parts are nodes, which lowering evaluates in
//! C's order.

use super::ctypes::bytes_of;
use super::cursor::{Failed, Parsed, Parser};
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::expression::types::Type;
use crate::expression::{Atom, Binary, Expression, Unary};
use crate::lexer::{self, Kind};
use crate::tree::{Element, Value, ValueKind};
use crate::vocabulary::opencl::{CALLS, FUNCTIONS, is_fraction};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The type of a cast and, for a pointer, the size of its target.
type Cast = (Option<Type>, Option<(u32, u32)>);

/// Binary operators of C that evaluate both operands, with their precedence.
const OPERATORS: [(&str, u8, Binary); 16] = [
    ("|", 3, Binary::Or),
    ("^", 4, Binary::Xor),
    ("&", 5, Binary::And),
    ("==", 6, Binary::Equal),
    ("!=", 6, Binary::NotEqual),
    ("<", 7, Binary::Less),
    ("<=", 7, Binary::LessOrEqual),
    (">", 7, Binary::Greater),
    (">=", 7, Binary::GreaterOrEqual),
    ("<<", 8, Binary::ShiftLeft),
    (">>", 8, Binary::ShiftRight),
    ("+", 9, Binary::Add),
    ("-", 9, Binary::Subtract),
    ("*", 10, Binary::Multiply),
    ("/", 10, Binary::Divide),
    ("%", 10, Binary::Remainder),
];

/// Largest number of operators in one expression, because trees are traversed by recursion.
const MOST_OPERATORS: u32 = 400;

/// The operator of a compound assignment, if a word is an assignment; the inner `None` for `=`.
pub(super) fn assigns(word: &str) -> Option<Option<Binary>> {
    let before = word.strip_suffix('=')?;
    match OPERATORS.iter().find(|(name, ..)| *name == before) {
        Some((_, strength, operator)) if !matches!(strength, 6 | 7) => Some(Some(*operator)),
        _ => before.is_empty().then_some(None),
    }
}

/// Whether a word continues an expression after a name.
pub(super) fn joins(word: &str) -> bool {
    OPERATORS.iter().any(|(name, ..)| *name == word)
        || matches!(word, "++" | "--" | "," | "?" | "&&" | "||")
        || assigns(word).is_some()
}

impl Value {
    /// Its code, if it only computes.
    pub(crate) fn plain(&self) -> Option<Expression> {
        match &self.kind {
            ValueKind::Plain(code) => Some(Expression { code: code.clone(), span: self.span }),
            _ => None,
        }
    }

    /// A value that only computes.
    pub(crate) fn of(expression: Expression) -> Self {
        Self { kind: ValueKind::Plain(expression.code), span: expression.span }
    }

    /// Its operands.
    pub(crate) fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            ValueKind::Plain(_) => Vec::new(),
            ValueKind::Data(_, all) | ValueKind::Call(_, all) => all.iter().collect(),
            ValueKind::Element(element) => element.indices.iter().collect(),
            ValueKind::Member(one, _, indices) => core::iter::once(&**one).chain(indices).collect(),
            ValueKind::At(one)
            | ValueKind::Address(one)
            | ValueKind::Part(one, _)
            | ValueKind::Convert(_, one)
            | ValueKind::Cast(_, one)
            | ValueKind::Unary(_, one)
            | ValueKind::Step(_, _, one) => alloc::vec![&**one],
            ValueKind::Binary(_, two)
            | ValueKind::Lazy(_, two)
            | ValueKind::Comma(two)
            | ValueKind::Assign(_, two) => two.iter().collect(),
            ValueKind::Choice(three) => three.iter().collect(),
        }
    }

    /// Whether a predicate holds for it or for a part of it, at any depth.
    pub(crate) fn any(&self, is: &mut dyn FnMut(&Self) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }
}

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn value(&mut self) -> Parsed<Value> {
        let (start, before) = (self.here(), self.operators);
        let mut value = self.assignment_value()?;
        while self.joined(",") && !self.synchronises_ahead() {
            self.advance();
            let next = self.assignment_value()?;
            value = self.read_value(start, ValueKind::Comma(Box::new([value, next])));
        }
        self.operators = before;
        Ok(value)
    }

    /// An expression in parentheses, or up to another word.
    pub(super) fn inner_value(&mut self, end: &str) -> Parsed<Value> {
        self.inside += 1;
        let value = self.deeper(Self::value);
        self.skip_newlines();
        self.inside -= 1;
        let value = value?;
        self.expect(end)?;
        Ok(value)
    }

    fn read_value(&mut self, start: Span, kind: ValueKind) -> Value {
        Value { kind, span: self.since(start) }
    }

    /// Whether an operator is next; it continues an expression of an earlier line.
    fn joined(&mut self, word: &str) -> bool {
        self.operator() == word
    }

    /// The next word, also on a later line if it continues the expression; consumes line ends before it.
    fn operator(&mut self) -> &str {
        let ahead = self.behind_newlines();
        if ahead > 0 {
            let next = self.text_of(ahead).unwrap_or("");
            let known =
                matches!(next, ":" | ".") || joins(next) && !matches!(next, "++" | "--" | ",");
            if self.inside == 0 && !known {
                return "";
            }
            self.advance_by(ahead);
        }
        self.word()
    }

    pub(super) fn assignment_value(&mut self) -> Parsed<Value> {
        let start = self.here();
        let left = self.choice_value()?;
        let Some(operator) = assigns(self.operator()) else { return Ok(left) };
        self.advance();
        self.count_operator()?;
        let right = self.deeper(Self::assignment_value)?;
        Ok(self.read_value(start, ValueKind::Assign(operator, Box::new([left, right]))))
    }

    fn count_operator(&mut self) -> Parsed<()> {
        self.operators += 1;
        if self.operators <= MOST_OPERATORS {
            return Ok(());
        }
        let here = self.here();
        let message = format!("an expression must have at most {MOST_OPERATORS} operators");
        self.error("bound-nesting", here, message)
    }

    fn choice_value(&mut self) -> Parsed<Value> {
        let start = self.here();
        let condition = self.operators_from(1)?;
        if !self.joined("?") {
            return Ok(condition);
        }
        self.advance();
        self.count_operator()?;
        self.inside += 1;
        let yes = self.deeper(Self::value);
        self.skip_newlines();
        self.inside -= 1;
        let yes = yes?;
        self.expect(":")?;
        let no = self.deeper(Self::choice_value)?;
        Ok(self.read_value(start, ValueKind::Choice(Box::new([condition, yes, no]))))
    }

    /// Operators with at least the precedence `level`.
    fn operators_from(&mut self, level: u8) -> Parsed<Value> {
        self.skip_newlines();
        let start = self.here();
        let mut left = self.prefix_value()?;
        loop {
            let word = self.operator();
            let lazy = match word {
                "||" => Some((1, false)),
                "&&" => Some((2, true)),
                _ => None,
            };
            if let Some((strength, both)) = lazy.filter(|&(strength, _)| strength >= level) {
                self.advance();
                self.count_operator()?;
                let right = self.operators_from(strength + 1)?;
                left = self.read_value(start, ValueKind::Lazy(both, Box::new([left, right])));
                continue;
            }
            let found = OPERATORS.iter().find(|(name, ..)| *name == word);
            let Some(&(_, strength, operator)) = found.filter(|found| found.1 >= level) else {
                return Ok(left);
            };
            let span = self.advance();
            self.count_operator()?;
            let right = self.operators_from(strength + 1)?;
            let kind = joined(operator, left, right, span);
            left = self.read_value(start, kind);
        }
    }

    fn prefix_value(&mut self) -> Parsed<Value> {
        let start = self.here();
        if let Some(cast) = self.cast_of_c() {
            return self.converted_value(cast, start);
        }
        let word = self.word();
        let operator = match word {
            "-" => Some(Unary::Negate),
            "!" => Some(Unary::Not),
            "~" => Some(Unary::Complement),
            "+" | "*" | "&" | "++" | "--" => None,
            _ => return self.postfix_value(),
        };
        let span = self.advance();
        self.count_operator()?;
        let inner = self.deeper(Self::prefix_value)?;
        let kind = match (operator, word, inner.kind) {
            (Some(operator), _, ValueKind::Plain(mut code)) => {
                code.push((Atom::Unary(operator), span));
                ValueKind::Plain(code)
            }
            (Some(operator), _, kind) => {
                ValueKind::Unary(operator, Box::new(Value { kind, span: inner.span }))
            }
            (None, "+", kind) => kind,
            (None, "&", ValueKind::Plain(mut code)) => {
                // Named barriers have no address; lowering reports it.
                code.push((Atom::Address, self.since(span)));
                ValueKind::Plain(code)
            }
            (None, word, kind) => {
                let inner = Box::new(Value { kind, span: inner.span });
                match word {
                    "*" => ValueKind::At(inner),
                    "&" => ValueKind::Address(inner),
                    "++" => ValueKind::Step(Binary::Add, false, inner),
                    _ => ValueKind::Step(Binary::Subtract, false, inner),
                }
            }
        };
        Ok(self.read_value(start, kind))
    }

    /// Takes `(TYPE)`.
    fn cast_of_c(&mut self) -> Option<Cast> {
        if !self.is("(") {
            return None;
        }
        if self.word_ahead(1) == "void" && self.word_ahead(2) == ")" {
            self.advance_by(3);
            return Some((None, None));
        }
        let (length, of, points) = self.type_at(1)?;
        let closes = self.word_ahead(1 + length) == ")";
        let bytes = (1..=length).filter_map(|at| bytes_of(self.word_ahead(at))).max();
        // The pointers that a pointer points to are data of 8 bytes.
        let deep = (1..=length).filter(|&at| self.word_ahead(at) == "*").count() > 1;
        let (of, bytes) = if deep { (Some(Type::Data), Some((8, 8))) } else { (of, bytes) };
        closes.then(|| {
            self.advance_by(length + 2);
            (of, bytes.filter(|_| points))
        })
    }

    fn converted_value(&mut self, (of, pointed): Cast, start: Span) -> Parsed<Value> {
        self.count_operator()?;
        let cast = of.filter(|_| pointed.is_none());
        if self.is("{") && pointed.is_none() && of.is_none_or(|of| of == Type::Data) {
            // `(struct S){A, B}`
            self.advance();
            let mut parts = Vec::new();
            self.values_until("}", &mut parts)?;
            let value = self.read_value(start, ValueKind::Data(String::from("{}"), parts));
            return self.behind_value(value, start);
        }
        if self.is("(") && cast == Some(Type::Data) {
            // `(float4)(A, B, C, D)` or a parenthesis.
            self.advance();
            let mut parts = Vec::new();
            self.values_until(")", &mut parts)?;
            let value = ValueKind::Data(String::from("()"), parts);
            let value = self.read_value(start, value);
            return self.behind_value(value, start);
        }
        let inner = self.deeper(Self::prefix_value)?;
        let kind = match (cast, inner.kind) {
            (None, ValueKind::Element(mut element))
                if pointed.is_some()
                    && element.indices.is_empty()
                    && element.is_whole()
                    && !element.array.private =>
            {
                let (bytes, scalar) = pointed.unwrap_or_default();
                (element.array.element, element.array.scalar) = (bytes, scalar);
                element.array.of = of.unwrap_or(Type::Data);
                ValueKind::Element(element)
            }
            (None, kind) if let Some((bytes, scalar)) = pointed => {
                let inner = Value { kind, span: inner.span };
                ValueKind::Cast((bytes, scalar, of.unwrap_or(Type::Data)), Box::new(inner))
            }
            (None, kind) => kind,
            (Some(to), ValueKind::Plain(mut code)) if to != Type::Data => {
                code.push((Atom::Convert(to), inner.span));
                ValueKind::Plain(code)
            }
            (Some(to), kind) => ValueKind::Convert(to, Box::new(Value { kind, span: inner.span })),
        };
        Ok(self.read_value(start, kind))
    }

    /// Comma-separated values up to the end of the list.
    pub(super) fn values_until(&mut self, end: &str, values: &mut Vec<Value>) -> Parsed<()> {
        self.inside += 1;
        let read = self.deeper(|parser| {
            let (mut first, mut at) = (values.is_empty(), values.len());
            loop {
                parser.skip_newlines();
                if parser.is(end) {
                    return Ok(());
                }
                if !first {
                    parser.expect(",")?;
                    parser.skip_newlines();
                    if parser.is(end) {
                        return Ok(());
                    }
                }
                first = false;
                let here = parser.here();
                let place = if end == "}" { parser.designated()? } else { None };
                at = place.unwrap_or(at);
                if parser.eat("{") {
                    let mut list = Vec::new();
                    parser.values_until("}", &mut list)?;
                    if place.is_some() || at < values.len() {
                        let message = "a designator of a whole row is not supported: write every row in order";
                        return parser.error("expected-expression", here, message);
                    }
                    values.append(&mut list);
                    at = values.len();
                    continue;
                }
                let value = parser.assignment_value()?;
                let zero = || Value {
                    kind: ValueKind::Plain(alloc::vec![(Atom::Literal(0, Type::Int), here)]),
                    span: here,
                };
                values.resize_with(values.len().max(at + 1), zero);
                values[at] = value;
                at += 1;
            }
        });
        self.inside -= 1;
        read?;
        self.expect(end).map(drop)
    }

    fn postfix_value(&mut self) -> Parsed<Value> {
        let start = self.here();
        let value = self.primary_value()?;
        self.behind_value(value, start)
    }

    /// Indices, components, `++` and `--` after a value.
    fn behind_value(&mut self, mut value: Value, start: Span) -> Parsed<Value> {
        loop {
            let word = self.word();
            let kind = match word {
                "++" | "--" => {
                    self.advance();
                    let operator = if word == "++" { Binary::Add } else { Binary::Subtract };
                    ValueKind::Step(operator, true, Box::new(value))
                }
                "." if self.peek(1).is_some_and(|token| token.kind == Kind::Word) => {
                    self.advance();
                    let part = String::from(self.word());
                    self.advance();
                    self.member(value, &part, false)
                }
                "-" if self.word_ahead(1) == ">" => {
                    self.advance_by(2);
                    let part = String::from(self.word());
                    self.advance();
                    self.member(value, &part, true)
                }
                "[" => {
                    self.advance();
                    let index = self.inner_value("]")?;
                    let private = self.is_private_member(&value, &index);
                    match value.kind {
                        kind @ ValueKind::Part(..) if private => kind,
                        ValueKind::Member(place, member, mut indices)
                            if indices.len() < member.sizes.len() =>
                        {
                            indices.push(index);
                            ValueKind::Member(place, member, indices)
                        }
                        ValueKind::Element(mut element)
                            if element.indices.len() < element.array.sizes.len() =>
                        {
                            element.indices.push(index);
                            ValueKind::Element(element)
                        }
                        kind => {
                            let sum = [Value { kind, span: value.span }, index];
                            let sum = ValueKind::Binary(Binary::Add, Box::new(sum));
                            ValueKind::At(Box::new(self.read_value(start, sum)))
                        }
                    }
                }
                _ => return Ok(value),
            };
            self.count_operator()?;
            value = self.read_value(start, kind);
        }
    }

    fn primary_value(&mut self) -> Parsed<Value> {
        let start = self.here();
        if self.is("(") {
            self.advance();
            let Value { kind, .. } = self.inner_value(")")?;
            return Ok(self.read_value(start, kind));
        }
        if self.number_of_data() {
            let text = String::from(lexer::slice(self.text, self.since(start)));
            return Ok(self.read_value(start, ValueKind::Data(text, Vec::new())));
        }
        if self.kind() == Some(Kind::Text) {
            self.advance();
            return Ok(self.read_value(start, ValueKind::Data(String::from("\""), Vec::new())));
        }
        let word = self.word();
        if self.is_word()
            && let Some(array) = self.arrays.get(word).cloned()
        {
            let name = self.name("an array")?;
            self.declare_array(&name, &array);
            let element = Element { name, array, indices: Vec::new() };
            return Ok(self.read_value(start, ValueKind::Element(Box::new(element))));
        }
        let sized = self.is("sizeof").then(|| self.size_of(start)).flatten();
        if let Some(size) = sized {
            return Ok(size);
        }
        if self.is_word() && self.word_ahead(1) == "(" {
            return self.called_value();
        }
        if is_fraction(word) && !self.is_declared(word) {
            let text = String::from(word);
            self.advance();
            return Ok(self.read_value(start, ValueKind::Data(text, Vec::new())));
        }
        let mut code = Vec::new();
        self.primary(&mut code)?;
        Ok(self.read_value(start, ValueKind::Plain(code)))
    }

    /// Consumes a number that is not an integer.
    fn number_of_data(&mut self) -> bool {
        let next = |parser: &Self| matches!(parser.kind(), Some(Kind::Number | Kind::Word));
        let point = self.is(".") && self.peek(1).is_some_and(|token| token.kind == Kind::Number);
        let number = self.kind() == Some(Kind::Number);
        let word = self.word();
        let exponent = number && !word.starts_with("0x") && word.contains(['e', 'E']);
        let fraction = number && self.word_ahead(1) == ".";
        if !(point || fraction || exponent) {
            return false;
        }
        loop {
            let power = self.word().ends_with(['e', 'E']);
            self.advance();
            let continues = self.is_adjacent()
                && (next(self) || self.is(".") || power && (self.is("-") || self.is("+")));
            if !continues {
                return true;
            }
        }
    }

    /// `NAME(…)`
    fn called_value(&mut self) -> Parsed<Value> {
        let start = self.here();
        let word = self.word();
        let flat = FUNCTIONS.iter().any(|(name, ..)| *name == word)
            || matches!(word, "sizeof" | "move")
            || CALLS.iter().any(|row| row.name == word);
        let in_place = self.computes.contains_key(word);
        if flat || in_place {
            let read = |parser: &mut Self| {
                let mut code = Vec::new();
                parser.primary(&mut code)?;
                Ok(parser.read_value(start, ValueKind::Plain(code)))
            };
            // Data may decide an operand: it is then more than one value.
            let decides = |(atom, _): &(Atom, Span)| {
                matches!(atom, Atom::And(_) | Atom::Or(_) | Atom::Unless(_))
            };
            let simple = |parser: &mut Self| {
                let value = read(parser)?;
                match value.plain() {
                    Some(plain) if plain.code.iter().any(decides) => Err(Failed),
                    _ => Ok(value),
                }
            };
            if let Some(value) = if flat { Some(read(self)?) } else { self.attempted(simple) } {
                return Ok(value);
            }
        }
        let name = self.name("a function")?;
        self.advance();
        let mut arguments = Vec::new();
        self.values_until(")", &mut arguments)?;
        let operators: &[Binary] = match (name.text.as_str(), arguments.len()) {
            ("min", 2) => &[Binary::Least],
            ("max", 2) => &[Binary::Most],
            ("mul24", 2) => &[Binary::Multiply],
            ("mad24", 3) => &[Binary::Multiply, Binary::Add],
            ("clamp", 3) => &[Binary::Most, Binary::Least],
            _ => &[],
        };
        if !operators.is_empty() {
            let mut value = arguments.remove(0);
            for (&operator, second) in operators.iter().zip(arguments) {
                let kind = joined(operator, value, second, name.span);
                value = self.read_value(start, kind);
            }
            return Ok(value);
        }
        Ok(self.read_value(start, ValueKind::Call(name, arguments)))
    }

    /// Reports that something is not followed, so that the result is incomplete.
    pub(super) fn not_followed(&mut self, span: Span, why: &str) {
        self.push(not_followed(span, why));
        self.more_dimensions = true;
    }
}

/// The result of an operator for two values.
fn joined(operator: Binary, left: Value, right: Value, span: Span) -> ValueKind {
    match (left.kind, right.kind) {
        (ValueKind::Plain(mut code), ValueKind::Plain(right)) => {
            code.extend(right);
            code.push((Atom::Binary(operator), span));
            ValueKind::Plain(code)
        }
        (one, other) => {
            let [one, other] =
                [(one, left.span), (other, right.span)].map(|(kind, span)| Value { kind, span });
            ValueKind::Binary(operator, Box::new([one, other]))
        }
    }
}

/// A warning that something is not followed.
pub(crate) fn not_followed(span: Span, why: &str) -> Diagnostic {
    let message = format!("{why} is not modelled; problems that involve it may be missed");
    Diagnostic { severity: Severity::Warning, ..Diagnostic::error("not-followed", span, message) }
}
