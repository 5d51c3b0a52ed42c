//! Other places of findings, and the steps of witnesses.

use crate::cause::At;
use crate::cause::field::Word;
use crate::cause::memory::How;
use crate::report::Related;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// The place at which a work-item returns.
pub(crate) fn returns(scene: &Scene, at: At) -> Related {
    related(scene, at, "returns here and never reaches the barrier".to_owned())
}

/// The place at which a work-item ends.
pub(crate) fn ends(scene: &Scene, at: At) -> Related {
    related(scene, at, "ends here and never reaches the barrier".to_owned())
}

/// The other access of a race.
pub(crate) fn other_access(scene: &Scene, at: At, how: How) -> Related {
    related(scene, at, format!("the other access, which {}", how.word()))
}

/// The choice of the host, as a step.
pub(crate) fn passed(arguments: &str) -> String {
    super::common::passed(arguments)
}

fn related(scene: &Scene, (agent, node): At, message: String) -> Related {
    let span = scene.source(agent, node).span;
    let agent = scene.agent_name(agent).to_owned();
    Related { agent, line: span.line, column: span.column, message }
}
