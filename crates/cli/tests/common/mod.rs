//! Runs the built binary.

#![allow(dead_code)] // each test file uses a part of it

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository. Commands run there, so that file names are the same everywhere.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The result of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Asserts that the command ended with this code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    /// Asserts that standard error contains this text.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no `{text}` in:\n{}", self.err);
        self
    }

    /// Asserts that standard output contains this text.
    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert!(self.out.contains(text), "no `{text}` in:\n{}", self.out);
        self
    }
}

/// Runs `tidegate` with these arguments, without a clang that is installed.
pub(crate) fn tidegate(arguments: &[&str]) -> Ran {
    with_input(arguments, b"")
}

/// Runs `tidegate` with these arguments and this standard input, without a clang that is installed.
pub(crate) fn with_input(arguments: &[&str], input: &[u8]) -> Ran {
    with_clang(arguments, input, "")
}

/// Runs `tidegate` with these arguments, this standard input and this clang.
pub(crate) fn with_clang(arguments: &[&str], input: &[u8], clang: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tidegate"))
        .args(arguments)
        .current_dir(root())
        .env_remove("NO_COLOR")
        .env("TIDEGATE_CLANG", clang)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A command that reads no input may end before the write.
    let _ = child.stdin.take().expect("standard input is piped").write_all(input);
    let output = child.wait_with_output().expect("the binary ends");
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("errors are UTF-8"),
    }
}

/// A file with this name and content in a temporary folder, which is removed at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, content: &[u8]) -> Self {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("tidegate-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let file = folder.join(name);
        std::fs::write(&file, content).expect("a file for the test");
        Self(file)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("the path is UTF-8")
    }

    pub(crate) fn folder(&self) -> &str {
        self.0.parent().and_then(Path::to_str).expect("the path is UTF-8")
    }

    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("the file is there")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.folder());
    }
}

/// Returns the names of the scenarios directly in a folder, relative to the root and sorted.
pub(crate) fn scenarios(folder: &str) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join(folder))
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("the entry is readable")
                .file_name()
                .into_string()
                .expect("the name is UTF-8")
        })
        .filter(|name| name.ends_with(".tide"))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    names.sort();
    names
}
