//! `tidegate readings`: the ambiguous rules of the documents with their readings, and the observations on the
//! documents.

use crate::args::{Prose, Readings};
use crate::catalogue::choose;
use crate::exit::{Exit, Failure};
use crate::json;
use crate::output::{BOLD, print, print_raw, styled};
use crate::table::{Cell, render};
use serde_json::{Value, json};
use tidegate_check::model::observation::{OBSERVATIONS, Observation};
use tidegate_check::model::reading::{READINGS, Reading};

/// An entry of the command.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Reading(&'static Reading),
    Observation(&'static Observation),
}

impl Entry {
    fn id(&self) -> &'static str {
        match self {
            Self::Reading(reading) => reading.name,
            Self::Observation(observation) => observation.id,
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Readings) -> Result<Exit, Failure> {
    let all: Vec<Entry> = READINGS
        .iter()
        .map(Entry::Reading)
        .chain(OBSERVATIONS.iter().map(Entry::Observation))
        .collect();
    let all: Vec<&Entry> = all.iter().collect();
    let chosen = choose(
        arguments.id.as_deref(),
        &all,
        Entry::id,
        "reading or observation",
        "`tidegate readings` lists all readings",
    )?;
    match (arguments.format, chosen.as_slice()) {
        (Prose::Json, [one]) => print_raw(&json::pretty(&as_json(one))?)?,
        (Prose::Json, several) => {
            print_raw(&json::pretty(&several.iter().map(|one| as_json(one)).collect::<Vec<_>>())?)?
        }
        (Prose::Markdown, several) => print_raw(&page(several))?,
        (Prose::Human, [Entry::Reading(one)]) => print(&reading_text(one))?,
        (Prose::Human, [Entry::Observation(one)]) => print(&observation_text(one))?,
        (Prose::Human, several) => print(&tables(several))?,
    }
    Ok(Exit::Ok)
}

/// The observations that concern a rule or a reading.
pub(crate) fn observed(id: &str) -> impl Iterator<Item = &'static Observation> {
    OBSERVATIONS.iter().filter(move |observation| observation.concerns.contains(&id))
}

fn readings_of(entries: &[&Entry]) -> Vec<&'static Reading> {
    let reading = |entry: &&Entry| match entry {
        Entry::Reading(reading) => Some(*reading),
        Entry::Observation(_) => None,
    };
    entries.iter().filter_map(reading).collect()
}

fn observations_of(entries: &[&Entry]) -> Vec<&'static Observation> {
    let observation = |entry: &&Entry| match entry {
        Entry::Observation(observation) => Some(*observation),
        Entry::Reading(_) => None,
    };
    entries.iter().filter_map(observation).collect()
}

fn tables(entries: &[&Entry]) -> String {
    let reading = |reading: &&Reading| {
        let options = reading.choices.map(|choice| choice.name).join(", ");
        vec![Cell::new(reading.name), Cell::new(options), Cell::new(reading.question)]
    };
    let observation = |observation: &&Observation| {
        let concerns = observation.concerns.join(", ");
        vec![Cell::new(observation.id), Cell::new(observation.title), Cell::new(concerns)]
    };
    let mut parts = Vec::new();
    let readings: Vec<_> = readings_of(entries).iter().map(reading).collect();
    if !readings.is_empty() {
        parts.push(render(&["reading", "options (default first)", "question"], &readings));
    }
    let observations: Vec<_> = observations_of(entries).iter().map(observation).collect();
    if !observations.is_empty() {
        parts.push(render(&["observation", "summary", "concerns"], &observations));
    }
    parts.join("\n")
}

fn reading_text(reading: &Reading) -> String {
    let mut out =
        format!("{}: {}\n\n{}\n\n", styled(BOLD, reading.name), reading.question, reading.passages);
    for (index, choice) in reading.choices.iter().enumerate() {
        let default = if index == 0 { " (default)" } else { "" };
        out.push_str(&format!("  {}{default}: {}\n", styled(BOLD, choice.name), choice.meaning));
    }
    let observations: Vec<&Observation> = observed(reading.name).collect();
    if !observations.is_empty() {
        out.push('\n');
    }
    for one in observations {
        out.push_str(&format!("observation {}: {}\n", one.id, one.title));
    }
    out
}

fn observation_text(one: &Observation) -> String {
    let mut out = format!("{}: {}\n\n{}\n\n", styled(BOLD, one.id), one.title, one.statement);
    out.push_str(&format!("source    {}, \"{}\"\n", one.document, one.section));
    if !one.concerns.is_empty() {
        out.push_str(&format!("concerns  {}\n", one.concerns.join(", ")));
    }
    out.push_str(&format!("scenario  {}\n", one.scenario));
    for line in one.shows {
        out.push_str(&format!("shows     {line}\n"));
    }
    out
}

fn as_json(entry: &Entry) -> Value {
    match entry {
        Entry::Reading(reading) => {
            let options = reading
                .choices
                .map(|choice| json!({ "name": choice.name, "meaning": choice.meaning }));
            let observations: Vec<_> = observed(reading.name).map(|one| one.id).collect();
            json!({
                "kind": "reading", "id": reading.name, "question": reading.question,
                "passages": reading.passages, "options": options, "default": reading.choices[0].name,
                "observations": observations,
            })
        }
        Entry::Observation(one) => json!({
            "kind": "observation", "id": one.id, "title": one.title, "statement": one.statement,
            "document": one.document, "section": one.section, "concerns": one.concerns,
            "scenario": one.scenario, "shows": one.shows,
        }),
    }
}

const HEAD: &str = "# Readings and observations\n\n\
This page lists the ambiguous rules of the documents with their readings, and observations: places where a document is \
silent, contradicts itself, or differs from implementations. Each observation has the smallest scenario that shows it, \
and a test checks that scenario. The command `tidegate readings` prints the same entries. This page is the output of \
`tidegate readings --format markdown`.\n";

/// Formats the entries as a page.
fn page(entries: &[&Entry]) -> String {
    let mut out = HEAD.to_owned();
    let (readings, observations) = (readings_of(entries), observations_of(entries));
    if !readings.is_empty() {
        out.push_str("\n## Ambiguous rules\n");
    }
    readings.iter().for_each(|reading| out.push_str(&reading_part(reading)));
    if !observations.is_empty() {
        out.push_str("\n## Observations\n");
    }
    observations.iter().for_each(|one| out.push_str(&observation_part(one)));
    out
}

fn reading_part(reading: &Reading) -> String {
    let mut out =
        format!("\n### {}: {}\n\n{}\n\n", reading.name, reading.question, reading.passages);
    for (index, choice) in reading.choices.iter().enumerate() {
        let default = if index == 0 { " (default)" } else { "" };
        out.push_str(&format!("* `{}`{default}: {}\n", choice.name, choice.meaning));
    }
    let seen: Vec<String> =
        observed(reading.name).map(|one| format!("{}, {}", one.id, lower(one.title))).collect();
    if !seen.is_empty() {
        out.push_str(&format!("\nObserved in {}.\n", seen.join("; ")));
    }
    out
}

/// Formats a title for use within a sentence.
fn lower(title: &str) -> String {
    let mut characters = title.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_lowercase).collect();
    first + characters.as_str()
}

fn observation_part(one: &Observation) -> String {
    let mut out = format!("\n### {}: {}\n\n{}\n\n", one.id, one.title, one.statement);
    out.push_str(&format!("* In {}, *{}*\n", one.document, one.section));
    if !one.concerns.is_empty() {
        let concerns: Vec<String> = one.concerns.iter().map(|id| format!("`{id}`")).collect();
        out.push_str(&format!("* Concerns {}\n", concerns.join(", ")));
    }
    let shows: Vec<String> = one.shows.iter().map(|line| format!("`{line}`")).collect();
    out.push_str(&format!(
        "* Shown by [{}](../{}): {}\n",
        one.scenario,
        one.scenario,
        shows.join(", ")
    ));
    out
}
