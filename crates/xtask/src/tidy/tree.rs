//! Reads the files that the checks examine.

use anyhow::{Context as _, Result};
use std::fs;
use std::path::Path;

/// A text file of the repository.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Its path below the root, with slashes.
    pub(super) path: String,
    /// Its text.
    pub(super) text: String,
}

const KINDS: [&str; 9] = ["rs", "toml", "tide", "js", "mjs", "ts", "css", "html", "json"];
/// Folders of documents in Markdown, without their subfolders.
const DOCUMENTS: [&str; 4] = [".", "course", "docs", "docs/decisions"];
const LEFT_OUT: [&str; 4] = ["node_modules", "target", "dist", "pkg"];

/// Returns the files of known kinds below folders of the root, in the order of their paths.
pub(super) fn read(root: &Path, folders: &[&str]) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for folder in folders.iter().filter(|folder| root.join(folder).is_dir()) {
        collect(root, folder, &mut files)?;
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

/// Returns the documents in Markdown.
pub(super) fn documents(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for folder in DOCUMENTS {
        let found = fs::read_dir(root.join(folder));
        for entry in found.with_context(|| format!("cannot list {folder}"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "md") {
                let text = fs::read_to_string(&path)?;
                let path = path.strip_prefix(root).unwrap_or(&path);
                files.push(File { path: path.display().to_string(), text });
            }
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

fn collect(root: &Path, folder: &str, files: &mut Vec<File>) -> Result<()> {
    for entry in fs::read_dir(root.join(folder)).with_context(|| format!("cannot list {folder}"))? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{folder}/{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && !name.starts_with('.') && !LEFT_OUT.contains(&name.as_str()) {
            collect(root, &path, files)?;
        } else if kind.is_file()
            && name.rsplit_once('.').is_some_and(|(_, ending)| KINDS.contains(&ending))
        {
            let text =
                fs::read_to_string(entry.path()).with_context(|| format!("cannot read {path}"))?;
            files.push(File { path, text });
        }
    }
    Ok(())
}

/// The path of a file below the root, in parts.
pub(super) fn parts(path: &str) -> Vec<&str> {
    path.split('/').collect()
}

/// Returns a message with the path of its file.
pub(super) fn at(path: &str, problem: &str) -> String {
    format!("{path}: {problem}")
}

/// Makes a file for a test.
#[cfg(test)]
pub(super) fn file(path: &str, text: &str) -> File {
    File { path: path.into(), text: text.into() }
}
