//! The messages between page and engine, two wasm modules from one source: the small page loads first, then the engine.
//! Messages are bytes. This module also computes what both ends must agree on: the part of an execution that was sent.

mod ask;
pub mod document_page;
mod form;
mod received_trace;
mod recorded;
mod relations;
mod sent_report;
mod terms;
mod tints;
mod trace_update;
pub mod verdict;
mod worker;

pub use ask::{Ask, Doubts, Execution, Launch, Opened, Panel, Reply};
pub use document_page::DocumentPage;
pub use form::{Exported, Form};
pub use received_trace::ReceivedTrace;
pub use recorded::{About, Recorded, Statement, statements};
pub use relations::{Line, Look, RelationView};
pub use sent_report::SentReport;
pub use terms::{Terms, choice};
pub use tints::tints;
pub use trace_update::{Band, Bar, SentTrace, Shown};
pub use worker::{Answer, Found, Held, Job, Question, Request, Survey};

use serde::{Serialize, de::DeserializeOwned};

/// The build identifier: page and engine of different builds must not communicate.
pub const BUILD: &str = env!("TIDEGATE_BUILD");

/// Serialises a value as bytes, which are smaller and faster than objects; empty on failure.
#[must_use]
pub fn pack<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Deserialises a value; `None` on failure.
#[must_use]
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Returns the recording of the build: the engine's answers for the first scenario.
#[must_use]
pub fn recorded() -> Option<Recorded> {
    unpack(include_bytes!(concat!(env!("OUT_DIR"), "/recorded.bin")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recording_can_be_read() {
        let recorded = recorded().expect("what the build wrote");
        let last = recorded.shown.last().expect("an execution");
        let report = tidegate_check::report::Report::from(recorded.report);
        assert!(!report.findings.is_empty() && !recorded.about.title.is_empty());
        assert_eq!(last.view.performed.len() + 1, recorded.shown.len());
        assert_eq!(last.view.performed.len(), report.findings[0].witness.len());
    }

    #[test]
    fn unrelated_bytes_are_not_a_value() {
        assert_eq!(unpack::<Reply>(&[0xff; 4]), None);
        let ask = Ask::Load(vec!["a".into()]);
        assert_eq!(unpack(&pack(&ask)), Some(ask));
    }
}
