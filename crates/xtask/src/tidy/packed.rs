//! Messages between the page and its engine are bytes without field names, so no field may be skipped.

use super::tree::{File, at};

const LEFT_OUT: &str = concat!("skip_", "serializing_if");

/// Returns the files that skip fields.
pub(super) fn check(files: &[File]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path.ends_with(".rs") && file.text.contains(LEFT_OUT))
        .map(|file| at(&file.path, &format!("`{LEFT_OUT}` cannot be read from packed bytes")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::file;

    #[test]
    fn no_field_is_skipped() {
        assert!(check(&[file("a.rs", "#[serde(rename = \"a\")]")]).is_empty());
        let text = format!("#[serde({LEFT_OUT} = \"Option::is_none\")]");
        assert_eq!(check(&[file("a.rs", &text)]).len(), 1);
    }
}
