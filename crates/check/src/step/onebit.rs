//! The display of executions on the one-bit machine: each barrier by its word.

use super::amdgpu::{class, kind};
use super::view::{AgentView, ObjectView};
use super::walk::{Shown, named, waiting};
use crate::cause::{Amd, Cause};
use crate::replay::Kinds;
use crate::replay::onebit::{Done, Replay};
use crate::scene::Scene;
use crate::tell::list;
use crate::tell::names::in_ranges;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::agent::Joined;
use tidegate_model::instance::InstanceId;
use tidegate_model::onebit::{Machine, State};
use tidegate_model::operation::Object;
use tidegate_model::program::Node;

impl Kinds for Machine {
    fn kind(&self, node: &Node) -> &'static str {
        kind(node)
    }
}

impl Shown for Machine {
    type Object = InstanceId;

    fn objects(&self, launch: &State) -> Vec<InstanceId> {
        let all = 0..launch.objects.len() as InstanceId;
        all.filter(|&instance| self.context.object(instance) != Object::Null).collect()
    }

    fn object_of(&self, done: &Done) -> Option<InstanceId> {
        done.note.instance
    }

    /// The machine counts no phases.
    fn phases(&self, done: &Done) -> (Vec<u32>, bool) {
        (Vec::new(), done.note.completes)
    }

    fn is_cut_off(&self, _state: &State) -> bool {
        false
    }

    fn word(&self, state: &State, instance: InstanceId) -> String {
        format!("{:#010x}", Self::word(self, state, instance))
    }

    fn other_way(text: &str) -> String {
        format!("{text} (ignored if SCC was set before)")
    }

    fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> Vec<Cause> {
        let (machine, state) = (&replay.machine, replay.state());
        let at = machine.acts_on(state, agent);
        let clear = |(instance, _)| {
            let counters = state.objects[usize::from(instance)];
            Amd::BitClear {
                object: scene.instance_name(instance),
                signals: u32::from(counters.signals),
                members: u32::from(counters.members),
                word: machine.word(state, instance),
            }
        };
        at.map(clear).map(Cause::from).into_iter().collect()
    }

    fn joined(&self, scene: &Scene, state: &State, agent: usize) -> Option<String> {
        match state.agents[agent].joined {
            Joined::Named(instance, _) => Some(scene.instance_name(instance)),
            _ => None,
        }
    }

    fn object(
        scene: &Scene,
        replay: &Replay,
        instance: InstanceId,
        agents: &[AgentView],
    ) -> ObjectView {
        let (machine, state) = (&replay.machine, replay.state());
        let counters = state.objects[usize::from(instance)];
        let set = |state: &State| named(agents, |agent| machine.is_set(state, agent, instance));
        let bits = set(state);
        let word = machine.word(state, instance);
        let live = named(agents, |agent| machine.is_member(state, agent, instance));
        let whose = match bits.len() {
            0 => String::new(),
            several if several > 1 && bits == live => ", complete for all".to_owned(),
            _ => format!(", complete for {}", list(&in_ranges(&bits))),
        };
        ObjectView {
            name: scene.instance_name(instance),
            kind: class(machine.context.object(instance)).to_owned(),
            initialised: true,
            expected: i64::from(counters.members),
            arrived: i64::from(counters.signals),
            completed: 0,
            joined: named(
                agents,
                |agent| matches!(state.agents[agent].joined, Joined::Named(id, _) if id == instance),
            ),
            waiting: waiting(agents, |agent| {
                machine.acts_on(state, agent).is_some_and(|(id, _)| id == instance)
            }),
            changed: replay.before().is_some_and(|before| {
                before.objects[usize::from(instance)] != counters || set(before) != bits
            }),
            detail: format!(
                "{}/{} {word:#010x}{whose}; word {}",
                counters.signals,
                counters.members,
                as_bits(word)
            ),
        }
    }
}

/// The fields of the word of `s_get_barrier_state`, each with its places, as bits.
#[must_use]
fn as_bits(word: u32) -> String {
    let field = |low: u32, width: u32| (word >> low) & ((1 << width) - 1);
    format!(
        "bits 26-24 blocks {:03b}, 22-16 signals {:07b}, 10-4 members {:07b}, 0 valid {:b}",
        field(24, 3),
        field(16, 7),
        field(4, 7),
        field(0, 1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Options, Scene};
    use crate::step::Stepper;
    use alloc::string::ToString;

    /// The vectors of the machine's description, two waves and one block of named barriers.
    #[test]
    fn words_are_the_vectors() {
        assert_eq!(
            as_bits(0x0101_0021),
            "bits 26-24 blocks 001, 22-16 signals 0000001, 10-4 members 0000010, 0 valid 1"
        );
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\nwave 0 { init b, 2; arrive b; wait wg }\nwave 1 { arrive b }\n";
        let mut stepper = Stepper::of_machine(&Scene::new("m", text), &Options::default()).unwrap();
        let words = |stepper: &Stepper, name: &str| {
            let view = stepper.view();
            let object = view.objects.iter().find(|object| object.name == name);
            object.map(|object| object.detail.split(';').next().unwrap_or_default().to_string())
        };
        let after = |stepper: &mut Stepper, key: &str, name: &str| {
            stepper.perform(key).unwrap();
            words(stepper, name).unwrap()
        };
        assert_eq!(after(&mut stepper, "0.0:0", "b"), "0/2 0x01000021");
        assert_eq!(after(&mut stepper, "0.0:1", "b"), "1/2 0x01010021");
        assert_eq!(after(&mut stepper, "0.1:0", "b"), "0/2 0x01000021");
        let performed = stepper.view().performed;
        let read: Vec<&str> = performed.iter().map(|step| step.word.as_str()).collect();
        assert_eq!(read, ["0x01000021", "0x01010021", "0x01000021"]);
        assert!(stepper.perform("0.0:2").is_err());
        let blocked = stepper.view().agents[0].moves[0].blocked.clone().unwrap();
        assert!(blocked.contains("completion bit of `wg` is clear: 0 of 2 have"), "{blocked}");
        assert_eq!(after(&mut stepper, "0.1:1", "wg"), "0/1 0x00000011");
        stepper.perform("0.0:2").unwrap_err();
    }
}
