//! Calls of functions of which only the result matters.

use super::ctypes::bytes_of;
use super::cursor::{Computing, Parsed, Parser};
use crate::diagnostic::Span;
use crate::expression::types::Type;
use crate::expression::{Atom, Expression};
use crate::lexer::Kind;
use crate::vocabulary::numbers::computes;
use crate::vocabulary::opencl::CALLS;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

impl Parser<'_> {
    /// Number of tokens of the result type of a function here: `static inline float`.
    fn computing(&self) -> Option<usize> {
        let skipped = ["static", "inline", "const", "constexpr", "__inline", "unsigned"];
        let at = (0..6).find(|&at| !skipped.contains(&self.word_ahead(at)))?;
        let typed =
            bytes_of(self.word_ahead(at)).is_some() || self.is_number_type(self.word_ahead(at));
        let length = at + usize::from(typed);
        let named = self.peek(length).is_some_and(|token| token.kind == Kind::Word);
        (length > 0 && named && typed && self.word_ahead(length + 1) == "(").then_some(length)
    }

    /// Records a function that only computes, if one starts here; returns whether to skip it, because its arguments are
    /// data.
    pub(super) fn note_computing(&mut self) -> bool {
        let Some(length) = self.computing() else { return false };
        let result = Type::of((0..length).map(|ahead| self.word_ahead(ahead)));
        let name = String::from(self.word_ahead(length));
        let Some(end) = self.closing(length + 1) else { return false };
        let (mut parameters, mut data) = (Vec::new(), false);
        let mut at = length + 2;
        while at < end {
            let upto = (at..end).find(|&at| self.text_of(at) == Some(",")).unwrap_or(end);
            let words: Vec<&str> = (at..upto).filter_map(|at| self.text_of(at)).collect();
            let Some((parameter, of)) = words.split_last() else { return false };
            if of.is_empty() || words.iter().any(|word| matches!(*word, "*" | "[" | "&")) {
                return false;
            }
            let whole = of.iter().any(|word| self.is_number_type(word));
            data |= !whole;
            let known = Type::of(of.iter().copied()).filter(|_| whole);
            parameters.push((String::from(*parameter), known));
            at = upto + 1;
        }
        let Some(open) =
            (end + 1..).find(|&at| self.peek(at).is_none_or(|token| token.kind != Kind::Newline))
        else {
            return false;
        };
        let close = match self.text_of(open) {
            Some("{") => self.closing(open),
            _ => None,
        };
        let Some(close) = close.filter(|&close| self.only_computes(open, close)) else {
            return false;
        };
        let first = (open + 1..close)
            .find(|&at| self.peek(at).is_some_and(|token| token.kind != Kind::Newline));
        let ends = (open..close).filter(|&at| self.text_of(at) == Some(";")).count() == 1;
        let value = first.filter(|&at| ends && self.text_of(at) == Some("return"));
        let value = value.map(|at| self.index_ahead(at + 1));
        self.computes.insert(name, Computing { parameters, result, value });
        data |= !self.is_number_type(self.word_ahead(length - 1));
        if data {
            self.advance_by(close + 1);
        }
        data
    }

    /// Whether a body accesses no memory and uses no barrier.
    fn only_computes(&self, open: usize, close: usize) -> bool {
        (open..close).all(|at| {
            let word = self.text_of(at).unwrap_or_default();
            let called = self.text_of(at + 1) == Some("(");
            let is_word = self.peek(at).is_some_and(|token| token.kind == Kind::Word);
            let silent = matches!(word, "if" | "for" | "while" | "switch" | "return");
            let known = silent || computes(word) || self.computes.contains_key(word);
            let arrow = word == "[" || word == "&" && self.text_of(at - 1) == Some("=");
            let barrier = CALLS.iter().any(|row| row.name == word);
            !arrow && !barrier && (!called || !is_word || known || self.is_number_type(word))
        })
    }

    /// The closing bracket of the one at an offset.
    /// Consumes the rest of the declaration of a function without its body, starting at the name; returns whether it is one.
    pub(super) fn prototype(&mut self) -> bool {
        let Some(end) = self.closing(1).filter(|&end| self.text_of(end + 1) == Some(";")) else {
            return false;
        };
        let name = String::from(self.word());
        self.prototypes.insert(name);
        self.advance_by(end + 1);
        true
    }

    pub(super) fn closing(&self, from: usize) -> Option<usize> {
        let mut open = 0_u32;
        for at in from..from + 4000 {
            match self.text_of(at)? {
                "(" | "{" | "[" => open += 1,
                ")" | "}" | "]" => open = open.checked_sub(1)?,
                _ => {}
            }
            if open == 0 {
                return Some(at);
            }
        }
        None
    }

    /// A call of a function that computes a number, starting at its parenthesis; `None` for other functions.
    pub(super) fn result_of(
        &mut self,
        word: &str,
        span: Span,
        code: &mut Vec<(Atom, Span)>,
    ) -> Option<Parsed<()>> {
        let function = self.computes.get(word)?.clone();
        Some(self.put_in_place(word, &function, span, code))
    }

    fn put_in_place(
        &mut self,
        word: &str,
        function: &Computing,
        span: Span,
        code: &mut Vec<(Atom, Span)>,
    ) -> Parsed<()> {
        let arguments = self.arguments()?;
        let Some(value) = function.value.filter(|_| self.calls_left > 0) else {
            return self.not_in_place(word, span);
        };
        if arguments.len() != function.parameters.len() {
            let message = format!("`{word}` takes {} arguments", function.parameters.len());
            return self.error("argument-count", span, message);
        }
        self.calls_left -= 1;
        let mut values = OrderedMap::new();
        for ((name, of), Expression { mut code, span }) in function.parameters.iter().zip(arguments)
        {
            code.extend(of.map(|of| (Atom::Convert(of), span)));
            values.insert(name.clone(), code);
        }
        let around = core::mem::replace(&mut self.passed, values);
        let after = self.jump(value);
        let of_c = core::mem::replace(&mut self.of_c, true);
        let read = self.deeper(|parser| parser.conditional(code));
        // Assignments, commas and values over several lines are evaluated by a real call.
        let whole = self.is(";");
        self.of_c = of_c;
        self.jump(after);
        self.passed = around;
        code.extend(function.result.map(|of| (Atom::Convert(of), span)));
        read?;
        match whole {
            true => Ok(()),
            false => self.not_in_place(word, span),
        }
    }

    fn not_in_place(&mut self, word: &str, span: Span) -> Parsed<()> {
        let message = format!(
            "only functions that consist of one `return` with a value are evaluated: write the value instead of `{word}`, or `choose {{ … }} or {{ … }}`"
        );
        self.error("unknown-function", span, message)
    }
}
