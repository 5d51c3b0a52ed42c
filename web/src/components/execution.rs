//! The execution: controls, lanes and state.

use super::controls::Controls;
use super::lanes::Lanes;
use super::press;
use super::prose::Prose;
use super::schedules::Schedules;
use crate::browser;
use crate::state::{Dialog, State};
use leptos::prelude::*;
use protocol::Launch;

/// The execution panel.
#[component]
pub(super) fn Execution(
    /// An overlay over its lanes.
    over: Option<AnyView>,
) -> impl IntoView {
    let state = State::expect();
    let stands = Memo::new(move |_| {
        state.execution.trace.with(|trace| {
            trace.view.as_ref().map(|view| (view.state.clone(), view.summary.clone()))
        })
    });
    let word = move || stands.get().map(|(word, _)| word).unwrap_or_default();
    let machine = Memo::new(move |_| state.execution.trace.with(|trace| trace.machine.clone()));
    view! {
        <section class="panel execution" id="execution" aria-labelledby="execution-name">
            <div class="panel__head">
                <h2 class="panel__name" id="execution-name">"Execution"</h2>
                <button
                    class="legend__open"
                    type="button"
                    on:click=press(move || state.show_dialog(Dialog::Legend))
                >
                    "Legend"
                </button>
                <Controls/>
            </div>
            {move || {
                let notice = machine.get();
                (!notice.is_empty()).then(|| view! { <Machine notice/> }.into_any())
            }}
            {move || state.execution.launch.get().map(|launch| view! { <Launched launch/> }.into_any())}
            <Schedules/>
            <Lanes over/>
            <p class="stands" data-state=word role="status">
                <b>{move || word()}</b>
                " "
                {move || stands.get().map(|(_, summary)| view! { <Prose text=summary/> }.into_any())}
                {move || state.representative().map(remark)}
                {move || state.execution.kept.get().map(remark)}
            </p>
        </section>
    }
}

/// The launch of a kernel, with a field that changes it.
#[component]
fn Launched(launch: Launch) -> impl IntoView {
    let state = State::expect();
    let more = launch.more.filter(|_| !browser::fixed()).map(|words| {
        let label = ["Try ", &words].concat();
        view! {
            <button
                class="button button--small"
                type="button"
                title="Check races between workgroups, too"
                on:click=press(move || state.write_launch(&words))
            >
                {label}
            </button>
        }
        .into_any()
    });
    view! {
        <div class="launch">
        <label class="launch__given" title="The field writes a line `launch` above the code: groups, threads, cluster">
            <span class="quiet"><Prose text=launch.says/></span>
            <input
                class="launch__field"
                aria-label="Launch"
                spellcheck="false"
                readonly=browser::fixed()
                value=launch.words
                on:change=move |event| state.write_launch(&event_target_value(&event))
            />
        </label>
        {more}
        </div>
    }
}

/// A remark on the execution.
fn remark(says: impl Into<String>) -> AnyView {
    let says: String = says.into();
    view! { <span class="stands__kept quiet"><Prose text=says/></span> }.into_any()
}

/// States that the hardware model is shown, with a button back to the specification.
#[component]
fn Machine(notice: String) -> impl IntoView {
    let state = State::expect();
    view! {
        <div class="machine" role="note">
            <p><Prose text=notice/></p>
            <button class="button button--small" type="button" on:click=press(move || state.to_text())>
                "Back to specification"
            </button>
        </div>
    }
}
