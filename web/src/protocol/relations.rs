use serde::{Deserialize, Serialize};

/// What is looked at among the relations of the steps performed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Short names of the relations that are drawn.
    pub chosen: Vec<String>,
    /// What was asked about: the name of a line.
    pub asked: String,
    /// Keys of the two operations that were asked about.
    pub pair: [Option<String>; 2],
    /// Whether every edge is told.
    pub table: bool,
    /// For each agent the middle of its lane, in tenths of a pixel; agents behind the last have no lane.
    pub lanes: Vec<u32>,
}

impl Look {
    /// Whether an operation is asked about.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.pair.iter().any(Option::is_some)
    }
}

/// The relations of the steps performed, drawn and in words. Sentences have code between backticks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Woven {
    /// What is shown, or why nothing is.
    pub about: String,
    /// The relations.
    pub relations: Vec<Related>,
    /// The lines of those that are chosen.
    pub lines: Vec<Line>,
    /// Keys and names of the operations that can be asked about.
    pub operations: Vec<(String, String)>,
    /// What was asked about, and why it holds.
    pub told: Vec<String>,
    /// How the two operations are related.
    pub answers: Vec<Why>,
    /// Every edge: from, relation, to, reason.
    pub table: Vec<[String; 4]>,
}

/// One relation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// Its short name.
    pub id: String,
    /// The text's name for it.
    pub name: String,
    /// How many edges are drawn of it: those that follow from others are not.
    pub count: u32,
    /// Where it is chosen and has none: why.
    pub absent: Vec<String>,
}

/// A line to draw.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Line {
    /// What it stands for: a name to ask by.
    pub name: String,
    /// Short name of its relation.
    pub relation: String,
    /// The path, in pixels from the head of the lanes.
    pub path: String,
    /// The path of its arrowhead; empty without one.
    pub head: String,
    /// What it says, for whoever cannot see it.
    pub says: String,
}

/// Whether one relation holds between two operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// The text's name for the relation.
    pub relation: String,
    /// Whether it does.
    pub holds: bool,
    /// Why, or why not.
    pub because: Vec<String>,
}
