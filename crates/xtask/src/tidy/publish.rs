//! A crate that is published has what crates.io and its readers need.

use super::tree::{File, at};
use std::path::Path;
use toml::Table;

const KEYS: [&str; 5] = ["license", "readme", "description", "keywords", "categories"];
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Returns what the published crates below a root lack.
pub(super) fn check(root: &Path, files: &[File]) -> Vec<String> {
    let manifests = files.iter().filter(|file| file.path.ends_with("/Cargo.toml"));
    manifests.flat_map(|file| problems(file, &|path| root.join(path).is_file())).collect()
}

fn problems(file: &File, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let table: Table = file.text.parse().unwrap_or_default();
    let Some(package) = table.get("package").and_then(|package| package.as_table()) else {
        return Vec::new();
    };
    if package.get("publish").is_some_and(|publish| publish.as_bool() == Some(false)) {
        return Vec::new();
    }
    let keys = KEYS.iter().filter(|key| !package.contains_key(**key));
    let keys = keys.map(|key| at(&file.path, &format!("does not say `{key}`")));
    let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    let licences = LICENCES.iter().filter(|name| !exists(&folder.join(name)));
    let licences = licences.map(|name| at(&file.path, &format!("has no {name} beside it")));
    keys.chain(licences).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    #[test]
    fn a_published_crate_has_its_licences_and_its_keys() {
        let keys = "license = \"MIT\"\nreadme = \"R\"\ndescription = \"D\"\nkeywords = []\ncategories = []\n";
        let whole = file("crates/a/Cargo.toml", &format!("[package]\n{keys}"));
        assert!(problems(&whole, &|_| true).is_empty());
        let apache = |path: &Path| path == Path::new("crates/a/LICENSE-APACHE");
        assert_eq!(problems(&whole, &apache).len(), 1);
        let bare = file("crates/a/Cargo.toml", "[package]\nname = \"a\"\n");
        assert_eq!(problems(&bare, &|_| true).len(), KEYS.len());
        let private = file("crates/a/Cargo.toml", "[package]\npublish = false\n");
        assert!(problems(&private, &|_| false).is_empty());
    }
}
