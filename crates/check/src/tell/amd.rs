//! Titles and notes about AMDGPU barriers, and about their hardware model.

use super::common::never_return;
use super::names::{self, either, few_or_together, list, names, object, operation};
use crate::cause::amd::{Absence, Amd, Spent};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn say(scene: &Scene, cause: &Amd) -> String {
    let say = |at: &(usize, u32)| operation(scene, at.0, at.1);
    let who = |agent: &usize| scene.agent_name(*agent);
    match cause {
        Amd::UseBeforeInit { operation, object: name } => {
            format!("{} uses {} before it is initialised", say(operation), object(name))
        }
        Amd::NoOrderedInit { operation, object: name } => {
            format!("no init of {} is ordered before {}", object(name), say(operation))
        }
        Amd::InitComesFirst => "the first modification of an object must be an init".to_owned(),
        Amd::CountNotPositive { operation } => {
            format!("{} sets an expected count that is not positive", say(operation))
        }
        Amd::NegativeExpected { operation, object: name } => {
            format!("{} makes the expected count of {} negative", say(operation), object(name))
        }
        Amd::ExpectedBefore { object: name, expected } => {
            format!("the expected count of {} is {expected} before it", object(name))
        }
        Amd::ExpectedNotAbove { operation } => {
            format!("{} sets an expected count that is not above the arrival count", say(operation))
        }
        Amd::ArrivalsBefore { object: name, arrived, expected } => format!(
            "{} has {arrived} of {expected} arrivals before it; the new count must exceed {arrived}",
            object(name)
        ),
        Amd::DependsOnDropped { operation, object: name } => format!(
            "{} depends on a phase of {} that an agent arrived in and then left by a drop",
            say(operation),
            object(name)
        ),
        Amd::WaitBeforeDrop => {
            "an agent must wait for a phase in which it arrived before it drops the object"
                .to_owned()
        }
        Amd::ArrivalsSoFar { arrives } => {
            format!("arrivals so far: {}", few_or_together(scene, arrives))
        }
        Amd::DropsUnwaited { operation, ends, agent, object: name } => {
            let (who, name) = (who(agent), object(name));
            let how = match ends {
                true => format!("{who} ends"),
                false => format!("{} drops {name}", say(operation)),
            };
            format!("{how} without waiting for the phase of {name} in which {who} arrived")
        }
        Amd::EndDrops { object: name } => format!("the end of an agent drops {}", object(name)),
        Amd::Participates { arrive } => format!("{} participates in a wait", say(arrive)),
        Amd::NoWaitBeforeDrop { agent } => format!(
            "no wait for that phase executes before the drop, so the drop may be in the phase in which {} arrived",
            who(agent)
        ),
        Amd::JoinsUnnamed { operation, object: name } => {
            format!("{} joins {}, which is not a named barrier", say(operation), object(name))
        }
        Amd::DropsUnjoined { operation, agent, .. } => {
            format!("{} drops a named barrier that {} has not joined", say(operation), who(agent))
        }
        Amd::DropNeedsJoin => {
            "a drop requires a join before it, without another join or drop in between".to_owned()
        }
        Amd::WaitsUnjoined { operation, agent, .. } => {
            format!(
                "{} waits on a named barrier that {} has not joined",
                say(operation),
                who(agent)
            )
        }
        Amd::JoinedNothing { agent } => format!("{} has joined no barrier", who(agent)),
        Amd::JoinedNull { agent } => {
            format!("the last join of {} names the NULL barrier", who(agent))
        }
        Amd::Joined { agent, object: name } => {
            format!("the last join of {} names {}", who(agent), object(name))
        }
        Amd::JoinedDropped { agent, object: name } => {
            format!("{} joined {} and dropped it", who(agent), object(name))
        }
        Amd::JoinedLate { agent, object: name } => format!(
            "{} waits on {} but may have joined it after the phase completed",
            who(agent),
            object(name)
        ),
        Amd::DependsOn { operations } => {
            format!("this wait depends on {}", few_or_together(scene, operations))
        }
        Amd::JoinUnordered { join, several } => format!(
            "{} is not ordered before {}; happening first in some schedules is not enough",
            say(join),
            if *several { "any of these operations" } else { "that operation" }
        ),
        Amd::ForeignObject { operation, object: name, workgroup } => {
            format!(
                "{} uses {}, which belongs to workgroup {workgroup}",
                say(operation),
                object(name)
            )
        }
        Amd::SecondArrival { operation, workgroup, object: name } => format!(
            "{} is the second arrival of workgroup {workgroup} in one phase of {}",
            say(operation),
            object(name)
        ),
        Amd::HasArrived { workgroup, arrived, expected } => format!(
            "workgroup {workgroup} has already arrived in the current phase ({arrived} of {expected} arrivals)"
        ),
        Amd::Divergent { operation } => format!("{} is in divergent control flow", say(operation)),
        Amd::LanesApart { agent } => {
            format!("the lanes of {} are at different operations", who(agent))
        }
        Amd::NoPhase { agents } => {
            format!("{} on an object that never completes a phase", wait(scene, agents))
        }
        Amd::WaitsUninitialised { agents, object: name } => {
            format!("{} on {}, which is not initialised", wait(scene, agents), object(name))
        }
        Amd::WaitsForPhase { agents, object: name, phase, arrived, expected } => format!(
            "{} on {}: phase {phase} has {arrived} of {expected} arrivals",
            wait(scene, agents),
            object(name)
        ),
        Amd::NamesOther { named, object: name, several } => format!(
            "the wait names {}, but the last {} {}",
            object(named),
            if *several { "joins of these agents name" } else { "join of this agent names" },
            object(name)
        ),
        Amd::Spent { agents, completed, why } => {
            let (over, it) = match completed {
                1 => ("phase 1 is".to_owned(), "it"),
                count => (format!("phases 1 to {count} are"), "them"),
            };
            let (names, why) = (names(scene, agents), spent(*why, it));
            format!("{over} complete, but {names} cannot return on {it}: {why}")
        }
        Amd::InitReset { init, object: name, agents, phase } => format!(
            "{} reset the arrival count of {} to zero after {} had arrived in phase {phase}",
            say(init),
            object(name),
            names(scene, agents)
        ),
        Amd::Missing { object: name, phase, missing, arrived, absent } => {
            let have = if arrived.len() > 1 { "have" } else { "has" };
            format!(
                "phase {phase} of {} is missing {}: {} {have} arrived; {}",
                object(name),
                names::number(i64::from(*missing), "arrival"),
                names(scene, arrived),
                absences(scene, absent)
            )
        }
        Amd::Absent { agents, why, object: name } => {
            let how = does_not_arrive(*why, agents.len() == 1);
            format!("{} {how} {}", names(scene, agents), object(name))
        }
        Amd::StuckOnHardware { waits } => {
            format!("{} on the hardware model", never_return(scene, waits))
        }
        Amd::BitsStayClear { agents } => either(
            agents.len(),
            "its completion bit stays clear",
            "their completion bits stay clear",
        )
        .to_owned(),
        Amd::BitClear { object: name, signals, members, word } => format!(
            "its completion bit of {} is clear: {signals} of {members} {} signalled, and its word is {word:#010x}",
            object(name),
            either(*signals as usize, "has", "have")
        ),
        Amd::LostEarlier => {
            "an earlier completion arrived while the completion bit was still set, and was lost"
                .to_owned()
        }
        Amd::LosesCompletion { operation } => {
            format!("{} completes a barrier whose last completion is still pending", say(operation))
        }
        Amd::NotWaited => {
            "a wave has not waited for the last completion, so one of the two completions is lost"
                .to_owned()
        }
        Amd::WideCount { operation } => {
            format!("{} sets a count that does not fit in seven bits", say(operation))
        }
    }
}

fn wait(scene: &Scene, agents: &[usize]) -> String {
    format!("{} {}", names(scene, agents), if agents.len() > 1 { "wait" } else { "waits" })
}

fn spent(why: Spent, it: &str) -> String {
    match why {
        Spent::Barred => "operations of another phase lie in between (phase separation)".to_owned(),
        Spent::Starved => {
            "earlier waits returned on some, and phase separation excludes the others".to_owned()
        }
        Spent::Used => format!("earlier waits already returned on {it}"),
    }
}

/// The agents that do not arrive, with the reasons.
fn absences(scene: &Scene, absent: &[(Absence, Vec<usize>)]) -> String {
    let how = |(absence, agents): &(Absence, Vec<usize>)| {
        let how = match (absence, agents.len() == 1) {
            (Absence::Waits, true) => "waits for it without having arrived",
            (Absence::Waits, false) => "wait for it without having arrived",
            (Absence::Before, true) => "arrived in earlier phases and has no arrive left",
            (Absence::Before, false) => "arrived in earlier phases and have no arrive left",
            (Absence::Passed, true) => "skipped its arrive",
            (Absence::Passed, false) => "skipped their arrives",
            (Absence::Never, true) => "never arrives at it",
            (Absence::Never, false) => "never arrive at it",
        };
        format!("{} {how}", names(scene, agents))
    };
    match absent {
        [] => "no other agent arrives at it".to_owned(),
        some => list(&some.iter().map(how).collect::<Vec<String>>()),
    }
}

/// The same as a title, before the name of the object.
const fn does_not_arrive(absence: Absence, one: bool) -> &'static str {
    match (absence, one) {
        (Absence::Waits, true) => "waits without having arrived at",
        (Absence::Waits, false) => "wait without having arrived at",
        (Absence::Before, true) => "has no arrive left at",
        (Absence::Before, false) => "have no arrive left at",
        (Absence::Passed, true) => "skipped its arrive at",
        (Absence::Passed, false) => "skipped their arrives at",
        (Absence::Never, true) => "never arrives at",
        (Absence::Never, false) => "never arrive at",
    }
}
