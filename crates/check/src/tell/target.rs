//! Titles of operations that a target does not support.

use super::names::operation;
use crate::cause::target::Lack;
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;

pub(super) fn say(scene: &Scene, cause: &Lack) -> String {
    let say = |at: &(usize, u32)| operation(scene, at.0, at.1);
    match cause {
        Lack::NoNamed { operation, target, .. } => {
            format!("{} requires named barriers, which {target} does not have", say(operation))
        }
        Lack::TooManyNamed { operation, target, most, .. } => {
            format!(
                "{} exceeds the {most} named barriers of a work-group on {target}",
                say(operation)
            )
        }
        Lack::BadId { operation, id } => format!(
            "{} names barrier ID {id}; valid IDs of named barriers are 1 to 16",
            say(operation)
        ),
        Lack::NoBarrier { operation, target, barrier, .. } => {
            format!("{} requires {}, which {target} does not have", say(operation), kind(barrier))
        }
        Lack::Trap { operation } => {
            format!(
                "{} uses a trap barrier, which is reserved for the trap handler",
                say(operation)
            )
        }
        Lack::NoSplit { operation, target, .. } => format!(
            "{} requires split barriers; {target} has only `s_barrier`, an arrive directly followed by its wait",
            say(operation)
        ),
        Lack::NoOperation { operation, target, .. } => {
            format!("{target} does not support {}", say(operation))
        }
    }
}

fn kind(barrier: &str) -> &'static str {
    match barrier {
        "cluster" => "cluster barriers",
        "named" => "named barriers",
        "free" => "free barrier objects (GFX12 and later, and `model`)",
        _ => "this kind of barrier",
    }
}
