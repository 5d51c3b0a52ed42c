//! Titles and notes about memory of AMDGPU: races, fences, asynchronous copies and marks.

use super::names::{brief, counted, list, names, number, operation};
use crate::cause::At;
use crate::cause::field::Word;
use crate::cause::memory::{How, Memory};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;
use tidegate_model::mem::order::Reach;

/// The most operations that one note names.
const NAMED: usize = 4;

pub(super) fn say(scene: &Scene, cause: &Memory) -> String {
    let say = |at: &At| operation(scene, at.0, at.1);
    let brief = |at: &At| brief(scene, *at);
    let who = |agent: &usize| scene.agent_name(*agent);
    match cause {
        Memory::Race { later, later_does, earlier, earlier_does, memory, first, last } => {
            let bytes = match first == last {
                true => format!("byte {first} of `{memory}`"),
                false => format!("bytes {first} to {last} of `{memory}`"),
            };
            let (later, earlier) = (say(later), say(earlier));
            if later_does == earlier_does {
                let both = infinitive(*later_does);
                return format!("{later} and {earlier} both {both} {bytes}, and the two are unordered");
            }
            let (does, other_does) = (later_does.word(), earlier_does.word());
            format!("{later} {does} and {earlier} {other_does} {bytes}, and the two are unordered")
        }
        Memory::AlsoRaces { accesses } => {
            let mut said: Vec<String> = Vec::new();
            for one in accesses.iter().map(say) {
                if !said.contains(&one) {
                    said.push(one);
                }
            }
            said.truncate(NAMED);
            format!("it also races with {}", list(&said))
        }
        Memory::OnlyDrop { drop } => {
            format!("only {} connects them, and a drop releases nothing", say(drop))
        }
        Memory::ExecutionOnly { arrive, wait } => {
            format!("{} is before {}, which orders execution but not memory", say(arrive), say(wait))
        }
        Memory::FencesRequired => {
            "memory order requires a release fence before the arrive and an acquire fence after the wait".to_owned()
        }
        Memory::NoRelease { agent, copy, arrive } => format!(
            "{} has no release between {} and {}",
            who(agent),
            if *copy { "the completion of its copy" } else { "its access" },
            brief(arrive)
        ),
        Memory::NoAcquire { agent, wait } => {
            format!("{} has no acquire between {} and its access", who(agent), brief(wait))
        }
        Memory::OneAs { fence, agent } => format!(
            "{} is one-as: it orders each address space only for {} and synchronises with no other agent",
            brief(fence),
            who(agent)
        ),
        Memory::SpaceMissing { fence, space } => {
            format!("{} does not include {}, which contains the bytes", brief(fence), space_name(*space))
        }
        Memory::ScopeNarrow { fence, required } => format!(
            "the scope of {} is too narrow: the two waves are {}",
            brief(fence),
            distance(*required)
        ),
        Memory::FenceFine { fence } => format!("{} is sufficient", brief(fence)),
        Memory::Unmarked { copy, until } => format!(
            "the copy is in flight until a wait completes a mark after it, and no mark is between {} and {}",
            brief(copy),
            brief(until)
        ),
        Memory::Unwaited { mark, until } => format!(
            "{} covers the copy, but no wait for marks is between that mark and {}",
            brief(mark),
            brief(until)
        ),
        Memory::NotWaited { copy, until } => {
            format!("no wait completes {} before {}", brief(copy), brief(until))
        }
        Memory::LeavesMark { wait, leaves, following } => format!(
            "{} leaves {} outstanding, but only {} that of the copy",
            brief(wait),
            marks(*leaves),
            follow(*following)
        ),
        Memory::OtherBody { mark, wait } => format!(
            "{} and {} are in different function bodies, which have separate sequences of marks",
            brief(mark),
            brief(wait)
        ),
        Memory::Completes { wait } => format!("{} completes the copy", say(wait)),
        Memory::FirstRevision { agent } => format!(
            "in the first revision (reading async.v1-v2=v1), a completed copy is ordered only before later overlapping operations of {}",
            who(agent)
        ),
        Memory::Overwritten { read, written, overwrites } => format!(
            "{} reads the value of {}, and {} overwrites it",
            brief(read),
            brief(written),
            brief(overwrites)
        ),
        Memory::NoWait { agent, access } => {
            format!("{} has no wait before {}", who(agent), brief(access))
        }
        Memory::WaitTooEarly { agent, access, wait, other, other_access } => format!(
            "the last wait of {} before {} is {}, and no arrive of {} after {} is ordered before it",
            who(agent),
            brief(access),
            brief(wait),
            who(other),
            brief(other_access)
        ),
        Memory::ClustersApart { agents } => format!(
            "{} are in different clusters, and a cluster barrier spans one cluster",
            names(scene, agents)
        ),
        Memory::WorkgroupsApart { agents, target } => format!(
            "{} are in different workgroups, and {target} has no barrier beyond a workgroup",
            names(scene, agents)
        ),
        Memory::IssuedOutstanding { operation } => {
            format!("{} is issued with outstanding memory operations", say(operation))
        }
        Memory::Outstanding { counter, operations } => outstanding(scene, counter, operations),
        Memory::NoBackOff => "the target has no back-off barrier".to_owned(),
        Memory::WaitsForMore { operation } => {
            format!("{} waits for more copies than any access requires", say(operation))
        }
        Memory::MayLeave { marks } => {
            format!("it may leave up to {} outstanding", number(i64::from(*marks), "mark"))
        }
        Memory::HelpUnchecked => {
            "the help was not checked for every access, path and iteration: the scenario has too many states".to_owned()
        }
        Memory::HelpInsufficient => {
            "the help is not sufficient on every path and in every iteration".to_owned()
        }
        Memory::AnotherRace { title } => {
            format!("the help fixes a part; another race remains: {title}")
        }
        Memory::NoMark { operation, always } => {
            let how = if *always { "on every path" } else { "on some path or in some iteration" };
            format!("{} has no mark after it {how}", say(operation))
        }
        Memory::NeverCompleted => "no wait for marks can complete the copy".to_owned(),
        Memory::WaitsForNone { operation } => format!("{} waits for no mark", say(operation)),
        Memory::MarksThere { marks } => match marks {
            0 => "the sequence of marks of its function body is empty there".to_owned(),
            1 => "at most 1 mark is outstanding there".to_owned(),
            most => format!("at most {most} marks are outstanding there"),
        },
        Memory::MarkUnused { operation } => {
            format!("no wait of the function body completes the mark {}", say(operation))
        }
        Memory::MarkCounted => {
            "a wait counts it as outstanding; without it, that wait completes one mark fewer".to_owned()
        }
        Memory::Inlining { operation } => {
            format!("the copies that {} completes depend on inlining", say(operation))
        }
        Memory::OwnSequence => {
            "marks of a function count in its own sequence; after inlining, they count in that of the caller".to_owned()
        }
        Memory::AsWritten { copies: set, verdict } => format!(
            "as written, it completes {}; the verdict is {}",
            copies(scene, set),
            verdict.word()
        ),
        Memory::Inlined { copies: set, verdict } => format!(
            "inlined, it completes {}; the verdict is {}",
            copies(scene, set),
            verdict.word()
        ),
    }
}

const fn infinitive(how: How) -> &'static str {
    match (how.write, how.copy) {
        (true, false) => "write",
        (false, false) => "read",
        (true, true) => "write asynchronously",
        (false, true) => "read asynchronously",
    }
}

fn copies(scene: &Scene, copies: &[At]) -> String {
    let said: Vec<String> = copies.iter().map(|at| operation(scene, at.0, at.1)).collect();
    if said.is_empty() { "no copy".to_owned() } else { list(&counted(&said)) }
}

fn outstanding(scene: &Scene, counter: &str, operations: &[At]) -> String {
    let count = operations.len();
    let said: Vec<String> = operations.iter().take(NAMED).map(|at| brief(scene, *at)).collect();
    let said = counted(&said);
    let (said, verb) = match count {
        1 => (list(&said), "is"),
        2..=NAMED => (list(&said), "are"),
        _ => (said.join(", ") + " and more", "are"),
    };
    format!("{counter} may be {count}: {said} {verb} outstanding")
}

const fn space_name(space: Space) -> &'static str {
    match space {
        Space::Local => "the local address space (LDS)",
        Space::Global => "the global address space",
    }
}

const fn distance(far: Reach) -> &'static str {
    match far {
        Reach::Workgroup => "in one workgroup, which requires workgroup or wider",
        Reach::Cluster => "in two workgroups of one cluster, which requires cluster or wider",
        Reach::Agent => "in two clusters, which requires agent or wider",
    }
}

/// A limit of marks.
pub(super) fn marks(count: u16) -> String {
    match count {
        0 => "no mark".to_owned(),
        count => format!("at most {}", number(i64::from(count), "mark")),
    }
}

/// The marks after that of a copy.
pub(super) fn follow(count: u16) -> String {
    if count == 1 { "1 mark follows".to_owned() } else { format!("{count} marks follow") }
}
