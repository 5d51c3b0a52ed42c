//! Places in a text, and what is wrong there.

use alloc::string::String;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Byte offset of the first byte.
    pub start: u32,
    /// Length in bytes.
    pub length: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The scenario cannot be judged.
    Error,
    /// The scenario can be judged, but something in it is probably not meant.
    Warning,
}

/// A proposed change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What to do, in a few words.
    pub message: String,
    /// The text to put in the place of the diagnostic's span, where the change is that simple.
    pub replacement: Option<String>,
}

/// Something wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code (`unknown-name`, `expected-token`, …).
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What, in one sentence.
    pub message: String,
    /// What to do about it.
    pub suggestion: Option<Suggestion>,
}

impl Diagnostic {
    /// An error without a suggestion.
    pub(crate) fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { code, severity: Severity::Error, span, message: message.into(), suggestion: None }
    }

    /// Whether the scenario cannot be judged because of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
