//! Lints about async marks: legal statements with an unexpected effect.
//!
//! A statement can be many operations, of several agents or iterations. A mark or a wait is redundant only if all of
//! them are.

use crate::explain::{self, Told, list};
use crate::finding::finding;
use crate::report::Finding;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::r#async::useful;
use tidegate_model::r#async::walk::{Walk, walk};
use tidegate_model::context::Context;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::NodeId;
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

    fn lint(
        &self,
        rule: RuleId,
        at: (usize, NodeId),
        schedules: Schedules,
        message: String,
    ) -> Finding {
        let told = Told {
            message,
            because: Vec::new(),
            agent: Some(at.0),
            node: Some(at.1),
            ..Told::default()
        };
        finding(self.scene, rule, schedules, told)
    }

    fn say(&self, at: (usize, NodeId)) -> String {
        explain::operation(self.scene, at.0, at.1)
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
        let unmarked =
            self.by_place(|walk| walk.unmarked.clone()).into_iter().map(|(place, at)| {
                let (schedules, how) = match marked.contains_key(&place) {
                    true => (Schedules::Some, "on some path or in some iteration"),
                    false => (Schedules::All, "on every path"),
                };
                let message = format!("{} has no mark after it {how}", self.say(at));
                let mut lint = self.lint(RuleId::AsyncUnmarked, at, schedules, message);
                lint.because = alloc::vec!["no wait for marks can complete the copy".to_owned()];
                lint
            });
        let waits = self.never(|walk| walk.waits.clone(), |walk| walk.working.clone());
        let waits = waits.into_iter().map(|at| self.redundant_wait(at));
        let counted = self.by_place(|walk| walk.counted.clone());
        let marks = self.never(|walk| walk.marks.clone(), |walk| walk.completed.clone());
        let marks = marks.into_iter().map(|at| {
            let place = self.scene.source(at.0, at.1).span.start;
            self.redundant_mark(at, counted.contains_key(&place))
        });
        unmarked.chain(waits).chain(marks).collect()
    }

    fn redundant_wait(&self, at: (usize, NodeId)) -> Finding {
        let said = self.say(at);
        let note = match self.of(at.0).most.get(&at.1).copied().unwrap_or(0) {
            0 => "the sequence of marks of its function body is empty there".to_owned(),
            1 => "at most 1 mark is outstanding there".to_owned(),
            most => format!("at most {most} marks are outstanding there"),
        };
        let title = format!("{said} waits for no mark");
        let mut lint = self.lint(RuleId::AsyncRedundantWait, at, Schedules::All, title);
        lint.because = alloc::vec![note];
        if self.of(at.0).most.get(&at.1).is_none_or(|most| *most == 0) {
            lint.remedy = Some(
                "remove the wait, or add a mark before it in the same function body".to_owned(),
            );
        }
        lint
    }

    /// A mark that no wait completes; `counted` if a wait counts it as outstanding.
    fn redundant_mark(&self, at: (usize, NodeId), counted: bool) -> Finding {
        let message = format!("no wait of the function body completes the mark {}", self.say(at));
        let mut lint = self.lint(RuleId::AsyncRedundantMark, at, Schedules::All, message);
        if counted {
            lint.because = alloc::vec![
                "a wait counts it as outstanding; without it, that wait completes one mark less"
                    .to_owned()
            ];
            lint.remedy =
                Some("wait for it, or remove it and decrement the count of later waits".to_owned());
        }
        lint
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
        let (_, at) = all.into_iter().min_by_key(|(place, _)| *place)?;
        let (before, after) = &self.of(at.0).differing[&at.1];
        let copies = |set: &OrderedSet<NodeId>| {
            let said: Vec<String> = set.iter().map(|&node| self.say((at.0, node))).collect();
            if said.is_empty() { "no copy".to_owned() } else { list(&said) }
        };
        let mut lint = self.lint(
            RuleId::AsyncCalleeUnspecified,
            at,
            Schedules::All,
            format!("the copies that {} completes depend on inlining", self.say(at)),
        );
        lint.because = alloc::vec![
            "marks of a function count in its own sequence, or after inlining in that of the caller".to_owned(),
            format!(
                "as written, it completes {}; the verdict is {}",
                copies(before),
                written.word()
            ),
            format!("inlined, it completes {}; the verdict is {}", copies(after), inlined.word()),
        ];
        Some(lint)
    }
}
