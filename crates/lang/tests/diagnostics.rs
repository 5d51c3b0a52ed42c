//! The corpus of invalid texts and their diagnostics.

use tidegate_lang::diagnostic::{Diagnostic, Severity};

fn spelled(found: &[Diagnostic]) -> String {
    let one = |found: &Diagnostic| {
        let mark = if found.severity == Severity::Warning { "?" } else { "" };
        let replacement =
            found.suggestion.as_ref().and_then(|suggestion| suggestion.replacement.as_ref());
        let replacement = replacement.map_or(String::new(), |text| format!(" {text}"));
        format!("{mark}{}@{}:{}{replacement}", found.code, found.span.line, found.span.column)
    };
    if found.is_empty() { "ok".into() } else { found.iter().map(one).collect::<Vec<_>>().join(" ") }
}

/// The diagnostics of parsing; if there is no error, also those of compiling.
fn judge(text: &str) -> Vec<Diagnostic> {
    let scenario = tidegate_lang::parse(text);
    let mut found = scenario.diagnostics.clone();
    if !found.iter().any(Diagnostic::is_error) {
        found.extend(tidegate_lang::compile(&scenario).err().unwrap_or_default());
    }
    found
}

#[test]
fn every_text_of_the_corpus_has_its_diagnostics() {
    let corpus = include_str!("diagnostics.txt");
    let mut failed = Vec::new();
    let cases: Vec<_> = corpus.split("\n---- ").skip(1).collect();
    assert!(cases.len() > 50, "the corpus is there");
    for case in cases {
        let (name, rest) = case.split_once('\n').expect("a name and a text");
        let (text, expected) = rest.split_once("\n=> ").expect("a text and its diagnostics");
        let found = judge(text);
        if spelled(&found) != expected.trim() {
            failed.push(format!(
                "{name}\n  wanted {}\n  got    {}",
                expected.trim(),
                spelled(&found)
            ));
        }
        for found in &found {
            let end = (found.span.start + found.span.length) as usize;
            assert!(
                text.is_char_boundary(found.span.start as usize) && text.is_char_boundary(end),
                "{name}: {found:?}"
            );
            assert!(!found.message.is_empty());
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn replacements_fix_their_diagnostics() {
    for (wrong, right) in
        [("wave 0 { arive wg }", "wave 0 { arrive wg }"), ("target gfx1520", "target gfx1250")]
    {
        let found = judge(wrong);
        let suggestion =
            found[0].suggestion.as_ref().and_then(|suggestion| suggestion.replacement.clone());
        let span =
            found[0].span.start as usize..(found[0].span.start + found[0].span.length) as usize;
        let mut mended = wrong.to_owned();
        mended.replace_range(span, &suggestion.expect("a replacement"));
        assert_eq!(mended, right);
        assert!(judge(&mended).is_empty());
    }
}

/// A warning names an argument of the host only if it decides something; no case is omitted if no other is judged.
#[test]
fn arguments_without_effect_are_not_named() {
    let kernel = |body: &str| {
        format!(
            "target opencl\nlaunch waves=8\nkernel void k(global int *a, int n) {{\nlocal int t[4];\nint i = get_local_id(0);\n{body}\n}}"
        )
    };
    let found = judge(&kernel("t[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);"));
    let told = "bytes 16..20 exceed this memory of 16 bytes for every argument value";
    assert_eq!((found.len(), found[0].message.as_str()), (1, told));
    let text = kernel("if (i < n) t[i] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);");
    let program = tidegate_lang::compile(&tidegate_lang::parse(&text)).expect("fewer fit");
    let told = "bytes 16..20 exceed this memory of 16 bytes where n = 5; this case is skipped";
    assert!(program.warnings.iter().any(|it| it.message == told), "{:?}", program.warnings);
}

#[test]
fn limits_are_named_and_memory_stays_small() {
    let long = |unit: &str| unit.repeat(((1 << 20) - 20) / unit.len());
    let whole = |unit: &str| format!("kernel {{ {} }}", unit.repeat(((1 << 20) - 12) / unit.len()));
    for (text, code) in [
        (" ".repeat((1 << 20) + 1), "bound-text"),
        (format!("const x = {}", long("(")), "bound-nesting"),
        (format!("kernel {{ {}", long("loop { ")), "bound-nesting"),
        (format!("kernel {{ {}", long("if 1 { } else ")), "bound-nesting"),
        (long("{"), "unknown-statement"),
        (long("}"), "unknown-statement"),
        (whole("let a = 1 \n frob"), "unknown-operation"),
        (whole("repeat 99999 { arrive wg } \n "), "bound-operations"),
        ("launch waves=4096\nkernel { repeat 1000 { arrive wg, expected=wave_id } }".into(), "bound-operations"),
        ("kernel { let x = 0; loop { x += 1; arrive wg, expected=x } }".into(), "bound-operations"),
        ("func f() { call g(); call g() }\nfunc g() { call h(); call h() }\nfunc h() { repeat 200000 { } }\nkernel { call f() }".into(), "bound-steps"),
        (format!("kernel {{ {} }}", (0..1100).map(|i| format!("let v{i} = 1\n")).collect::<String>()), "bound-variables"),
    ] {
        let found = judge(&text);
        assert!(found.iter().any(|found| found.code == code), "{code}: {:?}", found.first());
        assert!(found.len() <= 100);
    }
}

#[test]
fn adversarial_texts_take_linear_time() {
    let long = |unit: &str| unit.repeat((1 << 18) / unit.len());
    for unit in [
        "expect a ",
        "a:",
        "x = -1 < -",
        "\n",
        "#\n",
        "\"",
        "a.",
        "1+",
        "call f(",
        "wave*{}\n",
        "const a=1\n",
        "é",
        "@",
    ] {
        let text = long(unit);
        judge(&text);
        let _ = tidegate_lang::format(&text);
        assert!(!tidegate_lang::tokens(&text).is_empty() || unit == "\n");
        let inside = format!("kernel {{{}}}", &text[..text.floor_char_boundary(1 << 18)]);
        judge(&inside);
        let _ = tidegate_lang::format(&inside);
    }
}
