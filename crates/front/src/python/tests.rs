//! Tests of the reader: no text makes it panic, and a text that it cannot read is an error with a line.

use crate::parse;
use alloc::string::String;
use alloc::vec::Vec;

const RING: &str = include_str!("../../../../tests/kernels/ring.sm_90.tlx.py");

fn errors(text: &str) -> Vec<(u32, String)> {
    let scenario = parse(text);
    let all = scenario.diagnostics.iter().filter(|one| one.code == "python");
    all.map(|one| (one.span.line, one.message.clone())).collect()
}

#[test]
fn what_is_not_read_is_an_error_with_its_line() {
    let head = "import triton\n@triton.jit\ndef kernel(N: tl.constexpr = 4):\n";
    for (body, line, part) in [
        ("    for a in range(N):\n        raise\n", 5, "`raise`"),
        ("    break\n", 4, "inside a loop"),
        ("    x = [a for a in M]\n", 4, "comprehension"),
        ("    x = tlx.local_alloc((M,), tl.int8, 1)\n", 4, "known before the launch"),
        ("    x = tlx.alloc_barriers(2)\n    tlx.barrier_wait(x[2], 0)\n", 5, "out of range"),
        ("    with tlx.other():\n        pass\n", 4, "async_tasks"),
        ("    x = (1 +\n", 5, "expected"),
    ] {
        let found = errors(&[head, body].concat());
        let [(at, message)] = &found[..] else { panic!("{body}: {found:?}") };
        assert!(*at <= line && *at + 1 >= line && message.contains(part), "{body}: {found:?}");
    }
    assert!(errors(RING).is_empty());
}

#[test]
fn constants_come_from_the_first_configuration_or_a_call_or_are_asked_for_together() {
    let kernel = "@triton.jit\ndef kernel(A: tl.constexpr, B: tl.constexpr):\n    x = tlx.local_alloc((A, B), tl.int8, 1)\n";
    let found = errors(&["import triton\n", kernel].concat());
    let [(_, message)] = &found[..] else { panic!("{found:?}") };
    assert!(message.contains("`argument A=VALUE` and `argument B=VALUE`"), "{message}");
    for outside in [
        "@triton.autotune(configs=[triton.Config({'A': 4, 'B': 8}, num_warps=4)], key=[])\n",
        "some = [triton.Config({'A': a, 'B': b}) for a, b in [(4, 8), (8, 4)]]\n@triton.autotune(configs=some)\n",
        "def some():\n    return [triton.Config(dict(A=4, B=8))]\n@triton.autotune(some())\n",
        "def run(A=4):\n    kernel[(1,)](A, B=8)\n",
    ] {
        let found = errors(&["import triton\n", outside, kernel].concat());
        assert!(found.is_empty(), "{outside}: {found:?}");
    }
}

#[test]
fn every_truncated_and_changed_text_gives_a_program_or_a_message() {
    let mut random = 12345_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    let words: Vec<&str> = RING.split_inclusive([' ', '\n', '(', '.', '[']).collect();
    for _ in 0..200 {
        let mut changed = words.clone();
        match next(3) {
            0 => drop(changed.drain(next(words.len())..)),
            1 => drop(changed.remove(next(words.len()))),
            _ => changed.swap(next(words.len()), next(words.len())),
        }
        parse(&changed.concat());
    }
}

#[test]
fn deep_and_long_nonsense_is_an_error() {
    let head = "@triton.jit\ndef kernel():\n    x = ";
    for part in ["(", "-", "not ", "f(", "1 if ", "[", "a.b(", "~", "2**"] {
        let found = errors(&[head, &part.repeat(20_000), "\n"].concat());
        assert_eq!(found.len(), 1, "{part}");
    }
    let blocks: String = (1..500).map(|at| [&" ".repeat(at * 4), "if a:\n"].concat()).collect();
    assert_eq!(errors(&["@triton.jit\ndef kernel(a):\n", &blocks].concat()).len(), 1);
    parse(&[head, &"@#$ ]} \u{1f980} ".repeat(80_000)].concat());
}
