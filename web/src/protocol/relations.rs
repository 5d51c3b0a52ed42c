use super::DocumentPage;
use serde::{Deserialize, Serialize};

/// A request for relations of the performed steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Short names of the drawn relations.
    pub chosen: Vec<String>,
    /// The name of the selected line.
    pub asked: String,
    /// Keys of the two selected operations.
    pub pair: [Option<String>; 2],
    /// Whether to list every edge.
    pub table: bool,
    /// The middle of each agent's lane, in tenths of a pixel; later agents have no lane.
    pub lanes: Vec<u32>,
}

impl Look {
    /// Whether an operation is selected.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.pair.iter().any(Option::is_some)
    }
}

/// The relations of the performed steps, drawn and in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelationView {
    /// The lines of the chosen relations.
    pub lines: Vec<Line>,
    /// The panel in words.
    pub page: DocumentPage,
}

/// A line to draw.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Line {
    /// The name by which it is selected.
    pub name: String,
    /// Short name of its relation.
    pub relation: String,
    /// The path, in pixels from the top of the lanes.
    pub path: String,
    /// The path of its arrowhead; empty if it has none.
    pub head: String,
    /// Its description for screen readers.
    pub says: String,
}
