//! The view that the address names, shown instead of the playground.

use crate::dom::*;
use crate::state::State;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

/// The view; hidden while the playground is shown.
pub(super) fn view() -> El {
    let state = State::expect();
    let page = Memo::new(move |_| state.page());
    let body = div("view__body");
    show_page(&body.element(), move || page.get());
    let waiting = move || page.with(Option::is_none);
    let wait = p("view__wait calm").bind("hidden", move || !waiting());
    let main = el("main", "view").attr("id", "view").attr("tabindex", "-1");
    let main = main.bind("hidden", move || state.view.with(Option::is_none));
    let main = main.says("aria-busy", waiting).with((
        wait.with("Loading… If this does not finish, the server cannot be reached."),
        acting(state, body),
    ));
    let element = main.element();
    effect(Box::new(move || {
        // Another view starts at its top and takes the focus.
        if state.view_changed.get() > 0 {
            element.set_scroll_top(0);
            let _ = element.focus();
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
    }));
    effect(Box::new(move || {
        let name = page.get().filter(|_| state.view.with(Option::is_some));
        let name = name.map_or(String::new(), |page| format!("{} \u{b7} ", page.title));
        document().set_title(&format!("{name}Tidegate"));
    }));
    main
}

/// An element that shows a document page and performs its actions.
pub(super) fn acting(state: State, place: El) -> El {
    asked(place, move |word, to, value| state.act(word, to, value))
}

/// An element that shows a document page, and a handler of its actions. The handler receives the action's word, its argument,
/// and the value of the field that requests it.
pub(super) fn asked(place: El, act: impl Fn(&str, &str, &str) + Copy + 'static) -> El {
    let act = move |event: Event, fields: bool| {
        let from = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let doer = from.and_then(|from| from.closest("[data-do]").ok().flatten());
        let Some(doer) = doer else { return };
        let field = matches!(&*doer.tag_name(), "INPUT" | "SELECT");
        if field == fields {
            let part = |name| doer.get_attribute(name).unwrap_or_default();
            let value = if field { value_of(&event) } else { String::new() };
            act(&part("data-do"), &part("data-to"), &value);
        }
    };
    place.on("click", move |event| act(event, false)).on("input", move |event| act(event, true))
}
