//! The causes of findings on AMDGPU barriers.

pub(crate) mod coming;
mod missing;
mod stuck;

use crate::cause::{Amd, Cause, Common, Finding, Lack};
use crate::replay::amdgpu::{Done, Replay};
use crate::scene::Scene;
use crate::tell::help;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
pub(crate) use stuck::{blocked, blocked_alike};
use tidegate_model::agent::Joined;
use tidegate_model::instance::{InstanceId, NO_INSTANCE};
use tidegate_model::opencl::support::named_barriers;
use tidegate_model::operation::{Action, Object};
use tidegate_model::rule::RuleId;
use tidegate_model::spec::state::State;
use tidegate_model::target::{Family, TargetId};

/// The finding at the end of a replayed witness.
#[must_use]
pub(crate) fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Finding {
    let known = match rule {
        RuleId::AmdWaitNeverCompletes => Some(stuck::tell(scene, replay)),
        RuleId::MemRace | RuleId::AsyncRace => crate::memory::tell::race(scene, replay, rule),
        RuleId::AmdBarrierOutstandingMemory => crate::memory::counters::tell(scene, replay),
        RuleId::AmdJoinBeforeWait => stuck::without_join(scene, replay),
        _ => None,
    };
    if let Some(found) = known {
        return found;
    }
    let Some(last) = replay.done.last() else {
        return Finding::new(Common::Rule { operation: None, rule }, Vec::new(), None);
    };
    let before = &replay.states[replay.done.len() - 1];
    let teller =
        Teller { scene, replay, before, last, instance: at_fault(replay, before, last, rule) };
    let (cause, facts) = teller.cause(rule);
    let joined = matches!(before.agents[last.step.agent].joined, Joined::Named(_, true));
    let help = (rule == RuleId::AmdJoinBeforeWait && !joined)
        .then(|| join_for(scene, teller.at(), &teller.object()))
        .flatten();
    Finding::new(cause, facts, Some(teller.at())).with_help(help)
}

/// The help for a wait whose wave has not joined its object.
pub(super) fn join_for(scene: &Scene, at: (usize, u32), object: &str) -> Option<String> {
    let source = scene.source(at.0, at.1);
    let join = instead_of_wait(&source.text, ["join ", "s_barrier_join "])?;
    Some(help::amd::join(&join, source.span.line, object))
}

/// Another operation on the object of a wait, in the vocabulary of the wait.
fn instead_of_wait(wait: &str, names: [&str; 2]) -> Option<String> {
    let mut spelled = ["wait ", "s_barrier_wait "].into_iter().zip(names);
    spelled.find_map(|(old, new)| Some(format!("{new}{}", wait.strip_prefix(old)?)))
}

/// The object on which a step breaks a rule. The end of a wave drops the workgroup barrier, and the cluster barrier if it
/// is the last wave or each wave does. If the first drop keeps the rule, it is the second.
fn at_fault(replay: &Replay, before: &State, last: &Done, rule: RuleId) -> Option<InstanceId> {
    let agent = last.step.agent;
    let cluster = replay.machine.context.instances.cluster_of(agent);
    let Some(own) = last.note.instance else {
        return (replay.is_end(last) && cluster != NO_INSTANCE).then_some(cluster);
    };
    if !replay.is_end(last) || cluster == NO_INSTANCE {
        return Some(own);
    }
    let owes = |instance: InstanceId| {
        let same = before.slots_of(instance);
        before.choices.iter().any(|choice| choice.agents[agent].arrived & same != 0)
    };
    let innocent = match rule {
        RuleId::AmdDropNonNegative => before.objects[usize::from(own)].barrier.expected > 0,
        RuleId::AmdDropRace => !owes(own),
        _ => false,
    };
    Some(if innocent { cluster } else { own })
}

/// The context of the texts about the last step.
struct Teller<'a> {
    scene: &'a Scene,
    replay: &'a Replay,
    before: &'a State,
    last: &'a Done,
    /// The object on which the rule is broken.
    instance: Option<InstanceId>,
}

impl Teller<'_> {
    /// The last step.
    fn at(&self) -> (usize, u32) {
        (self.last.step.agent, self.last.node)
    }

    /// The name of the object.
    fn object(&self) -> String {
        self.instance.map_or_else(String::new, |id| self.scene.instance_name(id))
    }

    /// The arrival count and the expected count before the last step.
    fn counts(&self) -> (i32, i32) {
        let barrier = self
            .instance
            .map(|id| self.before.objects[usize::from(id)].barrier)
            .unwrap_or_default();
        (barrier.arrived, barrier.expected)
    }

    /// Agents and nodes of earlier steps that `keep` accepts.
    fn earlier(&self, keep: impl Fn(&Done, Action) -> bool) -> Vec<(usize, u32)> {
        let steps = &self.replay.done[..self.replay.done.len() - 1];
        let kept = steps
            .iter()
            .filter(|done| self.replay.action(done).is_some_and(|action| keep(done, action)));
        kept.map(|done| (done.step.agent, done.node)).collect()
    }

    /// The join state of the agent before the last step.
    fn joined(&self) -> Cause {
        let agent = self.last.step.agent;
        joined(self.scene, self.before.agents[agent].joined, agent)
    }

    /// The last step of the same agent that `keep` accepts.
    fn own(&self, keep: impl Fn(&Done, Action) -> bool) -> Option<(usize, u32)> {
        let agent = self.last.step.agent;
        self.earlier(|done, action| done.step.agent == agent && keep(done, action)).pop()
    }

    fn cause(&self, rule: RuleId) -> (Cause, Vec<Cause>) {
        let (operation, agent, object) = (self.at(), self.last.step.agent, self.object());
        let (arrived, expected) = self.counts();
        let facts = match rule {
            RuleId::AmdInitFirst => Vec::from([
                Amd::NoOrderedInit { operation, object: object.clone() }.into(),
                Amd::InitComesFirst.into(),
            ]),
            RuleId::AmdDropNonNegative => {
                Vec::from([Amd::ExpectedBefore { object: object.clone(), expected }.into()])
            }
            RuleId::AmdArriveExpected => {
                Vec::from(
                    [Amd::ArrivalsBefore { object: object.clone(), arrived, expected }.into()],
                )
            }
            RuleId::AmdJoinBeforeDrop => Vec::from([self.joined(), Amd::DropNeedsJoin.into()]),
            RuleId::AmdClusterOneArrival => {
                let workgroup = self.workgroup();
                Vec::from([Amd::HasArrived { workgroup, arrived, expected }.into()])
            }
            RuleId::AmdBarrierWaveUniform => Vec::from([Amd::LanesApart { agent }.into()]),
            _ => Vec::new(),
        };
        let cause = match rule {
            RuleId::AmdDropRace => return self.drop_race(),
            RuleId::AmdJoinBeforeWait => return self.join_before_wait(),
            RuleId::AmdInitFirst => Amd::UseBeforeInit { operation, object },
            RuleId::AmdInitPositive => Amd::CountNotPositive { operation },
            RuleId::AmdDropNonNegative => Amd::NegativeExpected { operation, object },
            RuleId::AmdArriveExpected => Amd::ExpectedNotAbove { operation },
            RuleId::AmdJoinNamedOnly => Amd::JoinsUnnamed { operation, object },
            RuleId::AmdJoinBeforeDrop => Amd::DropsUnjoined { operation, agent, object },
            RuleId::AmdObjectScope => {
                let instance = self.last.note.instance.map_or(0, usize::from);
                let workgroup = self.replay.machine.context.instances.list[instance].place;
                Amd::ForeignObject { operation, object, workgroup }
            }
            RuleId::AmdClusterOneArrival => {
                Amd::SecondArrival { operation, workgroup: self.workgroup(), object }
            }
            RuleId::AmdBarrierWaveUniform => Amd::Divergent { operation },
            _ => return (Common::Rule { operation: Some(operation), rule }.into(), facts),
        };
        (cause.into(), facts)
    }

    fn workgroup(&self) -> u32 {
        self.replay.machine.context.program.agents[self.last.step.agent].workgroup
    }

    fn drop_race(&self) -> (Cause, Vec<Cause>) {
        let (operation, agent, object) = (self.at(), self.last.step.agent, self.object());
        if matches!(self.replay.action(self.last), Some(Action::Wait { .. })) {
            let here = self.last.note.instance;
            let arrives = self.earlier(|done, action| {
                done.note.instance == here && matches!(action, Action::Arrive { .. })
            });
            let facts = [Amd::WaitBeforeDrop, Amd::ArrivalsSoFar { arrives }].map(Cause::from);
            return (Amd::DependsOnDropped { operation, object }.into(), facts.into());
        }
        let ends = self.replay.is_end(self.last);
        let arrive = self.own(|done, action| {
            done.note.instance == self.instance && matches!(action, Action::Arrive { .. })
        });
        let end = ends.then(|| Amd::EndDrops { object: object.clone() });
        let facts = end
            .into_iter()
            .chain(arrive.map(|arrive| Amd::Participates { arrive }))
            .chain([Amd::NoWaitBeforeDrop { agent }]);
        let facts = facts.map(Cause::from).collect();
        (Amd::DropsUnwaited { operation, ends, agent, object }.into(), facts)
    }

    fn join_before_wait(&self) -> (Cause, Vec<Cause>) {
        let (operation, agent, object) = (self.at(), self.last.step.agent, self.object());
        if !matches!(self.before.agents[agent].joined, Joined::Named(_, true)) {
            let cause = Amd::WaitsUnjoined { operation, agent, object };
            return (cause.into(), Vec::from([self.joined()]));
        }
        let here = self.last.note.instance;
        let operations = self.earlier(|done, action| {
            done.note.instance == here
                && matches!(action, Action::Arrive { .. } | Action::Drop { .. } | Action::Leave)
        });
        let several = operations.len() != 1;
        let join = self.own(|_, action| matches!(action, Action::Join { .. }));
        let depends = (!operations.is_empty()).then_some(Amd::DependsOn { operations });
        let facts =
            depends.into_iter().chain(join.map(|join| Amd::JoinUnordered { join, several }));
        let facts = facts.map(Cause::from).collect();
        (Amd::JoinedLate { agent, object }.into(), facts)
    }
}

/// The join state of an agent.
fn joined(scene: &Scene, joined: Joined, agent: usize) -> Cause {
    let name = |id| scene.instance_name(id);
    match joined {
        Joined::Nothing => Amd::JoinedNothing { agent },
        Joined::Null => Amd::JoinedNull { agent },
        Joined::Named(id, true) => Amd::Joined { agent, object: name(id) },
        Joined::Named(id, false) => Amd::JoinedDropped { agent, object: name(id) },
    }
    .into()
}

/// Why a target does not support an operation that others support.
#[must_use]
pub(crate) fn lacking(
    action: Action,
    operation: (usize, u32),
    rule: RuleId,
    (target, others): (&str, &[TargetId]),
) -> Cause {
    let own = target.to_owned();
    let targets = others.iter().map(|other| other.get().name.to_owned()).collect();
    let lack = match (action, rule, action.object()) {
        (Action::Opencl(_), ..) => {
            let named = TargetId::from_name(target).and_then(|id| named_barriers(id.get()));
            match named {
                Some(0) | None => Lack::NoNamed { operation, target: own, targets },
                Some(most) => {
                    let most = u32::from(most);
                    Lack::TooManyNamed { operation, target: own, targets, most }
                }
            }
        }
        (_, RuleId::AmdObjectUnsupported, Some(Object::Outside(id))) => {
            Lack::BadId { operation, id }
        }
        (_, RuleId::AmdObjectUnsupported, Some(object)) => {
            Lack::NoBarrier { operation, target: own, targets, barrier: kind(object) }
        }
        (_, RuleId::AmdOperationPrivileged, _) => Lack::Trap { operation },
        (_, _, Some(Object::Workgroup)) if is_half(action) && !has_halves(target) => {
            Lack::NoSplit { operation, target: own, targets }
        }
        _ => Lack::NoOperation { operation, target: own, targets },
    };
    lack.into()
}

/// Whether an operation is half of an `s_barrier`.
const fn is_half(action: Action) -> bool {
    matches!(action, Action::Arrive { expected: None, .. } | Action::Wait { .. })
}

/// Whether a target has split barriers, or is not an AMDGPU processor.
fn has_halves(target: &str) -> bool {
    let target = TargetId::from_name(target).map(TargetId::get);
    target.is_none_or(|on| on.split_barriers || !matches!(on.family, Family::Amdgpu { .. }))
}

const fn kind(object: Object) -> &'static str {
    match object {
        Object::Cluster => "cluster",
        Object::Null | Object::Named(_) => "named",
        Object::Plain(_) => "free",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use crate::check::check;
    use crate::report::Finding;
    use crate::scene::{Options, Scene};
    use alloc::string::String;
    use alloc::vec::Vec;

    fn first(text: &str) -> Finding {
        let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        report.findings.into_iter().next().expect("a finding")
    }

    /// Why complete phases are of no use to the wait of the first finding.
    fn unavailable(text: &str) -> Vec<String> {
        let finding = first(text);
        let mut facts = finding.cause.facts_of("phases-unavailable");
        facts.next().expect("a complete phase").names("why").to_vec()
    }

    /// The waiting wave has passed one wait and two phases are complete: the second is not used, but out of reach.
    #[test]
    fn phase_separation_is_a_reason_besides_earlier_waits() {
        let text = "target model\nlaunch waves=2\nbarrier b\n
            wave 0 { init b, 2; arrive wg; wait wg\n arrive b; wait b; arrive wg; wait wg\n arrive b; wait b }
            wave 1 { arrive wg; wait wg\n arrive b; arrive wg; wait wg; arrive b; wait b }\n";
        assert_eq!(unavailable(text), ["used-or-separated"]);
    }

    #[test]
    fn an_extra_wait_has_no_phase_left() {
        assert_eq!(unavailable("target model\nwave 0 { arrive wg; wait wg; wait wg }\n"), ["used"]);
    }

    #[test]
    fn the_help_for_a_missing_join_adds_it() {
        let text = "target gfx1250\nlaunch waves=1\nbarrier b = named(1)\n
            wave 0 { init b, 1; arrive b; wait b }\n";
        let remedy = "add `join b` after `init b, 1` (line 5)";
        let finding = first(text);
        assert_eq!(finding.remedy.as_deref(), Some(remedy));
        assert_eq!(finding.fix.map(|fix| fix.message).as_deref(), Some(remedy));
    }

    #[test]
    fn the_help_for_a_missing_feature_names_targets() {
        for (text, named) in [
            ("target gfx1200\nbarrier b = named(1)\nwave 0 { join b }\n", ["gfx1250", "gfx1251"]),
            ("target gfx1200\nkernel { s_barrier }\n", ["gfx600", "gfx11-generic"]),
            (
                "target sm_70\nmbarrier b\nwarp 0 { mbarrier.init.shared::cta.b64 [b], 1 }\n",
                ["sm_80", "sm_120"],
            ),
        ] {
            let finding = first(text);
            let targets = finding.cause.names("targets");
            let ends = [targets.first(), targets.last()].map(|end| end.map(String::as_str));
            assert_eq!(ends, named.map(Some), "{text}");
        }
    }

    #[test]
    fn a_late_join_names_the_arrives_of_the_phase() {
        let late = |arrives: &str| {
            let text = alloc::format!(
                "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n
                 wave 0 {{ init b, {}; arrive wg; wait wg\n {arrives} }}
                 wave 1 {{ arrive wg; wait wg; join b; wait b }}\n",
                arrives.matches("arrive").count()
            );
            first(&text)
        };
        for (arrives, count) in [("arrive b", 1), ("arrive b; arrive b", 2)] {
            let finding = late(arrives);
            let depends = finding.cause.facts_of("wait-depends-on").next().expect("arrives");
            assert_eq!(depends.places().len(), count, "{finding:?}");
            assert!(depends.places().iter().all(|place| place.agent == "wave 0"), "{finding:?}");
        }
    }
}
