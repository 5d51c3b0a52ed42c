//! The parts of the engine that the page contains: its report types, and links. It checks nothing.

pub(crate) use tidegate_check::apply;
pub(crate) use tidegate_check::link::Shared;
pub(crate) use tidegate_check::report::{
    CompilerReport, Finding, Fix, IDLE, Report, ReportDiagnostic,
};
pub(crate) use tidegate_check::step::{
    AgentView, FlightView, FrameView, MarkView, MemoryView, Move, ObjectView, PairView, Performed,
    View,
};

use tidegate_check::link;

pub(crate) use protocol::{About, Terms};
pub(crate) use tidegate_check::link::{ENGINE as VERSION, recorded};

/// Decodes a link, or returns why it cannot be decoded.
pub(crate) fn decode(link: &str) -> Result<Shared, String> {
    link::decode(link).map_err(|error| error.to_string())
}
