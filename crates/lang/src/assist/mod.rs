//! Help while writing: what a word means and where that is said, and what could stand at a place. Works on any text.
//!
//! Both follow the tables of the vocabularies, the catalogue of rules, the readings and the targets; nothing is listed a
//! second time here but the words of the language itself.

mod complete;
mod hover;
mod meaning;

pub use complete::{Candidate, CandidateKind, Completion, complete};
pub use hover::{Hover, hover};

use alloc::borrow::Cow;

/// What a word means, and where that is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// What it means, in a sentence or two.
    pub sentence: Cow<'static, str>,
    /// The document that says so, and its section; empty for words of the language itself.
    pub source: Cow<'static, str>,
}

impl Meaning {
    const fn new(sentence: &'static str, source: &'static str) -> Self {
        Self { sentence: Cow::Borrowed(sentence), source: Cow::Borrowed(source) }
    }
}
