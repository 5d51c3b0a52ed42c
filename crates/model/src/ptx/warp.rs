//! Which threads of one warp have synchronised with each other.
//!
//! A warp is one agent, so its threads are not judged against each other. PTX orders them only where they synchronise, not
//! by the instruction that they share: at a barrier, at `bar.warp.sync`, or by a wait after an arrival.

use super::action::{Action, Bar, Name, Order, Patience};

/// Threads of a warp.
pub const WARP: usize = 32;

/// A released object by its index, or one of the following bits.
const CLUSTER: u64 = 1 << 62;
const BARRIER: u64 = 1 << 61;
const OBJECTS: u16 = 61;
/// A fence, after which relaxed arrivals release.
const FENCE: u64 = 1 << 63;

/// For each thread, the threads that have synchronised with it, itself included, and the objects that have released for
/// it; then the threads that have arrived at `bar.warp.sync` and wait for others; then for each thread those that have
/// synchronised with it once they execute a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ordered([(u32, u64); WARP], u32, [u32; WARP]);

/// The bit of an object among those that have released.
#[must_use]
pub const fn object(name: Name) -> u64 {
    1 << (name.index % OBJECTS)
}

impl Ordered {
    /// Sets the threads that have synchronised with a thread, and the objects that have released for it.
    pub fn set(&mut self, lane: usize, threads: u32, released: u64) {
        self.0[lane % WARP] = (threads, released);
    }

    /// Whether all threads have synchronised with each other.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.0.iter().all(|one| one.0 == u32::MAX)
    }

    /// Performs an operation by these threads of a warp with this outcome. If there are `others`, another warp may have passed
    /// on what was released.
    pub fn perform(
        &mut self,
        action: Action,
        (by, warp): (u32, u32),
        outcome: usize,
        others: bool,
    ) {
        let acquires = |asked: Order| asked != Order::Relaxed;
        match action {
            Action::WarpSync { mask } => {
                self.1 |= by & mask;
                if mask & warp & !self.1 == 0 {
                    self.join(self.1);
                    self.1 = 0;
                } else {
                    self.join(by & mask);
                }
            }
            Action::Bar { kind: Bar::Sync | Bar::Red, .. } => {
                self.join(by);
                self.acquire(by, BARRIER, true);
            }
            Action::Bar { kind: Bar::Arrive, .. } => self.release(by, BARRIER, true),
            Action::Arrive { name, form } => {
                self.release(by, object(name), form.order != Order::Relaxed);
            }
            Action::CopyArrive { name, of_copies: true, .. } => {
                self.release(by, object(name), true);
                self.of_threads(by, |one, _| one.1 |= object(name));
            }
            Action::WaitGroup { .. } => self.of_threads(by, |one, lane| one.0 |= 1 << lane),
            Action::ClusterArrive { order: released, .. } => {
                self.release(by, CLUSTER, released != Order::Relaxed);
            }
            Action::Fence { release, acquire, .. } => {
                if acquire {
                    let waited = self.0.iter_mut().zip(&self.2);
                    waited.for_each(|(one, waited)| one.0 |= waited & by);
                }
                if release {
                    self.release(by, FENCE, true);
                }
            }
            Action::Wait { name, patience, order: asked, .. }
                if outcome == 1 || patience == Patience::Block =>
            {
                self.wait(by, object(name), (!others, acquires(asked)));
            }
            Action::ClusterWait { order: asked, .. } => {
                self.wait(by, CLUSTER, (!others, acquires(asked)));
            }
            _ => {}
        }
    }

    /// Whether a thread has not synchronised with one of those against it.
    #[must_use]
    pub fn leaves(&self, against: &[u32; WARP]) -> bool {
        against.iter().zip(&self.0).any(|(others, (known, _))| others & !known != 0)
    }

    /// The order that holds on both of two paths.
    #[must_use]
    pub fn both(&self, other: &Self) -> Self {
        let both = core::array::from_fn(|lane| {
            let (one, two) = (self.0[lane], other.0[lane]);
            (one.0 & two.0, one.1 & two.1)
        });
        let waited = core::array::from_fn(|lane| self.2[lane] & other.2[lane]);
        Self(both, self.1 & other.1, waited)
    }

    /// Changes the entries of these threads.
    fn of_threads(&mut self, by: u32, change: impl Fn(&mut (u32, u64), usize)) {
        let all = self.0.iter_mut().enumerate();
        all.filter(|(lane, _)| by >> lane & 1 == 1).for_each(|(lane, one)| change(one, lane));
    }

    /// The order in which these threads are after something, and those that do not exist; the others are not. `released`
    /// are the objects at which others can learn of it.
    #[must_use]
    pub fn after(threads: u32, absent: u32, released: u64) -> Self {
        let mut order = Self::ALL;
        order.0[threads.trailing_zeros() as usize % WARP] = (threads | absent, released);
        order
    }

    /// The threads that are ordered after everything.
    #[must_use]
    pub fn common(&self) -> u32 {
        self.0.iter().fold(u32::MAX, |all, one| all & one.0)
    }

    /// Whether these threads have not synchronised with some thread for which what it did is complete.
    #[must_use]
    pub fn is_apart(&self, threads: u32) -> bool {
        let mut all = self.0.iter().enumerate();
        all.any(|(lane, one)| one.0 >> lane & 1 == 1 && one.0 & threads == 0)
    }

    /// Makes what was done complete for no thread of those for which it is not complete for all.
    pub fn forget(&mut self) {
        let parts = self.0.iter_mut().enumerate().filter(|(_, one)| one.0 != u32::MAX);
        parts.for_each(|(lane, one)| one.0 &= !(1 << lane));
        self.2 = [0; WARP];
    }

    /// The order in which everything is ordered.
    pub const ALL: Self = Self([(u32::MAX, 0); WARP], 0, [0; WARP]);

    /// Synchronises these threads with each other.
    fn join(&mut self, by: u32) {
        self.0.iter_mut().filter(|one| one.0 & by != 0).for_each(|one| one.0 |= by);
    }

    /// Releases by these threads; a relaxed arrival releases only after a fence.
    fn release(&mut self, by: u32, what: u64, strong: bool) {
        let released = |one: &&mut (u32, u64)| one.0 & by != 0 && (strong || one.1 & FENCE != 0);
        self.0.iter_mut().filter(released).for_each(|one| one.1 |= what);
    }

    /// Waits by these threads for an object. A relaxed wait acquires only with a later fence.
    fn wait(&mut self, by: u32, what: u64, (exactly, strong): (bool, bool)) {
        if strong {
            self.acquire(by, what, exactly);
            return;
        }
        let what = if exactly { what } else { !FENCE };
        let waited = self.0.iter().zip(&mut self.2).filter(|(one, _)| one.1 & what != 0);
        waited.for_each(|(_, waited)| *waited |= by);
    }

    /// Acquires by these threads what was released to an object, or to any object: another warp may have passed it on.
    fn acquire(&mut self, by: u32, what: u64, exactly: bool) {
        let what = if exactly { what } else { !FENCE };
        self.0.iter_mut().filter(|one| one.1 & what != 0).for_each(|one| one.0 |= by);
    }
}
