//! The headers that a source includes from its own folder.

use crate::input;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tidegate_check::lang::launching::Header;

/// The maximum number of headers of one source.
const MOST: usize = 64;
/// The maximum number of bytes of all headers of one source.
const MOST_BYTES: usize = 1 << 20;

/// The headers of a source, and those that they include. A header that cannot be read is left out.
pub(crate) fn of(path: &Path, text: &str) -> Vec<Header> {
    let (mut headers, mut seen, mut bytes) = (Vec::new(), BTreeSet::new(), 0);
    let mut wanted: Vec<(PathBuf, String)> = names(path, text);
    while let Some((path, name)) = wanted.pop() {
        if headers.len() >= MOST || !seen.insert(name.clone()) || !path.is_file() {
            continue;
        }
        let Ok(source) = input::read(&path) else { continue };
        bytes += source.text.len();
        if bytes > MOST_BYTES {
            break;
        }
        wanted.extend(names(&path, &source.text));
        headers.push(Header { name, text: source.text });
    }
    headers
}

/// The paths and names in `#include "…"`.
fn names(from: &Path, text: &str) -> Vec<(PathBuf, String)> {
    let folder = from.parent().unwrap_or(Path::new(""));
    let name = |line: &str| {
        let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let name = rest.trim_start().strip_prefix('"')?.split('"').next()?;
        Some((folder.join(name), name.to_owned()))
    };
    text.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn headers_of_headers_are_found_once() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("a.h", "#pragma once\n # include \"b.h\"\n#include <c.h>\n");
        write("b.h", "#include \"a.h\"\n#include \"absent.h\"\n");
        let text = "#include \"a.h\"\n#include \"b.h\"\n";
        let found = of(&folder.path().join("k.cu"), text);
        let mut names: Vec<&str> = found.iter().map(|header| header.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["a.h", "b.h"]);
    }
}
