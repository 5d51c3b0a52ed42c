//! Help for findings about barriers, copies and memory of NVIDIA.

use crate::cause::At;
use crate::cause::field::Act;
use crate::cause::ptx::Phase;
use crate::edit::written::Written;
use crate::scene::Scene;
use crate::tell::help::skipped::skipped;
use crate::tell::names::{act, few_or_together, list, names, number, object, operation, places};
use crate::tell::ptx::phase_of;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// For a barrier at which agents wait.
pub(crate) fn reach_cluster() -> String {
    "make every agent of the cluster arrive or end".to_owned()
}

/// For `bar.warp.sync`.
pub(crate) fn reach_warp() -> String {
    "make every lane of the mask execute it or end".to_owned()
}

/// For lanes of a warp that are not at its barrier.
pub(crate) fn gather() -> String {
    "make every live lane of the warp execute the same barrier".to_owned()
}

/// For agents that reach a CTA barrier too late, of whose threads some are missing.
pub(crate) fn reach_bar(
    scene: &Scene,
    name: &str,
    held: &[At],
    (missing, threads): (u32, u32),
) -> String {
    let agents: Vec<usize> = held.iter().map(|at| at.0).collect();
    format!(
        "make {} reach {} before {}: {missing} of {threads} threads are missing",
        names(scene, &agents),
        object(name),
        list(&places(scene, held))
    )
}

/// Threads of a warp.
const WARP: u32 = 32;

/// For a thread count at a CTA barrier that is too large; `never` are agents that do not execute it, of which `missing`
/// would complete it. `line` has the barrier.
pub(crate) fn thread_count(
    scene: &Scene,
    name: &str,
    (arrived, threads): (u32, u32),
    (never, missing): (&[usize], usize),
    line: u32,
) -> String {
    let skipped = skipped(scene, line);
    // A barrier of one warp synchronises it with no other.
    let fits = (arrived > WARP)
        .then(|| format!("use thread count {arrived} at {} instead of {threads}", object(name)));
    let execute = match never.len().cmp(&missing) {
        Ordering::Less => None,
        Ordering::Equal => Some(format!("make {} execute it{skipped}", names(scene, never))),
        Ordering::Greater => {
            Some(format!("make {missing} of {} execute it{skipped}", names(scene, never)))
        }
    };
    let both = match never.len() == missing {
        true => [execute, fits],
        false => [fits, execute],
    };
    let both: Vec<String> = both.into_iter().flatten().collect();
    match both.is_empty() {
        true => format!("use a thread count that the warps at {} reach", object(name)),
        false => both.join(", or "),
    }
}

/// For an object that no agent initialises.
pub(crate) fn initialise(name: &str) -> String {
    format!(
        "initialise {} before its first use, with the number of arrivals of a phase",
        object(name)
    )
}

/// For a wait at the cluster barrier without an arrive.
pub(crate) fn arrive_first() -> String {
    "arrive at the cluster barrier before the wait".to_owned()
}

/// For a TLX barrier with more arrivals than it is allocated for, and why.
pub(crate) fn allocate(wanted: i64, count: i64, why: &str) -> String {
    format!("allocate it with arrive_count={wanted} instead of {count}: {why}")
}

/// For TLX barriers whose arrive_count does not fit.
pub(crate) fn allocate_or_arrive(wanted: i64) -> String {
    format!("allocate with arrive_count={wanted}, or change the number of arrivals in each phase")
}

/// For a late expect_tx.
pub(crate) fn expect_with_arrive(scene: &Scene, expect: Act) -> String {
    format!("expect the bytes with `arrive.expect_tx` instead of {}", act(scene, expect))
}

/// For a wait that may mean the completed phase.
pub(crate) fn check_phase(over: u32) -> String {
    format!("or check whether the wait means phase {over} (parity {})", over & 1)
}

/// For arrives of a warp that count once instead of once for each lane; `whole` of `came` arrivals would be of a warp.
pub(crate) fn lanes(lanes: i32, name: &str, (expected, whole, came): (i32, i32, i32)) -> String {
    let which = match whole == came {
        true => "every lane arrives".to_owned(),
        false => format!(
            "{whole} of the {came} arrives {} by every lane",
            if whole == 1 { "is" } else { "are" }
        ),
    };
    format!(
        "if {which}, add `lanes={lanes}` to the `launch` line or write a kernel (`.entry`, `kernel`): an arrive of an agent block counts once for its warp, and {} expects {expected} arrivals",
        object(name)
    )
}

/// For arrives of one thread of each warp, selected by `elect.sync` or another branch, if all threads are expected.
pub(crate) fn selected(elected: bool, name: &str, (expected, came): (i32, i32)) -> String {
    let by =
        if elected { "`elect.sync` selects one thread of a warp" } else { "one thread arrives" };
    format!(
        "{by}, so {} gets {} of {expected}: make every thread arrive, or initialise it with {came} instead of {expected}",
        object(name),
        number(i64::from(came), "arrival")
    )
}

/// For agents that never arrive at an object, as `example` does.
pub(crate) fn make_arrive(
    scene: &Scene,
    agents: &[usize],
    name: &str,
    (example, expected): (Option<At>, i32),
) -> String {
    let how = example.map_or_else(String::new, |at| {
        let skipped = skipped(scene, scene.source(at.0, at.1).span.line);
        format!(", as {} does{skipped}", operation(scene, at.0, at.1))
    });
    format!(
        "make {} arrive at {}{how}, or initialise it with {} instead of {expected}",
        names(scene, agents),
        object(name),
        expected - agents.len() as i32
    )
}

/// For a circular wait at the start.
pub(crate) fn break_circle(name: &str) -> String {
    format!(
        "break the circular wait: arrive at {} before the first wait, or use parity 1 in the first wait",
        object(name)
    )
}

/// For agents that would arrive after their waits.
pub(crate) fn arrive_before(scene: &Scene, name: &str, held: &[At], missing: i32) -> String {
    let agents: Vec<usize> = held.iter().map(|at| at.0).collect();
    format!(
        "make {} arrive at {} before {}, or make another agent arrive ({} missing)",
        names(scene, &agents),
        object(name),
        list(&places(scene, held)),
        number(i64::from(missing), "arrival")
    )
}

/// For missing arrivals; `or` has the arrivals so far and the expected count, if another init would help.
pub(crate) fn add_arrivals(missing: i32, name: &str, or: Option<(i32, i32)>) -> String {
    let other = or.map_or_else(String::new, |(came, expected)| {
        format!(", or initialise it with {came} instead of {expected}")
    });
    format!(
        "add {} at {} after the last use of the data that it protects{other}",
        number(i64::from(missing), "arrival"),
        object(name)
    )
}

/// For more completed bytes than are expected.
pub(crate) fn expect_as_copied(name: &str, phase: u32, completed: i64, expected: i64) -> String {
    format!(
        "expect as many bytes as are copied: phase {phase} of {} completes {} and expects {}",
        object(name),
        number(completed, "byte"),
        number(expected, "byte")
    )
}

/// For fewer completed bytes than operations expect.
pub(crate) fn copy_missing(
    scene: &Scene,
    (name, phase): (&str, u32),
    (completed, expected): (i64, i64),
    by: &[At],
) -> String {
    format!(
        "copy the missing bytes, or expect fewer: phase {phase} of {} expects {} by {}, and {} completed",
        object(name),
        number(expected, "byte"),
        few_or_together(scene, by),
        number(completed, "byte")
    )
}

/// Orders an access before another.
pub(crate) fn order(scene: &Scene, earlier: At, later: At) -> String {
    format!("order {} before {} with a barrier or a wait", say(scene, earlier), say(scene, later))
}

/// For tensor cores that read until the arrive of a commit.
pub(crate) fn wait_for_commit(scene: &Scene, earlier: At, later: At) -> String {
    format!(
        "commit after {}, and wait for the phase of that arrive before {}",
        say(scene, earlier),
        say(scene, later)
    )
}

/// For bytes of a copy for whose phase an agent does not wait before its access.
pub(crate) fn wait_for_bytes(scene: &Scene, object: &str, later: At) -> String {
    format!(
        "make {} wait for the phase of `{object}` that the copied bytes complete, before {}",
        scene.agent_name(later.0),
        say(scene, later)
    )
}

/// For a phase for which an agent does not wait before its access.
pub(crate) fn wait_for_phase(scene: &Scene, agent: usize, phase: &Phase, access: Act) -> String {
    format!(
        "make {} wait for {} before {}",
        scene.agent_name(agent),
        phase_of(phase),
        act(scene, access)
    )
}

/// For a phase in which an agent arrives later.
pub(crate) fn wait_for_arrive(scene: &Scene, agent: usize, arrive: At, access: Act) -> String {
    format!(
        "make {} wait for the phase of {} before {}",
        scene.agent_name(agent),
        say(scene, arrive),
        act(scene, access)
    )
}

/// For two accesses, the first in the text first, of agents that run the same code without a barrier between them; `near` if
/// the agents are in one CTA.
pub(crate) fn add_barrier(
    scene: &Scene,
    accesses: [Act; 2],
    agents: [usize; 2],
    near: bool,
) -> String {
    let [one, other] = agents.map(|agent| scene.agent_name(agent));
    let [first, second] = accesses.map(|access| act(scene, access));
    let spelled = Written::of(scene.text()).barrier_of_cta().filter(|_| near);
    let barrier = spelled.map_or_else(|| "a barrier".to_owned(), |it| format!("`{it}`"));
    format!("add {barrier} between {first} and {second}, where both {one} and {other} execute it")
}

/// For an access without an arrive after it, of agents that run different code; `near` if the agents are in one CTA.
pub(crate) fn arrive_after(
    scene: &Scene,
    [earlier, later]: [Act; 2],
    agents: [usize; 2],
    near: bool,
) -> String {
    let [one, other] = agents.map(|agent| scene.agent_name(agent));
    let spelled = Written::of(scene.text()).barrier_of_cta().filter(|_| near);
    let example = spelled.map(|it| format!(", for example with `{it}` at both places"));
    format!(
        "make {one} arrive after {}, and {other} wait for that phase before {}{}",
        act(scene, earlier),
        act(scene, later),
        example.unwrap_or_default()
    )
}

/// For an operation with the scope of its CTA.
pub(crate) fn widen(scene: &Scene, operation: Act, releases: bool) -> String {
    let word = if releases { "release" } else { "acquire" };
    format!("give {} the scope `.cluster`: `.{word}.cluster`", act(scene, operation))
}

/// For an atomic access with the scope of its CTA.
pub(crate) fn widen_access(scene: &Scene, operation: Act) -> String {
    format!("give {} a scope that includes both CTAs, such as `.gpu`", act(scene, operation))
}

/// For a relaxed operation; `far` if the other agent is in another CTA.
pub(crate) fn not_relaxed(scene: &Scene, operation: Act, releases: bool, far: bool) -> String {
    let side = if releases { "before it" } else { "after it" };
    let reach = if far { "`fence.acq_rel.cluster`" } else { "`fence.acq_rel.cta`" };
    format!("remove `.relaxed` from {}, or add a {reach} {side}", act(scene, operation))
}

/// For a release and an acquire that are both wide enough by themselves.
pub(crate) fn widen_both() -> String {
    "give both a scope that includes both agents".to_owned()
}

/// Instructions for a group of copies: one commits it, one waits for all groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instructions {
    pub commit: &'static str,
    pub wait: &'static str,
}

/// A copy without an mbarrier object, which its thread must commit and wait for before an access.
pub(crate) struct Group<'a> {
    /// The scenario.
    pub scene: &'a Scene,
    /// The instructions of its group.
    pub instructions: Instructions,
    /// Whether it is an operation of tensor cores.
    pub tensor: bool,
    /// The agent that started the copy.
    pub agent: usize,
    /// The access.
    pub access: At,
}

impl Group<'_> {
    const fn noun(&self) -> &'static str {
        if self.tensor { "operation" } else { "copy" }
    }

    fn access(&self) -> String {
        say(self.scene, self.access)
    }

    /// Whether the agent itself accesses the bytes.
    const fn is_own(&self) -> bool {
        self.agent == self.access.0
    }

    fn before(&self) -> String {
        match self.is_own() {
            true => format!("before {}", self.access()),
            false => format!(
                "and order that before {} with a barrier, or an arrive and a wait",
                self.access()
            ),
        }
    }

    fn ordered(&self, what: &str) -> String {
        format!("order {what} before {} with a barrier, or an arrive and a wait", self.access())
    }

    /// For a wait that comes too late.
    pub(crate) fn earlier(&self, wait: At) -> String {
        let wait = say(self.scene, wait);
        match self.is_own() {
            true => format!("move {wait} before {}", self.access()),
            false => self.ordered(&wait),
        }
    }

    /// For a wait with `.read`.
    pub(crate) fn without_read(&self) -> String {
        format!("wait without `.read` in {} {}", self.scene.agent_name(self.agent), self.before())
    }

    /// For a copy in no group, before a wait.
    pub(crate) fn commit(&self) -> String {
        let commit = self.instructions.commit;
        format!("add `{commit}` between the {} and that wait", self.noun())
    }

    /// For a wait that leaves groups incomplete, or for a missing wait.
    pub(crate) fn wait(&self, of_copy: bool) -> String {
        let what = match of_copy {
            true => format!("the group of the {}", self.noun()),
            false => "the group".to_owned(),
        };
        format!(
            "wait for {what} with `{}` in {} {}",
            self.instructions.wait,
            self.scene.agent_name(self.agent),
            self.before()
        )
    }

    /// For a wait that is not ordered before the access.
    pub(crate) fn order(&self, wait: Act) -> String {
        self.ordered(&act(self.scene, wait))
    }

    /// For a copy in no group, without a wait.
    pub(crate) fn commit_and_wait(&self) -> String {
        format!(
            "commit the {} to a group, and wait for it with `{}` in {} {}",
            self.noun(),
            self.instructions.wait,
            self.scene.agent_name(self.agent),
            self.before()
        )
    }
}

fn say(scene: &Scene, at: At) -> String {
    operation(scene, at.0, at.1)
}
