//! For any text, nothing panics, everything is bounded, and formatting changes no meaning.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tidegate_lang::assist::{complete, hover};
use tidegate_lang::smaller::steps;
use tidegate_lang::{compile, format, parse, tokens};

/// Scenarios of every vocabulary, which the tests cut and combine.
const FIXTURES: [&str; 10] = [
    include_str!("opencl-everything.tide"),
    include_str!("fixtures/arrive-then-drop.tide"),
    include_str!("fixtures/cluster-lagging-waiter.tide"),
    include_str!("fixtures/workgroup-barrier-every-target.tide"),
    include_str!("fixtures/async-uneven-blocks.tide"),
    include_str!("fixtures/memory-one-address-space-fence.tide"),
    include_str!("fixtures/opencl-named-barriers-nested.tide"),
    include_str!("fixtures/ptx-one-slot-pipeline.tide"),
    include_str!("fixtures/sass-arrive-in-machine-code.tide"),
    include_str!("fixtures/control-flow.tide"),
];

/// Tokens of OpenCL.
const OPENCL: [&str; 40] = [
    "target opencl\nlaunch subgroups=2 items=2\n",
    "kernel {\n",
    "}\n",
    "func f(b) {\n",
    "call f(a)\n",
    "work_group_barrier(",
    "sub_group_barrier(",
    "intel_work_group_barrier_arrive(",
    "intel_work_group_barrier_wait(",
    "a.wait(",
    "b.wait(",
    "a[0].wait(",
    "mem_fence::local",
    "mem_fence::",
    " | mem_fence::global",
    ", memory_scope_device",
    "CLK_IMAGE_MEM_FENCE",
    ")\n",
    "(2)\n",
    "local<work_group_named_barrier> a",
    "global<work_group_named_barrier> b",
    "work_group_named_barrier ",
    "local<",
    "cl::",
    "*",
    "& ",
    "&a",
    "[2]",
    ">>",
    "struct S {\n",
    "-> work_group_named_barrier ",
    " = a\n",
    "{2}\n",
    "let x = ",
    "get_local_id(0)",
    "get_local_id(1) ",
    "if get_sub_group_id() < 1 {\n",
    "repeat get_sub_group_local_id() + 1 {\n",
    "loop {\n",
    "image p[4]\n",
];

/// Tokens of the language.
const PIECES: [&str; 48] = [
    "wave 0 ",
    "wave * ",
    "kernel ",
    "{",
    "}",
    "\n",
    ";",
    " ",
    "arrive wg",
    "wait wg",
    "init b, 2",
    "join b",
    "drop b",
    "barrier b\n",
    "let x = ",
    "x",
    "1",
    "-1",
    "0x50001",
    "+",
    "- ",
    "*",
    "(",
    ")",
    "[",
    "]",
    "..",
    ",",
    "=",
    "==",
    "<",
    "&&",
    "? 1 : 2",
    "if ",
    "else ",
    "loop ",
    "repeat 3 ",
    "for i in 0..2 ",
    "choose ",
    "or ",
    "break",
    "L: ",
    "s_branch L",
    "s_barrier_signal m0",
    "s_mov_b32 m0, 1\n",
    "call f()",
    "func f() ",
    "# c\n",
];

fn holds(text: &str) -> Result<(), TestCaseError> {
    let scenario = parse(text);
    prop_assert!(scenario.diagnostics.len() <= 100);
    for found in &scenario.diagnostics {
        let end = (found.span.start + found.span.length) as usize;
        prop_assert!(text.get(found.span.start as usize..end).is_some(), "{:?}", found);
    }
    let painted = tokens(text);
    prop_assert!(
        painted.windows(2).all(|pair| pair[0].0.start + pair[0].0.length <= pair[1].0.start)
    );
    let compiled = compile(&scenario);
    let Ok(laid_out) = format(text) else { return Ok(()) };
    let twice = format(&laid_out).unwrap_or_default();
    prop_assert_eq!(&twice, &laid_out, "formatting is idempotent");
    let again = parse(&laid_out);
    prop_assert_eq!(scenario.expectations.len(), again.expectations.len());
    prop_assert_eq!(&scenario.title, &again.title);
    let codes = |found: &[tidegate_lang::diagnostic::Diagnostic]| {
        found.iter().map(|found| found.code).collect::<Vec<_>>()
    };
    prop_assert_eq!(codes(&scenario.diagnostics), codes(&again.diagnostics), "{}", laid_out);
    match (compiled, compile(&again)) {
        (Ok(before), Ok(after)) => prop_assert_eq!(before.program, after.program, "{}", laid_out),
        (Err(before), Err(after)) => prop_assert_eq!(codes(&before), codes(&after), "{}", laid_out),
        _ => prop_assert!(false, "one compiles and one does not: {}", laid_out),
    }
    prop_assert_eq!(comments(text), comments(&laid_out));
    Ok(())
}

fn comments(text: &str) -> Vec<&str> {
    let painted = tokens(text);
    let comments = painted.iter().filter(|(_, kind)| *kind == tidegate_lang::TokenKind::Comment);
    comments
        .map(|(span, _)| &text[span.start as usize..(span.start + span.length) as usize])
        .collect()
}

/// A fixture in which a piece is replaced by a piece of another fixture, or removed.
fn spliced() -> impl Strategy<Value = String> {
    let cut = || (0..FIXTURES.len(), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (cut(), cut(), "[ -~\n]{0,6}").prop_map(|((host, a, b), (guest, c, d), extra)| {
        let piece = |text: &'static str, a: prop::sample::Index, b: prop::sample::Index| {
            let (a, b) = (a.index(text.len() + 1), b.index(text.len() + 1));
            let (a, b) = (text.floor_char_boundary(a.min(b)), text.floor_char_boundary(a.max(b)));
            (&text[..a], &text[a..b], &text[b..])
        };
        let (before, _, after) = piece(FIXTURES[host], a, b);
        let (_, inside, _) = piece(FIXTURES[guest], c, d);
        format!("{before}{extra}{inside}{after}")
    })
}

/// A fixture with one line duplicated, removed or moved.
fn lines() -> impl Strategy<Value = String> {
    (0..FIXTURES.len(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3).prop_map(
        |(host, a, b, how)| {
            let mut lines: Vec<&str> = FIXTURES[host].lines().collect();
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            match how {
                0 => lines.insert(a, lines[b]),
                1 => drop(lines.remove(a)),
                _ => lines.swap(a, b),
            }
            lines.join("\n")
        },
    )
}

/// A normal run uses the same texts every time; `TIDEGATE_RANDOM=full` uses more, and different ones in each run.
fn config() -> ProptestConfig {
    let full = std::env::var("TIDEGATE_RANDOM").is_ok_and(|words| words == "full");
    let (cases, rng_seed) =
        if full { (60_000, RngSeed::Random) } else { (3_000, RngSeed::Fixed(0x7469_6465)) };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn help_and_smaller_texts(text in prop_oneof![any::<String>(), spliced()], at in any::<prop::sample::Index>()) {
        let offset = at.index(text.len() + 2);
        if let Some(found) = hover(&text, offset) {
            let (start, end) = (found.span.start as usize, (found.span.start + found.span.length) as usize);
            prop_assert_eq!(text.get(start..end), Some(&*found.word));
            prop_assert!(!found.meaning.sentence.is_empty());
        }
        let found = complete(&text, offset);
        prop_assert!(found.candidates.is_empty() || text.get(found.start..offset).is_some());
        for step in steps(&text) {
            prop_assert!(step.apply(&text).len() < text.len() + 20);
        }
    }

    #[test]
    fn arbitrary_text(text in "\\PC{0,80}") {
        holds(&text)?;
    }

    #[test]
    fn arbitrary_characters(text in any::<String>()) {
        holds(&text)?;
    }

    #[test]
    fn pieces_of_the_language(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        holds(&pieces.concat())?;
    }

    #[test]
    fn pieces_of_opencl(pieces in prop::collection::vec(prop::sample::select(&OPENCL[..]), 0..24)) {
        holds(&pieces.concat())?;
    }

    #[test]
    fn spliced_scenarios(text in spliced()) {
        holds(&text)?;
    }

    #[test]
    fn scenarios_by_lines(text in lines()) {
        holds(&text)?;
    }
}
