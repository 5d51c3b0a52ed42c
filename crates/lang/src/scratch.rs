//! Words that the preprocessor makes: they are after the text, so that a span is the place of every word.

use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{self, Kind, Token};
use alloc::string::String;
use alloc::vec::Vec;

/// A text followed by words that macros make.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The text, then the words.
    pub(crate) text: String,
    places: Places,
}

/// Where the words after a text come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The length of the text as written.
    written: u32,
    /// For each word, its first byte and the macro in the text that makes it.
    origins: Vec<(u32, Span)>,
}

/// A text after macros and conditions.
pub(crate) struct Expanded {
    /// The text, then words that macros make.
    pub(crate) text: String,
    /// Without comments.
    pub(crate) tokens: Vec<Token>,
    pub(crate) found: Vec<Diagnostic>,
    pub(crate) places: Places,
}

impl Scratch {
    pub(crate) fn new(text: &str) -> Self {
        let places = Places { written: text.len() as u32, origins: Vec::new() };
        Self { text: text.into(), places }
    }

    pub(crate) fn word(&self, token: Token) -> &str {
        lexer::slice(&self.text, token.span)
    }

    /// Whether a token is not in the text as written.
    pub(crate) fn is_made(&self, token: Token) -> bool {
        self.places.is_made(token.span)
    }

    /// A token that is not in the text; `None` if the word is not one token.
    pub(crate) fn token(&mut self, word: &str, origin: Span) -> Option<Token> {
        let kind = match lexer::lex(word)[..] {
            [one] if one.span.length as usize == word.len() => one.kind,
            _ => return None,
        };
        if matches!(kind, Kind::Newline | Kind::Comment) {
            return None;
        }
        // White space keeps words apart.
        self.text.push(' ');
        let start = self.text.len() as u32;
        self.text.push_str(word);
        self.places.origins.push((start, origin));
        let span = Span { start, length: word.len() as u32, ..origin };
        Some(Token { kind, span })
    }

    /// Number of words so far.
    pub(crate) const fn count(&self) -> usize {
        self.places.origins.len()
    }

    /// Extends the origins of the words after the first ones up to the end of another token.
    pub(crate) fn extend(&mut self, from: usize, last: Token) {
        for (_, origin) in self.places.origins.iter_mut().skip(from) {
            origin.length = (last.span.start + last.span.length).saturating_sub(origin.start);
        }
    }

    /// The text with its words, and their places.
    pub(crate) fn into_parts(self) -> (String, Places) {
        (self.text, self.places)
    }
}

impl Places {
    /// A span in the text as written: of a made word, the macro that makes it.
    pub(crate) fn written(&self, span: Span) -> Span {
        if span.start < self.written {
            let length = span.length.min(self.written - span.start);
            return Span { length, ..span };
        }
        let after = self.origins.partition_point(|&(start, _)| start <= span.start);
        let origin = after.checked_sub(1).and_then(|at| self.origins.get(at));
        origin.map_or(span, |&(_, origin)| origin)
    }

    /// Whether a span is after the text as written.
    pub(crate) fn is_made(&self, span: Span) -> bool {
        !self.origins.is_empty() && span.start >= self.written
    }

    /// Moves diagnostics into the text as written.
    pub(crate) fn place(&self, found: &mut [Diagnostic]) {
        if !self.origins.is_empty() {
            found.iter_mut().for_each(|one| one.span = self.written(one.span));
        }
    }
}
