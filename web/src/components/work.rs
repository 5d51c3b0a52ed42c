//! The dialog of long jobs: progress with a cancel button, then the result.

use super::dialog::Modal;
use super::document::{Document, any_action};
use super::press;
use crate::state::{Dialog, State};
use crate::verdict::count;
use leptos::prelude::*;

/// The dialog.
#[component]
pub(super) fn Examine() -> impl IntoView {
    let state = State::expect();
    let page = Signal::derive(move || state.chrome.work.with(|work| work.page.clone()));
    view! {
        <Modal which=Dialog::Work title="Analysis">
            <div>
                <Document class="job" page act=any_action(state)/>
                <div role="status"><Progress/></div>
            </div>
        </Modal>
    }
}

/// How far the job is, and a button that ends it; nothing once it is done.
#[component]
fn Progress() -> impl IntoView {
    let state = State::expect();
    let is_going = Memo::new(move |_| {
        state.chrome.work.with(|work| work.states.is_some() || work.page.is_none())
    });
    let states = move || {
        let states = state.chrome.work.with(|work| work.states);
        states.map(|states| count(states, "state", "states"))
    };
    view! {
        {move || {
        is_going.get().then(|| {
            view! {
                <div class="job__do">
                    <p class="calm">"Working… " {move || states()}</p>
                    <button class="button" type="button" on:click=press(move || state.end_work())>
                        "Cancel"
                    </button>
                </div>
            }.into_any()
        })
    }}
    }
}

/// The jobs for the current scenario.
#[component]
pub(super) fn Ways() -> impl IntoView {
    let state = State::expect();
    let way = move |word: &'static str, name: &'static str, title: &'static str| {
        view! {
            <button
                class="button button--small"
                type="button"
                title=title
                on:click=press(move || state.begin_work(word))
            >
                {name}
            </button>
        }
        .into_any()
    };
    view! {
        {move || {
        let report = state
            .judgement
            .report
            .get()
            .filter(|_| state.judgement.valid.get() && state.chrome.engine.get() && !state.is_blank())?;
        // The axioms apply only to AMDGPU.
        let has_axioms = report.target.starts_with("gfx") || report.target == "model";
        let shrink =
            || way("shrink", "Shrink", "Find the smallest scenario with the first finding");
        let without =
            || way("without", "Relax a rule", "Show what becomes possible without a rule");
        Some(view! {
            <div class="ways">
                {(!report.findings.is_empty()).then(shrink)}
                {way("needs", "Remove each", "Show the verdict without each synchronising operation")}
                {way("runs", "Compare executions", "Compare this execution with the nearest correct one, or with a saved branch")}
                {way("waits", "Critical path", "Show the longest chain of steps, and the arrival that each wait waited for")}
                {way("compare", "Compare scenarios", "Compare with another scenario")}
                {has_axioms.then(without)}
            </div>
        }.into_any())
    }}
    }
}
