//! A wait by the parity of a phase that never ends, where the phase before it is over: the other parity is offered if the
//! scenario with it is judged to hold.

use super::replay::{Replay, acts_on, object_name};
use super::stuck::{Coming, by_parity};
use crate::explain::{self, Told};
use crate::memory::fix::{self, Edits};
use crate::memory::offer::Offer;
use crate::report::Edit;
use crate::scene::Scene;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Span;
use tidegate_model::ptx::machine::state::State;

/// A wait by parity that meets a later phase than the first that it can meet.
struct Alias {
    /// Its object.
    name: String,
    /// What it was written for, as far as executions tell: the first that it can meet.
    meant: String,
    /// What it meets now.
    met: String,
}

fn alias(scene: &Scene, replay: &Replay, state: &State, agent: usize) -> Option<Alias> {
    let machine = &replay.machine;
    let (key, now) = machine.meets(state, agent)?;
    let &first = machine.aliases.get(&key).filter(|&&first| first < now)?;
    let name = object_name(scene, machine, acts_on(machine, state, agent)?);
    let [meant, met] = [first, now].map(|running| match running.checked_sub(1) {
        Some(over) => format!("phase {over}"),
        None => "the time before phase 0".into(),
    });
    Some(Alias { name, meant, met })
}

/// Why a wait meets another phase than the one that it was written for.
pub(super) fn written_for(
    scene: &Scene,
    replay: &Replay,
    state: &State,
    agent: usize,
) -> Option<String> {
    let Alias { name, meant, met } = alias(scene, replay, state, agent)?;
    Some(format!(
        "The first that it can meet is {meant} of {name}, which it is taken to be written for; here it meets {met}. Nothing orders it before a later phase of the same parity."
    ))
}

/// Waits that are blocked at the end of an execution because they come too late for the phase that they were written for.
pub(super) fn came_late(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<Told> {
    let state = replay.state();
    let late = stuck.iter().filter_map(|&agent| {
        Some((
            agent,
            alias(scene, replay, state, agent)?,
            written_for(scene, replay, state, agent)?,
        ))
    });
    let late: Vec<_> = late.collect();
    let (agent, Alias { name, meant, met }, why) = late.into_iter().next()?;
    let node = state.agents[agent].node;
    let what = explain::operation(scene, agent, node);
    Some(Told {
        message: format!(
            "{what} comes too late for {meant} of {name}: it waits for the end of {met}, which has the same parity, and hangs."
        ),
        because: alloc::vec![why],
        agent: Some(agent),
        node: Some(node),
        ..Told::default()
    })
}

/// The waits that would pass with the other parity, each with the edit of that operand, as one change.
pub(super) fn offer(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<Offer> {
    let mut edits = Edits::default();
    for &agent in stuck {
        let Some((index, parity)) = by_parity(replay, agent) else { continue };
        let at = replay.state().mbarriers[index];
        let passes = at.valid && at.passes_parity(parity & 1 == 0);
        if !passes || !Coming::at(replay, index, &[agent]).is_nothing() {
            continue;
        }
        let span = scene.source(agent, replay.state().agents[agent].node).span;
        let (other, over) = (parity & 1 ^ 1, at.phase.saturating_sub(1));
        let said = || format!("parity {other} in line {}, for phase {over}", span.line);
        edits.add(operand(scene, span, parity, &other.to_string())?, said);
    }
    edits.offer(|said| format!("Let the wait ask for {said}."))
}

/// Replaces the operand of a statement that is a number, if one alone is spelled so.
pub(super) fn operand(scene: &Scene, span: Span, number: i64, other: &str) -> Option<Edit> {
    let statement = scene.text().get(span.start as usize..(span.start + span.length) as usize)?;
    let start = alone(statement, &number.to_string())?;
    Some(Edit {
        offset: span.start + start as u32,
        length: number.to_string().len() as u32,
        line: span.line,
        column: span.column + start as u32,
        replacement: other.to_string(),
    })
}

/// Where the one operand stands that is spelled so.
fn alone(statement: &str, operand: &str) -> Option<usize> {
    let mut at = 0;
    let mut found = Vec::new();
    for part in statement.split(',') {
        let bare = part.trim_end_matches([')', ';', ' ', '\t']).trim_start();
        if at > 0 && bare == operand {
            found.push(at + part.len() - part.trim_start().len());
        }
        at += part.len() + 1;
    }
    (found.len() == 1).then(|| found[0])
}

/// What is told with what is offered, if the changed scenario was judged to hold.
pub(super) fn settle(scene: &Scene, mut told: Told, mut holds: impl FnMut(&Scene) -> bool) -> Told {
    let offers = core::mem::take(&mut told.offers);
    for offer in offers {
        let Some(change) = fix::fix(offer.remedy.clone(), offer.edits) else { continue };
        if holds(&Scene::new(scene.file(), &fix::apply(scene.text(), &change))) {
            let before = told.remedy.take().unwrap_or_default();
            told.remedy = Some(format!("{before} {}", offer.remedy).trim_start().to_string());
            told.fix = Some(change);
            break;
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parity_is_an_operand_of_its_own() {
        let found = |statement| alone(statement, "1");
        assert_eq!(found("mbarrier.try_wait.parity.b64 p, [full], 1;"), Some(40));
        assert_eq!(found("barrier_wait(full[1], 1)"), Some(22));
        assert_eq!(found("mbarrier.try_wait.parity.b64 p, [full], 1, 1"), None);
        assert_eq!(found("barrier_wait(full, phase)"), None);
    }
}
