//! Lists whose items keep their elements as long as their keys exist.

use leptos::prelude::*;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Returns a key that changes with any part of an item.
pub(super) fn key_of(item: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    item.hash(&mut hasher);
    hasher.finish()
}

/// A `<For>` for any items: equal keys are allowed, and it is compiled once. Each `<For>` with its own types of items is
/// 6 kB of code.
#[component]
pub(super) fn Each<T, I, F, K, V, N>(
    /// Returns the items.
    each: F,
    /// Returns the key of an item.
    key: K,
    /// Draws a new item.
    children: V,
) -> impl IntoView
where
    T: Send + 'static,
    I: IntoIterator<Item = T>,
    F: Fn() -> I + Send + 'static,
    K: Fn(&T) -> u64 + Send + 'static,
    V: Fn(T) -> N + Clone + Send + 'static,
    N: IntoView + 'static,
{
    let item = move |item: T| {
        let children = children.clone();
        Item { key: key(&item), draw: Box::new(move || children(item).into_any()) }
    };
    list(Box::new(move || each().into_iter().map(&item).collect()))
}

/// An item with its key, and how to draw it.
struct Item {
    key: u64,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

fn list(items: Box<dyn Fn() -> Vec<Item> + Send>) -> AnyView {
    let items = move || {
        let mut items = items();
        distinguish(items.iter_mut().map(|item| &mut item.key));
        items
    };
    view! { <For each=items key=|item| item.key children=|item: Item| (item.draw)()/> }.into_any()
}

/// Numbers equal keys, because a `<For>` would lose items.
fn distinguish<'a>(keys: impl Iterator<Item = &'a mut u64>) {
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    for key in keys {
        let count = counts.entry(*key).or_default();
        *count += 1;
        if *count > 1 {
            *key = key_of(&(*key, *count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::distinguish;

    #[test]
    fn equal_keys_are_numbered() {
        let mut keys = [7, 8, 7, 7];
        distinguish(keys.iter_mut());
        assert_eq!(keys[..2], [7, 8]);
        assert!(keys[2] != 7 && keys[3] != 7 && keys[2] != keys[3], "{keys:?}");
        let mut again = [7, 7, 8, 7];
        distinguish(again.iter_mut());
        assert_eq!(again, [7, keys[2], 8, keys[3]]);
    }
}
