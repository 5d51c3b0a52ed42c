//! What the evaluation of all agents shares: the numbers of dynamic instances, terms, and what is noted.

use super::terms::Terms;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lower::code::Code;
use alloc::vec::Vec;
use core::cell::RefCell;
use tidegate_model::mem::operation::{Buffer, BufferId};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::When;

/// Numbers that distinguish dynamic instances, the same for all work-items.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    pub(super) sites: RefCell<OrderedMap<Vec<u32>, u32>>,
    pub(super) rounds: RefCell<OrderedMap<Vec<i64>, u32>>,
    /// The terms computed from data.
    pub(crate) terms: Terms,
    /// Reached operations that are not followed, after which no finding is certain.
    pub(crate) unfollowed: RefCell<Vec<Diagnostic>>,
    /// Unordered conflicting accesses of threads of one warp.
    pub(crate) met: RefCell<Vec<Diagnostic>>,
    /// The conditions on data under which accesses happen, each once.
    pub(crate) whens: RefCell<Vec<When>>,
    /// Shared memories of other CTAs that are accessed, each with a number after those of the declared memories.
    pub(crate) remote: RefCell<Vec<Buffer>>,
}

impl Instances {
    /// The memory that is the instance of a declared one in another CTA.
    pub(crate) fn of_other_cta(&self, declared: BufferId, owner: u32, code: &Code) -> BufferId {
        let buffer = Buffer {
            owner: Some(owner),
            instance_of: Some(declared),
            ..code.buffers[usize::from(declared)]
        };
        let mut remote = self.remote.borrow_mut();
        let at = remote.iter().position(|known| *known == buffer).unwrap_or_else(|| {
            remote.push(buffer);
            remote.len() - 1
        });
        (code.buffers.len() + at).min(usize::from(BufferId::MAX)) as BufferId
    }

    /// Records that something is not followed, once for each position.
    pub(crate) fn unfollowed(&self, found: Diagnostic) {
        note(&self.unfollowed, found);
    }

    /// Records conflicting accesses of threads of one warp, once for each position.
    pub(crate) fn meets(&self, found: Diagnostic) {
        note(&self.met, found);
    }
}

fn note(all: &RefCell<Vec<Diagnostic>>, found: Diagnostic) {
    let mut all = all.borrow_mut();
    if all.iter().all(|one| one.span != found.span) {
        all.push(Diagnostic { severity: Severity::Warning, ..found });
    }
}

/// Returns the number of a key; a new key gets the next number.
pub(super) fn number<K: Ord>(known: &RefCell<OrderedMap<K, u32>>, key: K) -> u32 {
    let mut known = known.borrow_mut();
    let next = known.len() as u32;
    *known.entry(key).or_insert(next)
}
