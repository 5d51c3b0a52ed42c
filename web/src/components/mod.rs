//! What is seen. Components hold no logic: they show signals of the state and call its methods.

/// A view whose type is forgotten at once: there is one list, one option and one closure of views, not one of each for
/// every shape that a view can have, which would be most of what is loaded.
macro_rules! any {
    ($($markup:tt)*) => {
        leptos::prelude::IntoAny::into_any(leptos::prelude::view! { $($markup)* })
    };
}

mod agents;
mod controls;
mod dialog;
mod editor;
mod examples;
mod execution;
mod finding;
mod findings;
mod icon;
mod keyed;
mod keys;
mod lanes;
mod moves;
mod notice;
mod objects;
mod page;
mod problems;
mod prose;
mod readings;
mod top_bar;
mod verdict_bar;

pub(crate) use page::Page;
