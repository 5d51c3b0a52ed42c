//! What the names of a module stand for, and places in the text.

use super::parameters::Cells;
use tidegate_kernel::ir::{FunctionId, ObjectId, Place};
use tidegate_lang::diagnostic::Span;
use tidegate_model::ordered::OrderedMap;

/// What the names of a module stand for.
pub(super) struct Names<'t> {
    /// Variables of the module.
    pub(super) objects: OrderedMap<&'t str, ObjectId>,
    /// Functions, prototypes included, by their place in the module, and the IR's number of those with a body.
    pub(super) functions: OrderedMap<&'t str, (usize, Option<FunctionId>)>,
    /// The shared memory whose size the launch says, if a variable lies there.
    pub(super) dynamic: Option<ObjectId>,
}

/// The place of a span.
pub(super) const fn place(span: Span) -> Place {
    Place { start: span.start, end: span.start + span.length }
}

/// The meaning of each variable of a body.
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// A variable in memory.
    Object(ObjectId),
    /// A parameter of a call, whose registers the function makes.
    Cells(Cells),
}
