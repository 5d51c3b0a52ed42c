//! Every scenario of the gallery has a title, a note, a target and an expectation.

use super::tree::{File, at};

const HEADERS: [&str; 3] = ["title", "note", "target"];

/// The scenarios of the gallery.
fn all(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.path.starts_with("examples/") && file.path.ends_with(".tide"))
}

/// Returns the missing parts of the scenarios of the gallery.
pub(super) fn check(files: &[File]) -> Vec<String> {
    all(files).flat_map(problems).collect()
}

fn problems(file: &File) -> Vec<String> {
    let has =
        |word: &str| file.text.lines().any(|line| line.split_whitespace().next() == Some(word));
    let mut problems: Vec<String> = HEADERS
        .iter()
        .filter(|word| !has(word))
        .map(|word| at(&file.path, &format!("has no {word}")))
        .collect();
    if !has("expect") {
        problems.push(at(&file.path, "has no expectation"));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    const WHOLE: &str = "title \"A\"\nnote \"B\"\ntarget gfx1250\nwave 0 {\n}\nexpect ok\n";

    #[test]
    fn each_part_is_needed() {
        assert!(check(&[file("examples/a.tide", WHOLE)]).is_empty());
        for line in WHOLE.lines().filter(|line| !line.starts_with(['w', '}'])) {
            let without = WHOLE.replace(line, "");
            assert_eq!(check(&[file("examples/a.tide", &without)]).len(), 1, "{line}");
        }
        assert_eq!(check(&[file("examples/deep/a.tide", "")]).len(), 4);
        assert!(check(&[file("tests/conformance/a.tide", "")]).is_empty());
    }
}
