//! The conditions of possible findings, as clauses.

use super::names::list;
use crate::cause::At;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::source::{Need, Source};

/// A condition of a possible finding.
pub(crate) enum Condition {
    /// Data make a condition of the text hold, or not, for agents.
    Need(Need, Vec<usize>),
    /// Expressions of agents name one element; the operation accesses it, if another expression does not name it.
    Same(Vec<(Need, Vec<usize>)>, Option<At>),
    /// The tile of a copy contains the bytes, or its unknown coordinates name them.
    Tile(At, bool),
    /// The other CTA exits before an operation.
    Exit(At),
    /// The launch has several work-groups.
    Groups,
    /// The host passes arguments.
    Passed(String),
}

/// The conditions of a finding.
pub(crate) fn say(scene: &Scene, conditions: &[Condition]) -> String {
    let mut said: Vec<String> = Vec::new();
    for one in conditions.iter().map(|one| clause(scene, one)) {
        if !said.contains(&one) {
            said.push(one);
        }
    }
    match said.is_empty() {
        true if has_atomics(scene) => {
            "data that the checker does not track decide so, such as the results of atomic accesses"
                .to_owned()
        }
        true => "data have values that the checker does not track".to_owned(),
        false => list(&said),
    }
}

/// Whether the program has atomic accesses.
fn has_atomics(scene: &Scene) -> bool {
    let Some(context) = scene.context() else { return false };
    context.operations().any(|(.., operation)| operation.alike.is_atomic())
}

fn clause(scene: &Scene, condition: &Condition) -> String {
    match condition {
        Condition::Need(need, agents) => {
            let says = match need.holds {
                Some(true) => "holds",
                Some(false) => "does not hold",
                None => "does not order it",
            };
            format!("{} {says} for {}", place(need), names(scene, agents))
        }
        Condition::Same(needs, other) => same(scene, needs, *other),
        Condition::Tile((agent, node), unknown) => {
            let Source { span, text, .. } = scene.source(*agent, *node);
            let (what, verb) = match unknown {
                false => ("tile", "contains"),
                true => ("coordinates", "name"),
            };
            format!("the {what} of `{text}` (line {}) {verb} those bytes", span.line)
        }
        Condition::Exit((agent, node)) => {
            let Source { span, text, .. } = scene.source(*agent, *node);
            format!("the other CTA exits before `{text}` (line {}) takes effect", span.line)
        }
        Condition::Groups => "the launch has more than one work-group".to_owned(),
        Condition::Passed(arguments) => super::common::passed(arguments),
    }
}

/// The text of a condition, and its line.
fn place(need: &Need) -> String {
    format!("`{}` (line {})", need.text, need.span.line)
}

fn names(scene: &Scene, agents: &[usize]) -> String {
    let names: Vec<String> =
        agents.iter().map(|&agent| scene.agent_name(agent).to_owned()).collect();
    list(&names)
}

/// Which expressions name one element.
fn same(scene: &Scene, needs: &[(Need, Vec<usize>)], other: Option<At>) -> String {
    let of = |(need, agents): &(Need, Vec<usize>)| {
        format!("{} for {}", place(need), names(scene, agents))
    };
    let all: Vec<String> = needs.iter().map(of).collect();
    match (needs, other) {
        ([(need, agents)], _) if agents.len() > 1 => {
            format!("{} names the same element for {}", place(need), names(scene, agents))
        }
        ([_], Some((agent, node))) => {
            let Source { span, text, .. } = scene.source(agent, node);
            let who = scene.agent_name(agent);
            format!("{} names an element of `{text}` ({who}, line {})", all[0], span.line)
        }
        ([_], None) => format!("{} names a particular element", all[0]),
        _ => format!("{} name the same element", list(&all)),
    }
}
