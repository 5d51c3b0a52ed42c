//! Lists whose items keep their elements as long as their keys exist.

use super::element::El;
use super::part::{effect, insert, mark, remove};
use super::show::Show;
use leptos::prelude::{Owner, untrack};
use std::hash::{DefaultHasher, Hash, Hasher};
use web_sys::Node;

/// An item: its key, and how to draw it if it is new.
pub(crate) struct Entry {
    key: u64,
    draw: Box<dyn FnOnce() -> El>,
}

impl Entry {
    /// An item that is redrawn when its key changes.
    pub(crate) fn new(key: &impl Hash, draw: impl FnOnce() -> El + 'static) -> Self {
        Self { key: hash(key), draw: Box::new(draw) }
    }

    /// An item that is redrawn when any part of it changes.
    pub(crate) fn of<T: Hash + 'static>(it: T, draw: fn(T) -> El) -> Self {
        Self { key: hash(&it), draw: Box::new(move || draw(it)) }
    }
}

fn hash(key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// A visible item; its owner holds its signal subscriptions.
struct Shown {
    key: u64,
    node: Node,
    owner: Owner,
}

/// A list that follows signals.
pub(crate) fn keyed(items: impl FnMut() -> Vec<Entry> + 'static) -> Keyed {
    Keyed(Box::new(items))
}

/// The result of [`keyed`].
pub(crate) struct Keyed(Box<dyn FnMut() -> Vec<Entry>>);

impl Show for Keyed {
    fn put(mut self, place: &Node) {
        let end = mark(place);
        let Some(owner) = Owner::current() else { return };
        let mut shown: Vec<Shown> = Vec::new();
        effect(Box::new(move || {
            let items = (self.0)();
            shown = untrack(|| renew(std::mem::take(&mut shown), items, &end, &owner));
        }));
    }
}

/// Shows other items in a list.
fn renew(old: Vec<Shown>, items: Vec<Entry>, end: &Node, owner: &Owner) -> Vec<Shown> {
    let keys = |shown: &[Shown]| shown.iter().map(|shown| shown.key).collect::<Vec<_>>();
    let wanted: Vec<u64> = items.iter().map(|item| item.key).collect();
    let kept = matches(&keys(&old), &wanted);
    let mut old: Vec<Option<Shown>> = old.into_iter().map(Some).collect();
    let mut now: Vec<Shown> = items
        .into_iter()
        .zip(&kept)
        .filter_map(|(item, kept)| match kept {
            Some(at) => old[*at].take(),
            None => {
                let owner = owner.child();
                let El(element) = owner.with(item.draw);
                Some(Shown { key: item.key, node: element.into(), owner })
            }
        })
        .collect();
    for gone in old.into_iter().flatten() {
        gone.owner.cleanup();
        remove(&gone.node);
    }
    place(&mut now, &kept, end);
    now
}

/// Orders the items from last to first; items already in sequence are not moved.
fn place(now: &mut [Shown], kept: &[Option<usize>], end: &Node) {
    let (mut next, mut lowest) = (end, usize::MAX);
    for (shown, kept) in now.iter().zip(kept).rev() {
        match kept {
            Some(at) if *at < lowest => lowest = *at,
            _ => insert(&shown.node, next),
        }
        next = &shown.node;
    }
}

/// Returns, for each wanted key, the index of an old item with that key; each item is used once.
fn matches(old: &[u64], wanted: &[u64]) -> Vec<Option<usize>> {
    let head = old.iter().zip(wanted).take_while(|(old, wanted)| old == wanted).count();
    let (old_rest, wanted_rest) = (&old[head..], &wanted[head..]);
    let tail = old_rest.iter().rev().zip(wanted_rest.iter().rev());
    let tail = tail.take_while(|(old, wanted)| old == wanted).count();
    let mut free: Vec<Option<u64>> =
        old_rest[..old_rest.len() - tail].iter().copied().map(Some).collect();
    let middle = wanted_rest[..wanted_rest.len() - tail].iter().map(|key| {
        let at = free.iter().position(|free| *free == Some(*key))?;
        free[at] = None;
        Some(head + at)
    });
    let middle: Vec<Option<usize>> = middle.collect();
    let tail = (old.len() - tail..old.len()).map(Some);
    (0..head).map(Some).chain(middle).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn items_are_found_again() {
        assert_eq!(matches(&[], &[1, 2]), [None, None]);
        assert_eq!(matches(&[1, 2, 3], &[1, 2, 3]), [Some(0), Some(1), Some(2)]);
        assert_eq!(matches(&[1, 2, 3], &[1, 4, 3]), [Some(0), None, Some(2)]);
        assert_eq!(matches(&[1, 2, 3], &[3, 1]), [Some(2), Some(0)]);
        assert_eq!(matches(&[1, 2], &[]), []);
    }

    #[test]
    fn an_item_is_used_once() {
        assert_eq!(matches(&[1, 2], &[1, 1, 2]), [Some(0), None, Some(1)]);
        assert_eq!(matches(&[7, 7], &[7, 7, 7]), [Some(0), Some(1), None]);
    }
}
