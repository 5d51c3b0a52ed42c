//! The simulation: every interleaving of the agents and of the copies in flight.

use super::program::{Arrive, Asked, Op, Program};
use std::collections::BTreeSet;

/// From best to worst.
pub(super) const VERDICTS: [&str; 5] = ["ok", "deadlock", "race", "violation", "ub"];

/// The rules that the programs break.
pub(super) const RULES: [&str; 14] = [
    "ptx.async-copy.access",
    "ptx.async-copy.outstanding-at-exit",
    "ptx.bar.never-completes",
    "ptx.mbarrier.drop-to-zero",
    "ptx.mbarrier.init-on-valid",
    "ptx.mbarrier.init-visibility",
    "ptx.mbarrier.missing-wait",
    "ptx.mbarrier.never-completes",
    "ptx.mbarrier.no-complete",
    "ptx.mbarrier.over-arrival",
    "ptx.mbarrier.pending-count-token",
    "ptx.mbarrier.phase-window",
    "ptx.mbarrier.valid-object",
    "mem.race",
];

/// A set of operations, each with the number that `Worlds::number` gives it.
type Known = u128;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    /// The init that made it; `None` if it is not valid.
    init: Option<usize>,
    phase: i64,
    pending: i64,
    expected: i64,
    bytes: i64,
    /// Whether a wait observed the phase before.
    observed: bool,
    /// What those who wait for complete phases learn, and what the current phase adds.
    complete: Known,
    current: Known,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Token {
    /// Of the object that gave it.
    init: Option<usize>,
    phase: i64,
    pending: i64,
    no_complete: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    at: Vec<usize>,
    ended: Vec<bool>,
    /// Whether an agent stands at the barrier of all agents.
    meets: Vec<bool>,
    knows: Vec<Known>,
    tokens: Vec<[Option<Token>; 2]>,
    objects: [Object; 2],
    /// Copies in flight: number, object, and the bytes left.
    copies: Vec<(usize, usize, i64)>,
    /// Accesses that were performed or began.
    accesses: Known,
    /// Whether an access raced with a copy: the missing wait is then reported there, and not where the CTA ends.
    raced: bool,
}

pub(super) struct Outcome {
    pub(super) verdict: usize,
    pub(super) broken: BTreeSet<&'static str>,
    /// Whether no execution ends.
    pub(super) everywhere: bool,
    /// Whether some path ends at a broken rule.
    pub(super) ends: bool,
}

/// A rule after whose breach nothing is defined, or a program that is not simulated.
enum Over {
    Broken(&'static str),
    NotSimulated,
}

struct Worlds<'a> {
    program: &'a Program,
    broken: BTreeSet<&'static str>,
}

const NUMBERS: usize = 32;

fn number(agent: usize, at: usize) -> usize {
    NUMBERS * agent + at
}

impl Object {
    const NONE: Self = Self {
        init: None,
        phase: 0,
        pending: 0,
        expected: 0,
        bytes: 0,
        observed: true,
        complete: 0,
        current: 0,
    };

    /// The phase is complete when no arrival and no byte is pending.
    fn settle(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.phase += 1;
            self.pending = self.expected;
            self.observed = false;
            self.complete |= std::mem::take(&mut self.current);
        }
    }
}

impl Worlds<'_> {
    fn op(&self, number: usize) -> Op {
        self.program.agents[number / NUMBERS][number % NUMBERS]
    }

    /// The object that an operation uses; it must be valid, and its init known.
    fn used(&self, world: &World, agent: usize, op: Op) -> Result<(), Over> {
        let object = match op {
            Op::Inval(object)
            | Op::Arrive(object, ..)
            | Op::ArriveExpect(object, ..)
            | Op::Expect(object, _)
            | Op::Complete(object, _)
            | Op::Copy(object, ..)
            | Op::Wait(object, _)
            | Op::Test(object, ..) => object,
            _ => return Ok(()),
        };
        match world.objects[object].init {
            None => Err(Over::Broken("ptx.mbarrier.valid-object")),
            Some(init) if world.knows[agent] >> init & 1 == 0 => {
                Err(Over::Broken("ptx.mbarrier.init-visibility"))
            }
            Some(_) => Ok(()),
        }
    }

    fn arrive(&mut self, object: &mut Object, count: i64, drop: bool) -> Result<(), Over> {
        object.expected -= if drop { count } else { 0 };
        if drop && object.expected < 1 {
            return Err(Over::Broken("ptx.mbarrier.drop-to-zero"));
        }
        if object.pending < count {
            return Err(Over::Broken("ptx.mbarrier.over-arrival"));
        }
        if !object.observed {
            self.broken.insert("ptx.mbarrier.missing-wait");
        }
        object.pending -= count;
        object.settle();
        Ok(())
    }

    /// An access to a tile: it must know every conflicting one before it.
    fn access(&mut self, world: &mut World, agent: usize, own: usize) {
        let of = |op: Op| match op {
            Op::Load(tile) => Some((tile, false, false)),
            Op::Store(tile) => Some((tile, true, false)),
            Op::Copy(_, tile, _) => Some((tile, true, true)),
            _ => None,
        };
        let Some((tile, writes, copies)) = of(self.op(own)) else { return };
        for other in (0..128).filter(|other| world.accesses >> other & 1 == 1) {
            let Some((at, wrote, copied)) = of(self.op(other)) else { continue };
            let known = world.knows[agent] >> other & 1 == 1;
            if at == tile && (writes || wrote) && !known {
                let with_copy = copies || copied;
                world.raced |= with_copy;
                self.broken.insert(if with_copy { "ptx.async-copy.access" } else { "mem.race" });
            }
        }
        world.accesses |= 1 << own;
        if !copies {
            world.knows[agent] |= 1 << own;
        }
    }

    /// Whether a wait returns true; it learns what the complete phases released.
    fn asks(
        &mut self,
        world: &mut World,
        agent: usize,
        object: usize,
        asked: Asked,
    ) -> Result<bool, Over> {
        let it = &mut world.objects[object];
        let observes = match asked {
            Asked::Parity(parity) => {
                if (it.phase % 2 == 1) == parity {
                    return Ok(false);
                }
                it.phase > 0
            }
            Asked::Token => {
                let token = world.tokens[agent][object].ok_or(Over::NotSimulated)?;
                if token.init != it.init {
                    return Err(Over::NotSimulated);
                }
                if token.phase == it.phase {
                    return Ok(false);
                }
                if token.phase + 1 < it.phase {
                    self.broken.insert("ptx.mbarrier.phase-window");
                }
                true
            }
        };
        it.observed |= observes;
        world.knows[agent] |= it.complete;
        Ok(true)
    }

    /// The worlds after the next operation of an agent; none if it waits.
    fn step(&mut self, world: &World, agent: usize) -> Result<Vec<World>, Over> {
        let mut next = world.clone();
        let own = number(agent, world.at[agent]);
        let Some(&op) = self.program.agents[agent].get(world.at[agent]) else {
            next.ended[agent] = true;
            self.meet(&mut next);
            let all = next.ended.iter().all(|&ended| ended);
            if all && !next.copies.is_empty() && !next.raced {
                return Err(Over::Broken("ptx.async-copy.outstanding-at-exit"));
            }
            return Ok(vec![next]);
        };
        self.used(world, agent, op)?;
        next.at[agent] += 1;
        let knows = next.knows[agent];
        match op {
            Op::Init(object, count) => {
                let it = &mut next.objects[object];
                if it.init.is_some() {
                    return Err(Over::Broken("ptx.mbarrier.init-on-valid"));
                }
                *it = Object { init: Some(own), pending: count, expected: count, ..Object::NONE };
                next.knows[agent] |= 1 << own;
            }
            Op::Inval(object) => next.objects[object] = Object::NONE,
            Op::Arrive(object, form, count) => {
                let it = &mut next.objects[object];
                let no_complete = form == Arrive::NoComplete;
                if no_complete && it.pending == count && it.bytes == 0 {
                    return Err(Over::Broken("ptx.mbarrier.no-complete"));
                }
                if matches!(form, Arrive::Keep | Arrive::NoComplete) {
                    let Object { init, phase, pending, .. } = *it;
                    next.tokens[agent][object] = Some(Token { init, phase, pending, no_complete });
                }
                it.current |= if form == Arrive::Relaxed { 0 } else { knows };
                self.arrive(it, count, form == Arrive::Drop)?;
            }
            Op::ArriveExpect(object, bytes, drop) => {
                let it = &mut next.objects[object];
                it.bytes += bytes;
                it.current |= knows;
                self.arrive(it, 1, drop)?;
            }
            Op::Expect(object, bytes) => next.objects[object].bytes += bytes,
            Op::Complete(object, bytes) => {
                next.objects[object].bytes -= bytes;
                next.objects[object].settle();
            }
            Op::Copy(object, _, bytes) => {
                self.access(&mut next, agent, own);
                next.copies.push((own, object, bytes));
                next.copies.sort_unstable();
            }
            Op::Wait(object, asked) => {
                if !self.asks(&mut next, agent, object, asked)? {
                    return Ok(Vec::new());
                }
            }
            Op::Test(object, asked, patient) => {
                let mut no = world.clone();
                no.at[agent] += 2;
                let yes = self.asks(&mut next, agent, object, asked)?;
                return Ok(match (yes, patient) {
                    (false, _) => vec![no],
                    (true, false) => vec![next],
                    (true, true) => vec![next, no],
                });
            }
            Op::Count(object, least) => {
                let token = world.tokens[agent][object].ok_or(Over::NotSimulated)?;
                if !token.no_complete {
                    return Err(Over::Broken("ptx.mbarrier.pending-count-token"));
                }
                next.at[agent] += usize::from(token.pending < least);
            }
            Op::Load(_) | Op::Store(_) => self.access(&mut next, agent, own),
            Op::Sync => {
                next.at[agent] -= 1;
                next.meets[agent] = true;
                self.meet(&mut next);
            }
        }
        Ok(vec![next])
    }

    /// Releases the barrier of all agents when all that did not end stand there.
    fn meet(&self, world: &mut World) {
        let stand = |agent: usize| world.meets[agent];
        let agents = 0..world.at.len();
        if !agents.clone().all(|agent| world.ended[agent] || stand(agent)) {
            return;
        }
        let all = agents.clone().filter(|&agent| stand(agent)).collect::<Vec<_>>();
        let known = all.iter().fold(0, |known, &agent| known | world.knows[agent]);
        for agent in all {
            world.meets[agent] = false;
            world.knows[agent] = known;
            world.at[agent] += 1;
        }
    }

    /// The worlds after some bytes of a copy.
    fn flies(&self, world: &World, index: usize) -> Result<Vec<World>, Over> {
        let (copy, object, left) = world.copies[index];
        let mut all = Vec::new();
        for bytes in (16..=left).step_by(16) {
            let mut next = world.clone();
            next.copies[index].2 -= bytes;
            let it = &mut next.objects[object];
            if it.init.is_none() {
                return Err(Over::Broken("ptx.mbarrier.valid-object"));
            }
            it.bytes -= bytes;
            if bytes == left {
                next.copies.remove(index);
                it.current |= 1 << copy;
            }
            it.settle();
            all.push(next);
        }
        Ok(all)
    }
}

/// `None` where there are too many worlds, or what the simulation does not know.
pub(super) fn run(program: &Program) -> Option<Outcome> {
    let agents = program.agents.len();
    let mut open = vec![World {
        at: vec![0; agents],
        ended: vec![false; agents],
        meets: vec![false; agents],
        knows: vec![0; agents],
        tokens: vec![[None; 2]; agents],
        objects: [Object::NONE; 2],
        copies: Vec::new(),
        accesses: 0,
        raced: false,
    }];
    let mut worlds = Worlds { program, broken: BTreeSet::new() };
    let (mut seen, mut finished, mut stuck, mut ends) = (BTreeSet::new(), false, false, false);
    while let Some(world) = open.pop() {
        if !seen.insert(world.clone()) {
            continue;
        }
        if seen.len() > 20_000 {
            return None;
        }
        let live = (0..agents).filter(|&agent| !world.ended[agent]);
        let mut steps: Vec<Result<Vec<World>, Over>> = live
            .clone()
            .filter(|&agent| !world.meets[agent])
            .map(|agent| worlds.step(&world, agent))
            .collect();
        steps.extend((0..world.copies.len()).map(|index| worlds.flies(&world, index)));
        let mut moved = false;
        for step in steps {
            match step {
                Ok(next) => {
                    moved |= !next.is_empty();
                    open.extend(next);
                }
                Err(Over::NotSimulated) => return None,
                Err(Over::Broken(rule)) => {
                    (moved, ends) = (true, true);
                    worlds.broken.insert(rule);
                }
            }
        }
        if moved {
            continue;
        }
        finished |= live.clone().next().is_none();
        for agent in live {
            stuck = true;
            worlds.broken.insert(match world.meets[agent] {
                true => "ptx.bar.never-completes",
                false => "ptx.mbarrier.never-completes",
            });
        }
    }
    let class = |rule: &&str| match *rule {
        "ptx.mbarrier.never-completes" | "ptx.bar.never-completes" => 1,
        "ptx.async-copy.access" | "mem.race" => 2,
        "ptx.mbarrier.missing-wait" | "ptx.mbarrier.over-arrival" | "ptx.mbarrier.phase-window" => {
            3
        }
        _ => 4,
    };
    let verdict = worlds.broken.iter().map(class).max().unwrap_or(0);
    Some(Outcome { verdict, broken: worlds.broken, everywhere: stuck && !finished, ends })
}
