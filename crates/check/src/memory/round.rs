//! A race without a barrier: the common barrier of both agents, the intended order of the accesses, and the round that
//! orders them.

use super::gap::apart;
use super::tell::{Missing, Teller, scope_name};
use crate::cause::{Memory, Offer};
use crate::edit::written::Written;
use crate::report::Edit;
use crate::tell::help;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_lang::compiled::Language;
use tidegate_lang::diagnostic::Span;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Access, Memory as Act};
use tidegate_model::mem::order::Reach;
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Node;

/// Two steps with accesses, in the order that a barrier is to give them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    /// The step whose agent releases after it.
    giver: usize,
    /// The step whose agent acquires before it.
    taker: usize,
}

/// The place of a new round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// After the fence that releases the first access, before the one that acquires for the second.
    Fences,
    /// After the first access, for both agents at once, because they share code.
    Following,
    /// Before the second access, for both agents at once.
    Before,
    /// After the first, and directly before the second.
    Access,
    /// After the first, and after the last wait before the second.
    Wait,
}

impl Teller<'_> {
    /// Why no barrier orders the accesses, and the help.
    pub(super) fn no_barrier(&self) -> Missing {
        let Some(object) = self.common() else { return self.no_common() };
        let order = self.meant(object);
        let giver = (self.at(order.giver), self.is_copy(order.giver));
        let cluster = object == Object::Cluster;
        let help = help::memory::hand_over(self.scene, giver, self.at(order.taker), cluster);
        (self.unordered(order), help, Vec::new())
    }

    /// Why two accesses are unordered although their agents share a barrier.
    fn unordered(&self, order: Order) -> Vec<Memory> {
        let Order { giver, taker } = order;
        let (read, access) = (self.at(giver), self.at(taker));
        let agent = access.0;
        let waited = self.trail.of(agent, 0, taker).rfind(|&step| self.trail.waits(step));
        let overwritten = self.handed(order).map(|written| Memory::Overwritten {
            read,
            written: self.at(written),
            overwrites: access,
        });
        let wait = match waited.map(|wait| self.at(wait)) {
            None => Memory::NoWait { agent, access },
            Some(wait) => {
                let (other, other_access) = (read.0, read);
                Memory::WaitTooEarly { agent, access, wait, other, other_access }
            }
        };
        overwritten.into_iter().chain([wait]).collect()
    }

    /// Two agents without a common barrier.
    fn no_common(&self) -> Missing {
        let agents = alloc::vec![self.trail.agent(self.first), self.trail.agent(self.second)];
        let target = self.trail.replay.machine.target;
        let (fact, help) = match target {
            Some(target) if !target.cluster_barriers => {
                let target = target.name.to_owned();
                (Memory::WorkgroupsApart { agents, target }, help::memory::one_workgroup())
            }
            _ => (Memory::ClustersApart { agents }, help::memory::one_cluster()),
        };
        (alloc::vec![fact], help, Vec::new())
    }

    /// The narrowest barrier of both agents.
    fn common(&self) -> Option<Object> {
        let target = self.trail.replay.machine.target;
        match self.far() {
            Reach::Workgroup => Some(Object::Workgroup),
            Reach::Cluster if target.is_none_or(|target| target.cluster_barriers) => {
                Some(Object::Cluster)
            }
            _ => None,
        }
    }

    fn far(&self) -> Reach {
        apart(self.trail, self.trail.agent(self.first), self.trail.agent(self.second))
    }

    /// The intended order of the accesses: the one in the earlier round is first. Within a round, a read of a released
    /// value is before an overwrite, and any other write is before a read.
    fn meant(&self, object: Object) -> Order {
        let as_met = Order { giver: self.first, taker: self.second };
        let turned = Order { giver: self.second, taker: self.first };
        match self.rounds(self.first, object).cmp(&self.rounds(self.second, object)) {
            core::cmp::Ordering::Less => return as_met,
            core::cmp::Ordering::Greater => return turned,
            core::cmp::Ordering::Equal => {}
        }
        let reads = |order: &Order| !self.writes(order.giver) && self.writes(order.taker);
        let writes = |order: &Order| self.writes(order.giver);
        let both = [as_met, turned];
        let handed = both.into_iter().find(|order| reads(order) && self.handed(*order).is_some());
        handed.or(both.into_iter().find(writes)).unwrap_or(as_met)
    }

    /// Number of earlier waits of the step's agent at a barrier.
    fn rounds(&self, step: usize, object: Object) -> usize {
        let waits = |&at: &usize| self.trail.action(at) == Some(Action::Wait { object });
        self.trail.of(self.trail.agent(step), 0, step).filter(waits).count()
    }

    fn touched(&self, step: usize) -> Vec<Access> {
        self.trail.action(step).into_iter().flat_map(accesses).collect()
    }

    fn writes(&self, step: usize) -> bool {
        self.pair().is_some_and(|(one, other)| if step == self.first { one } else { other }.write)
    }

    /// The write before a read of bytes that the other access then writes over.
    fn handed(&self, Order { giver, taker }: Order) -> Option<usize> {
        if self.writes(giver) {
            return None;
        }
        let read = self.touched(giver);
        let wrote = |&step: &usize| {
            step != taker
                && self.trail.before(step, giver)
                && self.touched(step).iter().any(|access| {
                    access.write && read.iter().any(|own| own.range.overlaps(access.range))
                })
        };
        (0..giver).rev().find(wrote)
    }

    /// Rounds of a common barrier, the likeliest first; none if a copy would also need a wait.
    pub(super) fn round_offers(&self) -> Vec<Offer> {
        let Some(object) = self.common() else { return Vec::new() };
        let order = self.meant(object);
        let turned = Order { giver: order.taker, taker: order.giver };
        let one = [(order, Place::Fences), (order, Place::Following), (order, Place::Before)];
        let two = [(order, Place::Access), (order, Place::Wait), (turned, Place::Access)];
        let one_text = self.share_text();
        let tries = one.into_iter().filter(|_| one_text).chain(two);
        tries
            .filter(|(order, _)| !self.is_copy(order.giver))
            .filter_map(|(order, place)| self.round_offer(order, place, object))
            .collect()
    }

    /// Whether the two agents run statements of one block.
    fn share_text(&self) -> bool {
        let of = |agent: usize| -> OrderedSet<u32> {
            self.statements(agent).into_iter().map(|(span, _)| span.start).collect()
        };
        let (one, other) = (self.trail.agent(self.first), self.trail.agent(self.second));
        !of(one).is_disjoint(&of(other))
    }

    /// The statements of an agent that it can perform, in the order of its body, each with whether it waits at what.
    fn statements(&self, agent: usize) -> Vec<(Span, Option<Object>)> {
        let body = self.trail.replay.machine.context.program.body_of(agent);
        let kept = (0..).zip(&body.nodes).filter_map(|(id, node)| match node {
            Node::Operation { operation, .. } => {
                let waits = match operation.action {
                    Action::Wait { object } => Some(object),
                    _ => None,
                };
                Some((self.scene.source(agent, id).span, waits))
            }
            _ => None,
        });
        kept.filter(|(span, _)| span.line > 0).collect()
    }

    /// The last fence that releases between two accesses in the text, if a fence that acquires follows it there.
    fn released(&self, order: Order) -> Option<Span> {
        let (from, to) = (self.source(order.giver).span.start, self.source(order.taker).span.start);
        let agent = self.trail.agent(order.giver);
        let body = self.trail.replay.machine.context.program.body_of(agent);
        let fences = (0..).zip(&body.nodes).filter_map(|(id, node)| match node {
            Node::Operation { operation, .. } => match operation.action {
                Action::Memory(Act::Fence(fence)) => Some((id, fence)),
                _ => None,
            },
            _ => None,
        });
        let fences = fences.map(|(id, fence)| (self.scene.source(agent, id).span, fence));
        let mut within: Vec<_> =
            fences.filter(|(span, _)| (from..to).contains(&span.start)).collect();
        within.sort_by_key(|(span, _)| span.start);
        let pair = within.windows(2).rfind(|pair| pair[0].1.release && pair[1].1.acquire)?;
        Some(pair[0].0)
    }

    fn round_offer(&self, order: Order, place: Place, object: Object) -> Option<Offer> {
        let (name, scope) = (word(object), scope_name(self.far()));
        let round = format!("arrive {name}; wait {name}");
        let (release, acquire) =
            (format!("fence release {scope}"), format!("fence acquire {scope}"));
        let (giver, taker) = (self.source(order.giver).span, self.source(order.taker).span);
        let whole = format!("{release}; {round}; {acquire}");
        let mut parts = match place {
            Place::Fences => alloc::vec![Part::following(self.released(order)?, round.clone())],
            Place::Following => alloc::vec![Part::following(giver, whole)],
            Place::Before => alloc::vec![Part::before(taker, whole)],
            Place::Access => alloc::vec![
                Part::following(giver, format!("{release}; {round}")),
                Part::before(taker, format!("{round}; {acquire}")),
            ],
            Place::Wait => {
                let agent = self.trail.agent(order.taker);
                let waits = |&at: &usize| self.trail.action(at) == Some(Action::Wait { object });
                let wait = self.trail.of(agent, 0, order.taker).rfind(waits)?;
                alloc::vec![
                    Part::following(giver, format!("{release}; {round}")),
                    Part::following(self.source(wait).span, format!("{round}; {acquire}")),
                ]
            }
        };
        if matches!(place, Place::Access | Place::Wait) {
            parts.extend(self.others(order, object, &round));
        }
        let written = self.written();
        // The waits for counters between the accesses and a barrier are not known here.
        if written.language == Some(Language::Amdgpu) {
            return None;
        }
        for part in &mut parts {
            part.statements = written.spelled(&part.statements)?;
        }
        let said: Vec<(&str, bool, u32)> = parts
            .iter()
            .map(|part| (part.statements.as_str(), part.following, part.span.line))
            .collect();
        let steps = [order.giver, order.taker].map(|step| self.at(step));
        let remedy = help::memory::round(self.scene, object == Object::Cluster, steps, &said);
        let mut edits: Vec<Edit> = parts.iter().map(|part| part.edit(written)).collect();
        edits.extend(parts.iter().find_map(|part| written.declarations(&part.statements)));
        Some(Offer { remedy, edits, number: None })
    }

    /// The round of the other agents of the barrier, if they have as many earlier rounds.
    fn others(&self, order: Order, object: Object, round: &str) -> Vec<Part> {
        let program = &self.trail.replay.machine.context.program;
        let (one, other) = (self.trail.agent(order.giver), self.trail.agent(order.taker));
        let group = |agent: usize| program.agents[agent].workgroup;
        let cluster = |agent: usize| program.launch.cluster_of(group(agent));
        let mut known = OrderedSet::from([group(one), group(other)]);
        let takes_part = |agent: usize| match object {
            // One wave of each workgroup arrives there.
            Object::Cluster => cluster(agent) == cluster(one) && known.insert(group(agent)),
            _ => group(agent) == group(one) && agent != one && agent != other,
        };
        let others: Vec<usize> = (0..program.agents.len())
            .filter({
                let mut takes_part = takes_part;
                move |&agent| takes_part(agent)
            })
            .collect();
        let before = self.rounds(order.giver, object);
        let mut parts: Vec<Part> = others
            .into_iter()
            .filter_map(|agent| self.behind_rounds(agent, before, object, round))
            .collect();
        parts.sort_by_key(|part| part.span.start);
        parts.dedup();
        parts
    }

    /// A round after a number of rounds of an agent; nothing if it performs nothing.
    fn behind_rounds(
        &self,
        agent: usize,
        rounds: usize,
        object: Object,
        round: &str,
    ) -> Option<Part> {
        let statements = self.statements(agent);
        let mut waits = statements.iter().filter(|(_, waits)| *waits == Some(object));
        let Some(index) = rounds.checked_sub(1) else {
            return Some(Part::before(statements.first()?.0, round.to_string()));
        };
        let (span, _) = waits.nth(index).or(statements.last())?;
        Some(Part::following(*span, round.to_string()))
    }
}

/// Statements to add.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    span: Span,
    following: bool,
    statements: String,
}

impl Part {
    const fn following(span: Span, statements: String) -> Self {
        Self { span, following: true, statements }
    }

    const fn before(span: Span, statements: String) -> Self {
        Self { span, following: false, statements }
    }

    fn edit(&self, written: Written<'_>) -> Edit {
        let put = if self.following { Written::after } else { Written::before };
        put(written, self.span, &self.statements)
    }
}

const fn word(object: Object) -> &'static str {
    match object {
        Object::Cluster => "cluster",
        _ => "wg",
    }
}
