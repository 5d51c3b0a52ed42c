use serde::{Deserialize, Serialize};
use tidegate_check::Options;
use tidegate_check::model::reading::ReadingId;
use tidegate_check::model::target::TargetId;

/// The terms of a check: everything that a reader can choose besides the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The target's name; `None` for the text's own.
    pub target: Option<String>,
    /// Readings chosen besides the text's own, each as `ID=CHOICE`.
    pub readings: Vec<String>,
    /// Largest number of states of a search; `None` for the usual one.
    pub max_states: Option<u64>,
}

impl Terms {
    /// Returns the options of a check under these terms.
    #[must_use]
    pub fn options(&self) -> Options {
        Options {
            target: self.target.as_deref().and_then(TargetId::from_name),
            readings: self.readings.iter().filter_map(|chosen| choice(chosen)).collect(),
            max_states: self.max_states,
            ..Options::default()
        }
    }
}

/// Parses a reading and the index of its choice from `ID=CHOICE`.
#[must_use]
pub fn choice(chosen: &str) -> Option<(ReadingId, u8)> {
    let (name, choice) = chosen.split_once('=')?;
    let id = ReadingId::from_name(name)?;
    let index = id.get().choices.iter().position(|answer| answer.name == choice)?;
    Some((id, index as u8))
}
