//! Help in the editor: the meaning of a word with its source, and completion candidates. Works on any text.
//!
//! Both use the tables of the vocabularies, the catalogue of rules, the readings and the targets. Only the words of the
//! language are listed here.

mod complete;
mod hover;
mod meaning;

pub use complete::{Candidate, CandidateKind, Completion, complete};
pub use hover::{Hover, hover};
pub use meaning::Meaning;
