//! SVG: a lane for each agent, time downwards, a phase as one bar. It needs no font, script or other file, and is
//! readable on light and dark backgrounds.

use super::layout::{Layout, layout};
use super::{ExecutionGraph, Mark, RelationId, as_edges, marks, operation, phase_name};
use crate::brief::{brief, shortened};
use alloc::format;
use alloc::string::String;
use tidegate_model::ordered::OrderedSet;

const ROW: usize = 44;
const BOX: usize = 26;
const TOP: usize = 64;
const SIDE: usize = 16;
const GAP: usize = 36;
/// Width of a character, about.
const CHARACTER: usize = 8;
/// Smallest width, and the largest width that the title can require.
const LEAST: usize = 320;
const MOST_TITLE: usize = 720;
/// Height of a line of the legend.
const LEGEND: usize = 20;
/// Largest number of characters of an operation's text in the drawing; its tooltip has the full text.
const MOST: usize = 36;

const STYLE: &str = "svg{--ink:#1b1f24;--soft:#59636e;--ground:#fff;--box:#f3f5f8;--line:#59636e;--phase:#b35900;\
--beb:#1f6fb2;--join:#7a3fa0;--bad:#b3261e;color-scheme:light dark;background:var(--ground)}\
@media (prefers-color-scheme:dark){svg{--ink:#e6e9ee;--soft:#9aa4b0;--ground:#14171c;--box:#232830;--line:#9aa4b0;\
--phase:#f0a35c;--beb:#7db7ee;--join:#c9a2e8;--bad:#ff8a80}}\
text{font:13px ui-monospace,monospace;fill:var(--ink)}.soft{fill:var(--soft)}.head{font-weight:bold}\
rect{fill:var(--box);stroke:var(--line)}.breaks{stroke:var(--bad);stroke-width:3}\
.stuck{stroke:var(--bad);stroke-dasharray:4 3;stroke-width:2}.waits{stroke-dasharray:4 3}.completes{stroke:var(--phase);stroke-width:2}.bar rect{fill:var(--phase);stroke:none}.bar text{fill:var(--ground)}\
path{fill:none;stroke:var(--line);stroke-width:1.5}.pi{stroke:var(--phase)}.bmo{stroke-dasharray:6 4}\
.tbo,.bpw{stroke-dasharray:1 4;stroke-linecap:round}.beb{stroke:var(--beb)}.bjb{stroke:var(--join);stroke-dasharray:10 3}\
marker path{fill:var(--line);stroke:none}";

/// Additional styles for relations on memory.
const MEMORY_STYLE: &str = ".sw{stroke:var(--beb);stroke-width:3}.hb-local{stroke:var(--join);stroke-dasharray:2 2}\
.hb-global{stroke:var(--join);stroke-dasharray:8 2 2 2}";

/// The graph as a picture.
#[must_use]
pub fn svg(graph: &ExecutionGraph, title: &str, of: &[RelationId]) -> String {
    let layout = layout(graph);
    let paper = Paper::new(graph, &layout);
    let (lanes, height) = paper.size(&layout);
    let titled = (title.chars().count() * CHARACTER + 2 * SIDE).min(MOST_TITLE);
    let legend = height;
    let marks = marks(graph);
    let shown = shown(&marks);
    let lines = of.len() + shown.len();
    let (width, height) = (lanes.max(titled).max(LEAST), height + lines * LEGEND + SIDE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"t d\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
    );
    out.push_str(&format!("<title id=\"t\">{}</title>\n", escaped(title)));
    out.push_str(&format!("<desc id=\"d\">{}</desc>\n", escaped(&description(graph, of))));
    let memory = if of.iter().any(|id| id.is_of_memory()) { MEMORY_STYLE } else { "" };
    out.push_str(&format!("<style>{STYLE}{memory}</style>\n"));
    out.push_str(
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
    );
    let short_title = shortened(title, width.saturating_sub(2 * SIDE) / CHARACTER);
    out.push_str(&format!(
        "<text class=\"head\" x=\"{SIDE}\" y=\"22\">{}</text>\n",
        escaped(&short_title)
    ));
    for (column, &agent) in layout.columns.iter().enumerate() {
        let x = paper.middle(column);
        let name = escaped(&graph.agents[agent]);
        out.push_str(&format!(
            "<text class=\"soft\" x=\"{x}\" y=\"46\" text-anchor=\"middle\">{name}</text>\n"
        ));
    }
    for (from, to, edge) in graph.drawn(&as_edges(of)) {
        let why = format!("{}: {}", edge.relation.name(), edge.reason);
        let from = layout.places[from];
        let to = layout.places[to];
        out.push_str(&paper.edge(from, to, edge.relation, &why));
    }
    if of.contains(&RelationId::ParticipatesIn) {
        out.push_str(&bars(graph, &layout, &paper));
    }
    for ((index, &place), &mark) in layout.places.iter().enumerate().zip(&marks) {
        out.push_str(&node(graph, index, place, mark, &paper));
    }
    for (line, &relation) in of.iter().enumerate() {
        out.push_str(&legend_line(relation, legend + line * LEGEND));
    }
    for (line, &mark) in (of.len()..).zip(&shown) {
        out.push_str(&legend_box(mark, legend + line * LEGEND));
    }
    out.push_str("</svg>\n");
    out
}

/// The marks that operations have, those of faults first.
fn shown(marks: &[Mark]) -> OrderedSet<Mark> {
    marks.iter().copied().filter(|mark| *mark != Mark::Plain).collect()
}

/// The class of a mark.
const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Breaks => " class=\"breaks\"",
        Mark::Stuck => " class=\"stuck\"",
        Mark::Waits => " class=\"waits\"",
        Mark::Completes => " class=\"completes\"",
        Mark::Plain => "",
    }
}

/// A sample of a mark with what it says.
fn legend_box(mark: Mark, y: usize) -> String {
    format!(
        "<rect{} x=\"{SIDE}\" y=\"{}\" width=\"40\" height=\"12\" rx=\"4\"/><text class=\"soft\" x=\"{}\" y=\"{}\">{}</text>\n",
        class(mark),
        y + 2,
        SIDE + 50,
        y + 12,
        mark.said()
    )
}

/// A sample of a relation's line with its name.
fn legend_line(relation: RelationId, y: usize) -> String {
    let (short, middle) = (relation.short(), y + 8);
    let head = if relation.is_symmetric() { "" } else { " marker-end=\"url(#arrow)\"" };
    format!(
        "<path class=\"{short}\" d=\"M{SIDE} {middle}L{} {middle}\"{head}/><text class=\"soft\" x=\"{}\" y=\"{}\">{}</text>\n",
        SIDE + 40,
        SIDE + 50,
        y + 12,
        relation.name()
    )
}

/// Describes the picture.
fn description(graph: &ExecutionGraph, of: &[RelationId]) -> String {
    let names: alloc::vec::Vec<&str> = of.iter().map(|id| id.name()).collect();
    let rule = match &graph.rule {
        Some(rule) => format!(", which breaks {rule}"),
        None => String::new(),
    };
    let whose = graph.about().map(|about| format!(" {about}")).unwrap_or_default();
    format!(
        "{} operations of {} agents in one execution{rule}. Time runs down. Relations: {}.{whose}",
        graph.graph.node_count(),
        graph.agents.len(),
        names.join(", ")
    )
}

/// Measures.
struct Paper {
    lane: usize,
}

impl Paper {
    fn new(graph: &ExecutionGraph, layout: &Layout) -> Self {
        let texts = graph.graph.raw_nodes().iter().map(|node| node.weight.label.as_str());
        let agents = layout.columns.iter().map(|&agent| graph.agents[agent].as_str());
        let longest = texts.chain(agents).map(|text| text.chars().count()).max().unwrap_or(0);
        Self { lane: longest.clamp(10, MOST) * CHARACTER + 20 }
    }

    const fn size(&self, layout: &Layout) -> (usize, usize) {
        let columns = if layout.columns.is_empty() { 1 } else { layout.columns.len() };
        (2 * SIDE + columns * (self.lane + GAP), TOP + layout.rows * ROW + SIDE)
    }

    const fn left(&self, column: usize) -> usize {
        SIDE + column * (self.lane + GAP)
    }

    const fn middle(&self, column: usize) -> usize {
        self.left(column) + self.lane / 2
    }

    const fn top(row: usize) -> usize {
        TOP + row * ROW
    }

    /// An edge: straight down in a lane to the next row, else a curve.
    fn edge(
        &self,
        from: (usize, usize),
        to: (usize, usize),
        relation: RelationId,
        why: &str,
    ) -> String {
        let short = relation.short();
        let (x1, y1) = (self.middle(from.1), Self::top(from.0) + BOX);
        let (x2, y2) = (self.middle(to.1), Self::top(to.0));
        let bow = match relation {
            RelationId::ProgramOrder => 0,
            other => self.lane / 2 + 6 + 4 * other as usize,
        };
        let way = if bow == 0 {
            format!("M{x1} {y1}L{x2} {y2}")
        } else if from.1 == to.1 {
            let (y1, y2) = (y1 - BOX / 2, y2 + BOX / 2);
            let (edge, out) = (x1 + self.lane / 2, x1 + bow + 12);
            format!("M{edge} {y1}C{out} {y1} {out} {y2} {edge} {y2}")
        } else {
            let (c1, c2) = (y1 + ROW / 2, y2.saturating_sub(ROW / 2));
            format!("M{x1} {y1}C{x1} {c1} {x2} {c2} {x2} {y2}")
        };
        let head = if relation.is_symmetric() { "" } else { " marker-end=\"url(#arrow)\"" };
        format!(
            "<path class=\"{short}\" d=\"{way}\"{head}><title>{}</title></path>\n",
            escaped(why)
        )
    }
}

/// The phases: one bar across the participating lanes, with arrives from above and waits below.
fn bars(graph: &ExecutionGraph, layout: &Layout, paper: &Paper) -> String {
    let mut out = String::new();
    for (bar, row, [first, last]) in &layout.bars {
        let y = Paper::top(*row) + 4;
        let (x, end) = (paper.left(*first), paper.left(*last) + paper.lane);
        let name = phase_name(graph, bar.object, bar.phase);
        let parts = match bar.parts.len() {
            1 => String::from("1 operation participates"),
            many => format!("{many} operations participate"),
        };
        let waits = match bar.waits.len() {
            1 => String::from("1 wait"),
            many => format!("{many} waits"),
        };
        let why = format!("barrier-participates-in: {parts} in {waits} on {name}.");
        for (from_row, column) in bar.parts.iter().map(|&part| layout.places[part]) {
            let (x, from) = (paper.middle(column) - 12, Paper::top(from_row) + BOX);
            out.push_str(&format!("<path class=\"pi\" d=\"M{x} {from}L{x} {y}\"/>\n"));
        }
        for (to_row, column) in bar.waits.iter().map(|&wait| layout.places[wait]) {
            let (x, to, from) = (paper.middle(column) + 12, Paper::top(to_row), y + 18);
            out.push_str(&format!(
                "<path class=\"pi\" d=\"M{x} {from}L{x} {to}\" marker-end=\"url(#arrow)\"/>\n"
            ));
        }
        out.push_str(&format!(
            "<g class=\"bar\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"18\" rx=\"4\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>\n",
            escaped(&why),
            end - x,
            usize::midpoint(x, end),
            y + 13,
            escaped(&shortened(&name, (end - x) / CHARACTER))
        ));
    }
    out
}

fn node(
    graph: &ExecutionGraph,
    index: usize,
    place: (usize, usize),
    mark: Mark,
    paper: &Paper,
) -> String {
    let operation = operation(graph, index);
    let class = class(mark);
    let said = match mark {
        Mark::Plain => graph.name(index),
        mark => format!("{}, {}", graph.name(index), mark.said()),
    };
    let (x, y) = (paper.left(place.1), Paper::top(place.0));
    format!(
        "<g><title>{}</title><rect{class} x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{BOX}\" rx=\"6\"/>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>\n",
        escaped(&said),
        paper.lane,
        paper.middle(place.1),
        y + 17,
        escaped(&brief(&operation.label, MOST))
    )
}

/// A text inside an element of XML; what XML does not allow at all becomes a mark.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// Encodes an SVG picture as a data address for use between double quotes.
#[must_use]
pub fn data_address(picture: &str) -> String {
    let mut address = String::from("data:image/svg+xml,");
    for letter in picture.chars() {
        match letter {
            '\n' => {}
            '%' | '#' | '<' | '>' | '"' | '&' => {
                address.push_str(&format!("%{:02X}", u32::from(letter)));
            }
            other => address.push(other),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_address_ends_no_attribute_and_no_address() {
        assert_eq!(data_address("<a b=\"#%&\">\n"), "data:image/svg+xml,%3Ca b=%22%23%25%26%22%3E");
    }
}
