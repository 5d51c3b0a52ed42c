//! `tidegate diff`: compares the verdicts of two scenarios, or of two sides on many scenarios.

use crate::args::{Diff, Launched, Plain};
use crate::exit::{Exit, Failure};
use crate::human::{count, diagnostic};
use crate::output::{BOLD, print, print_error, print_raw, styled, verdict};
use crate::progress::Progress;
use crate::table::{Cell, render};
use crate::{escape, input, json, options, walk};
use serde_json::json;
use similar::{ChangeTag, TextDiff};
use std::path::Path;
use tidegate_check::Scene;
use tidegate_check::difference::{Difference, EdgeDifference, Judgements, difference};
use tidegate_check::link::decode;
use tidegate_check::report::Finding;
use tidegate_check::side::{Side, differ, verdicts};

/// Runs the command.
pub(crate) fn run(arguments: &Diff) -> Result<Exit, Failure> {
    if arguments.on.is_empty() { scenarios(arguments) } else { sides(arguments) }
}

/// Compares two scenarios.
fn scenarios(arguments: &Diff) -> Result<Exit, Failure> {
    let launched = &arguments.judging.launched;
    let [left, right] = [read(&arguments.left, launched)?, read(&arguments.right, launched)?];
    let targets = arguments.target.as_deref().map(options::targets).transpose()?;
    let options = options::judging(&arguments.judging)?;
    let progress = Progress::new(1);
    let found =
        difference(&left, &right, &options, &targets.unwrap_or_default(), &mut progress.watch());
    drop(progress);
    let Some(found) = found else {
        for scene in [&left, &right] {
            for one in scene.diagnostics() {
                print_error(&diagnostic(&one, scene.file(), scene.text()));
            }
        }
        return Ok(Exit::Usage);
    };
    let same_text = left.text() == right.text();
    match arguments.format {
        Plain::Json => print_raw(&json::pretty(&json!({
            "schema": "tidegate.diff/1", "left": left.file(), "right": right.file(),
            "text": lines(&left, &right), "judgements": found.judgements, "edges": found.edges,
        }))?)?,
        Plain::Human => print(&human(&left, &right, &found))?,
    }
    Ok(if same_text && !found.differ() { Exit::Ok } else { Exit::Found })
}

/// Reads a file, or the scenario of a link.
fn read(word: &str, launched: &Launched) -> Result<Scene, Failure> {
    let is_link = word.contains("#v") && !Path::new(word).exists();
    if is_link {
        let shared = decode(word).map_err(|error| Failure::new(error.to_string()))?;
        return Ok(Scene::launched("link", &shared.text, &options::launching(launched)?));
    }
    let source = input::read(Path::new(word))?;
    options::scene(&source, launched)
}

/// Lines of only one of the scenarios, each with `-` or `+` and its number there.
fn lines(left: &Scene, right: &Scene) -> Vec<String> {
    let diff = TextDiff::from_lines(left.text(), right.text());
    let changed = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    let line = |change: similar::Change<&str>| {
        let (sign, number) = match change.tag() {
            ChangeTag::Delete => ('-', change.old_index()),
            _ => ('+', change.new_index()),
        };
        let number = number.map_or(0, |number| number + 1);
        format!("{sign}{number:>4}  {}", escape::line(change.value().trim_end()))
    };
    changed.map(line).collect()
}

fn human(left: &Scene, right: &Scene, found: &Difference) -> String {
    let mut out = format!("- {}\n+ {}\n", escape::line(left.file()), escape::line(right.file()));
    let lines = lines(left, right);
    section(&mut out, "scenario", lines, "identical");
    let judged = found.judgements.iter().flat_map(judgement).collect();
    section(&mut out, "verdicts", judged, "identical");
    let edges = found.edges.iter().map(edge).collect();
    section(&mut out, "relations of one execution", edges, "identical");
    out
}

fn section(out: &mut String, title: &str, lines: Vec<String>, nothing: &str) {
    let title = styled(BOLD, title);
    if lines.is_empty() {
        out.push_str(&format!("\n{title}: {nothing}\n"));
    } else {
        out.push_str(&format!("\n{title}\n"));
        lines.iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
}

fn judgement(one: &Judgements) -> Vec<String> {
    if !one.differ() {
        return Vec::new();
    }
    let target = match one.left_target == one.right_target {
        true => one.left_target.clone(),
        false => format!("{}, {}", one.left_target, one.right_target),
    };
    let mut lines = vec![format!("{target}: {} -> {}", verdict(&one.left), verdict(&one.right))];
    if one.left_machine != one.right_machine {
        let word = |machine: &Option<String>| machine.as_deref().map_or("none".into(), verdict);
        lines.push(format!(
            "  hardware model: {} -> {}",
            word(&one.left_machine),
            word(&one.right_machine)
        ));
    }
    lines.extend(one.lost.iter().map(|finding| rule('-', finding)));
    lines.extend(one.gained.iter().map(|finding| rule('+', finding)));
    lines.extend(one.ambiguities.iter().map(|id| {
        let sign = if one.left_ambiguities.contains(id) { '-' } else { '+' };
        format!("  {sign} the verdict depends on the reading of {id}")
    }));
    lines
}

fn rule(sign: char, finding: &Finding) -> String {
    format!("  {sign} {}[{}]: {}", finding.class, finding.rule, escape::line(&finding.message))
}

fn edge(edge: &EdgeDifference) -> String {
    let sign = if edge.left { '-' } else { '+' };
    let EdgeDifference { relation, from, to, .. } = edge;
    format!("{sign} {relation}: {} to {}", escape::line(from), escape::line(to))
}

/// Compares two sides on many scenarios.
fn sides(arguments: &Diff) -> Result<Exit, Failure> {
    let sides = options::sides(&[arguments.left.clone(), arguments.right.clone()])?;
    let base = options::judging(&arguments.judging)?;
    let files = walk::scenarios(&arguments.on)?;
    let progress = Progress::new(files.len());
    let mut judged = Vec::new();
    for file in &files {
        let source = input::read(file)?;
        let scene = options::scene(&source, &arguments.judging.launched)?;
        judged.push((source.name, verdicts(sides, &scene, &base, &mut progress.watch())));
        progress.finish_one();
    }
    drop(progress);
    let parted: Vec<_> = judged.iter().filter(|(_, [left, right])| differ(left, right)).collect();
    match arguments.format {
        Plain::Json => {
            let rows = judged.iter().map(|(file, [left, right])| {
                json!({ "file": file, "left": left, "right": right, "differ": differ(left, right) })
            });
            print_raw(&json::pretty(&json!({
                "schema": "tidegate.diff-sides/1",
                "left": sides[0].name(), "right": sides[1].name(),
                "scenarios": rows.collect::<Vec<_>>(),
            }))?)?;
        }
        Plain::Human => {
            let [left, right] = sides.map(Side::name);
            let rows: Vec<Vec<Cell>> = parted
                .iter()
                .map(|(file, [first, second])| {
                    [escape::line(file), first.clone(), second.clone()].map(Cell::new).to_vec()
                })
                .collect();
            if !rows.is_empty() {
                print(&render(&["scenario", &left, &right], &rows))?;
            }
            let all = count(judged.len() as u64, "scenario");
            print(&format!("verdicts differ on {} of {all}\n", rows.len()))?;
        }
    }
    Ok(if parted.is_empty() { Exit::Ok } else { Exit::Found })
}
