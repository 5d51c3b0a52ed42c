use serde::{Deserialize, Serialize};
use tidegate_check::Options;
use tidegate_check::model::reading::ReadingId;
use tidegate_check::model::target::TargetId;

/// What a text is judged under: everything that a reader can choose besides the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The target's name; none: the text's own.
    pub target: Option<String>,
    /// Readings chosen besides the text's own, each as `ID=CHOICE`.
    pub readings: Vec<String>,
}

impl Terms {
    /// The options of a judgement under these terms.
    #[must_use]
    pub fn options(&self) -> Options {
        Options {
            target: self.target.as_deref().and_then(TargetId::from_name),
            readings: self.readings.iter().filter_map(|chosen| choice(chosen)).collect(),
            ambiguities: true,
            machine: true,
            participates_in: false,
            ..Options::default()
        }
    }
}

/// A reading and the index of its answer, from `ID=CHOICE`.
#[must_use]
pub fn choice(chosen: &str) -> Option<(ReadingId, u8)> {
    let (name, choice) = chosen.split_once('=')?;
    let id = ReadingId::from_name(name)?;
    let index = id.get().choices.iter().position(|answer| answer.name == choice)?;
    Some((id, index as u8))
}
