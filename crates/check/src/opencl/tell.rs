//! Titles, notes and help of findings on OpenCL programs.

use super::replay::{Done, Replay};
use crate::explain::coming::{FOREVER, NO_AGENT};
use crate::explain::{self, Told, list, names, together};
use crate::finding;
use crate::judge::Broken;
use crate::report::{Finding, Related};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::map::Access;
use tidegate_model::opencl::action::{Action, Flags, Group, Reach};
use tidegate_model::opencl::machine::state::{Split, Standing, State};
use tidegate_model::opencl::machine::{Machine, bit};
use tidegate_model::operation::Action as Any;
use tidegate_model::program::Node;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Schedules;

/// A broken rule with its witness.
pub(super) fn finding(scene: &Scene, machine: &Machine, broken: &Broken) -> Finding {
    let mut found = finding::with_witness(scene, machine, broken, tell);
    let passed = broken.path.first().and_then(|step| explain::passed(scene, *step, 0));
    let always = found.schedules == Schedules::All.word();
    found.because.extend(passed.map(|passed| match always {
        true => format!("the witness has {passed}; the finding does not depend on it"),
        false => [crate::report::PASSED, &passed].concat(),
    }));
    found
}

fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Told {
    if replay.state().broken & bit(rule) == 0 {
        return match rule {
            RuleId::OpenclNamedUniform => never_made(scene, replay),
            _ => stuck(scene, replay),
        };
    }
    let Some(last) = replay.done.last() else {
        return Told { message: explain::line(rule.get().statement), ..Told::default() };
    };
    let before = &replay.states[replay.done.len() - 1];
    let teller = Teller { scene, replay, before, last };
    let (message, because) = teller.sentences(rule);
    let left = teller.left(rule);
    let (agent, node) = match left {
        Some(other) => (Some(other), Some(before.agents[other].node)),
        None => (Some(last.step.agent), Some(last.node)),
    };
    let remedy = match rule {
        RuleId::MemRace => Some(teller.barrier_between()),
        _ if !teller.returned(rule).is_empty() => Some(
            "use a conditional instead of the return, so that the work-item reaches every barrier"
                .to_owned(),
        ),
        _ => None,
    };
    let mut related = teller.returned(rule);
    related.extend(left.and_then(|_| teller.end()));
    Told { message, because, agent, node, remedy, related, ..Told::default() }
}

/// The context of the texts about the last step.
pub(super) struct Teller<'a> {
    pub(super) scene: &'a Scene,
    pub(super) replay: &'a Replay,
    before: &'a State,
    pub(super) last: &'a Done,
}

impl Teller<'_> {
    fn what(&self) -> String {
        explain::operation(self.scene, self.last.step.agent, self.last.node)
    }

    /// Whether a work-item has ended, or ends in the last step, by `return`.
    fn returns(&self, agent: usize) -> bool {
        let at = self.before.agents[agent];
        let ends = at.standing == Standing::Ended || agent == self.last.step.agent;
        ends && self.scene.source(agent, at.node).text == "return"
    }

    /// The `return` of the first work-item for which others wait.
    fn returned(&self, rule: RuleId) -> Vec<Related> {
        let missing = [RuleId::OpenclBarrierAllEncounter, RuleId::OpenclNamedSubGroupUniform];
        let mut group =
            self.replay.machine.in_group(self.replay.machine.group(self.last.step.agent));
        let first = group.find(|&agent| missing.contains(&rule) && self.returns(agent));
        let related = first.map(|agent| {
            let span = self.scene.source(agent, self.before.agents[agent].node).span;
            let message = "returns here and never reaches the barrier".to_owned();
            let agent = self.scene.agent_name(agent).to_owned();
            Related { agent, line: span.line, column: span.column, message }
        });
        related.into_iter().collect()
    }

    /// The first work-item that waits for the one of the last step, which ends.
    fn left(&self, rule: RuleId) -> Option<usize> {
        let missing = [RuleId::OpenclBarrierAllEncounter, RuleId::OpenclNamedSubGroupUniform];
        let agent = self.last.step.agent;
        let machine = &self.replay.machine;
        let ends = missing.contains(&rule) && machine.action(self.before, agent).is_none();
        let waits =
            |&other: &usize| machine.waits_at(self.before, other).is_some() && self.needs(other);
        self.others().find(waits).filter(|_| ends && !self.returns(agent))
    }

    /// The end of the work-item of the last step.
    fn end(&self) -> Option<Related> {
        let agent = self.last.step.agent;
        let span = self.scene.source(agent, self.before.agents[agent].node).span;
        let message = "ends here and never reaches the barrier".to_owned();
        let agent = self.scene.agent_name(agent).to_owned();
        (span.line > 0).then_some(Related { agent, line: span.line, column: span.column, message })
    }

    fn standing(&self, agent: usize) -> String {
        explain::operation(self.scene, agent, self.before.agents[agent].node)
    }

    fn sentences(&self, rule: RuleId) -> (String, Vec<String>) {
        let what = self.what();
        match rule {
            RuleId::OpenclBarrierAllEncounter | RuleId::OpenclNamedSubGroupUniform => {
                self.not_met(rule)
            }
            RuleId::OpenclBarrierUniformArguments => (
                format!("{what} has other flags or another scope than another work-item there"),
                self.others()
                    .map(|other| format!("{} has other arguments", self.standing(other)))
                    .take(1)
                    .collect(),
            ),
            RuleId::OpenclNamedUniform => self.not_uniform(),
            RuleId::OpenclNamedOverSubscribed => (
                format!(
                    "{what} completes a phase that more sub-groups than the count of the barrier have reached"
                ),
                self.come()
                    .into_iter()
                    .map(|other| {
                        format!("{} is also about to wait there", self.scene.agent_name(other))
                    })
                    .collect(),
            ),
            RuleId::MemRace => self.race(),
            RuleId::OpenclSplitArriveTwice => (
                format!("{what} arrives at the split barrier again before its wait"),
                self.own_arrive()
                    .map(|arrive| format!("it arrived with {arrive}"))
                    .into_iter()
                    .collect(),
            ),
            RuleId::OpenclSplitWaitFirst => {
                (format!("{what} waits without a preceding arrive"), Vec::new())
            }
            _ => (format!("{what}: {}", explain::line(rule.get().statement)), Vec::new()),
        }
    }

    /// The other work-items of the work-group.
    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        let machine = &self.replay.machine;
        let agent = self.last.step.agent;
        machine.in_group(machine.group(agent)).filter(move |&other| other != agent)
    }

    fn is_near(&self, other: usize) -> bool {
        let machine = &self.replay.machine;
        machine.sub_group(other) == machine.sub_group(self.last.step.agent)
    }

    /// A barrier that a work-item does not reach, and the positions of the others.
    fn not_met(&self, rule: RuleId) -> (String, Vec<String>) {
        let machine = &self.replay.machine;
        let own = machine.action(self.before, self.last.step.agent);
        let whose =
            if rule == RuleId::OpenclNamedSubGroupUniform { "sub-group" } else { group_of(own) };
        let mut because = Vec::new();
        let waiting: Vec<usize> =
            self.others().filter(|&other| machine.waits_at(self.before, other).is_some()).collect();
        let ended: Vec<usize> = self
            .others()
            .filter(|&other| self.before.agents[other].standing == Standing::Ended)
            .collect();
        if own.is_none() {
            let Some(&other) = waiting.iter().find(|&&other| self.needs(other)) else {
                return self.ends_early();
            };
            let who = self.scene.agent_name(self.last.step.agent);
            if self.returns(self.last.step.agent) {
                because.push(format!("{} waits for {who}", self.standing(other)));
                let message =
                    format!("{who} returns without reaching a barrier on which others wait");
                return (message, because);
            }
            because.push(format!("{who} ends without reaching it"));
            let whose = group_of(machine.action(self.before, other));
            let whose =
                if rule == RuleId::OpenclNamedSubGroupUniform { "sub-group" } else { whose };
            let message = format!(
                "{} is not reached by every work-item of the {whose}",
                self.standing(other)
            );
            return (message, because);
        }
        let at_odds = waiting.iter().find(|&&other| self.is_at_odds(other));
        if let Some(&other) = at_odds {
            let same = machine
                .action(self.before, other)
                .zip(own)
                .is_some_and(|(one, other)| one.instance().site == other.instance().site);
            because.push(if same {
                format!(
                    "{} is at the same call in another iteration of an enclosing loop",
                    self.standing(other)
                )
            } else {
                format!("{} is at another barrier", self.standing(other))
            });
            because.push("neither can continue without the other".to_owned());
        } else {
            let gone = ended.iter().find(|&&other| whose == "work-group" || self.is_near(other));
            because.extend(gone.map(|&other| match self.returns(other) {
                true => format!(
                    "{} ends the work-item, which never reaches the barrier",
                    self.standing(other)
                ),
                false => {
                    format!("{} has ended and never reaches it", self.scene.agent_name(other))
                }
            }));
        }
        (format!("{} is not reached by every work-item of the {whose}", self.what()), because)
    }

    /// A work-item that ends before it completes the split barrier.
    fn ends_early(&self) -> (String, Vec<String>) {
        let who = self.scene.agent_name(self.last.step.agent);
        let arrived = self.others().find(|&other| self.before.agents[other].split != Split::Idle);
        let because =
            arrived.map(|other| format!("{} has arrived there", self.scene.agent_name(other)));
        (
            format!("{who} ends without its arrive or wait at the split barrier of the work-group"),
            because.into_iter().collect(),
        )
    }

    /// Whether a waiting work-item needs the one of the last step.
    fn needs(&self, other: usize) -> bool {
        let action = self.replay.machine.waits_at(self.before, other);
        self.is_near(other) || action.is_some_and(|action| group_of(Some(action)) == "work-group")
    }

    fn is_at_odds(&self, other: usize) -> bool {
        let machine = &self.replay.machine;
        let (own, met) =
            (machine.action(self.before, self.last.step.agent), machine.action(self.before, other));
        let whole = |action| group_of(action) == "work-group";
        let bare = |action: Option<Action>| action.map(|action| (kind(action), action.instance()));
        (self.is_near(other) || whole(own) && whole(met)) && bare(own) != bare(met)
    }

    fn not_uniform(&self) -> (String, Vec<String>) {
        let machine = &self.replay.machine;
        let agent = self.last.step.agent;
        let who = self.scene.agent_name(agent);
        let constructs =
            matches!(machine.action(self.before, agent), Some(Action::Construct { .. }));
        let message = if constructs {
            format!("{} is not executed uniformly by the work-items of the work-group", self.what())
        } else {
            format!("{who} skips a construction that other work-items execute")
        };
        let constructed = self.replay.done.iter().rev().skip(1).find(|done| {
            let action = action_at(machine, done.step.agent, done.node);
            done.step.agent != agent && matches!(action, Some(Action::Construct { .. }))
        });
        let ended =
            self.others().find(|&other| self.before.agents[other].standing == Standing::Ended);
        let because = match (constructed, ended) {
            (Some(done), _) => Some(format!(
                "another work-item executes {}",
                explain::operation(self.scene, done.step.agent, done.node)
            )),
            (None, Some(other)) => {
                Some(format!("{} has ended without it", self.scene.agent_name(other)))
            }
            (None, None) => None,
        };
        (message, because.into_iter().collect())
    }

    /// The first blocked work-item of each sub-group at the same named barrier.
    fn come(&self) -> Vec<usize> {
        let machine = &self.replay.machine;
        let Some(Action::Wait { object, .. }) = machine.action(self.before, self.last.step.agent)
        else {
            return Vec::new();
        };
        let stands = |agent: &usize| {
            matches!(machine.action(self.before, *agent), Some(Action::Wait { object: met, .. }) if met == object)
                && !self.last.note.released.contains(agent)
        };
        let group = machine.group(self.last.step.agent);
        machine
            .sub_groups(group)
            .filter_map(|sub_group| machine.in_sub_group(sub_group).find(stands))
            .collect()
    }

    fn own_arrive(&self) -> Option<String> {
        let machine = &self.replay.machine;
        let own = |done: &&Done| {
            done.step.agent == self.last.step.agent
                && matches!(
                    action_at(machine, done.step.agent, done.node),
                    Some(Action::Arrive { .. })
                )
        };
        let done = self.replay.done.iter().rev().skip(1).find(own)?;
        Some(explain::operation(self.scene, done.step.agent, done.node))
    }

    /// The access that the last step races with: its step, its agent, and what it accessed.
    pub(super) fn raced_with(&self) -> Option<(usize, usize, Access)> {
        let machine = &self.replay.machine;
        let agent = self.last.step.agent;
        let node = &machine.context.program.body_of(agent).nodes[self.last.node as usize];
        let Node::Operation { operation, .. } = node else { return None };
        let Any::Memory(memory) = operation.action else { return None };
        let (other, access) = machine.races(self.before, agent, memory).into_iter().next()?;
        let made = self.replay.done.iter().rposition(|done| {
            done.step.agent == other && accesses(machine, other, done.node).any(|one| one == access)
        })?;
        Some((made, other, access))
    }

    /// A race: the other access, and the missing order.
    fn race(&self) -> (String, Vec<String>) {
        let Some((made, other, access)) = self.raced_with() else {
            return (self.what(), Vec::new());
        };
        let there = explain::operation(self.scene, other, self.replay.done[made].node);
        let name = self.scene.buffer_name(access.range.buffer);
        let message = format!(
            "{} and {there} access the same bytes of `{name}`, and the two are unordered",
            self.what()
        );
        (message, alloc::vec![self.gap(made, other, access)])
    }

    /// The note if the step `made` or the last one is between the halves of a split barrier.
    fn between_halves(&self, made: usize) -> Option<String> {
        [self.replay.done.len() - 1, made].into_iter().find_map(|at| self.halved(at))
    }

    fn halved(&self, at: usize) -> Option<String> {
        let machine = &self.replay.machine;
        let access = &self.replay.done[at];
        let action = |done: &Done| action_at(machine, done.step.agent, done.node);
        let is_half = |done: &&Done| {
            done.step.agent == access.step.agent
                && matches!(action(done), Some(Action::Arrive { .. } | Action::Await { .. }))
        };
        let half = self.replay.done[..at].iter().rev().find(is_half)?;
        let told = |done: &Done| explain::operation(self.scene, done.step.agent, done.node);
        matches!(action(half), Some(Action::Arrive { .. })).then(|| {
            format!(
                "{} is between {} and its wait: an arrive releases only earlier accesses, and its wait acquires only for later ones",
                told(access),
                told(half)
            )
        })
    }

    /// The missing order between an access and the last step.
    fn gap(&self, made: usize, other: usize, access: Access) -> String {
        let machine = &self.replay.machine;
        let agent = self.last.step.agent;
        let between = &self.replay.done[made + 1..];
        let meets = |done: &&Done| {
            done.note.released.contains(&other) && done.note.released.contains(&agent)
        };
        let Some(at) = between.iter().position(|done| meets(&done)) else {
            let (first, second) = (self.scene.agent_name(other), self.scene.agent_name(agent));
            return self.between_halves(made).unwrap_or_else(|| {
                format!("no barrier between them is reached by both {first} and {second}")
            });
        };
        // At the barrier of the last agent, whichever agent completes it.
        let node = self.replay.states[made + 1 + at].agents[agent].node;
        let what = explain::operation(self.scene, agent, node);
        let (flag, space) = space(machine, access);
        let action = action_at(machine, agent, node);
        let reach = action.and_then(Action::arguments).and_then(|arguments| arguments.reach(flag));
        let flagged =
            action.and_then(Action::arguments).is_some_and(|arguments| arguments.flags.meets(flag));
        match reach {
            None if !flagged => {
                let flag = self.flag(space);
                format!(
                    "{what} is between them but orders no {space} memory: its flags do not include {flag}"
                )
            }
            None | Some(Reach::SubGroup) => {
                format!("{what} is between them, but its scope does not include both")
            }
            Some(Reach::WorkGroup) => {
                format!("{what} is between them, but not every call at it orders {space} memory")
            }
        }
    }
}

/// The flag that orders the memory of an access, and its name.
pub(super) fn space(machine: &Machine, access: Access) -> (Flags, &'static str) {
    let buffer = machine.context.program.buffers.get(usize::from(access.range.buffer));
    match buffer.map_or(Flags::GLOBAL, |&buffer| Flags::of(buffer)) {
        Flags::LOCAL => (Flags::LOCAL, "local"),
        Flags::IMAGE => (Flags::IMAGE, "image"),
        other => (other, "global"),
    }
}

pub(super) fn accesses(machine: &Machine, agent: usize, node: u32) -> impl Iterator<Item = Access> {
    let action = match &machine.context.program.body_of(agent).nodes[node as usize] {
        Node::Operation { operation, .. } => Some(operation.action),
        _ => None,
    };
    action.into_iter().flat_map(tidegate_model::mem::map::accesses)
}

/// The operation of OpenCL at a node of an agent.
pub(super) fn action_at(machine: &Machine, agent: usize, node: u32) -> Option<Action> {
    tidegate_model::opencl::machine::action_of(
        &machine.context.program.body_of(agent).nodes[node as usize],
    )
}

fn kind(action: Action) -> (u8, u16) {
    match action {
        Action::Barrier { group: Group::Work, .. } => (0, 0),
        Action::Barrier { group: Group::Sub, .. } => (1, 0),
        Action::Wait { object, .. } => (2, object),
        Action::Construct { object, .. } => (3, object),
        Action::Arrive { .. } => (4, 0),
        Action::Await { .. } => (5, 0),
    }
}

/// The group of work-items of a call.
fn group_of(action: Option<Action>) -> &'static str {
    match action {
        Some(Action::Wait { .. } | Action::Barrier { group: Group::Sub, .. }) => "sub-group",
        _ => "work-group",
    }
}

fn stuck(scene: &Scene, replay: &Replay) -> Told {
    let state = replay.state();
    let machine = &replay.machine;
    let left: Vec<usize> =
        (0..state.agents.len()).filter(|&agent| machine.is_blocked(state, agent)).collect();
    let goes_on = (0..state.agents.len()).any(|agent| machine.ways(state, agent) > 0);
    // One work-item represents its sub-group.
    let mut speakers = left.clone();
    speakers.dedup_by_key(|agent| machine.sub_group(*agent));
    let named = |&agent: &usize| matches!(machine.action(state, agent), Some(Action::Wait { .. }));
    let at_named: Vec<usize> = speakers.iter().copied().filter(named).collect();
    let told = if at_named.is_empty() { &speakers } else { &at_named };
    let standing: Vec<(usize, u32)> =
        told.iter().map(|&agent| (agent, state.agents[agent].node)).collect();
    let verb = if told.len() == 1 { "never returns" } else { "never return" };
    let end = if goes_on { FOREVER } else { NO_AGENT };
    let because = together(&speakers, |agent| why_of(scene, replay, agent)).into_iter();
    Told {
        message: format!("{} {verb}", list(&explain::operations(scene, &standing))),
        because: because
            .map(|(why, agents)| sentence(scene, &agents, &why))
            .chain([end.to_owned()])
            .collect(),
        agent: told.first().copied(),
        node: told.first().map(|&agent| state.agents[agent].node),
        ..Told::default()
    }
}

/// A named barrier that a work-item never constructs, but others do.
fn never_made(scene: &Scene, replay: &Replay) -> Told {
    let state = replay.state();
    let Some((object, agent)) = replay.machine.missing_object(state) else {
        return stuck(scene, replay);
    };
    let name = scene.named_barrier_name(object);
    let who = scene.agent_name(agent);
    let made = replay.done.iter().rev().find(|done| {
        let action = action_at(&replay.machine, done.step.agent, done.node);
        matches!(action, Some(Action::Construct { object: made, .. }) if made == object)
    });
    let compared = made.map(|done| explain::operation(scene, done.step.agent, done.node));
    Told {
        message: format!("{who} never constructs `{name}`, which other work-items construct"),
        because: compared
            .into_iter()
            .map(|what| format!("another work-item executes {what}"))
            .collect(),
        agent: Some(agent),
        node: Some(state.agents[agent].node),
        ..Told::default()
    }
}

/// Why a work-item is blocked: its barrier, and the missing work-items.
pub(super) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> String {
    sentence(scene, &[agent], &why_of(scene, replay, agent))
}

fn sentence(scene: &Scene, agents: &[usize], why: &Option<String>) -> String {
    let who = names(scene, agents);
    match (why, agents) {
        (Some(why), [_]) => format!("{who} waits {why}"),
        (Some(why), _) => format!("{who} wait {why}"),
        (None, [_]) => format!("{who} is blocked"),
        (None, _) => format!("{who} are blocked"),
    }
}

/// The object of the verb `waits` for a blocked work-item; `None` if it is at no barrier.
fn why_of(scene: &Scene, replay: &Replay, agent: usize) -> Option<String> {
    let state = replay.state();
    let machine = &replay.machine;
    let away = |range: core::ops::Range<usize>| -> Vec<String> {
        let same = machine.action(state, agent).map(|action| (kind(action), action.instance()));
        let missing = range.filter(|&other| {
            machine.waits_at(state, other).map(|action| (kind(action), action.instance())) != same
        });
        missing.map(|other| scene.agent_name(other).to_owned()).collect()
    };
    Some(match machine.action(state, agent) {
        Some(Action::Wait { object, .. }) => {
            let missing = away(machine.in_sub_group(machine.sub_group(agent)));
            let name = scene.named_barrier_name(object);
            if !missing.is_empty() {
                return Some(format!("at `{name}` for {} of its sub-group", few(&missing)));
            }
            let waiting = machine.waiting_on(state, agent, object).len();
            let count = machine.object(state, agent, object).map_or(0, |object| object.count);
            format!("at `{name}`: {waiting} of {count} sub-groups wait there")
        }
        Some(Action::Barrier { group: Group::Sub, .. }) => {
            let missing = away(machine.in_sub_group(machine.sub_group(agent)));
            format!("for {} of its sub-group", few(&missing))
        }
        Some(Action::Barrier { group: Group::Work, .. }) => {
            let missing = away(machine.in_group(machine.group(agent)));
            format!("for {} of its work-group", few(&missing))
        }
        Some(Action::Await { .. }) => {
            let missing = machine
                .in_group(machine.group(agent))
                .filter(|&other| state.agents[other].split == Split::Idle);
            let missing: Vec<String> =
                missing.map(|other| scene.agent_name(other).to_owned()).collect();
            format!("for {} to arrive", few(&missing))
        }
        _ => return None,
    })
}

/// A list of at most three names.
fn few(names: &[String]) -> String {
    match names {
        [first, second, third, _, ..] => {
            format!("{first}, {second}, {third} and {} more", names.len() - 3)
        }
        _ => list(names),
    }
}
