//! Arguments of kernels: the host passes a value that the text does not give, the same for all work-items.
//!
//! Bodies are evaluated with one value for each argument. The questions that evaluation asks (comparisons, quotients,
//! first bytes of accesses) determine the range of values with the same answers: one case. The remaining values are
//! evaluated next, nearest to zero first, until every value is in a case or there are too many cases.

use super::answers::Answers;
use super::arguments::Arguments;
use super::compilation::{self, Compilation, Shared, is_no_launch};
use super::groups::{Chosen, Group, choose};
use super::terms::{Bound, Question};
use crate::diagnostic::{Diagnostic, Severity, Span, Suggestion};
use crate::expression::linear::Reach;
use crate::limits::MOST_TRIED;
use crate::lower::agents::MOST_AGENTS;
use crate::lower::code::Argument;
use crate::source::Source;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use tidegate_model::hash::Fnv;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::successors;
use tidegate_model::program::{Body, BodyId, NO_CASE, Node, NodeId, Part};

/// Largest number of nodes in the bodies of all agents over all cases; later cases are skipped.
const MOST_NODES: usize = 50_000;
/// Largest number of bodies of agents in all cases, with equal bodies counted each time they are evaluated.
const MOST_BODIES: usize = 70_000;
/// Largest number of cases.
const MOST_CASES: usize = 2048;
/// Largest number of cases if data also decide.
const MOST_OF_DATA: usize = 130;
/// The outcomes of a condition on data: false and true.
const ANSWERS: (i64, i64) = (0, 1);

/// A set of argument values: the smallest and largest value of each argument.
type Region = Vec<(i64, i64)>;

/// All agents for one value of each argument.
struct Case {
    values: Vec<i64>,
    groups: Vec<Group>,
    /// The conditions on data that were evaluated.
    asked: OrderedSet<usize>,
    /// The reason why data might not give this case.
    doubt: Option<Diagnostic>,
}

/// The result for all cases.
pub(super) struct Cases {
    pub(super) agents: Vec<Shared>,
    /// The checked work-groups, if they represent others.
    pub(super) part: Option<Part>,
    /// For each distinct case, the values that the host passes, such as `n = 3`; empty if there is only one case.
    pub(super) passed: Vec<String>,
    pub(super) warnings: Vec<Diagnostic>,
    /// Whether the cases cover every value that the host can pass.
    pub(super) all: bool,
    /// Whether no case is known to be possible.
    pub(super) doubtful: bool,
    /// The conditions that data decide.
    pub(super) data: Vec<Span>,
    /// The sets of cases that differ only in data: see [`tidegate_model::program::Program::by_data`].
    pub(super) by_data: Vec<Vec<u32>>,
}

/// Evaluates all agents in all cases.
pub(super) fn all(compilation: &mut Compilation) -> Result<Cases, Vec<Diagnostic>> {
    let known = &compilation.code.arguments;
    let mut open: Vec<Region> = alloc::vec![known.iter().map(|argument| argument.range).collect()];
    let (mut cases, mut warnings, mut nodes) = (Vec::<Case>::new(), Vec::new(), 0);
    let (mut complete, mut bodies) = (true, 0);
    let agents_of_all =
        compilation.launch.workgroups * compilation.launch.waves * compilation.apart;
    while let Some(at) = nearest(&open) {
        let evaluated = cases.len() * agents_of_all as usize;
        let of_data = compilation.instances.terms.questions();
        let most = match of_data {
            0 => MOST_CASES,
            _ => MOST_OF_DATA,
        };
        if nodes > MOST_NODES || cases.len() >= most || evaluated > MOST_BODIES {
            break;
        }
        let mut region = open.swap_remove(at);
        region.resize(known.len() + of_data, ANSWERS);
        let values: Vec<i64> = region.iter().map(|&range| near(range)).collect();
        let reach = Reach::new(values.len());
        compilation.arguments = Rc::new(Arguments {
            values: values.clone(),
            reach,
            passed: known.len(),
            ..Arguments::default()
        });
        let made = compilation.groups();
        let questions = known.len() + compilation.instances.terms.questions();
        let mut values = values;
        values.resize(questions, 0);
        region.resize(questions, ANSWERS);
        match made {
            Ok(groups) => {
                // Cases share bodies.
                nodes +=
                    compilation.bodies[bodies..].iter().map(|body| body.nodes.len()).sum::<usize>();
                bodies = compilation.bodies.len();
                let asked = compilation.arguments.questions.borrow().clone();
                let yes = |at: usize| values.get(known.len() + at).is_some_and(|&value| value != 0);
                let bound = compilation.instances.terms.bound(&asked, yes);
                let mut doubt = compilation.arguments.doubt.borrow().clone();
                if let Bound::Doubtful(question, why) = &bound {
                    doubt.get_or_insert_with(|| question.warning(*why));
                }
                if !matches!(bound, Bound::Impossible) {
                    cases.push(Case { values: values.clone(), groups, asked, doubt });
                }
            }
            Err(problems) if questions == 0 => return Err(problems),
            // Values that divide by zero or access memory out of bounds are not intended launches.
            Err(problems) if problems.iter().all(is_no_launch) => {
                // One error of each kind suffices to report that there are such values.
                complete &=
                    problems.iter().all(|found| !matches!(found.code, "overflow" | "shift-range"));
                let found = problems.into_iter().filter(|found| found.code != "signed-overflow");
                let deciding = deciding(known, &region, &values, &compilation.arguments);
                for found in found.map(|found| left_out(found, deciding.as_deref())) {
                    if warnings.iter().all(|old: &Diagnostic| old.code != found.code) {
                        warnings.push(found);
                    }
                }
            }
            Err(problems) if !cases.is_empty() && problems.iter().all(is_bound) => {
                open.push(region);
                break;
            }
            Err(problems) => {
                let deciding = deciding(known, &region, &values, &compilation.arguments);
                let named = |found| named(found, deciding.as_deref());
                return Err(problems.into_iter().map(named).collect());
            }
        }
        let arguments = &compilation.arguments;
        let asked = arguments.questions.borrow();
        let reach = |at: usize| match at.checked_sub(known.len()) {
            None => arguments.reach.of(at),
            Some(question) if asked.contains(&question) => (0, 0),
            Some(_) => (-1, 1),
        };
        complete &= (0..known.len()).all(|at| reaches(region[at], values[at], reach(at)));
        split(&region, &values, reach, &mut open);
    }
    if cases.is_empty() {
        let question = compilation.instances.terms.question(0);
        warnings.extend(question.filter(|_| warnings.is_empty()).map(|one| too_many(&one)));
        return Err(warnings.into_iter().map(as_error).collect());
    }
    let mut by_data = by_data(&cases, known.len(), &open);
    let (all, doubtful) = (open.is_empty() && complete, possible(&mut cases, &mut warnings));
    let all = all && warnings.iter().all(|found| found.code != UNKNOWN);
    if !complete {
        warnings.extend(known.iter().filter(|argument| is_long(argument.range)).map(larger));
    }
    if !open.is_empty() {
        warnings.extend(beyond(known, &open, &cases));
        let left = |region: &Region| region.iter().skip(known.len()).any(|&one| one != ANSWERS);
        let question = compilation.instances.terms.question(0);
        warnings.extend(question.filter(|_| open.iter().any(left)).map(|one| too_many(&one)));
    }
    let data = (0..compilation.instances.terms.questions())
        .filter_map(|at| Some(compilation.instances.terms.question(at)?.span));
    let data =
        data.chain(cases.iter().filter_map(|case| Some(case.doubt.as_ref()?.span))).collect();
    let ways = distinct(&mut cases);
    let way = |key: &Vec<u32>| ways.get(key).copied().unwrap_or(NO_CASE);
    let by_data = by_data.drain(..).map(|keys| keys.iter().map(way).collect()).collect();
    let passed = match &cases[..] {
        [_] => Vec::new(),
        _ => cases.iter().map(|case| case.description(compilation)).collect(),
    };
    let groups: Vec<&[Group]> = cases.iter().map(|case| &case.groups[..]).collect();
    let part = part(&groups, compilation)?;
    let chosen = match &part {
        Some(part) => part.groups.clone(),
        None => alloc::vec![0],
    };
    let agents = joined(compilation.settled(&groups, &chosen), compilation);
    Ok(Cases { agents, part, passed, warnings, all, doubtful, data, by_data })
}

/// The checked work-groups, unless all are checked.
fn part(groups: &[&[Group]], compilation: &Compilation) -> Result<Option<Part>, Vec<Diagnostic>> {
    let all = compilation.launch.workgroups;
    let part = match choose(groups, compilation) {
        Some(Chosen { groups, across }) => Part { groups, all, across: Some(across) },
        None if compilation.by_groups => Part { groups: (0..all).collect(), all, across: None },
        None => return Ok(None),
    };
    let agents = part.groups.len().saturating_mul(compilation.group_size());
    if agents > MOST_AGENTS as usize {
        return Err(alloc::vec![compilation::too_many(compilation.code, agents as u32)]);
    }
    Ok(Some(part))
}

/// Removes the cases that data cannot give; if none remains, returns whether that is certain.
fn possible(cases: &mut Vec<Case>, warnings: &mut Vec<Diagnostic>) -> bool {
    for doubt in cases.iter().filter_map(|case| case.doubt.clone()) {
        if !warnings.contains(&doubt) {
            warnings.push(doubt);
        }
    }
    let none = cases.iter().all(|case| case.doubt.is_some());
    cases.retain(|case| none || case.doubt.is_none());
    none
}

/// The code of diagnostics about data that decide.
const UNKNOWN: &str = "unknown-data";

/// A warning that data decide in more ways than are tried.
fn too_many(question: &Question) -> Diagnostic {
    let message = format!(
        "`{}` has more outcomes than the checker tries; the other outcomes are not checked",
        question.text()
    );
    let severity = Severity::Warning;
    Diagnostic { severity, ..Diagnostic::error(UNKNOWN, question.span, message) }
}

impl Case {
    /// Describes what the host passes: `n = 3, and data for which …`.
    fn description(&self, compilation: &Compilation) -> String {
        let code = compilation.code;
        let mut values_passed = passed(&code.arguments, &self.values);
        let mut conditions: Vec<(String, Answers<'_>)> = Vec::new();
        for &at in &self.asked {
            let Some(question) = compilation.instances.terms.question(at) else { continue };
            let yes = self.values.get(code.arguments.len() + at).is_some_and(|&value| value != 0);
            let holds = question.holds(yes);
            let known = conditions.iter().position(|(text, ..)| text == question.text());
            let known = known.unwrap_or_else(|| {
                conditions.push((String::from(question.text()), Answers::default()));
                conditions.len() - 1
            });
            let answers = &mut conditions[known].1;
            answers.times[usize::from(holds)] += 1;
            answers.places[usize::from(holds)].extend(question.place(&code.buffer_names));
        }
        for (text, answers) in conditions {
            let before = if values_passed.is_empty() { "data" } else { ", and data" };
            values_passed
                .push_str(&format!("{before} for which `{text}` {}", answers.description()));
        }
        values_passed
    }
}

fn is_bound(found: &Diagnostic) -> bool {
    found.code.starts_with("bound-")
}

/// Whether a type has more values than are tried.
fn is_long((_, most): (i64, i64)) -> bool {
    most >= MOST_TRIED
}

/// Whether a case also covers the values beyond the tried range, if its region reaches the end of that range.
fn reaches((least, most): (i64, i64), value: i64, (down, up): (i128, i128)) -> bool {
    let value = i128::from(value);
    let above = most < MOST_TRIED || value + up < i128::from(most) || value + up >= 1 << 64;
    let below = least > -MOST_TRIED || value + down > i128::from(least) || value + down <= -1 << 63;
    above && below
}

/// A warning that values of a 64-bit argument are not tried.
fn larger(argument: &Argument) -> Diagnostic {
    let message = format!(
        "only values of `{}` up to 60 bits are checked, and larger values may behave differently",
        argument.name
    );
    let severity = Severity::Warning;
    Diagnostic { severity, ..Diagnostic::error("argument-without-value", argument.span, message) }
}

/// The value of a range nearest to zero.
fn near((least, most): (i64, i64)) -> i64 {
    0.clamp(least, most)
}

/// The region with the values nearest to zero.
fn nearest(open: &[Region]) -> Option<usize> {
    let far = |region: &Region| -> u64 {
        // At equal distance, prefer the positive value.
        let away = |&range| 2 * near(range).unsigned_abs() + u64::from(near(range) < 0);
        region.iter().map(away).sum()
    };
    (0..open.len()).min_by_key(|&at| (far(&open[at]), open[at].clone()))
}

/// The parts of a region that a case does not cover.
fn split(
    region: &Region,
    values: &[i64],
    reach: impl Fn(usize) -> (i128, i128),
    open: &mut Vec<Region>,
) {
    let mut rest = region.clone();
    for (argument, &value) in values.iter().enumerate() {
        let (down, up) = reach(argument);
        let (least, most) = region[argument];
        let clamped = |to: i128| to.clamp(i128::from(least), i128::from(most)) as i64;
        let first = clamped(i128::from(value) + down);
        let last = clamped(i128::from(value) + up);
        if first > least {
            rest[argument] = (least, first - 1);
            open.push(rest.clone());
        }
        if last < most {
            rest[argument] = (last + 1, most);
            open.push(rest.clone());
        }
        rest[argument] = (first, last);
    }
}

/// The bodies of the agents in a case; equal for equal cases.
fn key(case: &Case) -> Vec<u32> {
    let parts = case.groups.iter();
    parts
        .flat_map(|group| group.begins.iter().copied().chain(core::iter::once(group.class)))
        .collect()
}

/// For each value of the arguments for which data decide, the keys of the cases; the empty key stands for outcomes that
/// are not tried.
fn by_data(cases: &[Case], arguments: usize, open: &[Region]) -> Vec<Vec<Vec<u32>>> {
    let mut by_values: OrderedMap<&[i64], OrderedSet<Vec<u32>>> = OrderedMap::new();
    for case in cases {
        by_values.entry(&case.values[..arguments]).or_default().insert(key(case));
    }
    for (values, keys) in &mut by_values {
        let has = |region: &Region| {
            values.iter().zip(region).all(|(value, (least, most))| (least..=most).contains(&value))
        };
        if open.iter().any(has) {
            keys.insert(Vec::new());
        }
    }
    let several = by_values.into_values().filter(|keys| keys.len() > 1);
    several.map(|keys| keys.iter().cloned().collect()).collect()
}

/// Keeps one of the cases with equal agents; returns the position of each key.
fn distinct(cases: &mut Vec<Case>) -> OrderedMap<Vec<u32>, u32> {
    let mut known: OrderedMap<Vec<u32>, u32> = OrderedMap::new();
    cases.retain(|case| {
        let next = known.len() as u32;
        *known.entry(key(case)).or_insert(next) == next
    });
    known
}

/// Joins the bodies of all cases into one for each agent, which starts with a choice of the host.
fn joined(cases: Vec<Vec<Shared>>, compilation: &mut Compilation) -> Vec<Shared> {
    let agents = cases[0].len();
    if cases.len() == 1 {
        return cases.into_iter().flatten().collect();
    }
    let bodies = core::mem::take(&mut compilation.bodies);
    compilation.forget_bodies();
    let span = compilation.code.arguments.first().map(|argument| argument.span);
    let question = || compilation.instances.terms.question(0).map(|question| question.span);
    let span = span.or_else(question).unwrap_or_default();
    let mut known: OrderedMap<Vec<(BodyId, *const Source)>, Shared> = OrderedMap::new();
    let mut joined = Vec::with_capacity(agents);
    for agent in 0..agents {
        let parts: Vec<&Shared> = cases.iter().map(|case| &case[agent]).collect();
        let key: Vec<_> = parts.iter().map(|part| (part.0, part.1.as_ptr())).collect();
        let shared = match known.get(&key) {
            Some(shared) => shared.clone(),
            None => {
                let (nodes, sources) = one_behind_another(&parts, &bodies, span);
                let shared = (compilation.body(Body { nodes }), sources.into());
                known.insert(key, shared.clone());
                shared
            }
        };
        joined.push(shared);
    }
    joined
}

/// A choice among bodies, followed by each of them once.
fn one_behind_another(parts: &[&Shared], bodies: &[Body], span: Span) -> (Vec<Node>, Vec<Source>) {
    let mut nodes = alloc::vec![Node::Choose { next: Vec::new() }];
    let mut sources =
        alloc::vec![Source { span, text: String::from("arguments"), ..Source::default() }];
    let mut starts: OrderedMap<(BodyId, *const Source), NodeId> = OrderedMap::new();
    let mut known: Known = OrderedMap::new();
    let mut next = Vec::with_capacity(parts.len());
    for (body, from) in parts {
        let start = *starts.entry((*body, from.as_ptr())).or_insert_with(|| {
            add(&bodies[*body as usize].nodes, from, (&mut nodes, &mut sources), &mut known)
        });
        next.push(start);
    }
    nodes[0] = Node::Choose { next };
    (nodes, sources)
}

/// Nodes by the hash of their content and source.
type Known = OrderedMap<u64, Vec<NodeId>>;

/// Adds the nodes of a body and returns the first. A node with the same continuation as an existing node is that node,
/// so that cases share their common ends.
fn add(
    body: &[Node],
    from: &[Source],
    (nodes, sources): (&mut Vec<Node>, &mut Vec<Source>),
    known: &mut Known,
) -> NodeId {
    const OPEN: NodeId = NodeId::MAX;
    let (mut places, mut again) = (alloc::vec![OPEN; body.len()], Vec::new());
    for (at, (node, source)) in body.iter().zip(from).enumerate().rev() {
        let moved = node.moved(&places);
        let closed = !successors(&moved).contains(&OPEN);
        let mut hasher = Fnv::new();
        (&moved, source.span.start, source.span.length).hash(&mut hasher);
        let alike = known.entry(hasher.finish()).or_default();
        let same = |&&id: &&NodeId| nodes[id as usize] == moved && sources[id as usize] == *source;
        places[at] = match alike.iter().find(same).filter(|_| closed) {
            Some(&id) => id,
            None => {
                let id = nodes.len() as NodeId;
                if closed {
                    alike.push(id)
                } else {
                    again.push((id, node))
                }
                nodes.push(moved);
                sources.push(source.clone());
                id
            }
        };
    }
    for (id, node) in again {
        nodes[id as usize] = node.moved(&places);
    }
    places.first().copied().unwrap_or_default()
}

/// `n = 3, m = 0`
fn passed(arguments: &[Argument], values: &[i64]) -> String {
    let each = arguments.iter().zip(values);
    let each: Vec<_> =
        each.map(|(argument, value)| format!("{} = {value}", argument.name)).collect();
    each.join(", ")
}

/// The arguments that decide whether something occurs: those of which other values may have a different result. Empty
/// if it occurs for all values; `None` if data decide as well and no argument does.
fn deciding(
    known: &[Argument],
    region: &Region,
    values: &[i64],
    asked: &Arguments,
) -> Option<String> {
    let decides = |at: usize| {
        let ((least, most), value) = (known[at].range, i128::from(values[at]));
        let (down, up) = asked.reach.of(at);
        region[at] != (least, most)
            || value + down > i128::from(least)
            || value + up < i128::from(most)
    };
    let each = (0..known.len()).filter(|&at| decides(at));
    let values_passed: Vec<_> =
        each.map(|at| format!("{} = {}", known[at].name, values[at])).collect();
    let by_data = values_passed.is_empty() && !asked.questions.borrow().is_empty();
    (!by_data).then(|| values_passed.join(", "))
}

fn named(found: Diagnostic, deciding: Option<&str>) -> Diagnostic {
    match deciding.filter(|values_passed| !values_passed.is_empty()) {
        Some(values_passed) => {
            Diagnostic { message: format!("{} (with {values_passed})", found.message), ..found }
        }
        None => found,
    }
}

/// The end of a warning about a case that is left out while others are checked.
const LEFT_OUT: &str = "; this case is skipped";

fn left_out(found: Diagnostic, deciding: Option<&str>) -> Diagnostic {
    let values_passed = match deciding {
        Some("") => String::from(" for every argument value"),
        Some(values_passed) => format!(" where {values_passed}"),
        None => String::new(),
    };
    let message = format!("{}{values_passed}{LEFT_OUT}", found.message);
    Diagnostic { message, severity: Severity::Warning, ..found }
}

/// Turns a warning into an error if nothing is checked, so that nothing is left out.
fn as_error(found: Diagnostic) -> Diagnostic {
    let message = String::from(found.message.strip_suffix(LEFT_OUT).unwrap_or(&found.message));
    Diagnostic { message, severity: Severity::Error, ..found }
}

/// The arguments with values in no case.
fn beyond<'a>(
    arguments: &'a [Argument],
    open: &'a [Region],
    cases: &'a [Case],
) -> impl Iterator<Item = Diagnostic> + 'a {
    let left = move |&at: &usize| open.iter().any(|region| region[at] != arguments[at].range);
    let of = move |at: usize| {
        let values = || cases.iter().map(|case| case.values[at]);
        let (least, most) =
            (values().min().unwrap_or_default(), values().max().unwrap_or_default());
        let tried = match least == most {
            true => format!("only {most} is checked"),
            false => format!("the values nearest to zero, {least} to {most}, are checked"),
        };
        let Argument { name, span, .. } = &arguments[at];
        let code = "argument-without-value";
        let message = format!(
            "argument `{name}` has too many distinct cases: {tried}; other values are not checked"
        );
        let message_of_value = format!("give it a value: add `argument {name}=4`");
        let suggestion = Some(Suggestion { message: message_of_value, replacement: None });
        let severity = Severity::Warning;
        Diagnostic { severity, suggestion, ..Diagnostic::error(code, *span, message) }
    };
    (0..arguments.len()).filter(left).map(of)
}
