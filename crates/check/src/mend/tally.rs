//! Arrivals, waits and bytes at each barrier of NVIDIA, summed over the program.

use super::units::Unit;
use crate::scene::Scene;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::operation::Action;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::ptx::action::{Action as Ptx, Asked, Bar, Name, Place, is_odd};

/// Largest number of effects that are summed.
const MOST_EFFECTS: usize = 20_000;
/// Threads of a warp at a numbered barrier.
const WARP: i64 = 32;

/// A barrier of a CTA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Barrier {
    /// An mbarrier object: the CTA and the index of the object.
    Object(u32, u16),
    /// A numbered barrier: the CTA and the number.
    Number(u32, i64),
}

/// The effect of an operation on a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Initialises it with this count.
    Init(i64),
    /// This many arrivals, or an arrival without a wait at a barrier of this many threads.
    Arrive(i64),
    /// A wait, for the odd phases or not.
    Wait(bool),
    /// An arrival and a wait at a barrier of this many threads.
    Sync(i64),
    /// Expects this many bytes.
    Expect(i64),
    /// Completes the bytes of a copy.
    Complete(i64),
    /// Completes bytes without a copy.
    Simulate,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    /// The first byte of the operation in the text.
    pub(super) start: usize,
    pub(super) agent: usize,
    pub(super) barrier: Barrier,
    pub(super) kind: Kind,
}

/// The effects of all operations, in the order of each agent.
pub(super) struct Tally {
    pub(super) effects: Vec<Effect>,
    /// By barrier, the indices of its effects.
    places: OrderedMap<Barrier, Vec<usize>>,
    /// The threads of an agent at a numbered barrier.
    threads: i64,
    /// The arrivals that each phase of an object has if as many phases complete as an agent waits for. No entry if the
    /// elements of an array differ.
    counts: OrderedMap<String, Option<i64>>,
    /// Whether an object has several phases or agents that arrive, and whether each of these arrives once in each phase.
    patterns: OrderedMap<String, (bool, bool)>,
}

impl Tally {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut tally = Self {
            effects: Vec::new(),
            places: OrderedMap::new(),
            threads: 1,
            counts: OrderedMap::new(),
            patterns: OrderedMap::new(),
        };
        let Some(context) = scene.context() else { return tally };
        let (agents, launch) = (&context.program.agents, context.program.launch);
        let per = launch.workgroups_per_cluster();
        tally.threads = if launch.lanes == 1 { WARP } else { 1 };
        for (index, count) in context.program.mbarriers.iter().enumerate() {
            let declared = count.iter().flat_map(|count| {
                let barrier = move |group| Barrier::Object(group, index as u16);
                let kind = Kind::Init(*count);
                (0..launch.workgroups).map(move |group| Effect {
                    start: usize::MAX,
                    agent: usize::MAX,
                    barrier: barrier(group),
                    kind,
                })
            });
            tally.effects.extend(declared);
        }
        for (agent, node, operation) in context.operations() {
            let (Action::Ptx(ptx, _), own) = (operation.action, agents[agent].workgroup) else {
                continue;
            };
            let start = scene.source(agent, node).span.start as usize;
            let mut add = |barrier, kind| {
                tally.effects.push(Effect { start, agent, barrier, kind });
            };
            let first = own - own % per;
            let object = |name: Name| match name.place {
                Place::Own => Barrier::Object(own, name.index),
                Place::Rank(rank) => Barrier::Object(first + rank, name.index),
            };
            let received = |name: Name| {
                let ranks =
                    (0..16).filter(move |rank| ptx.ranks().is_some_and(|it| it >> rank & 1 == 1));
                let of_ranks = ranks.map(move |rank| Barrier::Object(first + rank, name.index));
                ptx.ranks().is_none().then(|| object(name)).into_iter().chain(of_ranks)
            };
            match ptx {
                Ptx::Init { name, count } => add(object(name), Kind::Init(count)),
                Ptx::Arrive { name, form } => {
                    form.expect.into_iter().for_each(|it| add(object(name), Kind::Expect(it)));
                    add(object(name), Kind::Arrive(form.count));
                }
                Ptx::CopyArrive { name, threads, .. } => {
                    received(name).for_each(|it| add(it, Kind::Arrive(threads.into())));
                }
                Ptx::Expect { name, bytes } => add(object(name), Kind::Expect(bytes)),
                Ptx::Complete { name, .. } => add(object(name), Kind::Simulate),
                Ptx::Copy { name: Some(name), bytes, .. } => {
                    received(name).for_each(|it| add(it, Kind::Complete(bytes)));
                }
                Ptx::Wait { name, asked, .. } => {
                    let odd = matches!(asked, Asked::Parity(parity) if is_odd(parity));
                    add(object(name), Kind::Wait(odd));
                }
                Ptx::Bar { id, threads: Some(threads), kind, .. } => {
                    let kind = match kind {
                        Bar::Arrive => Kind::Arrive(threads),
                        Bar::Sync | Bar::Red => Kind::Sync(threads),
                    };
                    add(Barrier::Number(own, id), kind);
                }
                _ => {}
            }
        }
        if tally.effects.len() > MOST_EFFECTS {
            tally.effects.clear();
        }
        for (at, effect) in tally.effects.iter().enumerate() {
            tally.places.entry(effect.barrier).or_default().push(at);
        }
        tally.count(scene);
        tally
    }

    fn count(&mut self, scene: &Scene) {
        let all: Vec<Barrier> = self.places.keys().copied().collect();
        for barrier in all {
            let Barrier::Object(_, index) = barrier else { continue };
            let name = scene.mbarrier_name(index);
            let (arrivals, waits) = (self.arrivals(barrier), self.waits(barrier));
            if arrivals == 0 && waits == 0 {
                continue;
            }
            let each = Some(arrivals).filter(|it| waits > 0 && it % waits == 0);
            let each = each.map(|it| it / waits).filter(|it| *it > 0);
            let base = name.split('[').next().unwrap_or_default();
            let often = by_agent(self.at(barrier).filter(|it| matches!(it.kind, Kind::Arrive(_))));
            let repeats = often.values().any(|often| *often != waits);
            let pattern = self.patterns.entry(base.into()).or_insert((false, true));
            pattern.0 |= waits > 1 || often.len() > 1;
            pattern.1 &= !repeats;
            self.counts
                .entry(base.into())
                .and_modify(|known| *known = known.filter(|it| Some(*it) == each))
                .or_insert(each);
        }
    }

    /// The effects on a barrier.
    pub(super) fn at(&self, barrier: Barrier) -> impl Iterator<Item = &Effect> {
        self.places.get(&barrier).into_iter().flatten().map(|&at| &self.effects[at])
    }

    /// The effects of a statement.
    pub(super) fn by(&self, unit: &Unit) -> impl Iterator<Item = &Effect> {
        let range = unit.range.clone();
        self.effects.iter().filter(move |it| range.contains(&it.start))
    }

    /// The arrivals at an mbarrier object.
    fn arrivals(&self, barrier: Barrier) -> i64 {
        let own =
            self.at(barrier).map(|it| if let Kind::Arrive(count) = it.kind { count } else { 0 });
        own.fold(0, i64::saturating_add)
    }

    /// The largest number of waits of one agent at an mbarrier object.
    fn waits(&self, barrier: Barrier) -> i64 {
        let often = by_agent(self.at(barrier).filter(|it| matches!(it.kind, Kind::Wait(_))));
        often.into_iter().map(|(_, count)| count).max().unwrap_or(0)
    }

    /// The count by which the arrivals at an object complete as many phases as an agent waits for.
    pub(super) fn count_of(&self, object: &str) -> Option<i64> {
        *self.counts.get(object)?
    }

    /// Whether the agents that arrive at an object do so once in each phase, and some agent waits for several phases or
    /// several agents arrive. `None` unless they do so once.
    pub(super) fn is_repeated(&self, object: &str) -> Option<bool> {
        self.patterns.get(object).filter(|(_, regular)| *regular).map(|(repeated, _)| *repeated)
    }

    /// Whether the arrivals at an object complete as many phases as any agent waits for.
    pub(super) fn suffices(&self, barrier: Barrier) -> bool {
        let count = self.at(barrier).find_map(|it| match it.kind {
            Kind::Init(count) => Some(count),
            _ => None,
        });
        let (arrivals, waits) = (self.arrivals(barrier), self.waits(barrier));
        // A wait that is not repeated shows no pattern.
        waits > 1 && count.is_some_and(|count| count > 0 && arrivals / count >= waits)
    }

    /// The bytes that each execution of some statements would have to expect, so that all expected bytes of their objects
    /// are those that copies complete. `None` if no number fits, they expect it, or not only copies complete bytes.
    pub(super) fn bytes_of(&self, units: &[&Unit]) -> Option<i64> {
        let is_own = |it: &Effect| units.iter().any(|unit| unit.range.contains(&it.start));
        let expects = |it: &&Effect| matches!(it.kind, Kind::Expect(_)) && is_own(it);
        let barriers: OrderedSet<Barrier> =
            self.effects.iter().filter(expects).map(|it| it.barrier).collect();
        let mut needed = OrderedSet::new();
        for barrier in barriers {
            let (mut bytes, mut often, mut own) = (0_i64, 0, 0_i64);
            for effect in self.at(barrier) {
                match effect.kind {
                    Kind::Complete(more) => bytes = bytes.saturating_add(more),
                    Kind::Expect(same) if is_own(effect) => {
                        often += 1;
                        own = own.saturating_add(same);
                    }
                    Kind::Expect(other) => bytes = bytes.saturating_sub(other),
                    Kind::Simulate => return None,
                    _ => {}
                }
            }
            needed.insert(
                Some(bytes / often).filter(|it| *it > 0 && bytes % often == 0 && bytes != own),
            );
        }
        let mut needed = needed.into_iter();
        needed.next().flatten().filter(|_| needed.next().is_none())
    }

    /// The bytes that the agents of a statement complete at the objects at which it expects bytes, for each execution.
    pub(super) fn copied_by(&self, unit: &Unit) -> Option<i64> {
        let expects: Vec<&Effect> =
            self.by(unit).filter(|it| matches!(it.kind, Kind::Expect(_))).collect();
        let is_own = |it: &&Effect| {
            expects.iter().any(|own| own.barrier == it.barrier && own.agent == it.agent)
        };
        let own = self.effects.iter().filter(is_own);
        let own = own.map(|it| if let Kind::Complete(bytes) = it.kind { bytes } else { 0 });
        own.fold(0, i64::saturating_add).checked_div(expects.len() as i64)
    }

    /// The objects at which an agent arrives and none waits, with that agent.
    pub(super) fn unused(&self) -> OrderedMap<u16, usize> {
        let mut found = OrderedMap::new();
        let waited = |barrier| self.at(barrier).any(|it| matches!(it.kind, Kind::Wait(_)));
        for effect in self.effects.iter().filter(|it| matches!(it.kind, Kind::Arrive(_))) {
            if let Barrier::Object(_, index) = effect.barrier
                && !waited(effect.barrier)
            {
                found.entry(index).or_insert(effect.agent);
            }
        }
        found
    }

    /// The numbered barriers at which agents that only arrive must arrive before they wait: the number, the
    /// threads and the agents. Just their arrivals are missing, and each of them waits before its first arrive there.
    pub(super) fn unprimed(&self) -> Vec<(i64, i64, OrderedSet<usize>)> {
        self.places.keys().filter_map(|barrier| self.is_unprimed(*barrier)).collect()
    }

    fn is_unprimed(&self, barrier: Barrier) -> Option<(i64, i64, OrderedSet<usize>)> {
        let Barrier::Number(_, id) = barrier else { return None };
        let (mut arrive, mut sync) = (OrderedMap::new(), OrderedMap::new());
        let mut sizes = OrderedSet::new();
        for effect in self.at(barrier) {
            let (often, threads) = match effect.kind {
                Kind::Sync(threads) => (&mut sync, threads),
                Kind::Arrive(threads) => (&mut arrive, threads),
                _ => continue,
            };
            *often.entry(effect.agent).or_insert(0_i64) += 1;
            sizes.insert(threads);
        }
        let phases = sync.values().copied().max()?;
        let mut sizes = sizes.into_iter();
        let threads = sizes.next().filter(|_| sizes.next().is_none())?;
        let (least, most) = (arrive.values().copied().min()?, arrive.values().copied().max()?);
        let agents: OrderedSet<usize> =
            arrive.iter().filter(|(_, often)| **often == least).map(|(agent, _)| *agent).collect();
        let came: i64 = arrive.values().chain(sync.values()).sum::<i64>() * self.threads;
        let is_short = phases.saturating_mul(threads) - came == self.threads * agents.len() as i64;
        let apart = sync.keys().all(|agent| !arrive.contains_key(agent));
        let waits_first = |agent: &usize| {
            let mut own = self.effects.iter().filter(|it| it.agent == *agent);
            let first = own.find(|it| matches!(it.kind, Kind::Sync(_)) || it.barrier == barrier);
            first.is_some_and(|it| matches!(it.kind, Kind::Sync(_)))
        };
        (is_short && most - least <= 1 && apart && agents.iter().all(waits_first))
            .then_some((id, threads, agents))
    }

    /// Whether agents arrive at a numbered barrier for others: they wait at another one, at which agents arrive that wait
    /// here several times.
    pub(super) fn arrives_for(&self, agents: &OrderedSet<usize>, number: i64) -> bool {
        let is_here = |it: &Effect| matches!(it.barrier, Barrier::Number(_, id) if id == number);
        let all = self.effects.iter().filter(|it| matches!(it.kind, Kind::Sync(_)));
        let waits = by_agent(all.clone().filter(|it| is_here(it)));
        let repeats = |agent: usize| waits.get(&agent).is_some_and(|often| *often > 1);
        let answers = |own: &Effect| {
            let mut all = self.at(own.barrier).filter(|it| matches!(it.kind, Kind::Arrive(_)));
            all.any(|it| repeats(it.agent))
        };
        let mut others = all.filter(|it| agents.contains(&it.agent) && !is_here(it));
        waits.keys().all(|agent| !agents.contains(agent)) && others.any(answers)
    }
}

/// How many of some effects are those of each agent.
fn by_agent<'e>(effects: impl Iterator<Item = &'e Effect>) -> OrderedMap<usize, i64> {
    let mut often = OrderedMap::new();
    for effect in effects {
        *often.entry(effect.agent).or_default() += 1;
    }
    often
}
