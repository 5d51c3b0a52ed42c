//! Help for findings about AMDGPU barriers.

use crate::cause::At;
use crate::scene::Scene;
use crate::tell::help::skipped::skipped;
use crate::tell::names::{list, names, object, operation};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// For a wait whose wave has not joined its object.
pub(crate) fn join(join: &str, line: u32, name: &str) -> String {
    format!(
        "add `{join}` before the wait (line {line}), ordered before an arrive of the phase of {}",
        object(name)
    )
}

/// For a wait that names another object than its wave joined last.
pub(crate) fn join_again(named: &str, line: u32) -> String {
    format!(
        "join {} again before the wait (line {line}), ordered before an arrive of its phase: a wave is joined to one named barrier at a time",
        object(named)
    )
}

/// For two agents that wait for each other: an arrive at an object before the wait of the agent that arrives there later.
pub(crate) fn break_circle(scene: &Scene, objects: &[String; 2], waits: [At; 2]) -> String {
    let [first, second] = waits.map(|(agent, node)| operation(scene, agent, node));
    let [one, other] = [&objects[0], &objects[1]].map(|name| object(name));
    format!("arrive at {one} once before {first}, or at {other} once before {second}")
}

/// For an init that resets arrivals.
pub(crate) fn initialise_once(scene: &Scene, name: &str, agents: &[usize]) -> String {
    format!(
        "initialise {} once, and order the init before the arrives of {} with the workgroup barrier",
        object(name),
        names(scene, agents)
    )
}

/// For an expected count that is larger than the arrivals; `never` are agents that never arrive.
pub(crate) fn initialise_with(
    scene: &Scene,
    name: &str,
    (count, instead, lines): (i32, i64, &[u32]),
    (never, missing): (&[usize], i32),
) -> String {
    let or = match (never, missing) {
        ([], _) => String::new(),
        (some, lacks) if some.len() as i64 == i64::from(lacks) => {
            format!(", or make {} arrive", names(scene, some))
        }
        (some, 1) => format!(", or make one of {} arrive", names(scene, some)),
        (some, lacks) => format!(", or make {lacks} of {} arrive", names(scene, some)),
    };
    let object = object(name);
    match lines {
        [line] => {
            format!("initialise {object} with {count} instead of {instead} (line {line}){or}")
        }
        lines => {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let lines = list(&lines);
            format!(
                "give {object} the expected count {count} instead of {instead} at each operation that sets it (lines {lines}){or}"
            )
        }
    }
}

/// For agents that wait without the arrive that another agent performs in the same code.
pub(crate) fn execute(scene: &Scene, agents: &[usize], (agent, node): At) -> String {
    let skipped = skipped(scene, scene.source(agent, node).span.line);
    format!("make {} execute {}{skipped}", names(scene, agents), operation(scene, agent, node))
}

/// For a join of a barrier of the launch.
pub(crate) fn remove_join() -> String {
    "remove the join: waves participate in this barrier without one".to_owned()
}

/// For an operation that other targets support.
pub(crate) fn other_target(those: &str) -> String {
    format!("choose a target that supports it: {those}")
}
