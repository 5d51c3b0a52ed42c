//! One element under construction.

use super::document;
use super::part::effect;
use super::show::Show;
use super::value::{Text, Value};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement};

/// An element. Each method adds something to it. A closure as an argument follows the signals that it reads.
pub(crate) struct El(pub(super) Element);

macro_rules! tags {
    ($($tag:ident)*) => {$(
        #[doc = concat!("A `", stringify!($tag), "` with these classes.")]
        pub(crate) fn $tag(class: &str) -> El {
            el(stringify!($tag), class)
        }
    )*};
}

tags! {
    article b code dd details dialog div dl dt h1 h2 h3 header i img input kbd label li ol optgroup option output p
    section select span summary textarea ul
}

/// An element of any name with these classes.
pub(crate) fn el(name: &str, class: &str) -> El {
    let element = El(document().create_element(name).expect("a name that elements can have"));
    if class.is_empty() { element } else { element.attr("class", class) }
}

/// A button that does not submit a form.
pub(crate) fn button(class: &str) -> El {
    el("button", class).attr("type", "button")
}

/// A part of a drawing, with these classes.
pub(crate) fn svg(name: &str, class: &str) -> El {
    let space = Some("http://www.w3.org/2000/svg");
    let made = document().create_element_ns(space, name).expect("a name that elements can have");
    El(made).attr("class", class)
}

/// A drawing of one path on a grid of 16.
pub(crate) fn drawing(class: &str, path: &str) -> El {
    let drawing = svg("svg", class).attr("viewBox", "0 0 16 16");
    drawing.attr("aria-hidden", "true").with(svg("path", "").attr("d", path))
}

impl El {
    /// Returns the element itself, for browser APIs.
    pub(crate) fn element(&self) -> HtmlElement {
        self.0.clone().unchecked_into()
    }

    /// Appends content.
    pub(crate) fn with(self, it: impl Show) -> Self {
        it.put(&self.0);
        self
    }

    /// Sets an attribute; `None` and `false` remove it.
    pub(crate) fn attr<'a>(self, name: &'static str, value: impl Value<'a>) -> Self {
        if let Some(value) = value.text() {
            Part::Attribute(name).set(&self.0, Some(&value));
        }
        self
    }

    /// Sets an attribute that follows signals.
    pub(crate) fn bind<V: Value<'static>>(
        self,
        name: &'static str,
        mut value: impl FnMut() -> V + 'static,
    ) -> Self {
        follow(&self.0, Part::Attribute(name), Box::new(move || value().text()));
        self
    }

    /// Sets an attribute to `true` or `false`.
    pub(crate) fn says(
        self,
        name: &'static str,
        mut holds: impl FnMut() -> bool + 'static,
    ) -> Self {
        self.bind(name, move || if holds() { "true" } else { "false" })
    }

    /// Adds a class if a condition holds.
    pub(crate) fn class(self, class: &'static str, holds: bool) -> Self {
        if holds {
            Part::Class(class).set(&self.0, Some(""));
        }
        self
    }

    /// Adds a class while a condition holds.
    pub(crate) fn toggle(
        self,
        class: &'static str,
        mut holds: impl FnMut() -> bool + 'static,
    ) -> Self {
        follow(&self.0, Part::Class(class), Box::new(move || holds().text()));
        self
    }

    /// Sets a property that follows signals, such as the value of a field.
    pub(crate) fn prop<V: Value<'static>>(
        self,
        name: &'static str,
        mut value: impl FnMut() -> V + 'static,
    ) -> Self {
        follow(&self.0, Part::Property(name), Box::new(move || value().text()));
        self
    }

    /// Sets a style property.
    pub(crate) fn style<'a>(self, name: &'static str, value: impl Value<'a>) -> Self {
        Part::Style(name).set(&self.0, value.text().as_deref());
        self
    }

    /// Sets a style property that follows signals.
    pub(crate) fn restyle<V: Value<'static>>(
        self,
        name: &'static str,
        mut value: impl FnMut() -> V + 'static,
    ) -> Self {
        follow(&self.0, Part::Style(name), Box::new(move || value().text()));
        self
    }

    /// Handles an event.
    pub(crate) fn on(self, event: &str, act: impl FnMut(Event) + 'static) -> Self {
        listen(&self.0, event, Box::new(act));
        self
    }

    /// Handles a click.
    pub(crate) fn press(self, mut act: impl FnMut() + 'static) -> Self {
        self.on("click", move |_| act())
    }
}

/// The kinds of values of an element.
#[derive(Clone, Copy)]
enum Part {
    Attribute(&'static str),
    Class(&'static str),
    Property(&'static str),
    Style(&'static str),
}

impl Part {
    fn set(self, element: &Element, value: Option<&str>) {
        let _ = match (self, value) {
            (Self::Attribute(name), Some(value)) => element.set_attribute(name, value),
            (Self::Attribute(name), None) => element.remove_attribute(name),
            (Self::Class(name), Some(_)) => element.class_list().add_1(name),
            (Self::Class(name), None) => element.class_list().remove_1(name),
            (Self::Style(name), value) => {
                let style = element.unchecked_ref::<HtmlElement>().style();
                style.set_property(name, value.unwrap_or_default())
            }
            (Self::Property(name), value) => {
                let value = JsValue::from_str(value.unwrap_or_default());
                js_sys::Reflect::set(element, &name.into(), &value).map(drop)
            }
        };
    }
}

/// Sets a part of an element now and when its value changes.
fn follow(element: &Element, part: Part, mut value: Box<dyn FnMut() -> Text<'static>>) {
    let (element, mut last) = (element.clone(), None);
    effect(Box::new(move || {
        let now = value();
        if last.as_ref() != Some(&now) {
            part.set(&element, now.as_deref());
            last = Some(now);
        }
    }));
}

/// Calls a closure on an event. The browser drops it with the element.
fn listen(element: &Element, event: &str, act: Box<dyn FnMut(Event)>) {
    let act = Closure::wrap(act).into_js_value();
    let _ = element.add_event_listener_with_callback(event, act.unchecked_ref());
}
