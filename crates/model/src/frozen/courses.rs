//! Upper bounds on the progress of one agent, over all of its paths.
//!
//! Paths that end at the same node, with the same join and the same number of passed waits on each object, are merged; the
//! result has the maximum of their counts. Nodes are taken in ascending order. In a body without loops, all paths
//! therefore reach a node before any continues from it. In a loop, a path that returns with the same passed waits and
//! no larger counts adds nothing. If paths keep returning with larger counts, the caller uses an unbounded count.

use super::view::View;
use crate::agent::Joined;
use crate::bounds::{Answer, Counts, MANY, Others, Question, Reached};
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Object};
use crate::ordered::OrderedMap;
use crate::program::{Node, NodeId};
use crate::reach::instance_bit;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Paths that are followed for one agent before the count is unbounded.
const MOST_COURSES: u32 = 256;
/// The same limit for a body with loops, which are mostly unbounded.
const MOST_IN_LOOPS: u32 = 16;
/// The cost of each path after the first, in visits of a node.
const COURSE: u64 = 100;
/// Answers that are kept for each agent.
const MOST_KNOWN: usize = 16;

/// The state that decides how a path continues.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    node: NodeId,
    joined: Joined,
    /// Passed waits by instance, in the order of the first wait.
    passed: Vec<(InstanceId, u32)>,
}

/// The bounds of an agent.
pub(super) fn reach(view: &View<'_>, bounds: &[Others], agent: usize) -> Answer {
    let question = (view.law, view.agents[agent], passing(view, bounds, agent));
    let mut known = view.context.known.0.borrow_mut();
    known.resize_with(view.agents.len(), Vec::new);
    let known = &mut known[agent];
    if let Some((_, answer)) = known.iter().find(|(other, _)| *other == question) {
        return answer.clone();
    }
    let answer = follow(view, &question, agent).map(Rc::new);
    if known.len() == MOST_KNOWN {
        known.remove(0);
    }
    known.push((question, answer.clone()));
    answer
}

/// For each instance, the number of waits of an agent that can pass. Those that no wait of it can act on need no number.
fn passing(view: &View<'_>, bounds: &[Others], agent: usize) -> Vec<u32> {
    let at = view.agents[agent];
    let joined = if let Joined::Named(joined, _) = at.joined { instance_bit(joined) } else { 0 };
    let waits = view.context.reaches.from(agent, at.node).waits;
    let most = |(instance, counts): (InstanceId, &Counts)| {
        if waits == 0 || (waits | joined) & instance_bit(instance) == 0 {
            return MANY;
        }
        let completions = counts.completions(bounds[usize::from(instance)]);
        (view.passable)(agent, instance).saturating_add(completions).min(MANY)
    };
    (0..).zip(view.counts).map(most).collect()
}

fn follow(view: &View<'_>, question: &Question, agent: usize) -> Option<Reached> {
    let none = alloc::vec![Others::default(); view.counts.len()];
    let (_, at, passing) = question;
    let start = Place { node: at.node, joined: at.joined, passed: Vec::new() };
    let mut courses = Courses {
        view,
        passing,
        agent,
        pending: OrderedMap::from([(start, none.clone())]),
        done: OrderedMap::new(),
        reached: Reached { counts: none, ends: false },
    };
    courses.follow().then_some(courses.reached)
}

struct Courses<'a> {
    view: &'a View<'a>,
    passing: &'a [u32],
    agent: usize,
    pending: OrderedMap<Place, Vec<Others>>,
    /// Paths that continued, if the body has loops.
    done: OrderedMap<Place, Vec<Others>>,
    reached: Reached,
}

impl Courses<'_> {
    fn follow(&mut self) -> bool {
        let cyclic = self.view.context.reaches.is_cyclic(self.agent);
        let most = if cyclic { MOST_IN_LOOPS } else { MOST_COURSES };
        let mut left = most;
        while let Some((place, counts)) = self.pending.pop_first() {
            self.view.context.work.add(if left == most { 1 } else { COURSE });
            if left == 0 {
                return false;
            }
            left -= 1;
            if let Some(counts) = self.news(&place, counts) {
                self.go(place, counts);
            }
        }
        true
    }

    /// The new counts of a path at its place; `None` if an earlier path had at least these counts there.
    fn news(&mut self, place: &Place, counts: Vec<Others>) -> Option<Vec<Others>> {
        if !self.view.context.reaches.is_cyclic(self.agent) {
            return Some(counts);
        }
        let known = self.done.entry(place.clone()).or_default();
        let mut all = counts;
        merge(&mut all, known);
        (all != *known).then(|| {
            known.clone_from(&all);
            all
        })
    }

    /// Follows a path until it branches, blocks or ends.
    fn go(&mut self, mut place: Place, mut counts: Vec<Others>) {
        let body = self.view.context.program.body_of(self.agent);
        loop {
            self.view.context.work.add(1);
            match &body.nodes[place.node as usize] {
                Node::End => {
                    self.reached.ends = true;
                    if let Joined::Named(instance, _) = place.joined {
                        counts[usize::from(instance)].memberships += 1;
                    }
                    return self.stop(&counts);
                }
                Node::Divergent => return self.stop(&counts),
                Node::Choose { next } => return self.split(&place, &counts, next),
                Node::Operation { operation, next } => {
                    let mut step = Step { courses: self, place: &mut place, counts: &mut counts };
                    if !step.passes(operation.action) {
                        return self.stop(&counts);
                    }
                    if next[0] != next[1] || next[0] <= place.node {
                        return self.split(&place, &counts, next);
                    }
                    place.node = next[0];
                }
            }
        }
    }

    fn stop(&mut self, counts: &[Others]) {
        merge(&mut self.reached.counts, counts);
    }

    fn split(&mut self, place: &Place, counts: &[Others], next: &[NodeId]) {
        for &node in next {
            let place = Place { node, ..place.clone() };
            let known = self.pending.entry(place).or_insert_with(|| counts.to_vec());
            merge(known, counts);
        }
    }
}

fn merge(known: &mut [Others], counts: &[Others]) {
    known.iter_mut().zip(counts).for_each(|(known, counts)| known.combine(*counts, Ord::max));
}

/// One operation of a path.
struct Step<'a> {
    courses: &'a Courses<'a>,
    place: &'a mut Place,
    counts: &'a mut [Others],
}

impl Step<'_> {
    /// Counts the operation; `false` if the path cannot continue.
    fn passes(&mut self, action: Action) -> bool {
        let view = self.courses.view;
        let instance = view.context.instances.at(self.courses.agent, self.place.node);
        match action {
            Action::Join { object } => self.join(object, instance),
            Action::Leave => self.leave(),
            Action::Drop { .. } if view.drop_leaves => self.leave(),
            Action::Init { .. } | Action::Arrive { .. } | Action::Drop { .. }
                if instance != NO_INSTANCE =>
            {
                self.counts[usize::from(instance)].count(action);
            }
            Action::Wait { object } => return self.wait_passes(object, instance),
            _ => {}
        }
        true
    }

    fn join(&mut self, object: Object, instance: InstanceId) {
        self.count_join();
        self.place.joined = match object {
            Object::Null => Joined::Null,
            _ if instance == NO_INSTANCE => self.place.joined,
            _ => Joined::Named(instance, true),
        };
        self.count_join();
    }

    fn leave(&mut self) {
        let Joined::Named(left, _) = self.place.joined else { return };
        self.counts[usize::from(left)].count(Action::Leave);
        let nothing = self.courses.view.drop_leaves;
        self.place.joined = if nothing { Joined::Nothing } else { Joined::Named(left, false) };
    }

    fn count_join(&mut self) {
        if let Joined::Named(instance, _) = self.place.joined {
            self.counts[usize::from(instance)].memberships += 1;
        }
    }

    fn wait_passes(&mut self, operand: Object, instance: InstanceId) -> bool {
        let Courses { view, passing, .. } = *self.courses;
        let target = (view.acts_on)(operand, instance, self.place.joined);
        if target == NO_INSTANCE {
            return true;
        }
        let object = usize::from(target);
        self.counts[object].touched = true;
        let waits = self.count_wait(target);
        let most = passing[object];
        self.counts[object].waits += u32::from(waits <= most);
        waits <= most
    }

    fn count_wait(&mut self, instance: InstanceId) -> u32 {
        let passed = &mut self.place.passed;
        let at = match passed.binary_search_by_key(&instance, |(object, _)| *object) {
            Ok(at) => at,
            Err(at) => {
                passed.insert(at, (instance, 0));
                at
            }
        };
        passed[at].1 += 1;
        passed[at].1
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
