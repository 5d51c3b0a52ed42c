//! Name, examples, target, link, theme, keys.

use super::icon::{Icon, IconButton};
use super::press;
use crate::browser;
use crate::state::{Dialog, State};
use leptos::prelude::*;

/// The bar at the top.
#[component]
pub(super) fn TopBar() -> impl IntoView {
    let state = State::expect();
    view! {
        <header class="top">
            <h1 class="top__name">
                <img class="top__mark" src="./icon.svg" alt="" width="24" height="24"/>
                "Tidegate"
            </h1>
            <button class="button top__tour" type="button" on:click=press(move || state.begin_tour())>
                <Icon name="tour"/>
                "Start here"
            </button>
            <a class="button" href="#gallery"><Icon name="examples"/><span>"Examples"</span></a>
            <a class="button" href="./course/"><Icon name="course"/><span>"Course"</span></a>
            <Target/>
            <span class="top__space"></span>
            <button
                class="button top__search"
                type="button"
                title="Search (Ctrl K)"
                on:click=press(move || state.show_dialog(Dialog::Palette))
            >
                <Icon name="search"/>
                "Search"
            </button>
            // Visible only in presentation mode.
            <button class="button top__end" type="button" on:click=press(move || state.present())>
                <Icon name="close"/>
                "End presentation"
            </button>
            <a class="button top__more" href="#rules">
                <Icon name="language"/>
                <span>"Reference"</span>
            </a>
            <button class="button" type="button" on:click=press(move || state.share())>
                <Icon name="share"/>
                "Share"
            </button>
            <IconButton
                name="Toggle theme"
                title="Toggle theme (t)"
                icon="theme"
                on:click=press(browser::toggle_theme)
            />
            <button
                class="button button--icon top__keys"
                type="button"
                aria-label="Keys"
                title="Keys (?)"
                on:click=press(move || state.show_dialog(Dialog::Keys))
            >
                <Icon name="keys"/>
            </button>
        </header>
    }
}

/// The target selector.
#[component]
fn Target() -> impl IntoView {
    let state = State::expect();
    let choose = move |event| {
        let name = event_target_value(&event);
        state.choose_target((!name.is_empty()).then_some(name));
    };
    view! {
        <label class="field" hidden=move || state.chrome.view.with(Option::is_some)>
            <span class="field__name">"Target"</span>
            <select class="field__select" on:change=choose>{move || options(state)}</select>
        </label>
    }
}

/// The available targets. Before the engine has loaded, or if a link names an unknown target, the chosen one.
fn options(state: State) -> AnyView {
    let chosen = state.document.target.get().unwrap_or_default();
    let groups = state.chrome.targets.get();
    let choice = |value: &str, name: &str| {
        let is_chosen = value == chosen;
        view! { <option value=value.to_owned() prop:selected=is_chosen>{name.to_owned()}</option> }
            .into_any()
    };
    let known = groups.iter().any(|(_, names)| names.contains(&chosen)) || chosen.is_empty();
    let group = |(heading, names): &(String, Vec<String>)| {
        let names = names.iter().map(|name| choice(name, name)).collect_view();
        view! { <optgroup label=heading.clone()>{names}</optgroup> }.into_any()
    };
    let first = choice("", "from scenario");
    let other = (!known).then(|| choice(&chosen, &chosen));
    view! { {first} {other} {groups.iter().map(group).collect_view()} }.into_any()
}
