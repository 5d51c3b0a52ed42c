//! Headers of CUDA and HIP, as far as they synchronise or access memory.
//!
//! Their functions are written with the instructions for which they stand, so that the built-in compiler and clang make the
//! same code of them.

/// The headers, and the texts of those that do not only include another one.
pub const HEADERS: [(&str, &str); 15] = [
    ("cooperative_groups.h", include_str!("cooperative_groups.h")),
    ("cooperative_groups/memcpy_async.h", GROUPS),
    ("cooperative_groups/reduce.h", GROUPS),
    ("hip/hip_cooperative_groups.h", GROUPS),
    ("cuda/copies", include_str!("copies.h")),
    ("cuda/barrier", include_str!("barrier.h")),
    ("cuda/pipeline", include_str!("pipeline.h")),
    ("cuda/atomic", include_str!("atomic.h")),
    ("cuda/std/atomic", "#include <cuda/atomic>\n"),
    ("cuda/ptx", include_str!("ptx.h")),
    ("mma.h", include_str!("mma.h")),
    ("cuda_fp16.h", include_str!("half.h")),
    ("cuda_bf16.h", HALF),
    ("hip/hip_fp16.h", HALF),
    ("hip/hip_bf16.h", HALF),
];

/// The text of a header that includes all of cooperative groups.
const GROUPS: &str = "#include <cooperative_groups.h>\n";

/// The text of a header that includes the functions of short floating-point types.
const HALF: &str = "#include <cuda_fp16.h>\n";
