//! What the page itself has of the engine: the forms of its answers, the catalogue, links and tokens. It judges nothing.

pub(crate) use tidegate_check::apply;
pub(crate) use tidegate_check::link::Shared;
pub(crate) use tidegate_check::matrix::MatrixRow;
pub(crate) use tidegate_check::model::reading::Reading;
pub(crate) use tidegate_check::model::rule::Rule;
pub(crate) use tidegate_check::report::{Finding, Fix, OracleReport, Report, ReportDiagnostic};
pub(crate) use tidegate_check::step::{
    AgentView, CopyView, FlightView, FrameView, MarkView, MemoryView, Move, ObjectView, PairView,
    Performed, View,
};

use protocol::choice;
use tidegate_check::link;
use tidegate_check::model::reading::ReadingId;
use tidegate_check::model::rule::RuleId;
use tidegate_check::model::target::{Family, TARGETS, TargetId};

pub(crate) use protocol::{About, Terms};
pub(crate) use tidegate_check::link::{ENGINE as VERSION, recorded};

/// Whether there is a reading with that answer, given as `ID=CHOICE`.
pub(crate) fn is_choice(chosen: &str) -> bool {
    choice(chosen).is_some()
}

/// The rule of an identifier.
pub(crate) fn rule(id: &str) -> Option<&'static Rule> {
    RuleId::from_name(id).map(RuleId::get)
}

/// The reading of a name.
pub(crate) fn reading(name: &str) -> Option<&'static Reading> {
    ReadingId::from_name(name).map(ReadingId::get)
}

/// The fragment that stands for a state of the page.
pub(crate) fn encode(shared: &Shared) -> String {
    link::encode(shared)
}

/// What a link says, or why it says nothing.
pub(crate) fn decode(link: &str) -> Result<Shared, String> {
    link::decode(link).map_err(|error| error.to_string())
}

/// Whether there is a target of that name.
pub(crate) fn is_target(name: &str) -> bool {
    TargetId::from_name(name).is_some()
}

/// Names of the targets that scenarios can be judged on, under headings, newest generation first.
pub(crate) fn targets() -> Vec<(String, Vec<&'static str>)> {
    let mut groups: Vec<(String, Vec<&'static str>)> = Vec::new();
    for target in TARGETS.iter().rev() {
        let heading = match target.family {
            Family::Model => "The text alone".to_owned(),
            Family::Amdgpu { major, .. } => format!("GFX{major}"),
            Family::Nvidia | Family::Opencl => continue,
        };
        match groups.iter_mut().find(|(name, _)| *name == heading) {
            Some((_, names)) => names.insert(0, target.name),
            None => groups.push((heading, vec![target.name])),
        }
    }
    groups
}
