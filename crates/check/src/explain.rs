//! Sentences: what happened, because of what, and what would free a blocked wait.

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

/// What is told of a finding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// What happened.
    pub message: String,
    /// Why, clause by clause.
    pub because: Vec<String>,
    /// The agent at fault.
    pub agent: Option<usize>,
    /// The node at fault.
    pub node: Option<u32>,
    /// What would mend it here; otherwise the rule's own remedy is told.
    pub remedy: Option<String>,
    /// Other places that it is about.
    pub related: Vec<Related>,
    /// Edits that would mend it.
    pub fix: Option<Fix>,
    /// Changes of which the first that mends it is to be offered instead.
    pub offers: Vec<Offer>,
}

/// What the host passes in a step that is its choice.
#[must_use]
pub(crate) fn passed(scene: &Scene, step: Step, node: u32) -> Option<String> {
    let passed = scene.passed().get(step.way).filter(|_| node == 0)?;
    Some(format!("the host passes {passed}"))
}

/// Tells a finding at the end of a replayed witness.
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
        return Told { message: rule.get().statement.to_owned(), ..Told::default() };
    };
    let (agent, node) = (last.step.agent, last.node);
    let what = operation(scene, agent, node);
    let before = &replay.states[replay.done.len() - 1];
    let instance = at_fault(replay, before, last, rule);
    let object = instance.map_or_else(String::new, |id| scene.instance_name(id));
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

/// The join that a wait lacks whose wave has not joined its object.
pub(super) fn join_for(scene: &Scene, agent: usize, node: u32, object: &str) -> Option<String> {
    let source = scene.source(agent, node);
    let join = instead_of_wait(&source.text, ["join ", "s_barrier_join "])?;
    Some(format!(
        "Add `{join}` before the wait (line {}), where something orders it before an arrive that completes the phase of {object}.",
        source.span.line
    ))
}

/// The operation that goes with a wait, spelled like it: as the model or as an assembler names it.
fn instead_of_wait(wait: &str, names: [&str; 2]) -> Option<String> {
    let mut spelled = ["wait ", "s_barrier_wait "].into_iter().zip(names);
    spelled.find_map(|(old, new)| Some(format!("{new}{}", wait.strip_prefix(old)?)))
}

/// The object at which a step breaks a rule. The end of a wave drops the workgroup barrier and, if it is the last one or
/// each wave does, the cluster barrier: where the first could go, it is the second.
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

/// What the sentences about the last step need.
struct Teller<'a> {
    scene: &'a Scene,
    replay: &'a Replay,
    before: &'a State,
    last: &'a Done,
    /// The object at which the rule is broken.
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

    /// Earlier steps on the object of the last one, those of a kind: agents and nodes.
    fn earlier(&self, keep: impl Fn(&Done, Action) -> bool) -> Vec<(usize, u32)> {
        let steps = &self.replay.done[..self.replay.done.len() - 1];
        let kept = steps
            .iter()
            .filter(|done| self.replay.action(done).is_some_and(|action| keep(done, action)));
        kept.map(|done| (done.step.agent, done.node)).collect()
    }

    /// What the agent of the last step had joined before it.
    fn joined(&self, who: &str) -> String {
        joined_sentence(self.scene, self.before.agents[self.last.step.agent].joined, who)
    }

    /// The last step by the agent at fault that matches.
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
            format!("{what} uses {object} before it is initialised."),
            alloc::vec![
                format!("The first modification of {object} in this order is {what}."),
                format!(
                    "Nothing orders an init of {object} before it; the first modification must be an init."
                ),
            ],
        ),
        RuleId::AmdInitPositive => {
            (format!("{what} sets an expected count that is not positive."), Vec::new())
        }
        RuleId::AmdDropNonNegative => (
            format!("{what} would make the expected count of {object} negative."),
            alloc::vec![format!("The expected count of {object} is {expected} before it.")],
        ),
        RuleId::AmdArriveExpected => (
            format!("{what} sets an expected count that is not above the arrive count."),
            alloc::vec![format!(
                "{object} has {arrived} of {expected} arrivals before it; the new count must be greater than {arrived}."
            )],
        ),
        RuleId::AmdDropRace => drop_race(teller, what, object, who),
        RuleId::AmdJoinNamedOnly => {
            (format!("{what} joins {object}, which is not a named barrier."), Vec::new())
        }
        RuleId::AmdJoinBeforeDrop => (
            format!("{what} drops a named barrier that {who} has not joined."),
            alloc::vec![
                teller.joined(who),
                "A drop needs a join before it, with no other join or drop in between.".to_owned()
            ],
        ),
        RuleId::AmdJoinBeforeWait => join_before_wait(teller, what, object, who),
        RuleId::AmdObjectScope => {
            let home = teller.replay.machine.context.instances.list
                [teller.last.note.instance.map_or(0, usize::from)]
            .place;
            (format!("{what} uses {object}, which belongs to workgroup {home}."), Vec::new())
        }
        RuleId::AmdClusterOneArrival => {
            let group =
                teller.replay.machine.context.program.agents[teller.last.step.agent].workgroup;
            (
                format!(
                    "{what} is a second arrival of workgroup {group} in one phase of {object}."
                ),
                alloc::vec![format!(
                    "Workgroup {group} has already arrived in the open phase ({arrived} of {expected} arrivals)."
                )],
            )
        }
        RuleId::AmdBarrierWaveUniform => (
            format!(
                "The lanes of {who} stand at different places: {what} is in divergent control flow."
            ),
            Vec::new(),
        ),
        _ => (format!("{what}: {}", rule.get().statement), Vec::new()),
    }
}

fn drop_race(teller: &Teller<'_>, what: &str, object: &str, who: &str) -> (String, Vec<String>) {
    let is_wait = matches!(teller.replay.action(teller.last), Some(Action::Wait { .. }));
    if is_wait {
        let message = format!(
            "{what} depends on a phase of {object} in which an agent arrived that then dropped it without waiting."
        );
        let because = alloc::vec![
            "An arrive that takes part in a wait must be followed by such a wait before its agent drops the object.".to_owned(),
            format!("Arrivals so far: {}.", few_or_together(teller.scene, &teller.earlier(|done, action| done.note.instance == teller.last.note.instance && matches!(action, Action::Arrive { .. })))),
        ];
        return (message, because);
    }
    let how = if teller.replay.is_end(teller.last) {
        format!("{who} ends, which drops {object}")
    } else {
        format!("{what} drops {object}")
    };
    let mut because = Vec::new();
    let there = |done: &Done| done.note.instance == teller.instance;
    if let Some(arrive) =
        teller.own(|done, action| there(done) && matches!(action, Action::Arrive { .. }))
    {
        because.push(format!("{} takes part in a wait.", teller.describe(arrive)));
    }
    because.push(format!("No wait of that phase executes before the drop, so the drop can fall into the same phase as the arrive of {who}."));
    (format!("{how} without having waited for the phase in which it arrived."), because)
}

/// A wait whose agent has not joined what it waits on.
fn not_joined(what: &str, who: &str) -> String {
    format!("{what} waits on a named barrier that {who} has not joined.")
}

/// What an agent has joined.
fn joined_sentence(scene: &Scene, joined: Joined, who: &str) -> String {
    match joined {
        Joined::Nothing => format!("{who} has joined nothing."),
        Joined::Null => format!("{who} has joined the NULL barrier last."),
        Joined::Named(id, true) => {
            format!("{who} has joined {} last.", scene.instance_name(id))
        }
        Joined::Named(id, false) => {
            format!("{who} joined {} and dropped it.", scene.instance_name(id))
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
        let take = if arrives.len() == 1 { "takes" } else { "take" };
        because
            .push(format!("{} {take} part in the wait.", few_or_together(teller.scene, &arrives)));
    }
    if let Some(join) = teller.own(|_, action| matches!(action, Action::Join { .. })) {
        because.push(format!(
            "Nothing orders {} before {}: that it comes first in some schedules does not count.",
            teller.describe(join),
            if arrives.len() == 1 { "it" } else { "any of them" }
        ));
    }
    (
        format!(
            "{what} depends on a phase of {object} that may have completed before {who} joined."
        ),
        because,
    )
}

/// Names the object of an operation that a target lacks.
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
            Some(0) | None => format!("{what}: {target} has no named barriers."),
            Some(count) => {
                format!(
                    "{what}: {target} has {count} named barriers for a work-group, and no more."
                )
            }
        };
    }
    match (rule, action.object()) {
        (RuleId::AmdObjectUnsupported, Some(Object::Outside(id))) => {
            format!("{what}: there is no barrier with ID {id}; named barriers have IDs 1 to 16.")
        }
        (RuleId::AmdObjectUnsupported, Some(object)) => {
            format!("{what}: {target} has no {}.", kind(object))
        }
        (RuleId::AmdOperationPrivileged, _) => {
            format!("{what}: trap barriers are for the trap handler alone.")
        }
        (_, Some(Object::Workgroup)) if is_half(action) && !has_halves(target) => format!(
            "{what}: {target} has no arrive and no wait apart. An arrive with the wait right behind it is one `s_barrier`."
        ),
        _ => format!("{what}: {target} does not have this operation."),
    }
}

/// Whether an operation is half of an `s_barrier`.
const fn is_half(action: Action) -> bool {
    matches!(action, Action::Arrive { expected: None, .. } | Action::Wait { .. })
}

/// Whether a target has *arrive* and *wait* apart, or is no processor of AMDGPU.
fn has_halves(target: &str) -> bool {
    let target = TargetId::from_name(target).map(TargetId::get);
    target.is_none_or(|on| on.split_barriers || !matches!(on.family, Family::Amdgpu { .. }))
}

fn kind(object: Object) -> &'static str {
    match object {
        Object::Cluster => "cluster barriers",
        Object::Null | Object::Named(_) => "named barriers",
        Object::Plain(_) => {
            "barrier objects that can be used freely (GFX12 and later, and `model`, do)"
        }
        _ => "such barrier",
    }
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
    fn a_wait_that_phase_separation_starves_does_not_blame_earlier_waits_alone() {
        let text = "target model\nlaunch waves=2\nbarrier b\n
            wave 0 { init b, 2; arrive wg; wait wg\n arrive b; wait b; arrive wg; wait wg\n arrive b; wait b }
            wave 1 { arrive wg; wait wg\n arrive b; arrive wg; wait wg; arrive b; wait b }\n";
        let said = because(text);
        assert!(said.contains("phase separation keeps it from the others"), "{said}");
    }

    #[test]
    fn a_wait_too_many_has_used_what_there_was() {
        let said = because("target model\nwave 0 { arrive wg; wait wg; wait wg }\n");
        assert!(said.contains("its earlier waits have used what it could depend on"), "{said}");
    }

    #[test]
    fn a_wait_whose_wave_joined_nothing_is_told_to_join() {
        let text = "target gfx1250\nlaunch waves=1\nbarrier b = named(1)\n
            wave 0 { init b, 1; arrive b; wait b }\n";
        let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let remedy = report.findings[0].remedy.clone().unwrap_or_default();
        assert!(remedy == "Add `join b` after `init b, 1` (line 5).", "{remedy}");
        let fix = report.findings[0].fix.as_ref().map(|fix| fix.message.as_str());
        assert_eq!(fix, Some(&*remedy));
    }

    #[test]
    fn what_a_target_lacks_names_those_that_have_it() {
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
    fn one_takes_and_several_take_part() {
        let late = |arrives: &str| {
            let text = alloc::format!(
                "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n
                 wave 0 {{ init b, {}; arrive wg; wait wg\n {arrives} }}
                 wave 1 {{ arrive wg; wait wg; join b; wait b }}\n",
                arrives.matches("arrive").count()
            );
            because(&text)
        };
        assert!(
            late("arrive b").contains("takes part in the wait. Nothing orders"),
            "{}",
            late("arrive b")
        );
        let two = late("arrive b; arrive b");
        assert!(two.contains("take part in the wait.") && two.contains("any of them"), "{two}");
    }
}
