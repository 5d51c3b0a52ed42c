//! The lines that only one of two texts has.

/// Largest number of lines of a text that is compared line by line.
const MOST: usize = 2_000;

/// A line that only one text has, with its number there, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change<'a> {
    /// Only the first text has it.
    Lost(usize, &'a str),
    /// Only the second text has it.
    Gained(usize, &'a str),
}

/// Returns the smallest set of line changes from one text to another. `None` if the texts are too long.
pub(super) fn changes<'a>(before: &'a str, after: &'a str) -> Option<Vec<Change<'a>>> {
    let (left, right): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if left.len().max(right.len()) > MOST {
        return None;
    }
    let common = common(&left, &right);
    let width = right.len() + 1;
    let (mut row, mut column, mut changes) = (0, 0, Vec::new());
    while row < left.len() || column < right.len() {
        let keeps = row < left.len() && column < right.len() && left[row] == right[column];
        let loses = row < left.len()
            && (column == right.len()
                || common[(row + 1) * width + column] >= common[row * width + column + 1]);
        match (keeps, loses) {
            (true, _) => (row, column) = (row + 1, column + 1),
            (false, true) => {
                changes.push(Change::Lost(row + 1, left[row]));
                row += 1;
            }
            (false, false) => {
                changes.push(Change::Gained(column + 1, right[column]));
                column += 1;
            }
        }
    }
    Some(changes)
}

/// Returns the length of the longest common subsequence of the remaining lines, for each pair of positions, row by row.
fn common(left: &[&str], right: &[&str]) -> Vec<u16> {
    let width = right.len() + 1;
    let mut common = vec![0_u16; (left.len() + 1) * width];
    for row in (0..left.len()).rev() {
        for column in (0..right.len()).rev() {
            common[row * width + column] = match left[row] == right[column] {
                true => common[(row + 1) * width + column + 1] + 1,
                false => common[(row + 1) * width + column].max(common[row * width + column + 1]),
            };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_differing_lines_are_listed() {
        let found = changes("a\nb\nc\n", "a\nc\nd\n");
        assert_eq!(found, Some(vec![Change::Lost(2, "b"), Change::Gained(3, "d")]));
        assert_eq!(changes("a\n", "a\n"), Some(Vec::new()));
        assert_eq!(changes("", "a"), Some(vec![Change::Gained(1, "a")]));
        assert_eq!(changes(&"a\n".repeat(MOST + 1), ""), None);
    }
}
