//! Lints about async marks: legal statements with an unexpected effect.
//!
//! A statement can be many operations, of several agents or iterations. A mark or a wait is redundant only if all of
//! them are.

use crate::cause::{At, Finding as Found, Memory};
use crate::finding::finding;
use crate::report::Finding;
use crate::scene::Scene;
use crate::tell::help;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::r#async::useful;
use tidegate_model::r#async::walk::{Walk, walk};
use tidegate_model::context::Context;
use tidegate_model::mem::operation::Memory as Operation;
use tidegate_model::operation::Action;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::{Node, NodeId};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Schedules, Verdict};

/// The start of a statement in the text.
type Place = u32;

/// The walks of all agents, and the positions of their nodes.
pub(crate) struct Walks<'a> {
    scene: &'a Scene,
    walks: OrderedMap<u32, Walk>,
    context: &'a Context,
}

impl<'a> Walks<'a> {
    /// Walks every body once.
    pub(crate) fn new(scene: &'a Scene, context: &'a Context) -> Self {
        let mut walks = OrderedMap::new();
        for agent in &context.program.agents {
            let body = &context.program.bodies[agent.body as usize];
            walks.entry(agent.body).or_insert_with(|| walk(body, &useful(&body.nodes)));
        }
        Self { scene, walks, context }
    }

    fn of(&self, agent: usize) -> &Walk {
        &self.walks[&self.context.program.agents[agent].body]
    }

    /// The nodes of a set, of every agent, by statement.
    fn by_place(
        &self,
        set: impl Fn(&Walk) -> OrderedSet<NodeId>,
    ) -> OrderedMap<Place, (usize, NodeId)> {
        let mut found = OrderedMap::new();
        for agent in 0..self.context.program.agents.len() {
            for node in set(self.of(agent)) {
                let place = self.scene.source(agent, node).span.start;
                found.entry(place).or_insert((agent, node));
            }
        }
        found
    }

    /// Statements of the first set that are in the second nowhere.
    fn never(
        &self,
        first: impl Fn(&Walk) -> OrderedSet<NodeId>,
        second: impl Fn(&Walk) -> OrderedSet<NodeId>,
    ) -> Vec<(usize, NodeId)> {
        let second = self.by_place(second);
        let all = self.by_place(first).into_iter();
        all.filter(|(place, _)| !second.contains_key(place)).map(|(_, at)| at).collect()
    }

    fn lint(&self, rule: RuleId, at: At, cause: Memory, facts: &[Memory]) -> Finding {
        self.lint_with(rule, at, cause, facts, None)
    }

    fn lint_with(
        &self,
        rule: RuleId,
        at: At,
        cause: Memory,
        facts: &[Memory],
        help: Option<String>,
    ) -> Finding {
        let schedules = match cause {
            Memory::NoMark { always: false, .. } => Schedules::Some,
            _ => Schedules::All,
        };
        let facts = facts.iter().cloned().map(Into::into).collect();
        finding(self.scene, rule, schedules, Found::new(cause, facts, Some(at)).with_help(help))
    }

    /// Whether every path of every agent was visited.
    pub(crate) fn are_complete(&self) -> bool {
        self.walks.values().all(|walk| walk.complete)
    }

    /// All lints except the one about calls.
    pub(crate) fn lints(&self) -> Vec<Finding> {
        if !self.are_complete() {
            return Vec::new();
        }
        let marked = self.by_place(|walk| walk.marked.clone());
        let unmarked = self.by_place(|walk| walk.unmarked.clone()).into_iter();
        let unmarked = unmarked.map(|(place, operation)| {
            let cause = Memory::NoMark { operation, always: !marked.contains_key(&place) };
            self.lint(RuleId::AsyncUnmarked, operation, cause, &[Memory::NeverCompleted])
        });
        let waits = self.never(|walk| walk.waits.clone(), |walk| walk.working.clone());
        let waits = waits.into_iter().map(|at| self.redundant_wait(at));
        let counted = self.by_place(|walk| walk.counted.clone());
        let marks = self.never(|walk| walk.marks.clone(), |walk| walk.completed.clone());
        let marks = marks.into_iter().filter(|at| !self.is_a_copy(*at)).map(|at| {
            let place = self.scene.source(at.0, at.1).span.start;
            self.redundant_mark(at, counted.contains_key(&place))
        });
        unmarked.chain(waits).chain(marks).collect()
    }

    /// Whether a mark is that of an instruction which copies.
    fn is_a_copy(&self, (agent, mark): At) -> bool {
        let start = |node| self.scene.source(agent, node).span.start;
        let nodes = &self.context.program.body_of(agent).nodes;
        let copies = |node: &NodeId| {
            let operation = match &nodes[*node as usize] {
                Node::Operation { operation, .. } => operation.action,
                _ => return false,
            };
            matches!(operation, Action::Memory(Operation::Copy { .. }))
        };
        mark.checked_sub(1).filter(copies).is_some_and(|copy| start(copy) == start(mark))
    }

    fn redundant_wait(&self, operation: At) -> Finding {
        let marks = self.of(operation.0).most.get(&operation.1).copied().unwrap_or(0) as u32;
        let help = (marks == 0).then(help::memory::remove_wait);
        let (cause, fact) = (Memory::WaitsForNone { operation }, Memory::MarksThere { marks });
        self.lint_with(RuleId::AsyncRedundantWait, operation, cause, &[fact], help)
    }

    /// A mark that no wait completes; `counted` if a wait counts it as outstanding.
    fn redundant_mark(&self, operation: At, counted: bool) -> Finding {
        let facts = if counted { &[Memory::MarkCounted][..] } else { &[] };
        let help = counted.then(help::memory::remove_mark);
        let cause = Memory::MarkUnused { operation };
        self.lint_with(RuleId::AsyncRedundantMark, operation, cause, facts, help)
    }

    /// Each statement that waits for marks, at one of its operations, with its largest number of outstanding marks.
    pub(crate) fn waits(&self) -> Vec<((usize, NodeId), usize)> {
        let most = |place: Place| {
            let agents = 0..self.context.program.agents.len();
            let met = agents.flat_map(|agent| {
                self.of(agent).most.iter().map(move |(node, most)| (agent, *node, *most))
            });
            met.filter(|&(agent, node, _)| self.scene.source(agent, node).span.start == place)
                .map(|(_, _, most)| most)
                .max()
        };
        let waits = self.by_place(|walk| walk.waits.clone());
        waits.into_iter().map(|(place, at)| (at, most(place).unwrap_or(0))).collect()
    }

    /// Whether inlining changes what some wait completes.
    pub(crate) fn depends_on_inlining(&self) -> bool {
        self.walks.values().any(|walk| !walk.differing.is_empty())
    }

    /// The lint about calls, with the verdicts as written and with all calls inlined.
    pub(crate) fn callee(&self, written: Verdict, inlined: Verdict) -> Option<Finding> {
        let all = self.by_place(|walk| walk.differing.keys().copied().collect());
        let (_, operation) = all.into_iter().min_by_key(|(place, _)| *place)?;
        let (before, after) = &self.of(operation.0).differing[&operation.1];
        let copies =
            |set: &OrderedSet<NodeId>| set.iter().map(|&node| (operation.0, node)).collect();
        let facts = [
            Memory::OwnSequence,
            Memory::AsWritten { copies: copies(before), verdict: written },
            Memory::Inlined { copies: copies(after), verdict: inlined },
        ];
        let cause = Memory::Inlining { operation };
        Some(self.lint(RuleId::AsyncCalleeUnspecified, operation, cause, &facts))
    }
}
