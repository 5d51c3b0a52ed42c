//! Compares the output for people line by line. `TIDEGATE_RENEW=1 cargo test -p tidegate --test all golden` renews the
//! files under `tests/golden`, so that a changed message is a diff for the reviewer.

use crate::common::{root, tidegate};

/// The name of the file, and the command.
const GOLDEN: &[(&str, &[&str])] = &[
    ("check-ok", &["check", "examples/two-waves-meet.tide"]),
    ("check-ub", &["check", "examples/join-too-late.tide"]),
    ("check-deadlock", &["check", "examples/forgotten-arrive.tide"]),
    ("check-some-schedules", &["check", "examples/arrive-twice-then-wait.tide"]),
    ("check-ambiguous", &["check", "examples/unjoin-with-null.tide"]),
    ("check-machine-differs", &["check", "tests/conformance/amd/cluster-lagging-waiter.tide"]),
    ("check-targets", &["check", "--target", "gfx942,gfx1200,gfx1250", "examples/ping-pong.tide"]),
    ("check-machine-code", &["check", "examples/arrive-then-leave.tide"]),
    (
        "check-incomplete",
        &[
            "check",
            "--engine",
            "plain",
            "--max-states",
            "800",
            "examples/opencl-split-barrier.tide",
        ],
    ),
    ("check-lanes", &["check", "examples/divergent-lanes.tide"]),
    ("trace-ub", &["trace", "examples/join-too-late.tide"]),
    ("trace-some-schedules", &["trace", "examples/arrive-twice-then-wait.tide"]),
    ("trace-leave", &["trace", "examples/arrive-then-leave.tide"]),
    (
        "trace-machine",
        &["trace", "tests/conformance/amd/cluster-lagging-waiter.tide", "--finding", "1"],
    ),
    ("trace-nothing", &["trace", "examples/two-waves-meet.tide"]),
    ("matrix", &["matrix", "examples/ping-pong.tide"]),
    ("matrix-machine-code", &["matrix", "examples/s-barrier-by-generation.tide"]),
    ("matrix-ambiguous", &["matrix", "examples/unjoin-with-null.tide"]),
    (
        "matrix-csv",
        &["matrix", "--format", "csv", "tests/conformance/amd/cluster-lagging-waiter.tide"],
    ),
    ("matrix-json", &["matrix", "--format", "json", "examples/wait-without-join.tide"]),
    ("lower", &["lower", "examples/isfirst-elects-a-leader.tide"]),
    ("lower-waits", &["lower", "--target", "gfx900", "examples/two-waves-meet.tide"]),
    ("graph-dot", &["graph", "examples/two-waves-meet.tide"]),
    ("graph-mermaid", &["graph", "--format", "mermaid", "examples/join-too-late.tide"]),
    (
        "check-without",
        &["check", "--without", "amd.join.before-wait", "examples/join-too-late.tide"],
    ),
    ("graph-svg", &["graph", "--format", "svg", "examples/join-too-late.tide"]),
    (
        "graph-json",
        &["graph", "--format", "json", "--relation", "pi,bjb", "examples/wait-before-arrive.tide"],
    ),
    ("graph-why", &["graph", "--why", "16", "9", "examples/join-too-late.tide"]),
    ("graph-nvidia", &["graph", "--relation", "pi,beb", "examples/bug-tilelang-2927-fixed.tide"]),
    (
        "graph-why-nvidia",
        &["graph", "--why", "0.0:3", "0.0:4", "examples/bug-tilelang-2927-fixed.tide"],
    ),
    ("graph-svg-opencl", &["graph", "--format", "svg", "examples/opencl-early-return.tide"]),
    ("diff", &["diff", "examples/bug-vllm-26026.tide", "examples/bug-vllm-26026-fixed.tide"]),
    (
        "diff-json",
        &[
            "diff",
            "--format",
            "json",
            "examples/two-waves-meet.tide",
            "examples/forgotten-arrive.tide",
        ],
    ),
    ("diff-sides", &["diff", "spec", "machine", "--on", "examples"]),
    ("shrink", &["shrink", "examples/join-too-late.tide"]),
    ("needs", &["needs", "examples/join-too-late.tide"]),
    ("needs-json", &["needs", "examples/two-waves-meet.tide", "--format", "json"]),
    ("find", &["find", "--differ", "amd.A1=undefined", "amd.A1=allowed"]),
    (
        "find-in",
        &["find", "--differ", "amd.A10=in-phase", "amd.A10=outside", "--in", "tests/conformance"],
    ),
    ("rules", &["rules"]),
    ("rule", &["rules", "amd.join.before-wait"]),
    ("targets", &["targets"]),
    ("target", &["targets", "gfx1250"]),
    ("readings", &["readings"]),
    ("reading", &["readings", "amd.A6"]),
    ("observation", &["readings", "amd.O1"]),
    ("observation-json", &["readings", "amd.O4", "--format", "json"]),
    ("mbarrier-decode", &["mbarrier", "decode", "0x7fff0000001fffc0"]),
    (
        "mbarrier-steps",
        &[
            "mbarrier",
            "decode",
            "7ffff800_001ffffe",
            "--layout",
            "high-pending",
            "--then",
            "arrive.expect_tx=256",
            "complete_tx=256",
        ],
    ),
    (
        "mbarrier-encode",
        &[
            "mbarrier",
            "encode",
            "4",
            "--pending",
            "1",
            "--tx",
            "-16",
            "--parity",
            "1",
            "--format",
            "json",
        ],
    ),
    // The tests of the page compare its share links with these.
    ("link", &["link", "examples/arrive-then-end.tide"]),
    ("link-nvidia", &["link", "examples/bug-cutlass-3324.tide"]),
    ("link-opencl", &["link", "examples/opencl-early-return.tide"]),
    ("ledger", &["ledger", "examples/tlx-ping-pong-unprimed.tide"]),
    ("ledger-amdgpu", &["ledger", "examples/forgotten-arrive.tide"]),
    ("ledger-pipeline", &["ledger", "examples/tlx-producer-consumer-without-trick.tide"]),
    (
        "ledger-json",
        &[
            "ledger",
            "tests/conformance/ptx/expects-more-bytes-than-copied.tide",
            "--format",
            "json",
        ],
    ),
    ("ledger-cluster", &["ledger", "examples/bug-triton-9456.tide"]),
    ("ledger-bytes", &["ledger", "tests/conformance/ptx/copies-more-bytes-than-expected.tide"]),
    ("ledger-undefined", &["ledger", "examples/join-too-late.tide"]),
    ("sass", &["sass"]),
    ("sass-twin", &["sass", "mbarrier.try_wait"]),
    (
        "mbarrier-remarks",
        &[
            "mbarrier",
            "decode",
            "0x7fff0000001fffc0",
            "--layout",
            "low-pending",
            "--then",
            "init=1",
            "complete_tx=16",
            "arrive",
            "expect_tx=16",
            "init=1",
            "arrive_drop",
        ],
    ),
    ("mbarrier-encode-zero", &["mbarrier", "encode", "0", "--layout", "low-pending"]),
    ("check-cluster", &["check", "examples/bug-triton-9456.tide"]),
    (
        "trace-alias",
        &["trace", "tests/conformance/ptx-forms/alias-that-hangs.tide", "--finding", "2"],
    ),
    ("trace-first-parity", &["trace", "tests/conformance/ptx/breaks-mbarrier-first-parity.tide"]),
    ("trace-mbarrier", &["trace", "tests/conformance/ptx/expects-more-bytes-than-copied.tide"]),
    ("help", &["--help"]),
];

#[test]
fn output_equals_the_recorded_output() {
    let renew = std::env::var_os("TIDEGATE_RENEW").is_some_and(|value| value == "1");
    let mut changed = Vec::new();
    for (name, arguments) in GOLDEN {
        let ran = tidegate(arguments);
        assert_eq!(ran.err, "", "{name}");
        let path = root().join("tests/golden").join(format!("{name}.txt"));
        let wanted = format!("$ tidegate {}\n{}", arguments.join(" "), ran.out);
        if renew {
            std::fs::write(&path, wanted).expect("the golden file is writable");
        } else if std::fs::read_to_string(&path).unwrap_or_default() != wanted {
            changed.push(format!("--- {name}\n{wanted}"));
        }
    }
    assert!(changed.is_empty(), "TIDEGATE_RENEW=1 renews these:\n{}", changed.join("\n"));
}

#[test]
fn every_golden_file_has_its_command() {
    let names: Vec<String> = GOLDEN.iter().map(|(name, _)| format!("{name}.txt")).collect();
    for entry in std::fs::read_dir(root().join("tests/golden")).expect("the folder is there") {
        let name = entry
            .expect("the entry is readable")
            .file_name()
            .into_string()
            .expect("the name is UTF-8");
        assert!(names.contains(&name), "{name} belongs to no command");
    }
}

#[test]
fn transcripts_in_the_documentation_equal_the_output() {
    let pages = ["README.md", "docs/command-line.md"]
        .map(|name| std::fs::read_to_string(root().join(name)).expect("the page is readable"));
    let blocks: Vec<&str> = pages
        .iter()
        .flat_map(|page| page.split("```console\n$ tidegate ").skip(1))
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    assert!(blocks.len() >= 7);
    for block in blocks {
        let (arguments, output) = block.split_once('\n').expect("a command and its output");
        let ran = tidegate(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.out, output, "tidegate {arguments}");
    }
}

#[test]
fn scenarios_of_the_language_page_pass() {
    let page = std::fs::read_to_string(root().join("docs/language.md")).expect("the page is there");
    let blocks = page.split("```tide\n").skip(1);
    let blocks: Vec<&str> =
        blocks.map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert!(blocks.len() >= 4);
    for block in blocks {
        assert!(block.contains("expect "), "nothing is expected of\n{block}");
        let file = crate::common::Scratch::new("page.tide", block.as_bytes());
        let ran = tidegate(&["test", file.path()]);
        assert_eq!(ran.code, Some(0), "{}{}\n{block}", ran.out, ran.err);
    }
}

#[test]
fn kernels_of_the_page_on_compiled_code_have_their_verdicts() {
    const KINDS: [(&str, &str); 8] = [
        ("tlx", "page.py"),
        ("ptx", "page.ptx"),
        ("amdgcn", "page.s"),
        ("llvm", "page.ll"),
        ("sass", "page.sass"),
        ("opencl", "page.cl"),
        ("cuda", "page.cu"),
        ("hip", "page.hip"),
    ];
    let page = std::fs::read_to_string(root().join("docs/kernels.md")).expect("the page is there");
    let blocks = page.split("\n```").skip(1).step_by(2);
    let judged = blocks.map(|block| {
        let (first, text) = block.split_once('\n').expect("the block has lines");
        let (kind, wanted) = first.split_once(' ').unwrap_or((first, ""));
        let name = KINDS.iter().find(|(known, _)| *known == kind).expect("the kind is known").1;
        let file = crate::common::Scratch::new(name, text.as_bytes());
        if wanted == "error" {
            let ran = tidegate(&["check", file.path()]);
            assert!(ran.out.contains(": invalid\n\nerror["), "{}{}\n{text}", ran.out, ran.err);
        } else {
            assert!(text.contains("expect "), "nothing is expected of\n{text}");
            let ran = tidegate(&["test", file.path()]);
            assert_eq!(ran.code, Some(0), "{}{}\n{text}", ran.out, ran.err);
        }
        kind.to_owned()
    });
    let kinds: std::collections::BTreeSet<String> = judged.collect();
    assert!(kinds.len() >= 4, "{kinds:?}");
}
