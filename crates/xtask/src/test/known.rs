//! Skips slow cases that depend only on the built page, if the same page passed them before on this machine with the
//! same tests.

use crate::context::Context;
use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Case files in `web/tests/cases`: Lighthouse and exact sizes.
const CASES: [&str; 2] = ["lighthouse.mjs", "weights.mjs"];
/// Other files that affect the results of these cases.
const BESIDE: [&str; 4] = ["browser.mjs", "server.mjs", "run.mjs", "package-lock.json"];

/// A built page, identified by the contents of its files.
pub(super) struct Page {
    note: PathBuf,
    name: String,
    known: bool,
}

impl Page {
    /// The page in `dist` with the tests in `tests`.
    pub(super) fn of(context: &Context, dist: &Path, tests: &Path) -> Result<Self> {
        let mut files = Vec::new();
        collect(dist, &mut files)?;
        files.sort();
        files.extend(CASES.map(|name| tests.join("cases").join(name)));
        files.extend(BESIDE.map(|name| tests.join(name)));
        let mut hash = START;
        for path in files {
            let data =
                fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let name = path.strip_prefix(&context.root).unwrap_or(&path).to_string_lossy();
            hash = step(step(hash, name.as_bytes()), &data.len().to_le_bytes());
            hash = step(hash, &data);
        }
        let (note, name) = (context.tools.join("page-that-passed"), format!("{hash:016x}"));
        let known = fs::read_to_string(&note).is_ok_and(|text| text.trim() == name);
        Ok(Self { note, name, known })
    }

    /// The case files that need not run.
    pub(super) fn cases(&self) -> String {
        if self.known { CASES.join(" ") } else { String::new() }
    }

    /// Records that the page passed everything.
    pub(super) fn remember(&self) -> Result<()> {
        fs::write(&self.note, &self.name)
            .with_context(|| format!("cannot write {}", self.note.display()))
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues an FNV-1a hash with these bytes.
fn step(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_that_passed_is_skipped() {
        let root = std::env::temp_dir().join(format!("tidegate-known-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the test");
            fs::write(path, text).expect("a file for the test");
        };
        let tests = CASES.map(|name| format!("tests/cases/{name}"));
        let beside = BESIDE.map(|name| format!("tests/{name}"));
        tests.iter().chain(&beside).for_each(|path| write(path, "x"));
        write("dist/index.html", "a page");
        write("dist/more/deep.js", "1");
        write("tools/nothing", "");
        let context = Context::at(root.clone(), root.join("tools"));
        let page = || Page::of(&context, &root.join("dist"), &root.join("tests")).expect("a page");
        let mut known = vec![page().known];
        page().remember().expect("a note");
        known.push(page().known);
        for (path, text, back) in [
            ("dist/more/deep.js", "2", "1"),
            ("tests/cases/lighthouse.mjs", "y", "x"),
            ("dist/new.js", "", ""),
        ] {
            write(path, text);
            known.push(page().known);
            write(path, back);
        }
        fs::remove_dir_all(&root).expect("cleaning up");
        assert_eq!(known, [false, true, false, false, false]);
    }
}
