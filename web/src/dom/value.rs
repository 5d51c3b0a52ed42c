//! Values of attributes.

use std::borrow::Cow;

/// Text, or `None` for an absent attribute.
pub(crate) type Text<'a> = Option<Cow<'a, str>>;

/// A value of an attribute, a property or a style.
pub(crate) trait Value<'a> {
    /// Returns it as text; `false` is `None`.
    fn text(self) -> Text<'a>;
}

impl<'a> Value<'a> for &'a str {
    fn text(self) -> Text<'a> {
        Some(self.into())
    }
}

impl<'a> Value<'a> for &'a String {
    fn text(self) -> Text<'a> {
        Some(self.into())
    }
}

impl Value<'static> for String {
    fn text(self) -> Text<'static> {
        Some(self.into())
    }
}

impl Value<'static> for usize {
    fn text(self) -> Text<'static> {
        Some(self.to_string().into())
    }
}

impl Value<'static> for bool {
    fn text(self) -> Text<'static> {
        self.then_some("".into())
    }
}

impl<'a, V: Value<'a>> Value<'a> for Option<V> {
    fn text(self) -> Text<'a> {
        self.and_then(V::text)
    }
}
