//! Source files stay short enough to read.

use super::tree::{File, at};

const MOST_LINES: usize = 600;

/// Returns the files that are too long.
pub(super) fn check(files: &[File]) -> Vec<String> {
    files
        .iter()
        .filter(|file| !file.path.ends_with("package-lock.json"))
        .map(|file| (file, file.text.lines().count()))
        .filter(|&(_, lines)| lines > MOST_LINES)
        .map(|(file, lines)| {
            at(&file.path, &format!("has {lines} lines, more than {MOST_LINES}: divide it"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    #[test]
    fn a_file_of_the_maximum_length_passes() {
        assert!(check(&[file("crates/a.rs", &"\n".repeat(MOST_LINES))]).is_empty());
        assert_eq!(check(&[file("crates/a.rs", &"\n".repeat(MOST_LINES + 1))]).len(), 1);
    }
}
