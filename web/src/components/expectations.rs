//! The expectations of the scenario, and whether they are met.

use super::icon::Icon;
use super::press;
use crate::state::State;
use leptos::prelude::*;
use protocol::Held;

/// The expectations; nothing if there are none.
#[component]
pub(crate) fn Expectations() -> impl IntoView {
    let state = State::expect();
    let stale = move || !state.judgement.is_surveyed.get();
    view! {
        {move || {
        let survey = state
            .judgement
            .survey
            .get()
            .filter(|it| state.judgement.valid.get() && !it.held.is_empty())?;
        let held = survey.held.iter().map(|held| view! { <Expectation held=held.clone()/> }.into_any());
        Some(view! {
            <section
                class="held"
                class:held--stale=stale
                inert=stale
                aria-label="Expectations"
            >
                <h3 class="findings__sub">"Expectations"</h3>
                <ul>{held.collect_view()}</ul>
            </section>
        }.into_any())
    }}
    }
}

#[component]
fn Expectation(held: Held) -> impl IntoView {
    let state = State::expect();
    let line = held.line;
    let (tone, word) = if held.passed { ("ok", "met") } else { ("ub", "not met") };
    let found = (!held.passed).then(|| {
        view! { <span class="held__found">"found " <code>{held.got}</code></span> }.into_any()
    });
    view! {
        <li class="held__item" data-tone=tone data-passed=held.passed.then_some("true")>
            <span class="held__icon"><Icon name=tone/></span>
            <div>
                <button class="held__line" type="button" on:click=press(move || state.focus_line(line))>
                    {format!("line {line}")}
                </button>
                <code class="held__wanted">{held.wanted}</code>
                <span class="quiet">" on " {held.target}</span>
                <b class="held__word">{word}</b>
                {found}
            </div>
        </li>
    }
}
