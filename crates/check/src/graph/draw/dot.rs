//! DOT, for Graphviz and what reads its language.

use super::{
    ExecutionGraph, Mark, RelationId, as_edges, lanes, marks, operation, phase_name, phases,
};
use alloc::format;
use alloc::string::String;

/// The graph in DOT: a cluster for each agent, a bar for each phase.
#[must_use]
pub fn dot(graph: &ExecutionGraph, title: &str, of: &[RelationId]) -> String {
    let mut out = String::from("digraph execution {\n");
    out.push_str(&format!("  label={}; labelloc=t; rankdir=TB;\n", quoted(title)));
    out.push_str("  node [shape=box, style=rounded, fontname=monospace];\n");
    out.push_str("  edge [fontname=monospace, fontsize=10];\n");
    let marks = marks(graph);
    for (agent, lane) in lanes(graph) {
        out.push_str(&format!("  subgraph cluster_{agent} {{\n"));
        out.push_str(&format!("    label={};\n", quoted(&graph.agents[agent])));
        for index in lane {
            out.push_str(&format!("    o{index} [{}];\n", node(graph, index, marks[index])));
        }
        out.push_str("  }\n");
    }
    if of.contains(&RelationId::ParticipatesIn) {
        out.push_str(&bars(graph));
    }
    for (from, to, edge) in graph.drawn(&as_edges(of)) {
        let style = style(edge.relation);
        let why = format!("{}: {}", edge.relation.name(), edge.reason);
        out.push_str(&format!("  o{from} -> o{to} [{style}, tooltip={}];\n", quoted(&why)));
    }
    out.push_str("}\n");
    out
}

fn node(graph: &ExecutionGraph, index: usize, mark: Mark) -> String {
    let operation = operation(graph, index);
    let line = match operation.line {
        0 => String::new(),
        line => format!("{line}: "),
    };
    let mut said = format!("{line}{}", operation.label);
    if mark != Mark::Plain {
        said.push_str(&format!("\n{}", mark.said()));
    }
    let style = match mark {
        Mark::Breaks => ", color=red, penwidth=2",
        _ if operation.pending => ", style=\"rounded,dashed\"",
        _ => "",
    };
    format!("label={}, id={}{style}", quoted(&said), quoted(&operation.key))
}

fn bars(graph: &ExecutionGraph) -> String {
    let mut out = String::new();
    for bar in phases(graph) {
        let name = format!("p{}_{}", bar.object, bar.phase);
        let label = quoted(&phase_name(graph, bar.object, bar.phase));
        out.push_str(&format!("  {name} [shape=box, style=filled, height=0.2, label={label}];\n"));
        for part in bar.parts {
            out.push_str(&format!(
                "  o{part} -> {name} [{}];\n",
                style(RelationId::ParticipatesIn)
            ));
        }
        for wait in bar.waits {
            out.push_str(&format!(
                "  {name} -> o{wait} [{}];\n",
                style(RelationId::ParticipatesIn)
            ));
        }
    }
    out
}

/// Relations differ in line and label, not only in colour.
const fn style(relation: RelationId) -> &'static str {
    match relation {
        RelationId::ProgramOrder => "label=po, penwidth=2, weight=10",
        RelationId::ThreadBarrierOrder => "label=tbo, style=dotted",
        RelationId::ModificationOrder => "label=bmo, style=dashed, constraint=false",
        RelationId::ParticipatesIn => "color=\"#b35900\"",
        RelationId::ExecutesBefore => "label=beb, color=\"#1f6fb2\"",
        RelationId::PhaseWith => "label=bpw, dir=none, style=dotted, constraint=false",
        RelationId::JoinedBefore => "label=bjb, arrowhead=empty, color=\"#7a3fa0\"",
        RelationId::SynchronizesWith => "label=sw, penwidth=2, color=\"#00796b\", constraint=false",
        RelationId::HappensBeforeLocal => "label=\"hb local\", style=dashed, color=\"#00796b\"",
        RelationId::HappensBeforeGlobal => "label=\"hb global\", style=dotted, color=\"#00796b\"",
    }
}

/// A quoted string of DOT.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
