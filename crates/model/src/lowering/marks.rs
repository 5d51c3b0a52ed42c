//! Number of operations started after each async mark, as a minimum over all paths: the largest counter value at which
//! a wait for marks has completed the required copies.
//!
//! `amdgpu-async-operations`, "Async Mark Operations", gives no machine code. Operations finish in order in one counter
//! (`vmcnt` up to GFX10, where loads count too, and `asynccnt` on GFX12.5). A mark is therefore complete once the
//! counter is at most the number of operations started after it. Paths are merged from the most recent mark; the
//! minimum is safe.

use crate::mem::operation::Memory;
use crate::operation::Action;

/// Largest number of distinguished marks; for older marks all copies are waited for.
const MOST: usize = 32;

/// For each mark, most recent first, the number of operations started after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    following: [u8; MOST],
    count: u8,
    /// Whether there may be marks beyond the distinguished ones.
    more: bool,
}

impl Marks {
    /// The marks after an operation; `counts` if it increments the counter of copies.
    pub(super) fn following(mut self, action: Action, counts: bool) -> Self {
        if counts {
            let known = &mut self.following[..usize::from(self.count)];
            known.iter_mut().for_each(|started| *started = started.saturating_add(1));
        }
        match action {
            Action::Memory(Memory::Mark) => {
                self.more |= usize::from(self.count) == MOST;
                self.following.rotate_right(1);
                self.following[0] = 0;
                self.count = (self.count + 1).min(MOST as u8);
            }
            Action::Memory(Memory::WaitMarks(most)) if usize::from(most) < MOST => {
                self.count = self.count.min(most as u8);
                self.more = false;
                self.following[usize::from(self.count)..].fill(0);
            }
            _ => {}
        }
        self
    }

    /// Merges two paths.
    pub(super) fn merge(self, other: Self) -> Self {
        let mut merged = if self.count >= other.count { self } else { other };
        let both = usize::from(self.count.min(other.count));
        for index in 0..both {
            merged.following[index] = self.following[index].min(other.following[index]);
        }
        merged.more |= self.more | other.more;
        merged
    }

    /// The largest value of the counter of copies at which at most `most` marks are outstanding; `None` if no path has
    /// more.
    pub(super) fn left(self, most: u16) -> Option<u16> {
        let most = usize::from(most);
        if most < usize::from(self.count) {
            return Some(u16::from(self.following[most]));
        }
        self.more.then_some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::operation::Range;

    const COPY: Memory = {
        let range = Range { buffer: 0, start: 0, end: 4 };
        Memory::Copy { to: range, from: range }
    };

    fn after(operations: &[Memory]) -> Marks {
        let step = |marks: Marks, one: &Memory| marks.following(Action::Memory(*one), *one == COPY);
        operations.iter().fold(Marks::default(), step)
    }

    #[test]
    fn a_wait_leaves_operations_started_after_the_mark() {
        let marks = after(&[COPY, Memory::Mark, COPY, COPY, Memory::Mark, COPY]);
        assert_eq!((marks.left(0), marks.left(1), marks.left(2)), (Some(1), Some(3), None));
        let waited = marks.following(Action::Memory(Memory::WaitMarks(1)), false);
        assert_eq!((waited.left(0), waited.left(1)), (Some(1), None));
    }

    #[test]
    fn paths_are_merged_from_the_most_recent_mark() {
        let short = after(&[COPY, Memory::Mark]);
        let long = after(&[COPY, Memory::Mark, COPY, Memory::Mark, COPY]);
        let both = short.merge(long);
        assert_eq!((both.left(0), both.left(1)), (Some(0), Some(2)));
        assert_eq!(both, long.merge(short));
    }

    #[test]
    fn a_wait_for_an_old_mark_waits_for_everything() {
        let many = after(&[COPY, Memory::Mark].repeat(MOST + 1));
        assert_eq!((many.left(1), many.left(MOST as u16)), (Some(1), Some(0)));
    }
}
