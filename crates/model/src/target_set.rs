//! Sets of targets as expectations name them: one target, a version (`gfx12`, `gfx12.5`), or a range (`gfx6-gfx11`).

use crate::target::{Family, TargetId};
use alloc::vec::Vec;

/// The targets that a word stands for, in the order of the table; `None` if it stands for none.
///
/// A version takes in the generic targets that stand for it. A range goes from the lowest version of its first end to
/// the highest of its last; both ends are AMDGPU, or both are not.
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

/// `gfx12` or `gfx12.5`. The major version has at most two digits, so that no processor is taken for a version.
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

/// Where a target stands among its like: AMDGPU by version, the others by their place in the table.
fn rank(id: TargetId) -> (u8, u16, u8, u8) {
    match id.get().family {
        Family::Model => (0, 0, 0, 0),
        Family::Amdgpu { major, minor, stepping } => (1, u16::from(major), minor, stepping),
        Family::Nvidia => (2, id.0, 0, 0),
        Family::Opencl => (3, 0, 0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::expand;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn names(word: &str) -> String {
        expand(word).map_or(String::new(), |ids| {
            ids.iter().map(|id| id.get().name).collect::<Vec<_>>().join(" ")
        })
    }

    #[test]
    fn versions_take_in_their_generic_targets() {
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
        assert_eq!(names("sm_100-sm_120"), "sm_100 sm_103 sm_120");
        assert_eq!(names("gfx9-4-generic"), "gfx9-4-generic");
        assert_eq!(names("gfx9-4-generic-gfx950"), "gfx942 gfx950 gfx9-4-generic");
        let old = names("gfx6-gfx11");
        assert!(old.starts_with("gfx600 ") && old.ends_with(" gfx11-generic"));
        assert!(!old.contains("gfx12") && old.contains("gfx90a"));
    }

    #[test]
    fn other_words_stand_for_nothing() {
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
}
