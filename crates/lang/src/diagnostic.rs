//! Positions in a text, and diagnostics.

use alloc::string::String;
use alloc::vec::Vec;

/// A range of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Severity {
    /// The scenario cannot be checked.
    Error,
    /// The scenario can be checked, but probably contains a mistake.
    Warning,
}

/// A suggested change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Suggestion {
    /// A short instruction.
    pub message: String,
    /// The text that replaces the span of the diagnostic, if a single replacement suffices.
    pub replacement: Option<String>,
}

/// A stable code (`unknown-name`, `expected-token`, …).
pub type Code = &'static str;

/// The codes of diagnostics of compiled code, as numbers.
#[cfg(feature = "serde")]
mod code {
    use serde::{Deserialize, Deserializer, Serializer, de, ser};

    /// Every code that a front end or the evaluation of a kernel gives.
    const CODES: [&str; 15] = [
        "bound-depth",
        "cuda",
        "duplicate-name",
        "expected-token",
        "invalid-value",
        "launch-size",
        "llvm",
        "not-followed",
        "not-loaded",
        "python",
        "rows-overlap",
        "unknown-argument",
        "unknown-entry",
        "unknown-name",
        "unknown-statement",
    ];

    #[allow(clippy::trivially_copy_pass_by_ref)] // serde gives a reference
    pub(super) fn serialize<S: Serializer>(code: &&str, to: S) -> Result<S::Ok, S::Error> {
        let at = CODES.iter().position(|known| known == code);
        let at = at.ok_or_else(|| ser::Error::custom("a code that compiled code does not have"))?;
        to.serialize_u8(at as u8)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<&'static str, D::Error> {
        let at = u8::deserialize(from)?;
        let code = CODES.get(usize::from(at)).copied();
        code.ok_or_else(|| de::Error::custom("no code has this number"))
    }
}

/// A problem at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Diagnostic {
    /// What kind of problem it is.
    #[cfg_attr(feature = "serde", serde(with = "code"))]
    pub code: Code,
    /// Its severity.
    pub severity: Severity,
    /// Its position.
    pub span: Span,
    /// The problem, in one line.
    pub message: String,
    /// A suggested fix.
    pub suggestion: Option<Suggestion>,
}

impl Diagnostic {
    /// An error without a suggestion.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { code, severity: Severity::Error, span, message: message.into(), suggestion: None }
    }

    /// Whether it prevents the scenario from being checked.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Largest number of diagnostics for one text.
pub(crate) const MOST_DIAGNOSTICS: usize = 100;

/// Adds a diagnostic, but never two with one code at one position and never more than [`MOST_DIAGNOSTICS`]. If the list is
/// full, an error replaces a warning.
pub(crate) fn report(list: &mut Vec<Diagnostic>, diagnostic: Diagnostic) {
    let alike =
        |old: &Diagnostic| old.span == diagnostic.span && old.severity == diagnostic.severity;
    if list.iter().any(alike) {
        return;
    }
    if list.len() >= MOST_DIAGNOSTICS {
        let warning = list.iter().rposition(|old| !old.is_error());
        let Some(warning) = warning.filter(|_| diagnostic.is_error()) else { return };
        list.remove(warning);
    }
    list.push(diagnostic);
}

/// Whether no further error can be added, so that none need be computed.
pub(crate) fn is_full(list: &[Diagnostic]) -> bool {
    list.len() >= MOST_DIAGNOSTICS && list.iter().all(Diagnostic::is_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_replace_warnings_in_a_full_list() {
        let at = |line| Span { line, ..Span::default() };
        let mut list = Vec::new();
        for line in 1..=150 {
            let warning =
                Diagnostic { severity: Severity::Warning, ..Diagnostic::error("w", at(line), "w") };
            report(&mut list, warning.clone());
            report(&mut list, warning);
        }
        assert!(list.len() == MOST_DIAGNOSTICS && !is_full(&list));
        for line in 1..=150 {
            report(&mut list, Diagnostic::error("e", at(line), "e"));
        }
        assert!(list.len() == MOST_DIAGNOSTICS && is_full(&list));
    }
}
