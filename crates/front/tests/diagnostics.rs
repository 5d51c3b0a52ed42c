//! The corpus of kernels and their diagnostics.

use tidegate_front::read;
use tidegate_lang::diagnostic::Diagnostic;
use tidegate_lang::launching::Launching;
use tidegate_lang::{compile, parse_with};

/// The diagnostics of a text: those of parsing, or, if there is no error, of compiling.
fn found(text: &str) -> String {
    let scenario = parse_with(text, &Launching::default(), read);
    let mut found = scenario.diagnostics.clone();
    if !found.iter().any(Diagnostic::is_error) {
        found.extend(compile(&scenario).err().unwrap_or_default());
    }
    let place = |one: &Diagnostic| format!("{}@{}:{}", one.code, one.span.line, one.span.column);
    if found.is_empty() {
        "ok".into()
    } else {
        found.iter().map(place).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn every_kernel_of_the_corpus_has_its_diagnostics() {
    let cases = include_str!("diagnostics.txt").split("\n---- ").skip(1);
    for case in cases {
        let (name, rest) = case.split_once('\n').expect("a name and a text");
        let (text, expected) = rest.split_once("\n=> ").expect("a text and its diagnostics");
        assert_eq!(found(text), expected.trim(), "{name}");
    }
}
