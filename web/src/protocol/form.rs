use serde::{Deserialize, Serialize};

/// A form in which a scenario can be copied or saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// Markdown for an issue: verdict, scenario, steps, link.
    Markdown,
    /// An embed snippet.
    Embed,
    /// The text.
    Tide,
    /// A drawing of the execution.
    Svg,
    /// The drawing as pixels; the engine makes the drawing and the page the pixels.
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

    /// Returns the extension of its files.
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

    /// Returns the form of files with an extension.
    #[must_use]
    pub fn of(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.ending() == ending)
    }
}

/// A scenario in a form, or why it has none.
pub type Exported = Result<String, String>;
