//! Alias aliases, and named barriers outside declarations.

use super::c;
use super::ctypes::{Alias, is_number_type};
use super::cursor::{Parsed, Parser};
use crate::diagnostic::Span;
use crate::tree::{Name, Restriction, StatementKind};
use crate::vocabulary::opencl::{POINTERS, STORAGE, TYPE};
use alloc::string::String;
use alloc::vec::Vec;

type Faults = Vec<(Restriction, Span)>;

impl Parser<'_> {
    /// Whether a type alias is declared here.
    pub(super) fn begins_alias(&self) -> bool {
        self.is("typedef") || self.is("using") && self.word_ahead(2) == "="
    }

    /// The meaning of a word, if it is a type alias.
    pub(super) fn alias(&self, word: &str) -> Option<Alias> {
        self.aliases.get(word).copied()
    }

    /// `using NAME = TYPE` or `typedef TYPE NAME`: returns the violations of the type's restrictions.
    pub(super) fn declare_alias(&mut self) -> Parsed<Faults> {
        let is_typedef = self.eat("typedef");
        let named = if is_typedef { None } else { Some(self.name_of_using()?) };
        let (start, mut words) = (self.here(), Vec::new());
        while !self.at_end() {
            words.push((self.word(), self.here()));
            self.advance();
        }
        let of_name = |&(word, _): &(&str, Span)| c::is_name(word) && word != TYPE;
        let name = match named {
            Some(name) => name,
            None => {
                let Some(at) = words.iter().rposition(of_name) else {
                    return self.error("expected-token", start, "expected a type and its name");
                };
                let (text, span) = words.remove(at);
                Name { text: String::from(text), span }
            }
        };
        let (stands_for, faults) = self.meant(&words);
        self.aliases.insert(name.text, stands_for);
        Ok(faults)
    }

    /// `using NAME =`
    fn name_of_using(&mut self) -> Parsed<Name> {
        self.advance();
        let name = self.name("the name of a type")?;
        self.expect("=")?;
        Ok(name)
    }

    /// The meaning of the words of a type.
    fn meant(&self, words: &[(&str, Span)]) -> (Alias, Faults) {
        let known =
            |word: &str| word == TYPE || matches!(self.alias(word), Some(Alias::Barrier { .. }));
        let has = |wanted: fn(&str) -> bool| words.iter().find(|(word, _)| wanted(word)).copied();
        if !words.iter().any(|(word, _)| known(word)) {
            let number = words.iter().all(|(word, _)| is_number_type(word) || *word == "signed");
            return (if number { Alias::Number } else { Alias::Other }, Vec::new());
        }
        let pointer = has(|word| word == "*" || POINTERS.contains(&word));
        let array = has(|word| matches!(word, "[" | "array" | "vector"));
        let other = has(|word| STORAGE.contains(&word) && word != "local");
        let forbidden = pointer.map(|(_, at)| (Restriction::Pointer, at));
        let forbidden = forbidden.or(array.map(|(_, at)| (Restriction::Array, at)));
        let forbidden = forbidden.or(other.map(|(_, at)| (Restriction::Storage, at)));
        if let Some((restriction, at)) = forbidden {
            return (Alias::Forbidden(restriction), alloc::vec![(restriction, at)]);
        }
        let own = words.iter().any(|(word, _)| *word == "local");
        let inner = |which: fn(Alias) -> bool| {
            words.iter().any(|(word, _)| self.alias(word).is_some_and(which))
        };
        let storage = own || inner(|of| matches!(of, Alias::Barrier { storage: true, .. }));
        let reference =
            words.iter().any(|(word, _)| matches!(*word, "&" | "&&")) || inner(Alias::is_reference);
        (Alias::Barrier { storage, reference }, Vec::new())
    }

    /// `NAME->wait(…)` and `(*NAME).wait(…)`: a pointer to a named barrier.
    pub(super) fn through_pointer(&mut self) -> Option<StatementKind> {
        let words = |words: &[&str]| {
            words
                .iter()
                .enumerate()
                .all(|(ahead, word)| word.is_empty() || self.word_ahead(ahead) == *word)
        };
        let arrow = self.is_word() && words(&["", "-", ">", "wait", "("]);
        let star = words(&["(", "*", "", ")", ".", "wait", "("]);
        let address = words(&["(", "&", "", ")", "-", ">", "wait", "("]);
        (arrow || star || address).then(|| {
            let start = self.here();
            self.skip_operands();
            StatementKind::Restricted(alloc::vec![(Restriction::Pointer, self.since(start))])
        })
    }

    /// `work_group_named_barrier(N).wait(…)`: an unnamed barrier is a private variable of the work-item.
    pub(super) fn nameless(&mut self) -> Option<StatementKind> {
        let at = if self.is("cl") && self.word_ahead(1) == "::" { 2 } else { 0 };
        let begins = self.word_ahead(at) == TYPE && matches!(self.word_ahead(at + 1), "(" | "{");
        begins.then(|| {
            let start = self.here();
            self.skip_operands();
            StatementKind::Restricted(alloc::vec![(Restriction::Storage, self.since(start))])
        })
    }
}
