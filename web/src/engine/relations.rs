//! The relations of the performed steps: drawn, and in words.

use crate::relation_layout::{self, Places, count};
use protocol::{Line, Look};
use tidegate_check::graph::report::{self, GraphEdge, GraphRelation, GraphReport};
use tidegate_check::graph::{ExecutionGraph, RelationId};
use tidegate_check::model::ordered::OrderedMap;
use tidegate_check::step::Stepper;

/// Largest number of reasons for a relation without edges.
const REASONS: usize = 4;
/// Short name of the missing order of conflicting accesses.
const APART: &str = "apart";

/// The answer for an operation without relations.
const STRANGE: &str =
    "One of these operations has no relations: only barrier and memory operations do.";

/// The relations of the performed steps, drawn and in words. Sentences contain code between backticks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// A description, or why there are no relations.
    pub(crate) about: String,
    /// The relations.
    pub(crate) relations: Vec<Related>,
    /// The lines of the chosen relations.
    pub(crate) lines: Vec<Line>,
    /// Keys and names of the selectable operations.
    pub(crate) operations: Vec<(String, String)>,
    /// The selected line, and why it holds.
    pub(crate) description: Vec<String>,
    /// How the two selected operations are related.
    pub(crate) answers: Vec<Why>,
    /// Every edge: from, relation, to, reason.
    pub(crate) table: Vec<[String; 4]>,
}

/// One relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Related {
    /// Its short name.
    pub(crate) id: String,
    /// The specification's name for it.
    pub(crate) name: String,
    /// Number of drawn edges; implied ones are not drawn.
    pub(crate) count: u32,
    /// Why a chosen relation has no edges.
    pub(crate) absent: Vec<String>,
}

/// Whether one relation holds between two operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Why {
    /// The specification's name for the relation.
    pub(crate) relation: String,
    /// Whether it holds.
    pub(crate) holds: bool,
    /// Why it holds or not.
    pub(crate) because: Vec<String>,
}

/// The related execution, until it changes.
pub(crate) struct Relations {
    graph: ExecutionGraph,
    report: GraphReport,
    /// Why conflicting accesses are unordered, by the two operations.
    apart: OrderedMap<(u32, u32), Vec<String>>,
    /// The agent and row of each operation.
    rows: Vec<Option<(usize, usize)>>,
}

/// The answer if there are no relations; `some` if fewer operations would have them.
pub(crate) fn none(some: bool) -> Answer {
    let about = match some {
        true => "Too many operations to relate: go back some steps.",
        false => "No relations: the scenario combines barriers from several specifications.",
    };
    Answer { about: about.into(), ..Answer::default() }
}

/// The answer for an execution on the machine.
pub(crate) fn none_of_machine() -> Answer {
    let about = "Executions on the hardware model have no relations.";
    Answer { about: about.into(), ..Answer::default() }
}

impl Relations {
    /// Relates the performed steps; `None` if there are too many, or if the barriers have no relations.
    pub(crate) fn of(stepper: &Stepper) -> Option<Self> {
        let graph = stepper.graph()?;
        let memory = RelationId::MEMORY.into_iter().filter(|_| graph.has_memory());
        let of = RelationId::ALL.into_iter().chain(memory);
        let of: Vec<RelationId> = of.filter(|&id| graph.lacks(id).is_none()).collect();
        let mut report = report::report(&graph, "", "", "", &of);
        for relation in &mut report.relations {
            relation.edges.retain(|edge| edge.covering);
        }
        let keys: OrderedMap<String, usize> = stepper.keys().into_iter().zip(0..).collect();
        let row = |key: &str| keys.get(key.trim_end_matches("+copy")).copied();
        let agents = graph.graph.node_weights().map(|operation| operation.agent);
        let rows = report.operations.iter().zip(agents).enumerate();
        let rows: Vec<_> = rows
            .map(|(at, (it, agent))| Some((agent, graph.step_of(at).or_else(|| row(&it.key))?)))
            .collect();
        let apart = apart(stepper, &report, &rows);
        if !apart.is_empty() {
            report.relations.insert(0, unordered(&report, &apart));
        }
        Some(Self { graph, report, apart, rows })
    }

    /// Returns what the page requests of them.
    pub(crate) fn look(&self, look: &Look) -> Answer {
        let places: Places = self.rows.iter().map(|row| place(*row, &look.lanes)).collect();
        Answer {
            about: self.about(),
            relations: self.report.relations.iter().map(|it| self.related(it, look)).collect(),
            lines: relation_layout::lines(&self.report, &look.chosen, &places),
            operations: self
                .report
                .operations
                .iter()
                .map(|it| (it.key.clone(), relation_layout::name(it)))
                .collect(),
            description: match self.is_strange(&look.pair) {
                true => vec![STRANGE.to_owned()],
                false => self.description(&look.asked),
            },
            answers: self.answers(&look.pair),
            table: if look.table { self.table() } else { Vec::new() },
        }
    }

    fn about(&self) -> String {
        let steps = self.report.operations.iter().filter(|it| !it.pending).count();
        if steps == 0 {
            return "Perform steps to see their relations.".into();
        }
        let choices = match self.report.choices {
            0 | 1 => String::new(),
            many => format!(" One of {many} possible assignments of waits to phases."),
        };
        let whose = self.graph.about().map(|about| format!(" {about}")).unwrap_or_default();
        format!("{}; implied edges hidden.{choices}{whose}", count(steps, "operation"))
    }

    fn related(&self, relation: &GraphRelation, look: &Look) -> Related {
        let chosen = look.chosen.contains(&relation.id);
        let id = RelationId::from_name(&relation.id).filter(|_| chosen);
        let stands = |at: u32| self.rows.get(at as usize).is_some_and(Option::is_some);
        let drawn = relation.edges.iter().filter(|it| stands(it.from) && stands(it.to)).count();
        let absent = match relation.edges.len() - drawn {
            0 if drawn > 0 => Vec::new(),
            0 => id.map(|id| self.absent(id)).unwrap_or_default(),
            more => id.map(|id| waited_for(id, more)).into_iter().collect(),
        };
        Related {
            id: relation.id.clone(),
            name: relation.name.clone(),
            count: drawn as u32,
            absent,
        }
    }

    /// Returns why a relation has no edge.
    fn absent(&self, relation: RelationId) -> Vec<String> {
        let none = format!("No {} edges.", relation.name());
        let fences = self.report.operations.iter().zip(0..).filter(|(it, _)| it.kind == "fence");
        let fences: Vec<(&str, usize)> = fences.map(|(it, at)| (&*it.agent, at)).collect();
        if relation != RelationId::SynchronizesWith {
            return vec![none];
        }
        if fences.is_empty() {
            return vec![format!("{none} Only fences synchronize; none was performed.")];
        }
        let pairs = fences.iter().flat_map(|from| fences.iter().map(move |to| (from, to)));
        let pairs = pairs.filter(|(from, to)| from.0 != to.0 && from.1 < to.1);
        let reasons = pairs.flat_map(|(from, to)| self.graph.why(relation, from.1, to.1).because);
        let mut description = vec![none];
        for reason in reasons.take(REASONS) {
            if !description.contains(&reason) {
                description.push(reason);
            }
        }
        description
    }

    /// Describes an edge or a phase.
    fn description(&self, name: &str) -> Vec<String> {
        self.edge(name).or_else(|| self.phase(name)).unwrap_or_default()
    }

    fn edge(&self, name: &str) -> Option<Vec<String>> {
        let find = |relation: &GraphRelation| {
            let named = |edge: &&GraphEdge| {
                relation_layout::edge_name(&relation.id, edge.from, edge.to) == name
            };
            relation.edges.iter().find(named).cloned().map(|edge| (relation.clone(), edge))
        };
        let (relation, edge) = self.report.relations.iter().find_map(find)?;
        let (from, to) = (self.name(edge.from), self.name(edge.to));
        let mut description = vec![format!("{from} {} {to}", relation.name)];
        match self.apart.get(&(edge.from, edge.to)).filter(|_| relation.id == APART) {
            Some(missing) => description.extend(missing.iter().cloned()),
            None => description.push(edge.reason),
        }
        Some(description)
    }

    fn phase(&self, name: &str) -> Option<Vec<String>> {
        let phases = relation_layout::phases(&self.report);
        let ((object, number), phase) = phases
            .into_iter()
            .find(|((object, phase), _)| relation_layout::phase_name(object, *phase) == name)?;
        let names = |of: &tidegate_check::model::ordered::OrderedSet<u32>| {
            of.iter().map(|&it| self.name(it)).collect::<Vec<_>>().join(", ")
        };
        Some(vec![
            format!("Phase {number} of `{object}`"),
            format!("Participants: {}.", names(&phase.parts)),
            format!("Waits: {}.", names(&phase.waits)),
        ])
    }

    fn name(&self, operation: u32) -> String {
        self.graph.name(operation as usize)
    }

    /// Returns how two operations are related; empty before both are selected.
    /// Whether a selected operation has no relations.
    fn is_strange(&self, pair: &[Option<String>; 2]) -> bool {
        let known = |key: &String| self.report.operations.iter().any(|it| it.key == *key);
        !pair.iter().flatten().all(known)
    }

    fn answers(&self, pair: &[Option<String>; 2]) -> Vec<Why> {
        let at = |key: &Option<String>| {
            let key = key.as_deref()?;
            self.report.operations.iter().position(|operation| operation.key == key)
        };
        let [Some(from), Some(to)] = [at(&pair[0]), at(&pair[1])] else { return Vec::new() };
        let why = |id: RelationId| {
            let found = self.graph.why(id, from, to);
            Why { relation: id.name().to_owned(), holds: found.holds, because: found.because }
        };
        let known = |relation: &GraphRelation| RelationId::from_name(&relation.id);
        let mut answers: Vec<Why> = match from == to {
            true => Vec::new(),
            false => self.report.relations.iter().filter_map(known).map(why).collect(),
        };
        answers.sort_by_key(|why| !why.holds);
        answers
    }

    fn table(&self) -> Vec<[String; 4]> {
        let row = |relation: &GraphRelation, edge: &GraphEdge| {
            let (from, to) = (self.name(edge.from), self.name(edge.to));
            [from, relation.name.clone(), to, edge.reason.clone()]
        };
        let of = |relation| -> Vec<[String; 4]> {
            let relation: &GraphRelation = relation;
            relation.edges.iter().map(|edge| row(relation, edge)).collect()
        };
        self.report.relations.iter().flat_map(of).collect()
    }
}

/// Describes edges to waits that did not return, which have no row.
fn waited_for(relation: RelationId, edges: usize) -> String {
    let edges = match edges {
        1 => "One edge".to_owned(),
        more => format!("{more} edges"),
    };
    format!("{edges} of {} to waits that did not return: see the edge table.", relation.name())
}

fn place(row: Option<(usize, usize)>, lanes: &[u32]) -> Option<(f64, usize)> {
    let (agent, row) = row?;
    lanes.get(agent).map(|&middle| (f64::from(middle) / 10.0, row))
}

/// Returns conflicting accesses that are unordered.
fn apart(
    stepper: &Stepper,
    report: &GraphReport,
    rows: &[Option<(usize, usize)>],
) -> OrderedMap<(u32, u32), Vec<String>> {
    let at = |step: usize| {
        let mut rows = rows.iter().zip(&report.operations).zip(0..);
        let is_access = |kind: &str| matches!(kind, "load" | "store" | "async-copy");
        rows.find(|((row, it), _)| row.is_some_and(|row| row.1 == step) && is_access(&it.kind))
            .map(|(_, at)| at)
    };
    let pairs = stepper.memory().pairs.into_iter().filter(|pair| !pair.ordered);
    pairs.filter_map(|pair| Some(((at(pair.first)?, at(pair.second)?), pair.missing))).collect()
}

fn unordered(report: &GraphReport, apart: &OrderedMap<(u32, u32), Vec<String>>) -> GraphRelation {
    let edge = |(&(from, to), missing): (&(u32, u32), &Vec<String>)| GraphEdge {
        from,
        to,
        covering: true,
        clause: String::new(),
        reason: missing.join("; "),
    };
    let edges = apart.iter().filter(|((from, to), _)| {
        let known = |at: u32| (at as usize) < report.operations.len();
        known(*from) && known(*to)
    });
    let edges = edges.map(edge).collect();
    GraphRelation { id: APART.into(), name: "is not ordered before".into(), edges }
}
