//! Edits for races are checked before they are offered. A wait may have to complete more than the copy of the witness,
//! for other accesses, paths or iterations. A barrier must be executed by all its agents.

use super::tell;
use super::waits::{Judged, MOST_STATES, MOST_TRIES, with};
use crate::cause::{Finding, Memory, Offer};
use crate::edit::fix;
use crate::judge;
use crate::judge::KeepGoing;
use crate::replay::amdgpu::replayed;
use crate::scene::{Options, Scene};
use crate::subject::Subject;
use crate::tell::say;
use alloc::rc::Rc;
use alloc::string::String;
use tidegate_model::context::Context;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::rule::RuleId;
use tidegate_model::support;

/// The result of a changed scenario.
enum Outcome {
    /// The rule is no longer broken, and there is no new finding.
    Mended,
    /// A race at another access; its title.
    Elsewhere(String),
    /// The same, with its fix on another line: it is a separate finding.
    Another(String),
    /// The rule is still broken at this access, or there is a new finding.
    Stays,
    /// It was not judged to its end.
    Unknown,
    /// The language of the text cannot express it.
    Unwritten,
}

/// The numbers to try instead of one, largest first, up to a limit; always including 0.
pub(crate) fn numbers(safe: u16) -> impl Iterator<Item = u16> {
    let least = safe.saturating_sub(MOST_TRIES);
    (least..=safe).rev().chain((least > 0).then_some(0))
}

/// Offers the first change after which the rule is kept, or broken only at another access with a fix on another line.
/// Otherwise the first one that moves the race to another access, with a note; otherwise none. Also returns the number
/// of states.
pub(crate) fn settle(
    judged: Judged<'_>,
    told: Finding,
    rule: RuleId,
    keep_going: KeepGoing<'_>,
) -> (Finding, u64) {
    let (mut states, mut partly, mut unknown) = (0, None, judged.states > MOST_STATES);
    let mut unwritten = false;
    if told.offers.is_empty() {
        return (told, 0);
    }
    for (index, offer) in told.offers.iter().enumerate() {
        if unknown {
            break;
        }
        match outcome(judged, (&told, rule), offer, &mut states, keep_going) {
            Outcome::Mended => return (with_offer(told.clone(), index, None), states),
            Outcome::Elsewhere(message) => partly = partly.or(Some((index, message))),
            Outcome::Another(title) => {
                return (with_offer(told, index, Some(Memory::AnotherRace { title })), states);
            }
            Outcome::Stays => {}
            Outcome::Unknown => unknown = true,
            Outcome::Unwritten => unwritten = true,
        }
    }
    let told = match partly {
        // Keep the help as it is, without an edit.
        _ if rule != RuleId::AsyncRace && (unknown || partly.is_none()) => told,
        _ if unknown => with_offer(told, 0, Some(Memory::HelpUnchecked)),
        None if unwritten => with_offer(told, 0, None),
        Some((index, title)) => with_offer(told, index, Some(Memory::AnotherRace { title })),
        None => Finding { fix: None, ..with_offer(told, 0, Some(Memory::HelpInsufficient)) },
    };
    (told, states)
}

/// The finding with one of its offers as remedy and fix.
fn with_offer(mut told: Finding, index: usize, note: Option<Memory>) -> Finding {
    let offer = told.offers.swap_remove(index);
    told.facts.extend(note.map(Into::into));
    told.fix = fix::fix(offer.remedy.clone(), offer.edits);
    told.help = Some(offer.remedy);
    told
}

fn outcome(
    judged: Judged<'_>,
    (told, rule): (&Finding, RuleId),
    offer: &Offer,
    states: &mut u64,
    keep_going: KeepGoing<'_>,
) -> Outcome {
    if offer.number.is_none() && offer.edits.is_empty() {
        return Outcome::Unwritten;
    }
    let Some((scene, context)) = changed(judged, offer) else { return Outcome::Unknown };
    if !support::lacking(&context, judged.subject.target, judged.subject.readings).is_empty() {
        return Outcome::Stays;
    }
    let Some(spec) = (Subject { context: &context, ..judged.subject }).spec() else {
        return Outcome::Unknown;
    };
    let options = Options { max_states: Some(MOST_STATES * 4), ..judged.subject.options.clone() };
    let judgement = judge::by_text(&spec, &options, true, keep_going);
    *states += judgement.states;
    if judgement.broken.iter().any(|broken| judged.breaks & 1 << broken.rule.number() == 0) {
        return Outcome::Stays;
    }
    let race = judgement.broken.iter().find(|broken| broken.rule == rule);
    let Some(race) = race else {
        return if judgement.exhaustive { Outcome::Mended } else { Outcome::Unknown };
    };
    let Some(other) = tell::race(&scene, &replayed(&spec, race), race.rule) else {
        return Outcome::Stays;
    };
    if place(judged.subject.scene, told) == place(&scene, &other) {
        Outcome::Stays
    } else if mended_apart(offer, &other) {
        Outcome::Another(say(&scene, &other.cause))
    } else {
        Outcome::Elsewhere(say(&scene, &other.cause))
    }
}

/// Whether the first offer for the other race is on other lines than a change.
fn mended_apart(change: &Offer, other: &Finding) -> bool {
    let lines =
        |offer: &Offer| offer.edits.iter().map(|edit| edit.line).collect::<OrderedSet<u32>>();
    let first = other.offers.first().map(lines).unwrap_or_default();
    !first.is_empty() && first.is_disjoint(&lines(change))
}

/// The scenario after a change: the program with another number, or the edited text.
fn changed(judged: Judged<'_>, offer: &Offer) -> Option<(Scene, Rc<Context>)> {
    if let Some((at, most)) = offer.number {
        let program = with(judged.subject.scene, &judged.subject.context.program, at, most);
        return Some((judged.subject.scene.clone(), Rc::new(Context::new(Rc::new(program)))));
    }
    let change = fix::fix(String::new(), offer.edits.clone())?;
    let scene =
        Scene::new(judged.subject.scene.file(), &fix::apply(judged.subject.scene.text(), &change));
    let context = scene.context()?;
    Some((scene, context))
}

/// The line of the access, which edits within lines do not change, and its text.
fn place(scene: &Scene, told: &Finding) -> Option<(u32, String)> {
    let (agent, node) = told.at?;
    let source = scene.source(agent, node);
    Some((source.span.line, source.text))
}
