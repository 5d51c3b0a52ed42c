//! Conversion between Rust values and JavaScript values.

use js_sys::Object;
use serde::de::{self, DeserializeOwned, Visitor};
use serde::{Deserializer, Serialize};
use serde_wasm_bindgen::Serializer;
use std::fmt;
use wasm_bindgen::{JsCast, JsError, JsValue};

/// Converts to a plain JavaScript value: objects for maps, null for `None`.
pub(crate) fn give(value: &impl Serialize) -> Result<JsValue, JsError> {
    value.serialize(&Serializer::json_compatible()).map_err(JsError::from)
}

/// Converts from a plain JavaScript object; the default if it is absent. Throws if the object has an unknown member, which is
/// probably misspelt.
pub(crate) fn take<T: DeserializeOwned + Default>(value: JsValue) -> Result<T, JsError> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    let Some(object) = value.dyn_ref::<Object>() else {
        return Err(JsError::new("expected an object"));
    };
    let Err(Members(known)) = T::deserialize(Probe) else { return Ok(T::default()) };
    for name in Object::keys(object).iter().filter_map(|name| name.as_string()) {
        if !known.contains(&name.as_str()) {
            return Err(JsError::new(&format!(
                "unknown member `{name}`: expected one of {}",
                known.join(", ")
            )));
        }
    }
    serde_wasm_bindgen::from_value(value).map_err(JsError::from)
}

/// A deserialiser that returns the member names of a struct as its error.
struct Probe;

/// The member names of a struct.
#[derive(Debug)]
struct Members(&'static [&'static str]);

impl fmt::Display for Members {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0.join(", "))
    }
}

impl std::error::Error for Members {}

impl de::Error for Members {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for Probe {
    type Error = Members;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Members> {
        Err(Members(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        members: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Members> {
        Err(Members(members))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
