//! Decides whether the end of an agent can complete a barrier, which does not release the earlier operations of the agent.
//!
//! A barrier of a CTA, the cluster barrier and `bar.warp.sync` do not wait for exited agents. If every participant of a
//! barrier participates in all of its generations, and their number equals its count, only arrivals complete it.

use super::node::action_of;
use crate::program::successors;
use crate::program::{Agent, Body, Launch, Node, Program};
use crate::ptx::action::Action;
use crate::ptx::bar::BARS;
use crate::ptx::bar::count_multiple::WARP;
use alloc::vec::Vec;

/// How often an agent reaches each barrier of its CTA, `bar.warp.sync`, and the cluster barrier.
type Visits = [u32; BARS + 2];

/// The index of `bar.warp.sync` in [`Visits`].
const LANES: usize = BARS;

/// The index of the cluster barrier.
const CLUSTER: usize = BARS + 1;

/// The operations of a body at barriers.
struct Course {
    /// At its end.
    visits: Visits,
    /// Barriers of the CTA that it reaches, with their thread counts.
    threads: Vec<(usize, i64)>,
}

/// Whether a barrier of a program may complete because an agent ended. Returns `true` if unknown.
pub(super) fn complete_barriers(program: &Program) -> bool {
    let launch = Launch { lanes: program.lanes_apart(), ..program.launch };
    let nodes = || program.bodies.iter().flat_map(|body| &body.nodes);
    let meets = nodes().any(|node| !matches!(visit(node, launch), Visit::Nothing));
    if !meets || !nodes().any(|node| matches!(node, Node::End)) {
        return false;
    }
    let courses = program.bodies.iter().map(|body| course(body, launch));
    let Some(courses) = courses.collect::<Option<Vec<Course>>>() else { return true };
    let of = |agent: &Agent| &courses[agent.body as usize];
    let all: Vec<&Course> = program.agents.iter().map(of).collect();
    let ctas = program.agents_of_workgroup().max(1);
    let alike = |at: usize| all.windows(2).all(|two| two[0].visits[at] == two[1].visits[at]);
    !(alike(LANES) && alike(CLUSTER) && all.chunks(ctas).all(|cta| count_all(cta, launch.lanes)))
}

/// Whether each barrier of a CTA counts exactly the agents that reach it, and they reach it equally often.
fn count_all(cta: &[&Course], lanes: u32) -> bool {
    (0..BARS).all(|id| {
        let coming = || cta.iter().filter(|course| course.visits[id] > 0);
        let times = coming().next().map_or(0, |course| course.visits[id]);
        let counted = |threads: i64| threads * i64::from(lanes) == coming().count() as i64 * WARP;
        let named = cta.iter().flat_map(|course| &course.threads);
        let whole =
            |warp: &[&Course]| warp.windows(2).all(|two| two[0].visits[id] == two[1].visits[id]);
        cta.chunks(lanes.max(1) as usize).all(whole)
            && coming().all(|course| course.visits[id] == times)
            && named.filter(|named| named.0 == id).all(|&(_, threads)| counted(threads))
    })
}

/// The barrier at a node.
enum Visit {
    Nothing,
    /// An index of [`Visits`], and the thread count of a barrier of the CTA.
    At(usize, Option<i64>),
    /// Not a barrier that all agents can reach.
    Unknown,
}

fn visit(node: &Node, launch: Launch) -> Visit {
    let every = u32::MAX >> 32_u32.saturating_sub(launch.lanes).min(31);
    match action_of(node) {
        Some(Action::Bar { id, threads, .. }) => match usize::try_from(id) {
            Ok(id) if id < BARS => {
                let all = i64::from(launch.waves) * WARP;
                Visit::At(id, Some(threads.unwrap_or(all).clamp(0, i64::from(u32::MAX))))
            }
            _ => Visit::Unknown,
        },
        Some(Action::WarpSync { .. }) if launch.lanes == 1 => Visit::Nothing,
        Some(Action::WarpSync { mask }) if mask & every == every => Visit::At(LANES, None),
        Some(Action::WarpSync { .. }) => Visit::Unknown,
        Some(Action::ClusterArrive { .. }) => Visit::At(CLUSTER, None),
        _ => Visit::Nothing,
    }
}

/// The barrier operations of a body on every path; `None` if paths differ, or the body does not end.
fn course(body: &Body, launch: Launch) -> Option<Course> {
    let mut after: Vec<Option<Visits>> = alloc::vec![None; body.nodes.len()];
    let mut threads = Vec::new();
    let mut end = None;
    *after.first_mut()? = Some(Visits::default());
    let mut open = alloc::vec![0_usize];
    while let Some(id) = open.pop() {
        let mut visits = after[id]?;
        match visit(&body.nodes[id], launch) {
            Visit::Nothing => {}
            Visit::Unknown => return None,
            Visit::At(place, said) => {
                visits[place] = visits[place].saturating_add(1);
                threads.extend(said.map(|said| (place, said)));
            }
        }
        if matches!(body.nodes[id], Node::End) && *end.get_or_insert(visits) != visits {
            return None;
        }
        for &next in successors(&body.nodes[id]) {
            match after[next as usize] {
                None => {
                    after[next as usize] = Some(visits);
                    open.push(next as usize);
                }
                Some(before) if before != visits => return None,
                Some(_) => {}
            }
        }
    }
    end.map(|visits| Course { visits, threads })
}
