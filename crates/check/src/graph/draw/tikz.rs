//! TikZ, for papers and slides: a lane for each agent, time downwards, a phase as one bar.

use super::layout::{Layout, layout};
use super::{ExecutionGraph, Mark, RelationId, as_edges, marks, operation, phase_name};
use alloc::format;
use alloc::string::String;

/// Distance of two lanes and of two rows, in millimetres.
const LANE: usize = 46;
const ROW: usize = 11;

/// The graph as a `tikzpicture`; it needs the library `arrows.meta` and says so.
#[must_use]
pub fn tikz(graph: &ExecutionGraph, title: &str, of: &[RelationId]) -> String {
    let layout = layout(graph);
    let mut out = format!("% {}\n% \\usetikzlibrary{{arrows.meta}}\n", commented(title));
    out.push_str(HEAD);
    for (column, &agent) in layout.columns.iter().enumerate() {
        let name = escaped(&graph.agents[agent]);
        let x = across(column);
        out.push_str(&format!("  \\node[agent] at ({x}, 0mm) {{{name}}};\n"));
    }
    for ((index, &place), mark) in layout.places.iter().enumerate().zip(marks(graph)) {
        out.push_str(&node(graph, index, place, mark));
    }
    if of.contains(&RelationId::ParticipatesIn) {
        out.push_str(&bars(graph, &layout));
    }
    for (from, to, edge) in graph.drawn(&as_edges(of)) {
        let places = (layout.places[from], layout.places[to]);
        out.push_str(&format!(
            "  \\draw[{}] (o{from}) {} (o{to}); % {}\n",
            style(edge.relation),
            way(edge.relation, places),
            commented(edge.relation.name())
        ));
    }
    out.push_str("\\end{tikzpicture}\n");
    out
}

const HEAD: &str = "\\begin{tikzpicture}[
  >={Stealth[length=2mm]}, line width=0.5pt,
  agent/.style={font=\\bfseries\\small},
  op/.style={draw, rounded corners=2pt, font=\\ttfamily\\scriptsize, minimum height=5mm, inner xsep=2mm},
  completes/.style={line width=1pt},
  pending/.style={dashed},
  breaks/.style={draw=red, very thick},
  phase/.style={fill=black!12, rounded corners=1pt, font=\\scriptsize, minimum height=3.5mm, inner sep=0pt},
  po/.style={->, line width=0.8pt}, bmo/.style={->, dashed}, tbo/.style={->, dotted}, bpw/.style={dotted},
  beb/.style={->, double}, bjb/.style={->, dash dot}, pi/.style={->},
  sw/.style={->, line width=1.2pt}, hb local/.style={->, dash dot dot}, hb global/.style={->, densely dashed}]
";

/// The style of a relation's lines: told apart by dashes, so that they stay so in black and white.
const fn style(relation: RelationId) -> &'static str {
    match relation {
        RelationId::ProgramOrder => "po",
        RelationId::ThreadBarrierOrder => "tbo",
        RelationId::ModificationOrder => "bmo",
        RelationId::ParticipatesIn => "pi",
        RelationId::ExecutesBefore => "beb",
        RelationId::PhaseWith => "bpw",
        RelationId::JoinedBefore => "bjb",
        RelationId::SynchronizesWith => "sw",
        RelationId::HappensBeforeLocal => "hb local",
        RelationId::HappensBeforeGlobal => "hb global",
    }
}

/// How an edge runs: straight, or beside its lane where others run straight there.
fn way(
    relation: RelationId,
    ((_, from), (_, to)): ((usize, usize), (usize, usize)),
) -> &'static str {
    match relation {
        RelationId::ProgramOrder => "--",
        _ if from == to => "to[bend left=50]",
        _ => "to[bend left=8]",
    }
}

fn node(graph: &ExecutionGraph, index: usize, (row, column): (usize, usize), mark: Mark) -> String {
    let operation = operation(graph, index);
    let (class, note) = match mark {
        Mark::Plain => ("", String::new()),
        mark => (class(mark), format!(" % {}", mark.said())),
    };
    let (x, y) = (across(column), down(row));
    format!(
        "  \\node[op{class}] (o{index}) at ({x}, {y}) {{{}}};{note}\n",
        escaped(&operation.label)
    )
}

const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Breaks => ", breaks",
        Mark::Stuck | Mark::Waits => ", pending",
        Mark::Completes => ", completes",
        Mark::Plain => "",
    }
}

/// The phases: one bar across the lanes that meet in it, arrives from above and waits below.
fn bars(graph: &ExecutionGraph, layout: &Layout) -> String {
    let mut out = String::new();
    for (bar, row, [first, last]) in &layout.bars {
        let name = format!("p{}x{}", bar.object, bar.phase);
        let (width, middle) = (LANE * (last - first) + LANE * 4 / 5, LANE * (first + last) / 2);
        let label = escaped(&phase_name(graph, bar.object, bar.phase));
        let y = down(*row);
        out.push_str(&format!(
            "  \\node[phase, minimum width={width}mm] ({name}) at ({middle}mm, {y}) {{{label}}};\n"
        ));
        for &part in &bar.parts {
            out.push_str(&format!("  \\draw[pi, -] (o{part}) -- (o{part} |- {name}.north);\n"));
        }
        for &wait in &bar.waits {
            out.push_str(&format!("  \\draw[pi] (o{wait} |- {name}.south) -- (o{wait});\n"));
        }
    }
    out
}

fn across(column: usize) -> String {
    format!("{}mm", LANE * column)
}

fn down(row: usize) -> String {
    format!("-{}mm", ROW * (row + 1))
}

/// A text as TeX sets it.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(character);
            }
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// A text in a comment: one line.
fn commented(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tex_would_read_is_escaped() {
        assert_eq!(escaped("a_b{c}%$&#"), "a\\_b\\{c\\}\\%\\$\\&\\#");
        assert_eq!(
            escaped("\\~^<>\n"),
            "\\textbackslash{}\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{} "
        );
        assert_eq!(commented("a\nb"), "a b");
    }
}
