//! `tidegate trace`: prints the witness of a finding, with the state of every object after each step.

use crate::args::Trace;
use crate::exit::{Exit, Failure};
use crate::human::count;
use crate::output::{BOLD, DIM, print, print_error, styled, verdict};
use crate::table::{Cell, render};
use crate::{escape, human, input, options};
use std::collections::BTreeMap;
use tidegate_check::Options;
use tidegate_check::model::rule::RuleId;
use tidegate_check::model::verdict::Class;
use tidegate_check::report::{Finding, Report};
use tidegate_check::step::{CounterView, FlightView, ObjectView, Performed, Stepper, View};

/// Largest number of objects for which every object is shown; otherwise only those that a step changes.
const MAX_COLUMNS: usize = 6;

/// Runs the command.
pub(crate) fn run(arguments: &Trace) -> Result<Exit, Failure> {
    let target = arguments.target.as_deref().map(options::target).transpose()?;
    let source = input::read(&arguments.file)?.compiled(target, &arguments.judging.launched);
    let scene = options::scene(&source, &arguments.judging.launched)?;
    let options = Options { target, ambiguities: false, ..options::judging(&arguments.judging)? };
    let report = tidegate_check::check(&scene, &options, &mut |_| true);
    if report.verdict == "invalid" {
        for diagnostic in &report.diagnostics {
            print_error(&human::diagnostic(diagnostic, &source.name, &source.text));
        }
        return Ok(Exit::Usage);
    }
    match pick(&report, arguments.finding)? {
        None => print(&format!(
            "{} on {}: {}; no finding to trace\n",
            escape::line(&source.name),
            report.target,
            verdict(&report.verdict)
        ))?,
        Some(Pick { finding, of_machine }) => {
            let stepper = if of_machine { Stepper::of_machine } else { Stepper::new };
            let stepper = stepper(&scene, &options).ok_or_else(|| {
                Failure::new(
                    "no trace: the scenario uses operations that the checker does not model",
                )
            })?;
            print(&table_of(stepper, &report, finding, of_machine)?)?;
        }
    }
    Ok(Exit::Ok)
}

/// A finding to trace.
struct Pick<'a> {
    finding: &'a Finding,
    /// Whether it is a finding of the hardware model.
    of_machine: bool,
}

/// Picks the finding with a number (findings of the hardware model are last), or the first one with a witness.
fn pick(report: &Report, number: Option<u32>) -> Result<Option<Pick<'_>>, Failure> {
    let of_machine = report.machine.iter().flat_map(|machine| &machine.findings);
    let (of_text, mut of_machine) = (report.findings.len(), of_machine);
    let finding = match number.map(|number| number as usize) {
        Some(number) if number > of_text => of_machine.nth(number - of_text - 1),
        Some(_) => None,
        None if report.findings.iter().any(|finding| !finding.witness.is_empty()) => None,
        None => of_machine.find(|finding| !finding.witness.is_empty()),
    };
    match finding {
        Some(finding) => {
            witnessed(finding, number).map(|finding| Some(Pick { finding, of_machine: true }))
        }
        None => Ok(choose(report, number)?.map(|finding| Pick { finding, of_machine: false })),
    }
}

/// The finding with a number, or the first one with a witness.
pub(crate) fn choose(report: &Report, number: Option<u32>) -> Result<Option<&Finding>, Failure> {
    let Some(number) = number else {
        return Ok(report.findings.iter().find(|finding| !finding.witness.is_empty()));
    };
    let finding = report.findings.get(number as usize - 1).ok_or_else(|| {
        let of_machine = report.machine.as_ref().map_or(0, |machine| machine.findings.len());
        Failure::new(format!("no finding {number} on {}", report.target)).help(format!(
            "`tidegate check` lists {}",
            count((report.findings.len() + of_machine) as u64, "finding")
        ))
    })?;
    witnessed(finding, Some(number)).map(Some)
}

/// The finding, if it has a witness.
fn witnessed(finding: &Finding, number: Option<u32>) -> Result<&Finding, Failure> {
    if finding.witness.is_empty() {
        return Err(Failure::new(format!(
            "finding {} ({}) has no witness",
            number.unwrap_or(1),
            finding.rule
        )));
    }
    Ok(finding)
}

/// The output for one finding.
fn table_of(
    stepper: Stepper,
    report: &Report,
    finding: &Finding,
    of_machine: bool,
) -> Result<String, Failure> {
    let keys: Vec<String> = finding.witness.iter().map(|step| step.key.clone()).collect();
    let Replay { views, counters, flights } = replay(stepper, &keys)?;
    let mut out = format!(
        "{} on {}{}: {}\n{}: {}\n\n",
        styled(BOLD, &escape::line(&report.file)),
        report.target,
        if of_machine { ", hardware model (public, not measured)" } else { "" },
        verdict(&finding.word()),
        styled(BOLD, &finding.rule),
        escape::line(&finding.message)
    );
    out.push_str(&steps(&views, &counters, &flights, &finding.rule));
    if let Some(last) = views.last() {
        out.push_str(&ending(last));
        out.push_str(&words(last).unwrap_or_else(|| legend(last)));
    }
    Ok(out)
}

/// The counters of memory operations of every agent.
type Counters = Vec<CounterView>;

/// Longest witness for which copies and marks are shown after each step.
const MOST_STEPS: usize = 400;

/// The operations in flight of each agent: the number of copies, and the lines of outstanding marks.
type Flights = BTreeMap<usize, (usize, Vec<u32>)>;

fn flights(stepper: &Stepper, wanted: bool) -> Flights {
    let flights = if wanted { stepper.memory().flights } else { Vec::new() };
    let one = |flight: FlightView| {
        let copies = flight.copies.iter().filter(|copy| copy.completed.is_none()).count();
        let marks = flight.frames.iter().flat_map(|frame| &frame.marks);
        (flight.agent, (copies, marks.map(|mark| mark.line).collect()))
    };
    flights.into_iter().map(one).collect()
}

/// The copies and marks in flight after a step that changes them: `2 copies in flight, marks in lines 7, 9`.
fn in_flight(number: usize, agent: usize, flights: &[Flights]) -> Option<String> {
    let (before, after) = (flights.get(number.checked_sub(1)?)?, flights.get(number)?);
    let (copies, marks) = after.get(&agent)?;
    if before.get(&agent) == Some(&(*copies, marks.clone())) {
        return None;
    }
    let lines: Vec<String> = marks.iter().map(u32::to_string).collect();
    let marked = match lines.as_slice() {
        [] => "no mark".into(),
        [one] => format!("mark in line {one}"),
        many => format!("marks in lines {}", many.join(", ")),
    };
    let copied = if *copies == 1 { "1 copy".into() } else { format!("{copies} copies") };
    Some(format!("{copied} in flight, {marked}"))
}

/// The view, the counters and the operations in flight, at launch and after each step.
#[derive(Default)]
struct Replay {
    views: Vec<View>,
    counters: Vec<Counters>,
    flights: Vec<Flights>,
}

impl Replay {
    fn note(&mut self, stepper: &Stepper, wanted: bool) {
        self.views.push(stepper.view());
        self.counters.push(stepper.counters());
        self.flights.push(flights(stepper, wanted));
    }
}

fn replay(mut stepper: Stepper, keys: &[String]) -> Result<Replay, Failure> {
    let wanted = keys.len() <= MOST_STEPS;
    let mut replay = Replay::default();
    replay.note(&stepper, wanted);
    for key in keys {
        stepper.perform(key).map_err(|_| {
            Failure::new(format!(
                "internal error: step {key} of the witness cannot be performed; please report it"
            ))
        })?;
        replay.note(&stepper, wanted);
    }
    Ok(replay)
}

fn steps(views: &[View], counters: &[Counters], flights: &[Flights], rule: &str) -> String {
    let names: Vec<String> = views
        .first()
        .map(|view| view.objects.iter().map(|object| escape::line(&object.name)).collect())
        .unwrap_or_default();
    let wide = names.len() <= MAX_COLUMNS;
    let mut head = vec!["step", "agent", "line", "operation"];
    if wide {
        head.extend(names.iter().map(String::as_str))
    } else {
        head.push("changed")
    }
    head.push("notes");
    let mut rows: Vec<Vec<Cell>> = views
        .iter()
        .enumerate()
        .map(|(number, view)| row(number, view, counters, flights, wide))
        .collect();
    let last = views.last().and_then(|view| view.performed.last());
    if let (Some(step), Some(cell)) = (last, rows.last_mut().and_then(|row| row.last_mut())) {
        cell.text.push_str(&aliases(step, rule));
    }
    render(&head, &rows)
}

/// The counters that a step changed: `vmcnt 2`.
fn counted(number: usize, counters: &[Counters]) -> Option<String> {
    let (before, after) = (counters.get(number.checked_sub(1)?)?, counters.get(number)?);
    let changed = after.iter().filter(|counter| !before.contains(counter));
    let said: Vec<String> = changed
        .map(|counter| format!("{} {}", counter.counter, counter.outstanding.len()))
        .collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// One row: the step, then the state of each object after it.
fn row(
    number: usize,
    view: &View,
    counters: &[Counters],
    flights: &[Flights],
    wide: bool,
) -> Vec<Cell> {
    let step = view.performed.last().filter(|_| number > 0);
    let mut cells = match step {
        None => vec![Cell::new("-"), Cell::new("launch"), Cell::default(), Cell::default()],
        Some(step) => {
            let agent = view
                .agents
                .get(step.agent)
                .map(|agent| escape::line(&agent.name))
                .unwrap_or_default();
            let line = if step.line == 0 { String::new() } else { step.line.to_string() };
            vec![
                Cell::new(number.to_string()),
                Cell::new(agent),
                Cell::new(line),
                Cell::new(escape::line(&step.label)),
            ]
        }
    };
    if wide {
        cells.extend(
            view.objects
                .iter()
                .map(|object| Cell { text: state(object), strong: number > 0 && object.changed }),
        );
    } else {
        let changed = view.objects.iter().filter(|object| number > 0 && object.changed);
        cells.push(Cell::new(
            changed
                .map(|object| format!("{} {}", escape::line(&object.name), state(object)))
                .collect::<Vec<_>>()
                .join(", "),
        ));
    }
    let seen = |step: &Performed| {
        let counted = counted(number, counters);
        counted.into_iter().chain(in_flight(number, step.agent, flights)).collect()
    };
    cells.push(Cell::new(step.map(|step| notes(step, seen(step))).unwrap_or_default()));
    cells
}

/// An object as `arrived/expected`, and the current phase, counted from 1.
fn state(object: &ObjectView) -> String {
    if object.kind == "named" && object.name == "null" {
        return "-".into();
    }
    if !object.initialised {
        return "not initialised".into();
    }
    if !object.detail.is_empty() {
        // The word is shown only on the page.
        return object.detail.split("; word").next().unwrap_or_default().into();
    }
    format!("{}/{} phase {}", object.arrived, object.expected, object.completed.saturating_add(1))
}

/// The effects of a step that the counts do not show.
fn notes(step: &Performed, mut notes: Vec<String>) -> String {
    if step.kind == "wait" && !step.phases.is_empty() {
        let phases: Vec<String> = step.phases.iter().map(u32::to_string).collect();
        notes.push(format!("returns on phase {}", phases.join(" or ")));
    }
    if step.completes {
        let phase = step.phases.first();
        notes.push(
            phase.map_or("completes the phase".into(), |phase| format!("completes phase {phase}")),
        );
    }
    if step.kind == "wait" && step.phases.is_empty() && breaks_first_parity(step) {
        notes.push("returns before phase 0".into());
    }
    notes.extend(step.broke.iter().map(|rule| broke(rule)));
    notes.join("; ")
}

fn breaks_first_parity(step: &Performed) -> bool {
    step.broke.iter().any(|rule| rule == RuleId::PtxMbarrierFirstParity.get().id)
}

/// A rule that a step reports; a lint breaks no rule.
fn broke(rule: &str) -> String {
    match RuleId::from_name(rule).and_then(|rule| rule.get().class) {
        Some(Class::Lint) => format!("lint: {rule}"),
        _ => format!("breaks {rule}"),
    }
}

/// Notes that the wait of the last step returns on a later phase than intended. Only other executions show the intended
/// phase, so the step does not know it.
fn aliases(step: &Performed, rule: &str) -> String {
    let alias = RuleId::PtxMbarrierParityAlias.get().id;
    let is_told = step.broke.iter().any(|rule| rule == alias);
    let is_it = rule == alias && step.kind == "wait" && !step.phases.is_empty();
    if is_it && !is_told { format!(", later than intended; {alias}") } else { String::new() }
}

/// The state of the execution after the last step.
fn ending(view: &View) -> String {
    let mut out = format!("\n{}\n", escape::line(&view.summary));
    let stuck = view.state == "stuck";
    for agent in view.agents.iter().filter(|agent| stuck && agent.status == "blocked") {
        for step in &agent.moves {
            let why = step
                .blocked
                .as_deref()
                .map(|why| format!(": {}", escape::line(why)))
                .unwrap_or_default();
            out.push_str(&format!(
                "  {} is blocked at `{}` (line {}){why}\n",
                escape::line(&agent.name),
                escape::line(&step.label),
                step.line
            ));
        }
    }
    out
}

/// Whether the object is an NVIDIA cluster barrier.
fn is_met(object: &ObjectView) -> bool {
    object.kind == "cluster" && !object.detail.is_empty()
}

/// Explains the columns of the objects.
fn legend(view: &View) -> String {
    if !view.objects.iter().any(|object| object.initialised) {
        return String::new();
    }
    let has = |kind: &str| view.objects.iter().any(|object| object.kind == kind);
    let says = if has("mbarrier") {
        "mbarrier objects: current phase, pending of expected arrivals, tx-count; other barriers: arrivals"
    } else if has("bar") || has("warp") || view.objects.iter().any(is_met) {
        "barriers: arrived of expected"
    } else {
        "objects: arrivals/expected count, current phase"
    };
    format!("\n{}\n", styled(DIM, says))
}

/// The word that `s_get_barrier_state` would read for each object of the one-bit machine, as bits, and the meaning of
/// the columns.
fn words(view: &View) -> Option<String> {
    let bits = |object: &ObjectView| {
        let (_, bits) = object.detail.split_once("; word bits ")?;
        Some(format!("  {}: bits {bits}\n", escape::line(&object.name)))
    };
    let bits: String = view.objects.iter().filter_map(bits).collect();
    let says = "objects: signals and members, word, waves with a set completion bit";
    let out = format!("\ns_get_barrier_state returns\n{bits}\n{}\n", styled(DIM, says));
    (!bits.is_empty()).then_some(out)
}
