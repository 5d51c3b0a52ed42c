//! Host code of HIP and CUDA that clang does not compile, since the headers of the kit are not installed.
//!
//! Declarations and definitions in which clang finds an error are left out, if the device executes no part of them. Lines
//! keep their numbers, and the instances of kernels that the code names are named in its place.

use std::ops::Range;

/// The name, before a number, of a function that names instances.
const INSTANCES: &str = "tidegate_instances_";
/// How the parts that a device executes are marked.
const DEVICE: [&str; 4] = ["__global__", "__device__", "__shared__", "__constant__"];

/// Whether a text has a part that the device executes.
pub(crate) fn is_device(text: &str) -> bool {
    DEVICE.iter().any(|word| text.contains(word))
}

/// The names of the kernels that a text defines or declares.
pub(crate) fn kernels(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = text
        .match_indices("__global__")
        .filter_map(|(at, word)| named(&text[at + word.len()..]))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The name before the parameters of a function.
fn named(mut rest: &str) -> Option<&str> {
    let mut name = "";
    loop {
        rest = rest.trim_start();
        let word = &rest[..word_length(rest)];
        match rest.chars().next()? {
            '(' if name == "__launch_bounds__" => rest = &rest[closing(rest, b'(', b')')? + 1..],
            '(' => return (!name.is_empty()).then_some(name),
            ';' | '{' => return None,
            _ if !word.is_empty() => {
                name = word;
                rest = &rest[word.len()..];
            }
            other => rest = &rest[other.len_utf8()..],
        }
    }
}

/// The text without the host code at some lines, counted from 1, and those of the kernels that this code names. `None` if a line
/// is in code of the device, or in nothing that can be left out.
pub(crate) fn without<'k>(
    text: &str,
    lines: &[usize],
    kernels: &[&'k str],
) -> Option<(String, Vec<&'k str>)> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = [0].into_iter().chain(ends).chain([text.len() + 1]).collect();
    let items = items(text);
    let mut left_out: Vec<(Range<usize>, String)> = Vec::new();
    let mut known = Vec::new();
    for &line in lines {
        let start = *starts.get(line.checked_sub(1)?)?;
        let end = starts.get(line)? - 1;
        let written = text[start..end].trim_start();
        let (range, uses) = if let Some(directive) = written.strip_prefix('#') {
            directive.trim_start().starts_with("include").then_some((start..end, String::new()))?
        } else {
            let at = end - written.len();
            let item = items.iter().find(|item| item.start < end && at < item.end)?.clone();
            let code = &text[item.clone()];
            if is_device(code) {
                return None;
            }
            let found =
                if code.contains(INSTANCES) { Vec::new() } else { instances(code, kernels) };
            known.extend(found.iter().map(|(kernel, _)| *kernel));
            let uses = found.iter().filter(|(_, instance)| !instance.is_empty());
            let uses: String = uses.map(|(_, instance)| format!("(void)&{instance};")).collect();
            let function = format!("static void {INSTANCES}{line}() {{{uses}}}");
            (item, if uses.is_empty() { String::new() } else { function })
        };
        if !left_out.iter().any(|(other, _)| *other == range) {
            left_out.push((range, uses));
        }
    }
    left_out.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for (range, uses) in left_out {
        let kept = directives(&text[range.clone()]);
        text.replace_range(range, &(uses + &kept));
    }
    Some((text, known))
}

/// A text without its lines, other than those of directives that include nothing.
fn directives(text: &str) -> String {
    let mut continued = false;
    let kept = text.split('\n').map(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let keeps = continued || directive.is_some_and(|word| !word.starts_with("include"));
        continued = keeps && line.ends_with('\\');
        if keeps { line } else { "" }
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// The kernels that a text names, each with its arguments in angle brackets; without those, an empty text.
fn instances<'k>(text: &str, kernels: &[&'k str]) -> Vec<(&'k str, String)> {
    let mut found = Vec::new();
    for &kernel in kernels {
        for (at, _) in text.match_indices(kernel) {
            let rest = &text[at + kernel.len()..];
            let begins = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !begins || word_length(rest) > 0 {
                continue;
            }
            let arguments = rest.trim_start();
            let instance = match closing(arguments, b'<', b'>') {
                Some(end) if !arguments.starts_with("<<<") => {
                    format!("{kernel}{}", &arguments[..=end]).replace('\n', " ")
                }
                _ => String::new(),
            };
            if !found.contains(&(kernel, instance.clone())) {
                found.push((kernel, instance));
            }
        }
    }
    found
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// Where the bracket closes with which a text begins.
fn closing(text: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return (at > 0).then_some(at);
        }
    }
    None
}

/// The declarations and definitions of a text, also those in namespaces and in `extern "C"`.
fn items(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut found, mut start, mut depth, mut at) = (Vec::new(), None, 0_usize, 0);
    while at < bytes.len() {
        let next = past(text, at);
        if next > at {
            at = next;
            continue;
        }
        let byte = bytes[at];
        let begin = *start.get_or_insert(at);
        let mut ends = depth == 0 && byte == b';';
        match byte {
            b'{' if depth == 0 && is_scope(&text[begin..at]) => start = None,
            b'{' => depth += 1,
            b'}' if depth == 0 => start = None,
            b'}' => {
                depth -= 1;
                ends = depth == 0 && !continues(&text[begin..at]);
            }
            _ => {}
        }
        if ends {
            found.push(begin..at + 1);
            start = None;
        }
        at += 1;
    }
    found
}

/// The end of blanks, a comment, a literal or a directive at a place; the place itself if there is none.
fn past(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    let line_start = text[..at].rfind('\n').map_or(0, |place| place + 1);
    let until = |end: &str, from: usize| {
        text[at + from..].find(end).map_or(text.len(), |place| at + from + place + end.len())
    };
    match rest {
        [b'/', b'/', ..] => until("\n", 0),
        [b'/', b'*', ..] => until("*/", 2),
        [quote @ (b'"' | b'\''), ..] => literal(text, at, *quote),
        [b'#', ..] if text[line_start..at].trim().is_empty() => {
            let mut end = until("\n", 0);
            while text[..end].ends_with("\\\n") {
                end = text[end..].find('\n').map_or(text.len(), |place| end + place + 1);
            }
            end
        }
        [byte, ..] if byte.is_ascii_whitespace() || !byte.is_ascii() => at + 1,
        _ => at,
    }
}

fn literal(text: &str, at: usize, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != quote && bytes[end] != b'\n' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// Whether what precedes a brace opens a namespace or a block of linkage.
fn is_scope(head: &str) -> bool {
    let head = head.trim();
    head.starts_with("namespace") || head.starts_with("extern \"") && head.ends_with('"')
}

/// Whether a declaration continues after its closing brace: a type, or a variable with an initialiser.
fn continues(head: &str) -> bool {
    let head = &head[..head.find('{').unwrap_or(head.len())];
    let word =
        |word: &str| head.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == word);
    head.contains('=')
        || !head.contains('(') && ["class", "struct", "union", "enum"].into_iter().any(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#include <helper.h>\n__constant__ int c;\ntemplate <int N> __global__ void\n__launch_bounds__(64) k(int *p) { p[0] = N; }\nnamespace n {\nstruct Host { Handle h; };\nvoid run(cudaStream_t s) {\n#define SIZE 4\n  k<SIZE><<<1, 64, 0, s>>>(0); // }\n  other<<<1, 1>>>();\n}\n}\n__device__ int f() { return g(); }\n";

    #[test]
    fn kernels_are_named_before_their_parameters() {
        assert_eq!(kernels(TEXT), ["k"]);
        assert_eq!(
            kernels("__global__ void __launch_bounds__(M(1), 2) a(int); __global__ void b();"),
            ["a", "b"]
        );
        assert!(kernels("#define K __global__").is_empty());
    }

    #[test]
    fn host_code_is_left_out_and_its_instances_stay() {
        let (left, named) = without(TEXT, &[1, 9], &["k", "other"]).unwrap();
        assert_eq!(named, ["k", "other"]);
        assert_eq!(left.lines().count(), TEXT.lines().count());
        assert_eq!(
            left.lines().nth(6),
            Some("static void tidegate_instances_9() {(void)&k<SIZE>;}")
        );
        assert_eq!(left.lines().nth(7), Some("#define SIZE 4"));
        assert!(
            left.contains("struct Host") && !left.contains("other") && !left.contains("helper.h")
        );
        let (left, _) = without(&left, &[7], &["k"]).unwrap();
        assert!(!left.contains("tidegate_instances"));
    }

    #[test]
    fn code_of_the_device_is_never_left_out() {
        for line in [2, 4, 13] {
            assert_eq!(without(TEXT, &[line], &["k"]), None, "{line}");
        }
        assert_eq!(without(TEXT, &[99], &[]), None);
        assert_eq!(without("#error no\n", &[1], &[]), None);
    }

    #[test]
    fn directives_are_kept_whole() {
        let text = "void f() {\n#define STEP \\\n  one(); \\\n  two()\n  unknown();\n}\n";
        let (left, _) = without(text, &[5], &[]).unwrap();
        assert_eq!(left, "\n#define STEP \\\n  one(); \\\n  two()\n\n\n");
    }

    #[test]
    fn a_type_ends_at_its_semicolon() {
        let text =
            "struct A { int x; } a = {1}, b;\nint t[] = {1, 2};\nvoid f() { if (x) { } }\nint y;\n";
        let all: Vec<&str> = items(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(all, text.lines().collect::<Vec<_>>());
    }
}
