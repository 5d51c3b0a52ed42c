//! A direct simulation of small programs: every interleaving, with nothing but numbers.

use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;

/// A value of the simulation: plain numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Arrive(usize),
    Drop(usize),
    Expect(usize, i64),
    Complete(usize, i64),
    ArriveExpect(usize, i64),
    /// Object, parity.
    Wait(usize, bool),
    /// The same with `test_wait` and no loop.
    Test(usize, bool),
    Copy(usize, i64),
    Sync(usize, u32),
    BarArrive(usize, u32),
    /// An arrive that keeps its token; whether it must not complete the phase.
    Keep(usize, bool),
    /// A wait for the phase of the token that was kept last at the object.
    WaitKept(usize),
    /// `pending_count` of that token, into the register of that object.
    Count(usize),
    /// A reduction that counts a predicate, into the third register.
    Red(usize, u32, bool),
    /// Leaves out the next operation where a register holds so much or more.
    Skip(usize, u32),
    Inval(usize),
    Init(usize),
    /// An arrive, or a wait, at the object of the other CTA of the cluster.
    Remote(usize),
    RemoteWait(usize),
    ClusterArrive,
    ClusterWait,
}

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn op(&mut self, warps: u32) -> Op {
        let object = self.below(2) as usize;
        let bytes = 16 * (1 + self.below(2) as i64);
        let parity = self.below(3) == 0;
        match self.below(21) {
            16..18 => return self.kept(object),
            18 => return [Op::ClusterArrive, Op::ClusterWait][self.below(2) as usize],
            19 => {
                let rare = [Op::Inval(object), Op::Init(object), Op::RemoteWait(object)];
                return rare[self.below(3) as usize];
            }
            20 => return Op::Remote(object),
            _ => {}
        }
        match self.below(16) {
            0..5 => Op::Arrive(object),
            5..9 => Op::Wait(object, parity),
            9 => Op::ArriveExpect(object, bytes),
            10 => Op::Copy(object, bytes),
            11 => [Op::Expect(object, bytes), Op::Complete(object, bytes)][self.below(2) as usize],
            12 => Op::Test(object, parity),
            13 => Op::Drop(object),
            14 => Op::BarArrive(object, 64),
            15 if self.below(2) == 0 => Op::Red(object, 64, self.below(2) == 0),
            _ => Op::Sync(object, if self.below(4) == 0 { 32 * warps } else { 64 }),
        }
    }
}

impl Random {
    fn kept(&mut self, object: usize) -> Op {
        match self.below(6) {
            0..2 => Op::Keep(object, false),
            2 => Op::Keep(object, true),
            3 => Op::Count(object),
            _ => Op::WaitKept(object),
        }
    }

    /// A program of CTA barriers, with any count, which may end before it reaches one.
    pub(super) fn barriers(&mut self, warps: u32) -> Vec<Op> {
        let op = |random: &mut Self| {
            let bar = random.below(2) as usize;
            let common = if random.below(3) == 0 { 64 } else { 32 * warps };
            let any = 32 * (1 + random.below(u64::from(warps) + 1) as u32);
            let threads = if random.below(4) == 0 { any } else { common };
            match random.below(9) {
                0..3 => Op::BarArrive(bar, threads),
                3 => Op::Red(bar, threads, random.below(2) == 0),
                _ => Op::Sync(bar, threads),
            }
        };
        (0..self.below(4)).map(|_| op(self)).collect()
    }

    /// A program in which a token is read only after an arrive that keeps one there.
    pub(super) fn program(&mut self, warps: u32, ctas: usize) -> Vec<Op> {
        let mut kept = [false; 2];
        let mut program = Vec::new();
        let length = 1 + self.below(4) as usize;
        while program.len() < length {
            let op = match self.op(warps) {
                Op::WaitKept(object) | Op::Count(object) if !kept[object] => {
                    Op::Keep(object, false)
                }
                Op::Remote(object) | Op::RemoteWait(object) if ctas == 1 => Op::Arrive(object),
                op => op,
            };
            if let Op::Keep(object, _) = op {
                kept[object] = true;
            }
            program.push(op);
            // These operations determine the next one.
            match op {
                Op::Count(object) => program.push(Op::Skip(object, 1 + self.below(2) as u32)),
                Op::Red(..) => program.push(Op::Skip(2, 32 * (1 + self.below(2) as u32))),
                _ => {}
            }
        }
        program
    }
}

/// One mbarrier object: phase, pending, expected, bytes, and whether the phase before was observed.
pub(super) type Object = (u32, i64, i64, i64, bool);
/// One barrier: the arrived agents in order, and the count.
pub(super) type Generation = (Vec<usize>, u32);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct World {
    pub(super) at: Vec<usize>,
    pub(super) held: Vec<Option<usize>>,
    /// Two of each CTA.
    pub(super) objects: Vec<Object>,
    pub(super) valid: Vec<bool>,
    pub(super) bars: Vec<Generation>,
    /// By agent and object of its CTA: the phase of a token, and whether its arrive must not complete one.
    pub(super) tokens: Vec<[Option<(u32, bool, i64)>; 2]>,
    /// By agent the registers that hold numbers.
    pub(super) numbers: Vec<[i64; 3]>,
    /// By barrier whether it is a reduction, and whose predicate holds there.
    pub(super) votes: Vec<(Option<bool>, i64)>,
    /// The state of each agent at the cluster barrier: away, arrived, released.
    pub(super) cluster: Vec<u8>,
    /// Agents that wait there without having arrived.
    pub(super) forever: OrderedSet<usize>,
    /// Bytes in flight and the object that they complete.
    pub(super) flying: Vec<(usize, i64)>,
    pub(super) broken: OrderedSet<&'static str>,
    pub(super) over: bool,
}

pub(super) struct Simulation<'a> {
    pub(super) programs: &'a [Vec<Op>],
    pub(super) strict: bool,
    /// Whether a barrier with a count below the CTA's does not wait for warps that ended.
    pub(super) discounted: bool,
    pub(super) ctas: usize,
}

impl Simulation<'_> {
    fn settle(object: &mut Object) {
        if object.1 == 0 && object.3 == 0 {
            *object = (object.0 + 1, object.2, object.2, 0, false);
        }
    }

    fn cta(&self, agent: usize) -> usize {
        agent / (self.programs.len() / self.ctas)
    }

    /// The object that an operation of an agent names; `None` where it names none.
    fn named(&self, agent: usize, op: Op) -> Option<usize> {
        let own = 2 * self.cta(agent);
        match op {
            Op::Arrive(object)
            | Op::Drop(object)
            | Op::Expect(object, _)
            | Op::Complete(object, _)
            | Op::ArriveExpect(object, _)
            | Op::Wait(object, _)
            | Op::Test(object, _)
            | Op::Copy(object, _)
            | Op::Keep(object, _)
            | Op::WaitKept(object)
            | Op::Inval(object)
            | Op::Init(object) => Some(own + object),
            Op::Remote(object) | Op::RemoteWait(object) => Some(2 - own + object),
            Op::Count(_)
            | Op::Red(..)
            | Op::Skip(..)
            | Op::Sync(..)
            | Op::BarArrive(..)
            | Op::ClusterArrive
            | Op::ClusterWait => None,
        }
    }

    /// The error that ends the execution before the operation has an effect.
    fn refused(&self, world: &World, agent: usize, op: Op) -> Option<&'static str> {
        let object = self.named(agent, op);
        let valid = object.is_none_or(|object| world.valid[object]);
        match op {
            Op::RemoteWait(_) => Some("ptx.mbarrier.remote-operation"),
            Op::Init(_) if valid => Some("ptx.mbarrier.init-on-valid"),
            Op::Count(object) => match world.tokens[agent][object] {
                Some((_, true, _)) => None,
                _ => Some("ptx.mbarrier.pending-count-token"),
            },
            _ if !valid => Some("ptx.mbarrier.valid-object"),
            Op::Remote(_) if self.left(world, 1 - self.cta(agent)) => {
                Some("ptx.cluster.exited-cta")
            }
            Op::Keep(_, true) => {
                let it = world.objects[object?];
                (it.1 == 1 && it.3 == 0).then_some("ptx.mbarrier.no-complete")
            }
            _ => None,
        }
    }

    /// The cluster barrier completes when every live agent has arrived.
    fn settle_cluster(&self, world: &mut World) {
        let live: Vec<usize> =
            (0..world.at.len()).filter(|&agent| !self.ended(world, agent)).collect();
        if live.iter().all(|&agent| world.cluster[agent] == 1) {
            live.iter().for_each(|&agent| world.cluster[agent] = 2);
        }
    }

    fn arrive(&self, world: &mut World, object: usize, bytes: i64, drop: bool) {
        let mut it = world.objects[object];
        // The expected count goes down before the arrival.
        it.2 -= i64::from(drop);
        if drop && it.2 == 0 {
            world.broken.insert("ptx.mbarrier.drop-to-zero");
            world.over = true;
            return;
        }
        if it.1 < 1 {
            world.broken.insert("ptx.mbarrier.over-arrival");
            world.over = true;
            return;
        }
        if self.strict && !it.4 {
            world.broken.insert("ptx.mbarrier.missing-wait");
        }
        it.3 += bytes;
        it.1 -= 1;
        Self::settle(&mut it);
        world.objects[object] = it;
    }

    /// An arrival at a barrier; with a predicate at a reduction.
    fn bar(
        &self,
        world: &mut World,
        agent: usize,
        (bar, threads, waits): (usize, u32, bool),
        predicate: Option<bool>,
    ) {
        let (red, yes) = &mut world.votes[bar];
        if *red == Some(predicate.is_none()) {
            world.broken.insert("ptx.bar.red-mix");
            world.over = true;
            return;
        }
        *red = Some(predicate.is_some());
        *yes += 32 * i64::from(predicate == Some(true));
        let (arrived, count) = &mut world.bars[bar];
        if arrived.contains(&agent) {
            world.broken.insert("ptx.bar.double-arrive");
        }
        if !arrived.is_empty() && *count != threads {
            world.broken.insert("ptx.bar.count-mismatch");
            world.over = true;
            return;
        }
        *count = threads;
        arrived.push(agent);
        if waits {
            world.held[agent] = Some(bar);
        } else {
            world.at[agent] += 1;
        }
        if arrived.len() as u32 * 32 >= threads {
            self.release(world, bar);
        }
    }

    fn release(&self, world: &mut World, bar: usize) {
        world.bars[bar] = (Vec::new(), 0);
        let (_, yes) = core::mem::take(&mut world.votes[bar]);
        for agent in 0..world.at.len() {
            if self.cta(agent) == bar / 2 && world.held[agent] == Some(bar) {
                world.held[agent] = None;
                if matches!(self.programs[agent].get(world.at[agent]), Some(Op::Red(..))) {
                    world.numbers[agent][2] = yes;
                }
                world.at[agent] += 1;
            }
        }
    }

    fn left(&self, world: &World, cta: usize) -> bool {
        (0..world.at.len()).filter(|&agent| self.cta(agent) == cta).all(|at| self.ended(world, at))
    }

    fn ended(&self, world: &World, agent: usize) -> bool {
        world.at[agent] > self.programs[agent].len()
    }

    /// Barriers at which only warps that ended are missing: those that count the whole CTA, with `discounted` all.
    fn discount(&self, world: &mut World, cta: usize) {
        let warps = self.programs.len() / self.ctas;
        let own = cta * warps..(cta + 1) * warps;
        for bar in 2 * cta..2 * cta + 2 {
            let (arrived, count) = &world.bars[bar];
            let blocked = own.clone().any(|agent| world.held[agent] == Some(bar));
            let away = own.clone().filter(|agent| !arrived.contains(agent));
            let gone = away.clone().filter(|&agent| self.ended(world, agent)).count();
            let enough = 32 * (arrived.len() + gone) as u32 >= *count;
            let counts = self.discounted || *count == 32 * warps as u32;
            if blocked && counts && enough && gone > 0 && gone == away.count() {
                self.release(world, bar);
            }
        }
    }

    /// Every world one step further.
    fn next(&self, world: &World) -> Vec<World> {
        let mut all = Vec::new();
        if world.over {
            return all;
        }
        for agent in 0..world.at.len() {
            let stands = world.held[agent].is_some() || world.forever.contains(&agent);
            if !self.ended(world, agent) && !stands {
                all.extend(self.step(world, agent));
            }
        }
        for index in 0..world.flying.len() {
            let (object, left) = world.flying[index];
            // Copies move 16 bytes at a time.
            for bytes in (1..=left / 16).map(|chunk| chunk * 16) {
                let mut next = world.clone();
                next.flying[index].1 -= bytes;
                if next.flying[index].1 == 0 {
                    next.flying.remove(index);
                }
                next.objects[object].3 -= bytes;
                Self::settle(&mut next.objects[object]);
                next.flying.sort_unstable();
                all.push(next);
            }
        }
        all
    }

    fn step(&self, world: &World, agent: usize) -> Option<World> {
        let mut next = world.clone();
        let Some(&op) = self.programs[agent].get(world.at[agent]) else {
            next.at[agent] += 1;
            let cta = self.cta(agent);
            self.discount(&mut next, cta);
            self.settle_cluster(&mut next);
            let flies = next.flying.iter().any(|&(object, _)| object / 2 == cta);
            let all = self.left(&next, cta);
            if all && next.bars[2 * cta..2 * cta + 2].iter().any(|bar| !bar.0.is_empty()) {
                next.broken.insert("ptx.bar.leftover");
            }
            if all && flies {
                next.broken.insert("ptx.async-copy.outstanding-at-exit");
                next.over = true;
            }
            return Some(next);
        };
        if let Some(rule) = self.refused(world, agent, op) {
            next.broken.insert(rule);
            next.over = true;
            return Some(next);
        }
        let named = self.named(agent, op).unwrap_or(0);
        match op {
            Op::Keep(kept, no_complete) => {
                let (phase, pending, ..) = next.objects[named];
                self.arrive(&mut next, named, 0, false);
                next.tokens[agent][kept] = Some((phase, no_complete, pending));
            }
            Op::WaitKept(kept) => {
                let (phase, ..) = world.tokens[agent][kept]?;
                let running = world.objects[named].0;
                if running <= phase {
                    return None;
                }
                if running > phase + 1 {
                    next.broken.insert("ptx.mbarrier.phase-window");
                }
                next.objects[named].4 = true;
            }
            Op::Inval(_) => next.valid[named] = false,
            Op::Remote(_) => self.arrive(&mut next, named, 0, false),
            Op::Init(_) | Op::RemoteWait(_) => {}
            Op::Count(kept) => next.numbers[agent][kept] = world.tokens[agent][kept]?.2,
            Op::Skip(register, least) => {
                let skips = world.numbers[agent][register] >= i64::from(least);
                next.at[agent] += usize::from(skips);
                // If nothing is left to skip, the agent ends as usual.
                next.at[agent] = next.at[agent].min(self.programs[agent].len() - 1);
            }
            Op::ClusterArrive if world.cluster[agent] > 0 => {
                next.broken.insert("ptx.cluster.arrive-once");
                next.at[agent] += 1;
                self.settle_cluster(&mut next);
                return Some(next);
            }
            Op::ClusterArrive => {
                next.cluster[agent] = 1;
                self.settle_cluster(&mut next);
            }
            Op::ClusterWait => match world.cluster[agent] {
                0 => {
                    next.broken.insert("ptx.cluster.arrive-once");
                    next.forever.insert(agent);
                    return Some(next);
                }
                1 => return None,
                _ => next.cluster[agent] = 0,
            },
            Op::Wait(_, parity) | Op::Test(_, parity) => {
                let object = named;
                let passes = (world.objects[object].0 % 2 == 1) != parity;
                if !passes && matches!(op, Op::Wait(..)) {
                    return None;
                }
                if passes && world.objects[object].0 == 0 {
                    next.broken.insert("ptx.mbarrier.first-parity");
                }
                next.objects[object].4 |= passes && world.objects[object].0 > 0;
            }
            Op::Arrive(_) => self.arrive(&mut next, named, 0, false),
            Op::Drop(_) => self.arrive(&mut next, named, 0, true),
            Op::ArriveExpect(_, bytes) => self.arrive(&mut next, named, bytes, false),
            Op::Expect(_, bytes) => {
                let it = &mut next.objects[named];
                it.3 += bytes;
                if it.3 == 0 && it.1 == 0 {
                    next.broken.insert("ptx.mbarrier.late-expect-tx");
                }
            }
            Op::Complete(_, bytes) => {
                next.objects[named].3 -= bytes;
                Self::settle(&mut next.objects[named]);
            }
            Op::Copy(_, bytes) => {
                next.flying.push((named, bytes));
                next.flying.sort_unstable();
            }
            Op::Sync(bar, threads) | Op::BarArrive(bar, threads) => {
                let cta = self.cta(agent);
                let waits = matches!(op, Op::Sync(..));
                self.bar(&mut next, agent, (2 * cta + bar, threads, waits), None);
                self.discount(&mut next, cta);
                return Some(next);
            }
            Op::Red(bar, threads, predicate) => {
                let cta = self.cta(agent);
                let came = (2 * cta + bar, threads, true);
                self.bar(&mut next, agent, came, Some(predicate));
                self.discount(&mut next, cta);
                return Some(next);
            }
        }
        next.at[agent] += 1;
        Some(next)
    }

    /// Every rule that some execution breaks; `None` where there are too many worlds.
    pub(super) fn run(&self, first: World) -> Option<OrderedSet<&'static str>> {
        let (mut seen, mut stack, mut broken) =
            (OrderedSet::new(), alloc::vec![first], OrderedSet::new());
        while let Some(world) = stack.pop() {
            // Objects that are initialised again, and bytes for invalid objects, are not simulated.
            let lost = world.flying.iter().any(|&(object, _)| !world.valid[object]);
            let again = (0..world.at.len()).any(|agent| {
                let op = self.programs[agent].get(world.at[agent]);
                let object = op.and_then(|&op| self.named(agent, op));
                matches!(op, Some(Op::Init(_))) && object.is_some_and(|object| !world.valid[object])
            });
            if seen.len() > 40_000 || lost || again {
                return None;
            }
            let next = self.next(&world);
            if next.is_empty() && !world.over {
                for agent in (0..world.at.len()).filter(|&agent| !self.ended(&world, agent)) {
                    let op = self.programs[agent].get(world.at[agent]);
                    let at_bar = world.held[agent].is_some() || matches!(op, Some(Op::ClusterWait));
                    broken.insert(match at_bar {
                        true => "ptx.bar.never-completes",
                        false => "ptx.mbarrier.never-completes",
                    });
                }
            }
            broken.extend(world.broken.iter().copied());
            stack.extend(next.into_iter().filter(|next| seen.insert(next.clone())));
        }
        Some(broken)
    }
}
