//! `typedef` of numbers and vectors in C: the name is replaced by the words of the type.

use super::ctypes::bytes_of;
use super::ctypes::is_number_type;
use super::macros::{Macro, Reader};
use crate::lexer::{self, Kind, Token};

/// Largest number of tokens of the type.
const LOOK_AHEAD: usize = 8;

impl Reader<'_> {
    /// Whether a token begins a `typedef` of a number or a vector in C.
    pub(super) fn is_alias(&self, token: Token, after: &[Token]) -> bool {
        self.of_c
            && lexer::slice(self.text, token.span) == "typedef"
            && self.type_and_name(after).is_some()
    }

    /// The number of tokens before the end of the `typedef`, if they are the words of a type and a name.
    fn type_and_name(&self, after: &[Token]) -> Option<usize> {
        let word = |at: usize| lexer::word(self.text, after, at);
        let ends = |at: &usize| {
            after.get(*at).is_none_or(|token| token.kind == Kind::Newline) || word(*at) == ";"
        };
        let end = (0..LOOK_AHEAD).find(ends).filter(|&end| end > 1)?;
        let known = |at: usize| {
            let word = word(at);
            let alias = self.defined.get(word).is_some_and(|known| known.parameters.is_none());
            let type_word = bytes_of(word).is_some() || is_number_type(word);
            type_word || alias || matches!(word, "signed" | "const")
        };
        let name = after.get(end - 1).is_some_and(|token| token.kind == Kind::Word);
        (name && (0..end - 1).all(known)).then_some(end)
    }

    /// Defines the name of a `typedef`; returns its number of tokens.
    pub(super) fn alias(&mut self, after: &[Token]) -> usize {
        let Some(end) = self.type_and_name(after) else { return 0 };
        let name = lexer::slice(self.text, after[end - 1].span);
        let tokens = after[..end - 1].to_vec();
        self.defined.insert(name, Macro::plain(tokens));
        end
    }

    /// Whether a token begins the type of an enumeration in C.
    pub(super) fn is_enumeration(&self, token: Token) -> bool {
        self.of_c && lexer::slice(self.text, token.span) == "enum"
    }

    /// `enum NAME` as `enum`, which is a type of integers; returns the number of tokens of the name and of the lines before
    /// the constants.
    pub(super) fn enumeration(&mut self, token: Token, after: &[Token]) -> usize {
        self.all.push(token);
        let name = usize::from(after.first().is_some_and(|token| token.kind == Kind::Word));
        let blank = |token: &&Token| matches!(token.kind, Kind::Newline | Kind::Comment);
        let blanks = after[name..].iter().take_while(blank).count();
        let opens = |token: &Token| lexer::slice(self.text, token.span) == "{";
        name + if after.get(name + blanks).is_some_and(opens) { blanks } else { 0 }
    }

    /// Whether a token begins a `typedef` of an enumeration.
    pub(super) fn names_enumeration(&self, token: Token, after: &[Token]) -> bool {
        self.of_c
            && lexer::slice(self.text, token.span) == "typedef"
            && after.first().is_some_and(|&token| self.is_enumeration(token))
    }

    /// Defines the name of such a `typedef`; returns its number of tokens, without those of the constants.
    pub(super) fn name_enumeration(&mut self, after: &[Token]) -> usize {
        let word = |at: usize| after.get(at).map(|token| lexer::slice(self.text, token.span));
        let end = (0..after.len()).find(|&at| matches!(word(at), Some("{" | ";")));
        let close = (0..after.len()).find(|&at| word(at) == Some("}"));
        let (name, taken) = match (end, close) {
            (Some(end), Some(close)) if word(end) == Some("{") => (close + 1, 0),
            (Some(end), _) => (end.saturating_sub(1), end),
            _ => return 0,
        };
        if let Some(token) = after.get(name).filter(|token| token.kind == Kind::Word) {
            let tokens = alloc::vec![after[0]];
            let name = lexer::slice(self.text, token.span);
            self.defined.insert(name, Macro::plain(tokens));
        }
        taken
    }
}
