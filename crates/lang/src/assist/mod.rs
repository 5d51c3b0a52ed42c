//! Help in the editor: the meaning of a word with its source, and completion candidates. Works on any text.
//!
//! Both use the tables of the vocabularies, the catalogue of rules, the readings and the targets. Only the words of the
//! language are listed here.

mod complete;
mod hover;
mod meaning;

pub use complete::{Candidate, CandidateKind, Completion, complete};
pub use hover::{Hover, hover};

use alloc::borrow::Cow;

/// The meaning of a word, and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Its meaning, in one or two sentences.
    pub sentence: Cow<'static, str>,
    /// The document and section of the meaning; empty for words of the language.
    pub source: Cow<'static, str>,
}

impl Meaning {
    const fn new(sentence: &'static str, source: &'static str) -> Self {
        Self { sentence: Cow::Borrowed(sentence), source: Cow::Borrowed(source) }
    }
}
