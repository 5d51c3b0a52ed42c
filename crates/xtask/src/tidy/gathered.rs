//! A crate has one binary of integration tests, to link once: `tests/all.rs` names every file in its folder. A file
//! that it omits would never be compiled, and its tests would never fail.

use super::tree::{File, at, parts};

/// Returns the test files that `tests/all.rs` does not name.
pub(super) fn check(files: &[File]) -> Vec<String> {
    files.iter().filter_map(|file| forgotten(file, files)).collect()
}

fn forgotten(file: &File, files: &[File]) -> Option<String> {
    let ["crates", name, "tests", last] = parts(&file.path)[..] else { return None };
    let module = last.strip_suffix(".rs").filter(|module| *module != "all")?;
    let all = format!("crates/{name}/tests/all.rs");
    let named = files.iter().find(|file| file.path == all).is_some_and(|all| {
        let line = format!("mod {module};");
        all.text.lines().any(|one| one.trim() == line)
    });
    (!named).then(|| at(&file.path, &format!("is never run: {all} does not name it")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    #[test]
    fn every_file_of_tests_is_named() {
        let all = file("crates/check/tests/all.rs", "mod common;\n\nmod edges;\n");
        let (known, new) =
            (file("crates/check/tests/edges.rs", ""), file("crates/check/tests/new.rs", ""));
        let helper = file("crates/check/tests/common/mod.rs", "");
        assert!(check(&[all, known, helper]).is_empty());
        let all = file("crates/check/tests/all.rs", "// mod new;\n");
        let elsewhere = file("crates/lang/tests/all.rs", "mod new;\n");
        assert_eq!(check(&[all, elsewhere, new]).len(), 1);
        assert_eq!(check(&[file("crates/x/tests/new.rs", "")]).len(), 1);
    }
}
