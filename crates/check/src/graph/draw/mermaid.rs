//! Mermaid, for pages that draw it from text.

use super::{
    ExecutionGraph, Mark, RelationId, as_edges, lanes, marks, operation, phase_name, phases,
};
use alloc::format;
use alloc::string::String;

/// The graph as a Mermaid flowchart: a subgraph for each agent, a bar for each phase.
#[must_use]
pub fn mermaid(graph: &ExecutionGraph, title: &str, of: &[RelationId]) -> String {
    let mut out = format!("---\ntitle: {}\n---\nflowchart TB\n", quoted(title));
    let marks = marks(graph);
    for (agent, lane) in lanes(graph) {
        out.push_str(&format!("  subgraph a{agent}[{}]\n", quoted(&graph.agents[agent])));
        for index in lane {
            out.push_str(&format!("    o{index}({})\n", quoted(&said(graph, index, marks[index]))));
        }
        out.push_str("  end\n");
    }
    if of.contains(&RelationId::ParticipatesIn) {
        for bar in phases(graph) {
            let name = format!("p{}_{}", bar.object, bar.phase);
            let label = quoted(&phase_name(graph, bar.object, bar.phase));
            out.push_str(&format!("  {name}[[{label}]]\n"));
            bar.parts.iter().for_each(|part| out.push_str(&format!("  o{part} --> {name}\n")));
            bar.waits.iter().for_each(|wait| out.push_str(&format!("  {name} --> o{wait}\n")));
        }
    }
    for (from, to, edge) in graph.drawn(&as_edges(of)) {
        let (arrow, short) = (arrow(edge.relation), edge.relation.short());
        out.push_str(&format!("  o{from} {arrow}|{short}| o{to}\n"));
    }
    out
}

fn said(graph: &ExecutionGraph, index: usize, mark: Mark) -> String {
    let operation = operation(graph, index);
    let line = match operation.line {
        0 => String::new(),
        line => format!("{line}: "),
    };
    match mark {
        Mark::Plain => format!("{line}{}", operation.label),
        mark => format!("{line}{}, {}", operation.label, mark.said()),
    }
}

const fn arrow(relation: RelationId) -> &'static str {
    match relation {
        RelationId::ProgramOrder | RelationId::ExecutesBefore | RelationId::SynchronizesWith => {
            "==>"
        }
        RelationId::PhaseWith => "-.-",
        RelationId::ParticipatesIn | RelationId::JoinedBefore => "-->",
        RelationId::ThreadBarrierOrder
        | RelationId::ModificationOrder
        | RelationId::HappensBeforeLocal
        | RelationId::HappensBeforeGlobal => "-.->",
    }
}

/// A quoted text of Mermaid; characters with a meaning in its grammar or in Markdown become numbers.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            'a'..='z'
            | 'A'..='Z'
            | '0'..='9'
            | ' '
            | '.'
            | ','
            | ':'
            | '='
            | '-'
            | '/'
            | '('
            | ')' => out.push(character),
            control if control.is_control() => out.push(' '),
            other if other.is_alphabetic() => out.push(other),
            other => out.push_str(&format!("#{};", u32::from(other))),
        }
    }
    out.push('"');
    out
}
