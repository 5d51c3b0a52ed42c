//! Numbers of operations of an agent on each object. They rule out most combinations of control paths quickly.

use super::event::{Event, Kind};
use super::text::Text;
use crate::barrier::Barrier;
use crate::reading::ReadingId;
use alloc::vec::Vec;

/// The operations of an agent on one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of arrives before each completed wait, and in total.
    pub arrives: Vec<u32>,
    /// Drops.
    pub drops: u32,
    /// Completed waits.
    pub waits: u32,
    /// Whether an init or an arrive sets the expected count.
    pub sets: bool,
}

impl Tally {
    /// Number of arrives that can be performed after a number of completed waits.
    fn after(&self, waits: u32) -> u32 {
        self.arrives.get(waits as usize).or(self.arrives.last()).copied().unwrap_or(0)
    }

    /// The maximum of each number, without completed waits.
    #[must_use]
    pub fn most<'a>(of: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let length = of.clone().map(|tally| tally.arrives.len()).max().unwrap_or(0);
        let most = |place: u32| of.clone().map(|tally| tally.after(place)).max().unwrap_or(0);
        Self {
            arrives: (0..length as u32).map(most).collect(),
            drops: of.clone().map(|tally| tally.drops).max().unwrap_or(0),
            waits: 0,
            sets: of.into_iter().any(|tally| tally.sets),
        }
    }

    fn performs(&mut self, kind: Kind) {
        match kind {
            Kind::Init(_) => self.sets = true,
            Kind::Arrive(expected) => {
                if let Some(last) = self.arrives.last_mut() {
                    *last += 1;
                }
                self.sets |= expected.is_some();
            }
            Kind::Drop => self.drops += 1,
            Kind::Wait => {
                self.waits += 1;
                self.arrives.extend(self.arrives.last().copied());
            }
            Kind::Join => {}
        }
    }
}

/// Whether enough phases can complete for each wait of an agent to have its own. A phase takes at least as many arrives as
/// the minimum expected count. An agent performs the operations after its waits only when that many phases are complete.
#[must_use]
pub fn can_be<'a>(
    of: impl Iterator<Item = &'a Tally> + Clone,
    launched: Barrier,
    text: &Text,
) -> bool {
    let waits = of.clone().map(|tally| tally.waits).max().unwrap_or(0);
    let sets = of.clone().any(|tally| tally.sets);
    if waits == 0 || sets {
        return true;
    }
    if !launched.initialised {
        return false;
    }
    if !text.usual(ReadingId::AmdA2) {
        return true;
    }
    let drops: i64 = of.clone().map(|tally| i64::from(tally.drops)).sum();
    let least = (i64::from(launched.expected) - drops).max(1);
    (0..waits).all(|phases| {
        let arrives: i64 = of.clone().map(|tally| i64::from(tally.after(phases))).sum();
        arrives >= least * i64::from(phases + 1)
    })
}

/// The numbers of some operations of one agent for each object.
#[must_use]
pub fn tallies(text: &Text, events: impl Iterator<Item = Event>) -> Vec<Tally> {
    let empty = Tally { arrives: alloc::vec![0], ..Tally::default() };
    let mut tallies = alloc::vec![empty; usize::from(text.objects())];
    for event in events {
        if let Some(own) = tallies.get_mut(usize::from(event.instance)) {
            own.performs(event.kind);
        }
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::program::{Launch, Program};
    use crate::reading::Readings;
    use alloc::rc::Rc;

    fn text() -> Text {
        let launch = Launch { clusters: 1, workgroups: 1, waves: 1, lanes: 1 };
        let program = Program::of(launch, Vec::new(), Vec::new());
        Text::new(Rc::new(Context::new(Rc::new(program))), Readings::default())
    }

    fn can_be(launched: Barrier, of: &[Tally]) -> bool {
        super::can_be(of.iter(), launched, &text())
    }

    #[test]
    fn a_phase_needs_its_arrives() {
        let tally = |arrives, drops, waits| Tally {
            arrives: alloc::vec![arrives],
            drops,
            waits,
            sets: false,
        };
        let launched = Barrier::launched(2);
        assert!(can_be(launched, &[tally(4, 0, 2)]));
        assert!(!can_be(launched, &[tally(3, 0, 2)]));
        assert!(can_be(launched, &[tally(3, 1, 2)]));
        assert!(!can_be(launched, &[tally(0, 2, 1)]));
        assert!(!can_be(Barrier::default(), &[tally(1, 0, 1)]));
        assert!(can_be(Barrier::default(), &[tally(1, 0, 0)]));
        let sets = Tally { sets: true, ..tally(0, 0, 1) };
        assert!(can_be(Barrier::default(), &[sets]));
    }

    /// A wave that arrives, waits and arrives again contributes to one phase of the other wave until it has a phase
    /// itself.
    #[test]
    fn operations_after_a_wait_follow_a_phase() {
        let tally = |arrives: &[u32]| Tally {
            arrives: arrives.to_vec(),
            waits: arrives.len() as u32 - 1,
            ..Tally::default()
        };
        let launched = Barrier::launched(2);
        assert!(can_be(launched, &[tally(&[1, 2, 2]), tally(&[1, 2, 2])]));
        assert!(!can_be(launched, &[tally(&[0, 2, 4]), tally(&[1, 1])]));
        let most = Tally::most([tally(&[1, 1]), tally(&[0, 3, 3])].iter());
        assert_eq!((most.arrives, most.waits), (alloc::vec![1, 3, 3], 0));
    }
}
