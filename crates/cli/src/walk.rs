//! Finding the scenarios below a path.

use crate::exit::Failure;
use crate::input::name_of;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders deeper than this are not searched.
const MAX_DEPTH: usize = 64;

/// The files named and the `.tide` files in the folders named, each folder in the order of names. Links to folders and
/// names that begin with a dot are left aside.
pub(crate) fn scenarios(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() { folder(path, 0, &mut found)? } else { found.push(path.clone()) }
    }
    Ok(found)
}

fn folder(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::new(format!("folder {} cannot be read: {error}", name_of(path)))
    };
    let mut entries = fs::read_dir(path)
        .map_err(unreadable)?
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if entry.file_type().map_err(unreadable)?.is_dir() {
            if depth < MAX_DEPTH {
                folder(&path, depth + 1, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "tide") {
            found.push(path);
        }
    }
    Ok(())
}

/// Which part of the whole is meant: the first number counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// Reads `I/N`.
    pub(crate) fn parse(words: &str) -> Result<Self, Failure> {
        words
            .split_once('/')
            .and_then(|(index, of)| Some(Self { index: index.parse().ok()?, of: of.parse().ok()? }))
            .filter(|shard| (1..=shard.of).contains(&shard.index))
            .ok_or_else(|| {
                Failure::new(format!("`{words}` is no part"))
                    .help("write it as I/N, from 1/N to N/N")
            })
    }

    /// The items of this part: every N-th.
    pub(crate) fn of<T>(self, items: Vec<T>) -> Vec<T> {
        items.into_iter().skip(self.index - 1).step_by(self.of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_whole() {
        let items: Vec<u32> = (0..10).collect();
        let mut parts: Vec<u32> =
            (1..=3).flat_map(|index| Shard { index, of: 3 }.of(items.clone())).collect();
        parts.sort_unstable();
        assert_eq!(parts, items);
    }

    #[test]
    fn only_parts_that_exist_are_read() {
        assert_eq!(Shard::parse("2/3"), Ok(Shard { index: 2, of: 3 }));
        for wrong in ["", "0/3", "4/3", "1/0", "1", "a/b", "-1/2"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }
}
