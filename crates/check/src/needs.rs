//! The purpose of each synchronising statement: the verdict without it.

use crate::edit::fix;
use crate::judge::KeepGoing;
use crate::judged::judged;
use crate::mend::statement::Statement;
use crate::mend::units::{class, synchronises};
use crate::report::{Edit, Fix, Report};
use crate::scene::{Options, Scene};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// Largest number of removed statements.
pub const MOST: usize = 64;

/// The largest part of the work of a judgement that one removal takes.
const WORK: u64 = 4;

/// The verdicts of a scenario without each of its synchronising statements.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Needs {
    /// The verdict with every statement.
    pub verdict: String,
    /// The first [`MOST`] statements, in the order of the text.
    pub statements: Vec<Need>,
    /// The number of further statements, which were not tried.
    pub left_out: usize,
}

/// A statement, and the verdict without it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Need {
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// Its text.
    pub statement: String,
    /// The verdict without it; `invalid` if the rest is not a scenario.
    pub verdict: String,
    /// The rule of the first finding without it.
    pub rule: Option<String>,
    /// The message of that finding.
    pub message: Option<String>,
    /// The removal.
    pub edit: Edit,
}

impl Need {
    /// The text without the statement.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        apply(text, &self.edit)
    }
}

fn apply(text: &str, edit: &Edit) -> String {
    fix::apply(text, &Fix { message: String::new(), edits: [edit.clone()].into() })
}

/// Judges a scenario without each of its synchronising statements. `None` if the scenario is invalid, or another compiler
/// compiled it.
///
/// A statement that several agents perform is removed for all of them.
///
/// # Examples
///
/// ```
/// use tidegate_check::{Options, Scene, needs::needs};
///
/// let scene = Scene::new("a.tide", "target gfx1250\nlaunch waves=2\nwave * {\n  arrive wg\n  wait wg\n}\n");
/// let needs = needs(&scene, &Options::default(), &mut |_| true).expect("a scenario");
/// let found: Vec<_> = needs.statements.iter().map(|it| (it.line, it.verdict.as_str())).collect();
/// assert_eq!(found, [(4, "deadlock"), (5, "ok")]);
/// ```
#[must_use]
pub fn needs(scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> Option<Needs> {
    if !scene.is_valid() || !scene.can_be_edited() {
        return None;
    }
    let options = options.for_verdict();
    let verdict = judged(scene, &options, keep_going).verdict;
    let options = Options { max_work: options.max_work / WORK, ..options };
    let all = statements(scene);
    let without = |statement: &Statement<'_>| {
        let edit = statement.deleted();
        let text = apply(scene.text(), &with_lines(scene.text(), &edit));
        let report = judged(&scene.with_text(&text), &options, keep_going);
        need(statement, edit, report)
    };
    let left_out = all.len().saturating_sub(MOST);
    let statements = all.iter().take(MOST).map(without).collect();
    Some(Needs { verdict, statements, left_out })
}

/// The edit with an empty line for each line that it removes, so that lines in messages are those of the text.
fn with_lines(text: &str, edit: &Edit) -> Edit {
    let (start, end) = (edit.offset as usize, (edit.offset + edit.length) as usize);
    let lines = text.get(start..end).map_or(0, |removed| removed.matches('\n').count());
    Edit { replacement: "\n".repeat(lines), ..edit.clone() }
}

fn need(statement: &Statement<'_>, edit: Edit, report: Report) -> Need {
    let (line, column) = statement.place();
    let first = report.findings.into_iter().find(|finding| finding.class != "lint");
    let (rule, message) = first.map(|first| (first.rule, first.message)).unzip();
    Need {
        line,
        column,
        statement: statement.words().to_owned(),
        verdict: report.verdict,
        rule,
        message,
        edit,
    }
}

/// The synchronising statements of a text, in order. A statement of several operations is one.
fn statements(scene: &Scene) -> Vec<Statement<'_>> {
    let Some(context) = scene.context() else { return Vec::new() };
    let spans =
        context.operations().filter(|(.., operation)| synchronises(class(operation.action)));
    let spans = spans.map(|(agent, node, _)| scene.source(agent, node).span);
    let places =
        spans.filter(|span| span.line > 0).map(|span| (span.start, (span.line, span.column)));
    let places: OrderedMap<u32, (u32, u32)> = places.collect();
    places
        .values()
        .filter_map(|&(line, column)| Statement::at(scene.text(), line, column))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(u32, String, Option<String>)> {
        let needs = needs(&Scene::new("a.tide", text), &Options::default(), &mut |_| true);
        let statements = needs.expect("a scenario").statements.into_iter();
        statements.map(|it| (it.line, it.verdict, it.rule)).collect()
    }

    #[test]
    fn lines_in_messages_are_those_of_the_text() {
        let text = "target model\nlaunch waves=2\nwave * {\n  arrive wg\n  wait wg\n}\n";
        let needs = needs(&Scene::new("a.tide", text), &Options::default(), &mut |_| true);
        let edit = needs.expect("a scenario").statements.swap_remove(0).edit;
        assert_eq!(apply(text, &edit), text.replace("  arrive wg\n", ""));
        assert_eq!(apply(text, &with_lines(text, &edit)), text.replace("  arrive wg\n", "\n"));
    }

    #[test]
    fn each_statement_has_the_verdict_without_it() {
        let rule = |rule: &str| Some(rule.to_owned());
        let text = "target sm_90\nlaunch warps=2\nshared x[4]\nwarp 0 {\n  store x\n  bar.sync 0\n  bar.sync 1\n}\nwarp 1 {\n  bar.sync 0; load x\n  bar.sync 1\n}\n";
        assert_eq!(
            found(text),
            [
                (6, "deadlock".to_owned(), rule("ptx.bar.never-completes")),
                // A warp that has ended is not waited for.
                (7, "ok".to_owned(), None),
                (10, "race".to_owned(), rule("mem.race")),
                (11, "ok".to_owned(), None),
            ]
        );
        let text = "target sm_90\nlaunch warps=2\nshared x[4]\nwarp * {\n  if warp_id == 0 { store x }\n  bar.sync 0\n  if warp_id == 1 { load x }\n  bar.sync 1\n}\n";
        let both = [(6, "race".to_owned(), rule("mem.race")), (8, "ok".to_owned(), None)];
        assert_eq!(found(text), both);
    }

    #[test]
    fn an_invalid_text_has_no_needs() {
        let scene = Scene::new("a.tide", "wave {");
        assert_eq!(needs(&scene, &Options::default(), &mut |_| true), None);
    }

    #[test]
    fn a_removal_is_an_edit_of_the_text() {
        let text = "target gfx1250\nlaunch waves=1\nwave 0 { arrive wg; wait wg }\n";
        let needs = needs(&Scene::new("a.tide", text), &Options::default(), &mut |_| true);
        let first = &needs.expect("a scenario").statements[0];
        assert_eq!(first.apply(text), "target gfx1250\nlaunch waves=1\nwave 0 { wait wg }\n");
    }
}
