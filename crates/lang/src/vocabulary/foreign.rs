//! Words of languages whose kernels people paste and that are not read here: what is told of them.

/// A barrier of CUDA, HIP or clang: its name, and what it is on NVIDIA and on AMDGPU; empty where there is no such thing.
type Barrier = (&'static str, &'static str, &'static str);

const BARRIERS: [Barrier; 3] = [
    ("__syncthreads", "bar.sync 0", "s_barrier"),
    ("__syncwarp", "bar.warp.sync 0xffffffff", ""),
    ("__builtin_amdgcn_s_barrier", "", "s_barrier"),
];

/// Words that begin a line of CUDA C++ or HIP.
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

/// Words that begin a line of Python.
const PYTHON: [&str; 5] = ["@", "class", "def", "from", "import"];

/// What to write in the place of a call, as one text where there is one, and in words.
#[must_use]
pub(crate) fn barrier(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    BARRIERS.into_iter().find(|(word, ..)| *word == name)
}

/// The language whose lines begin with a word, and a block that says what such a kernel does at barriers.
#[must_use]
pub(crate) fn language(word: &str) -> Option<(&'static str, &'static str)> {
    match () {
        () if CUDA.contains(&word) => Some(("CUDA C++ or HIP", "kernel { bar.sync 0 }")),
        () if PYTHON.contains(&word) => Some(("Python", "warp 0 { tlx.barrier_wait(full[0], 0) }")),
        () => None,
    }
}
