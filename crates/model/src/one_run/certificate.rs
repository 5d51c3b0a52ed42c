//! A certificate of a run, and a checker of it that shares nothing with the clocks of [`super::order`].
//!
//! A certificate lists the touches of all steps in the order of one run, and the arrivals that complete a phase of each
//! object at launch. [`Certificate::check`] builds the phases and happens-before again, as sets of touches, and tests the
//! conditions of [`super`] literally. It knows nothing of machines: that the touches are those of the program is what a
//! certificate asserts.

use super::touch::{Awaited, Part, Passes, Touch};
use alloc::vec::Vec;

/// The touches of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The number of agents.
    pub agents: usize,
    /// By object: the arrivals that complete a phase at launch.
    pub needed: Vec<u32>,
    /// Agent, object and touch, in the order of the run.
    pub touches: Vec<(u32, u32, Touch)>,
    /// The agents that never continue after these touches, and what they wait for.
    pub blocked: Vec<(u32, Awaited)>,
}

/// A condition of [`super`] that a certificate does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An index is out of range.
    Shape,
    /// Participants of two phases are not ordered.
    G,
    /// A wait or a change of membership is not ordered before a later phase.
    P,
    /// A wait could depend on another phase.
    U,
    /// A reset is not ordered.
    X,
    /// A drop could belong to its phase or not.
    D,
    /// A phase could complete early.
    E,
    /// A blocked agent could continue.
    B,
}

/// A set of touches, by index.
#[derive(Clone, Default)]
struct Set(Vec<u64>);

impl Set {
    fn has(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    fn add(&mut self, index: usize) {
        self.0.resize(self.0.len().max(index / 64 + 1), 0);
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn join(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }
}

/// A touch, the phase that is open at it, and the touches that happen before it.
struct Event {
    index: usize,
    agent: u32,
    touch: Touch,
    /// Completed phases of the object, and at the last reset that forgets.
    done: u32,
    fresh: u32,
    before: Set,
}

/// One object: its events, and the state of its phases.
#[derive(Default)]
struct Object {
    events: Vec<Event>,
    needed: u32,
    done: u32,
    fresh: u32,
    closed: bool,
    /// What happens before the completion of the last phase, and its participants.
    released: Set,
}

impl Certificate {
    /// Checks every condition, and returns for each touch the phase in which it participates or on which it depends.
    ///
    /// # Errors
    /// A condition that does not hold.
    pub fn check(&self) -> Result<Vec<Option<u32>>, Condition> {
        let object = |&needed: &u32| Object { needed, ..Object::default() };
        let mut objects: Vec<Object> = self.needed.iter().map(object).collect();
        let mut past = alloc::vec![Set::default(); self.agents];
        let mut phases = Vec::new();
        for (index, &(agent, object, touch)) in self.touches.iter().enumerate() {
            let at = objects.get_mut(object as usize).ok_or(Condition::Shape)?;
            let own = past.get_mut(agent as usize).ok_or(Condition::Shape)?;
            let (done, fresh) = (at.done, at.fresh);
            at.events.push(Event { index, agent, touch, done, fresh, before: own.clone() });
            if !matches!(touch, Touch::Part(Part { flying: true, .. })) {
                own.add(index);
            }
            phases.push(match touch {
                Touch::Part(_) => Some(done),
                Touch::Wait(_) if done > fresh => Some(done - 1),
                _ => None,
            });
            match touch {
                Touch::Wait(_) if done > fresh => own.join(&at.released),
                Touch::Part(_) => at.participates(&mut past)?,
                Touch::Whole { .. } | Touch::Close if at.parts(done).next().is_some() => {
                    return Err(Condition::X);
                }
                Touch::Whole { needed, forgets } => {
                    (at.needed, at.fresh) = (needed, if forgets { done } else { fresh });
                }
                Touch::Close => at.closed = true,
                Touch::Wait(_) | Touch::Member | Touch::Use => {}
            }
        }
        for &(agent, awaited) in &self.blocked {
            let own = past.get(agent as usize).ok_or(Condition::Shape)?;
            if let Awaited::Next(object) = awaited {
                let at = objects.get(object as usize).ok_or(Condition::Shape)?;
                holds(at.is_known(own), Condition::B)?;
            }
        }
        let ends = self.blocked.is_empty();
        objects.iter().try_for_each(|object| object.check(ends))?;
        Ok(phases)
    }
}

fn holds(of: bool, condition: Condition) -> Result<(), Condition> {
    if of { Ok(()) } else { Err(condition) }
}

impl Object {
    /// The participants of a phase.
    fn parts(&self, phase: u32) -> impl Iterator<Item = (&Event, Part)> {
        self.events.iter().filter_map(move |event| match event.touch {
            Touch::Part(part) if event.done == phase => Some((event, part)),
            _ => None,
        })
    }

    fn sum(&self, of: impl Fn(Part) -> u32) -> u64 {
        self.parts(self.done).map(|(_, part)| u64::from(of(part))).sum()
    }

    /// Counts the participants of the open phase, completes it, and releases the agents that it holds.
    fn participates(&mut self, past: &mut [Set]) -> Result<(), Condition> {
        let needs = self.parts(self.done).map(|(_, part)| part.needs).filter(|&needs| needs > 0);
        let needs: Vec<u32> = needs.collect();
        holds(needs.iter().all(|other| *other == needs[0]) && !self.closed, Condition::E)?;
        self.needed = needs.first().copied().unwrap_or(self.needed);
        let (count, fewer) = (self.sum(|part| part.count), self.sum(|part| part.fewer));
        let (expects, completes) = (self.sum(|part| part.expects), self.sum(|part| part.completes));
        let keeps = self.sum(|part| part.keeps.into()) > 0;
        holds(count <= self.needed.into() && !(keeps && fewer > 0), Condition::E)?;
        holds(expects.max(completes) < 1 << 20, Condition::E)?;
        if count < self.needed.into() || expects != completes {
            return Ok(());
        }
        self.closed = self.sum(|part| part.arrives.into()) == 0;
        if !self.closed {
            let mut released = Set::default();
            for (event, _) in self.parts(self.done) {
                released.join(&event.before);
                released.add(event.index);
            }
            for (event, _) in self.parts(self.done).filter(|(_, part)| part.holds) {
                past[event.agent as usize].join(&released);
            }
            self.released = released;
            self.needed = self.needed.saturating_sub(fewer as u32);
            self.done += 1;
        }
        Ok(())
    }

    /// Whether every completion and reset is in a set.
    fn is_known(&self, past: &Set) -> bool {
        let completes = |event: &Event| {
            matches!(event.touch, Touch::Part(_)) && event.done < self.done
                || matches!(event.touch, Touch::Whole { .. })
        };
        self.events.iter().filter(|event| completes(event)).all(|event| past.has(event.index))
    }

    /// Checks the conditions on an object, in a run that ends or that blocks some agent.
    fn check(&self, ends: bool) -> Result<(), Condition> {
        let left = self.closed || self.parts(self.done).next().is_none();
        let arrives = self.sum(|part| part.count) < self.needed.into();
        let bytes = self.sum(|part| part.expects) > self.sum(|part| part.completes);
        holds(left || arrives || bytes, Condition::E)?;
        let full = self.done + u32::from(!left && !arrives);
        for (place, event) in self.events.iter().enumerate() {
            let earlier = &self.events[..place];
            self.is_ordered(event, earlier)?;
            let early = |(other, part): (&Event, Part)| {
                part.count > 0 && (other.index == event.index || other.before.has(event.index))
            };
            match event.touch {
                Touch::Wait(how) => {
                    holds(self.is_only(event, earlier, how), Condition::U)?;
                    holds(self.is_before_next(event), Condition::P)?;
                }
                Touch::Member => holds(self.is_before_next(event), Condition::P)?,
                Touch::Part(part) => {
                    let seen = |other: &Event| waits_at(other) == Some(event.done);
                    let observed =
                        || earlier.iter().any(|other| seen(other) && event.before.has(other.index));
                    let needed = part.observed && event.done > event.fresh;
                    holds(!needed || observed(), Condition::U)?;
                    holds(!part.follows || self.has_one_place(event), Condition::D)?;
                    let expects = part.expects > 0 && event.done < full;
                    holds(!expects || self.parts(event.done).any(early), Condition::E)?;
                    // An agent waits for the phase of a copy, or for a later one.
                    let lands =
                        || self.events.iter().filter_map(waits_at).any(|done| done > event.done);
                    holds(!part.flying || !ends || lands(), Condition::E)?;
                }
                Touch::Whole { .. } | Touch::Use | Touch::Close => {}
            }
        }
        Ok(())
    }

    /// Conditions G and X of an event with the earlier ones.
    fn is_ordered(&self, event: &Event, earlier: &[Event]) -> Result<(), Condition> {
        let whole = |event: &Event| matches!(event.touch, Touch::Whole { .. });
        let follows = matches!(event.touch, Touch::Part(_) | Touch::Member | Touch::Close);
        for other in earlier {
            let precedes = event.before.has(other.index);
            let member = [event, other].iter().any(|event| event.touch == Touch::Member);
            holds(precedes || member || !(whole(event) || whole(other)), Condition::X)?;
            let part = matches!(other.touch, Touch::Part(_)) && other.done < event.done;
            holds(precedes || !(follows && part), Condition::G)?;
        }
        Ok(())
    }

    /// Condition D: the event comes after some arrive of its phase, or before each.
    fn has_one_place(&self, event: &Event) -> bool {
        let arrives = || self.parts(event.done).filter(|(_, part)| part.arrives);
        arrives().any(|(other, _)| event.before.has(other.index))
            || arrives().all(|(other, _)| other.before.has(event.index))
    }

    /// Condition P: some participant of the open phase comes after the event, if the phase completes.
    fn is_before_next(&self, event: &Event) -> bool {
        event.done >= self.done
            || self.parts(event.done).any(|(part, _)| part.before.has(event.index))
    }

    /// Condition U: no other phase can let the wait pass.
    fn is_only(&self, event: &Event, earlier: &[Event], how: Passes) -> bool {
        if event.done == event.fresh {
            return how == Passes::Parity;
        }
        let own = || earlier.iter().filter(|other| other.agent == event.agent);
        let known = earlier.iter().filter(|other| event.before.has(other.index));
        let known = known.filter_map(waits_at).max().unwrap_or(0);
        let since = own().enumerate().filter(|(_, other)| other.touch == Touch::Member).last();
        match how {
            Passes::Next => {
                let used = own().filter_map(waits_at).any(|done| done == known);
                event.done == if used || known == 0 { known + 1 } else { known }
            }
            Passes::Once => {
                let base = since.map_or(0, |(_, member)| member.done);
                let used =
                    own().skip(since.map_or(0, |(place, _)| place)).filter_map(waits_at).max();
                event.done == base.max(used.unwrap_or(0)) + 1
            }
            Passes::Own => self.parts(event.done - 1).any(|(part, _)| part.agent == event.agent),
            Passes::Token(phase) => event.done - event.fresh == phase + 1,
            Passes::Parity => {
                event.done < event.fresh + 2
                    || self.parts(event.done - 2).all(|(part, _)| event.before.has(part.index))
            }
        }
    }
}

/// For a wait that depends on a phase, the completed phases.
fn waits_at(event: &Event) -> Option<u32> {
    let waits = matches!(event.touch, Touch::Wait(_)) && event.done > event.fresh;
    waits.then_some(event.done)
}
