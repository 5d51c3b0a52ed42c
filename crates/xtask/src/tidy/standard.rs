//! The library crates use no standard library.

use super::tree::{File, at};

const CRATES: [&str; 6] = ["model", "kernel", "lang", "front", "explore", "check"];

/// Returns the library crates that do not declare `#![no_std]`.
pub(super) fn check(files: &[File]) -> Vec<String> {
    CRATES.iter().filter_map(|name| problem(&format!("crates/{name}/src/lib.rs"), files)).collect()
}

fn problem(path: &str, files: &[File]) -> Option<String> {
    let Some(file) = files.iter().find(|file| file.path == path) else {
        return Some(at(path, "is missing"));
    };
    let says_so = file.text.lines().any(|line| line.trim() == "#![no_std]");
    (!says_so).then(|| at(path, "does not declare `#![no_std]`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    fn crates(last: &str) -> Vec<File> {
        let text = "//! A crate.\n#![no_std]\n";
        let mut files: Vec<File> = CRATES[..5]
            .iter()
            .map(|name| file(&format!("crates/{name}/src/lib.rs"), text))
            .collect();
        files.push(file("crates/check/src/lib.rs", last));
        files
    }

    #[test]
    fn each_library_crate_declares_no_std() {
        assert!(check(&crates("#![no_std]")).is_empty());
        assert_eq!(check(&crates("// #![no_std]")).len(), 1);
        assert_eq!(check(&crates("#![cfg_attr(not(test), no_std)]")).len(), 1);
        assert_eq!(check(&crates("#![no_std]")[1..]).len(), 1, "missing");
    }
}
