//! How many marks each wait may let run: the weakest wait under which the verdict stays.

use crate::explain::Told;
use crate::finding::finding;
use crate::judge::{self, KeepGoing};
use crate::lints::Walks;
use crate::memory::fix;
use crate::report::Finding;
use crate::scene::{Options, Scene};
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::mem::operation::Memory;
use tidegate_model::operation::Action;
use tidegate_model::program::{BodyId, Node, NodeId};
use tidegate_model::reading::Readings;
use tidegate_model::rule::RuleId;
use tidegate_model::target::Target;
use tidegate_model::verdict::{Schedules, Verdict};

/// Most states of the scenario's own search for which weaker waits are tried.
const MOST_STATES: u64 = 3_000;
/// Most statements that wait, and most agents.
const MOST_WAITS: usize = 12;
const MOST_AGENTS: usize = 32;
/// Most steps by which one wait is weakened.
const MOST_TRIES: u16 = 8;

/// What is judged.
#[derive(Clone, Copy)]
pub(crate) struct Judged<'a> {
    pub scene: &'a Scene,
    pub context: &'a Rc<Context>,
    pub options: &'a Options,
    pub target: &'static Target,
    pub readings: Readings,
    /// States of its own search.
    pub states: u64,
}

/// Waits of a scenario without a race that let fewer marks run than they may.
pub(crate) fn strict(
    judged: Judged<'_>,
    walks: &Walks<'_>,
    keep_going: KeepGoing<'_>,
) -> (Vec<Finding>, u64) {
    let waits = walks.waits();
    let agents = judged.context.program.agents.len();
    if judged.states > MOST_STATES || waits.len() > MOST_WAITS || agents > MOST_AGENTS {
        return (Vec::new(), 0);
    }
    let (mut found, mut states) = (Vec::new(), 0);
    for (at, met) in waits {
        let Some(most) = allowed(judged.context, at) else { continue };
        let mut best = most;
        let last = most.saturating_add(MOST_TRIES).min(u16::try_from(met).unwrap_or(u16::MAX));
        for more in most.saturating_add(1)..=last {
            let (verdict, took) = verdict_with(judged, at, more, keep_going);
            states += took;
            if verdict != Verdict::Ok {
                break;
            }
            best = more;
        }
        // A wait that may let everything run guards nothing that the scenario shows.
        if best > most && usize::from(best) < met {
            found.push(lint(judged.scene, at, most, best));
        }
    }
    (found, states)
}

fn allowed(context: &Context, (agent, node): (usize, NodeId)) -> Option<u16> {
    match context.program.body_of(agent).nodes.get(node as usize)? {
        Node::Operation { operation, .. } => match operation.action {
            Action::Memory(Memory::WaitMarks(most)) => Some(most),
            _ => None,
        },
        _ => None,
    }
}

/// The verdict when the statement lets so many marks run.
fn verdict_with(
    judged: Judged<'_>,
    at: (usize, NodeId),
    most: u16,
    keep_going: KeepGoing<'_>,
) -> (Verdict, u64) {
    let place = judged.scene.source(at.0, at.1).span.start;
    let mut program = (*judged.context.program).clone();
    program.bodies.clear();
    for (index, agent) in program.agents.iter_mut().enumerate() {
        let mut body = judged.context.program.body_of(index).clone();
        for (node, id) in body.nodes.iter_mut().zip(0..) {
            if let Node::Operation { operation, .. } = node
                && let Action::Memory(Memory::WaitMarks(allowed)) = &mut operation.action
                && judged.scene.source(index, id).span.start == place
            {
                *allowed = most;
            }
        }
        let known = program.bodies.iter().position(|other| *other == body);
        agent.body = known.unwrap_or(program.bodies.len()) as BodyId;
        if known.is_none() {
            program.bodies.push(body);
        }
    }
    let context = Rc::new(Context::new(Rc::new(program)));
    let Some(spec) = judge::spec(&context, judged.readings, judged.target) else {
        return (Verdict::Unknown, 0);
    };
    let options = Options { max_states: Some(MOST_STATES * 4), ..judged.options.clone() };
    let judgement = judge::by_text(&spec, &options, false, keep_going);
    let verdict = judgement.verdict.min(judgement.verdict_somewhere);
    (verdict, judgement.states)
}

fn lint(scene: &Scene, at: (usize, NodeId), most: u16, best: u16) -> Finding {
    let what = crate::explain::operation(scene, at.0, at.1);
    let marks = if best == 1 { "1 mark" } else { "marks" };
    let marks = if best == 1 { marks.into() } else { format!("{best} {marks}") };
    let message =
        format!("{what} waits longer than any access needs: it may let up to {marks} run.");
    let span = scene.source(at.0, at.1).span;
    let remedy = format!("Let line {} allow {best}.", span.line);
    let edits = fix::number(scene, span, most, best).into_iter().collect();
    let told = Told {
        message,
        agent: Some(at.0),
        node: Some(at.1),
        fix: fix::fix(remedy.clone(), edits),
        remedy: Some(remedy),
        ..Told::default()
    };
    finding(scene, RuleId::AsyncStrictWait, Schedules::All, told)
}
