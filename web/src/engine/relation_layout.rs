//! The layout of relations over the lanes: lines between operations, and one bar for each phase.

use protocol::Line;
use tidegate_check::graph::report::{GraphOperation, GraphReport};
use tidegate_check::model::ordered::{OrderedMap, OrderedSet};

/// Height of a row in pixels, as in the styles.
const ROW: f64 = 36.0;
/// Half of the height of a node, plus space for an arrowhead.
const HALF: f64 = 15.0;
/// Distance between the lines of different relations.
const APART: f64 = 7.0;

/// A position among the lanes, in pixels.
type Point = (f64, f64);

/// The position of each operation: the middle of its lane, and its row.
pub(crate) type Places = Vec<Option<(f64, usize)>>;

/// The operations of one phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phase {
    /// Operations that participate in it.
    pub parts: OrderedSet<u32>,
    /// Waits that depend on it.
    pub waits: OrderedSet<u32>,
}

/// Describes an operation, as in a list.
pub(crate) fn name(operation: &GraphOperation) -> String {
    match operation.line {
        0 => format!("{} of {}", operation.operation, operation.agent),
        line => format!("{} of {}, line {line}", operation.operation, operation.agent),
    }
}

/// Returns the phases of *participates-in*, by object and number.
pub(crate) fn phases(report: &GraphReport) -> OrderedMap<(String, u32), Phase> {
    let mut phases: OrderedMap<(String, u32), Phase> = OrderedMap::new();
    let edges = report.relations.iter().filter(|it| it.id == "pi").flat_map(|it| &it.edges);
    for edge in edges {
        let Some(wait) = report.operations.get(edge.to as usize) else { continue };
        let (Some(object), Some(phase)) = (&wait.object, wait.phase) else { continue };
        let entry = phases.entry((object.clone(), phase)).or_default();
        entry.parts.insert(edge.from);
        entry.waits.insert(edge.to);
    }
    phases
}

/// Returns the name of an edge.
pub(crate) fn edge_name(relation: &str, from: u32, to: u32) -> String {
    format!("{relation} {from} {to}")
}

/// Returns the name of a phase.
pub(crate) fn phase_name(object: &str, phase: u32) -> String {
    format!("phase {phase} {object}")
}

/// Returns the lines of the chosen relations.
pub(crate) fn lines(report: &GraphReport, chosen: &[String], places: &Places) -> Vec<Line> {
    let place = |index: u32| places.get(index as usize).copied().flatten();
    let of = |index: u32| report.operations.get(index as usize).map(name).unwrap_or_default();
    let mut lines = Vec::new();
    let shown = report.relations.iter().filter(|it| chosen.contains(&it.id));
    for (beside, relation) in shown.filter(|it| it.id != "pi").enumerate() {
        let side = if beside.is_multiple_of(2) { 1.0 } else { -1.0 };
        let shift = APART * side * beside.div_ceil(2) as f64;
        for edge in &relation.edges {
            let (Some(from), Some(to)) = (place(edge.from), place(edge.to)) else { continue };
            // An operation that arrives and waits is one node.
            if from == to {
                continue;
            }
            let (path, head) = curve(from, to, shift, has_head(&relation.id));
            lines.push(Line {
                name: edge_name(&relation.id, edge.from, edge.to),
                relation: relation.id.clone(),
                path,
                head,
                says: format!("{} {} {}", of(edge.from), relation.name, of(edge.to)),
            });
        }
    }
    if chosen.iter().any(|id| id == "pi") {
        lines.extend(phases(report).into_iter().filter_map(|(of, phase)| bar(of, &phase, &place)));
    }
    lines
}

/// Whether a relation has a direction.
fn has_head(relation: &str) -> bool {
    !matches!(relation, "bpw" | "apart")
}

fn centre((x, row): (f64, usize)) -> Point {
    (x, ROW * (row as f64 + 0.5))
}

/// Returns a line from the bottom of one node to the top of another, and its arrowhead.
fn curve(from: (f64, usize), to: (f64, usize), shift: f64, arrow: bool) -> (String, String) {
    let ((x1, y1), (x2, y2)) = (centre(from), centre(to));
    let down = if y2 >= y1 { 1.0 } else { -1.0 };
    let same_lane = (x1 - x2).abs() < 1.0;
    let (x1, x2) = (x1 + shift, x2 + shift);
    let (y1, y2) = (y1 + down * HALF, y2 - down * HALF);
    let bend = down * ((y2 - y1).abs() * 0.45).clamp(4.0, 60.0);
    let bow = match same_lane && (y2 - y1).abs() > ROW {
        true => 22.0 * if shift < 0.0 { -1.0 } else { 1.0 },
        false => 0.0,
    };
    let path = format!(
        "M{x1:.1} {y1:.1}C{:.1} {:.1} {:.1} {:.1} {x2:.1} {y2:.1}",
        x1 + bow,
        y1 + bend,
        x2 + bow,
        y2 - bend
    );
    (path, if arrow { head((x2, y2), down) } else { String::new() })
}

/// Returns an arrowhead at a point, downwards or upwards.
fn head((x, y): Point, down: f64) -> String {
    let back = y - down * 6.0;
    format!("M{:.1} {back:.1}L{x:.1} {y:.1}L{:.1} {back:.1}", x - 3.5, x + 3.5)
}

/// Returns a phase as one bar: participants above it, waits below it.
fn bar(
    (object, number): (String, u32),
    phase: &Phase,
    place: &dyn Fn(u32) -> Option<(f64, usize)>,
) -> Option<Line> {
    let places = |of: &OrderedSet<u32>| of.iter().filter_map(|&at| place(at)).collect::<Vec<_>>();
    let (parts, waits) = (places(&phase.parts), places(&phase.waits));
    let last = parts.iter().map(|&(_, row)| row).max()?;
    let y = ROW * (last as f64 + 1.0);
    let (mut path, mut heads) = (String::new(), String::new());
    for &part in &parts {
        let (x, from) = centre(part);
        path.push_str(&format!("M{x:.1} {:.1}V{y:.1}", from + HALF - 1.0));
    }
    for &wait in &waits {
        let (x, to) = centre(wait);
        let to = to - HALF;
        // An operation that arrives and waits is above the bar.
        if to < y {
            continue;
        }
        path.push_str(&format!("M{x:.1} {y:.1}V{to:.1}"));
        if to - y > 3.0 {
            heads.push_str(&head((x, to), 1.0));
        }
    }
    let ends = || parts.iter().chain(&waits).map(|&(x, _)| x);
    let (left, right) = (ends().fold(f64::MAX, f64::min), ends().fold(0.0, f64::max));
    path.push_str(&format!("M{:.1} {y:.1}H{:.1}", left - 10.0, right + 10.0));
    let says = format!(
        "phase {number} of {object}: {}, {}",
        count(phase.parts.len(), "participant"),
        count(phase.waits.len(), "wait")
    );
    let name = phase_name(&object, number);
    Some(Line { name, relation: "pi".into(), path, head: heads, says })
}

/// Formats a count with its noun.
pub(crate) fn count(many: usize, one: &str) -> String {
    format!("{many} {one}{}", if many == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_check::graph::report::{GraphEdge, GraphRelation};

    fn operation(agent: &str, kind: &str) -> GraphOperation {
        GraphOperation {
            agent: agent.into(),
            line: 3,
            operation: format!("{kind} wg"),
            kind: kind.into(),
            key: "k".into(),
            object: Some("wg".into()),
            phase: Some(1),
            completes: false,
            pending: false,
        }
    }

    fn relation(id: &str, edges: &[(u32, u32)]) -> GraphRelation {
        let edge = |&(from, to): &(u32, u32)| GraphEdge {
            from,
            to,
            covering: true,
            clause: "c".into(),
            reason: "because".into(),
        };
        GraphRelation { id: id.into(), name: id.into(), edges: edges.iter().map(edge).collect() }
    }

    /// Two agents arrive and wait.
    fn meeting() -> GraphReport {
        let operations =
            [("wave 0", "arrive"), ("wave 1", "arrive"), ("wave 0", "wait"), ("wave 1", "wait")];
        GraphReport {
            schema: String::new(),
            file: String::new(),
            title: String::new(),
            target: String::new(),
            rule: None,
            choices: 1,
            participates_in: Default::default(),
            operations: operations.map(|(agent, kind)| operation(agent, kind)).into(),
            relations: vec![
                relation("po", &[(0, 2), (1, 3)]),
                relation("pi", &[(0, 2), (0, 3), (1, 2), (1, 3)]),
            ],
        }
    }

    const PLACES: [Option<(f64, usize)>; 4] =
        [Some((50.0, 0)), Some((150.0, 1)), Some((50.0, 2)), Some((150.0, 3))];

    fn drawn(chosen: &[&str], places: Places) -> Vec<Line> {
        let chosen: Vec<String> = chosen.iter().map(|&id| id.to_owned()).collect();
        lines(&meeting(), &chosen, &places)
    }

    #[test]
    fn a_phase_is_one_bar() {
        let lines = drawn(&["pi"], PLACES.into());
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].says, "phase 1 of wg: 2 participants, 2 waits");
        assert!(lines[0].path.ends_with("M40.0 72.0H160.0"), "{}", lines[0].path);
    }

    #[test]
    fn only_chosen_relations_between_visible_operations_are_drawn() {
        assert_eq!(drawn(&["po"], PLACES.into()).len(), 2);
        let first = drawn(&["po"], vec![Some((50.0, 0)), None, Some((50.0, 2)), None]);
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].says, "arrive wg of wave 0, line 3 po wait wg of wave 0, line 3");
        assert!(drawn(&[], PLACES.into()).is_empty());
    }
}
