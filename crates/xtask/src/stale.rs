//! Removes the outdated build results of this workspace, so that none is used in the present build. The results of
//! dependencies stay: their sources never change within a version.

use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Prefixes of the names of everything built from this workspace.
const OURS: [&str; 3] = ["tidegate", "libtidegate", "xtask"];
/// Above this size in bytes, the whole folder is removed: it contains dependencies that are no longer used.
const MOST_BYTES: u64 = 12_000_000_000;

/// Removes the build results of this workspace, for every target and profile.
pub(crate) fn remove(target: &Path) -> Result<()> {
    if size(target) > MOST_BYTES {
        return fs::remove_dir_all(target)
            .with_context(|| format!("cannot remove {}", target.display()));
    }
    for profile in subfolders(target).into_iter().flat_map(|folder| {
        let mut profiles = subfolders(&folder);
        profiles.push(folder);
        profiles
    }) {
        for part in [".fingerprint", "build", "deps"] {
            for path in entries(&profile.join(part)).into_iter().filter(|path| is_ours(path)) {
                discard(&path)?;
            }
        }
        discard(&profile.join("incremental"))?;
    }
    Ok(())
}

fn is_ours(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    OURS.iter().any(|start| name.starts_with(start))
}

fn discard(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir()).collect()
}

fn size(folder: &Path) -> u64 {
    entries(folder)
        .into_iter()
        .map(|path| match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => size(&path),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_results_are_removed() {
        let target = std::env::temp_dir().join(format!("tidegate-stale-{}", std::process::id()));
        let keep = ["debug/.fingerprint/clap-1/lib", "wasm32v1-none/release/deps/libserde-1.rlib"];
        let lose = [
            "debug/.fingerprint/tidegate-model-1/lib",
            "debug/incremental/tidegate_model-1/a",
            "debug/build/tidegate-web-1/output",
            "wasm32v1-none/release/deps/libtidegate_model-1.rlib",
        ];
        for path in keep.iter().chain(&lose) {
            fs::create_dir_all(target.join(path)).expect("a folder for the test");
        }
        remove(&target).expect("removing");
        let left: Vec<bool> =
            keep.iter().chain(&lose).map(|path| target.join(path).exists()).collect();
        fs::remove_dir_all(&target).expect("cleaning up");
        assert_eq!(left, [true, true, false, false, false, false]);
    }
}
