//! Readings: the verdict under every other answer that can matter to a scenario.

use crate::choice::specification_of;
use crate::judge::KeepGoing;
use crate::report::Ambiguity;
use crate::scene::{Options, Scene};
use crate::specification::{Base, Under};
use crate::subject::Subject;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::mem::operation::Memory;
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::reading::{READINGS, ReadingId, Readings};
use tidegate_model::support;
use tidegate_model::verdict::Verdict;

/// The results under other readings.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Readings that change the verdict.
    pub ambiguities: Vec<Ambiguity>,
    /// Why the results of other readings are incomplete.
    pub limits: Vec<String>,
    /// States that it took to find out.
    pub states: u64,
}

/// Finds the readings that change the verdict.
pub(crate) fn find(subject: Subject<'_>, base: Base, keep_going: KeepGoing<'_>) -> Found {
    let context = subject.context;
    let mut found = Found::default();
    let mut unknown = Vec::new();
    // A search that stopped early may not have reached every step in which a reading matters.
    let relevant = if base.settled { base.relevant } else { u32::MAX };
    for reading in READINGS.iter().filter(|reading| matters(context, reading.id, relevant)) {
        let chosen = subject.readings.chosen(reading.id);
        let other = chosen ^ 1;
        let readings = subject.readings.with(reading.id, other);
        let under = verdict_under(Subject { readings, ..subject }, keep_going);
        found.states += under.states;
        let name = |choice: u8| reading.choices[usize::from(choice)].name.to_owned();
        if !under.settled || !base.settled {
            // An unknown verdict neither agrees nor differs.
            unknown.push(format!("{}={}", reading.name, name(other)));
        } else if under.verdict != base.verdict {
            let verdicts = [(name(chosen), base.verdict), (name(other), under.verdict)];
            let verdicts = verdicts.map(|(name, verdict)| (name, verdict.word().to_owned()));
            found.ambiguities.push(Ambiguity {
                id: reading.name.to_owned(),
                verdicts: BTreeMap::from(verdicts),
            });
        }
    }
    if !unknown.is_empty() {
        let list = crate::tell::list(&unknown);
        found.limits.push(format!("the verdict under {list} (search limit reached)"));
    }
    found
}

/// The verdict on a scenario without findings; `None` if it has no program.
pub(crate) fn verdict_of(
    scene: &Scene,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> Option<Under> {
    let context = scene.context()?;
    Some(verdict_under(Subject::new(scene, &context, options), keep_going))
}

fn verdict_under(subject: Subject<'_>, keep_going: KeepGoing<'_>) -> Under {
    if !support::lacking(subject.context, subject.target, subject.readings).is_empty() {
        return Under { verdict: Verdict::Unsupported, settled: true, states: 0 };
    }
    specification_of(subject).verdict(subject, keep_going)
}

/// Whether the program has an operation whose meaning the reading decides.
fn matters(context: &Context, id: ReadingId, relevant: u32) -> bool {
    let any = |test: &dyn Fn(Action) -> bool| {
        context.operations().any(|(_, _, operation)| test(operation.action))
    };
    let uses = |test: &dyn Fn(Object) -> bool| any(&|action| action.object().is_some_and(test));
    let drops = || any(&|action| matches!(action, Action::Drop { .. } | Action::Leave));
    // Only with a new expected count can a launched barrier run out of members while a wave can still wait on it.
    let sets_launched = || {
        any(&|action| {
            matches!(action.object(), Some(Object::Workgroup | Object::Cluster))
                && action.sets_expected().is_some()
        })
    };
    let seen = relevant & 1 << id as u32 != 0;
    match id {
        ReadingId::AmdA1 => {
            any(&|action| matches!(action, Action::Arrive { expected: Some(_), .. }))
        }
        ReadingId::AmdA2 => drops() || sets_launched(),
        ReadingId::AmdA3 => {
            seen && uses(&|object| matches!(object, Object::Workgroup | Object::Cluster))
        }
        ReadingId::AmdA4 => {
            uses(&|object| object == Object::Cluster) && context.program.launch.waves > 1
        }
        ReadingId::AmdA6 => any(&|action| {
            matches!(
                action,
                Action::Join { object: Object::Null } | Action::Wait { object: Object::Null }
            )
        }),
        ReadingId::AmdA7 => seen && named(context) > 1,
        ReadingId::AmdA8 => uses(&|object| object == Object::Cluster),
        ReadingId::AmdA10 => {
            drops()
                || (seen && uses(&|object| matches!(object, Object::Workgroup | Object::Cluster)))
        }
        ReadingId::AmdA14 => any(&|action| {
            matches!(action, Action::Arrive { object: Object::Cluster, is_first: true, .. })
        }),
        ReadingId::AmdA15 => any(&|action| matches!(action, Action::Leave)),
        ReadingId::AmdA18 => context.operations().any(|(_, _, operation)| {
            let counts = [0, 1].map(|choice| Readings::default().with(id, choice));
            operation.initial(counts[0]) != operation.initial(counts[1])
        }),
        ReadingId::AsyncV1V2 => {
            any(&|action| matches!(action, Action::Memory(Memory::Copy { .. })))
        }
        ReadingId::PtxVersion
        | ReadingId::PtxMissingWait
        | ReadingId::PtxLateExpect
        | ReadingId::PtxAlignedSite
        | ReadingId::PtxExitCounted => crate::nvidia::matters(context, id),
        ReadingId::OpenclOverSubscribed => crate::opencl::matters(context),
        ReadingId::AmdA17 => uses(&|object| matches!(object, Object::Named(_) | Object::Plain(_))),
    }
}

/// Number of named barriers in the program, including the NULL barrier.
fn named(context: &Context) -> usize {
    let objects = context.operations().filter_map(|(_, _, operation)| operation.action.object());
    objects.filter(|object| object.is_named()).collect::<OrderedSet<_>>().len()
}
