//! Headers of the CUDA and HIP kits, for machines without the kits. Tests use this file too.

use std::path::Path;
use std::{fs, io};
use tidegate_check::reader::{HEADERS, before};

/// Declarations that every source gets, and the headers with them.
const PRELUDE: &str = include_str!("prelude.h");
const MATHEMATICS: &str = include_str!("tidegate_math.h");
const RUNTIME: &str = include_str!("tidegate_runtime.h");
const SCOPES: &str = include_str!("tidegate_scopes.h");
/// Headers of the kits whose contents are in the prelude, or not needed.
const STUBS: [&str; 20] = [
    "builtin_types.h",
    "cuda.h",
    "cuda_pipeline.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cutil.h",
    "cutil_inline.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "driver_types.h",
    "helper_cuda.h",
    "helper_functions.h",
    "hip/hip_runtime.h",
    "math_constants.h",
    "math_functions.h",
    "surface_functions.h",
    "texture_fetch_functions.h",
    "texture_types.h",
    "vector_functions.h",
    "vector_types.h",
];

/// The header that every source includes first.
pub(crate) const FIRST: &str = "tidegate.h";

/// Writes the headers to a folder, as a source with these texts needs them.
pub(crate) fn write(folder: &Path, texts: &[&str]) -> io::Result<()> {
    let stubs = STUBS.map(|name| (name, ""));
    let prelude = PRELUDE.to_owned() + &before(texts);
    let own = [
        (FIRST, &*prelude),
        ("tidegate_math.h", MATHEMATICS),
        ("tidegate_runtime.h", RUNTIME),
        ("tidegate_scopes.h", SCOPES),
    ];
    for (name, text) in HEADERS.into_iter().chain(stubs).chain(own) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}
