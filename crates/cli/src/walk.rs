//! Finds the scenarios below a path.

use crate::exit::Failure;
use crate::input::name_of;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest depth of folders that are searched.
const MAX_DEPTH: usize = 64;

/// The named files, and the `.tide` files in the named folders, ordered by name. Links to folders and names that start
/// with a dot are skipped.
pub(crate) fn scenarios(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() { folder(path, 0, &mut found)? } else { found.push(path.clone()) }
    }
    Ok(found)
}

fn folder(path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::new(format!("cannot read folder {}: {error}", name_of(path)))
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

/// A shard; the first number counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// Parses `I/N`.
    pub(crate) fn parse(words: &str) -> Result<Self, Failure> {
        words
            .split_once('/')
            .and_then(|(index, of)| Some(Self { index: index.parse().ok()?, of: of.parse().ok()? }))
            .filter(|shard| (1..=shard.of).contains(&shard.index))
            .ok_or_else(|| {
                Failure::new(format!("`{words}` is not a shard"))
                    .help("write it as I/N, from 1/N to N/N")
            })
    }

    /// The shard that a scheduler assigned to this process: `SLURM_ARRAY_TASK_ID` of `SLURM_ARRAY_TASK_COUNT`, starting
    /// at `SLURM_ARRAY_TASK_MIN` in steps of `SLURM_ARRAY_TASK_STEP`; or `JOB_COMPLETION_INDEX` of an indexed
    /// Kubernetes job, from 0, of `JOB_COMPLETIONS`, which the job must pass on. `None` without a scheduler.
    pub(crate) fn from_environment(
        value: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Failure> {
        let number = |name: &str| -> Result<Option<usize>, Failure> {
            let read = |words: String| {
                words
                    .trim()
                    .parse()
                    .map_err(|_| Failure::new(format!("{name} is `{words}`; expected a number")))
            };
            value(name).map(read).transpose()
        };
        let missing = |name: &str, other: &str| {
            Failure::new(format!("{other} is set, but {name} is not"))
                .help(format!("set {name} to the number of shards, or use --shard I/N"))
        };
        if let Some(index) = number("JOB_COMPLETION_INDEX")? {
            let of = number("JOB_COMPLETIONS")?;
            let of = of.ok_or_else(|| missing("JOB_COMPLETIONS", "JOB_COMPLETION_INDEX"))?;
            return Self::at(index, of).map(Some);
        }
        let Some(task) = number("SLURM_ARRAY_TASK_ID")? else { return Ok(None) };
        let of = number("SLURM_ARRAY_TASK_COUNT")?;
        let of = of.ok_or_else(|| missing("SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_ID"))?;
        let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
        let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
        Self::at(task.wrapping_sub(first) / step, of).map(Some)
    }

    /// The shard of an index from 0.
    fn at(index: usize, of: usize) -> Result<Self, Failure> {
        if index < of {
            Ok(Self { index: index + 1, of })
        } else {
            Err(Failure::new(format!(
                "shard {index} is out of range: valid shards are 0 to {}",
                of.saturating_sub(1)
            )))
        }
    }

    /// The items of this shard: every N-th.
    pub(crate) fn of<T>(self, items: Vec<T>) -> Vec<T> {
        items.into_iter().skip(self.index - 1).step_by(self.of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_disjoint_and_complete() {
        let items: Vec<u32> = (0..10).collect();
        let mut parts: Vec<u32> =
            (1..=3).flat_map(|index| Shard { index, of: 3 }.of(items.clone())).collect();
        parts.sort_unstable();
        assert_eq!(parts, items);
    }

    #[test]
    fn only_valid_shards_are_parsed() {
        assert_eq!(Shard::parse("2/3"), Ok(Shard { index: 2, of: 3 }));
        for wrong in ["", "0/3", "4/3", "1/0", "1", "a/b", "-1/2"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn schedulers_select_the_shard() {
        let part = |set: &[(&str, &str)]| {
            let set: std::collections::BTreeMap<&str, &str> = set.iter().copied().collect();
            Shard::from_environment(|name| set.get(name).map(|value| (*value).to_owned()))
        };
        assert_eq!(part(&[]), Ok(None));
        let third = Ok(Some(Shard { index: 3, of: 4 }));
        assert_eq!(part(&[("JOB_COMPLETION_INDEX", "2"), ("JOB_COMPLETIONS", "4")]), third);
        let slurm = [("SLURM_ARRAY_TASK_ID", "14"), ("SLURM_ARRAY_TASK_COUNT", "4")];
        let stepped = [("SLURM_ARRAY_TASK_MIN", "10"), ("SLURM_ARRAY_TASK_STEP", "2")];
        assert_eq!(part(&[slurm, stepped].concat()), third);
        assert!(part(&slurm).is_err(), "14 is none of 4");
        assert!(part(&[("SLURM_ARRAY_TASK_ID", "x")]).is_err());
        let alone = part(&[("JOB_COMPLETION_INDEX", "2")]).unwrap_err();
        assert!(alone.message.contains("JOB_COMPLETIONS"));
    }
}
