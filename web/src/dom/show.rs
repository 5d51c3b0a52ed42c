//! Content of an element.

use super::element::El;
use super::{document, part};
use web_sys::{DocumentFragment, Node};

/// Content: text, an element, several, none, or a closure that follows the signals it reads.
pub(crate) trait Show {
    /// Appends it to an element.
    fn put(self, place: &Node);
}

fn append(place: &Node, node: &Node) {
    let _ = place.append_child(node);
}

fn text(place: &Node, text: &str) {
    append(place, &document().create_text_node(text));
}

impl Show for El {
    fn put(self, place: &Node) {
        append(place, &self.0);
    }
}

impl Show for &str {
    fn put(self, place: &Node) {
        text(place, self);
    }
}

impl Show for String {
    fn put(self, place: &Node) {
        text(place, &self);
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Show for $number {
            fn put(self, place: &Node) {
                text(place, &self.to_string());
            }
        }
    )*};
}

numbers! { u32 i64 usize }

impl<V: Show> Show for Option<V> {
    fn put(self, place: &Node) {
        if let Some(view) = self {
            view.put(place);
        }
    }
}

impl<V: Show> Show for Vec<V> {
    fn put(self, place: &Node) {
        self.into_iter().for_each(|view| view.put(place));
    }
}

impl<F: FnMut() -> V + 'static, V: Show> Show for F {
    fn put(mut self, place: &Node) {
        part::part(place, Box::new(move |place| self().put(place)));
    }
}

macro_rules! several {
    ($($view:ident)*) => {
        impl<$($view: Show),*> Show for ($($view,)*) {
            #[allow(non_snake_case, reason = "a type's letter names its value, too")]
            fn put(self, place: &Node) {
                let ($($view,)*) = self;
                $($view.put(place);)*
            }
        }
    };
}

several! { A B }
several! { A B C }
several! { A B C D }
several! { A B C D E }
several! { A B C D E F }
several! { A B C D E F G }
several! { A B C D E F G H }

/// Several views under one type.
pub(crate) struct Group(DocumentFragment);

impl Group {
    /// No content.
    pub(crate) fn new() -> Self {
        Self(document().create_document_fragment())
    }

    /// Appends content.
    pub(crate) fn add(&mut self, view: impl Show) {
        view.put(&self.0);
    }
}

impl Show for Group {
    fn put(self, place: &Node) {
        append(place, &self.0);
    }
}

/// The contents of an iterator in sequence.
pub(crate) fn all<V: Show>(views: impl IntoIterator<Item = V>) -> Vec<V> {
    views.into_iter().collect()
}
