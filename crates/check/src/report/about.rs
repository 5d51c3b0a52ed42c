//! The barriers, operations and facts that a cause is about.

use super::{Cause, Place, Value};
use alloc::string::String;
use alloc::vec::Vec;

impl Cause {
    /// The name of the first barrier or memory that it is about, or its facts.
    #[must_use]
    pub fn object(&self) -> Option<&str> {
        let own = ["object", "objects", "memory"].iter().find_map(|name| {
            match self.fields.get(*name)? {
                Value::Text(name) => Some(name.as_str()),
                Value::Names(names) => names.first().map(String::as_str),
                _ => None,
            }
        });
        own.or_else(|| self.facts.iter().find_map(Self::object))
    }

    /// The operations that it is about, with those of its facts.
    #[must_use]
    pub fn places(&self) -> Vec<&Place> {
        let own = self.fields.values().flat_map(|value| match value {
            Value::Place(place) => core::slice::from_ref(place),
            Value::Places(places) => places,
            _ => &[],
        });
        own.chain(self.facts.iter().flat_map(Self::places)).collect()
    }

    /// The names in a field that is about agents, objects or targets.
    #[must_use]
    pub fn names(&self, field: &str) -> &[String] {
        match self.fields.get(field) {
            Some(Value::Names(names)) => names,
            Some(Value::Text(name)) => core::slice::from_ref(name),
            _ => &[],
        }
    }

    /// The facts of a kind below it.
    pub fn facts_of(&self, kind: &str) -> impl Iterator<Item = &Self> {
        self.facts.iter().filter(move |fact| fact.kind == kind)
    }
}
