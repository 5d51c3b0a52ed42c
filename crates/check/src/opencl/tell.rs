//! The causes of findings on OpenCL programs.

use super::object::action_at;
use super::replay::{Done, Replay};
use crate::cause::opencl::Blocked;
use crate::cause::opencl::Group as Whose;
use crate::cause::{At, Cause, Common, Finding as Found, Opencl};
use crate::report::Related;
use crate::scene::Scene;
use crate::tell::names::together;
use crate::tell::{help, related};
use alloc::vec::Vec;
use tidegate_model::mem::operation::Access;
use tidegate_model::opencl::action::{Action, Flags, Group, Reach};
use tidegate_model::opencl::machine::Machine;
use tidegate_model::opencl::machine::state::{Split, Standing, State};
use tidegate_model::operation::Action as Any;
use tidegate_model::program::Node;
use tidegate_model::rule::RuleId;

/// The finding on a broken rule, from the execution that breaks it.
pub(super) fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Found {
    if replay.state().broken & rule.bit() == 0 {
        return match rule {
            RuleId::OpenclNamedUniform => never_made(scene, replay),
            _ => stuck(scene, replay),
        };
    }
    let Some(last) = replay.done.last() else {
        return Found::new(Common::Rule { operation: None, rule }, Vec::new(), None);
    };
    let before = &replay.states[replay.done.len() - 1];
    let teller = Teller { scene, replay, before, last };
    let (cause, facts) = teller.cause(rule);
    let (left, returned) = (teller.left(rule), teller.returned(rule));
    let at = left.map_or_else(|| teller.at(), |other| teller.standing(other));
    let help = match &returned {
        _ if rule == RuleId::MemRace => Some(teller.barrier_between()),
        Some(_) => Some(help::opencl::no_return()),
        None => None,
    };
    let related = returned.into_iter().chain(left.and_then(|_| teller.end())).collect();
    Found { related, ..Found::new(cause, facts, Some(at)).with_help(help) }
}

/// The last step, which breaks a rule.
pub(super) struct Teller<'a> {
    pub(super) scene: &'a Scene,
    pub(super) replay: &'a Replay,
    before: &'a State,
    pub(super) last: &'a Done,
}

impl Teller<'_> {
    /// The operation of the last step.
    fn at(&self) -> At {
        (self.last.step.agent, self.last.node)
    }

    /// Whether a work-item has ended, or ends in the last step, by `return`.
    fn returns(&self, agent: usize) -> bool {
        let at = self.before.agents[agent];
        let ends = at.standing == Standing::Ended || agent == self.last.step.agent;
        ends && self.scene.source(agent, at.node).text == "return"
    }

    /// The `return` of the first work-item for which others wait.
    fn returned(&self, rule: RuleId) -> Option<Related> {
        let missing = [RuleId::OpenclBarrierAllEncounter, RuleId::OpenclNamedSubGroupUniform];
        let mut group =
            self.replay.machine.in_group(self.replay.machine.group(self.last.step.agent));
        let first = group.find(|&agent| missing.contains(&rule) && self.returns(agent));
        first.map(|agent| related::returns(self.scene, self.standing(agent)))
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
        let end = related::ends(self.scene, self.standing(self.last.step.agent));
        (end.line > 0).then_some(end)
    }

    /// The next operation of a work-item.
    fn standing(&self, agent: usize) -> At {
        (agent, self.before.agents[agent].node)
    }

    fn cause(&self, rule: RuleId) -> (Cause, Vec<Cause>) {
        let operation = self.at();
        let facts = match rule {
            RuleId::OpenclBarrierUniformArguments => {
                let other = self.others().next().map(|other| self.standing(other));
                other.map(|operation| Opencl::HasOther { operation }).into_iter().collect()
            }
            RuleId::OpenclNamedOverSubscribed => {
                self.come().into_iter().map(|agent| Opencl::AlsoWaits { agent }).collect()
            }
            RuleId::OpenclSplitArriveTwice => {
                self.own_arrive().map(|arrive| Opencl::ArrivedWith { arrive }).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let (cause, facts) = match rule {
            RuleId::OpenclBarrierAllEncounter | RuleId::OpenclNamedSubGroupUniform => {
                self.not_met(rule)
            }
            RuleId::OpenclNamedUniform => self.not_uniform(),
            RuleId::MemRace => self.race(),
            RuleId::OpenclBarrierUniformArguments => (Opencl::OtherArguments { operation }, facts),
            RuleId::OpenclNamedOverSubscribed => (Opencl::OverSubscribed { operation }, facts),
            RuleId::OpenclSplitArriveTwice => (Opencl::ArrivesTwice { operation }, facts),
            RuleId::OpenclSplitWaitFirst => (Opencl::WaitsFirst { operation }, facts),
            _ => {
                return (Common::Rule { operation: Some(operation), rule }.into(), Vec::new());
            }
        };
        (cause.into(), facts.into_iter().map(Cause::from).collect())
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
    fn not_met(&self, rule: RuleId) -> (Opencl, Vec<Opencl>) {
        let machine = &self.replay.machine;
        let whose = |action| match rule {
            RuleId::OpenclNamedSubGroupUniform => Whose::Sub,
            _ => group_of(action),
        };
        let mut waiting =
            self.others().filter(|&other| machine.waits_at(self.before, other).is_some());
        let agent = self.last.step.agent;
        let Some(own) = machine.action(self.before, agent) else {
            let Some(other) = waiting.find(|&other| self.needs(other)) else {
                return self.ends_early();
            };
            let operation = self.standing(other);
            if self.returns(agent) {
                let fact = Opencl::WaitsFor { operation, agent };
                return (Opencl::Returns { agent }, Vec::from([fact]));
            }
            let group = whose(machine.action(self.before, other));
            let fact = Opencl::EndsWithout { agent };
            return (Opencl::NotReached { operation, group }, Vec::from([fact]));
        };
        let group = whose(Some(own));
        let facts = match waiting.find(|&other| self.is_at_odds(other)) {
            Some(other) => {
                let operation = self.standing(other);
                let site = machine.action(self.before, other).map(|other| other.instance().site);
                let at = match site == Some(own.instance().site) {
                    true => Opencl::OtherIteration { operation },
                    false => Opencl::OtherBarrier { operation },
                };
                Vec::from([at, Opencl::Neither])
            }
            None => {
                let ended = |other: &usize| {
                    self.before.agents[*other].standing == Standing::Ended
                        && (group == Whose::Work || self.is_near(*other))
                };
                let gone = self.others().find(ended).map(|agent| match self.returns(agent) {
                    true => Opencl::EndsItem { operation: self.standing(agent) },
                    false => Opencl::HasEnded { agent },
                });
                gone.into_iter().collect()
            }
        };
        (Opencl::NotReached { operation: self.at(), group }, facts)
    }

    /// A work-item that ends before it completes the split barrier.
    fn ends_early(&self) -> (Opencl, Vec<Opencl>) {
        let arrived = self.others().find(|&other| self.before.agents[other].split != Split::Idle);
        let facts = arrived.map(|agent| Opencl::HasArrived { agent }).into_iter().collect();
        (Opencl::EndsSplit { agent: self.last.step.agent }, facts)
    }

    /// Whether a waiting work-item needs the one of the last step.
    fn needs(&self, other: usize) -> bool {
        let action = self.replay.machine.waits_at(self.before, other);
        self.is_near(other) || action.is_some_and(|action| group_of(Some(action)) == Whose::Work)
    }

    fn is_at_odds(&self, other: usize) -> bool {
        let machine = &self.replay.machine;
        let (own, met) =
            (machine.action(self.before, self.last.step.agent), machine.action(self.before, other));
        let whole = |action| group_of(action) == Whose::Work;
        let bare = |action: Option<Action>| action.map(|action| (kind(action), action.instance()));
        (self.is_near(other) || whole(own) && whole(met)) && bare(own) != bare(met)
    }

    fn not_uniform(&self) -> (Opencl, Vec<Opencl>) {
        let machine = &self.replay.machine;
        let agent = self.last.step.agent;
        let cause = match machine.action(self.before, agent) {
            Some(Action::Construct { .. }) => Opencl::NotUniform { operation: self.at() },
            _ => Opencl::Skips { agent },
        };
        let constructed = self.replay.done.iter().rev().skip(1).find(|done| {
            let action = action_at(machine, done.step.agent, done.node);
            done.step.agent != agent && matches!(action, Some(Action::Construct { .. }))
        });
        let ended =
            || self.others().find(|&other| self.before.agents[other].standing == Standing::Ended);
        let fact = constructed
            .map(|done| Opencl::OtherExecutes { operation: (done.step.agent, done.node) })
            .or_else(|| ended().map(|agent| Opencl::EndedWithout { agent }));
        (cause, fact.into_iter().collect())
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

    fn own_arrive(&self) -> Option<At> {
        let machine = &self.replay.machine;
        let own = |done: &&Done| {
            done.step.agent == self.last.step.agent
                && matches!(
                    action_at(machine, done.step.agent, done.node),
                    Some(Action::Arrive { .. })
                )
        };
        let done = self.replay.done.iter().rev().skip(1).find(own)?;
        Some((done.step.agent, done.node))
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
    fn race(&self) -> (Opencl, Vec<Opencl>) {
        let Some((made, other, access)) = self.raced_with() else {
            return (Opencl::Races { operation: self.at() }, Vec::new());
        };
        let earlier = (other, self.replay.done[made].node);
        let memory = self.scene.buffer_name(access.range.buffer);
        let cause = Opencl::Race { later: self.at(), earlier, memory };
        (cause, alloc::vec![self.gap(made, other, access)])
    }

    /// The fact if the step `made` or the last one is between the halves of a split barrier.
    fn between_halves(&self, made: usize) -> Option<Opencl> {
        [self.replay.done.len() - 1, made].into_iter().find_map(|at| self.halved(at))
    }

    fn halved(&self, at: usize) -> Option<Opencl> {
        let machine = &self.replay.machine;
        let access = &self.replay.done[at];
        let action = |done: &Done| action_at(machine, done.step.agent, done.node);
        let is_half = |done: &&Done| {
            done.step.agent == access.step.agent
                && matches!(action(done), Some(Action::Arrive { .. } | Action::Await { .. }))
        };
        let half = self.replay.done[..at].iter().rev().find(is_half)?;
        let [access, arrive] = [access, half].map(|done| (done.step.agent, done.node));
        matches!(action(half), Some(Action::Arrive { .. }))
            .then_some(Opencl::BetweenHalves { access, arrive })
    }

    /// The missing order between an access and the last step.
    pub(super) fn gap(&self, made: usize, other: usize, access: Access) -> Opencl {
        let machine = &self.replay.machine;
        let agent = self.last.step.agent;
        let between = &self.replay.done[made + 1..];
        // Copies of the work-group, waits for them, and functions of the work-group are no barriers.
        let gathers = |done: &Done| {
            let action = action_at(machine, done.step.agent, done.node);
            let arguments = action.and_then(Action::arguments);
            arguments.is_none_or(|arguments| arguments.others == 0)
        };
        let meets = |done: &&Done| {
            gathers(done)
                && done.note.released.contains(&other)
                && done.note.released.contains(&agent)
        };
        let Some(at) = between.iter().position(|done| meets(&done)) else {
            let agents = Vec::from([other, agent]);
            return self.between_halves(made).unwrap_or(Opencl::NoBarrier { agents });
        };
        // At the barrier of the last agent, whichever agent completes it.
        let barrier = (agent, self.replay.states[made + 1 + at].agents[agent].node);
        let (flag, space) = space(machine, access);
        let arguments = action_at(machine, agent, barrier.1).and_then(Action::arguments);
        let flagged = arguments.is_some_and(|arguments| arguments.flags.intersects(flag));
        match arguments.and_then(|arguments| arguments.reach(flag)) {
            None if !flagged => Opencl::NoFlag { barrier, space, flag: self.flag(space) },
            None | Some(Reach::SubGroup) => Opencl::ScopeNarrow { barrier },
            Some(Reach::WorkGroup) => Opencl::NotEveryCall { barrier, space },
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
const fn group_of(action: Option<Action>) -> Whose {
    match action {
        Some(Action::Wait { .. } | Action::Barrier { group: Group::Sub, .. }) => Whose::Sub,
        _ => Whose::Work,
    }
}

fn stuck(scene: &Scene, replay: &Replay) -> Found {
    let state = replay.state();
    let machine = &replay.machine;
    let left: Vec<usize> =
        (0..state.agents.len()).filter(|&agent| machine.is_blocked(state, agent)).collect();
    let continues = (0..state.agents.len()).any(|agent| machine.ways(state, agent) > 0);
    // One work-item represents its sub-group.
    let mut speakers = left;
    speakers.dedup_by_key(|agent| machine.sub_group(*agent));
    let named = |&agent: &usize| matches!(machine.action(state, agent), Some(Action::Wait { .. }));
    let at_named: Vec<usize> = speakers.iter().copied().filter(named).collect();
    let shown = if at_named.is_empty() { &speakers } else { &at_named };
    let waits: Vec<At> = shown.iter().map(|&agent| (agent, state.agents[agent].node)).collect();
    let first = waits.first().copied();
    let end = if continues { Common::Forever } else { Common::NoAgent };
    let groups = together(&speakers, |agent| why_of(scene, replay, agent)).into_iter();
    let facts = groups.map(|(at, agents)| Opencl::Blocked { agents, at }.into());
    let facts = facts.chain([end.into()]).collect();
    Found::new(Common::NeverReturn { waits }, facts, first)
}

/// A named barrier that a work-item never constructs, but others do.
fn never_made(scene: &Scene, replay: &Replay) -> Found {
    let state = replay.state();
    let Some((object, agent)) = replay.machine.missing_object(state) else {
        return stuck(scene, replay);
    };
    let made = replay.done.iter().rev().find(|done| {
        let action = action_at(&replay.machine, done.step.agent, done.node);
        matches!(action, Some(Action::Construct { object: made, .. }) if made == object)
    });
    let fact = made.map(|done| Opencl::OtherExecutes { operation: (done.step.agent, done.node) });
    let cause = Opencl::NeverConstructs { agent, object: scene.named_barrier_name(object) };
    let facts = fact.map(Cause::from).into_iter().collect();
    Found::new(cause, facts, Some((agent, state.agents[agent].node)))
}

/// Why a work-item is blocked: its barrier, and the missing work-items.
pub(super) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> Cause {
    Opencl::Blocked { agents: Vec::from([agent]), at: why_of(scene, replay, agent) }.into()
}

/// Where a work-item is blocked.
fn why_of(scene: &Scene, replay: &Replay, agent: usize) -> Blocked {
    let state = replay.state();
    let machine = &replay.machine;
    let away = |range: core::ops::Range<usize>| -> Vec<usize> {
        let same = machine.action(state, agent).map(|action| (kind(action), action.instance()));
        let missing = range.filter(|&other| {
            machine.waits_at(state, other).map(|action| (kind(action), action.instance())) != same
        });
        missing.collect()
    };
    match machine.action(state, agent) {
        Some(Action::Wait { object: declared, .. }) => {
            let missing = away(machine.in_sub_group(machine.sub_group(agent)));
            let object = scene.named_barrier_name(declared);
            if !missing.is_empty() {
                return Blocked::Named { object, missing };
            }
            let waiting = machine.waiting_on(state, agent, declared).len() as u32;
            let made = machine.object(state, agent, declared);
            Blocked::Count { object, waiting, expected: made.map_or(0, |made| made.count) }
        }
        Some(Action::Barrier { group: Group::Sub, .. }) => {
            let missing = away(machine.in_sub_group(machine.sub_group(agent)));
            Blocked::Group { group: Whose::Sub, missing }
        }
        Some(Action::Barrier { group: Group::Work, .. }) => {
            let missing = away(machine.in_group(machine.group(agent)));
            Blocked::Group { group: Whose::Work, missing }
        }
        Some(Action::Await { .. }) => {
            let all = machine.in_group(machine.group(agent));
            let missing = all.filter(|&other| state.agents[other].split == Split::Idle).collect();
            Blocked::Split { missing }
        }
        _ => Blocked::Elsewhere,
    }
}
