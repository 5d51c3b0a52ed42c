//! The text of a scenario, as it is read.

use tidegate_check::model::target::TargetId;
use tidegate_check::report::ReportDiagnostic;

/// Code that clang made from a source.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// LLVM IR with debug information.
    pub(crate) text: String,
    /// The command line, for people.
    pub(crate) command: String,
}

/// The text of a scenario and the name of its source.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Code that clang made of the text.
    pub(crate) code: Option<Code>,
    /// Why clang made none, if that is worth a warning.
    pub(crate) refused: Option<Box<ReportDiagnostic>>,
    /// The processor for which the text is compiled, if it is a source of one.
    pub(crate) processor: Option<TargetId>,
}

impl Source {
    pub(crate) const fn new(name: String, text: String) -> Self {
        Self { name, text, code: None, refused: None, processor: None }
    }
}
