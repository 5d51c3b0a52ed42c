//! States as short byte strings.

use super::Machine;
use super::memory::{Clock, Fenced, Groups, Knowledge, Made, Memory, Scheduled, Who};
use super::state::{At, Bar, Copy, Held, State, Token, Votes};
use crate::leb128::{put, put_signed, take, take_signed};
use crate::mem::operation::Range;
use crate::operation::Alike;
use crate::ptx::bar::BARS;
use crate::ptx::cluster::arrive_once::Standing;
use crate::ptx::object::Mbarrier;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Machine {
    /// Writes a state to the end of `out`.
    pub fn pack(&self, state: &State, out: &mut Vec<u8>) {
        put(out, state.broken << 1 | u64::from(state.stopped));
        state.agents.iter().for_each(|at| put_agent(out, at));
        state.mbarriers.iter().for_each(|object| put_mbarrier(out, *object));
        let used = state.bars.iter().enumerate().filter(|(_, bar)| **bar != Bar::default());
        put(out, used.clone().count() as u64);
        for (index, bar) in used {
            put(out, index as u64);
            put_bar(out, *bar);
        }
        put(out, state.copies.len() as u64);
        state.copies.iter().for_each(|copy| put_copy(out, *copy));
        if let Some(memory) = &state.memory {
            put_memory(out, memory);
        }
    }

    /// Reads a state of this program that [`Machine::pack`] wrote.
    #[must_use]
    pub fn unpack(&self, bytes: &[u8]) -> State {
        let mut rest = bytes;
        let head = take(&mut rest);
        let program = &self.context.program;
        let ctas = program.launch.workgroups as usize;
        let agents = (0..program.agents.len()).map(|_| take_agent(&mut rest)).collect();
        let mbarriers =
            (0..ctas * program.mbarriers.len()).map(|_| take_mbarrier(&mut rest)).collect();
        let mut bars = alloc::vec![Bar::default(); ctas * BARS];
        for _ in 0..take(&mut rest) {
            let index = take(&mut rest) as usize;
            let bar = take_bar(&mut rest);
            if let Some(at) = bars.get_mut(index) {
                *at = bar;
            }
        }
        let copies = (0..take(&mut rest)).map(|_| take_copy(&mut rest)).collect();
        let memory = self.tracked.then(|| Box::new(take_memory(&mut rest)));
        State { agents, mbarriers, bars, copies, memory, broken: head >> 1, stopped: head & 1 != 0 }
    }
}

fn put_agent(out: &mut Vec<u8>, at: &At) {
    let held = match at.held {
        Held::Free => 0,
        Held::Gathering => 1,
        Held::Warp => 2,
        Held::Forever => 3,
        Held::Bar(id) => 4 + u64::from(id),
    };
    let more = at.held != Held::Free
        || at.bars != 0
        || at.cluster != Standing::Away
        || !at.tokens.is_empty();
    put(out, u64::from(at.node) << 2 | u64::from(more) << 1 | u64::from(at.ended));
    if !more {
        return;
    }
    put(out, held);
    put(out, u64::from(at.bars));
    put(out, (at.tokens.len() as u64) << 2 | at.cluster as u64);
    for token in &at.tokens {
        match token {
            None => put(out, 0),
            Some(Token { object, phase, no_complete, count }) => {
                put(out, (u64::from(*object) << 1 | u64::from(*no_complete)) + 1);
                put(out, u64::from(*phase));
                put(out, count.map_or(0, |count| u64::from(count) + 1));
            }
        }
    }
}

fn take_agent(rest: &mut &[u8]) -> At {
    let head = take(rest);
    let mut at = At { node: (head >> 2) as u32, ended: head & 1 != 0, ..At::default() };
    if head & 2 == 0 {
        return at;
    }
    at.held = match take(rest) {
        0 => Held::Free,
        1 => Held::Gathering,
        2 => Held::Warp,
        3 => Held::Forever,
        id => Held::Bar((id - 4) as u8),
    };
    at.bars = take(rest) as u16;
    let count = take(rest);
    at.cluster = match count & 3 {
        0 => Standing::Away,
        1 => Standing::Arrived,
        _ => Standing::Released,
    };
    at.tokens = (0..count >> 2).map(|_| take_token(rest)).collect();
    at
}

fn take_token(rest: &mut &[u8]) -> Option<Token> {
    let head = take(rest).checked_sub(1)?;
    let phase = take(rest) as u32;
    let count = take(rest).checked_sub(1).map(|count| count as u32);
    Some(Token { object: (head >> 1) as u32, phase, no_complete: head & 1 != 0, count })
}

fn put_mbarrier(out: &mut Vec<u8>, object: Mbarrier) {
    if object == Mbarrier::default() {
        return out.push(0);
    }
    let usual = object.tx == 0;
    put(
        out,
        u64::from(object.phase) << 4
            | u64::from(usual) << 3
            | u64::from(object.observed) << 2
            | u64::from(object.valid) << 1
            | 1,
    );
    put_signed(out, i64::from(object.pending));
    put_signed(out, i64::from(object.expected));
    if !usual {
        put_signed(out, i64::from(object.tx));
    }
}

fn take_mbarrier(rest: &mut &[u8]) -> Mbarrier {
    let head = take(rest);
    if head == 0 {
        return Mbarrier::default();
    }
    let (pending, expected) = (take_signed(rest) as i32, take_signed(rest) as i32);
    Mbarrier {
        valid: head & 2 != 0,
        phase: (head >> 4) as u32,
        pending,
        expected,
        tx: if head & 8 != 0 { 0 } else { take_signed(rest) as i32 },
        observed: head & 4 != 0,
    }
}

fn put_bar(out: &mut Vec<u8>, bar: Bar) {
    put(out, u64::from(bar.arrived));
    put(out, bar.threads.map_or(0, |threads| u64::from(threads) + 1));
    put(out, bar.site.map_or(0, |site| u64::from(site) + 1));
    out.push(bar.red.map_or(2, u8::from));
    let Votes { yes, no, unknown } = bar.votes;
    [yes, no, unknown].into_iter().for_each(|votes| put(out, u64::from(votes)));
}

fn take_bar(rest: &mut &[u8]) -> Bar {
    let arrived = take(rest) as u32;
    let threads = take(rest).checked_sub(1).map(|threads| threads as u32);
    let site = take(rest).checked_sub(1).map(|site| site as u32);
    let red = match take(rest) {
        2 => None,
        red => Some(red == 1),
    };
    let mut votes = || take(rest) as u32;
    let votes = Votes { yes: votes(), no: votes(), unknown: votes() };
    Bar { arrived, threads, red, site, votes }
}

fn put_copy(out: &mut Vec<u8>, copy: Copy) {
    put(out, u64::from(copy.object));
    put(out, copy.left.map_or(0, |left| u64::from(left) + 1));
    put(out, u64::from(copy.agent));
    put(out, u64::from(copy.node));
}

fn take_copy(rest: &mut &[u8]) -> Copy {
    let object = take(rest) as u32;
    let left = take(rest).checked_sub(1).map(|left| left as u32);
    Copy { object, left, agent: take(rest) as u32, node: take(rest) as u32 }
}

fn put_list<T>(out: &mut Vec<u8>, list: &[T], mut each: impl FnMut(&mut Vec<u8>, &T)) {
    put(out, list.len() as u64);
    list.iter().for_each(|item| each(out, item));
}

fn take_list<T>(rest: &mut &[u8], mut each: impl FnMut(&mut &[u8]) -> T) -> Vec<T> {
    (0..take(rest)).map(|_| each(rest)).collect()
}

/// A type with a usual value at launch and in most states.
trait Usual: Default {
    /// Whether it has its value at launch. Called for every agent of every state.
    fn is_usual(&self) -> bool;
}

impl Usual for Clock {
    fn is_usual(&self) -> bool {
        self.times.is_empty() && self.events.is_empty()
    }
}

impl<T: Usual, const N: usize> Usual for [T; N]
where
    Self: Default,
{
    fn is_usual(&self) -> bool {
        self.iter().all(Usual::is_usual)
    }
}

impl Usual for Fenced {
    fn is_usual(&self) -> bool {
        self.released.is_usual() && self.seen.is_usual()
    }
}

impl Usual for Groups {
    fn is_usual(&self) -> bool {
        self.open.is_empty() && self.groups.is_empty() && self.before.is_usual()
    }
}

impl Usual for Knowledge {
    fn is_usual(&self) -> bool {
        self.near.is_usual() && self.far.is_usual()
    }
}

impl Usual for Option<u64> {
    fn is_usual(&self) -> bool {
        self.is_none()
    }
}

/// Writes only the elements that differ from launch, with their indices.
fn put_sparse<T: Usual>(out: &mut Vec<u8>, list: &[T], mut each: impl FnMut(&mut Vec<u8>, &T)) {
    let used = list.iter().enumerate().filter(|(_, item)| !item.is_usual());
    put(out, used.clone().count() as u64);
    for (index, item) in used {
        put(out, index as u64);
        each(out, item);
    }
}

fn take_sparse<T: Usual + Clone>(
    rest: &mut &[u8],
    length: usize,
    mut each: impl FnMut(&mut &[u8]) -> T,
) -> Vec<T> {
    let mut list = alloc::vec![T::default(); length];
    for _ in 0..take(rest) {
        let index = take(rest) as usize;
        let item = each(rest);
        if let Some(at) = list.get_mut(index) {
            *at = item;
        }
    }
    list
}

fn put_events(out: &mut Vec<u8>, events: &[u64]) {
    put_list(out, events, |out, &event| put(out, event));
}

fn take_events(rest: &mut &[u8]) -> Vec<u64> {
    take_list(rest, take)
}

fn put_clock(out: &mut Vec<u8>, clock: &Clock) {
    put_list(out, &clock.times, |out, &time| put(out, u64::from(time)));
    put_events(out, &clock.events);
}

fn take_clock(rest: &mut &[u8]) -> Clock {
    let times = Rc::new(take_list(rest, |rest| take(rest) as u32));
    Clock { times, events: Rc::new(take_events(rest)) }
}

fn put_clocks(out: &mut Vec<u8>, clocks: &[Clock; 2]) {
    clocks.iter().for_each(|clock| put_clock(out, clock));
}

fn take_clocks(rest: &mut &[u8]) -> [Clock; 2] {
    [take_clock(rest), take_clock(rest)]
}

fn put_groups(out: &mut Vec<u8>, groups: &[Groups; 3]) {
    for groups in groups {
        put_events(out, &groups.open);
        put_list(out, &groups.groups, |out, group| put_events(out, group));
        put_clock(out, &groups.before);
    }
}

fn take_groups(rest: &mut &[u8]) -> [Groups; 3] {
    [(); 3].map(|()| {
        let (open, groups) = (take_events(rest), take_list(rest, take_events));
        Groups { open, groups, before: take_clock(rest) }
    })
}

fn put_made(out: &mut Vec<u8>, made: &Made) {
    let alike = made.alike.pack();
    put(out, alike << 17 | u64::from(made.range.buffer) << 1 | u64::from(made.write));
    put(out, u64::from(made.range.start));
    put(out, u64::from(made.range.end));
    put(out, u64::from(made.place));
    match made.who {
        Who::Agent(agent, time) => {
            put(out, u64::from(agent) + 1);
            put(out, u64::from(time));
        }
        Who::Copy(event) => {
            put(out, 0);
            put(out, event);
        }
    }
}

fn take_made(rest: &mut &[u8]) -> Made {
    let head = take(rest);
    let range =
        Range { buffer: (head >> 1) as u16, start: take(rest) as u32, end: take(rest) as u32 };
    let place = take(rest) as u32;
    let who = match take(rest) {
        0 => Who::Copy(take(rest)),
        agent => Who::Agent((agent - 1) as u32, take(rest) as u32),
    };
    let alike = Alike::unpack(head >> 17);
    Made { range, place, write: head & 1 != 0, alike, who }
}

fn put_memory(out: &mut Vec<u8>, memory: &Memory) {
    put_list(out, &memory.clocks, put_clock);
    put_sparse(out, &memory.fenced, |out, fenced| {
        put_clocks(out, &fenced.released);
        put_clocks(out, &fenced.seen);
    });
    put_sparse(out, &memory.groups, put_groups);
    put_list(out, &memory.scheduled, |out, scheduled| {
        put(out, u64::from(scheduled.agent));
        put(out, u64::from(scheduled.node));
        put(out, u64::from(scheduled.object));
        put_clock(out, &scheduled.completes);
    });
    put(out, memory.objects.len() as u64);
    put_sparse(out, &memory.objects, |out, knowledge| {
        put_clocks(out, &knowledge.near);
        put_clocks(out, &knowledge.far);
    });
    put_sparse(out, &memory.inits, |out, init| put(out, init.unwrap_or(0)));
    put(out, memory.bars.len() as u64);
    put_sparse(out, &memory.bars, put_clock);
    put_list(out, &memory.clusters, put_clocks);
    put_list(out, &memory.made, put_made);
}

fn take_memory(rest: &mut &[u8]) -> Memory {
    let clocks: Vec<Clock> = take_list(rest, take_clock);
    let agents = clocks.len();
    let fenced = |rest: &mut &[u8]| Fenced { released: take_clocks(rest), seen: take_clocks(rest) };
    let fenced = take_sparse(rest, agents, fenced);
    let groups = take_sparse(rest, agents, take_groups);
    let scheduled = take_list(rest, |rest| {
        let (agent, node, object) = (take(rest) as u32, take(rest) as u32, take(rest) as u32);
        Scheduled { agent, node, object, completes: take_clock(rest) }
    });
    let count = take(rest) as usize;
    let knowledge =
        |rest: &mut &[u8]| Knowledge { near: take_clocks(rest), far: take_clocks(rest) };
    let objects = take_sparse(rest, count, knowledge);
    let inits = take_sparse(rest, count, |rest| Some(take(rest)));
    let count = take(rest) as usize;
    let bars = take_sparse(rest, count, take_clock);
    let clusters = take_list(rest, take_clocks);
    let made = Rc::new(take_list(rest, take_made));
    Memory { clocks, fenced, groups, scheduled, objects, inits, bars, clusters, made }
}
