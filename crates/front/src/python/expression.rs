//! Expressions.

use super::lexer::Kind as Is;
use super::value::{BLOCK, ELEMENT, Value};
use super::{Done, Reader};
use alloc::string::String;
use alloc::vec::Vec;

/// Deepest nesting of expressions, blocks and calls.
pub(super) const DEEPEST: usize = 40;

/// Elements of a block of a descriptor in each dimension, if the text does not say.
const EDGE: i64 = 64;

/// Binary operators by their strength.
const LEVELS: [&[&str]; 7] = [
    &["==", "!=", "<=", ">=", "<", ">", "is", "in", "not"],
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "//", "/", "%", "@"],
];

impl<'t> Reader<'_, 't> {
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        if self.depth >= DEEPEST {
            return self.wrong("this is nested too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Expressions between commas: a tuple, or a single one.
    pub(super) fn tuple(&mut self) -> Done<Value> {
        let first = self.expression()?;
        if self.text() != "," {
            return Ok(first);
        }
        let mut parts = alloc::vec![first];
        while self.eat(",") {
            if self.is(Is::Line) || matches!(self.text(), ")" | "]" | "=" | ":") {
                break;
            }
            parts.push(self.expression()?);
        }
        Ok(Value::List(parts))
    }

    pub(super) fn expression(&mut self) -> Done<Value> {
        self.steps += 1;
        if self.steps > super::statement::MOST_STEPS {
            return self.wrong("the kernel is too long once its loops are unrolled");
        }
        self.deeper(Self::choice)
    }

    /// `VALUE if CONDITION else OTHER`. All three are read; an effect in one of the values may not take place.
    fn choice(&mut self) -> Done<Value> {
        if self.text() == "lambda" {
            return self.wrong("a kernel cannot have `lambda`");
        }
        let before = self.effects;
        let value = self.either()?;
        if !self.eat("if") {
            return Ok(value);
        }
        let on = self.either()?;
        self.expect("else")?;
        let other = self.expression()?;
        self.decided(before);
        Ok(match on.truth() {
            Some(true) => value,
            Some(false) => other,
            None => self.selected(&on, &value, &other),
        })
    }

    /// The parts of a choice had effects.
    fn decided(&mut self, before: usize) {
        if self.effects > before {
            self.unknown(
                "an effect in a part of an expression that may be skipped is not modelled",
            );
        }
    }

    pub(super) fn either(&mut self) -> Done<Value> {
        let mut value = self.both()?;
        while self.eat("or") {
            let before = self.effects;
            let other = self.both()?;
            self.decided(before);
            value = self.logic("|", true, value, other);
        }
        Ok(value)
    }

    fn both(&mut self) -> Done<Value> {
        let mut value = self.opposite()?;
        while self.eat("and") {
            let before = self.effects;
            let other = self.opposite()?;
            self.decided(before);
            value = self.logic("&", false, value, other);
        }
        Ok(value)
    }

    fn logic(&mut self, sign: &str, absorbs: bool, value: Value, other: Value) -> Value {
        match (value.truth(), other.truth()) {
            (Some(truth), _) => return if truth == absorbs { value } else { other },
            (_, Some(truth)) if truth == absorbs => return Value::Int(i64::from(absorbs)),
            (_, Some(_)) => return value,
            _ => {}
        }
        if !value.is_number() || !other.is_number() {
            return Value::Data;
        }
        let both = [self.bit(&value), self.bit(&other)].map(Value::Bit);
        self.binary(sign, &both[0], &both[1])
    }

    fn opposite(&mut self) -> Done<Value> {
        if self.eat("not") {
            let value = self.deeper(Self::opposite)?;
            return Ok(self.negated(&value));
        }
        self.level(0)
    }

    fn level(&mut self, level: usize) -> Done<Value> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut value = self.level(level + 1)?;
        while signs.contains(&self.text()) {
            let mut sign = self.text();
            self.at += 1;
            match sign {
                "is" if self.eat("not") => sign = "is not",
                "not" => self.expect("in")?,
                _ => {}
            }
            let other = self.level(level + 1)?;
            value = self.binary(sign, &value, &other);
            if level == 0 && signs.contains(&self.text()) {
                return self.wrong("a chain of comparisons is not read");
            }
        }
        Ok(value)
    }

    fn unary(&mut self) -> Done<Value> {
        let sign = self.text();
        if !matches!(sign, "-" | "+" | "~" | "*") {
            let value = self.postfix()?;
            if !self.eat("**") {
                return Ok(value);
            }
            let other = self.deeper(Self::unary)?;
            return Ok(self.binary("**", &value, &other));
        }
        self.at += 1;
        let value = self.deeper(Self::unary)?;
        Ok(match sign {
            "-" => self.binary("-", &Value::Int(0), &value),
            "~" if matches!(value, Value::Bit(_)) => self.negated(&value),
            "~" => self.binary("^", &value, &Value::Int(-1)),
            "+" => value,
            _ => Value::Mixed,
        })
    }

    /// A name with the names after its points, and calls and indices.
    fn postfix(&mut self) -> Done<Value> {
        let place = self.here();
        let Some(token) = self.token() else { return self.wrong("expected an expression") };
        let mut value = match (token.kind, token.text) {
            (Is::Text, text) => {
                while self.is(Is::Text) {
                    self.at += 1;
                }
                let quoted = text.trim_start_matches(|it: char| it.is_ascii_alphabetic());
                Value::Text(String::from(quoted.trim_matches(['"', '\''])))
            }
            (Is::Number, text) => {
                self.at += 1;
                number(text).map_or(Value::Data, Value::Int)
            }
            (Is::Sign, "(") => self.bracketed(")")?,
            (Is::Sign, "[") => self.bracketed("]")?,
            (Is::Sign, "{") => {
                self.skip();
                Value::Mixed
            }
            (Is::Name, "if" | "else" | "for" | "in" | "and" | "or" | "not" | "is") => {
                return self.wrong("expected an expression");
            }
            (Is::Name, name) => {
                self.at += 1;
                match name {
                    "True" => Value::Int(1),
                    "False" => Value::Int(0),
                    "None" => Value::None,
                    _ if self.text() == "."
                        && !self.variables.contains_key(name)
                        && self.modules.contains_key(name) =>
                    {
                        let mut last = name;
                        let mut module = self.modules.get(name).copied().unwrap_or(name);
                        while self.eat(".") {
                            if last != name {
                                module = last;
                            }
                            last = self.name()?;
                        }
                        match self.text() {
                            "(" => {
                                self.called(if name == "tlx" { name } else { module }, last, place)?
                            }
                            _ => attribute(last),
                        }
                    }
                    _ if self.text() == "(" => self.called("", name, place)?,
                    _ => self.named(name),
                }
            }
            _ => return self.wrong("expected an expression"),
        };
        loop {
            if self.eat(".") {
                let name = self.name()?;
                value = match self.text() {
                    "(" => self.method(value, name, place)?,
                    _ => match (name, &value) {
                        ("value" | "T", _) | ("element_ty" | "scalar", Value::Type(_)) => value,
                        ("dtype", _) => Value::Type(ELEMENT),
                        ("nbytes" | "nbytes_per_cta", _) => Value::Int(BLOCK),
                        ("type" | "block_type", Value::View(_) | Value::Global(_)) => value,
                        ("shape", _) => self.shape(&value, self.tokens[self.at - 3].text),
                        ("block_shape", _) => self.shape(&value, "block_type"),
                        ("itemsize", Value::Type(bytes)) => Value::Int(*bytes),
                        ("primitive_bitwidth", Value::Type(bytes)) => Value::Int(8 * bytes),
                        _ => Value::Data,
                    },
                };
            } else if self.text() == "[" {
                let index = self.index()?;
                value = self.indexed(value, &index, place)?;
            } else if self.text() == "(" {
                return self.wrong("a call of this is not read");
            } else {
                return Ok(value);
            }
        }
    }

    /// The sizes of a tensor or of buffers: `OF.shape`.
    fn shape(&self, value: &Value, of: &str) -> Value {
        let edge = || Value::Int(EDGE);
        match value {
            Value::View(view) => {
                Value::List(alloc::vec![Value::Int(view.count.unwrap_or(EDGE)), edge(), edge()])
            }
            _ if of == "block_type" => Value::List(alloc::vec![edge(), edge()]),
            Value::Global(_) => {
                let size = |at| Value::Host(alloc::format!("{of}.shape[{at}]"));
                Value::List((0..5).map(size).collect())
            }
            _ => Value::Data,
        }
    }

    pub(super) fn named(&self, name: &str) -> Value {
        let own = self.variables.get(name).cloned();
        own.or_else(|| self.globals.get(name).map(|value| Value::Int(*value)))
            .or_else(|| self.functions.contains_key(name).then(|| Value::Text(String::from(name))))
            .unwrap_or(Value::Data)
    }

    fn bracketed(&mut self, close: &str) -> Done<Value> {
        self.at += 1;
        let mut parts = Vec::new();
        let mut comma = close == "]";
        while !self.eat(close) {
            let first = self.at;
            parts.push(self.expression()?);
            if self.text() == "for" {
                return self.comprehension(first, close);
            }
            comma |= self.text() == ",";
            if !self.eat(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(match parts.pop() {
            Some(one) if parts.is_empty() && !comma => one,
            last => {
                parts.extend(last);
                Value::List(parts)
            }
        })
    }

    /// `VALUE for NAME in VALUES]` with known values; the token of the value is given.
    fn comprehension(&mut self, first: usize, close: &str) -> Done<Value> {
        let start = self.at + 1;
        while self.token().is_some() && self.text() != "in" && !self.is(Is::Line) {
            self.at += 1;
        }
        let names = self.targets(start..self.at);
        self.expect("in")?;
        let Value::List(over) = self.either()? else {
            return self.wrong("the values of a comprehension must be known");
        };
        let after = self.at;
        let outer = self.variables.clone();
        let mut values = Vec::new();
        for one in over {
            match &names[..] {
                [name] => drop(self.variables.insert(name, one)),
                names => self.assign_all(names, &one),
            }
            self.at = first;
            values.push(self.expression()?);
        }
        self.variables = outer;
        self.at = after;
        self.expect(close)?;
        Ok(Value::List(values))
    }

    /// An index; one with a slice is data.
    fn index(&mut self) -> Done<Value> {
        let first = self.at;
        self.skip();
        let end = self.at;
        let inner = self.tokens.get(first..end).unwrap_or(&[]);
        if inner.iter().any(|token| matches!(token.text, ":" | ",")) {
            return Ok(Value::Data);
        }
        self.at = first + 1;
        let value = self.expression()?;
        self.expect("]")?;
        Ok(value)
    }
}

/// An attribute of a module of Triton: a type, or a word.
fn attribute(name: &str) -> Value {
    let numbered = ["int", "uint", "float", "fp", "bfloat"].iter().any(|kind| {
        name.strip_prefix(kind).is_some_and(|bits| bits.starts_with(|it: char| it.is_ascii_digit()))
    });
    match tidegate_lang::vocabulary::tlx::bytes_of(name) {
        Some(bytes) if numbered => Value::Type(bytes),
        _ => Value::Text(String::from(name)),
    }
}

/// The value of an integer literal.
pub(super) fn number(text: &str) -> Option<i64> {
    let plain: String = text.chars().filter(|letter| *letter != '_').collect();
    let radix = |prefix: &str, radix| i64::from_str_radix(plain.strip_prefix(prefix)?, radix).ok();
    let small = radix("0x", 16).or_else(|| radix("0b", 2));
    small.or_else(|| plain.parse().ok()).filter(|value: &i64| value.unsigned_abs() < 1 << 62)
}
