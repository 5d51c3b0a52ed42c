//! How much of what an agent performs on each object: enough to leave most combinations of control paths at a glance.

use super::event::Kind;
use super::path::Stop;
use super::text::Text;
use crate::barrier::Barrier;
use crate::instance::InstanceId;
use crate::reading::ReadingId;
use alloc::vec::Vec;

/// What is performed on one object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Arrives.
    pub arrives: u32,
    /// Drops.
    pub drops: u32,
    /// The most waits of one agent that complete.
    pub waits: u32,
    /// Whether an init or an arrive sets the expected count.
    pub sets: bool,
}

impl Tally {
    /// What two agents perform together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            arrives: self.arrives + other.arrives,
            drops: self.drops + other.drops,
            waits: self.waits.max(other.waits),
            sets: self.sets || other.sets,
        }
    }

    /// Whether so many phases can complete that each wait of an agent has one of its own. A phase takes at least as many
    /// arrives as the expected count is at its smallest.
    #[must_use]
    pub fn can_be(self, launched: Barrier, text: &Text) -> bool {
        if self.waits == 0 {
            return true;
        }
        if !launched.initialised && !self.sets {
            return false;
        }
        if self.sets || !text.usual(ReadingId::AmdA2) {
            return true;
        }
        let least = (i64::from(launched.expected) - i64::from(self.drops)).max(1);
        i64::from(self.waits) <= i64::from(self.arrives) / least
    }
}

/// What a stop holds on each object.
#[must_use]
pub fn tallies(text: &Text, stop: &Stop) -> Vec<Tally> {
    let of = |instance: InstanceId| {
        let own = stop.events.iter().filter(|performed| performed.event.is_on(instance));
        own.fold(Tally::default(), |sum, performed| sum.with(performed.event.kind))
    };
    (0..text.objects()).map(of).collect()
}

impl Tally {
    fn with(mut self, kind: Kind) -> Self {
        match kind {
            Kind::Init(_) => self.sets = true,
            Kind::Arrive(expected) => {
                self.arrives += 1;
                self.sets |= expected.is_some();
            }
            Kind::Drop => self.drops += 1,
            Kind::Wait => self.waits += 1,
            Kind::Join => {}
        }
        self
    }
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
        let program = Program {
            launch,
            plain_objects: 0,
            buffers: Vec::new(),
            mbarriers: Vec::new(),
            agents: Vec::new(),
            bodies: Vec::new(),
        };
        Text::new(Rc::new(Context::new(Rc::new(program))), Readings::default())
    }

    #[test]
    fn a_phase_takes_its_arrives() {
        let tally = |arrives, drops, waits| Tally { arrives, drops, waits, sets: false };
        let launched = Barrier::launched(2);
        assert!(tally(4, 0, 2).can_be(launched, &text()));
        assert!(!tally(3, 0, 2).can_be(launched, &text()));
        assert!(tally(3, 1, 2).can_be(launched, &text()));
        assert!(!tally(0, 2, 1).can_be(launched, &text()));
        assert!(!tally(1, 0, 1).can_be(Barrier::default(), &text()));
        assert!(tally(1, 0, 0).can_be(Barrier::default(), &text()));
    }
}
