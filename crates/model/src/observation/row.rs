//! A row of the observations.

/// An observation on a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Its permanent identifier (`amd.O3`).
    pub id: &'static str,
    /// Its title: a few words.
    pub title: &'static str,
    /// The observation, in our own words.
    pub statement: &'static str,
    /// The document.
    pub document: &'static str,
    /// The section or heading of the document.
    pub section: &'static str,
    /// The identifiers of the rules and readings that it concerns.
    pub concerns: &'static [&'static str],
    /// The path of the smallest scenario that shows it, from the root of the repository.
    pub scenario: &'static str,
    /// The expectations of the scenario that show it.
    pub shows: &'static [&'static str],
}
