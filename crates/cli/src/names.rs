//! Names that a user typed, and the nearest existing name.

use crate::exit::Failure;

/// The name among `known` that a user who typed `typed` probably meant.
pub(crate) fn nearest<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = (typed.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|name| (distance(typed, name), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The failure for a name that does not exist.
pub(crate) fn unknown<'a>(
    what: &str,
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> Failure {
    let failure = Failure::new(format!("unknown {what} `{typed}`"));
    match nearest(typed, known) {
        Some(name) => failure.help(format!("did you mean `{name}`?")),
        None => failure.help(otherwise),
    }
}

/// Number of characters to insert, delete, change or swap with a neighbour; the largest number for texts longer than
/// any name.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().max(b.len()) > 64 {
        return usize::MAX;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_proposed() {
        let known = ["gfx1200", "gfx1250", "model"];
        assert_eq!(nearest("gfx125", known), Some("gfx1250"));
        assert_eq!(nearest("modle", known), Some("model"));
        assert_eq!(nearest("hopper", known), None);
        assert_eq!(nearest(&"x".repeat(100_000), known), None);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abcd", "abdc"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
