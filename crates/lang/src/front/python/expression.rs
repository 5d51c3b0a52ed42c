//! Expressions.

use super::lexer::Kind as Is;
use super::parse::{Parsed, Parser, sign};
use super::tree::{Expression, Kind, Passed, Sign};
use alloc::boxed::Box;
use alloc::vec::Vec;
use tidegate_kernel::ir::Place;

/// Signs between two values, from the ones that bind least.
const LEVELS: [&[&str]; 6] =
    [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "//", "%", "@"]];

impl<'t> Parser<'_, 't> {
    /// Expressions between commas: a tuple, or a single one.
    pub(super) fn tuple(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let first = self.expression()?;
        if self.text() != "," {
            return Ok(first);
        }
        let mut parts = alloc::vec![first];
        while self.eat(",") {
            let ends = self.token().is_none_or(|token| token.kind == Is::Line);
            if ends || matches!(self.text(), ")" | "]" | "}" | "=" | ":") {
                break;
            }
            parts.push(self.expression()?);
        }
        Ok(self.made(start, Kind::Tuple(parts)))
    }

    fn made(&self, start: Place, kind: Kind<'t>) -> Expression<'t> {
        Expression { place: self.since(start), kind }
    }

    pub(super) fn expression(&mut self) -> Parsed<Expression<'t>> {
        self.deeper(Self::choice)
    }

    fn choice(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        if self.text() == "lambda" {
            while !matches!(self.text(), ":") && self.token().is_some_and(|it| it.kind != Is::Line)
            {
                self.at += 1;
            }
            self.at += 1;
            self.expression()?;
            return Ok(self.made(start, Kind::Other));
        }
        let value = self.either()?;
        if self.eat(":=") {
            return self.wrong("an expression without `:=`");
        }
        if !self.eat("if") {
            return Ok(value);
        }
        let condition = self.either()?;
        self.expect("else")?;
        let other = self.expression()?;
        Ok(self.made(start, Kind::Choice(Box::new([value, condition, other]))))
    }

    fn either(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let mut value = self.both()?;
        while self.eat("or") {
            let other = self.both()?;
            value = self.made(start, Kind::Logic(false, Box::new(value), Box::new(other)));
        }
        Ok(value)
    }

    fn both(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let mut value = self.negated()?;
        while self.eat("and") {
            let other = self.negated()?;
            value = self.made(start, Kind::Logic(true, Box::new(value), Box::new(other)));
        }
        Ok(value)
    }

    fn negated(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        if self.eat("not") {
            let value = self.deeper(Self::negated)?;
            return Ok(self.made(start, Kind::Not(Box::new(value))));
        }
        self.compared()
    }

    fn compared(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let mut left = self.binary(0)?;
        let mut all: Option<Expression<'t>> = None;
        while let Some(sign) = self.comparison() {
            let right = self.binary(0)?;
            let both = (Box::new(left), Box::new(right.clone()));
            let one = self.made(start, Kind::Binary(sign, both.0, both.1));
            all = Some(match all {
                None => one,
                Some(before) => {
                    self.made(start, Kind::Logic(true, Box::new(before), Box::new(one)))
                }
            });
            left = right;
        }
        Ok(all.unwrap_or(left))
    }

    fn comparison(&mut self) -> Option<Sign> {
        let next = self.tokens.get(self.at + 1).map_or("", |token| token.text);
        let sign = match self.text() {
            "==" => Sign::Eq,
            "!=" => Sign::Ne,
            "<" => Sign::Lt,
            "<=" => Sign::Le,
            ">" => Sign::Gt,
            ">=" => Sign::Ge,
            "in" => Sign::In,
            "is" if next == "not" => Sign::IsNot,
            "is" => Sign::Is,
            "not" if next == "in" => Sign::In,
            _ => return None,
        };
        let two = sign == Sign::IsNot || self.text() == "not";
        self.at += if two { 2 } else { 1 };
        Some(sign)
    }

    fn binary(&mut self, level: usize) -> Parsed<Expression<'t>> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let start = self.here();
        let mut value = self.binary(level + 1)?;
        while signs.contains(&self.text()) {
            let Some(sign) = sign(self.text()) else { break };
            self.at += 1;
            let other = self.binary(level + 1)?;
            value = self.made(start, Kind::Binary(sign, Box::new(value), Box::new(other)));
        }
        Ok(value)
    }

    fn unary(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let of = self.text();
        if !matches!(of, "-" | "+" | "~" | "*" | "**") {
            return self.power();
        }
        self.at += 1;
        let value = self.deeper(Self::unary)?;
        Ok(match of {
            "-" => self.made(start, Kind::Minus(Box::new(value))),
            "~" => self.made(start, Kind::Invert(Box::new(value))),
            "+" => value,
            _ => self.made(start, Kind::Other),
        })
    }

    fn power(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let value = self.postfix()?;
        if !self.eat("**") {
            return Ok(value);
        }
        let other = self.deeper(Self::unary)?;
        Ok(self.made(start, Kind::Binary(Sign::Power, Box::new(value), Box::new(other))))
    }

    pub(super) fn postfix(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let mut value = self.primary()?;
        loop {
            let kind = if self.eat(".") {
                Kind::Attribute(Box::new(value), self.name()?)
            } else if self.eat("(") {
                Kind::Call(Box::new(value), self.passed()?)
            } else if self.eat("[") {
                Kind::Subscript(Box::new(value), Box::new(self.index()?))
            } else {
                return Ok(value);
            };
            value = self.made(start, kind);
        }
    }

    fn passed(&mut self) -> Parsed<Vec<Passed<'t>>> {
        let mut all = Vec::new();
        while !self.eat(")") {
            let keyword = self.token().filter(|token| {
                token.kind == Is::Name
                    && self.tokens.get(self.at + 1).is_some_and(|next| next.text == "=")
            });
            self.at += if keyword.is_some() { 2 } else { 0 };
            let start = self.here();
            let mut value = self.expression()?;
            if matches!(self.text(), "for" | "async") {
                value = self.comprehension(start, ")")?;
            }
            all.push((keyword.map(|token| token.text), value));
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(all)
    }

    /// An index, with slices as values that are passed over.
    fn index(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let mut parts = Vec::new();
        let mut comma = false;
        while !self.eat("]") {
            let first = self.here();
            let mut value = None;
            let mut slice = false;
            while !matches!(self.text(), "," | "]") {
                if self.eat(":") {
                    slice = true;
                } else if value.is_none() || slice {
                    value = Some(self.expression()?);
                } else {
                    return self.wrong("`]`");
                }
            }
            parts.push(match value {
                Some(value) if !slice => value,
                _ => self.made(first, Kind::Other),
            });
            comma |= self.text() == ",";
            if !self.eat(",") {
                self.expect("]")?;
                break;
            }
        }
        Ok(match parts.pop() {
            Some(one) if parts.is_empty() && !comma => one,
            last => {
                parts.extend(last);
                self.made(start, Kind::Tuple(parts))
            }
        })
    }

    /// The rest of a comprehension, which only computes data.
    fn comprehension(&mut self, start: Place, close: &str) -> Parsed<Expression<'t>> {
        let mut depth = 0_usize;
        while let Some(token) = self.token() {
            match token.text {
                text if depth == 0 && text == close => return Ok(self.made(start, Kind::Other)),
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
        self.wrong(close)
    }

    fn primary(&mut self) -> Parsed<Expression<'t>> {
        let start = self.here();
        let Some(token) = self.token() else { return self.wrong("an expression") };
        let kind = match (token.kind, token.text) {
            (Is::Text, text) => {
                self.at += 1;
                while self.token().is_some_and(|token| token.kind == Is::Text) {
                    self.at += 1;
                }
                let quoted = text.trim_start_matches(|it: char| it.is_ascii_alphabetic());
                Kind::Text(quoted.trim_matches(['"', '\'']))
            }
            (Is::Number, text) => {
                self.at += 1;
                number(text).map_or(Kind::Float, Kind::Int)
            }
            (_, "(") => return self.bracketed(")"),
            (_, "[") => return self.bracketed("]"),
            (_, "{") => {
                self.at += 1;
                self.comprehension(start, "}")?;
                self.at += 1;
                Kind::Other
            }
            (_, "...") => {
                self.at += 1;
                Kind::Other
            }
            (Is::Name, "if" | "else" | "for" | "in" | "and" | "or" | "not" | "is" | "while") => {
                return self.wrong("an expression");
            }
            (Is::Name, name) => {
                self.at += 1;
                match name {
                    "True" => Kind::Int(1),
                    "False" => Kind::Int(0),
                    "None" => Kind::None,
                    _ => Kind::Name(name),
                }
            }
            _ => return self.wrong("an expression"),
        };
        Ok(self.made(start, kind))
    }

    fn bracketed(&mut self, close: &str) -> Parsed<Expression<'t>> {
        let start = self.here();
        self.at += 1;
        let mut parts = Vec::new();
        let mut comma = close == "]";
        while !self.eat(close) {
            parts.push(self.expression()?);
            if matches!(self.text(), "for" | "async") {
                self.comprehension(start, close)?;
                self.at += 1;
                return Ok(self.made(start, Kind::Other));
            }
            comma |= self.text() == ",";
            if !self.eat(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(match parts.pop() {
            Some(one) if parts.is_empty() && !comma => {
                Expression { place: self.since(start), ..one }
            }
            last => {
                parts.extend(last);
                self.made(start, Kind::Tuple(parts))
            }
        })
    }
}

/// The value of an integer literal.
pub(super) fn number(text: &str) -> Option<i64> {
    let plain: alloc::string::String = text.chars().filter(|letter| *letter != '_').collect();
    let radix = |prefixes: [&str; 2], radix| {
        let digits = prefixes.iter().find_map(|prefix| plain.strip_prefix(prefix))?;
        i64::from_str_radix(digits, radix).ok()
    };
    let small = radix(["0x", "0X"], 16).or_else(|| radix(["0b", "0B"], 2));
    small.or_else(|| radix(["0o", "0O"], 8)).or_else(|| plain.parse().ok())
}
