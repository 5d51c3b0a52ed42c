//! The published page omits the text of `Debug`, so nothing that runs there may depend on it.

use super::tree::{File, at};

const SOURCES: [&str; 8] = [
    "crates/model/src/",
    "crates/kernel/src/",
    "crates/lang/src/",
    "crates/front/src/",
    "crates/explore/src/",
    "crates/check/src/",
    "crates/wasm/src/",
    "web/src/",
];

/// Returns the lines that format with `Debug` outside of tests.
pub(super) fn check(files: &[File]) -> Vec<String> {
    files.iter().filter(|file| runs(&file.path)).flat_map(problems).collect()
}

fn runs(path: &str) -> bool {
    let test =
        ["tests.rs", "testing.rs", "nothing_panics.rs"].iter().any(|end| path.ends_with(end));
    SOURCES.iter().any(|source| path.starts_with(source)) && !path.contains("/tests/") && !test
}

fn problems(file: &File) -> Vec<String> {
    let ends = ["#[cfg(test)]", "#[test]"].iter().filter_map(|mark| file.text.find(mark));
    let code = &file.text[..ends.min().unwrap_or(file.text.len())];
    let lines = (1..).zip(code.lines()).filter(|(_, line)| line.contains(":?}"));
    lines
        .map(|(number, _)| {
            at(&format!("{}:{number}", file.path), "uses `Debug`, whose text the page omits")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    #[test]
    fn debug_text_is_for_tests_only() {
        let text = "fn word() { format!(\"{:?}\", 1) }\n";
        assert_eq!(check(&[file("crates/lang/src/a.rs", text)]).len(), 1);
        assert_eq!(check(&[file("crates/cli/src/a.rs", text)]).len(), 0);
        let test = format!("#[cfg(test)]\nmod tests {{\n{text}}}\n");
        assert_eq!(check(&[file("crates/lang/src/a.rs", &test)]).len(), 0);
    }
}
