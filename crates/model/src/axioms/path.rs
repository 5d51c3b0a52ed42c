//! Control paths: all sequences of operations that one agent can perform, independent of the others.
//!
//! The outcomes of `choose` and of arrives that test whether they are first are guessed here and checked against the
//! orders later.

use super::event::{Event, Kind};
use super::meter::{Bound, Meter};
use super::relation::MAX_EVENTS;
use super::tally::{self, Tally};
use super::text::Text;
use super::thread::{Next, Thread};
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::program::{Node, NodeId};
use crate::reading::ReadingId;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// Largest number of stops of one agent.
const MOST_STOPS: usize = 20_000;

/// An operation that an agent performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Performed {
    /// The operation.
    pub event: Event,
    /// The guessed result, if the operation tests whether it is the first arrive of its phase.
    pub first: Option<bool>,
}

/// The state of an agent at the end of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Its wave has ended.
    Ended {
        /// Whether it is the last of its workgroup, which drops the cluster barrier for the workgroup.
        last: bool,
    },
    /// It is blocked at a wait that never completes.
    Stuck(Event),
    /// It is blocked at a wait without an object that could complete it.
    Blocked,
    /// It has not ended: the execution was cut off.
    Cut,
    /// Its last step breaks a rule by itself.
    Breaks(RuleId),
    /// Its last step is a wait or join that finds its object uninitialised (reading `amd.A17`).
    Uninitialised(Event),
}

/// The operations of an agent, and its final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Its operations.
    pub events: Vec<Performed>,
    /// Its final state.
    pub rest: Rest,
    /// Its node.
    pub node: NodeId,
    /// If its end has begun, whether it is the last wave of its workgroup.
    pub ending: Option<bool>,
    /// For each step, the alternative of a `choose` that was taken, otherwise 0.
    pub ways: Vec<u32>,
    /// Numbers of its operations on each object.
    pub tallies: Vec<Tally>,
}

impl Stop {
    /// Whether an agent can be in this state when no agent can continue.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self.rest, Rest::Ended { .. } | Rest::Stuck(_) | Rest::Blocked)
    }

    /// Estimates its size in words.
    #[must_use]
    pub fn words(&self) -> usize {
        let tallies = self.tallies.iter().map(|tally| tally.arrives.len() / 2 + 5);
        16 + 5 * self.events.len() + self.ways.len() / 2 + tallies.sum::<usize>()
    }

    /// The numbers of its operations on each object.
    fn counted(&self, text: &Text) -> Vec<Tally> {
        tally::tallies(text, self.events.iter().map(|performed| performed.event))
    }

    /// Number of its operations in an execution: those performed, and the wait at which it is blocked.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.events.len() + usize::from(matches!(self.rest, Rest::Stuck(_)))
    }

    /// Whether others can depend on all that was performed: it is empty or ends with a modification, or the wave ended.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        let modifies = |performed: &Performed| performed.event.kind.modifies();
        match self.rest {
            Rest::Ended { .. } => true,
            Rest::Cut => self.events.last().is_none_or(modifies),
            _ => false,
        }
    }
}

/// Returns every stop of an agent.
///
/// # Errors
///
/// If there are too many stops, if a path does not end, or at a limit of the meter.
pub fn stops(text: &Text, agent: usize, meter: &mut Meter<'_>) -> Result<Vec<Stop>, Bound> {
    if text.context.reaches.any_cycle() {
        return Err(Bound::Paths);
    }
    let mut stops = Vec::new();
    let launch =
        Open { thread: Thread::new(agent), events: Vec::new(), ending: None, ways: Vec::new() };
    let mut open = alloc::vec![launch];
    stops.push(open[0].stop(Rest::Cut));
    while let Some(at) = open.pop() {
        meter.work(at.ways.len() + 8 * at.events.len())?;
        let known = stops.len();
        at.go_on(text, &mut open, &mut stops);
        if stops.len() > MOST_STOPS {
            return Err(Bound::Paths);
        }
        if at.events.len() > MAX_EVENTS {
            return Err(Bound::Operations);
        }
        for stop in &mut stops[known..] {
            stop.tallies = stop.counted(text);
            meter.keep(8 * stop.words())?;
        }
    }
    stops[0].tallies = stops[0].counted(text);
    Ok(stops)
}

/// The maximum over all stops of an agent, for each object.
#[must_use]
pub fn most_of_each(stops: &[&Stop], objects: usize) -> Vec<Tally> {
    let of = |object: usize| Tally::most(stops.iter().map(move |stop| &stop.tallies[object]));
    (0..objects).map(of).collect()
}

/// An agent on a path.
#[derive(Clone, Debug)]
struct Open {
    thread: Thread,
    events: Vec<Performed>,
    ending: Option<bool>,
    ways: Vec<u32>,
}

impl Open {
    fn stop(&self, rest: Rest) -> Stop {
        Stop {
            node: self.thread.node,
            events: self.events.clone(),
            rest,
            ending: self.ending,
            ways: self.ways.clone(),
            tallies: Vec::new(),
        }
    }

    fn event(&self, kind: Kind, instance: InstanceId) -> Event {
        let Thread { agent, node, steps: ordinal, .. } = self.thread;
        Event { agent, kind, instance, node, ordinal }
    }

    fn go_on(&self, text: &Text, open: &mut Vec<Self>, stops: &mut Vec<Stop>) {
        match self.thread.next(text) {
            Next::Nothing => open.push(self.stepped(text, 0)),
            Next::Choose(nodes) => {
                let ways = 0..nodes.len() as u32;
                open.extend(ways.map(|way| self.to(text, nodes[way as usize], way)).rev());
            }
            Next::Blocked => stops.push(self.stop(Rest::Blocked)),
            Next::Breaks(rule) => {
                stops.push(Self { ways: self.longer(0), ..self.clone() }.stop(Rest::Breaks(rule)));
            }
            Next::End => self.end(text, stops),
            Next::Performs { kind, instance, asks } => {
                let event = self.event(kind, instance);
                self.perform(text, event, asks, open, stops);
            }
        }
    }

    fn perform(
        &self,
        text: &Text,
        event: Event,
        asks: bool,
        open: &mut Vec<Self>,
        stops: &mut Vec<Stop>,
    ) {
        let looks = matches!(event.kind, Kind::Wait | Kind::Join) && event.instance != NO_INSTANCE;
        let own = |performed: &Performed| {
            performed.event.is_on(event.instance) && performed.event.kind.modifies()
        };
        let looks =
            looks && !text.launched(event.instance).initialised && !self.events.iter().any(own);
        if event.kind == Kind::Wait {
            stops.push(self.stop(Rest::Stuck(event)));
        }
        if looks && !text.usual(ReadingId::AmdA17) {
            let at = Self { ways: self.longer(0), ..self.clone() };
            stops.push(at.stop(Rest::Uninitialised(event)));
        }
        for way in (0..1 + u32::from(asks)).rev() {
            let mut next = self.stepped(text, way);
            let first = asks.then_some(way == 1);
            next.events.push(Performed { event, first });
            stops.push(next.stop(Rest::Cut));
            open.push(next);
        }
    }

    fn end(&self, text: &Text, stops: &mut Vec<Stop>) {
        let agent = self.thread.agent;
        let workgroup = text.context.program.agents[agent].workgroup;
        let cluster = text.context.instances.cluster_of(agent) != NO_INSTANCE;
        let alone = text.context.in_workgroup(workgroup).count() == 1;
        let told_apart = cluster && text.usual(ReadingId::AmdA3) && text.usual(ReadingId::AmdA4);
        let lasts: &[bool] = match (told_apart, alone) {
            (true, true) => &[true],
            (true, false) => &[false, true],
            (false, _) => &[false],
        };
        for &last in lasts {
            let mut at = Self { ways: self.longer(0), ending: Some(last), ..self.clone() };
            for instance in self.thread.end(text, last) {
                let event = self.event(Kind::Drop, instance);
                at.events.push(Performed { event, first: None });
                stops.push(at.stop(Rest::Cut));
            }
            stops.push(at.stop(Rest::Ended { last }));
        }
    }

    fn longer(&self, way: u32) -> Vec<u32> {
        let mut ways = self.ways.clone();
        ways.push(way);
        ways
    }

    /// The agent after its step with that outcome.
    fn stepped(&self, text: &Text, outcome: u32) -> Self {
        let body = text.context.program.body_of(self.thread.agent);
        let node = match &body.nodes[self.thread.node as usize] {
            Node::Operation { next, .. } => next[outcome as usize],
            _ => self.thread.node,
        };
        self.to(text, node, 0)
    }

    fn to(&self, text: &Text, node: NodeId, way: u32) -> Self {
        let (ways, events) = (self.longer(way), self.events.clone());
        Self { thread: self.thread.after(text, node), events, ending: None, ways }
    }
}
