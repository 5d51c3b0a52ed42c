//! What all agents but one can do at most while that one does not move.
//!
//! The bound is from above: an arrive always passes, a wait passes as long as enough phases are complete or could become
//! so. Both machines use it to find an agent that may go first.

use crate::context::Context;
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Object};
use crate::program::Node;
use crate::reach::instance_bit;
use alloc::vec::Vec;

/// What an agent joined last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Joined {
    /// It never joined anything.
    #[default]
    Nothing,
    /// The NULL barrier.
    Null,
    /// A named barrier; `true` while no drop has broken *barrier-joined-before*.
    Named(InstanceId, bool),
}

/// Where an agent stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentState {
    /// Its node.
    pub node: u32,
    /// What it joined last.
    pub joined: Joined,
    /// Whether it has ended.
    pub ended: bool,
}

/// Upper bounds on what the others can do with one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// Arrives.
    pub arrives: u32,
    /// Drops, ends of waves included.
    pub drops: u32,
    /// Waits that can pass.
    pub waits: u32,
    /// Joins of the object, or of another while it was joined.
    pub joins: u32,
    /// An init, a new expected count, or a question who is first.
    pub special: bool,
    /// Anything but a join.
    pub touched: bool,
}

/// As many as one likes.
const MANY: u32 = 1 << 20;

/// The arrive count and the expected count of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Arrive count.
    pub arrived: i32,
    /// Expected count.
    pub expected: i32,
}

impl Counts {
    /// Whether the others cannot complete a phase, and could not either with `more` further arrives.
    #[must_use]
    pub fn stays_open(self, others: Others, more: u32) -> bool {
        let arrives = i64::from(self.arrived) + i64::from(others.arrives) + i64::from(more);
        !others.special && arrives < i64::from(self.expected) - i64::from(others.drops)
    }

    /// How many phases the others can complete at most.
    fn completions(self, others: Others) -> u32 {
        let needed = i64::from(self.expected) - i64::from(others.drops);
        let available = i64::from(self.arrived) + i64::from(others.arrives);
        if others.special || needed < 1 {
            MANY
        } else {
            u32::try_from(available / needed).unwrap_or(MANY)
        }
    }
}

/// A state as the bound sees it.
pub struct View<'a> {
    /// The program.
    pub context: &'a Context,
    /// Where the agents stand.
    pub agents: &'a [AgentState],
    /// Counts by instance.
    pub counts: &'a [Counts],
    /// How many waits of an agent on an instance could pass now without any further completion.
    pub passable: &'a dyn Fn(usize, InstanceId) -> u32,
    /// Whether a *drop* leaves what was joined last, whatever its operand, and nothing is joined after it.
    pub drop_leaves: bool,
    /// What a wait acts on, by its operand, the instance that the operand names, and what was joined last;
    /// [`NO_INSTANCE`] where it passes at once.
    pub acts_on: &'a dyn Fn(Object, InstanceId, Joined) -> InstanceId,
}

impl View<'_> {
    /// Upper bounds, by instance, on what the other agents can do while `frozen` does not move.
    #[must_use]
    pub fn others(&self, frozen: usize) -> Vec<Others> {
        let mut bounds = alloc::vec![Others::default(); self.counts.len()];
        loop {
            let mut next = alloc::vec![Others::default(); self.counts.len()];
            for agent in
                (0..self.agents.len()).filter(|&agent| agent != frozen && !self.agents[agent].ended)
            {
                self.context.work.add(1);
                if self.context.reaches.is_straight(agent) {
                    Run { view: self, agent, bounds: &bounds, out: &mut next, passed: Vec::new() }
                        .go();
                } else {
                    self.add_everything(agent, &mut next);
                }
            }
            let grown = bounds != next;
            bounds = next;
            if !grown {
                return bounds;
            }
        }
    }

    /// What a branching agent can reach at all, each as often as one likes.
    fn add_everything(&self, agent: usize, bounds: &mut [Others]) {
        let reach = self.context.reaches.from(agent, self.agents[agent].node);
        for (instance, others) in (0..).zip(bounds) {
            let has = |set: u128| set & instance_bit(instance) != 0;
            let at_end = self.context.drops_at_end(agent, instance);
            let many = |condition: bool| if condition { MANY } else { 0 };
            others.arrives += many(has(reach.touches));
            let left =
                self.drop_leaves && reach.drops != 0 && self.context.object(instance).is_named();
            others.drops += many(has(reach.drops) || at_end || left);
            others.waits += many(has(reach.waits));
            others.joins += many(self.context.object(instance).is_named());
            others.special |= has(reach.inits | reach.special);
            others.touched |= has(reach.touches) || at_end || left;
        }
    }
}

/// One agent without branches, run as far as it can possibly get.
struct Run<'a> {
    view: &'a View<'a>,
    agent: usize,
    bounds: &'a [Others],
    out: &'a mut [Others],
    passed: Vec<(InstanceId, u32)>,
}

impl Run<'_> {
    fn go(&mut self) {
        let mut at = self.view.agents[self.agent];
        let body = self.view.context.program.body_of(self.agent);
        while let Node::Operation { operation, next } = &body.nodes[at.node as usize] {
            self.view.context.work.add(1);
            let instance = self.view.context.instances.at(self.agent, at.node);
            if !self.passes(operation.action, instance, &mut at.joined) {
                return;
            }
            at.node = next[0];
        }
        for (instance, others) in (0..).zip(self.out.iter_mut()) {
            if self.view.context.drops_at_end(self.agent, instance) {
                others.drops += 1;
                others.touched = true;
            }
        }
    }

    /// Counts one operation; `false` where the run cannot get further.
    fn passes(&mut self, action: Action, instance: InstanceId, joined: &mut Joined) -> bool {
        match action {
            Action::Join { object } => {
                self.count_join(*joined);
                *joined = match object {
                    Object::Null => Joined::Null,
                    _ if instance == NO_INSTANCE => *joined,
                    _ => Joined::Named(instance, true),
                };
                self.count_join(*joined);
            }
            Action::Leave => self.leave(joined),
            Action::Drop { .. } if self.view.drop_leaves => self.leave(joined),
            Action::Init { .. } | Action::Arrive { .. } | Action::Drop { .. }
                if instance != NO_INSTANCE =>
            {
                self.out[usize::from(instance)].count(action);
            }
            Action::Wait { object } => return self.wait_passes(object, instance, *joined),
            _ => {}
        }
        true
    }

    fn leave(&mut self, joined: &mut Joined) {
        let Joined::Named(left, _) = *joined else { return };
        self.out[usize::from(left)].count(Action::Leave);
        *joined = if self.view.drop_leaves { Joined::Nothing } else { Joined::Named(left, false) };
    }

    fn count_join(&mut self, joined: Joined) {
        if let Joined::Named(instance, _) = joined {
            self.out[usize::from(instance)].joins += 1;
        }
    }

    fn wait_passes(&mut self, operand: Object, instance: InstanceId, joined: Joined) -> bool {
        let target = (self.view.acts_on)(operand, instance, joined);
        if target == NO_INSTANCE {
            return true;
        }
        let object = usize::from(target);
        self.out[object].touched = true;
        let waits = self.count_wait(target);
        let most = (self.view.passable)(self.agent, target)
            .saturating_add(self.view.counts[object].completions(self.bounds[object]));
        self.out[object].waits += u32::from(waits <= most);
        waits <= most
    }

    fn count_wait(&mut self, instance: InstanceId) -> u32 {
        if let Some((_, waits)) = self.passed.iter_mut().find(|(object, _)| *object == instance) {
            *waits += 1;
            return *waits;
        }
        self.passed.push((instance, 1));
        1
    }
}

impl Others {
    fn count(&mut self, action: Action) {
        self.touched = true;
        match action {
            Action::Drop { .. } | Action::Leave => self.drops += 1,
            Action::Arrive { expected: None, is_first, .. } => {
                self.arrives += 1;
                self.special |= is_first;
            }
            _ => self.special = true,
        }
    }
}
