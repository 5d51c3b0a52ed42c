use super::*;
use tidegate_model::ordered::OrderedSet;

fn texts(text: &str) -> OrderedSet<String> {
    steps(text)
        .iter()
        .map(|step| step.apply(text).split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn statements_are_removed_separately_and_together() {
    let all = texts("wave 0 { a\n b; c\n }");
    for wanted in ["", "wave 0 { ; }", "wave 0 { b; c }", "wave 0 { a ; c }", "a b; c"] {
        assert!(all.contains(wanted), "{wanted}: {all:?}");
    }
}

#[test]
fn blocks_are_unwrapped_and_removed() {
    let all = texts("wave 0 {\n choose { a }\n or { b }\n}");
    for wanted in ["wave 0 { a }", "wave 0 { b }", "wave 0 { choose { a } }"] {
        assert!(all.contains(wanted), "{wanted}: {all:?}");
    }
}

#[test]
fn numbers_are_reduced_and_the_target_stays() {
    let all = texts("title \"x\"\ntarget gfx1250\nlaunch waves=0x9");
    for wanted in ["0", "1", "4", "8"] {
        assert!(all.contains(&alloc::format!("title \"x\" target gfx1250 launch waves={wanted}")));
    }
    assert!(all.contains("title \"x\" target gfx1250"));
    assert!(all.iter().all(|text| text.starts_with("title \"x\" target gfx1250")));
}

#[test]
fn threads_stay_whole_warps() {
    let lowered =
        |text: &str| -> Vec<String> { numbers(text).iter().map(|step| step.apply(text)).collect() };
    assert_eq!(
        lowered("@p bar.sync 1, 128"),
        ["@p bar.sync 0, 128", "@p bar.sync 1, 32", "@p bar.sync 1, 64", "@p bar.sync 1, 96"]
    );
    for text in ["barrier.cta.arrive 0, 32", "BAR.SYNC 0x0, 0x20", "tlx.named_barrier_wait(0, 32)"]
    {
        assert_eq!(lowered(text), [""; 0], "{text}");
    }
    // An invalid count may be reduced, and so may a number that does not count threads.
    assert_eq!(lowered("bar.sync 0, 3").len(), 3);
    assert_eq!(lowered("bar.sync 0; arrive 2").len(), 2);
    assert!(lowered("barrier b[32]").contains(&"barrier b[0]".into()));
}

#[test]
fn a_range_of_one_number_is_replaced_by_the_number() {
    assert!(texts("wave 3-3 { }").contains("wave 3 { }"));
}

#[test]
fn each_step_removes_something() {
    let measure = |text: &str| {
        let tokens = lexer::lex(text);
        let tokens =
            tokens.iter().filter(|token| !matches!(token.kind, Kind::Newline | Kind::Comment));
        let sum = tokens.clone().filter(|token| token.kind == Kind::Number);
        let sum: u64 = sum.filter_map(|token| lexer::number(lexer::slice(text, token.span))?).sum();
        (tokens.count(), sum)
    };
    for text in
        ["a { b { c 7 } else { d } ; e", "} } x 3 {", "if 1 { a } or { } or { 2 }\n\n;;", "é { ü }"]
    {
        for step in steps(text) {
            assert!(measure(&step.apply(text)) < measure(text), "{text:?} {step:?}");
        }
    }
}
