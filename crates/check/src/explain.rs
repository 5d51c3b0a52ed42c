//! Titles, notes and help of findings on AMDGPU barriers.

pub(crate) mod coming;
mod missing;
pub(crate) mod names;
mod stuck;

use crate::judge::Step;
use crate::memory::offer::Offer;
use crate::replay::amdgpu::{Done, Replay};
use crate::report::{Fix, Related};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
pub(crate) use names::{few_or_together, list, names, operation, operations, places};
pub(crate) use stuck::{blocked, blocked_alike, together};
use tidegate_model::frozen::Joined;
use tidegate_model::instance::{InstanceId, NO_INSTANCE};
use tidegate_model::opencl::support::named_barriers;
use tidegate_model::operation::{Action, Object};
use tidegate_model::rule::RuleId;
use tidegate_model::spec::state::State;
use tidegate_model::target::{Family, TargetId};

/// The texts of a finding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// The title: what is wrong.
    pub message: String,
    /// The notes, one fact each.
    pub because: Vec<String>,
    /// The agent that breaks the rule.
    pub agent: Option<usize>,
    /// The node that breaks the rule.
    pub node: Option<u32>,
    /// The help for this execution; without it, the finding has the general help of the rule.
    pub remedy: Option<String>,
    /// Other places of the finding.
    pub related: Vec<Related>,
    /// Edits that fix it.
    pub fix: Option<Fix>,
    /// Alternative changes; the first one that fixes the finding is offered.
    pub offers: Vec<Offer>,
}

/// Describes a step in which the host chooses arguments.
#[must_use]
pub(crate) fn passed(scene: &Scene, step: Step, node: u32) -> Option<String> {
    let passed = scene.passed().get(step.way).filter(|_| node == 0)?;
    Some(format!("the host passes {passed}"))
}

/// Describes the finding at the end of a replayed witness.
#[must_use]
pub(crate) fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Told {
    if rule == RuleId::AmdWaitNeverCompletes {
        return stuck::tell(scene, replay);
    }
    if matches!(rule, RuleId::MemRace | RuleId::AsyncRace)
        && let Some(told) = crate::memory::tell::race(scene, replay, rule)
    {
        return told;
    }
    if rule == RuleId::AmdBarrierOutstandingMemory
        && let Some(told) = crate::memory::counters::tell(scene, replay)
    {
        return told;
    }
    if rule == RuleId::AmdJoinBeforeWait
        && let Some(told) = stuck::without_join(scene, replay)
    {
        return told;
    }
    let Some(last) = replay.done.last() else {
        return Told { message: line(rule.get().statement), ..Told::default() };
    };
    let (agent, node) = (last.step.agent, last.node);
    let what = operation(scene, agent, node);
    let before = &replay.states[replay.done.len() - 1];
    let instance = at_fault(replay, before, last, rule);
    let object = instance.map_or_else(String::new, |id| names::object(&scene.instance_name(id)));
    let teller = Teller { scene, replay, before, last, instance };
    let (message, because) = sentences(&teller, rule, &what, &object);
    let remedy = match before.agents[agent].joined {
        Joined::Named(_, true) => None,
        _ if rule == RuleId::AmdJoinBeforeWait => join_for(scene, agent, node, &object),
        _ => None,
    };
    let (agent, node) = (Some(agent), Some(node));
    Told { message, because, agent, node, remedy, ..Told::default() }
}

/// The help for a wait whose wave has not joined its object.
pub(super) fn join_for(scene: &Scene, agent: usize, node: u32, object: &str) -> Option<String> {
    let source = scene.source(agent, node);
    let join = instead_of_wait(&source.text, ["join ", "s_barrier_join "])?;
    Some(format!(
        "add `{join}` before the wait (line {}), ordered before an arrive of the phase of {object}",
        source.span.line
    ))
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
    fn counts(&self) -> (i32, i32) {
        let barrier = self
            .instance
            .map(|id| self.before.objects[usize::from(id)].barrier)
            .unwrap_or_default();
        (barrier.arrived, barrier.expected)
    }

    fn describe(&self, done: &Done) -> String {
        operation(self.scene, done.step.agent, done.node)
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
    fn joined(&self, who: &str) -> String {
        joined_sentence(self.scene, self.before.agents[self.last.step.agent].joined, who)
    }

    /// The last step of the same agent that `keep` accepts.
    fn own(&self, keep: impl Fn(&Done, Action) -> bool) -> Option<&Done> {
        let steps = self.replay.done[..self.replay.done.len() - 1].iter().rev();
        let mine = |done: &&Done| {
            done.step.agent == self.last.step.agent
                && self.replay.action(done).is_some_and(|action| keep(done, action))
        };
        steps.into_iter().find(mine)
    }
}

fn sentences(teller: &Teller<'_>, rule: RuleId, what: &str, object: &str) -> (String, Vec<String>) {
    let (arrived, expected) = teller.counts();
    let who = teller.scene.agent_name(teller.last.step.agent);
    match rule {
        RuleId::AmdInitFirst => (
            format!("{what} uses {object} before it is initialised"),
            alloc::vec![
                format!("no init of {object} is ordered before {what}"),
                "the first modification of an object must be an init".to_owned(),
            ],
        ),
        RuleId::AmdInitPositive => {
            (format!("{what} sets an expected count that is not positive"), Vec::new())
        }
        RuleId::AmdDropNonNegative => (
            format!("{what} makes the expected count of {object} negative"),
            alloc::vec![format!("the expected count of {object} is {expected} before it")],
        ),
        RuleId::AmdArriveExpected => (
            format!("{what} sets an expected count that is not above the arrival count"),
            alloc::vec![format!(
                "{object} has {arrived} of {expected} arrivals before it; the new count must exceed {arrived}"
            )],
        ),
        RuleId::AmdDropRace => drop_race(teller, what, object, who),
        RuleId::AmdJoinNamedOnly => {
            (format!("{what} joins {object}, which is not a named barrier"), Vec::new())
        }
        RuleId::AmdJoinBeforeDrop => (
            format!("{what} drops a named barrier that {who} has not joined"),
            alloc::vec![
                teller.joined(who),
                "a drop requires a join before it, without another join or drop in between"
                    .to_owned()
            ],
        ),
        RuleId::AmdJoinBeforeWait => join_before_wait(teller, what, object, who),
        RuleId::AmdObjectScope => {
            let home = teller.replay.machine.context.instances.list
                [teller.last.note.instance.map_or(0, usize::from)]
            .place;
            (format!("{what} uses {object}, which belongs to workgroup {home}"), Vec::new())
        }
        RuleId::AmdClusterOneArrival => {
            let group =
                teller.replay.machine.context.program.agents[teller.last.step.agent].workgroup;
            (
                format!(
                    "{what} is the second arrival of workgroup {group} in one phase of {object}"
                ),
                alloc::vec![format!(
                    "workgroup {group} has already arrived in the current phase ({arrived} of {expected} arrivals)"
                )],
            )
        }
        RuleId::AmdBarrierWaveUniform => (
            format!("{what} is in divergent control flow"),
            alloc::vec![format!("the lanes of {who} are at different operations")],
        ),
        _ => (format!("{what}: {}", line(rule.get().statement)), Vec::new()),
    }
}

fn drop_race(teller: &Teller<'_>, what: &str, object: &str, who: &str) -> (String, Vec<String>) {
    let is_wait = matches!(teller.replay.action(teller.last), Some(Action::Wait { .. }));
    if is_wait {
        let message = format!(
            "{what} depends on a phase of {object} that an agent arrived in and then left by a drop"
        );
        let because = alloc::vec![
            "an agent must wait for a phase in which it arrived before it drops the object"
                .to_owned(),
            format!(
                "arrivals so far: {}",
                few_or_together(
                    teller.scene,
                    &teller.earlier(|done, action| done.note.instance == teller.last.note.instance
                        && matches!(action, Action::Arrive { .. }))
                )
            ),
        ];
        return (message, because);
    }
    let ends = teller.replay.is_end(teller.last);
    let how = if ends { format!("{who} ends") } else { format!("{what} drops {object}") };
    let mut because = Vec::new();
    if ends {
        because.push(format!("the end of an agent drops {object}"));
    }
    let there = |done: &Done| done.note.instance == teller.instance;
    if let Some(arrive) =
        teller.own(|done, action| there(done) && matches!(action, Action::Arrive { .. }))
    {
        because.push(format!("{} participates in a wait", teller.describe(arrive)));
    }
    because.push(format!(
        "no wait for that phase executes before the drop, so the drop may be in the phase in which {who} arrived"
    ));
    (format!("{how} without waiting for the phase of {object} in which {who} arrived"), because)
}

/// The title for a wait whose agent has not joined its object.
fn not_joined(what: &str, who: &str) -> String {
    format!("{what} waits on a named barrier that {who} has not joined")
}

/// Describes the join state of an agent.
fn joined_sentence(scene: &Scene, joined: Joined, who: &str) -> String {
    match joined {
        Joined::Nothing => format!("{who} has joined no barrier"),
        Joined::Null => format!("the last join of {who} names the NULL barrier"),
        Joined::Named(id, true) => {
            format!("the last join of {who} names {}", names::object(&scene.instance_name(id)))
        }
        Joined::Named(id, false) => {
            format!("{who} joined {} and dropped it", names::object(&scene.instance_name(id)))
        }
    }
}

fn join_before_wait(
    teller: &Teller<'_>,
    what: &str,
    object: &str,
    who: &str,
) -> (String, Vec<String>) {
    let joined = teller.before.agents[teller.last.step.agent].joined;
    if !matches!(joined, Joined::Named(_, true)) {
        return (not_joined(what, who), alloc::vec![teller.joined(who)]);
    }
    let arrives = teller.earlier(|done, action| {
        done.note.instance == teller.last.note.instance
            && matches!(action, Action::Arrive { .. } | Action::Drop { .. } | Action::Leave)
    });
    let mut because = Vec::new();
    if !arrives.is_empty() {
        because.push(format!("this wait depends on {}", few_or_together(teller.scene, &arrives)));
    }
    if let Some(join) = teller.own(|_, action| matches!(action, Action::Join { .. })) {
        because.push(format!(
            "{} is not ordered before {}; happening first in some schedules is not enough",
            teller.describe(join),
            if arrives.len() == 1 { "that operation" } else { "any of these operations" }
        ));
    }
    (format!("{who} waits on {object} but may have joined it after the phase completed"), because)
}

/// The title for an operation that a target does not support.
#[must_use]
pub(crate) fn lacking(
    scene: &Scene,
    action: Action,
    agent: usize,
    node: u32,
    rule: RuleId,
    target: &str,
) -> String {
    let what = operation(scene, agent, node);
    if let Action::Opencl(_) = action {
        let own = TargetId::from_name(target).and_then(|own| named_barriers(own.get()));
        return match own {
            Some(0) | None => {
                format!("{what} requires named barriers, which {target} does not have")
            }
            Some(count) => {
                format!("{what} exceeds the {count} named barriers of a work-group on {target}")
            }
        };
    }
    match (rule, action.object()) {
        (RuleId::AmdObjectUnsupported, Some(Object::Outside(id))) => {
            format!("{what} names barrier ID {id}; valid IDs of named barriers are 1 to 16")
        }
        (RuleId::AmdObjectUnsupported, Some(object)) => {
            format!("{what} requires {}, which {target} does not have", kind(object))
        }
        (RuleId::AmdOperationPrivileged, _) => {
            format!("{what} uses a trap barrier, which is reserved for the trap handler")
        }
        (_, Some(Object::Workgroup)) if is_half(action) && !has_halves(target) => format!(
            "{what} requires split barriers; {target} has only `s_barrier`, an arrive directly followed by its wait"
        ),
        _ => format!("{target} does not support {what}"),
    }
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

fn kind(object: Object) -> &'static str {
    match object {
        Object::Cluster => "cluster barriers",
        Object::Null | Object::Named(_) => "named barriers",
        Object::Plain(_) => "free barrier objects (GFX12 and later, and `model`)",
        _ => "this kind of barrier",
    }
}

/// A sentence as a title, note or help: small first letter, no full stop.
#[must_use]
pub(crate) fn line(sentence: &str) -> String {
    let mut line = sentence.strip_suffix('.').unwrap_or(sentence).to_owned();
    let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    // Abbreviations keep their capitals.
    if word.len() == 1 || word.chars().skip(1).any(|c| c.is_ascii_lowercase()) {
        line[..1].make_ascii_lowercase();
    }
    line
}

#[cfg(test)]
mod tests {
    use crate::check::check;
    use crate::scene::{Options, Scene};
    use alloc::string::String;

    fn because(text: &str) -> String {
        let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        report.findings[0].because.join(" ")
    }

    /// The waiting wave has passed one wait and two phases are complete: the second is not used, but out of reach.
    #[test]
    fn phase_separation_is_a_reason_besides_earlier_waits() {
        let text = "target model\nlaunch waves=2\nbarrier b\n
            wave 0 { init b, 2; arrive wg; wait wg\n arrive b; wait b; arrive wg; wait wg\n arrive b; wait b }
            wave 1 { arrive wg; wait wg\n arrive b; arrive wg; wait wg; arrive b; wait b }\n";
        let said = because(text);
        assert!(said.contains("phase separation"), "{said}");
    }

    #[test]
    fn an_extra_wait_has_no_phase_left() {
        let said = because("target model\nwave 0 { arrive wg; wait wg; wait wg }\n");
        assert!(said.contains("earlier waits"), "{said}");
    }

    #[test]
    fn the_help_for_a_missing_join_adds_it() {
        let text = "target gfx1250\nlaunch waves=1\nbarrier b = named(1)\n
            wave 0 { init b, 1; arrive b; wait b }\n";
        let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let remedy = report.findings[0].remedy.clone().unwrap_or_default();
        assert!(remedy == "add `join b` after `init b, 1` (line 5)", "{remedy}");
        let fix = report.findings[0].fix.as_ref().map(|fix| fix.message.as_str());
        assert_eq!(fix, Some(&*remedy));
    }

    #[test]
    fn the_help_for_a_missing_feature_names_targets() {
        for (text, says) in [
            ("target gfx1200\nbarrier b = named(1)\nwave 0 { join b }\n", "gfx1250 or gfx1251"),
            ("target gfx1200\nkernel { s_barrier }\n", "gfx6-gfx11"),
            (
                "target sm_70\nmbarrier b\nwarp 0 { mbarrier.init.shared::cta.b64 [b], 1 }\n",
                "sm_80",
            ),
        ] {
            let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
            let finding = report.findings.first();
            let remedy = finding.and_then(|one| one.remedy.clone()).unwrap_or_default();
            assert!(remedy.contains(says), "{remedy}: {text} {:?}", report.diagnostics);
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
            because(&text)
        };
        let one = late("arrive b");
        assert!(one.contains("depends on `arrive b` (wave 0"), "{one}");
        let two = late("arrive b; arrive b");
        assert!(two.matches("`arrive b` (wave 0").count() == 2, "{two}");
    }
}
