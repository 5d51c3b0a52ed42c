//! The page as a whole.

use super::beside::Beside;
use super::edges::Edges;
use super::editor::Editor;
use super::execution::Execution;
use super::inquiry::Inquiry;
use super::legend::Legends;
use super::notice::Notices;
use super::palette::Palette;
use super::scenarios::Scenarios;
use super::sharing::Sharing;
use super::split::{self, Separator};
use super::top_bar::TopBar;
use super::tour::Tour;
use super::verdict_bar::VerdictBar;
use super::view::Reference;
use super::work::Examine;
use crate::keys;
use crate::state::State;
use leptos::ev;
use leptos::prelude::*;
use web_sys::Event;

/// Delay after the first paint of loading what it does not need, in milliseconds.
const AFTER: u32 = 400;

/// The page.
#[component]
pub(crate) fn Page() -> impl IntoView {
    let state = State::new();
    provide_context(state);
    state.fill();
    state.follow_lessons();
    state.start();
    state.follow_relations();
    state.resume_tour();
    keys::listen(state);
    let _ = window_event_listener(ev::hashchange, move |_| state.address_changed());
    let _ = window_event_listener(ev::Custom::<Event>::new("file"), move |event| {
        let detail = js_sys::Reflect::get(&event, &"detail".into()).ok();
        let detail = detail.and_then(|it| it.as_string()).unwrap_or_default();
        if let Some((name, text)) = detail.split_once('\n') {
            state.open_file(name, text);
        }
    });
    let _ = window_event_listener(ev::pagehide, move |_| state.keep_now());
    gloo::timers::callback::Timeout::new(AFTER, move || state.load_library()).forget();
    view! {
        <TopBar/>
        <Notices/>
        <VerdictBar/>
        <Tour/>
        <main class="work" hidden=move || state.chrome.view.with(Option::is_some)>
            <div class="work__text">
                <Editor><Scenarios/></Editor>
                <Separator split=split::INQUIRY/>
                <Inquiry/>
            </div>
            <Separator split=split::TEXT/>
            <Run><Edges/></Run>
        </main>
        <Reference/>
        <Legends/>
        <Palette/>
        <Sharing/>
        <Examine/>
    }
}

/// The execution, and the state of its objects and agents.
#[component]
pub(crate) fn Run(
    /// An overlay over the lanes.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let state = State::expect();
    state.follow_beside();
    let is_stale = move || !state.judgement.valid.get();
    let over = children.map(|children| children());
    view! {
        <div class="work__run" class:stale=is_stale inert=is_stale>
            <Execution over/>
            <Separator split=split::STATE/>
            <Beside/>
        </div>
    }
}
