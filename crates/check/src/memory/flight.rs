//! Notes and help on a copy in flight: why it is incomplete, and the edit that completes it.

use super::fix;
use super::marks::InFlight;
use super::offer::{Offer, numbers};
use super::tell::Teller;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Span;

impl Teller<'_> {
    /// Why a copy is in flight at the step `at` of its agent.
    pub(super) fn in_flight(&self, why: InFlight, at: usize) -> String {
        let until = self.brief(at);
        match why {
            InFlight::Unmarked => format!(
                "the copy is in flight until a wait completes a mark after it, and no mark is between {} and {until}",
                self.brief(self.first)
            ),
            InFlight::Unwaited { mark, .. } => format!(
                "{} covers the copy, but no wait for marks is between that mark and {until}",
                self.brief(mark)
            ),
            InFlight::Allowed { wait, most, safe } => format!(
                "{} leaves {} outstanding, but only {} that of the copy",
                self.brief(wait),
                marks(most),
                stand(safe)
            ),
            InFlight::OtherBody { mark, wait } => format!(
                "{} and {} are in different function bodies, which have separate sequences of marks",
                self.brief(mark),
                self.brief(wait)
            ),
        }
    }

    /// The edits that complete it, the smallest first; never empty.
    pub(super) fn offers(&self, why: InFlight, at: usize) -> Vec<Offer> {
        let here = self.source(at).span;
        let mut offers = match why {
            InFlight::Unmarked => alloc::vec![self.mark(here, at)],
            InFlight::Unwaited { safe, .. } => {
                numbers(safe).map(|most| added(here, most, safe)).collect()
            }
            InFlight::Allowed { wait, most, safe } => {
                numbers(safe).map(|less| self.lowered(wait, most, less, safe)).collect()
            }
            InFlight::OtherBody { .. } => Vec::new(),
        };
        let other = matches!(why, InFlight::OtherBody { .. });
        offers.push(full(here, other));
        offers
    }

    /// A mark after the copy, and a wait if there is none.
    fn mark(&self, here: Span, at: usize) -> Offer {
        let copy = self.source(self.first).span;
        let wait = !self.waits_before(at);
        let mut edits = alloc::vec![fix::after(copy, "asyncmark")];
        edits.extend(wait.then(|| fix::before(here, "wait_asyncmark 0")));
        let remedy = if wait {
            format!(
                "add `asyncmark` after line {} and `wait_asyncmark 0` before line {}",
                copy.line, here.line
            )
        } else {
            format!("add `asyncmark` after line {}", copy.line)
        };
        Offer { remedy, edits, number: None }
    }

    /// A wait that allows fewer outstanding marks.
    fn lowered(&self, wait: usize, most: u16, less: u16, safe: u16) -> Offer {
        let span = self.source(wait).span;
        let more = if less < safe { format!(": {MORE}") } else { String::new() };
        let done = &self.trail.replay.done[wait];
        Offer {
            remedy: format!("change line {} to allow {}{more}", span.line, marks(less)),
            edits: fix::number(self.scene, span, most, less).into_iter().collect(),
            number: Some(((done.step.agent, done.node), less)),
        }
    }
}

/// Why a wait must complete more than the copy of the witness.
const MORE: &str = "another access, path or iteration requires more complete copies";

/// A mark and a wait for everything before a statement.
fn full(here: Span, other_body: bool) -> Offer {
    let statement = "asyncmark; wait_asyncmark 0";
    let remedy = if other_body {
        format!("mark and wait in one function body: add `{statement}` before line {}", here.line)
    } else {
        format!(
            "add `{statement}` before line {}: not every copy has a mark that a wait there completes",
            here.line
        )
    };
    Offer { remedy, edits: alloc::vec![fix::before(here, statement)], number: None }
}

/// A wait before a statement.
fn added(here: Span, most: u16, safe: u16) -> Offer {
    let statement = format!("wait_asyncmark {most}");
    let why =
        if most < safe { MORE.to_owned() } else { format!("{} that of the copy", stand(safe)) };
    Offer {
        remedy: format!("add `{statement}` before line {}: {why}", here.line),
        edits: alloc::vec![fix::before(here, &statement)],
        number: None,
    }
}

fn marks(count: u16) -> String {
    match count {
        0 => "no mark".to_owned(),
        1 => "at most 1 mark".to_owned(),
        _ => format!("at most {count} marks"),
    }
}

fn stand(count: u16) -> String {
    if count == 1 { "1 mark follows".to_owned() } else { format!("{count} marks follow") }
}
