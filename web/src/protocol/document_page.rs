//! Document pages as data: the engine creates them from plain elements, and the page has one small renderer.
//!
//! Attributes declare actions, in the words of [`Action`]; links to other views are ordinary links to fragments. Text is always
//! shown as text.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentPage {
    /// Its title.
    pub title: String,
    /// Its content.
    pub parts: Vec<Part>,
}

/// Content of an element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// Text.
    Text(String),
    /// Another element.
    Element(Element),
}

/// One element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// Its name.
    pub tag: Tag,
    /// Its attributes by name. The page accepts those that satisfy [`is_plain`] and ignores others.
    pub attributes: Vec<(Cow<'static, str>, String)>,
    /// Its content.
    pub parts: Vec<Part>,
}

/// An action of a page: the attribute `data-do` names it, `data-to` is its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Shows the view of a fragment instead of this one, without a history entry. A field appends its encoded value to the
    /// fragment.
    Go,
    /// Opens the scenario at a path of the library.
    Open,
    /// Opens a text as a scenario.
    Try,
    /// Replaces the current text, as an undoable edit.
    Rewrite,
    /// Selects a target.
    Target,
    /// Selects a reading, given as `ID=CHOICE`.
    Reading,
    /// Copies a text.
    Copy,
    /// Copies the scenario in the form with a file extension.
    CopyAs,
    /// Saves the scenario as a file with an extension.
    Save,
    /// Starts a long job by its word; a field appends its value.
    Work,
    /// Moves the caret of the editor to a line.
    Line,
    /// Performs a command of the schedules panel; a field appends its value.
    Plan,
    /// Draws or hides a relation.
    Relation,
    /// Selects the first of two operations by the value of a field.
    From,
    /// Selects the second of two operations by the value of a field.
    To,
    /// Opens or folds the table of all edges.
    Table,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::Go,
        Self::Open,
        Self::Try,
        Self::Rewrite,
        Self::Target,
        Self::Reading,
        Self::Copy,
        Self::CopyAs,
        Self::Save,
        Self::Work,
        Self::Line,
        Self::Plan,
        Self::Relation,
        Self::From,
        Self::To,
        Self::Table,
    ];

    /// Returns its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Open => "open",
            Self::Try => "try",
            Self::Rewrite => "rewrite",
            Self::Target => "target",
            Self::Reading => "reading",
            Self::Copy => "copy",
            Self::CopyAs => "copy-as",
            Self::Save => "save",
            Self::Work => "work",
            Self::Line => "line",
            Self::Plan => "plan",
            Self::Relation => "relation",
            Self::From => "from",
            Self::To => "to",
            Self::Table => "table",
        }
    }
}

/// Whether an attribute can neither run nor style anything: links stay in the page or use a secure address.
#[must_use]
pub fn is_plain(name: &str, value: &str) -> bool {
    match name {
        "href" => {
            ["#", "https://", "./course/", "./stories/"].iter().any(|it| value.starts_with(it))
        }
        "class" | "id" | "title" | "role" | "lang" | "dir" | "type" | "value" | "placeholder"
        | "for" | "tabindex" | "colspan" | "scope" | "open" | "disabled" | "selected"
        | "checked" | "name" | "hidden" | "rel" | "autocomplete" | "spellcheck" | "inputmode"
        | "viewBox" | "d" | "x" | "y" | "x1" | "y1" | "x2" | "y2" | "cx" | "cy" | "r" | "width"
        | "height" | "text-anchor" | "points" | "transform" => true,
        other => ["data-", "aria-", "--"].iter().any(|start| other.starts_with(start)),
    }
}

macro_rules! tags {
    ($($variant:ident $make:ident $name:literal,)*) => {
        /// The elements; those from [`Tag::Svg`] on belong to drawings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[allow(missing_docs)] // each is the element of that name
        pub enum Tag { $($variant,)* }

        impl Tag {
            /// Its name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                [$($name,)*][self as usize]
            }
        }

        $(
            #[doc = concat!("A `", $name, "` with these classes.")]
            #[must_use]
            pub fn $make(class: impl Into<String>) -> Element {
                Element::new(Tag::$variant, class.into())
            }
        )*
    };
}

tags! {
    A a "a", Article article "article", B b "b", Button button "button", Caption caption "caption", Code code "code", Dd dd "dd",
    Details details "details", Div div "div", Dl dl "dl", Dt dt "dt", Em em "em",
    Fieldset fieldset "fieldset", Footer footer "footer", H2 h2 "h2",
    H3 h3 "h3", H4 h4 "h4", Header header "header", Input input "input", Kbd kbd "kbd", Label label "label",
    Legend legend "legend", Li li "li",
    Nav nav "nav", Ol ol "ol", Option option "option", P p "p", Pre pre "pre", Section section "section",
    Select select "select", Span span "span", Summary summary "summary", Table table "table", Tbody tbody "tbody",
    Td td "td", Th th "th", Thead thead "thead", Tr tr "tr", Ul ul "ul",
    Svg svg "svg", G g "g", Path path "path", Line line "line", Rect rect "rect", Circle circle "circle",
    Polygon polygon "polygon", Label2 svg_text "text", Title svg_title "title",
}

impl Tag {
    /// Whether it belongs to a drawing.
    #[must_use]
    pub fn draws(self) -> bool {
        self >= Self::Svg
    }
}

impl Element {
    fn new(tag: Tag, class: String) -> Self {
        let element = Self { tag, attributes: Vec::new(), parts: Vec::new() };
        if class.is_empty() { element } else { element.set("class", class) }
    }

    /// Sets an attribute.
    #[must_use]
    pub fn set(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((Cow::Borrowed(name), value.into()));
        self
    }

    /// Sets an attribute if a condition holds.
    #[must_use]
    pub fn set_if(self, holds: bool, name: &'static str, value: impl Into<String>) -> Self {
        if holds { self.set(name, value) } else { self }
    }

    /// Sets an action for a click or a change of its value.
    #[must_use]
    pub fn does(self, action: Action, with: impl Into<String>) -> Self {
        let element = self.set("data-do", action.word()).set("data-to", with);
        if element.tag == Tag::Button { element.set("type", "button") } else { element }
    }

    /// Appends content.
    #[must_use]
    pub fn with(mut self, content: impl Content) -> Self {
        content.put(&mut self.parts);
        self
    }
}

/// Content: text, an element, several, none.
pub trait Content {
    /// Appends it to existing parts.
    fn put(self, parts: &mut Vec<Part>);
}

impl Content for &str {
    fn put(self, parts: &mut Vec<Part>) {
        self.to_owned().put(parts);
    }
}

impl Content for String {
    fn put(self, parts: &mut Vec<Part>) {
        if !self.is_empty() {
            parts.push(Part::Text(self));
        }
    }
}

impl Content for Element {
    fn put(self, parts: &mut Vec<Part>) {
        parts.push(Part::Element(self));
    }
}

impl Content for Part {
    fn put(self, parts: &mut Vec<Part>) {
        parts.push(self);
    }
}

impl<C: Content> Content for Option<C> {
    fn put(self, parts: &mut Vec<Part>) {
        self.into_iter().for_each(|content| content.put(parts));
    }
}

impl<C: Content> Content for Vec<C> {
    fn put(self, parts: &mut Vec<Part>) {
        self.into_iter().for_each(|content| content.put(parts));
    }
}

macro_rules! several {
    ($($content:ident)*) => {
        impl<$($content: Content),*> Content for ($($content,)*) {
            #[allow(non_snake_case, reason = "a type's letter names its value, too")]
            fn put(self, parts: &mut Vec<Part>) {
                let ($($content,)*) = self;
                $($content.put(parts);)*
            }
        }
    };
}

several! { A B }
several! { A B C }
several! { A B C D }
several! { A B C D E }
several! { A B C D E F }

/// The contents of an iterator in sequence.
pub fn all<C: Content>(contents: impl IntoIterator<Item = C>) -> Vec<Part> {
    let mut parts = Vec::new();
    contents.into_iter().for_each(|content| content.put(&mut parts));
    parts
}

/// A sentence; text between backticks is code.
#[must_use]
pub fn prose(sentence: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, part) in sentence.split('`').enumerate() {
        match index % 2 {
            1 => code("").with(part).put(&mut parts),
            _ => part.put(&mut parts),
        }
    }
    parts
}

impl DocumentPage {
    /// Creates an empty page with a title.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), parts: Vec::new() }
    }

    /// Appends content.
    #[must_use]
    pub fn with(mut self, content: impl Content) -> Self {
        content.put(&mut self.parts);
        self
    }

    /// Returns its text in reading order, for tests.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        read(&self.parts, &mut out);
        out
    }
}

fn read(parts: &[Part], out: &mut String) {
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Element(element) => {
                read(&element.parts, out);
                out.push('\n');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pack, unpack};

    #[test]
    fn a_page_survives_serialisation() {
        let page = DocumentPage::new("A").with((
            h2("name").with("One & <two>"),
            p("").with(prose("Say `this`.")),
            button("").does(Action::Open, "examples/a.tide").with("Open"),
        ));
        assert_eq!(unpack(&pack(&page)), Some(page.clone()));
        assert!(page.text().contains("Say this\n."), "{}", page.text());
    }

    #[test]
    fn an_element_has_its_name() {
        assert_eq!((Tag::A.name(), Tag::Ul.name()), ("a", "ul"));
        assert_eq!((Tag::Svg.name(), Tag::Title.name()), ("svg", "title"));
        assert!(Tag::Circle.draws() && !Tag::Ul.draws());
    }

    #[test]
    fn attributes_that_run_or_leave_the_page_are_not_plain() {
        for href in ["#rules", "https://example.org/", "./course/index.html"] {
            assert!(is_plain("href", href));
        }
        assert!(is_plain("data-do", "open") && is_plain("aria-label", "x"));
        for (name, value) in [
            ("href", "javascript:alert(1)"),
            ("href", "http://example.org"),
            ("href", "//example.org"),
            ("onclick", "x"),
            ("style", "x"),
            ("srcdoc", "x"),
            ("src", "https://example.org"),
        ] {
            assert!(!is_plain(name, value), "{name}={value}");
        }
    }

    #[test]
    fn every_action_has_a_distinct_word() {
        let words: Vec<_> = Action::ALL.iter().map(|action| action.word()).collect();
        let mut unique = words.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), words.len());
    }
}
