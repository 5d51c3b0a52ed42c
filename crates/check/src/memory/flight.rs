//! Facts and help on a copy in flight: why it is incomplete, and the edit that completes it.

use super::marks::InFlight;
use super::offer::numbers;
use super::tell::Teller;
use crate::cause::{Memory, Offer};
use crate::edit::fix;
use crate::edit::written::Written;
use crate::report::Edit;
use crate::tell::help;
use alloc::format;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Span;

impl Teller<'_> {
    /// Why a copy is in flight at the step `at` of its agent.
    pub(super) fn in_flight(&self, why: InFlight, at: usize) -> Memory {
        let until = self.at(at);
        match why {
            InFlight::Unmarked => Memory::Unmarked { copy: self.at(self.first), until },
            InFlight::Unwaited { mark, .. } => match self.at(mark) {
                copy if self.source(mark).span == self.source(self.first).span => {
                    Memory::NotWaited { copy, until }
                }
                mark => Memory::Unwaited { mark, until },
            },
            InFlight::Allowed { wait, most, safe } => {
                Memory::LeavesMark { wait: self.at(wait), leaves: most, following: safe }
            }
            InFlight::OtherBody { mark, wait } => {
                Memory::OtherBody { mark: self.at(mark), wait: self.at(wait) }
            }
        }
    }

    /// The edits that complete it, the smallest first; never empty.
    pub(super) fn offers(&self, why: InFlight, at: usize) -> Vec<Offer> {
        let here = self.source(at).span;
        let mut offers = match why {
            InFlight::Unmarked => alloc::vec![self.mark(here, at)],
            InFlight::Unwaited { safe, .. } => {
                numbers(safe).map(|most| added(self.written(), here, most, safe)).collect()
            }
            InFlight::Allowed { wait, most, safe } => {
                numbers(safe).map(|less| self.lowered(wait, most, less, safe)).collect()
            }
            InFlight::OtherBody { .. } => Vec::new(),
        };
        let other = matches!(why, InFlight::OtherBody { .. });
        offers.push(full(self.written(), here, other));
        offers
    }

    /// A mark after the copy, and a wait if there is none.
    fn mark(&self, here: Span, at: usize) -> Offer {
        let copy = self.source(self.first).span;
        let wait = !self.waits_before(at);
        let written = self.written();
        let spelled = written.spelled("asyncmark").zip(written.spelled("wait_asyncmark 0"));
        let edits = spelled.map_or_else(Vec::new, |(mark, zero)| {
            let mut edits = alloc::vec![written.after(copy, &mark)];
            edits.extend(wait.then(|| written.before(here, &zero)));
            edits.extend(written.declarations(&format!("{mark}; {zero}")));
            edits
        });
        let remedy = help::memory::mark(written, copy.line, wait.then_some(here.line));
        Offer { remedy, edits, number: None }
    }

    /// A wait that allows fewer outstanding marks.
    fn lowered(&self, wait: usize, most: u16, less: u16, safe: u16) -> Offer {
        let span = self.source(wait).span;
        Offer {
            remedy: help::memory::lower(span.line, less, safe),
            edits: fix::number(self.scene.text(), span, most, less).into_iter().collect(),
            number: Some((self.at(wait), less)),
        }
    }
}

/// A mark and a wait for everything before a statement.
fn full(written: Written<'_>, here: Span, other_body: bool) -> Offer {
    let all = "asyncmark; wait_asyncmark 0";
    let remedy = help::memory::mark_and_wait(written, all, here.line, other_body);
    Offer { remedy, edits: before(written, here, all), number: None }
}

/// Puts statements of a scenario before another, in the language of the text; nothing if it cannot express them.
fn before(written: Written<'_>, here: Span, statements: &str) -> Vec<Edit> {
    let new = written.spelled(statements);
    new.map_or_else(Vec::new, |new| {
        [written.before(here, &new)].into_iter().chain(written.declarations(&new)).collect()
    })
}

/// A wait before a statement.
fn added(written: Written<'_>, here: Span, most: u16, safe: u16) -> Offer {
    let statement = format!("wait_asyncmark {most}");
    Offer {
        remedy: help::memory::wait(written, most, safe, here.line),
        edits: before(written, here, &statement),
        number: None,
    }
}
