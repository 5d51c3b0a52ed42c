//! Sides: what can judge a scenario differently from something else.

use crate::check::check;
use crate::judge::KeepGoing;
use crate::report::Report;
use crate::scene::{Engine, Options, Scene};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use tidegate_model::reading::ReadingId;
use tidegate_model::target::TargetId;

/// One of two ways to check a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The specification, on a target and under readings.
    Spec,
    /// The machine as publicly modelled.
    Machine,
    /// The text, by exploring every interleaving.
    Explore,
    /// The text, by its axioms.
    Axioms,
    /// The text on a target.
    Target(TargetId),
    /// The text under an answer to an open question.
    Reading(ReadingId, u8),
}

impl Side {
    /// The side of a word: `spec`, `machine`, `explore`, `axioms`, a target, or `ID=OPTION`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "spec" => Self::Spec,
            "machine" => Self::Machine,
            "explore" => Self::Explore,
            "axioms" => Self::Axioms,
            _ => match name.split_once('=') {
                Some((id, option)) => {
                    let id = ReadingId::from_name(id)?;
                    Self::Reading(id, id.choice(option)?)
                }
                None => Self::Target(TargetId::from_name(name)?),
            },
        })
    }

    /// The word that [`Side::from_name`] reads.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Spec => "spec".to_owned(),
            Self::Machine => "machine".to_owned(),
            Self::Explore => "explore".to_owned(),
            Self::Axioms => "axioms".to_owned(),
            Self::Target(target) => target.get().name.to_owned(),
            Self::Reading(id, choice) => {
                let reading = id.get();
                format!("{}={}", reading.name, reading.choices[usize::from(choice)].name)
            }
        }
    }

    /// The options of this side, where `base` are the common options.
    fn options(self, base: &Options) -> Options {
        let mut options =
            Options { ambiguities: false, machine: self == Self::Machine, ..base.clone() };
        match self {
            Self::Spec | Self::Machine => {}
            Self::Explore => options.engine = Engine::Explore,
            Self::Axioms => options.engine = Engine::Axioms,
            Self::Target(target) => options.target = Some(target),
            Self::Reading(id, choice) => options.readings.push((id, choice)),
        }
        options
    }

    /// The report of a scenario by this side, and the verdict in it; `none` where the target has no machine oracle.
    fn verdict(self, scene: &Scene, base: &Options, keep_going: KeepGoing<'_>) -> (String, Report) {
        let report = check(scene, &self.options(base), keep_going);
        let verdict = match (self, &report.machine) {
            (Self::Machine, Some(machine)) => machine.verdict.clone(),
            (Self::Machine, None) if report.verdict != "invalid" => "none".to_owned(),
            _ => report.verdict.clone(),
        };
        (verdict, report)
    }
}

/// The verdicts of two sides on a scenario. The machine does not model memory: if it is one of the sides, findings
/// about memory are ignored ([`Report::execution_verdict`]).
pub fn verdicts(
    sides: [Side; 2],
    scene: &Scene,
    base: &Options,
    keep_going: KeepGoing<'_>,
) -> [String; 2] {
    let beside_machine = sides.contains(&Side::Machine);
    sides.map(|side| match side.verdict(scene, base, keep_going) {
        (_, report) if beside_machine && side != Side::Machine => {
            report.execution_verdict().to_owned()
        }
        (verdict, _) => verdict,
    })
}

/// Whether two verdicts are both certain and not the same.
#[must_use]
pub fn differ(left: &str, right: &str) -> bool {
    let certain = |verdict: &str| !matches!(verdict, "unknown" | "invalid" | "none");
    certain(left) && certain(right) && left != right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for name in ["spec", "machine", "explore", "axioms", "gfx1250", "amd.A6=undefined"] {
            assert_eq!(Side::from_name(name).map(Side::name).as_deref(), Some(name));
        }
        for wrong in ["", "gfx", "amd.A6", "amd.A6=", "amd.A6=maybe", "=", "x=y"] {
            assert_eq!(Side::from_name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sides_differ_only_if_both_are_certain() {
        let scene = Scene::new("x.tide", "target gfx1200\nlaunch waves=1\nwave 0 { s_barrier }");
        let sides = ["gfx900", "gfx1250"].map(|name| Side::from_name(name).unwrap());
        let found = verdicts(sides, &scene, &Options::default(), &mut |_| true);
        assert_eq!(found, ["ok", "unsupported"]);
        assert!(differ("ok", "unsupported") && !differ("ok", "unknown") && !differ("ok", "ok"));
    }

    #[test]
    fn beside_the_machine_memory_is_set_aside() {
        let text = "target gfx1250\nlaunch waves=2\nlds m[4]\nwave * { store m; s_barrier_signal -1; s_barrier_wait -1 }";
        let scene = Scene::new("x.tide", text);
        let found = |sides| verdicts(sides, &scene, &Options::default(), &mut |_| true);
        assert_eq!(found([Side::Spec, Side::Machine]), ["ok", "ok"]);
        assert_eq!(found([Side::Spec, Side::Explore]), ["race", "race"]);
    }
}
