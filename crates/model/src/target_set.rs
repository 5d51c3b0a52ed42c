//! Sets of targets in expectations: one target, a version (`gfx12`, `gfx12.5`), or a range (`gfx6-gfx11`).

use crate::ordered::{OrderedMap, OrderedSet};
use crate::target::{Family, TargetId};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The targets that a word names, in the order of the table; `None` if it names none.
///
/// A version includes its generic targets. A range extends from the lowest version of its first end to the highest of its
/// last end. Both ends are AMDGPU targets, or neither is.
#[must_use]
pub fn expand(word: &str) -> Option<Vec<TargetId>> {
    simple(word).or_else(|| {
        word.match_indices('-').find_map(|(dash, _)| {
            let (first, last) = (word.get(..dash)?, word.get(dash + 1..)?);
            between(&simple(first.trim())?, &simple(last.trim())?)
        })
    })
}

/// A target or a version.
fn simple(word: &str) -> Option<Vec<TargetId>> {
    if let Some(id) = TargetId::from_name(word) {
        return Some(alloc::vec![id]);
    }
    let (major, minor) = version(word)?;
    let matches = |id: &TargetId| match id.get().family {
        Family::Amdgpu { major: a, minor: b, .. } => {
            a == major && minor.is_none_or(|minor| b == minor)
        }
        _ => false,
    };
    let found: Vec<_> = TargetId::all().filter(matches).collect();
    (!found.is_empty()).then_some(found)
}

/// Parses `gfx12` or `gfx12.5`. The major version has at most two digits, so that a processor is not a version.
fn version(word: &str) -> Option<(u8, Option<u8>)> {
    let number = word.strip_prefix("gfx")?;
    let (major, minor) = match number.split_once('.') {
        Some((major, minor)) => (major, Some(digits(minor)?)),
        None => (number, None),
    };
    Some((digits(major)?, minor))
}

fn digits(word: &str) -> Option<u8> {
    (word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| word.parse().ok())?
}

/// Every target of a family from the lowest in one list to the highest in the other.
fn between(first: &[TargetId], last: &[TargetId]) -> Option<Vec<TargetId>> {
    let low = first.iter().map(|&id| rank(id)).min()?;
    let high = last.iter().map(|&id| rank(id)).max()?;
    let found: Vec<_> = TargetId::all().filter(|&id| (low..=high).contains(&rank(id))).collect();
    (low.0 == high.0 && !found.is_empty()).then_some(found)
}

/// Family, then version or index.
type Rank = (u8, u16, u8, u8);

/// The rank of a target within its family: AMDGPU by version, others by index in the table.
fn rank(id: TargetId) -> Rank {
    match id.get().family {
        Family::Model => (0, 0, 0, 0),
        Family::Amdgpu { major, minor, stepping } => (1, u16::from(major), minor, stepping),
        Family::Nvidia => (2, id.0, 0, 0),
        Family::Opencl => (3, 0, 0, 0),
    }
}

/// A short list of words that name exactly these targets, in the order of the table: the inverse of [`expand`].
#[must_use]
pub fn contract(ids: &[TargetId]) -> Vec<String> {
    let wanted: OrderedSet<TargetId> = ids.iter().copied().collect();
    let mut ranks: OrderedMap<Rank, Vec<TargetId>> = OrderedMap::new();
    TargetId::all().for_each(|id| ranks.entry(rank(id)).or_default().push(id));
    let ranks: Vec<Vec<TargetId>> = ranks.into_values().collect();
    let whole = |rank: &[TargetId]| rank.iter().all(|id| wanted.contains(id));
    let mut words = Vec::new();
    for run in ranks.chunk_by(|a, b| rank(a[0]).0 == rank(b[0]).0 && whole(a) && whole(b)) {
        if whole(&run[0]) {
            words.extend(words_of(run, &ranks));
        } else {
            let some = run[0].iter().filter(|id| wanted.contains(id));
            words.extend(some.map(|id| id.get().name.to_string()));
        }
    }
    words
}

/// The words for a run of complete ranks: a version, names, or a range whose ends are versions if possible.
fn words_of(run: &[Vec<TargetId>], all: &[Vec<TargetId>]) -> Vec<String> {
    let (first, last) = (run[0][0], run[run.len() - 1][0]);
    let whole = |parts: &u8, end: TargetId| {
        let of = |rank: &&Vec<TargetId>| version_of(rank[0], *parts) == version_of(end, *parts);
        let mut ranks = all.iter().filter(of);
        let lowest = ranks.next().map(|rank| rank[0]);
        (lowest, ranks.next_back().map(|rank| rank[0]).or(lowest))
    };
    let version = |parts: u8| version_of(first, parts);
    let exact = |parts: &u8| whole(parts, first) == (Some(first), Some(last));
    if let Some(word) = [1, 2].iter().filter(|parts| exact(parts)).find_map(|parts| version(*parts))
        && run.iter().flatten().count() > 1
    {
        return alloc::vec![word];
    }
    if let [rank] = run {
        return rank.iter().map(|id| id.get().name.to_string()).collect();
    }
    let begins = [1, 2].into_iter().find(|parts| whole(parts, first).0 == Some(first));
    let ends = [1, 2].into_iter().find(|parts| whole(parts, last).1 == Some(last));
    let word = |end: TargetId, parts: Option<u8>| {
        parts.and_then(|parts| version_of(end, parts)).unwrap_or_else(|| end.get().name.to_string())
    };
    alloc::vec![format!("{}-{}", word(first, begins), word(last, ends))]
}

/// The word for a version with this number of parts; `None` for other families.
fn version_of(id: TargetId, parts: u8) -> Option<String> {
    match (id.get().family, parts) {
        (Family::Amdgpu { major, .. }, 1) => Some(format!("gfx{major}")),
        (Family::Amdgpu { major, minor, .. }, _) => Some(format!("gfx{major}.{minor}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{contract, expand};
    use crate::target::TARGETS;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn names(word: &str) -> String {
        expand(word).map_or(String::new(), |ids| {
            ids.iter().map(|id| id.get().name).collect::<Vec<_>>().join(" ")
        })
    }

    #[test]
    fn versions_include_their_generic_targets() {
        assert_eq!(names("gfx6"), "gfx600 gfx601 gfx602");
        assert_eq!(names("gfx12.0"), "gfx1200 gfx1201 gfx12-generic");
        assert_eq!(names("gfx12.5"), "gfx1250 gfx1251");
        assert_eq!(names("gfx12"), "gfx1200 gfx1201 gfx12-generic gfx1250 gfx1251");
        assert!(names("gfx9").ends_with("gfx9-generic gfx9-4-generic"));
    }

    #[test]
    fn ranges_are_inclusive() {
        assert_eq!(names("gfx1250-gfx1251"), "gfx1250 gfx1251");
        assert_eq!(names("gfx1201-gfx12.5"), "gfx1201 gfx1250 gfx1251");
        let all: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        let first = all.iter().position(|&name| name == "sm_70").unwrap();
        assert_eq!(names("sm_70-sm_120"), all[first..all.len() - 1].join(" "));
        assert_eq!(names("gfx9-4-generic"), "gfx9-4-generic");
        assert_eq!(names("gfx9-4-generic-gfx950"), "gfx942 gfx950 gfx9-4-generic");
        let old = names("gfx6-gfx11");
        assert!(old.starts_with("gfx600 ") && old.ends_with(" gfx11-generic"));
        assert!(!old.contains("gfx12") && old.contains("gfx90a"));
    }

    #[test]
    fn other_words_name_no_target() {
        for word in [
            "",
            "-",
            "gfx",
            "gfx5",
            "gfx13",
            "gfx12.9",
            "gfx11-gfx6",
            "gfx6-sm_90",
            "gfx6-",
            "gfx1255",
            "é-é",
        ] {
            assert_eq!(expand(word), None, "{word}");
        }
    }

    #[test]
    fn words_and_targets_round_trip() {
        for (words, wanted) in [
            ("gfx6-gfx11", "gfx6-gfx11"),
            ("gfx600", "gfx600"),
            ("gfx12.5", "gfx12.5"),
            ("gfx12.0 gfx12.5", "gfx12"),
            ("gfx6 gfx700", "gfx6-gfx700"),
            ("gfx601 gfx602 gfx7", "gfx601-gfx7"),
            ("gfx900", "gfx900"),
            ("gfx900 gfx9-generic gfx90c", "gfx900 gfx9-generic gfx90c"),
            ("gfx9-4-generic", "gfx9-4-generic"),
            ("sm_70-sm_120 opencl model", "model sm_70-sm_120 opencl"),
            ("gfx11.5 gfx12.0", "gfx11.5-gfx12.0"),
        ] {
            let ids: Vec<_> = words.split(' ').flat_map(|word| expand(word).unwrap()).collect();
            assert_eq!(contract(&ids).join(" "), wanted);
        }
    }

    #[test]
    fn every_run_of_targets_has_exact_words() {
        let all: Vec<_> = super::TargetId::all().collect();
        for first in 0..all.len() {
            for last in first..all.len() {
                let ids = &all[first..=last];
                let mut told: Vec<_> =
                    contract(ids).iter().flat_map(|word| expand(word).unwrap()).collect();
                told.sort();
                assert_eq!(told, ids);
            }
        }
        assert!(contract(&[]).is_empty());
    }
}
