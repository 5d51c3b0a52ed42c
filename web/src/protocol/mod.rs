//! What the page and the engine say to each other. They are two modules of wasm, built from one source: the page is
//! small and comes first, the engine follows. Messages are bytes. What is computed here is what both ends must agree on:
//! which part of an execution was told.

mod course;
mod desk;
mod form;
mod recorded;
mod relations;
pub mod sheet;
mod terms;
mod tints;
mod told;
pub mod verdict;
mod worker;

pub use course::{Band, Bar, Course, Shown};
pub use desk::{Ask, Doubts, Opened, Panel, Reply, Session};
pub use form::{Exported, Form};
pub use recorded::{About, Recorded, Statement, statements};
pub use relations::{Line, Look, Related, Why, Woven};
pub use sheet::Sheet;
pub use terms::{Terms, choice};
pub use tints::tints;
pub use told::Told;
pub use worker::{Answer, Found, Held, Job, Question, Request, Survey};

use serde::{Serialize, de::DeserializeOwned};

/// Tells builds apart: page and engine of different ones must not talk to each other.
pub const BUILD: &str = env!("TIDEGATE_BUILD");

/// A value as bytes, which are smaller and faster than objects; none at all where it cannot be written.
#[must_use]
pub fn pack<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Bytes as a value; none where they are something else.
#[must_use]
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// What was recorded when the page was built: the answers of the engine to the scenario that a new reader meets.
#[must_use]
pub fn recorded() -> Option<Recorded> {
    unpack(include_bytes!(concat!(env!("OUT_DIR"), "/recorded.bin")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_can_be_read() {
        let recorded = recorded().expect("what the build wrote");
        let last = recorded.shown.last().expect("an execution");
        assert!(!recorded.report.findings.is_empty() && !recorded.about.title.is_empty());
        assert_eq!(last.view.performed.len() + 1, recorded.shown.len());
        assert_eq!(last.view.performed.len(), recorded.report.findings[0].witness.len());
    }

    #[test]
    fn bytes_of_something_else_are_no_value() {
        assert_eq!(unpack::<Reply>(&[0xff; 4]), None);
        let ask = Ask::Load(vec!["a".into()]);
        assert_eq!(unpack(&pack(&ask)), Some(ask));
    }
}
