//! The progress of a long check, on standard error if it is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Time before progress is shown.
const QUIET: Duration = Duration::from_millis(500);
/// Shortest time between two updates of the line.
const PACE: Duration = Duration::from_millis(100);

/// The combined progress of all scenarios of one command.
pub(crate) struct Progress {
    started: Instant,
    watched: bool,
    items: AtomicUsize,
    done: AtomicUsize,
    states: AtomicU64,
    bar: OnceLock<ProgressBar>,
    shown: Mutex<Option<Instant>>,
}

impl Progress {
    /// Progress of `items` checks.
    pub(crate) fn new(items: usize) -> Self {
        Self {
            started: Instant::now(),
            watched: std::io::stderr().is_terminal(),
            items: AtomicUsize::new(items),
            done: AtomicUsize::new(0),
            states: AtomicU64::new(0),
            bar: OnceLock::new(),
            shown: Mutex::new(None),
        }
    }

    /// A callback for one check. It never cancels.
    pub(crate) fn watch(&self) -> impl FnMut(tidegate_check::Progress) -> bool + '_ {
        let mut before = 0;
        move |now| {
            self.states.fetch_add(now.states.saturating_sub(before), Ordering::Relaxed);
            before = now.states;
            self.show(now.frontier);
            true
        }
    }

    /// Records that there are more checks than was known.
    pub(crate) fn expect_more(&self, items: usize) {
        self.items.fetch_add(items, Ordering::Relaxed);
    }

    /// Records that one check is done.
    pub(crate) fn finish_one(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn show(&self, frontier: u64) {
        if !self.watched || self.started.elapsed() < QUIET || !self.is_due() {
            return;
        }
        let states = self.states.load(Ordering::Relaxed);
        let done = self.done.load(Ordering::Relaxed);
        let bar = self.bar.get_or_init(|| {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(
                ProgressStyle::with_template("{spinner} {elapsed} {msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            )
        });
        bar.set_message(format!(
            "{states} states, {frontier} queued; {done} of {} scenarios done",
            self.items.load(Ordering::Relaxed)
        ));
        bar.tick();
    }

    /// Whether the line may be updated again.
    fn is_due(&self) -> bool {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let due = shown.is_none_or(|at| at.elapsed() >= PACE);
        if due {
            *shown = Some(Instant::now());
        }
        due
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
