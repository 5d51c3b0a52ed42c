//! A race without a barrier: the common barrier of both agents, the intended order of the accesses, and the round that
//! orders them.

use super::fix;
use super::gap::apart;
use super::offer::Offer;
use super::tell::{Teller, scope_name};
use crate::report::Edit;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Span;
use tidegate_model::mem::map::{Access, accesses};
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
    /// After the first access, for both agents at once, because they share code.
    Behind,
    /// Before the second, likewise.
    Before,
    /// After the first, and directly before the second.
    Access,
    /// After the first, and after the last wait before the second.
    Wait,
}

impl Teller<'_> {
    /// Why no barrier orders the accesses, and the help.
    pub(super) fn no_barrier(&self) -> (Vec<String>, String, Vec<Edit>) {
        let Some(object) = self.common() else { return self.no_common() };
        let order = self.meant(object);
        let behind = if self.is_copy(order.giver) {
            "wait for a mark after its copy, then release and arrive".to_owned()
        } else {
            format!("release and arrive after {}", self.brief(order.giver))
        };
        let remedy = format!(
            "make {} {behind}, and {} wait and acquire before {}, at {}",
            self.who(order.giver),
            self.who(order.taker),
            self.brief(order.taker),
            called(object)
        );
        (self.unordered(order), remedy, Vec::new())
    }

    /// Why two accesses are unordered although their agents share a barrier.
    fn unordered(&self, order: Order) -> Vec<String> {
        let Order { giver, taker } = order;
        let (one, other) = (self.who(giver), self.who(taker));
        let mut because = Vec::new();
        if let Some(read) = self.handed(order) {
            because.push(format!(
                "{} reads the value of {}, and {} overwrites it",
                self.brief(giver),
                self.brief(read),
                self.brief(taker)
            ));
        }
        let agent = self.trail.agent(taker);
        let waited = self.trail.of(agent, 0, taker).rfind(|&step| self.trail.waits(step));
        because.push(match waited {
            None => format!("{other} has no wait before {}", self.brief(taker)),
            Some(wait) => format!(
                "the last wait of {other} before {} is {}, and no arrive of {one} after {} is ordered before it",
                self.brief(taker),
                self.brief(wait),
                self.brief(giver)
            ),
        });
        because
    }

    /// Two agents without a common barrier.
    fn no_common(&self) -> (Vec<String>, String, Vec<Edit>) {
        let (one, other) = (self.who(self.first), self.who(self.second));
        let target = self.trail.replay.machine.target;
        let clusters = target.is_none_or(|target| target.cluster_barriers);
        let name = target.map_or("the target", |target| target.name);
        if clusters {
            let why = format!(
                "{one} and {other} are in different clusters, and a cluster barrier spans one cluster"
            );
            return (
                alloc::vec![why],
                "put both workgroups into one cluster and use the cluster barrier, or use atomics (not modelled)".to_owned(),
                Vec::new(),
            );
        }
        let why = format!(
            "{one} and {other} are in different workgroups, and {name} has no barrier beyond a workgroup"
        );
        (
            alloc::vec![why],
            "access the bytes in one workgroup, or use atomics (not modelled)".to_owned(),
            Vec::new(),
        )
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
        let one = [(order, Place::Behind), (order, Place::Before)];
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

    fn round_offer(&self, order: Order, place: Place, object: Object) -> Option<Offer> {
        let (name, scope) = (word(object), scope_name(self.far()));
        let round = format!("arrive {name}; wait {name}");
        let (release, acquire) =
            (format!("fence release {scope}"), format!("fence acquire {scope}"));
        let (giver, taker) = (self.source(order.giver).span, self.source(order.taker).span);
        let whole = format!("{release}; {round}; {acquire}");
        let mut parts = match place {
            Place::Behind => alloc::vec![Part::behind(giver, whole)],
            Place::Before => alloc::vec![Part::before(taker, whole)],
            Place::Access => alloc::vec![
                Part::behind(giver, format!("{release}; {round}")),
                Part::before(taker, format!("{round}; {acquire}")),
            ],
            Place::Wait => {
                let agent = self.trail.agent(order.taker);
                let waits = |&at: &usize| self.trail.action(at) == Some(Action::Wait { object });
                let wait = self.trail.of(agent, 0, order.taker).rfind(waits)?;
                alloc::vec![
                    Part::behind(giver, format!("{release}; {round}")),
                    Part::behind(self.source(wait).span, format!("{round}; {acquire}")),
                ]
            }
        };
        if matches!(place, Place::Access | Place::Wait) {
            parts.extend(self.others(order, object, &round));
        }
        let said: Vec<String> = parts.iter().map(Part::said).collect();
        let remedy = format!(
            "add a round of {} after {} and before {}: {}",
            called(object),
            self.brief(order.giver),
            self.brief(order.taker),
            crate::explain::list(&said)
        );
        Some(Offer { remedy, edits: parts.iter().map(Part::edit).collect(), number: None })
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
        Some(Part::behind(*span, round.to_string()))
    }
}

/// Statements to add.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    span: Span,
    behind: bool,
    statements: String,
}

impl Part {
    const fn behind(span: Span, statements: String) -> Self {
        Self { span, behind: true, statements }
    }

    const fn before(span: Span, statements: String) -> Self {
        Self { span, behind: false, statements }
    }

    fn said(&self) -> String {
        let place = if self.behind { "after" } else { "before" };
        format!("`{}` {place} line {}", self.statements, self.span.line)
    }

    fn edit(&self) -> Edit {
        let put = if self.behind { fix::after } else { fix::before };
        put(self.span, &self.statements)
    }
}

const fn word(object: Object) -> &'static str {
    match object {
        Object::Cluster => "cluster",
        _ => "wg",
    }
}

const fn called(object: Object) -> &'static str {
    match object {
        Object::Cluster => "the cluster barrier",
        _ => "the workgroup barrier",
    }
}
