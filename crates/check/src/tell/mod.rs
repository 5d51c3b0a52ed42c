//! All English of findings: causes and facts as titles and notes, help, and conditions.

mod amd;
mod common;
pub(crate) mod condition;
pub(crate) mod help;
mod memory;
pub(crate) mod names;
pub(crate) mod open;
mod opencl;
mod ptx;
pub(crate) mod related;
mod target;

use crate::cause::Cause;
use crate::scene::Scene;
use alloc::string::String;
use alloc::vec::Vec;
pub(crate) use names::{list, operation};

/// A cause as a title, or a fact as a note.
#[must_use]
pub(crate) fn say(scene: &Scene, cause: &Cause) -> String {
    match cause {
        Cause::Common(cause) => common::say(scene, cause),
        Cause::Amd(cause) => amd::say(scene, cause),
        Cause::Memory(cause) => memory::say(scene, cause),
        Cause::Ptx(cause) => ptx::cause(scene, cause),
        Cause::PtxFact(fact) => ptx::fact(scene, fact),
        Cause::PtxRace(race) => ptx::race(scene, race),
        Cause::Opencl(cause) => opencl::say(scene, cause),
        Cause::Lack(cause) => target::say(scene, cause),
    }
}

/// Facts as notes.
#[must_use]
pub(crate) fn notes(scene: &Scene, facts: &[Cause]) -> Vec<String> {
    facts.iter().map(|fact| say(scene, fact)).collect()
}

/// Facts in one line; `None` if there are none.
#[must_use]
pub(crate) fn in_one_line(scene: &Scene, facts: &[Cause]) -> Option<String> {
    (!facts.is_empty()).then(|| notes(scene, facts).join("; "))
}
