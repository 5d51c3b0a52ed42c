//! The execution that is stepped through.

use super::relating::Relating;
use crate::fold::{self, Lanes};
use crate::rails::{self, Rails};
use crate::trace::Trace;
use leptos::prelude::*;
use leptos::reactive::signal::Trigger;
use protocol::Launch;

/// The execution and its drawing.
#[derive(Clone, Copy)]
pub(crate) struct Execution {
    /// The execution.
    pub trace: RwSignal<Trace>,
    /// The panels next to the lanes must follow the execution.
    pub(super) followed: Trigger,
    /// The cells below the lanes must follow.
    pub(super) trailed: Trigger,
    /// A notice of the steps that a change of the text kept, if it kept only some.
    pub kept: RwSignal<Option<String>>,
    /// The launch of a kernel.
    pub launch: RwSignal<Option<Launch>>,
    /// Whether the execution is playing.
    pub playing: RwSignal<bool>,
    /// A command of the schedules panel was performed.
    pub(super) planned: Trigger,
    /// The lanes of the execution.
    pub lanes: Memo<Lanes>,
    /// Bands that the reader folded or unfolded.
    pub(super) turned: RwSignal<Vec<String>>,
    /// The barriers beside the lanes, if there are many.
    pub rails: Memo<Rails>,
    /// Arrays of barriers that the reader folded or unfolded.
    pub(super) turned_rails: RwSignal<Vec<String>>,
    /// The relations of its operations.
    pub relating: Relating,
}

impl Execution {
    pub(super) fn new() -> Self {
        let trace = RwSignal::new(Trace::default());
        let (turned, turned_rails) = (RwSignal::new(Vec::new()), RwSignal::new(Vec::new()));
        Self {
            trace,
            followed: Trigger::new(),
            trailed: Trigger::new(),
            kept: RwSignal::new(None),
            launch: RwSignal::new(None),
            playing: RwSignal::new(false),
            planned: Trigger::new(),
            lanes: Memo::new(move |_| {
                trace.with(|trace| {
                    let names = trace.agents().iter().map(|agent| agent.name.as_str());
                    turned.with(|turned| fold::lay(names, turned))
                })
            }),
            turned,
            rails: Memo::new(move |_| {
                trace.with(|trace| {
                    let objects = trace.view.as_ref().map_or(&[][..], |view| &view.objects);
                    let names = objects.iter().map(|object| object.name.as_str());
                    turned_rails.with(|turned| rails::lay(names, turned))
                })
            }),
            turned_rails,
            relating: Relating::new(),
        }
    }
}
