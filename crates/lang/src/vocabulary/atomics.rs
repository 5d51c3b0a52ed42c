//! Atomic functions of OpenCL C, CUDA, HIP and clang.

use alloc::string::String;

/// The access of an atomic function to the object of its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Load,
    /// A store, or a read and a write in one step.
    Update,
}

/// Prefixes of C functions, after which the operation is named.
const PREFIXES: [&str; 6] =
    ["atomic_", "atom_", "__hip_atomic_", "__atomic_", "__scoped_atomic_", "__opencl_atomic_"];

/// The name of the operation of an atomic function.
fn operation(word: &str) -> Option<&str> {
    let of_cuda = word.strip_prefix("atomic");
    let of_cuda = of_cuda.filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    let fence = word.ends_with("fence");
    of_cuda
        .or_else(|| PREFIXES.into_iter().find_map(|prefix| word.strip_prefix(prefix)))
        .filter(|_| !fence)
}

/// The access of a function, if it is atomic.
#[must_use]
pub(crate) fn access(word: &str) -> Option<Access> {
    operation(word).map(|name| match name.starts_with("load") {
        true => Access::Load,
        false => Access::Update,
    })
}

/// The functions of OpenCL 1, which order nothing by themselves.
const UNORDERED: [&str; 11] =
    ["add", "sub", "xchg", "inc", "dec", "cmpxchg", "min", "max", "and", "or", "xor"];

/// Whether it initialises its object.
#[must_use]
pub(crate) fn initialises(word: &str) -> bool {
    operation(word).is_some_and(|name| name.starts_with("init"))
}

/// Whether a call, given its text, may acquire what another work-item has released.
#[must_use]
pub(crate) fn acquires(word: &str, text: &str) -> bool {
    let Some(name) = operation(word) else { return false };
    let stores = name.starts_with("store") || name.starts_with("init");
    let text = own_arguments(text);
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if word.starts_with("atomic") && !word.starts_with("atomic_") || UNORDERED.contains(&name) {
        return false;
    }
    let named = has(&["acquire", "acq_rel", "seq_cst", "ACQUIRE", "ACQ_REL", "SEQ_CST"]);
    !stores && (named || !has(&["relaxed", "release", "RELAXED", "RELEASE"]))
}

/// Whether the scope of a call, given its text, may exclude other work-items of the work-group, and those of others.
#[must_use]
pub(crate) fn narrow(word: &str, text: &str) -> (bool, bool) {
    let text = own_arguments(text);
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let inner =
        has(&["scope_sub_group", "scope_work_item", "SCOPE_WAVEFRONT", "SCOPE_SINGLETHREAD"]);
    let group = has(&["scope_work_group", "SCOPE_WORKGROUP"]) || word.ends_with("_block");
    (inner, inner || group)
}

/// The text of a call without the arguments of the calls in its arguments.
fn own_arguments(text: &str) -> String {
    let mut open = 0_u32;
    let own = text.chars().filter(|c| {
        open += u32::from(*c == '(');
        let inner = open > 1;
        open = open.saturating_sub(u32::from(*c == ')'));
        !inner
    });
    own.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_no_accesses() {
        for word in ["atomic_work_item_fence", "atomic_fence", "atom", "atomics", "load"] {
            assert_eq!(access(word), None, "{word}");
        }
        assert_eq!(access("atomic_load_explicit"), Some(Access::Load));
        assert_eq!(access("__hip_atomic_load"), Some(Access::Load));
        for word in ["atomicAdd", "atomic_inc", "atom_add", "atomic_store", "__atomic_fetch_add"] {
            assert_eq!(access(word), Some(Access::Update), "{word}");
        }
    }

    #[test]
    fn an_order_is_sequentially_consistent_unless_it_is_named() {
        for (word, text, wanted) in [
            ("atomic_load", "atomic_load(p)", true),
            ("atomic_store", "atomic_store(p, 1)", false),
            ("atomic_inc", "atomic_inc(p)", false),
            ("atomicAdd", "atomicAdd(p, 1)", false),
            ("atomic_load_explicit", "atomic_load_explicit(p, memory_order_relaxed)", false),
            ("atomic_load_explicit", "atomic_load_explicit(p, memory_order_acquire)", true),
            ("atomic_load_explicit", "atomic_load_explicit(p, ORDER)", true),
            ("__hip_atomic_load", "__hip_atomic_load(p, __ATOMIC_ACQUIRE, S)", true),
        ] {
            assert_eq!(acquires(word, text), wanted, "{text}");
        }
    }
}
