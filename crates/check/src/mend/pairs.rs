//! Further edits, if no likely edit fixes a scenario: edits that are known for its findings, and two edits together.
//!
//! The first one makes the gravest finding disappear, and the second one is a candidate for what is found then. The number
//! of first and second edits that are tried is bounded.

use super::search::{self, Candidate};
use super::shape::Shape;
use super::tally::Tally;
use super::tries::{Held, Tries};
use super::units::Units;
use super::{MOST_STATEMENTS, MOST_STATES, is_grave};
use crate::edit::fix;
use crate::edit::written::Written;
use crate::report::{Edit, Finding, Fix, Report};
use crate::tell::help::edit;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The maximum number of first edits whose results are judged.
const MOST_JUDGED: usize = 12;
/// The maximum number of first edits that second ones follow.
const MOST_FOLLOWED: usize = 4;
/// The maximum number of second edits that are tried after each.
const MOST_SECOND: usize = 10;

/// The first of some edits that are known for the findings after which the scenario is `ok`, certainly.
pub(super) fn known(
    known: &[&Candidate],
    shape: &Shape,
    tries: &mut Tries<'_, '_>,
) -> Option<(Candidate, Held)> {
    tries.extend(known.len());
    known.iter().find_map(|&it| {
        let held = tries.holds(it, shape).filter(|held| held.is_certain)?;
        Some((it.clone(), held))
    })
}

/// The most likely pair of edits after which the scenario is `ok`, certainly, with its readings.
pub(super) fn find(
    (report, shape): (&Report, &Shape),
    all: &[Candidate],
    tries: &mut Tries<'_, '_>,
) -> Option<(Candidate, Held)> {
    if report.stats.states > MOST_STATES {
        return None;
    }
    let text = tries.scene.text();
    tries.extend(MOST_FOLLOWED * MOST_SECOND);
    let firsts = all.iter().filter(|it| adds(it) && keeps_lines(text, &it.fix)).take(MOST_JUDGED);
    let mut followed = 0;
    for first in firsts {
        if followed == MOST_FOLLOWED {
            break;
        }
        let Some(seconds) = after(first, report, tries) else { continue };
        followed += 1;
        for second in seconds {
            let Some(both) = joined(text, first, &second) else { continue };
            match tries.holds(&both, shape) {
                Some(held) if held.is_certain => return Some((both, held)),
                _ => {}
            }
        }
    }
    None
}

/// The candidates for what is found after a first edit; `None` if that is no progress.
fn after(first: &Candidate, report: &Report, tries: &mut Tries<'_, '_>) -> Option<Vec<Candidate>> {
    let (scene, found) = tries.after(&first.fix)?;
    let worst = |report: &Report| report.findings.iter().position(is_grave);
    let (before, now) = (&report.findings[worst(report)?], worst(&found)?);
    let is_same = |it: &Finding| it.rule == before.rule && it.cause == before.cause;
    let units = Units::of(&scene);
    if found.findings.iter().any(is_same) || units.all.len() > MOST_STATEMENTS {
        return None;
    }
    let (written, tally) = (Written::of(scene.text()), Tally::of(&scene));
    let facts = (&units, written, &tally);
    let mut all = search::candidates(&scene, facts, &found.target, &found.findings[now]);
    all.retain(|it| adds(it) && written.keeps(&fix::apply(scene.text(), &it.fix), &it.fix.edits));
    all.sort_by_key(|it| (Reverse(it.score), it.fix.edits.first().map(|it| it.offset)));
    all.truncate(MOST_SECOND);
    Some(all)
}

/// Whether an edit only adds to the text: two of other kinds would change what the author wrote too much.
fn adds(candidate: &Candidate) -> bool {
    candidate.fix.edits.iter().all(|edit| edit.length == 0)
}

/// Whether an edit leaves the numbers of the lines as they are, so that a second one can name them.
fn keeps_lines(text: &str, fix: &Fix) -> bool {
    let lines = |text: &str| text.matches('\n').count();
    fix.edits.iter().all(|edit| {
        let old = &text[edit.offset as usize..(edit.offset + edit.length) as usize];
        lines(old) == lines(&edit.replacement)
    })
}

/// Two edits as one, of which the second is of the text after the first; `None` if they overlap.
fn joined(text: &str, first: &Candidate, second: &Candidate) -> Option<Candidate> {
    let own = second.fix.edits.iter().map(|edit| earlier(text, &first.fix, edit));
    let edits = first.fix.edits.iter().cloned().map(Some).chain(own).collect::<Option<Vec<_>>>()?;
    let message = edit::both(&first.fix.message, &second.fix.message);
    let both = fix::fix(message, edits)?;
    let wanted = fix::apply(&fix::apply(text, &first.fix), &second.fix);
    (fix::apply(text, &both) == wanted).then_some(Candidate {
        score: first.score.min(second.score),
        fix: both,
        reason: String::new(),
        shift: None,
        frees: first.frees || second.frees,
    })
}

/// An edit of the text after another edit, as one of the text before.
fn earlier(text: &str, first: &Fix, edit: &Edit) -> Option<Edit> {
    let (start, end) = (edit.offset as usize, (edit.offset + edit.length) as usize);
    // The places of the text after the first edit are those before, and what that adds so far.
    let (mut added, mut removed) = (0, 0);
    for own in &first.edits {
        let at = own.offset as usize + added - removed;
        let until = at + own.replacement.len();
        if end <= at {
            break;
        }
        if start < until {
            return None;
        }
        added += own.replacement.len();
        removed += own.length as usize;
    }
    let place = fix::place(text, start + removed - added);
    Some(Edit { offset: place.start, line: place.line, column: place.column, ..edit.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::scene::{Options, Scene};

    fn judged(text: &str) -> Report {
        check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true)
    }

    /// The text after the edits that are offered for the first finding, which is `ok`, and their message.
    fn mended(text: &str) -> (String, String) {
        let report = judged(text);
        let change = report.findings[0].fix.clone().expect("an edit is offered");
        let after = fix::apply(text, &change);
        assert_eq!(judged(&after).verdict, "ok", "{after}");
        (after, change.message)
    }

    #[test]
    fn two_barriers_that_are_missing_are_added_together() {
        let loops = "target opencl\nlaunch subgroups=2 items=2\nkernel void f(local int *t, global int *out) {\n  int l = get_local_id(0);\n  for (int i = 0; i < 4; i++) {\n    t[l] = i;\n    out[l] = t[l ^ 1];\n  }\n}\n";
        let (after, message) = mended(loops);
        assert_eq!(after.matches("barrier(").count(), 2, "{after}");
        assert_eq!(message.matches("add `barrier(").count(), 2, "{message}");
        let (after, _) = mended(
            &loops
                .replace("for (int i = 0; i < 4; i++) {", "{ int i = 1;")
                .replace("^ 1];", "^ 1]; t[l] = 2;"),
        );
        assert_eq!(after.matches("barrier(").count(), 2, "{after}");
    }

    #[test]
    fn an_edit_of_the_later_text_is_one_of_the_text() {
        let edit = |offset, length, new: &str| Edit {
            offset,
            length,
            line: 1,
            column: offset + 1,
            replacement: new.into(),
        };
        let first =
            Fix { message: String::new(), edits: [edit(2, 1, "xyz"), edit(5, 0, "!")].into() };
        let text = "abcdefg";
        assert_eq!(fix::apply(text, &first), "abxyzde!fg");
        let at = |start, length| earlier(text, &first, &edit(start, length, "-"));
        assert_eq!(at(1, 1).map(|it| it.offset), Some(1));
        assert_eq!(at(5, 2).map(|it| it.offset), Some(3));
        assert_eq!(at(9, 1).map(|it| it.offset), Some(6));
        assert_eq!(at(3, 1), None);
        assert_eq!(at(1, 2), None);
    }
}
