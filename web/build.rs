//! Embeds every scenario of the gallery: there is no list to keep by hand.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root =
        PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../examples");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut code = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).expect("below the root").with_extension("");
        let path = file.canonicalize().expect("a file just listed");
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(
            code,
            "    ({:?}, include_str!({:?})),",
            name.display().to_string(),
            path.display().to_string()
        )
        .expect("writing to a string");
    }
    code.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join("examples.rs");
    fs::write(out, code).expect("the output folder is writable");
}

/// Adds the scenarios below a folder; none where there is no such folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "tide") {
            files.push(path);
        }
    }
}
