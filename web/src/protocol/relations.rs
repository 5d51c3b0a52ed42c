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

/// The relations of the performed steps, drawn and in words. Sentences contain code between backticks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelationView {
    /// A description, or why there are no relations.
    pub about: String,
    /// The relations.
    pub relations: Vec<Related>,
    /// The lines of the chosen relations.
    pub lines: Vec<Line>,
    /// Keys and names of the selectable operations.
    pub operations: Vec<(String, String)>,
    /// The selected line, and why it holds.
    pub description: Vec<String>,
    /// How the two selected operations are related.
    pub answers: Vec<Why>,
    /// Every edge: from, relation, to, reason.
    pub table: Vec<[String; 4]>,
}

/// One relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// Its short name.
    pub id: String,
    /// The specification's name for it.
    pub name: String,
    /// Number of drawn edges; implied ones are not drawn.
    pub count: u32,
    /// Why a chosen relation has no edges.
    pub absent: Vec<String>,
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

/// Whether one relation holds between two operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// The specification's name for the relation.
    pub relation: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why it holds or not.
    pub because: Vec<String>,
}
