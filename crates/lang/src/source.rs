//! What compiling keeps of the text beside the program.

use crate::diagnostic::Span;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::rule::RuleId;

/// The source of a node of a body.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Source {
    /// Its position in the text.
    pub span: Span,
    /// The statement as written, with white space folded (`init ready, 2`); `end` for the end of an agent.
    pub text: String,
    /// The conditions on data under which its accesses happen or touch the assumed bytes; empty if they are certain.
    pub needs: Vec<Need>,
}

/// A condition that data decide.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Need {
    /// Its position in the text.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// Whether a condition must hold; `None` for an element that data select.
    pub holds: Option<bool>,
    /// Whether it is an operation that must not order the accesses.
    pub orders: bool,
}

/// A violation of the restrictions on OpenCL's named barrier type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restricted {
    /// The rule.
    pub rule: RuleId,
    /// Its position.
    pub span: Span,
    /// A description, as a sentence.
    pub message: String,
}

/// The parts of the launch of a kernel that neither the caller nor the text gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Assumed {
    /// The assumed number of threads of a workgroup.
    pub threads: Option<u32>,
    /// Whether the number of workgroups is assumed and can decide the verdict: the kernel writes global memory.
    pub groups: bool,
    /// Words of a line `launch` with several workgroups, such as `ctas=2`, if one workgroup or one cluster is assumed.
    pub several: Option<String>,
    /// Words of a line `launch` that give the launch, of a kernel in C; otherwise empty.
    pub words: String,
}
