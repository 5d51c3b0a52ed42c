//! `tidegate graph`: the relations of one execution, drawn or explained.

use crate::args::{Graph, GraphFormat};
use crate::exit::{Exit, Failure};
use crate::human::{count, diagnostic};
use crate::names::unknown;
use crate::output::{BOLD, print, print_error, print_raw, styled};
use crate::{escape, input, json, options};
use tidegate_check::graph::choices::{Part, each};
use tidegate_check::graph::draw::{dot, mermaid, svg};
use tidegate_check::graph::report::report;
use tidegate_check::graph::{ExecutionGraph, GraphError, Operation, Pick, RelationId};
use tidegate_check::{Options, Scene, graph};

/// The relations shown by default; they imply the others.
const USUAL: [RelationId; 3] =
    [RelationId::ProgramOrder, RelationId::ModificationOrder, RelationId::ParticipatesIn];

/// Runs the command.
pub(crate) fn run(arguments: &Graph) -> Result<Exit, Failure> {
    let target = arguments.target.as_deref().map(options::target).transpose()?;
    let source = input::read(&arguments.file)?.compiled(target, &arguments.judging.launched);
    let scene = options::scene(&source, &arguments.judging.launched)?;
    let relations = relations(arguments.relation.as_deref())?;
    let options = Options {
        target,
        ambiguities: false,
        machine: false,
        ..options::judging(&arguments.judging)?
    };
    let memory = memory(&scene, arguments.relation.as_deref(), &relations);
    let finding = arguments.finding.map(|number| number as usize - 1);
    // By default, relations on memory are included unless the execution is then too large.
    let asks = !arguments.why.is_empty() && arguments.relation.is_none();
    let with = |memory| graph(&scene, &options, Pick { finding, memory }, &mut |_| true);
    let found = match with(memory || asks && scene.accesses_memory()) {
        Err(GraphError::TooLarge | GraphError::NoInterleaving) if asks => with(false),
        found => found,
    };
    let graph = match found {
        Ok(graph) => graph,
        Err(GraphError::Invalid) => {
            for one in scene.diagnostics() {
                print_error(&diagnostic(&one, &source.name, &source.text));
            }
            return Ok(Exit::Usage);
        }
        Err(error) => return Err(failure(&error)),
    };
    let relations = shown(relations, memory);
    let target = options.target_of(&scene).get().name;
    let named = arguments.relation.as_deref().is_some_and(|words| !words.contains("all"));
    if arguments.why.is_empty() && named {
        for why in relations.iter().filter_map(|&relation| graph.lacks(relation)) {
            print_error(&format!("note: {why}\n"));
        }
    }
    if let [from, to] = arguments.why.as_slice() {
        print(&why(&graph, &relations, from, to, arguments.relation.is_none())?)?;
        return Ok(Exit::Ok);
    }
    if arguments.choices {
        if graph.about().is_some() {
            return Err(Failure::new("--choices requires AMDGPU barriers")
                .help("use `--relation pi` to draw what participates in each wait"));
        }
        print(&choices(&graph))?;
        return Ok(Exit::Ok);
    }
    let title = title(&scene, &graph, target);
    match arguments.format {
        GraphFormat::Dot => print_raw(&dot(&graph, &title, &relations))?,
        GraphFormat::Svg => print_raw(&svg(&graph, &title, &relations))?,
        GraphFormat::Mermaid => print_raw(&mermaid(&graph, &title, &relations))?,
        GraphFormat::Json => {
            let report = report(&graph, &source.name, scene.title(), target, &relations);
            print_raw(&json::pretty(&report)?)?;
        }
    }
    Ok(Exit::Ok)
}

/// Whether operations on memory are shown: if a relation on them is requested, or all relations and the scenario
/// accesses memory.
fn memory(scene: &Scene, words: Option<&str>, relations: &[RelationId]) -> bool {
    let every = words.is_none_or(|words| words.split(',').any(|word| word.trim() == "all"));
    let named = relations.iter().any(|id| id.is_of_memory());
    if every && words.is_some() { scene.accesses_memory() } else { named }
}

/// The shown relations; relations on memory only if its operations are shown.
fn shown(relations: Vec<RelationId>, memory: bool) -> Vec<RelationId> {
    relations.into_iter().filter(|id| memory || !id.is_of_memory()).collect()
}

fn title(scene: &Scene, graph: &ExecutionGraph, target: &str) -> String {
    let name = if scene.title().is_empty() { scene.file() } else { scene.title() };
    match &graph.rule {
        Some(rule) => format!("{name} ({target}): {rule}"),
        None => format!("{name} ({target})"),
    }
}

fn failure(error: &GraphError) -> Failure {
    match error {
        GraphError::NoSuchFinding(0) => Failure::new("no finding has an execution")
            .help("omit --finding to show a complete execution"),
        GraphError::NoSuchFinding(some) => {
            Failure::new("no such finding with an execution").help(format!(
                "`tidegate check` lists the findings; {} an execution",
                if *some == 1 { "1 has".to_owned() } else { format!("{some} have") }
            ))
        }
        GraphError::NoInterleaving => {
            Failure::new("memory relations are not available: no interleaving has this execution")
        }
        GraphError::NoRelations => Failure::new("relations are not available for a scenario that mixes barriers of several documents")
            .help("use `tidegate ledger` for arrivals and waits, or `tidegate trace` for the steps"),
        _ => Failure::bound("the execution has too many operations")
            .help("the limit is 128 operations on AMDGPU barriers, or 256 operations in all; use fewer agents or fewer iterations"),
    }
}

/// The relations of a list of names, or `all`.
fn relations(words: Option<&str>) -> Result<Vec<RelationId>, Failure> {
    let Some(words) = words else { return Ok(USUAL.to_vec()) };
    let mut found = Vec::new();
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        if word == "all" {
            found.extend(RelationId::ALL);
            found.extend(RelationId::MEMORY);
        } else if matches!(word, "hb" | "happens-before") {
            found.extend([RelationId::HappensBeforeLocal, RelationId::HappensBeforeGlobal]);
        } else {
            found.push(RelationId::from_name(word).ok_or_else(|| no_relation(word))?);
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() { Err(no_relation(words)) } else { Ok(found) }
}

fn no_relation(word: &str) -> Failure {
    let every = || RelationId::ALL.into_iter().chain(RelationId::MEMORY);
    let known = every().flat_map(|id| [id.short(), id.name()]);
    let known: Vec<&str> = known.chain(["hb", "happens-before", "all"]).collect();
    let listed: Vec<String> = every().map(|id| format!("{} ({})", id.short(), id.name())).collect();
    unknown("relation", word, known, &format!("valid relations: {}", listed.join(", ")))
}

/// How two operations are related, or why they are not.
fn why(
    graph: &ExecutionGraph,
    relations: &[RelationId],
    from: &str,
    to: &str,
    every: bool,
) -> Result<String, Failure> {
    let (from, to) = (operation(graph, from)?, operation(graph, to)?);
    let (first, second) = (graph.name(from), graph.name(to));
    let mut out = format!("{} and {}\n", escape::line(&first), escape::line(&second));
    let memory = RelationId::MEMORY.into_iter().filter(|_| graph.has_memory());
    let all: Vec<RelationId> = RelationId::ALL.into_iter().chain(memory).collect();
    let asked = if every { &all } else { relations };
    let has_edges = |relation: &&RelationId| !every || graph.lacks(**relation).is_none();
    for &relation in asked.iter().filter(has_edges) {
        for (a, b, order) in [(from, to, "first to second"), (to, from, "second to first")] {
            let explanation = graph.why(relation, a, b);
            let backwards = order == "second to first";
            if backwards && (relation.is_symmetric() || !explanation.holds) {
                continue;
            }
            let holds = if explanation.holds { "yes" } else { "no" };
            let way = if relation.is_symmetric() { "both ways" } else { order };
            out.push_str(&format!("\n{}, {way}: {holds}\n", styled(BOLD, relation.name())));
            for (clause, because) in explanation.clauses.iter().zip(&explanation.because) {
                out.push_str(&format!("  {} [{clause}]\n", escape::line(because)));
            }
        }
    }
    Ok(out)
}

/// Lists the valid barrier-participates-in relations, and the rejected ones with the clause that rejects each.
fn choices(graph: &ExecutionGraph) -> String {
    let listed = &graph.listed;
    let least = if listed.is_complete { "" } else { "at least " };
    let mut out = format!(
        "{least}{}\n",
        count(listed.valid_in_all as u64, "valid barrier-participates-in relation")
    );
    for (number, assignment) in (1..).zip(&listed.valid) {
        out.push_str(&format!(
            "\n{}\n{}",
            styled(BOLD, &format!("valid {number}")),
            parts(graph, assignment)
        ));
    }
    out.push_str(&rest(listed.valid_in_all - listed.valid.len()));
    out.push_str(&format!("\n{least}{} rejected\n", listed.rejected_in_all));
    for (number, rejected) in (1..).zip(&listed.rejected) {
        out.push_str(&format!("\n{}\n", styled(BOLD, &format!("rejected {number}"))));
        out.push_str(&parts(graph, &rejected.assignment));
        let why = graph.why_rejected(rejected);
        out.push_str(&format!("  {} [{}]\n", escape::line(&why), rejected.clause.get().id));
    }
    out.push_str(&rest(listed.rejected_in_all - listed.rejected.len()));
    out
}

/// The operations that participate in each wait, one line for each wait.
fn parts(graph: &ExecutionGraph, assignment: &[Part]) -> String {
    let line = |part: &Part| {
        let set: Vec<String> = each(part.set).map(|event| graph.name(event)).collect();
        let line = format!("{} depends on {}", graph.name(part.wait), set.join(", "));
        format!("  {}\n", escape::line(&line))
    };
    if assignment.is_empty() {
        return "  no wait returns\n".to_owned();
    }
    assignment.iter().map(line).collect()
}

fn rest(more: usize) -> String {
    if more == 0 { String::new() } else { format!("\nand {more} more\n") }
}

/// The operation that a key (`0.1:2`) or a line names (`7`, or `7@1` for agent 1 if several agents perform it).
fn operation(graph: &ExecutionGraph, word: &str) -> Result<usize, Failure> {
    let operations = || graph.graph.raw_nodes().iter().map(|node| &node.weight).enumerate();
    if let Some((index, _)) = operations().find(|(_, operation)| operation.key == word) {
        return Ok(index);
    }
    let (line, agent) = match word.split_once('@') {
        Some((line, agent)) => (line, Some(numbered(graph, agent)?)),
        None => (word, None),
    };
    let number: u32 = line.parse().map_err(|_| no_operation(graph, word))?;
    let on = |operation: &Operation| {
        operation.line == number && agent.is_none_or(|agent| operation.agent == agent)
    };
    let found: Vec<(usize, &Operation)> =
        operations().filter(|(_, operation)| on(operation)).collect();
    match found.as_slice() {
        [] => Err(no_operation(graph, word)),
        [(index, _)] => Ok(*index),
        several => {
            let keys: Vec<String> = several
                .iter()
                .map(|(index, operation)| format!("{} {}", operation.key, graph.name(*index)))
                .collect();
            Err(Failure::new(format!(
                "line {line} has {} in this execution",
                count(several.len() as u64, "operation")
            ))
            .help(format!("use a key: {}", keys.join("; "))))
        }
    }
}

/// The agent with a number or a name.
fn numbered(graph: &ExecutionGraph, word: &str) -> Result<usize, Failure> {
    let number = word.parse().ok().filter(|&number: &usize| number < graph.agents.len());
    let named = || graph.agents.iter().position(|name| name == word);
    number.or_else(named).ok_or_else(|| {
        let known: Vec<&str> = graph.agents.iter().map(String::as_str).collect();
        unknown("agent", word, known, "use the number of an agent, from 0, or its name")
    })
}

fn no_operation(graph: &ExecutionGraph, word: &str) -> Failure {
    let keys: Vec<&str> =
        graph.graph.raw_nodes().iter().map(|node| node.weight.key.as_str()).take(8).collect();
    Failure::new(format!("no operation `{word}` in this execution"))
        .help(format!("use a line, or a key such as {}", keys.join(", ")))
}
