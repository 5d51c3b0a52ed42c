//! What the page itself has of the engine: the forms of its answers, and links. It judges nothing.

pub(crate) use tidegate_check::apply;
pub(crate) use tidegate_check::link::Shared;
pub(crate) use tidegate_check::report::{Finding, Fix, OracleReport, Report, ReportDiagnostic};
pub(crate) use tidegate_check::step::{
    AgentView, FlightView, FrameView, MarkView, MemoryView, Move, ObjectView, PairView, Performed,
    View,
};

use crate::port;
use tidegate_check::link;

pub(crate) use protocol::{About, Terms};
pub(crate) use tidegate_check::link::{ENGINE as VERSION, recorded};

/// The fragment that stands for a state of the page. Only the engine can pack it small.
pub(crate) fn encode(shared: &Shared) -> String {
    port::link(shared).unwrap_or_else(|| link::encode_plain(shared))
}

/// What a link says, or why it says nothing.
pub(crate) fn decode(link: &str) -> Result<Shared, String> {
    link::decode(link).map_err(|error| error.to_string())
}
