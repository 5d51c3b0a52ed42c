//! Titles and notes about barriers and memory of OpenCL.

use super::names::{self, line, list, names};
use crate::cause::field::Word;
use crate::cause::opencl::{Blocked, Opencl};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) fn say(scene: &Scene, cause: &Opencl) -> String {
    let say = |at: &(usize, u32)| names::operation(scene, at.0, at.1);
    let who = |agent: &usize| scene.agent_name(*agent);
    match cause {
        Opencl::NotReached { operation, group } => {
            format!("{} is not reached by every work-item of the {}", say(operation), group.word())
        }
        Opencl::Returns { agent } => {
            format!("{} returns without reaching a barrier on which others wait", who(agent))
        }
        Opencl::WaitsFor { operation, agent } => {
            format!("{} waits for {}", say(operation), who(agent))
        }
        Opencl::EndsWithout { agent } => format!("{} ends without reaching it", who(agent)),
        Opencl::OtherIteration { operation } => format!(
            "{} is at the same call in another iteration of an enclosing loop",
            say(operation)
        ),
        Opencl::OtherBarrier { operation } => format!("{} is at another barrier", say(operation)),
        Opencl::Neither => "neither can continue without the other".to_owned(),
        Opencl::EndsItem { operation } => {
            format!("{} ends the work-item, which never reaches the barrier", say(operation))
        }
        Opencl::HasEnded { agent } => format!("{} has ended and never reaches it", who(agent)),
        Opencl::EndsSplit { agent } => format!(
            "{} ends without its arrive or wait at the split barrier of the work-group",
            who(agent)
        ),
        Opencl::HasArrived { agent } => format!("{} has arrived there", who(agent)),
        Opencl::OtherArguments { operation } => {
            format!("{} has other arguments than another work-item there", say(operation))
        }
        Opencl::HasOther { operation } => format!("{} has other arguments", say(operation)),
        Opencl::OverSubscribed { operation } => format!(
            "{} completes a phase that more sub-groups than the count of the barrier have reached",
            say(operation)
        ),
        Opencl::AlsoWaits { agent } => format!("{} is also about to wait there", who(agent)),
        Opencl::ArrivesTwice { operation } => {
            format!("{} arrives at the split barrier again before its wait", say(operation))
        }
        Opencl::ArrivedWith { arrive } => format!("it arrived with {}", say(arrive)),
        Opencl::WaitsFirst { operation } => {
            format!("{} waits without a preceding arrive", say(operation))
        }
        Opencl::NotUniform { operation } => format!(
            "{} is not executed uniformly by the work-items of the work-group",
            say(operation)
        ),
        Opencl::Skips { agent } => {
            format!("{} skips a construction that other work-items execute", who(agent))
        }
        Opencl::NeverConstructs { agent, object } => {
            format!("{} never constructs `{object}`, which other work-items construct", who(agent))
        }
        Opencl::OtherExecutes { operation } => {
            format!("another work-item executes {}", say(operation))
        }
        Opencl::EndedWithout { agent } => format!("{} has ended without it", who(agent)),
        Opencl::Race { later, earlier, memory } => format!(
            "{} and {} access the same bytes of `{memory}`, and the two are unordered",
            say(later),
            say(earlier)
        ),
        Opencl::Races { operation } => say(operation),
        Opencl::BetweenHalves { access, arrive } => format!(
            "{} is between {} and its wait: an arrive releases only earlier accesses, and its wait acquires only for later ones",
            say(access),
            say(arrive)
        ),
        Opencl::NoBarrier { agents } => {
            let who: Vec<&str> = agents.iter().map(|agent| scene.agent_name(*agent)).collect();
            format!("no barrier between them is reached by both {}", who.join(" and "))
        }
        Opencl::NoFlag { barrier, space, flag } => format!(
            "{} is between them but orders no {space} memory: its flags do not include {flag}",
            say(barrier)
        ),
        Opencl::ScopeNarrow { barrier } => {
            format!("{} is between them, but its scope does not include both", say(barrier))
        }
        Opencl::NotEveryCall { barrier, space } => format!(
            "{} is between them, but not every call at it orders {space} memory",
            say(barrier)
        ),
        Opencl::Blocked { agents, at } => blocked(scene, agents, at),
        Opencl::Missing { agents } => format!("missing: {}", agents.join(", ")),
        Opencl::Ended { agent, more } => {
            let more = if *more == 0 { String::new() } else { format!(" and {more} more") };
            format!("{}{more} ended without arriving", who(agent))
        }
        Opencl::Exceeds { operation, limit } => format!(
            "{} exceeds the portable limit of {limit} named barriers in a work-group",
            say(operation)
        ),
        Opencl::Constructs { count } => format!("the work-group constructs {count}"),
        Opencl::Restricted { description } => line(description),
    }
}

fn blocked(scene: &Scene, agents: &[usize], at: &Blocked) -> String {
    let (who, one) = (names(scene, agents), agents.len() == 1);
    let why = match at {
        Blocked::Elsewhere => return format!("{who} {} blocked", if one { "is" } else { "are" }),
        Blocked::Named { object, missing } => {
            format!("at `{object}` for {} of its sub-group", few(scene, missing))
        }
        Blocked::Count { object, waiting, expected } => {
            format!("at `{object}`: {waiting} of {expected} sub-groups wait there")
        }
        Blocked::Group { group, missing } => {
            format!("for {} of its {}", few(scene, missing), group.word())
        }
        Blocked::Split { missing } => format!("for {} to arrive", few(scene, missing)),
    };
    format!("{who} {} {why}", if one { "waits" } else { "wait" })
}

/// A list of at most three names.
fn few(scene: &Scene, agents: &[usize]) -> String {
    let names: Vec<String> =
        agents.iter().map(|&agent| scene.agent_name(agent).to_owned()).collect();
    match names.as_slice() {
        [first, second, third, _, ..] => {
            format!("{first}, {second}, {third} and {} more", names.len() - 3)
        }
        _ => list(&names),
    }
}
