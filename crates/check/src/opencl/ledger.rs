//! The ledger of every OpenCL barrier after an execution. Equal work-items of a sub-group share a row.

use super::object::{Object, action_at, name, object_of, used};
use super::replay::{Replay, completed};
use super::tell;
use crate::cause::Opencl;
use crate::ledger::rows::{LedgerAgent, LedgerRow};
use crate::scene::Scene;
use crate::tell::in_one_line;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::opencl::action::Action;
use tidegate_model::opencl::machine::node::action_of;
use tidegate_model::opencl::machine::state::{Split, Standing};
use tidegate_model::ordered::OrderedMap;

/// One row for each barrier that the program uses.
pub(crate) fn rows(scene: &Scene, replay: &Replay) -> Vec<LedgerRow> {
    let uses = uses(replay);
    used(&replay.machine).into_iter().map(|object| row(scene, replay, object, &uses)).collect()
}

/// The arrivals and waits of a work-item at a barrier: those in its text, and those performed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Use {
    written: [u32; 2],
    performed: [u32; 2],
}

type Uses = OrderedMap<(Object, usize), Use>;

/// Whether an operation arrives at a barrier, and whether it waits there.
const fn sides(action: Action) -> [bool; 2] {
    match action {
        Action::Barrier { .. } | Action::Wait { .. } => [true, true],
        Action::Arrive { .. } => [true, false],
        Action::Await { .. } => [false, true],
        Action::Construct { .. } => [false, false],
    }
}

fn uses(replay: &Replay) -> Uses {
    let machine = &replay.machine;
    let mut uses = Uses::new();
    let mut add = |object: Object, agent: usize, sides: [bool; 2], done: bool| {
        let entry = uses.entry((object, agent)).or_default();
        let counts = if done { &mut entry.performed } else { &mut entry.written };
        counts.iter_mut().zip(sides).for_each(|(count, side)| *count += u32::from(side));
    };
    for (agent, node, _) in machine.context.operations() {
        let action = action_of(&machine.context.program.body_of(agent).nodes[node as usize]);
        if let Some(action) = action {
            add(object_of(machine, agent, action), agent, sides(action), false);
        }
    }
    for done in &replay.done {
        let agent = done.step.agent;
        let Some(action) = action_at(machine, agent, done.node) else { continue };
        let object = object_of(machine, agent, action);
        let [comes, waits] = sides(action);
        // Agents at a barrier continue when the last one arrives.
        add(object, agent, [comes, waits && !comes], true);
        done.note.released.iter().for_each(|&released| add(object, released, [false, true], true));
    }
    uses
}

fn row(scene: &Scene, replay: &Replay, object: Object, uses: &Uses) -> LedgerRow {
    let state = replay.state();
    let machine = &replay.machine;
    let agents = 0..state.agents.len();
    let stands = |agent: usize| {
        // After undefined behaviour no agent continues, including those that have not arrived.
        let blocked = !state.stopped && machine.ways(state, agent) == 0;
        let action = machine.waits_at(state, agent);
        action
            .or_else(|| machine.action(state, agent).filter(|_| blocked))
            .is_some_and(|action| sides(action)[1] && object_of(machine, agent, action) == object)
    };
    let waiting: Vec<usize> = agents.clone().filter(|&agent| stands(agent)).collect();
    let (expected, arrived) = counts(replay, object, &waiting);
    let of = |side: usize| {
        let entry = |agent: usize| {
            let found = uses.get(&(object, agent)).copied().unwrap_or_default();
            let blocked = side == 1 && waiting.contains(&agent);
            (found.written[side] > 0).then_some((
                found.written[side],
                found.performed[side],
                blocked,
            ))
        };
        grouped(scene, replay, &agents.clone().map(entry).collect::<Vec<_>>())
    };
    LedgerRow {
        object: name(scene, machine, object),
        kind: kind(object).to_owned(),
        phase: Some(completed(replay, object)),
        expected,
        pending: expected - arrived,
        bytes: 0,
        arrives: of(0),
        waits: of(1),
        missing: missing(scene, replay, object, (&waiting, uses)),
    }
}

/// The missing arrivals: absent work-items that the sentence does not name, and those that ended without arriving.
fn missing(
    scene: &Scene,
    replay: &Replay,
    object: Object,
    (waiting, uses): (&[usize], &Uses),
) -> Option<String> {
    let (machine, state) = (&replay.machine, replay.state());
    let first = *waiting.first()?;
    let mut facts = Vec::from([tell::blocked(scene, replay, first)]);
    let concerned = match object {
        Object::WorkGroup(group) | Object::Split(group) => machine.in_group(group),
        Object::SubGroup(sub_group) => machine.in_sub_group(sub_group),
        Object::Named(..) => machine.in_sub_group(machine.sub_group(first)),
    };
    let away = |agent: usize| match object {
        Object::Split(group) => {
            machine.in_group(group).contains(&agent) && state.agents[agent].split == Split::Idle
        }
        Object::Named(..) => {
            let comes = uses.get(&(object, agent)).is_some_and(|found| found.written[0] > 0);
            comes && !waiting.contains(&agent)
        }
        _ => concerned.contains(&agent) && !waiting.contains(&agent),
    };
    let entry = |agent: usize| away(agent).then_some((0, 0, false));
    let entries: Vec<_> = (0..state.agents.len()).map(entry).collect();
    let few = entries.iter().flatten().count() <= 3 && !matches!(object, Object::Named(..));
    let away = grouped(scene, replay, &entries);
    if !few && !away.is_empty() {
        let agents = away.into_iter().map(|row| row.agent).collect();
        facts.push(Opencl::Missing { agents }.into());
    }
    let ended = |&agent: &usize| state.agents[agent].standing == Standing::Ended;
    if let Some(agent) = concerned.clone().find(ended) {
        let more = (concerned.filter(ended).count() - 1) as u32;
        facts.push(Opencl::Ended { agent, more }.into());
    }
    in_one_line(scene, &facts)
}

const fn kind(object: Object) -> &'static str {
    match object {
        Object::WorkGroup(_) => "workgroup",
        Object::SubGroup(_) => "subgroup",
        Object::Split(_) => "split",
        Object::Named(..) => "named",
    }
}

/// The number of participants that a phase waits for, work-items or at a named barrier sub-groups, and the number that
/// have arrived.
fn counts(replay: &Replay, object: Object, waiting: &[usize]) -> (i64, i64) {
    let (machine, state) = (&replay.machine, replay.state());
    let (expected, arrived) = match object {
        Object::WorkGroup(group) => (machine.in_group(group).len(), waiting.len()),
        Object::SubGroup(sub_group) => (machine.in_sub_group(sub_group).len(), waiting.len()),
        Object::Split(group) => {
            let arrived = |&agent: &usize| state.agents[agent].split == Split::Arrived;
            let all = machine.in_group(group);
            (all.len(), all.filter(arrived).count())
        }
        Object::Named(group, declared) => {
            let mut made = machine
                .in_group(group)
                .filter_map(|agent| Some((machine.object(state, agent, declared)?.count, agent)));
            let (count, agent) = made.next().unwrap_or_default();
            let agent = waiting.first().copied().unwrap_or(agent);
            (count as usize, machine.waiting_on(state, agent, declared).len())
        }
    };
    (expected as i64, arrived as i64)
}

/// The operations of work-items, with equal ones of a sub-group merged: written, performed, blocked.
fn grouped(
    scene: &Scene,
    replay: &Replay,
    entries: &[Option<(u32, u32, bool)>],
) -> Vec<LedgerAgent> {
    let launch = replay.machine.context.program.launch;
    let mut rows: Vec<LedgerAgent> = Vec::new();
    for sub_group in 0..(launch.workgroups * launch.waves) as usize {
        let all = replay.machine.in_sub_group(sub_group);
        let mut from = all.start;
        while from < all.end {
            let same = |&agent: &usize| entries[agent] == entries[from];
            let count = (from..all.end).take_while(same).count();
            if let Some((written, performed, blocked)) = entries[from] {
                let agent = items(scene, (from, count), all.len());
                let row = LedgerAgent { agent, written, performed, blocked };
                match rows.last_mut() {
                    Some(last) if count == all.len() && goes_on(last, &row) => {
                        last.agent = joined(&last.agent, &row.agent);
                    }
                    _ => rows.push(row),
                }
            }
            from += count;
        }
    }
    rows
}

/// Whether a sub-group did the same as the whole ones before it, in the same work-group.
fn goes_on(before: &LedgerAgent, row: &LedgerAgent) -> bool {
    let place = |name: &str| name.rsplit_once(' ').map(|(prefix, _)| String::from(prefix));
    let same = LedgerAgent { agent: before.agent.clone(), ..row.clone() } == *before;
    same && place(&before.agent) == place(&row.agent)
}

/// `subgroup 0-1` and `subgroup 2`: `subgroup 0-2`.
fn joined(before: &str, next: &str) -> String {
    let (prefix, first) = before.rsplit_once(' ').unwrap_or(("", before));
    let first = first.split_once('-').map_or(first, |(first, _)| first);
    let last = next.rsplit_once(' ').map_or(next, |(_, last)| last);
    format!("{prefix} {first}-{last}")
}

/// The name of consecutive work-items in a sub-group.
fn items(scene: &Scene, (first, count): (usize, usize), size: usize) -> String {
    let name = scene.agent_name(first);
    let Some((before, index)) = name.rsplit_once("item ") else { return name.to_owned() };
    match before.trim_end() {
        sub_group if count == size && sub_group.contains("subgroup") => sub_group.to_owned(),
        _ if count > 1 => {
            let last = scene.agent_name(first + count - 1);
            let last = last.rsplit_once(' ').map_or("", |(_, last)| last);
            format!("{before}items {index}-{last}")
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::ledger::{Ledger, ledger};
    use crate::scene::{Options, Scene};
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn of(launch: &str, body: &str) -> Ledger {
        let text = format!("target opencl\nlaunch {launch}\nkernel {{\n{body}\n}}\n");
        ledger(&Scene::new("x.tide", &text), &Options::default(), &mut |_| true).unwrap()
    }

    #[test]
    fn work_items_that_did_not_arrive_before_undefined_behaviour_are_missing() {
        let body = "if get_local_id(0) == 5 { return }\nwork_group_barrier(mem_fence::local)";
        let ledger = of("subgroups=2 items=4", body);
        let [row] = ledger.rows.as_slice() else { panic!("{ledger:?}") };
        let blocked = row.waits.iter().filter(|agent| agent.blocked).count();
        let came = row.arrives.iter().filter(|agent| agent.performed > 0).count();
        assert_eq!((ledger.verdict.as_str(), blocked, came, row.pending), ("ub", 1, 1, 7));
        let missing = row.missing.clone().unwrap();
        assert!(missing.contains("missing: subgroup 0 items 1-3, subgroup 1"), "{missing}");
    }

    #[test]
    fn sub_groups_that_do_not_arrive_again_are_named() {
        let body = "local<work_group_named_barrier> a(2)\nif get_sub_group_id() < 3 {\na.wait(mem_fence::local)\n}";
        let rows = of("subgroups=4", body).rows;
        let missing: Vec<String> = rows.into_iter().filter_map(|row| row.missing).collect();
        // The fourth never waits there.
        let [missing] = missing.as_slice() else { panic!("{missing:?}") };
        assert!(missing.contains("missing: subgroup ") && !missing.contains('3'), "{missing}");
    }
}
