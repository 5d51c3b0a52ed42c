//! Name, examples, target, link, theme, keys.

use super::icon::{icon, icon_button};
use crate::browser;
use crate::dom::*;
use crate::state::{Dialog, State};
use leptos::prelude::*;

/// The bar at the top.
pub(super) fn top_bar() -> El {
    let state = State::expect();
    let mark = img("top__mark").attr("src", "./icon.svg").attr("alt", "");
    let mark = mark.attr("width", "24").attr("height", "24");
    header("top").with((
        h1("top__name").with((mark, "Tidegate")),
        (
            button("button top__tour")
                .press(move || state.begin_tour())
                .with((icon("tour"), "Start here")),
            way("#gallery", "button", "Examples", "examples"),
        ),
        target(),
        (span("top__space"), end(state)),
        way("#rules", "button top__more", "Reference", "language"),
        button("button").press(move || state.share()).with((icon("share"), "Share")),
        icon_button("Toggle theme", "Toggle theme (t)", "theme").press(browser::toggle_theme),
        icon_button("Keys", "Keys (?)", "keys")
            .class("top__keys", true)
            .press(move || state.show_dialog(Dialog::Keys)),
    ))
}

/// The button that ends presentation mode, visible only there.
fn end(state: State) -> El {
    let end = button("button top__end").press(move || state.present());
    end.with((icon("close"), "End presentation"))
}

/// A link to a view.
fn way(fragment: &str, class: &str, name: &str, glyph: &str) -> El {
    el("a", class).attr("href", fragment).with((icon(glyph), span("").with(name)))
}

/// The target selector.
fn target() -> El {
    let state = State::expect();
    let choose = move |event| {
        let name = value_of(&event);
        state.choose_target((!name.is_empty()).then_some(name));
    };
    let away = move || state.view.with(Option::is_some);
    label("field").bind("hidden", away).with((
        span("field__name").with("Target"),
        select("field__select").with(move || targets(state)).on("change", choose),
    ))
}

/// The available targets. Before the engine has loaded, or if a link names an unknown target, the chosen one.
fn targets(state: State) -> Vec<El> {
    let chosen = state.target.get().unwrap_or_default();
    let groups = state.targets.get();
    let choice = |value: &String, name: &str| {
        option("").attr("value", value).attr("selected", *value == chosen).with(name)
    };
    let known = groups.iter().any(|(_, names)| names.contains(&chosen)) || chosen.is_empty();
    let group = |(heading, names): &(String, Vec<String>)| {
        let names = all(names.iter().map(|name| choice(name, name)));
        optgroup("").attr("label", heading).with(names)
    };
    let first = [choice(&String::new(), "from scenario")].into_iter();
    let other = (!known).then(|| choice(&chosen, &chosen));
    all(first.chain(other).chain(groups.iter().map(group)))
}
