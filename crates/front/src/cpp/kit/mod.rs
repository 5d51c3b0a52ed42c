//! Headers of CUDA and HIP, as far as they synchronise or access memory.
//!
//! Their functions contain the instructions that they compile to, so that the built-in compiler and clang give the same code.

use alloc::format;
use alloc::string::String;

/// The text of a header without comments and indentation, to keep the page small.
macro_rules! kit {
    ($file:literal) => {{
        const TEXT: &[u8] = include_bytes!($file);
        const KEPT: [u8; kept(TEXT, &mut [])] = {
            let mut kept_bytes = [0; kept(TEXT, &mut [])];
            kept(TEXT, &mut kept_bytes);
            kept_bytes
        };
        match core::str::from_utf8(&KEPT) {
            Ok(text) => text,
            Err(_) => panic!("a header is not UTF-8"),
        }
    }};
}

/// The number of bytes that are kept of a header. They are copied to `to` as far as they fit.
const fn kept(text: &[u8], to: &mut [u8]) -> usize {
    let (mut at, mut count, mut begins) = (0, 0, true);
    while at < text.len() {
        let byte = text[at];
        let comment = begins && byte == b'/' && at + 1 < text.len() && text[at + 1] == b'/';
        if comment {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
            continue;
        }
        if !(begins && byte == b' ') {
            if count < to.len() {
                to[count] = byte;
            }
            count += 1;
            begins = byte == b'\n';
        }
        at += 1;
    }
    count
}

/// The names of the headers and their texts.
pub const HEADERS: [(&str, &str); 27] = [
    ("tidegate/cuda", kit!("cuda.h")),
    ("tidegate/textures", kit!("textures.h")),
    ("tidegate/operators", kit!("operators.h")),
    ("helper_math.h", kit!("helper_math.h")),
    ("cutil_math.h", VECTORS),
    ("curand_kernel.h", kit!("curand.h")),
    ("curand.h", RANDOM),
    ("curand_mtgp32_kernel.h", RANDOM),
    ("hiprand/hiprand_kernel.h", RANDOM),
    ("cuda_texture_types.h", "#include <tidegate/textures>\n"),
    ("cooperative_groups.h", kit!("cooperative_groups.h")),
    ("cooperative_groups/memcpy_async.h", GROUPS),
    ("cooperative_groups/reduce.h", GROUPS),
    ("hip/hip_cooperative_groups.h", GROUPS),
    ("cuda/copies", kit!("copies.h")),
    ("cuda/barrier", kit!("barrier.h")),
    ("cuda/pipeline", kit!("pipeline.h")),
    ("cuda/atomic", kit!("atomic.h")),
    ("cuda/std/atomic", "#include <cuda/atomic>\n"),
    ("cuda/ptx", kit!("ptx.h")),
    ("mma.h", kit!("mma.h")),
    ("cuda_fp16.h", kit!("half.h")),
    ("cub/cub.cuh", kit!("cub.h")),
    ("cub/block/block_reduce.cuh", "#include <cub/cub.cuh>\n"),
    ("cuda_bf16.h", HALF),
    ("hip/hip_fp16.h", HALF),
    ("hip/hip_bf16.h", HALF),
];

/// The text of a header that includes all of cooperative groups.
const GROUPS: &str = "#include <cooperative_groups.h>\n";

/// The text of a header that includes the functions of short floating-point types.
const HALF: &str = "#include <cuda_fp16.h>\n";

const RANDOM: &str = "#include <curand_kernel.h>\n";
const VECTORS: &str = "#include <helper_math.h>\n";

/// Words of a text, and the header that declares the names with this word. Programs often come without the `#include` lines.
const BY_WORD: [(&str, &str); 9] = [
    ("curand", "curand_kernel.h"),
    ("cooperative_groups", "cooperative_groups.h"),
    ("texture", "tidegate/textures"),
    ("surface", "tidegate/textures"),
    ("cudaTexture", "tidegate/textures"),
    ("cudaSurface", "tidegate/textures"),
    ("tex1D", "tidegate/textures"),
    ("tex2D", "tidegate/textures"),
    ("tex3D", "tidegate/textures"),
];

/// Functions of vectors that programs often define themselves.
const OF_VECTORS: [&str; 8] =
    ["dot", "length", "lerp", "clamp", "normalize", "cross", "reflect", "floorf"];

/// Short names of types, which system headers declare and many programs declare themselves.
const SHORT: [(&str, &str); 4] = [
    ("uchar", "unsigned char"),
    ("ushort", "unsigned short"),
    ("uint", "unsigned int"),
    ("ulong", "unsigned long"),
];

/// The lines before a text of CUDA or HIP, after the declarations that every text has.
pub fn before(texts: &[&str]) -> String {
    let has = |word: &str| texts.iter().any(|text| text.contains(word));
    let mut lines = String::new();
    for (name, of) in SHORT {
        if !texts.iter().any(|text| declares(text, name)) {
            lines += &format!("typedef {of} {name};\n");
        }
    }
    for (word, header) in BY_WORD {
        if has(word) {
            lines += &format!("#include <{header}>\n");
        }
    }
    // A program that declares no operators uses those of the CUDA samples.
    if !texts.iter().any(|text| declares_operator(text))
        && ["2", "3", "4"].iter().any(|count| has(&format!("float{count}")))
    {
        let own = |name: &&str| texts.iter().any(|text| declares_function(text, name));
        lines += match OF_VECTORS.iter().any(own) {
            true => "#include <tidegate/operators>\n",
            false => VECTORS,
        };
    }
    // References to textures and surfaces are variables of the device. Clang knows this only for textures.
    if has("surface<") || has("surface <") {
        lines += "#define surface __device__ surface\n";
    }
    lines += "#ifdef TIDEGATE_BUILT_IN\n#define texture __device__ texture\n#endif\n";
    lines
}

/// Whether a text declares an operator of arithmetic.
fn declares_operator(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("operator") {
        if after.trim_start().starts_with(['+', '-', '*', '/']) {
            return true;
        }
        rest = after;
    }
    false
}

/// Whether a text declares a function: there is a word before its name.
fn declares_function(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], text[at + name.len()..].trim_start());
        let word = before.trim_end();
        let last = word.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("");
        word.len() < before.len()
            && after.starts_with('(')
            && !matches!(last, "" | "return" | "else" | "case")
    })
}

/// Whether a text declares a name of a type.
fn declares(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], text[at + name.len()..].trim_start());
        let statement = before.rsplit([';', '}', '{']).next().unwrap_or("");
        let whole = before.ends_with(|letter: char| letter.is_whitespace());
        whole
            && (after.starts_with(';') && statement.contains("typedef")
                || after.starts_with('=') && statement.trim_end().ends_with("using")
                || statement.trim_end().ends_with("#define"))
    })
}
