//! Reasons of edges in sentences.

use super::{Edge, Explanation, Operation};
use crate::tell::names::placed;
use alloc::format;
use alloc::string::String;
use petgraph::graph::{DiGraph, NodeIndex};
use tidegate_model::axioms::clause::Clause;
use tidegate_model::axioms::relations::{RelationId, Relations, Step, WhyNot};
use tidegate_model::axioms::rules::ShownBy;

/// An operation in words.
pub(super) fn name(
    graph: &DiGraph<Operation, Edge>,
    agents: &[String],
    operation: NodeIndex,
) -> String {
    let operation = &graph[operation];
    let nodes = graph.raw_nodes().iter().map(|node| &node.weight);
    let alike = nodes.filter(|one| {
        (one.agent, one.line, &one.label) == (operation.agent, operation.line, &operation.label)
    });
    let (mut times, mut time) = (0, 0);
    for one in alike {
        times += 1;
        time += u32::from(one.place <= operation.place);
    }
    let placed = placed(&operation.label, &agents[operation.agent], operation.line);
    match (times, placed.strip_suffix(')')) {
        (2.., Some(open)) => format!("{open}, {time} of {times})"),
        _ => placed,
    }
}

/// Whether two operations are related and why or why not; `names` are those of all operations.
pub(super) fn explanation(
    names: &[String],
    relations: &Relations<'_>,
    relation: RelationId,
    from: usize,
    to: usize,
) -> Explanation {
    let name = |operation: usize| names.get(operation).map_or("", String::as_str);
    match relations.why(relation, from, to) {
        Ok(steps) => Explanation {
            holds: true,
            clauses: steps.iter().map(|step| step.clause.get().id).collect(),
            because: steps.iter().map(|step| sentence(relation, step, &name)).collect(),
        },
        Err(why) => Explanation {
            holds: false,
            clauses: alloc::vec![why.clause.get().id],
            because: alloc::vec![missing(relation, why, name(from), name(to), &name)],
        },
    }
}

/// One step of a reason.
fn sentence<'a>(relation: RelationId, step: &Step, name: &impl Fn(usize) -> &'a str) -> String {
    let (from, to) = (name(step.from), name(step.to));
    match step.clause {
        Clause::ParticipatesIn | Clause::ExecutesBeforeParticipates => {
            format!("{from} participates in {to}.")
        }
        Clause::ModificationOrder => format!("The object observes {from} before {to}."),
        Clause::PhaseWith => format!("One of {from} and {to} participates in the other."),
        Clause::JoinedBeforeThreadOrder => {
            format!("{from} is the last join before {to}, and no operation in between ends it.")
        }
        Clause::ThreadBarrierOrder => {
            format!("{from} is before {to} in program-order, on the same object.")
        }
        Clause::ProgramOrder | Clause::ExecutesBeforeProgramOrder => {
            format!("{from} is before {to} in program-order.")
        }
        clause => {
            format!("{from} is before {to} in {}: {}", relation.name(), clause.get().statement)
        }
    }
}

/// Why an edge is missing.
fn missing<'a>(
    relation: RelationId,
    why: WhyNot,
    from: &str,
    to: &str,
    name: &impl Fn(usize) -> &'a str,
) -> String {
    let statement = why.clause.get().statement;
    if let Some(by) = why.breaks {
        let none = format!("{from} is not before {to} in {}.", relation.name());
        return format!("{none} {}", broken("If it participated", why.clause, by, name));
    }
    let shown = match (why.clause, why.shown_by) {
        (_, None) => String::new(),
        (Clause::ParticipatesOneWait, Some(wait)) => format!(" It participates in {}.", name(wait)),
        (Clause::ParticipatesInterval, Some(other)) => {
            format!(" The wait depends on the phase of {}.", name(other))
        }
        (_, Some(other)) => format!(" {} is in between.", name(other)),
    };
    let none = match relation {
        RelationId::ExecutesBefore => {
            format!(
                "No path of program-order and barrier-participates-in leads from {from} to {to}."
            )
        }
        RelationId::PhaseWith => format!("No chain of waits links {from} and {to}."),
        _ => format!("{from} is not before {to} in {}.", relation.name()),
    };
    format!("{none} {statement}{shown}")
}

/// Why these operations cannot participate: the clause, and two operations that show it.
pub(super) fn broken<'a>(
    supposing: &str,
    clause: Clause,
    (a, b): ShownBy,
    name: &impl Fn(usize) -> &'a str,
) -> String {
    let (first, second) = (name(a), name(b));
    let shown = match clause {
        Clause::ParticipatesOneWait => {
            format!("{first} would also participate in {second}, which is of the same thread")
        }
        Clause::PhaseSeparation => {
            format!(
                "{first} would be of another phase and lie between {second} and its participants"
            )
        }
        Clause::ExecutesBeforeConsistent => {
            format!("{second} would execute before {first}, which must execute first")
        }
        _ => format!("{first} would be observed before {second}"),
    };
    format!("{supposing}, {shown}. {}", clause.get().statement)
}
