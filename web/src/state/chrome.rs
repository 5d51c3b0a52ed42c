//! Everything visible around the document, its judgement and its execution.

use super::Work;
use crate::components::{ANALYSIS_WORDS, STATE_WORDS};
use crate::library::Library;
use leptos::prelude::*;
use leptos::reactive::signal::Trigger;
use std::sync::Arc;

/// Panels, dialogs, views, and what is loaded for them.
#[derive(Clone, Copy)]
pub(crate) struct Chrome {
    /// A notice.
    pub notice: RwSignal<Option<Notice>>,
    /// The open dialog.
    pub dialog: RwSignal<Option<Dialog>>,
    /// The word of the panel below the text.
    pub tab: RwSignal<&'static str>,
    /// The word of the panel next to the lanes.
    pub beside: RwSignal<&'static str>,
    /// Whether the schedules panel is open.
    pub schedules: RwSignal<bool>,
    /// The view shown instead of the playground: its fragment without the `#`.
    pub view: RwSignal<Option<String>>,
    /// The address selected a view.
    pub view_changed: Trigger,
    /// The long job: its progress and result.
    pub work: RwSignal<Work>,
    /// The stage of the first visit, if it is open.
    pub tour: RwSignal<Option<usize>>,
    /// Whether presentation mode is on.
    pub presented: RwSignal<bool>,
    /// The available targets, under headings; empty before the engine has loaded.
    pub targets: RwSignal<Vec<(String, Vec<String>)>>,
    /// The library, loaded after the first paint.
    pub library: RwSignal<Arc<Library>>,
    /// Whether the engine has loaded.
    pub engine: RwSignal<bool>,
    /// Whether the editor bundle is mounted instead of the text area.
    pub editor: RwSignal<bool>,
}

impl Chrome {
    pub(super) fn new() -> Self {
        Self {
            notice: RwSignal::new(None),
            dialog: RwSignal::new(None),
            tab: RwSignal::new(ANALYSIS_WORDS[0]),
            beside: RwSignal::new(STATE_WORDS[0]),
            schedules: RwSignal::new(false),
            view: RwSignal::new(None),
            view_changed: Trigger::new(),
            work: RwSignal::new(Work::default()),
            tour: RwSignal::new(None),
            presented: RwSignal::new(false),
            targets: RwSignal::new(Vec::new()),
            library: RwSignal::new(Arc::default()),
            engine: RwSignal::new(false),
            editor: RwSignal::new(false),
        }
    }
}

/// A notice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notice {
    /// Whether it is an error.
    pub error: bool,
    /// Its text.
    pub text: String,
    /// Whether it offers to reopen the last closed scenario.
    pub back: bool,
    /// The verdict in a link, if it differs from the current one.
    pub recorded: Option<String>,
}

/// A dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialog {
    /// The list of keys.
    Keys,
    /// The signs of the execution.
    Legend,
    /// Commands, targets, pages and examples by their names.
    Palette,
    /// The ways to share.
    Share,
    /// A long job.
    Work,
}
