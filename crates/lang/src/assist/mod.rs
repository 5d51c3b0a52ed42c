//! Help in the editor: the meaning of a word with its source, and completion candidates. Works on any text.
//!
//! Both use the tables of the vocabularies, the catalogue of rules, the readings and the targets. Only the words of the
//! language are listed here.

mod complete;
mod hover;
mod meaning;
mod usage;
mod vendor;

pub use complete::{Candidate, CandidateKind, Completion, complete, operations};
pub use hover::{Hover, hover};
pub use meaning::Meaning;
pub use usage::described;
pub(crate) use usage::signature;
pub(crate) use vendor::target;
