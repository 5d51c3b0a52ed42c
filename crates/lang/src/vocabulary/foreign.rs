//! Words of kernel languages in a scenario, and suggestions for them.

/// A barrier of CUDA, HIP or clang: its name, and its equivalents on NVIDIA and on AMDGPU; empty if there is none.
type Barrier = (&'static str, &'static str, &'static str);

const BARRIERS: [Barrier; 3] = [
    ("__syncthreads", "bar.sync 0", "s_barrier"),
    ("__syncwarp", "bar.warp.sync 0xffffffff", ""),
    ("__builtin_amdgcn_s_barrier", "", "s_barrier"),
];

/// Words that start a line of CUDA C++ or HIP.
const CUDA: [&str; 8] = [
    "__device__",
    "__global__",
    "__launch_bounds__",
    "__shared__",
    "extern",
    "static",
    "template",
    "typedef",
];

/// Words that start a line of Python.
const PYTHON: [&str; 5] = ["@", "class", "def", "from", "import"];

/// Prefixes of instructions unrelated to barriers, and whether the instructions access memory.
const OUTSIDE: [(&str, bool); 18] = [
    ("v_", false),
    ("s_nop", false),
    ("s_sleep", false),
    ("s_clause", false),
    ("s_delay_alu", false),
    ("s_setprio", false),
    ("s_setreg", false),
    ("s_load_", true),
    ("s_buffer_load_", true),
    ("ds_", true),
    ("flat_", true),
    ("scratch_", true),
    ("global_load_", true),
    ("global_store_", true),
    ("global_atomic_", true),
    ("buffer_load_", true),
    ("buffer_store_", true),
    ("buffer_atomic_", true),
];

/// Substrings of instructions with such prefixes that are related to barriers or copy asynchronously.
const INSIDE: [&str; 4] = ["barrier", "gws", "async", "_lds"];

/// Whether an instruction that is unrelated to barriers accesses memory; `None` for other instructions.
#[must_use]
pub(crate) fn outside(head: &str) -> Option<bool> {
    if INSIDE.iter().any(|part| head.contains(part)) {
        return None;
    }
    OUTSIDE.into_iter().find(|(start, _)| head.starts_with(start)).map(|(_, accesses)| accesses)
}

/// The replacement of a call, as text if there is one, and in words.
#[must_use]
pub(crate) fn barrier(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    BARRIERS.into_iter().find(|(word, ..)| *word == name)
}

/// The language whose lines start with a word, what to do about it, and an example.
#[must_use]
pub(crate) fn language(word: &str) -> Option<(&'static str, &'static str, &'static str)> {
    match () {
        () if CUDA.contains(&word) => Some((
            "CUDA C++ or HIP",
            "which is read as a whole file: add the kernel",
            "__global__ void k() { __syncthreads(); }",
        )),
        () if PYTHON.contains(&word) => Some((
            "Python",
            "which is not supported: write the barrier operations of each agent",
            "warp 0 { tlx.barrier_wait(full[0], 0) }",
        )),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::outside;

    #[test]
    fn instructions_unrelated_to_barriers() {
        for head in ["v_mov_b32_e32", "s_nop", "s_sleep"] {
            assert_eq!(outside(head), Some(false), "{head}");
        }
        for head in ["ds_store_b32", "global_load_b32", "buffer_store_dwordx4", "flat_load_b64"] {
            assert_eq!(outside(head), Some(true), "{head}");
        }
        let others =
            ["ds_gws_barrier", "ds_atomic_async_barrier_arrive_b64", "s_barier", "global_wb"];
        for head in others.into_iter().chain(["global_load_lds_dword", "buffer_inv", "arrive"]) {
            assert_eq!(outside(head), None, "{head}");
        }
    }
}
