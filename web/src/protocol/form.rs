use serde::{Deserialize, Serialize};

/// A form that a scenario can be copied or kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// Markdown for an issue: verdict, scenario, steps, link.
    Markdown,
    /// A snippet for a page of somebody else.
    Embed,
    /// The text.
    Tide,
    /// A picture of the execution.
    Svg,
    /// The same as pixels; the engine gives the picture, the page the pixels.
    Png,
    /// The execution for Graphviz.
    Dot,
    /// The execution for Mermaid.
    Mermaid,
    /// The report as JSON.
    Report,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Markdown,
        Self::Embed,
        Self::Tide,
        Self::Svg,
        Self::Png,
        Self::Dot,
        Self::Mermaid,
        Self::Report,
    ];

    /// What a file of it ends with.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Embed => "html",
            Self::Tide => "tide",
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Dot => "dot",
            Self::Mermaid => "mmd",
            Self::Report => "json",
        }
    }

    /// The form of files with that ending.
    #[must_use]
    pub fn of(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.ending() == ending)
    }
}

/// A scenario in a form, or why it has none.
pub type Exported = Result<String, String>;
