//! Lock files of npm pin versions and contents and leave it to the user's settings where to fetch them.

use super::{at, tree::File};

/// The lock files that name a download host.
pub(super) fn check(files: &[File]) -> Vec<String> {
    files
        .iter()
        .filter(|file| {
            file.path.ends_with("package-lock.json") && file.text.contains("\"resolved\"")
        })
        .map(|file| {
            at(
                &file.path,
                "names where to download: write it with omit-lockfile-registry-resolved=true",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn no_download_host() {
        let path = "web/tests/package-lock.json";
        assert!(
            check(&[file(path, "{\"version\": \"1\", \"integrity\": \"sha512-\"}")]).is_empty()
        );
        assert_eq!(check(&[file(path, "{\"resolved\": \"https://example.org/a.tgz\"}")]).len(), 1);
    }
}
