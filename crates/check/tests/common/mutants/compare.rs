//! Compares a program with the original: equal, as much synchronisation, or less.

use super::make::synchronises;
use std::collections::BTreeMap;
use tidegate_check::Scene;
use tidegate_check::model::mem::operation::{Memory, Space};
use tidegate_check::model::opencl::action::{Action as Opencl, Flags};
use tidegate_check::model::operation::Action;
use tidegate_check::model::ptx::action::{Action as Ptx, Asked, Bar};

/// Whether two texts have the same words, apart from layout and the ends of statements.
pub fn same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace() && *c != ';').collect()
    };
    words(one) == words(other)
}

/// The operations of the agents of a scenario.
#[derive(PartialEq, Eq)]
pub struct Program {
    /// For each agent the operations in the order of its body, without sites, with the edges between them.
    agents: Vec<Vec<Step>>,
    counts: Vec<Option<i64>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    action: Action,
    next: String,
}

impl Program {
    pub fn of(text: &str) -> Option<Self> {
        let scene = Scene::new("mutant.tide", text);
        let context = scene
            .context()
            .filter(|_| scene.diagnostics().iter().all(|it| it.severity != "error"))?;
        let mut agents = vec![Vec::new(); context.program.agents.len()];
        for (agent, node, operation) in context.operations() {
            let next = format!("{:?}", context.program.body_of(agent).nodes[node as usize]);
            let next = next.rsplit_once("next:").map_or("", |(_, next)| next).to_owned();
            agents[agent].push(Step { action: without_site(operation.action), next });
        }
        Some(Self { agents, counts: context.program.mbarriers.clone() })
    }

    /// Whether it is equal, except for the order of adjacent inits, arrives or waits on different objects.
    pub fn commutes_to(&self, original: &Self) -> bool {
        let sorted = |agent: &[Step]| -> Vec<String> {
            let mut runs: Vec<(&str, Vec<(String, String)>)> = Vec::new();
            for step in agent {
                let (class, said) = (class(step.action), format!("{:?}", step.action));
                let object = object(step.action);
                match runs.last_mut() {
                    Some((last, all)) if *last == class && object.is_some() => {
                        all.push((object.unwrap_or_default(), said));
                    }
                    _ => runs.push((class, vec![(object.unwrap_or_default(), said)])),
                }
            }
            // Operations on one object stay in order.
            runs.iter_mut().for_each(|(_, all)| all.sort_by(|one, other| one.0.cmp(&other.0)));
            runs.into_iter().flat_map(|(_, all)| all).map(|(_, said)| said).collect()
        };
        let edges = |agent: &[Step]| -> Vec<String> {
            agent.iter().map(|step| step.next.clone()).collect()
        };
        let both = self.agents.iter().zip(&original.agents);
        self.agents.len() == original.agents.len()
            && self.counts == original.counts
            && both
                .into_iter()
                .all(|(one, other)| sorted(one) == sorted(other) && edges(one) == edges(other))
    }

    /// Whether it synchronises less: fewer agents or operations, lower counts, or waits that return at once.
    pub fn is_weaker_than(&self, original: &Self) -> bool {
        let (own, other) = (self.measures(), original.measures());
        self.agents.len() < original.agents.len()
            || self.counts.iter().zip(&original.counts).any(|(own, other)| own < other)
            || other.iter().any(|(key, least)| own.get(key).copied().unwrap_or(i64::MIN) < *least)
    }

    /// Whether it only has more synchronisation than another program, and neither more arrives nor higher counts of arrivals
    /// than the original.
    pub fn only_adds_to(&self, other: &Self, original: &Self) -> bool {
        let (own, before, most) = (self.measures(), other.measures(), original.measures());
        let count = |of: &BTreeMap<String, i64>, key: &str| of.get(key).copied().unwrap_or(0);
        let arrives =
            ["operations arrive", "operations mbarrier arrive", "operations barrier arrive"];
        own != before
            && self.agents.len() == other.agents.len()
            && before.iter().all(|(key, least)| own.get(key).is_some_and(|count| count >= least))
            && arrives.iter().all(|key| count(&own, key) <= count(&most, key))
            && own
                .iter()
                .filter(|(key, _)| key.starts_with("expected "))
                .all(|(key, value)| most.get(key).is_none_or(|most| value <= most))
    }

    /// Numbers that must not decrease.
    fn measures(&self) -> BTreeMap<String, i64> {
        let mut found = BTreeMap::from([("drops".to_owned(), 0)]);
        for (agent, steps) in self.agents.iter().enumerate() {
            let (mut seen, mut marks, mut waits) = (std::collections::BTreeSet::new(), 0, 0);
            for step in steps.iter().filter(|step| synchronises(step.action)) {
                *found.entry(format!("operations {}", class(step.action))).or_insert(0) += 1;
                // A fence counts for each address space.
                if let Action::Memory(Memory::Fence(fence)) = step.action {
                    let sides = i64::from(fence.release) + i64::from(fence.acquire);
                    let spaces = [Space::Local, Space::Global];
                    let spaces = spaces.into_iter().filter(|it| fence.spaces.contains(*it)).count();
                    *found.entry("operations fence".to_owned()).or_insert(0) +=
                        sides * spaces as i64 - 1;
                }
                // A barrier with flags is a fence on both sides, in each of its address spaces.
                if let Action::Opencl(opencl) = step.action {
                    let flags = opencl.arguments().map(|it| it.flags).unwrap_or_default();
                    let spaces = [Flags::LOCAL, Flags::GLOBAL];
                    let spaces = spaces.into_iter().filter(|it| flags.intersects(*it)).count();
                    *found.entry("operations fence".to_owned()).or_insert(0) += 2 * spaces as i64;
                }
                // An arrive instead of a drop keeps the agent among those that a phase waits for.
                if class(step.action) == "drop" {
                    *found.entry("operations arrive".to_owned()).or_insert(0) += 1;
                }
                // A barrier that waits is stronger than one that only arrives.
                if class(step.action) == "bar" {
                    *found.entry("operations bar arrive".to_owned()).or_insert(0) += 1;
                }
                // A wait for marks completes the earlier marks that it does not allow to be outstanding. Without one of
                // its marks and with a count lower by one, it completes the same marks.
                match step.action {
                    Action::Memory(Memory::Mark) => marks += 1,
                    Action::Memory(Memory::WaitMarks(most)) => {
                        found.insert(format!("completed {agent} {waits}"), marks - i64::from(most));
                        waits += 1;
                    }
                    _ => {}
                }
                if let Some((what, count)) = counts(step.action) {
                    let least = found.entry(what).or_insert(count);
                    *least = count.min(*least);
                }
                if let Action::Ptx(Ptx::Wait { name, asked: Asked::Parity(parity), .. }, _) =
                    step.action
                {
                    let first = seen.insert(format!("{name:?}"));
                    *found.entry(format!("passes {agent} {name:?}")).or_insert(0) -=
                        i64::from(first && parity & 1 == 1);
                }
                if matches!(step.action, Action::Drop { .. } | Action::Leave) {
                    *found.entry("drops".to_owned()).or_insert(0) -= 1;
                }
            }
        }
        found.remove("operations mark");
        found.remove("operations drop");
        found
    }
}

fn without_site(action: Action) -> Action {
    match action {
        Action::Ptx(Ptx::Bar { id, threads, kind, reduction, aligned, .. }, spelling) => {
            Action::Ptx(Ptx::Bar { id, threads, kind, reduction, aligned, site: 0 }, spelling)
        }
        Action::Ptx(Ptx::ClusterArrive { order, aligned }, spelling) => {
            Action::Ptx(Ptx::ClusterArrive { order, aligned: aligned.map(|_| 0) }, spelling)
        }
        Action::Ptx(Ptx::ClusterWait { order, aligned }, spelling) => {
            Action::Ptx(Ptx::ClusterWait { order, aligned: aligned.map(|_| 0) }, spelling)
        }
        other => other,
    }
}

/// The kind of an operation.
fn class(action: Action) -> &'static str {
    match action {
        Action::Init { .. } => "init",
        Action::Arrive { .. } => "arrive",
        Action::Wait { .. } => "wait",
        Action::Drop { .. } | Action::Leave => "drop",
        Action::Join { .. } => "join",
        Action::Memory(Memory::Fence(_)) => "fence",
        Action::Memory(Memory::Mark) => "mark",
        // A wait for counters completes copies like a wait for their marks.
        Action::Memory(Memory::WaitMarks(_) | Memory::Wait(_)) => "wait for copies",
        Action::Ptx(Ptx::Init { .. }, _) => "mbarrier init",
        Action::Ptx(Ptx::Arrive { .. } | Ptx::CopyArrive { .. }, _) => "mbarrier arrive",
        Action::Ptx(Ptx::Wait { .. }, _) => "mbarrier wait",
        Action::Ptx(Ptx::Bar { kind: Bar::Arrive, .. }, _) => "bar arrive",
        Action::Ptx(Ptx::Bar { .. }, _) => "bar",
        Action::Ptx(Ptx::ClusterArrive { .. }, _) => "cluster arrive",
        Action::Ptx(Ptx::ClusterWait { .. }, _) => "cluster wait",
        Action::Ptx(Ptx::WaitGroup { .. }, _) => "wait for groups",
        Action::Ptx(Ptx::Commit { .. }, _) => "commit",
        Action::Ptx(..) => "other of NVIDIA",
        Action::Opencl(Opencl::Barrier { .. }) => "barrier",
        Action::Opencl(Opencl::Wait { .. } | Opencl::Await { .. }) => "barrier wait",
        Action::Opencl(Opencl::Arrive { .. }) => "barrier arrive",
        Action::Opencl(Opencl::Construct { .. }) => "construct",
        _ => "",
    }
}

/// The object of an operation that commutes with the same operation on other objects.
fn object(action: Action) -> Option<String> {
    Some(match action {
        Action::Init { object, .. } | Action::Arrive { object, .. } | Action::Wait { object } => {
            format!("{object:?}")
        }
        Action::Ptx(
            Ptx::Init { name, .. } | Ptx::Arrive { name, .. } | Ptx::Wait { name, .. },
            _,
        ) => format!("{name:?}"),
        _ => return None,
    })
}

/// A count that must not decrease.
fn counts(action: Action) -> Option<(String, i64)> {
    Some(match action {
        Action::Init { object, expected } => (format!("expected {object:?}"), expected),
        Action::Ptx(Ptx::Init { name, count }, _) => (format!("expected {name:?}"), count),
        Action::Ptx(Ptx::Bar { id, threads: Some(threads), .. }, _) => {
            (format!("threads {id}"), threads)
        }
        Action::Opencl(Opencl::Construct { object, count, .. }) => {
            (format!("sub-groups {object}"), count.into())
        }
        Action::Ptx(Ptx::WaitGroup { most: Some(most), .. }, _) => {
            ("allowed groups".to_owned(), -i64::from(most))
        }
        _ => return None,
    })
}
