//! Happens-before of one run, as vector clocks, and the conditions of the theorem of [`super`].
//!
//! A clock has one lane for each agent, the number of its touches that happen before, and one lane for each object, the
//! number of its phases on which a wait happens before. Both only grow, so one lane-wise maximum merges all knowledge.

use super::touch::{Part, Passes, Touch};
use alloc::vec::Vec;

/// A condition that a run does not keep, or a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unordered;

/// Whether a condition is kept.
pub type Kept = Result<(), Unordered>;

/// The maximum number of lanes of all clocks together.
const MOST_LANES: usize = 1 << 22;

/// The maximum number of bytes that a phase expects and completes: in every order, the difference is in the range of a
/// tx-count.
const MOST_BYTES: u64 = (1 << 20) - 1;

fn need(condition: bool) -> Kept {
    if condition { Ok(()) } else { Err(Unordered) }
}

/// Raises each lane to that of another clock.
fn merge(into: &mut [u16], other: &[u16]) {
    into.iter_mut().zip(other).for_each(|(lane, other)| *lane = (*lane).max(*other));
}

/// Whether every lane of `clock` is at least that of `other`.
fn covers(clock: &[u16], other: &[u16]) -> bool {
    clock.iter().zip(other).fold(true, |all, (lane, other)| all & (lane >= other))
}

/// The phases of an object that the conditions compare.
#[derive(Clone, Debug, Default)]
struct Object {
    /// Arrivals that complete a phase.
    needed: u32,
    /// Completed phases.
    done: u32,
    /// Completed phases at the last reset after which earlier phases are forgotten.
    fresh: u32,
    /// The open phase.
    open: Phase,
    /// The last completed phase.
    last: Phase,
    /// By agent: its last wait, and its last change of membership.
    seen: Vec<u16>,
    /// By agent: its last touch that a reset must be ordered with.
    touched: Vec<u16>,
    /// By agent: the completed phases at its last change of membership.
    base: Vec<u16>,
    /// By agent: one more than the phase of its last wait.
    used: Vec<u16>,
    /// The last touch that is ordered with every other.
    whole: Option<(usize, u16)>,
    /// Agents that the open phase holds.
    held: Vec<usize>,
    /// One more than the last phase in which a copy participated.
    flown: u32,
    /// One more than the last phase that a wait depends on.
    waited: u32,
    /// Whether no phase can complete any more.
    closed: bool,
}

#[derive(Clone, Debug, Default)]
struct Phase {
    /// By agent: its last participation.
    parts: Vec<u16>,
    /// What happens before the completion.
    known: Vec<u16>,
    /// What happens before some arrival.
    arrived: Vec<u16>,
    /// By agent: when it last expected bytes.
    expecting: Vec<u16>,
    /// By agent: its last arrive, if the place of a drop among the arrives matters.
    signals: Vec<u16>,
    /// By agent: its last drop before the first arrive, if that place matters.
    leading: Vec<u16>,
    count: u64,
    fewer: u32,
    expects: u64,
    completes: u64,
    arrivals: bool,
    /// Whether `leading` has an entry.
    leads: bool,
    keeps: bool,
    flown: bool,
}

impl Phase {
    fn empty(agents: usize, lanes: usize) -> Self {
        let [parts, expecting] = [0, 0].map(|zero| alloc::vec![zero; agents]);
        let [signals, leading] = [0, 0].map(|zero| alloc::vec![zero; agents]);
        let [known, arrived] = [0, 0].map(|zero| alloc::vec![zero; lanes]);
        Self { parts, known, arrived, expecting, signals, leading, ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        self.count == 0 && self.expects == 0 && self.completes == 0
    }

    fn clear(&mut self) {
        let Self { parts, known, arrived, expecting, signals, leading, .. } = core::mem::take(self);
        let mut all = [parts, known, arrived, expecting, signals, leading];
        all.iter_mut().for_each(|lanes| lanes.fill(0));
        let [parts, known, arrived, expecting, signals, leading] = all;
        *self = Self { parts, known, arrived, expecting, signals, leading, ..Self::default() };
    }
}

/// The clocks of a run.
#[derive(Clone, Debug)]
pub struct Order {
    agents: usize,
    lanes: usize,
    clocks: Vec<u16>,
    objects: Vec<Object>,
}

impl Order {
    /// No step yet; `needed` are the arrivals that complete a phase of each object. `None` if the clocks are too large.
    #[must_use]
    pub fn new(agents: usize, needed: &[u32]) -> Option<Self> {
        let lanes = agents + needed.len();
        let most = agents.max(3 * needed.len()).saturating_mul(lanes);
        let object = |&needed: &u32| {
            let [seen, touched, base, used] = [0; 4].map(|zero: u16| alloc::vec![zero; agents]);
            let [open, last] = [(); 2].map(|()| Phase::empty(agents, lanes));
            Object { needed, open, last, seen, touched, base, used, ..Object::default() }
        };
        (most <= MOST_LANES).then(|| Self {
            agents,
            lanes,
            clocks: alloc::vec![0; agents * lanes],
            objects: needed.iter().map(object).collect(),
        })
    }

    /// Completed phases of an object.
    #[must_use]
    pub fn completed(&self, object: usize) -> u32 {
        self.objects[object].done
    }

    /// Whether an object holds an agent.
    #[must_use]
    pub fn holds(&self, object: usize, agent: usize) -> bool {
        self.objects[object].held.contains(&agent)
    }

    /// Adds the next touch of an agent.
    ///
    /// # Errors
    /// If a condition is not kept.
    pub fn add(&mut self, agent: usize, object: usize, touch: Touch) -> Kept {
        let Self { agents, lanes, clocks, objects } = self;
        let clock = &mut clocks[agent * *lanes..(agent + 1) * *lanes];
        let at = objects.get_mut(object).ok_or(Unordered)?;
        let resets = touch != Touch::Member;
        need(!resets || at.whole.is_none_or(|(other, time)| clock[other] >= time))?;
        let now = match touch {
            Touch::Part(Part { flying: true, .. }) => clock[agent],
            _ => clock[agent].checked_add(1).ok_or(Unordered)?,
        };
        let step = Step { agent, now, seat: *agents + object, agents: *agents };
        let done = u16::try_from(at.done).map_err(|_| Unordered)?;
        match touch {
            Touch::Part(part) => at.part(step, clock, done, part)?,
            Touch::Wait(how) => at.wait(step, clock, done, how)?,
            Touch::Member => at.member(step, clock, done)?,
            Touch::Whole { needed, forgets } => at.whole(step, clock, done, needed, forgets)?,
            Touch::Use => {}
            Touch::Close => at.close(step, clock, done)?,
        }
        clock[agent] = now;
        if resets {
            at.touched[agent] = now;
        }
        if let Touch::Part(part) = touch {
            at.join(step, clock, part);
            if at.is_full() {
                return self.complete(object);
            }
        }
        Ok(())
    }

    /// Completes the open phase and releases the agents that it holds.
    fn complete(&mut self, object: usize) -> Kept {
        let Self { agents, lanes, clocks, objects } = self;
        let at = &mut objects[object];
        need(covers(&at.open.arrived[..*agents], &at.open.expecting))?;
        need(at.open.expects.max(at.open.completes) <= MOST_BYTES)?;
        if !at.open.arrivals {
            // Drops without an arrive complete nothing.
            at.closed = true;
            return need(at.held.is_empty());
        }
        need(covers(&at.open.known[..*agents], &at.seen))?;
        at.done += 1;
        need(at.done <= u32::from(u16::MAX))?;
        at.needed = at.needed.checked_sub(at.open.fewer).ok_or(Unordered)?;
        core::mem::swap(&mut at.open, &mut at.last);
        at.open.clear();
        for agent in core::mem::take(&mut at.held) {
            let clock = &mut clocks[agent * *lanes..(agent + 1) * *lanes];
            merge(clock, &at.last.known);
        }
        Ok(())
    }

    /// Whether no phase is left that some order of its operations could complete. If a workgroup `ends`, what a copy does must
    /// happen before: an agent waits for it.
    ///
    /// # Errors
    /// If there may be one.
    pub fn finish(&self, ends: bool) -> Kept {
        let misses = |open: &Phase, needed: u32| {
            let needed = u64::from(needed);
            let bytes = open.expects > open.completes
                && covers(&open.arrived[..self.agents], &open.expecting);
            open.count < needed || open.count == needed && bytes
        };
        let stays_open = |at: &Object| {
            at.closed
                || at.open.is_empty()
                || misses(&at.open, at.needed)
                    && at.open.expects.max(at.open.completes) <= MOST_BYTES
        };
        let lands = |at: &Object| !ends || at.flown <= at.waited;
        need(self.objects.iter().all(|at| stays_open(at) && lands(at)))
    }

    /// Condition B: whether every completion and reset of an object happens before what an agent does next.
    ///
    /// # Errors
    /// If some does not.
    pub fn knows_last(&self, agent: usize, object: usize) -> Kept {
        let at = &self.objects[object];
        let clock = &self.clocks[agent * self.lanes..(agent + 1) * self.lanes];
        let done = u16::try_from(at.done).map_err(|_| Unordered)?;
        let step = Step { agent, now: 0, seat: self.agents + object, agents: self.agents };
        need(at.whole.is_none_or(|(other, time)| clock[other] >= time))?;
        need(at.follows_last(step, clock, done))
    }

    /// Completed phases of an object since its last reset.
    #[must_use]
    pub fn phase(&self, object: usize) -> u32 {
        self.objects[object].done - self.objects[object].fresh
    }

    /// Whether no phase of an object can complete any more.
    #[must_use]
    pub fn is_closed(&self, object: usize) -> bool {
        self.objects[object].closed
    }

    /// Whether an agent participates in the open phase of an object.
    #[must_use]
    pub fn is_part(&self, object: usize, agent: usize) -> bool {
        self.objects[object].open.parts[agent] > 0
    }

    /// Arrivals of the open phase of an object.
    #[must_use]
    pub fn count(&self, object: usize) -> u64 {
        self.objects[object].open.count
    }
}

/// The step that touches an object.
#[derive(Clone, Copy)]
struct Step {
    agent: usize,
    /// The number of the touch among those of its agent.
    now: u16,
    /// The lane of the object.
    seat: usize,
    agents: usize,
}

impl Object {
    /// Condition G: everything of the last completed phase happens before this step.
    fn follows_last(&self, step: Step, clock: &[u16], done: u16) -> bool {
        done == 0
            || clock[step.seat] >= done
            || !self.last.flown && covers(&clock[..step.agents], &self.last.parts)
    }

    fn part(&mut self, step: Step, clock: &[u16], done: u16, part: Part) -> Kept {
        need(!self.closed && self.follows_last(step, clock, done))?;
        need(!part.observed || self.done == self.fresh || clock[step.seat] >= done)?;
        if part.needs > 0 {
            need(self.open.is_empty() || self.needed == part.needs)?;
            self.needed = part.needs;
        }
        let phase = &self.open;
        // Condition D.
        let after_some = |lanes: &[u16]| {
            lanes.iter().zip(clock).any(|(signal, lane)| *signal > 0 && lane >= signal)
        };
        need(!part.follows || !phase.arrivals || after_some(&phase.signals))?;
        need(!(part.arrives && phase.leads) || covers(&clock[..step.agents], &phase.leading))?;
        let keeps = phase.keeps || part.keeps;
        need(!(keeps && (phase.fewer > 0 || part.fewer > 0)))
    }

    fn join(&mut self, step: Step, clock: &[u16], part: Part) {
        let phase = &mut self.open;
        merge(&mut phase.known, clock);
        if part.count > 0 {
            merge(&mut phase.arrived, clock);
        }
        if part.expects > 0 {
            phase.expecting[step.agent] = step.now;
        }
        if part.follows && !phase.arrivals {
            phase.leading[step.agent] = step.now;
            phase.leads = true;
        }
        if part.arrives {
            phase.signals[step.agent] = step.now;
        }
        if part.flying {
            phase.flown = true;
            self.flown = self.done + 1;
        } else {
            phase.parts[step.agent] = step.now;
        }
        phase.count += u64::from(part.count);
        phase.fewer += part.fewer;
        phase.expects += u64::from(part.expects);
        phase.completes += u64::from(part.completes);
        phase.arrivals |= part.arrives;
        phase.keeps |= part.keeps;
        if part.holds {
            self.held.push(step.agent);
        }
    }

    fn is_full(&self) -> bool {
        self.open.count == u64::from(self.needed) && self.open.expects == self.open.completes
    }

    fn wait(&mut self, step: Step, clock: &mut [u16], done: u16, how: Passes) -> Kept {
        self.seen[step.agent] = step.now;
        if self.done == self.fresh {
            return need(how == Passes::Parity);
        }
        let (known, used) = (clock[step.seat], self.used[step.agent]);
        need(match how {
            // Phases before the last one that is waited for are excluded, and that one too if the agent used it.
            Passes::Next => done == (if known == used { known } else { known - 1 }) + 1,
            Passes::Once => done == self.base[step.agent].max(used) + 1,
            Passes::Own => self.last.parts[step.agent] > 0,
            Passes::Token(phase) => self.done - self.fresh == phase + 1,
            Passes::Parity => {
                self.done == self.fresh + 1 || known + 1 >= done || self.knows_last(step, clock)
            }
        })?;
        self.used[step.agent] = done;
        self.waited = self.waited.max(self.done);
        merge(clock, &self.last.known);
        clock[step.seat] = done;
        Ok(())
    }

    /// Whether a participant of the last completed phase happens before the step.
    fn knows_last(&self, step: Step, clock: &[u16]) -> bool {
        let mut parts = self.last.parts.iter().zip(&clock[..step.agents]);
        parts.any(|(part, lane)| *part > 0 && lane >= part)
    }

    fn member(&mut self, step: Step, clock: &[u16], done: u16) -> Kept {
        need(self.follows_last(step, clock, done))?;
        self.seen[step.agent] = step.now;
        self.base[step.agent] = done;
        Ok(())
    }

    fn whole(&mut self, step: Step, clock: &[u16], done: u16, needed: u32, forgets: bool) -> Kept {
        need(!self.closed && self.open.is_empty() && self.held.is_empty())?;
        need(covers(&clock[..step.agents], &self.touched))?;
        need(self.flown == 0 || clock[step.seat] >= done)?;
        self.needed = needed;
        self.whole = Some((step.agent, step.now));
        if forgets {
            self.fresh = self.done;
        }
        Ok(())
    }

    fn close(&mut self, step: Step, clock: &[u16], done: u16) -> Kept {
        need(self.open.is_empty() && self.held.is_empty())?;
        need(self.follows_last(step, clock, done))?;
        self.closed = true;
        Ok(())
    }
}
