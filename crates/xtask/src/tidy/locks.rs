//! npm lock files pin versions and contents; the settings of the user select the download host.

use super::tree::{File, at};

/// Returns the lock files that name a download host.
pub(super) fn check(files: &[File]) -> Vec<String> {
    files
        .iter()
        .filter(|file| {
            file.path.ends_with("package-lock.json") && file.text.contains("\"resolved\"")
        })
        .map(|file| {
            at(
                &file.path,
                "names a download host: write it with omit-lockfile-registry-resolved=true",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    #[test]
    fn a_download_host_is_a_problem() {
        let path = "web/tests/package-lock.json";
        assert!(
            check(&[file(path, "{\"version\": \"1\", \"integrity\": \"sha512-\"}")]).is_empty()
        );
        assert_eq!(check(&[file(path, "{\"resolved\": \"https://example.org/a.tgz\"}")]).len(), 1);
    }
}
