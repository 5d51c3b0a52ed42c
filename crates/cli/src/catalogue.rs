//! `tidegate rules` and `tidegate targets`.

use crate::args::{Catalogue, Plain};
use crate::exit::{Exit, Failure};
use crate::names::unknown;
use crate::output::{BOLD, print, print_raw, styled, verdict};
use crate::table::{Cell, render};
use crate::{json, options};
use serde_json::{Value, json};
use tidegate_check::model::observation::Observation;
use tidegate_check::model::reading::ReadingId;
use tidegate_check::model::rule::{RULES, Rule};
use tidegate_check::model::target::{TARGETS, Target};
use tidegate_check::model::target_set::expand;

/// Runs `rules`.
pub(crate) fn rules(arguments: &Catalogue) -> Result<Exit, Failure> {
    let all: Vec<&Rule> = RULES.iter().collect();
    if let Some(id) = arguments.id.as_deref()
        && (ReadingId::from_name(id).is_some() || Observation::from_name(id).is_some())
    {
        return Err(Failure::new(format!("unknown rule `{id}`"))
            .help(format!("run `tidegate readings {id}`")));
    }
    let chosen = choose(
        arguments.id.as_deref(),
        &all,
        |rule| rule.id,
        "rule",
        "`tidegate rules` lists all rules",
    )?;
    show(arguments, &chosen, rule_text, rule_table, rule_json)
}

/// Runs `targets`. A set or a range names several.
pub(crate) fn targets(arguments: &Catalogue) -> Result<Exit, Failure> {
    let chosen: Vec<&Target> = match arguments.id.as_deref() {
        None => TARGETS.iter().collect(),
        Some(word) => expand(word)
            .ok_or_else(|| options::no_target(word))?
            .into_iter()
            .map(|id| id.get())
            .collect(),
    };
    show(arguments, &chosen, target_text, target_table, target_json)
}

/// Returns the entry `id`, or the entries whose identifiers begin with it; without `id`, all entries.
pub(crate) fn choose<'a, T>(
    id: Option<&str>,
    all: &[&'a T],
    name: impl Fn(&T) -> &'static str,
    what: &str,
    otherwise: &str,
) -> Result<Vec<&'a T>, Failure> {
    let Some(id) = id else { return Ok(all.to_vec()) };
    let exact: Vec<&T> = all.iter().copied().filter(|entry| name(entry) == id).collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let below: Vec<&T> = all.iter().copied().filter(|entry| name(entry).starts_with(id)).collect();
    if below.is_empty() {
        Err(unknown(what, id, all.iter().map(|entry| name(entry)), otherwise))
    } else {
        Ok(below)
    }
}

/// One entry in full, several as a table; or as JSON.
fn show<T>(
    arguments: &Catalogue,
    chosen: &[&T],
    text: impl Fn(&T) -> String,
    table: impl Fn(&[&T]) -> String,
    as_json: impl Fn(&T) -> Value,
) -> Result<Exit, Failure> {
    match (arguments.format, chosen) {
        (Plain::Json, [one]) => print_raw(&json::pretty(&as_json(one))?)?,
        (Plain::Json, several) => {
            print_raw(&json::pretty(&several.iter().map(|one| as_json(one)).collect::<Vec<_>>())?)?
        }
        (Plain::Human, [one]) => print(&text(one))?,
        (Plain::Human, several) => print(&table(several))?,
    }
    Ok(Exit::Ok)
}

/// The class of findings of a rule, or the force of a rule that constrains executions.
fn class_of(rule: &Rule) -> &'static str {
    rule.class.map_or(rule.force.word(), |class| class.word())
}

fn rule_table(rules: &[&Rule]) -> String {
    let rows: Vec<Vec<Cell>> = rules
        .iter()
        .map(|rule| [rule.id, class_of(rule), rule.statement].map(Cell::new).to_vec())
        .collect();
    render(&["rule", "class", "statement"], &rows)
}

fn rule_text(rule: &Rule) -> String {
    let mut out =
        format!("{}: {}\n\n{}\n", styled(BOLD, rule.id), verdict(class_of(rule)), rule.statement);
    out.push_str(&format!(
        "\nforce   {}\nsource  {}, \"{}\"\n",
        rule.force.word(),
        rule.document,
        rule.section
    ));
    if !rule.remedy.is_empty() {
        out.push_str(&format!("help    {}\n", rule.remedy));
    }
    out
}

fn rule_json(rule: &Rule) -> Value {
    json!({
        "id": rule.id, "class": rule.class.map(|class| class.word()), "force": rule.force.word(),
        "statement": rule.statement, "document": rule.document, "section": rule.section,
        "remedy": (!rule.remedy.is_empty()).then_some(rule.remedy),
    })
}

/// The features of a target with their names.
fn features(target: &Target) -> [(&'static str, bool); 6] {
    [
        ("back-off barrier", target.back_off_barrier),
        ("split barriers", target.split_barriers),
        ("named barriers", target.named_barriers),
        ("cluster barriers", target.cluster_barriers),
        ("LDS-DMA", target.lds_dma),
        ("async marks", target.async_marks),
    ]
}

fn target_table(targets: &[&Target]) -> String {
    let row = |target: &&Target| {
        let cells = features(target).map(|(_, has)| Cell::new(if has { "yes" } else { "-" }));
        [Cell::new(target.name), Cell::new(target.family.word())].into_iter().chain(cells).collect()
    };
    let head =
        ["target", "family", "back-off", "split", "named", "cluster", "LDS-DMA", "async marks"];
    render(&head, &targets.iter().map(row).collect::<Vec<Vec<Cell>>>())
}

fn target_text(target: &Target) -> String {
    let mut out = format!("{}: {}\n\n", styled(BOLD, target.name), target.family.word());
    for (name, has) in features(target) {
        out.push_str(&format!("{name:<18}{}\n", if has { "yes" } else { "no" }));
    }
    let counters = target.counters.names();
    if !counters.is_empty() {
        out.push_str(&format!("{:<18}{}\n", "counters", counters.join(", ")));
    }
    out
}

fn target_json(target: &Target) -> Value {
    json!({
        "name": target.name, "family": target.family.word(),
        "back_off_barrier": target.back_off_barrier, "split_barriers": target.split_barriers,
        "named_barriers": target.named_barriers, "cluster_barriers": target.cluster_barriers,
        "lds_dma": target.lds_dma, "async_marks": target.async_marks,
        "counters": target.counters.names(),
    })
}
