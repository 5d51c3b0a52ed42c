//! The weakest safe waits: the largest number of marks that each wait can leave outstanding without changing the
//! verdict.

use crate::cause::{At, Finding as Found, Memory as Fact};
use crate::edit::fix;
use crate::finding::finding;
use crate::judge::{self, KeepGoing};
use crate::lints::Walks;
use crate::report::Finding;
use crate::scene::{Options, Scene};
use crate::subject::Subject;
use crate::tell::help;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::mem::operation::Memory;
use tidegate_model::operation::Action;
use tidegate_model::program::{BodyId, Node, Program};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Schedules, Verdict};

/// Largest number of states of the scenario's own search for which weaker waits are tried.
pub(crate) const MOST_STATES: u64 = 3_000;
/// Largest number of waiting statements, and of agents.
const MOST_WAITS: usize = 12;
const MOST_AGENTS: usize = 32;
/// Largest number of steps by which one wait is weakened.
pub(crate) const MOST_TRIES: u16 = 8;

/// A judged program.
#[derive(Clone, Copy)]
pub(crate) struct Judged<'a> {
    /// The program.
    pub subject: Subject<'a>,
    /// Number of states of its own search.
    pub states: u64,
    /// Rules that it breaks, by number.
    pub breaks: u64,
}

/// The result of weakening the waits.
pub(crate) struct Strict {
    /// Waits that could leave more marks outstanding.
    pub found: Vec<Finding>,
    /// States of the searches.
    pub states: u64,
    /// Why it was not tried, or not for every wait.
    pub limit: Option<String>,
}

/// Waits of a scenario without a race that leave fewer marks outstanding than they may. They are weakened one after the
/// other, each with the earlier ones at their weakest. All results can therefore be applied together. A wait that
/// leaves fewer marks orders no less, so each can also be applied separately.
pub(crate) fn strict(judged: Judged<'_>, walks: &Walks<'_>, keep_going: KeepGoing<'_>) -> Strict {
    let waits = walks.waits();
    let agents = judged.subject.context.program.agents.len();
    let mut strict = Strict { found: Vec::new(), states: 0, limit: None };
    let mut program = (*judged.subject.context.program).clone();
    let meets_more = |&(at, met): &(At, usize)| {
        allowed(&program, at).is_some_and(|most| usize::from(most) < met)
    };
    if !waits.iter().any(meets_more) {
        return strict;
    }
    if judged.states > MOST_STATES || waits.len() > MOST_WAITS || agents > MOST_AGENTS {
        strict.limit = Some(format!(
            "weaker waits for marks (async.strict-wait): the limits are {MOST_STATES} states, {MOST_WAITS} waits and {MOST_AGENTS} agents"
        ));
        return strict;
    }
    for (at, _) in waits {
        let Some((most, met)) = could(judged.subject.scene, &program, at) else { continue };
        let (best, tried) =
            weakest(judged, &program, at, (most, met), &mut strict.states, keep_going);
        // A wait that could leave every mark outstanding protects no access of the scenario.
        if best > most && best < met {
            program = with(judged.subject.scene, &program, at, best);
            strict.found.push(lint(judged.subject.scene, at, most, best));
        }
        if !tried {
            strict.limit = Some(format!(
                "waits for marks weakened by more than {MOST_TRIES} marks (async.strict-wait)"
            ));
        }
    }
    strict
}

/// The number of marks that a wait leaves outstanding, and the largest number of marks outstanding before it, if larger.
fn could(scene: &Scene, program: &Program, at: At) -> Option<(u16, u16)> {
    let context = Context::new(Rc::new(program.clone()));
    let most = allowed(program, at)?;
    let waits = Walks::new(scene, &context).waits();
    let met = waits.into_iter().find(|(other, _)| *other == at)?.1;
    let met = u16::try_from(met).unwrap_or(u16::MAX);
    (most < met).then_some((most, met))
}

/// The largest number of marks that a wait may leave outstanding, and whether no limit prevented a larger one.
fn weakest(
    judged: Judged<'_>,
    program: &Program,
    at: At,
    (most, met): (u16, u16),
    states: &mut u64,
    keep_going: KeepGoing<'_>,
) -> (u16, bool) {
    let last = most.saturating_add(MOST_TRIES).min(met);
    for more in most.saturating_add(1)..=last {
        let (verdict, took) =
            verdict(judged, with(judged.subject.scene, program, at, more), keep_going);
        *states += took;
        if verdict != Verdict::Ok {
            return (more - 1, true);
        }
    }
    (last.max(most), last == met)
}

fn allowed(program: &Program, (agent, node): At) -> Option<u16> {
    match program.body_of(agent).nodes.get(node as usize)? {
        Node::Operation { operation, .. } => match operation.action {
            Action::Memory(Memory::WaitMarks(most)) => Some(most),
            _ => None,
        },
        _ => None,
    }
}

/// The program in which the statement leaves this number of marks outstanding.
pub(crate) fn with(scene: &Scene, program: &Program, at: At, most: u16) -> Program {
    let place = scene.source(at.0, at.1).span.start;
    let mut changed = program.clone();
    changed.bodies.clear();
    for (index, agent) in changed.agents.iter_mut().enumerate() {
        let mut body = program.body_of(index).clone();
        for (node, id) in body.nodes.iter_mut().zip(0..) {
            if let Node::Operation { operation, .. } = node
                && let Action::Memory(Memory::WaitMarks(allowed)) = &mut operation.action
                && scene.source(index, id).span.start == place
            {
                *allowed = most;
            }
        }
        let known = changed.bodies.iter().position(|other| *other == body);
        agent.body = known.unwrap_or(changed.bodies.len()) as BodyId;
        if known.is_none() {
            changed.bodies.push(body);
        }
    }
    changed
}

/// The verdict of a changed program.
fn verdict(judged: Judged<'_>, program: Program, keep_going: KeepGoing<'_>) -> (Verdict, u64) {
    let context = Rc::new(Context::new(Rc::new(program)));
    let Some(spec) = (Subject { context: &context, ..judged.subject }).spec() else {
        return (Verdict::Unknown, 0);
    };
    let options = Options { max_states: Some(MOST_STATES * 4), ..judged.subject.options.clone() };
    let judgement = judge::by_text(&spec, &options, false, keep_going);
    (judgement.verdict.min(judgement.verdict_somewhere), judgement.states)
}

fn lint(scene: &Scene, operation: At, most: u16, marks: u16) -> Finding {
    let span = scene.source(operation.0, operation.1).span;
    let help = help::memory::allow(span.line, marks);
    let edits = fix::number(scene.text(), span, most, marks).into_iter().collect();
    let facts = alloc::vec![Fact::MayLeave { marks }.into()];
    let found = Found {
        fix: fix::fix(help.clone(), edits),
        help: Some(help),
        ..Found::new(Fact::WaitsForMore { operation }, facts, Some(operation))
    };
    finding(scene, RuleId::AsyncStrictWait, Schedules::All, found)
}
