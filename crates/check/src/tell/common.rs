//! Titles and notes that several families share.

use super::names::{either, line, list, names, object, operation, operations, places};
use crate::cause::Common;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

pub(super) fn say(scene: &Scene, cause: &Common) -> String {
    match cause {
        Common::Rule { operation: at, rule } => {
            let statement = line(rule.get().statement);
            match at {
                Some((agent, node)) => format!("{}: {statement}", operation(scene, *agent, *node)),
                None => statement,
            }
        }
        Common::NeverReturn { waits } => never_return(scene, waits),
        Common::WithoutArriving { agents, object: name } => {
            let verb = either(agents.len(), "waits", "wait");
            format!("{} {verb} on {} without having arrived", names(scene, agents), object(name))
        }
        Common::NoAgent => "no agent can continue".to_owned(),
        Common::Forever => "the other agents loop forever".to_owned(),
        Common::Nobody => "no remaining operation arrives at it".to_owned(),
        Common::CanArrive { agents } => format!("{} can still arrive", names(scene, agents)),
        Common::HeldBack { agents, at } => {
            let verb = either(agents.len(), "is", "are");
            let at = match at.is_empty() {
                true => String::new(),
                false => format!(", at {}", list(&places(scene, at))),
            };
            format!("{} would arrive later, but {verb} also blocked{at}", names(scene, agents))
        }
        Common::OwnLater { agents, waiting } => {
            let own = names(scene, agents);
            match (agents.len(), waiting) {
                (1, 1) => format!("the next arrive of {own} comes after this wait"),
                (1, _) => format!("the next arrive of {own} comes after its wait"),
                _ => format!("the next arrives of {own} come after these waits"),
            }
        }
        Common::Arrived { object: name, phase, arrived, missing } => format!(
            "phase {phase} of {}: {} {} arrived, {} {} not",
            object(name),
            names(scene, arrived),
            either(arrived.len(), "has", "have"),
            names(scene, missing),
            either(missing.len(), "has", "have")
        ),
        Common::Unordered { earlier, later } => format!(
            "{} is not ordered before {}",
            operation(scene, earlier.0, earlier.1),
            later.map_or_else(
                || "the start of the copy".to_owned(),
                |at| operation(scene, at.0, at.1)
            )
        ),
        Common::Passed { arguments, decisive: true, always } => {
            let when = if *always { " in every schedule" } else { "" };
            format!("this occurs{when} if {}", passed(arguments))
        }
        Common::Passed { arguments, decisive: false, .. } => {
            format!("the witness has {}; the finding does not depend on it", passed(arguments))
        }
    }
}

/// Waits that never return.
pub(super) fn never_return(scene: &Scene, waits: &[(usize, u32)]) -> String {
    let verb = either(waits.len(), "never returns", "never return");
    format!("{} {verb}", list(&operations(scene, waits)))
}

/// The choice of the host.
pub(super) fn passed(arguments: &str) -> String {
    format!("the host passes {arguments}")
}
