//! Causes in JSON: the kind, its fields and its facts in one object. Compact formats keep the three apart.

use super::{Cause, Place, Value};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The name of the list of facts.
const FACTS: &str = "facts";
/// The name of the kind.
const KIND: &str = "kind";

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        if !out.is_human_readable() {
            return (&self.kind, &self.fields, &self.facts).serialize(out);
        }
        let facts = usize::from(!self.facts.is_empty());
        let mut map = out.serialize_map(Some(1 + self.fields.len() + facts))?;
        map.serialize_entry(KIND, &self.kind)?;
        for (name, value) in &self.fields {
            map.serialize_entry(name, value)?;
        }
        if !self.facts.is_empty() {
            map.serialize_entry(FACTS, &self.facts)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Cause {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return from.deserialize_map(Fields);
        }
        let (kind, fields, facts) = Deserialize::deserialize(from)?;
        Ok(Self { kind, fields, facts })
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Cause;

    fn expecting(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("an object with a kind")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Cause, A::Error> {
        let mut kind = None;
        let (mut fields, mut facts) = (BTreeMap::new(), Vec::new());
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                KIND => kind = Some(map.next_value()?),
                FACTS => facts = map.next_value()?,
                _ => {
                    fields.insert(name, map.next_value()?);
                }
            }
        }
        let kind = kind.ok_or_else(|| A::Error::missing_field(KIND))?;
        Ok(Cause { kind, fields, facts })
    }
}

/// Defines the forms of a value: tagged for compact formats, and plain.
macro_rules! forms {
    ($($(#[$how:meta])* $form:ident;)*) => {
        $(#[derive(Serialize, Deserialize)]
        #[serde(remote = "Value")]
        $(#[$how])*
        enum $form {
            Number(i64),
            Flag(bool),
            Text(String),
            Names(Vec<String>),
            Place(Place),
            Places(Vec<Place>),
            Groups(BTreeMap<String, Vec<String>>),
        })*
    };
}
forms! {
    Tagged;
    #[serde(untagged)]
    Plain;
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match out.is_human_readable() {
            true => Plain::serialize(self, out),
            false => Tagged::serialize(self, out),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match from.is_human_readable() {
            true => Plain::deserialize(from),
            false => Tagged::deserialize(from),
        }
    }
}
