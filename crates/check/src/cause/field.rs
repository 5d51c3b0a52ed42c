//! The fields of causes as they are reported: agents, operations and objects by name.

use super::At;
use crate::report::{Place, Value};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::rule::RuleId;

/// The largest number that JavaScript represents exactly. Larger ones are reported as text.
const LARGEST: u64 = (1 << 53) - 1;

/// The fields of a cause.
pub(crate) struct Fields<'a> {
    scene: &'a Scene,
    pub(crate) found: BTreeMap<String, Value>,
}

impl<'a> Fields<'a> {
    pub(crate) const fn new(scene: &'a Scene) -> Self {
        Self { scene, found: BTreeMap::new() }
    }

    /// Writes a field.
    pub(crate) fn field(&mut self, name: &str, field: &impl Field) {
        field.write(name, self);
    }

    fn put(&mut self, name: &str, value: Value) {
        self.found.insert(name.to_owned(), value);
    }

    fn place(&self, (agent, node): At) -> Place {
        let source = self.scene.source(agent, node);
        Place {
            agent: self.scene.agent_name(agent).to_owned(),
            line: source.span.line,
            column: source.span.column,
            operation: if source.text.is_empty() { "end".to_owned() } else { source.text },
        }
    }
}

/// A value in a cause. A type can be several fields.
pub(crate) trait Field {
    /// The names of its fields; empty for one field with the name of the value.
    const PARTS: &'static [&'static str] = &[];

    fn write(&self, name: &str, out: &mut Fields<'_>);
}

/// A word of a closed set.
pub(crate) trait Word {
    fn word(&self) -> &'static str;
}

impl<T: Word> Field for T {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        out.put(name, Value::Text(self.word().to_owned()));
    }
}

impl Word for &'static str {
    fn word(&self) -> &'static str {
        self
    }
}

impl Word for RuleId {
    fn word(&self) -> &'static str {
        self.get().id
    }
}

/// An agent.
impl Field for usize {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        out.put(name, Value::Text(out.scene.agent_name(*self).to_owned()));
    }
}

/// Agents.
impl Field for Vec<usize> {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        let names = self.iter().map(|&agent| out.scene.agent_name(agent).to_owned());
        out.put(name, Value::Names(names.collect()));
    }
}

/// An operation.
impl Field for At {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        out.put(name, Value::Place(out.place(*self)));
    }
}

/// Operations, each once.
impl Field for Vec<At> {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        let mut places: Vec<Place> = Vec::with_capacity(self.len());
        for place in self.iter().map(|at| out.place(*at)) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        out.put(name, Value::Places(places));
    }
}

/// A name.
impl Field for String {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        out.put(name, Value::Text(self.clone()));
    }
}

/// Names.
impl Field for Vec<String> {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        out.put(name, Value::Names(self.clone()));
    }
}

impl Field for bool {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        out.put(name, Value::Flag(*self));
    }
}

impl Field for i64 {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        let value = match self.unsigned_abs() <= LARGEST {
            true => Value::Number(*self),
            false => Value::Text(self.to_string()),
        };
        out.put(name, value);
    }
}

impl Field for i32 {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        i64::from(*self).write(name, out);
    }
}

impl Field for u32 {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        i64::from(*self).write(name, out);
    }
}

impl Field for u16 {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        i64::from(*self).write(name, out);
    }
}

/// Without a value there is no field.
impl<T: Field> Field for Option<T> {
    const PARTS: &'static [&'static str] = T::PARTS;

    fn write(&self, name: &str, out: &mut Fields<'_>) {
        if let Some(value) = self {
            value.write(name, out);
        }
    }
}

/// An operation, or a copy or an asynchronous arrive that an operation started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// The operation.
    Operation(At),
    /// The copy that it started.
    Copy(At),
    /// The arrive that it started.
    Arrive(At),
}

impl Field for Act {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        let place = match *self {
            Self::Operation(at) => out.place(at),
            // As the steps of witnesses name them.
            Self::Copy(at) | Self::Arrive(at) => {
                let place = out.place(at);
                Place { agent: format!("copy of {}", place.agent), ..place }
            }
        };
        out.put(name, Value::Place(place));
    }
}

/// Groups of agents by a word.
impl<W: Word> Field for Vec<(W, Vec<usize>)> {
    fn write(&self, name: &str, out: &mut Fields<'_>) {
        let names = |agents: &[usize]| {
            agents.iter().map(|&agent| out.scene.agent_name(agent).to_owned()).collect()
        };
        let groups = self.iter().map(|(word, agents)| (word.word().to_owned(), names(agents)));
        let groups = groups.collect();
        out.put(name, Value::Groups(groups));
    }
}
