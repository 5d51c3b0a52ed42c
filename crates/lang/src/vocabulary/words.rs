//! Model words: the operations of the execution model under their own names, and the words for memory.
//!
//! To add a word: 1. add a row to [`ROWS`] (or to [`MEMORY`] if it concerns memory): its spelling, its operands in
//! order, its effect; 2. if no [`Effect`] describes it, add one and its meaning in `effect.rs`; 3. add a scenario that
//! uses it, and an invalid one with its diagnostic, to `tests/diagnostics.txt`.

use super::effect::Effect;
use super::row::{Place, Row};
use tidegate_model::mem::operation::Scope;
use tidegate_model::operation::Form;

const fn word(name: &'static str, operands: &'static [Place], effect: Effect) -> Row {
    Row { name, operands, effect, form: Form::Word }
}

/// Operations on barrier objects, and fences.
pub(crate) static ROWS: &[Row] = &[
    word("init", &[Place::Object, Place::Number], Effect::Init),
    word("arrive", &[Place::Object, Place::Expected], Effect::Arrive),
    word("arrive.isfirst", &[Place::Object], Effect::ArriveIsFirst),
    word("wait", &[Place::Object], Effect::Wait),
    word("drop", &[Place::Object], Effect::Drop),
    word("join", &[Place::Object], Effect::Join),
    word("fence", &[Place::Fence], Effect::Fence),
];

/// A fence of OpenCL C.
pub(crate) static FENCE: Row = word("fence", &[Place::Fence], Effect::Fence);

/// Memory accesses and asynchronous copies.
pub(crate) static MEMORY: &[Row] = &[
    word("load", &[Place::Bytes], Effect::Load),
    word("store", &[Place::Bytes], Effect::Store),
    word("async_load", &[Place::Copy], Effect::CopyTo),
    word("async_load_to_lds", &[Place::Copies], Effect::CopyTo),
    word("asyncmark", &[Place::Nothing], Effect::Mark),
    word("wait_asyncmark", &[Place::Marks], Effect::WaitMarks),
    word("wait.asyncmark", &[Place::Marks], Effect::WaitMarks),
];

/// Scopes of a `fence`.
pub(crate) const SCOPES: [&str; 5] = ["wavefront", "workgroup", "cluster", "agent", "system"];

/// The same scopes in the same order.
pub(crate) const SCOPE: [Scope; 5] =
    [Scope::Wavefront, Scope::Workgroup, Scope::Cluster, Scope::Agent, Scope::System];

/// Orders of a `fence`.
pub(crate) const ORDERS: [&str; 3] = ["release", "acquire", "acq_rel"];

/// Words that can follow the scope of a `fence`.
pub(crate) const QUALIFIERS: [&str; 3] = ["one-as", "local", "global"];
