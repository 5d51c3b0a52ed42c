//! Titles and notes about barriers, copies and memory of NVIDIA.

use super::names::{self, act, either, few_or_together, line, list, names, number, object};
use crate::cause::field::Act;
use crate::cause::ptx::{Asked, Blocked, Counts, Phase, Ptx, PtxFact, PtxRace};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::object::MOST;

/// The title of a finding about an mbarrier object, a CTA barrier or a cluster barrier.
pub(super) fn cause(scene: &Scene, cause: &Ptx) -> String {
    let act = |one: &Act| act(scene, *one);
    match cause {
        Ptx::Blocked { agents, at } => blocked(scene, agents, at),
        Ptx::ArriveCount { objects, count, arrivals } => arrive_count(objects, *count, *arrivals),
        Ptx::ArrivesEarly { operation, object: name, phase } => format!(
            "{} arrives in phase {phase} of {} before a wait observed phase {}",
            act(operation),
            object(name),
            phase.wrapping_sub(1)
        ),
        Ptx::OverArrives { operation, object: name } => {
            format!("{} exceeds the expected arrivals of {}", act(operation), object(name))
        }
        Ptx::CompletesUnmarked { operation, object: name, phase } => format!(
            "{} is marked .noComplete but completes phase {phase} of {}",
            act(operation),
            object(name)
        ),
        Ptx::LateExpect { operation, object: name } => format!(
            "{} sets the tx-count of {} to zero after the last arrival",
            act(operation),
            object(name)
        ),
        Ptx::Alias { operation, object: name, phase } => format!(
            "{} returns on phase {phase} of {}, but in other schedules on an earlier phase of the same parity",
            act(operation),
            object(name)
        ),
        Ptx::MissesPhase { operation, object: name, missed, matched } => format!(
            "{} misses {} of {} and waits for {}, which has the same parity",
            names::operation(scene, operation.0, operation.1),
            phase_or_start(*missed),
            object(name),
            phase_or_start(*matched)
        ),
        Ptx::FirstParity { operation, object: name } => {
            format!(
                "{} returns at once, before phase 0 of {} completes",
                act(operation),
                object(name)
            )
        }
        Ptx::OutsideWindow { operation, object: name } => format!(
            "{} waits for a phase of {} that is neither current nor previous",
            act(operation),
            object(name)
        ),
        Ptx::OtherCount { operation, object: name } => format!(
            "{} uses a thread count that differs from the current one of {}",
            act(operation),
            object(name)
        ),
        Ptx::ArrivesAgain { operation, object: name } => {
            format!("{} arrives at {} again before it completed", act(operation), object(name))
        }
        Ptx::WaitsFirst { operation } => {
            format!("{} waits at the cluster barrier without a preceding arrive", act(operation))
        }
        Ptx::EndsWithCopy { operation } => format!(
            "{} ends while an asynchronous operation may still use the shared memory of its CTA",
            act(operation)
        ),
        Ptx::EndedCta { operation, object: name } => {
            format!("{} accesses {}, whose CTA may have ended", act(operation), object(name))
        }
        Ptx::Broken { operation, rule } => {
            format!("{}: {}", act(operation), line(rule.get().statement))
        }
        Ptx::NoCta { operation } => {
            format!("{} names an object of a CTA that does not exist", act(operation))
        }
        Ptx::InitUnordered { operation, object: name } => {
            format!("{} is not ordered after the init of {}", act(operation), object(name))
        }
        Ptx::Uninitialised { operation, object: name } => {
            format!("{} uses {}, which is not initialised", act(operation), object(name))
        }
        Ptx::SeveralArrivals { operation, arrivals } => format!(
            "{} makes {arrivals} arrivals in one call",
            names::operation(scene, operation.0, operation.1)
        ),
        Ptx::WideParity { operation, parity } => format!(
            "{} uses parity {parity}, of which only the lowest bit counts",
            names::operation(scene, operation.0, operation.1)
        ),
    }
}

/// The facts below these.
pub(super) fn fact(scene: &Scene, cause: &PtxFact) -> String {
    let act = |one: &Act| act(scene, *one);
    let say = |at: &(usize, u32)| names::operation(scene, at.0, at.1);
    let who = |agent: &usize| scene.agent_name(*agent);
    match cause {
        PtxFact::CompletedBy { phase, operation } => format!(
            "phase {phase} was completed by {}",
            operation.as_ref().map(act).unwrap_or_default()
        ),
        PtxFact::MoreArrive { object: name, expected, agents } => format!(
            "each phase of {} expects {}, and {} arrive at it: the count may be too low",
            object(name),
            number(i64::from(*expected), "arrival"),
            names(scene, agents)
        ),
        PtxFact::CountsAre { counts } => has(*counts),
        PtxFact::MakesArrivals { operation, arrivals, threads } => {
            let each = if *threads { ": every active thread arrives" } else { "" };
            format!("{} makes {arrivals} arrivals{each}", act(operation))
        }
        PtxFact::LastMissing { counts } => format!("it is the last missing arrival: {}", has(*counts)),
        PtxFact::ExpectCompletesNothing => {
            "by the specification, expect_tx does not complete the phase".to_owned()
        }
        PtxFact::CountsBefore { counts } => format!("before it, {}", has(*counts)),
        PtxFact::EarliestMatch { object: name, earliest, matched } => format!(
            "the earliest match of this wait is {} of {}; here it matches {}",
            phase_or_start(*earliest),
            object(name),
            phase_or_start(*matched)
        ),
        PtxFact::LaterPhases => {
            "the wait is not ordered before later phases of the same parity".to_owned()
        }
        PtxFact::NoPhaseBefore => "no phase of parity 1 precedes phase 0".to_owned(),
        PtxFact::MayBeMeant => "this is intended if there is nothing to wait for, such as before a producer fills a stage for the first time".to_owned(),
        PtxFact::FirstIsZero => "a wait for the first phase uses parity 0".to_owned(),
        PtxFact::CurrentPhase { phase } => format!("the current phase is {phase}"),
        PtxFact::ArrivedWith { arrives } => {
            format!("it arrived before with {}", few_or_together(scene, arrives))
        }
        PtxFact::NotObserved { copies } => {
            format!("no wait observed the completion of {}", few_or_together(scene, copies))
        }
        PtxFact::WarpsEnded => "every warp of that CTA has ended in this schedule".to_owned(),
        PtxFact::Lanes { waiting, ended } => lanes(scene, waiting, ended),
        PtxFact::Leftover { object: name, arrived, expected, arrives } => format!(
            "{} ends with {arrived} of {expected} threads, from {}",
            object(name),
            list(&names::operations(scene, arrives))
        ),
        PtxFact::Generation { arrives, another } => format!(
            "earlier arrivals{} in this generation: {}",
            if *another { " at another instruction" } else { "" },
            list(&names::operations(scene, arrives))
        ),
        PtxFact::TxRange { object: name, count, completes, bytes, result } => format!(
            "the tx-count of {} is {count}; {} {} changes it to {result}, outside -{MOST} to {MOST}",
            object(name),
            if *completes { "completing" } else { "expecting" },
            number(*bytes, "byte")
        ),
        PtxFact::Remote { agent, cta, object, owner } => format!(
            "{} is in CTA {cta}, but the operand is {object} of CTA {owner}",
            who(agent)
        ),
        PtxFact::TokenFrom { arrive } => {
            format!("the token is from {}, which is not marked .noComplete", say(arrive))
        }
        PtxFact::NoToken => "no arrive returned this token".to_owned(),
        PtxFact::DropsTo { object: name, expected, dropped, left } => format!(
            "{} expects {} in each phase; dropping {dropped} leaves {left}",
            object(name),
            number(i64::from(*expected), "arrival")
        ),
        PtxFact::CountIs { count } => format!("the count is {count}; valid counts are 1 to {MOST}"),
        PtxFact::PendingFull { object: name, pending } => format!(
            "{} has {} pending, which is the maximum; this operation adds one",
            object(name),
            number(i64::from(*pending), "arrival")
        ),
        PtxFact::InitialisedBy { init } => format!("{} initialised it, and no inval follows", say(init)),
        PtxFact::NotMultiple { threads } => multiples(*threads),
        PtxFact::NeverArrived { agent } => format!(
            "{} waits without having arrived, and no other agent can arrive for it",
            who(agent)
        ),
        PtxFact::AlreadyWaited { agent, arrive } => {
            format!("{} has already waited for the phase of {}", who(agent), say(arrive))
        }
        PtxFact::NotWaited { agent, arrive, complete } => format!(
            "{} arrived with {} and has not waited since; that phase is {}",
            who(agent),
            say(arrive),
            if *complete { "complete" } else { "incomplete" }
        ),
        PtxFact::NoRank { rank } => format!("the cluster has no CTA of rank {rank}"),
        PtxFact::InitByChance { init } => {
            format!("{} happened first here, but is not ordered before the use", act(init))
        }
        PtxFact::Invalidated { inval } => {
            format!("{} invalidated it, and no init follows", act(inval))
        }
        PtxFact::InitLater { init } => format!("its init {} comes later in this order", say(init)),
        PtxFact::NoInit => "no agent initialises it".to_owned(),
        PtxFact::ArrivesExpect => {
            "its arrives expect bytes, so one thread arrives for each transaction".to_owned()
        }
        PtxFact::GroupsArrive { groups, arrivals, waves } => groups_arrive(*groups, *arrivals, *waves),
        PtxFact::OneRecommended => "TLX recommends one arrival for each call".to_owned(),
        PtxFact::LowParity { parity } => format!("it waits for parity {parity}"),
        PtxFact::ThreadsMissing { missing, expected } => {
            format!("{missing} of {expected} threads never arrive")
        }
        PtxFact::InFlight { copy, bytes } => format!(
            "the copy started by {} is in flight and completes {}",
            say(copy),
            number(i64::from(*bytes), "byte")
        ),
        PtxFact::ArrivePending { operation } => format!(
            "the asynchronous arrive of {} happens when its copies are complete",
            say(operation)
        ),
        PtxFact::NetZero { operation } => format!(
            "{} raises the pending count before it arrives, so the phase gets no closer to completion; use `.noinc`",
            act(operation)
        ),
        PtxFact::ExpectLate { operation } => format!(
            "{} set the tx-count to zero after the last arrival, and expect_tx does not complete the phase",
            operation.as_ref().map_or_else(|| "an expect_tx".to_owned(), act)
        ),
        PtxFact::NoCopy => {
            "no copy to it is in flight, and no remaining operation starts one".to_owned()
        }
        PtxFact::NoExpect { bytes } => {
            format!("no remaining arrive expects the other {}", number(*bytes, "byte"))
        }
        PtxFact::WouldReturn { phase } => format!(
            "a wait for parity {} would return now, because phase {phase} is complete",
            phase & 1
        ),
    }
}

/// Races, and the missing order between two accesses.
pub(super) fn race(scene: &Scene, cause: &PtxRace) -> String {
    let act = |one: &Act| act(scene, *one);
    let say = |at: &(usize, u32)| names::operation(scene, at.0, at.1);
    let who = |agent: &usize| scene.agent_name(*agent);
    let noun = |tensor: &bool| if *tensor { "operation" } else { "copy" };
    let does = |one: &Act, write: &bool| {
        format!("{} {}", act(one), if *write { "writes" } else { "reads" })
    };
    match cause {
        PtxRace::Race { later, later_writes: true, earlier, earlier_writes: true, memory } => {
            format!(
                "{} and {} both write bytes of `{memory}`, and the two are unordered",
                act(later),
                act(earlier)
            )
        }
        PtxRace::Race { later, later_writes, earlier, earlier_writes, memory } => format!(
            "{} bytes of `{memory}` that {}, and the two are unordered",
            does(later, later_writes),
            does(earlier, earlier_writes)
        ),
        PtxRace::NoCommitWait { earlier, later } => format!(
            "tensor cores read until the arrive of a commit after {}; no wait for it is ordered before {}",
            say(earlier),
            say(later)
        ),
        PtxRace::NoPhaseWait { object: name, later } => format!(
            "the copy completes with a phase of {}; no wait for that phase is ordered before {}",
            object(name),
            say(later)
        ),
        PtxRace::NoArrive { agent, access } => {
            format!("{} has no arrive after {}", who(agent), act(access))
        }
        PtxRace::Later { agent, operation } => {
            format!("{} reaches {} only after that", who(agent), say(operation))
        }
        PtxRace::ArrivesAfter { operation, phase, agent } => format!(
            "{} arrives in {} after the access of {}",
            act(operation),
            phase_of(phase),
            who(agent)
        ),
        PtxRace::NotAwaited { agent, access } => {
            format!("{} does not wait for that phase before {}", who(agent), act(access))
        }
        PtxRace::NoSynchronization { wait, phase, arrive } => format!(
            "{} observes {}, in which {} arrives, but the two do not synchronize",
            act(wait),
            phase_of(phase),
            act(arrive)
        ),
        PtxRace::ReturnedFalse { wait } => format!("{} returned false", act(wait)),
        PtxRace::ReturnedFirst { wait } => {
            format!("{} returned before any phase was complete", act(wait))
        }
        PtxRace::ReturnedOn { wait, phase } => format!("{} returned on phase {phase}", act(wait)),
        PtxRace::OtherPhase { wait, object: name } => {
            format!("{} participated in another phase of {}", act(wait), object(name))
        }
        PtxRace::OtherGeneration { wait } => {
            format!("{} participated in another generation", act(wait))
        }
        PtxRace::ScopeOfCta { operation } => format!(
            "{} has the scope of its CTA, and the other agent is in another CTA",
            act(operation)
        ),
        PtxRace::FenceOfCta { operation, fence } => {
            format!("{} is relaxed, and {} has the scope of its CTA", act(operation), act(fence))
        }
        PtxRace::Relaxed { operation, releases } => {
            let without = match releases {
                true => "before it releases",
                false => "after it acquires",
            };
            format!("{} is relaxed, and no fence {without} instead", act(operation))
        }
        PtxRace::Unheard => "the release does not reach the wait".to_owned(),
        PtxRace::ReadOnly { wait, tensor } => format!(
            "{} is `.read`: it covers only the source of the {}, not its destination",
            act(wait),
            noun(tensor)
        ),
        PtxRace::NoGroup { wait, tensor, agent } => format!(
            "{} covers no group with the {}: {} has no commit_group in between",
            act(wait),
            noun(tensor),
            who(agent)
        ),
        PtxRace::LeavesGroups { wait, groups, tensor } => format!(
            "{} leaves up to {} incomplete, possibly that of the {}",
            act(wait),
            number(*groups, "group"),
            noun(tensor)
        ),
        PtxRace::WaitUnordered { wait, tensor, agent, access } => format!(
            "{} completes the {} for {}, but is not ordered before {}",
            act(wait),
            noun(tensor),
            who(agent),
            say(access)
        ),
        PtxRace::GroupUnwaited { commit, tensor, agent } => {
            let (who, noun) = (who(agent), noun(tensor));
            let group = match commit {
                Some(commit) => format!("{} commits the {noun} to a group", act(commit)),
                None => format!("no commit_group of {who} covers the {noun}"),
            };
            format!("{group}, and {who} has not waited for it")
        }
    }
}

/// Describes the counts of an object: "phase 2 has 1 of 2 arrivals, and 128 bytes are still expected".
pub(crate) fn has(Counts { valid, phase, arrived, expected, bytes }: Counts) -> String {
    if !valid {
        return "it is not initialised".to_owned();
    }
    let bytes = match bytes {
        0 => String::new(),
        1 => ", and 1 byte is still expected".to_owned(),
        tx if tx > 0 => format!(", and {tx} bytes are still expected"),
        -1 => "; 1 byte too many was completed".to_owned(),
        tx => format!("; {} bytes too many were completed", -i64::from(tx)),
    };
    format!("phase {phase} has {arrived} of {expected} arrivals{bytes}")
}

/// The phase of a number, or the start of the first.
fn phase_or_start(phase: Option<u32>) -> String {
    phase.map_or_else(|| "the start of phase 0".to_owned(), |phase| format!("phase {phase}"))
}

/// Names the phase of an arrival.
pub(super) fn phase_of(phase: &Phase) -> String {
    let name = object(&phase.object);
    match phase.number {
        Some(number) => format!("phase {number} of {name}"),
        None if phase.phases => format!("the phase of {name}"),
        None => format!("this generation of {name}"),
    }
}

fn lanes(scene: &Scene, waiting: &[(usize, u32)], ended: &[usize]) -> String {
    let mut parts = Vec::new();
    if !waiting.is_empty() {
        let verb = either(waiting.len(), "waits", "wait");
        let at = list(&names::operations(scene, waiting));
        parts.push(format!("{at} {verb} for the whole warp"));
    }
    if !ended.is_empty() {
        let verb = either(ended.len(), "has", "have");
        parts.push(format!("{} {verb} ended", names(scene, ended)));
    }
    parts.join("; ")
}

fn multiples(threads: i64) -> String {
    if threads <= 0 {
        return format!("a thread count of {threads} is not valid; the smallest is 32");
    }
    let near = [threads / 32 * 32, threads.saturating_add(31) / 32 * 32];
    let near: Vec<String> =
        near.iter().filter(|near| **near > 0).map(|near| format!("{near}")).collect();
    format!("{threads} threads are not a multiple of the warp size; {} would be", near.join(" or "))
}

fn groups_arrive(groups: i64, arrivals: i64, waves: bool) -> String {
    let who = match (waves, groups) {
        (true, 1) => "wave arrives",
        (true, _) => "waves arrive",
        (false, 1) => "warp group arrives",
        (false, _) => "warp groups arrive",
    };
    match arrivals == groups {
        true => format!("{groups} {who} at it"),
        false => format!("{groups} {who} at it, with {arrivals} arrivals in total"),
    }
}

fn arrive_count(objects: &[String], count: i64, arrivals: i64) -> String {
    let array = |name: &str| name.split('[').next().map(str::to_owned).unwrap_or_default();
    let (who, are, each) = match objects {
        [one] => (object(one), "is", "it"),
        [first, last] => (format!("{} and {}", object(first), object(last)), "are", "each"),
        all => {
            let array = all.first().map(|name| array(name)).unwrap_or_default();
            (format!("{} barriers of `{array}`", all.len()), "are", "each")
        }
    };
    format!(
        "{who} {are} allocated with arrive_count {count}, but the arrives at {each} make {arrivals}"
    )
}

fn blocked(scene: &Scene, agents: &[usize], at: &Blocked) -> String {
    let (who, many) = (names(scene, agents), agents.len() > 1);
    let wait = if many { "wait" } else { "waits" };
    match at {
        Blocked::Mbarrier { object: name, asked: what, counts } => {
            let (name, asked) = (object(name), asked(*what, *counts, many));
            format!("{who} {wait} on {name} for {asked}: {}", has(*counts))
        }
        Blocked::Lanes { object: name } => {
            let warp = if many { "their warps" } else { "its warp" };
            format!("{who} {wait} at {} for the other lanes of {warp}", object(name))
        }
        Blocked::Bar { object: name, arrived, threads } => {
            let are = if many { "are" } else { "is" };
            let name = object(name);
            format!("{who} {are} blocked at {name}: {arrived} of {threads} threads have arrived")
        }
        Blocked::Meeting { object: name, missing, held } => {
            let why = match (missing.is_empty(), many) {
                (false, _) => missing_there(scene, missing, held),
                (true, false) => {
                    "it has not arrived, and no other agent can arrive for it".to_owned()
                }
                (true, true) => {
                    "they have not arrived, and no other agent can arrive for them".to_owned()
                }
            };
            format!("{who} {wait} at {}: {why}", object(name))
        }
        Blocked::Elsewhere => format!("{who} {} blocked", if many { "are" } else { "is" }),
    }
}

/// The phase of a wait; a wait for the parity of the current phase waits for its end.
fn asked(asked: Asked, counts: Counts, many: bool) -> String {
    match asked {
        Asked::Parity(parity) if counts.valid && i64::from(counts.phase & 1) == parity & 1 => {
            format!("parity {}, the end of phase {}", parity & 1, counts.phase)
        }
        Asked::Parity(parity) => format!("parity {}", parity & 1),
        Asked::Token if many => "the phase of their tokens".to_owned(),
        Asked::Token => "the phase of its token".to_owned(),
    }
}

/// The missing agents of a barrier, and where they are blocked.
fn missing_there(scene: &Scene, missing: &[usize], held: &[(usize, u32)]) -> String {
    let verb = either(missing.len(), "has", "have");
    let mut said = format!("{} {verb} not arrived", names(scene, missing));
    if !held.is_empty() {
        let verb = either(held.len(), "is", "are");
        let who: Vec<usize> = held.iter().map(|(agent, _)| *agent).collect();
        let at = list(&names::places(scene, held));
        said.push_str(&format!("; {} {verb} blocked at {at}", names(scene, &who)));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_for_the_parity_of_the_current_phase_waits_for_its_end() {
        let counts = Counts { valid: true, phase: 0, arrived: 0, expected: 1, bytes: 0 };
        assert_eq!(asked(Asked::Parity(1), counts, false), "parity 1");
        assert_eq!(asked(Asked::Parity(2), counts, true), "parity 0, the end of phase 0");
        assert_eq!(asked(Asked::Token, counts, true), "the phase of their tokens");
    }
}
