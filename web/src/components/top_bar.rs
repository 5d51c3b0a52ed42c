//! Name, examples, target, link, theme, keys.

use super::icon::Icon;
use crate::state::{Dialog, State};
use crate::{browser, engine};
use leptos::prelude::*;

/// The bar at the top.
#[component]
pub(crate) fn TopBar() -> impl IntoView {
    let state = State::expect();
    any! {
        <header class="top">
            <h1 class="top__name">
                <img class="top__mark" src="./icon.svg" width="24" height="24" alt="" />
                "Tidegate"
            </h1>
            <button class="button" type="button" on:click=move |_| state.dialog.set(Some(Dialog::Examples))>
                <Icon name="examples" />
                "Examples"
            </button>
            <Target />
            <span class="top__space"></span>
            <button class="button" type="button" on:click=move |_| state.share()>
                <Icon name="share" />
                "Share"
            </button>
            <button class="button button--icon" type="button" aria-label="Light or dark" title="Light or dark (t)"
                on:click=|_| browser::toggle_theme()>
                <Icon name="theme" />
            </button>
            <button class="button button--icon" type="button" aria-label="Keys" title="Keys (?)"
                on:click=move |_| state.dialog.set(Some(Dialog::Keys))>
                <Icon name="keys" />
            </button>
        </header>
    }
}

/// The choice of the target.
#[component]
fn Target() -> impl IntoView {
    let state = State::expect();
    let groups = engine::targets()
        .into_iter()
        .map(|(heading, names)| {
            let options = names
                .into_iter()
                .map(|name| any! { <option value=name>{name}</option> })
                .collect_view();
            any! { <optgroup label=heading>{options}</optgroup> }
        })
        .collect_view();
    let choose = move |event| {
        let name = event_target_value(&event);
        state.choose_target((!name.is_empty()).then_some(name));
    };
    any! {
        <label class="field">
            <span class="field__name">"Target"</span>
            <select class="field__select" on:change=choose prop:value=move || state.target.get().unwrap_or_default()>
                <option value="">"as written"</option>
                {groups}
            </select>
        </label>
    }
}
