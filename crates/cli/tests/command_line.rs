//! Exit codes, invalid input and its error messages.

use crate::common::{Scratch, tidegate, with_input};

const OK: &str = "examples/two-waves-meet.tide";
const UB: &str = "examples/join-too-late.tide";
const DEADLOCK: &str = "examples/forgotten-arrive.tide";

#[test]
fn exit_codes_follow_the_verdict() {
    tidegate(&["check", OK]).exits(0).prints(": ok");
    tidegate(&["check", UB]).exits(1).prints("ub[amd.join.before-wait]");
    tidegate(&["check", OK, DEADLOCK]).exits(1);
    tidegate(&["check", OK, "no-such-file.tide"])
        .exits(2)
        .says("no such file: no-such-file.tide")
        .prints(": ok");
    tidegate(&["check", OK, "threads=64"]).exits(2).says("`--launch threads=64`");
    tidegate(&["check", "--max-states", "1", "examples/three-rounds.tide"])
        .exits(3)
        .prints(": unknown");
}

#[test]
fn only_the_machine_decides_the_exit_code_with_the_machine_oracle() {
    let file = "examples/wait-without-join.tide";
    tidegate(&["check", "--oracle", "spec", file]).exits(1);
    let ran = tidegate(&["check", "--oracle", "machine", file]).exits(0);
    assert!(!ran.out.contains("amd.join.before-wait"), "{}", ran.out);
    tidegate(&["check", "--oracle", "machine", "examples/plain-model-barrier.tide"])
        .exits(2)
        .says("no hardware model");
}

#[test]
fn a_race_is_not_a_difference_between_specification_and_machine() {
    let file = "tests/conformance/mem/barrier-without-fences.tide";
    tidegate(&["check", file])
        .exits(1)
        .prints("race[mem.race]")
        .prints("(public, not measured): ok, agrees with the specification");
}

#[test]
fn reports_have_the_order_of_the_files() {
    for jobs in ["1", "8"] {
        let ran = tidegate(&["check", "--jobs", jobs, DEADLOCK, OK, UB]);
        let places = [DEADLOCK, OK, UB].map(|file| ran.out.find(&format!("{file} on ")));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", ran.out);
    }
}

#[test]
fn standard_input_is_a_scenario() {
    let text = b"target gfx1250\nlaunch waves=2\nwave * { arrive wg; wait wg }\n";
    with_input(&["check", "-"], text).exits(0).prints("<stdin> on gfx1250: ok");
    with_input(&["trace", "-"], text).exits(0).prints("no finding to trace");
}

#[test]
fn unreadable_and_invalid_files_are_errors() {
    tidegate(&["check", "examples"]).exits(2).says("is a folder").says("tidegate test");
    let bytes = Scratch::new("bytes.tide", b"target gfx1250\nwave 0 { \xff }\n");
    tidegate(&["check", bytes.path()]).exits(2).says("not UTF-8").says("line 2, column 10");
    let large = Scratch::new("large.tide", &vec![b'#'; (1 << 20) + 1]);
    tidegate(&["check", large.path()]).exits(2).says("1 MiB");
    let fits = Scratch::new("fits.tide", &vec![b'#'; 1 << 20]);
    tidegate(&["check", fits.path()]).prints("fits.tide");
    let empty = Scratch::new("empty.tide", b"");
    assert!(tidegate(&["check", empty.path()]).code.is_some_and(|code| code != 101));
}

#[test]
fn a_diagnostic_has_a_line_and_a_suggestion() {
    let bad =
        Scratch::new("bad.tide", b"target gfx1250\nlaunch waves=2\nwave 0 {\n  arive wg\n}\n");
    let ran = tidegate(&["check", bad.path()]).exits(2).prints("bad.tide:4:3").prints("  arive wg");
    assert!(ran.out.contains("arrive"), "the right word is suggested:\n{}", ran.out);
}

#[test]
fn unknown_names_are_errors_with_suggestions() {
    tidegate(&["check", "--target", "gfx125", OK])
        .exits(2)
        .says("unknown target `gfx125`")
        .says("gfx1250");
    tidegate(&["check", "--reading", "amd.A6=maybe", OK]).exits(2).says("no-op and undefined");
    tidegate(&["check", "--reading", "amd.A66=no-op", OK]).exits(2).says("did you mean `amd.A6`?");
    tidegate(&["check", "--engine", "magic", OK]).exits(2).says("possible values");
    tidegate(&["check", "--max-states", "0", OK]).exits(2);
    tidegate(&["rules", "amd.drop.rice"]).exits(2).says("did you mean `amd.drop.race`?");
    tidegate(&["targets", "gfx1205"]).exits(2).says("did you mean");
    tidegate(&["test", "examples", "--shard", "3/2"]).exits(2).says("I/N");
    // Findings of the machine have numbers after those of the specification.
    tidegate(&["trace", "examples/arrive-twice-then-wait.tide", "--finding", "2"])
        .exits(0)
        .prints("hardware model (public, not measured)")
        .prints("s_get_barrier_state returns");
    tidegate(&["trace", UB, "--finding", "99"]).exits(2).says("no finding 99");
    tidegate(&["frobnicate"]).exits(2);
    tidegate(&[]).exits(2);
}

#[test]
fn a_reading_changes_the_verdict() {
    let file = "examples/unjoin-with-null.tide";
    tidegate(&["check", file]).exits(0).prints("ambiguous: amd.A6");
    tidegate(&["check", "--reading", "amd.A6=undefined", file]).exits(1);
}

#[test]
fn a_folder_without_scenarios_is_an_error() {
    let other = Scratch::new("notes.txt", b"expect ok");
    tidegate(&["test", other.folder()]).exits(2).says("no .tide file");
    let bad = Scratch::new("bad.tide", b"target gfx1250\nwave 0 { arive wg }\nexpect ok\n");
    tidegate(&["test", bad.folder()])
        .exits(2)
        .prints("not a valid scenario")
        .prints("0 passed, 1 failed");
}

#[test]
fn links_round_trip() {
    let link = tidegate(&[
        "link",
        UB,
        "--base",
        "https://example.org/play/#old",
        "--target",
        "gfx1251",
        "--finding",
        "1",
    ])
    .exits(0)
    .out;
    let link = link.trim_end();
    assert!(link.starts_with("https://example.org/play/#v1.") && link.len() < 2000, "{link}");
    let text =
        std::fs::read_to_string(crate::common::root().join(UB)).expect("the example is there");
    assert_eq!(tidegate(&["open", link, "--text"]).exits(0).out, text);
    let opened = tidegate(&["open", link])
        .exits(0)
        .prints("// target: gfx1251")
        .prints("// steps: 0.")
        .prints("as recorded");
    assert!(opened.out.starts_with(&text));
    with_input(&["open", "-"], link.as_bytes()).exits(0).prints("// target: gfx1251");
    assert_eq!(
        with_input(&["check", "-"], opened.out.as_bytes()).code,
        Some(1),
        "what `open` prints is a scenario"
    );
}

#[test]
fn invalid_links_have_distinct_errors() {
    let link = tidegate(&["link", OK]).exits(0).out;
    tidegate(&["open", &link[..link.len() / 2]]).exits(2).says("damaged");
    tidegate(&["open", "https://example.org/"]).exits(2).says("not a scenario link");
    tidegate(&["open", &link.replace("#v1.", "#v7.")]).exits(2).says("version 7");
}

#[test]
fn output_has_colour_only_on_request() {
    assert!(!tidegate(&["check", UB]).out.contains('\u{1b}'));
    assert!(tidegate(&["check", "--color", "always", UB]).out.contains('\u{1b}'));
}

#[test]
fn machine_readable_output_is_json() {
    for arguments in [
        &["check", "--format", "sarif", UB][..],
        &["rules", "--format", "json"],
        &["targets", "gfx12", "--format", "json"],
        &["readings", "amd.A6", "--format", "json"],
    ] {
        let out = tidegate(arguments).out;
        let value: serde_json::Value = serde_json::from_str(&out).expect("the output is JSON");
        assert!(value.is_object() || value.is_array());
    }
    let sarif: serde_json::Value =
        serde_json::from_str(&tidegate(&["check", "--format", "sarif", UB]).out).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "amd.join.before-wait");
    let lines = tidegate(&["test", UB, DEADLOCK, "--format", "json"]).exits(0).out;
    assert_eq!(lines.lines().count(), 2);
    for line in lines.lines() {
        let file: serde_json::Value = serde_json::from_str(line).expect("each line is JSON");
        assert_eq!(file["failed"], 0);
    }
}

#[test]
fn fmt_keeps_formatted_files_and_invalid_files() {
    let untidy = Scratch::new(
        "untidy.tide",
        b"target gfx1250\nlaunch   waves=2\nwave * {\narrive wg;wait wg\n}\n",
    );
    tidegate(&["fmt", "--check", untidy.path()]).exits(1).prints("not formatted");
    tidegate(&["fmt", untidy.path()]).exits(0);
    assert!(untidy.text().contains("launch waves=2"));
    tidegate(&["fmt", "--check", untidy.path()]).exits(0);
    let bad = Scratch::new("bad.tide", b"wave 0 { arive wg }\n");
    tidegate(&["fmt", bad.path()]).exits(2).says("bad.tide:1:10");
    assert_eq!(bad.text(), "wave 0 { arive wg }\n");
    let text = untidy.text();
    assert_eq!(with_input(&["fmt", "-"], text.as_bytes()).exits(0).out, text);
}

#[test]
fn the_gallery_is_in_canonical_layout() {
    let files = crate::common::scenarios("examples");
    let mut arguments = vec!["fmt", "--check"];
    arguments.extend(files.iter().map(String::as_str));
    tidegate(&arguments).exits(0);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        tidegate(&["completions", shell]).exits(0).prints("readings");
    }
}

#[test]
fn lower_prints_a_scenario_or_an_error() {
    let lowered = tidegate(&["lower", "examples/two-waves-meet.tide", "--target", "gfx1200"]);
    let lowered = lowered.exits(0).prints("s_barrier_signal -1");
    with_input(&["check", "-"], lowered.out.as_bytes()).exits(0).prints("on gfx1200: ok");
    let json = tidegate(&["lower", "--format", "json", "examples/two-waves-meet.tide"]).exits(0);
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(value["blocks"][0]["lines"][0]["code"], "s_barrier_signal -1");
    let lacking = tidegate(&["lower", "--target", "gfx1200", "examples/ping-pong.tide"]).exits(1);
    assert_eq!(lacking.out, "");
    lacking.says("amd.object.unsupported").says("named barriers, which gfx1200 does not have");
    with_input(
        &["lower", "-", "--target", "gfx1250"],
        b"launch lanes=2\nwave 0 { choose { } or { exit } }",
    )
    .exits(1)
    .says("no-machine-code");
    let choose = b"target gfx1250\nwave 0 { choose { arrive wg; wait wg } or { } }";
    let lowered = with_input(&["lower", "-"], choose).exits(0).prints("s_cmp_eq_u32 s1, 0x1");
    with_input(&["check", "-"], lowered.out.as_bytes()).exits(0).prints("on gfx1250: ok");
    let wrong = with_input(&["lower", "-"], b"target gfx1250\nwave 0 { wait wg }").exits(0);
    wrong.says("is `deadlock`");
    with_input(&["lower", "-"], b"wave 0 { nonsense }").exits(2).says("unknown-operation");
    with_input(&["lower", "-"], b"wave 0 { }").exits(1).says("not an AMDGPU processor");
}

#[test]
fn graphs_accept_lines_agents_and_steps() {
    tidegate(&["graph", "--relation", "pii", UB]).exits(2).says("did you mean `pi`?");
    tidegate(&["graph", "--relation", "barrier-executes-before,pi", UB])
        .exits(0)
        .prints("label=beb");
    tidegate(&["graph", "--finding", "9", UB]).exits(2).says("no such finding");
    tidegate(&["graph", "--why", "16", "99", UB])
        .exits(2)
        .says("no operation `99` in this execution");
    tidegate(&["graph", "--why", "16@wave 9", "17", UB]).exits(2).says("unknown agent");
    tidegate(&["graph", "--why", "14", "16", UB]).exits(2).says("use a key: 0.1:1");
    tidegate(&["graph", "--why", "0.0:2", "0.1:6", "--relation", "pi", UB])
        .exits(0)
        .prints("barrier-participates-in, first to second: yes");
    tidegate(&["graph", "--choices", OK])
        .exits(0)
        .prints("1 valid barrier-participates-in relation")
        .prints("valid 1");
    tidegate(&["graph", "--choices", "--format", "svg", OK]).exits(2).says("cannot be used with");
}

#[test]
fn shrink_and_diff_reject_unsuitable_input() {
    tidegate(&["shrink", OK]).exits(2).says("no finding to keep").says("--differ");
    tidegate(&["shrink", UB, "--finding", "9"]).exits(2).says("lists 1 finding");
    tidegate(&["shrink", OK, "--differ", "spec", "machine"])
        .exits(2)
        .says("do not differ: ok and ok");
    let bad = Scratch::new("bad.tide", b"wave 0 { arive wg }");
    tidegate(&["shrink", bad.path()]).exits(2).says("arrive");
    tidegate(&["diff", OK, bad.path()]).exits(2).says("arrive");
    tidegate(&["diff", "#v1.x", OK]).exits(2).says("link");
    tidegate(&["find", "--differ", "gfx1250", "gfx1250"]).exits(2).says("both sides are gfx1250");
    tidegate(&["find", "--differ", "gfx125", "model"]).exits(2).says("did you mean `gfx1250`?");
    tidegate(&["find", "--differ", "amd.A6=x", "model"]).exits(2).says("no-op and undefined");
    tidegate(&["find", "--differ", "spec", "machine", "--among", "wrk"])
        .exits(2)
        .says("valid alphabets");
}

#[test]
fn diff_and_find_have_their_exit_codes() {
    tidegate(&["diff", OK, OK]).exits(0).prints("verdicts: identical");
    tidegate(&["diff", OK, DEADLOCK]).exits(1).prints("ok -> deadlock");
    tidegate(&["diff", "spec", "machine", "--on", OK]).exits(0).prints("0 of 1 scenario");
    let same = ["find", "--differ", "spec", "explore", "--statements", "2"];
    tidegate(&same).exits(1).prints("none with up to 2 statements differs");
    tidegate(&[&same[..], &["--max-scenarios", "5"]].concat())
        .exits(3)
        .prints("5 scenarios checked");
    tidegate(&["find", "--differ", "spec", "machine", "--in", OK]).exits(1).prints("on 1 scenario");
}

#[test]
fn a_shrunk_scenario_keeps_its_finding() {
    for (index, command) in [
        &["shrink", UB][..],
        &["shrink", "examples/memory-without-fences.tide"],
        &["shrink", "--differ", "gfx900", "gfx1250", "examples/ping-pong.tide"],
        &["find", "--differ", "gfx1200", "gfx1250", "--in", "examples/ping-pong.tide"],
    ]
    .into_iter()
    .enumerate()
    {
        let ran = tidegate(command).exits(0);
        let file = Scratch::new(&format!("smaller-{index}.tide"), ran.out.as_bytes());
        tidegate(&["test", file.path()]).exits(0);
    }
}

#[test]
fn relations_of_nvidia_and_opencl_follow_phases() {
    for file in ["examples/bug-deepgemm-429-fixed.tide", "examples/bug-pocl-1167.tide"] {
        tidegate(&["graph", file]).exits(0).prints("digraph");
        tidegate(&["graph", "--relation", "bjb,po", file])
            .exits(0)
            .says("barrier-joined-before has no edge here");
        tidegate(&["graph", "--choices", file]).exits(2).says("requires AMDGPU barriers");
    }
}

/// Two kernels. In `pick`, every work-item writes the element that the argument `n` names.
const KERNELS: &[u8] = b"target opencl\n\
    kernel void same(global int *a) { a[get_global_id(0)] = 1; }\n\
    kernel void pick(global int *a, int n) { if (get_global_id(0) < n) a[0] = 1; }\n";

#[test]
fn every_kernel_of_a_file_is_judged() {
    let launch = ["--launch", "groups=1 threads=4"];
    let check = |more: &[&str]| with_input(&[&["check", "-"], &launch[..], more].concat(), KERNELS);
    check(&[]).exits(1).prints("kernel same").prints("kernel pick").prints("race[mem.race]");
    check(&["--entry", "same"]).exits(0);
    check(&["--entry", "sane"]).exits(2).prints("did you mean `same`?");
}

#[test]
fn the_name_of_a_template_chooses_its_instances() {
    let entry = |name: &str| {
        let body = "{\n.reg .b32 %r<1>;\n.shared .align 4 .b32 t[1];\nmov.u32 %r0, %tid.x;\nst.shared.b32 [t], %r0;\nret;\n}";
        format!(".visible .entry {name}() .reqntid 64\n{body}\n")
    };
    let names = ["_Z4fillILi1EEvv", "_Z4fillILi2EEvv", "_Z4copyv"];
    let head = ".version 8.0\n.target sm_90\n.address_size 64\n";
    let text = head.to_owned() + &names.map(entry).concat();
    let check = |name| with_input(&["check", "-", "--entry", name], text.as_bytes()).exits(1);
    let printed = check("fill").prints("kernel _Z4fillILi1EEvv").prints("kernel _Z4fillILi2EEvv");
    assert!(!printed.out.contains("_Z4copyv"), "{}", printed.out);
    let printed = check("_Z4fillILi2EEvv");
    assert!(!printed.out.contains("_Z4fillILi1EEvv"), "{}", printed.out);
}

#[test]
fn the_command_for_a_witness_repeats_the_launch() {
    let launched = ["--launch", "groups=1 threads=4", "--arg", "n=2"];
    let checked = with_input(&[&["check", "-"], &launched[..]].concat(), KERNELS).exits(1);
    let words =
        "--finding 1 --target opencl --launch 'groups=1 threads=4' --arg n=2 --entry pick\n";
    checked.prints(words);
    let trace = ["trace", "-", "--finding", "1", "--target", "opencl", "--entry", "pick"];
    with_input(&[&trace[..], &launched].concat(), KERNELS).exits(0).prints("mem.race");
    // Without the entry, it is not known which kernel is meant.
    with_input(&trace[..6], KERNELS).exits(2).says("several kernels");
}

#[test]
fn arguments_and_launch_of_the_command_line_win() {
    let check =
        |more: &[&str]| with_input(&[&["check", "-", "--entry", "pick"], more].concat(), KERNELS);
    let launched = ["--launch", "threads=4"];
    let with = |argument| check(&[&launched[..], &["--arg", argument]].concat());
    with("n=1").exits(0);
    with("n=2").exits(1);
    with("1=2").exits(1);
    check(&["--launch", "threads=1", "--arg", "n=2"]).exits(0);
    with("m=1").exits(2).prints("the kernel has no parameter `m`").prints("valid names: `n`");
    with("a=1").exits(2).prints("`a` is not a whole number");
    with("n=4294967296").exits(2).prints("its type holds");
    check(&["--arg", "n"]).exits(2).says("`n` is not the value of a parameter");
    check(&["--launch", "thread=4"]).exits(2).says("did you mean `threads`?");
    check(&["--launch", "threads=0"]).exits(2).says("write it as");
}

#[test]
fn arguments_of_compiled_code_are_checked() {
    let ptx = b".version 8.0\n.target sm_90\n.address_size 64\n\
.visible .entry k(.param .u64 out, .param .u32 rows) .reqntid 64\n{\n\
.reg .pred %p<2>;\n.reg .b32 %r<2>;\n.shared .align 4 .b32 t[4];\n\
ld.param.u32 %r1, [rows];\nsetp.gt.s32 %p1, %r1, 3;\n@!%p1 bra done;\nmov.u32 %r0, %tid.x;\n\
st.shared.b32 [t], %r0;\n\
done:\nret;\n}\n";
    let check = |argument| with_input(&["check", "-", "--arg", argument], ptx);
    check("rows=3").exits(0);
    check("rows=4").exits(1).prints("race[mem.race]");
    // By position among all parameters, also those that the kernel never reads.
    check("1=4").exits(1).prints("race[mem.race]");
    check("out=4").exits(1).prints("race[mem.race]");
    check("row=4").exits(2).prints("the kernel has no parameter `row`").prints("`rows`?");
    check("columns=4").exits(2).prints("valid names: `out`, `rows`");
    check("2=4").exits(2).prints("the kernel has no parameter at position 2");
    let ir = b"target triple = \"amdgcn-amd-amdhsa\"\n\
define amdgpu_kernel void @k(i32 %n) #0 {\n  ret void\n}\n\
attributes #0 = { \"target-cpu\"=\"gfx1200\" }\n";
    with_input(&["check", "-", "--arg", "n=1"], ir).exits(0);
    with_input(&["check", "-", "--arg", "m=1"], ir).exits(2).prints("valid names: `n`");
}

#[test]
fn links_and_shrunken_scenarios_contain_the_launch() {
    let kernel = b"target opencl\nkernel void k(global int *a, int n) { if (get_global_id(0) < n) a[0] = 1; }\n";
    let launched = ["-", "--launch", "groups=1 threads=4", "--arg", "n=3"];
    let shrunk = with_input(&[&["shrink"], &launched[..]].concat(), kernel).exits(0);
    with_input(&["check", "-"], shrunk.out.as_bytes()).exits(1).prints("race[mem.race]");
    let link = with_input(&[&["link"], &launched[..]].concat(), kernel).exits(0);
    let text = with_input(&["open", "-", "--text"], link.out.as_bytes()).exits(0);
    with_input(&["check", "-"], text.out.as_bytes()).exits(1).prints("race[mem.race]");
}

#[test]
fn a_well_formed_text_at_a_limit_of_evaluation_is_unknown() {
    let text = b"target gfx1250\nlaunch waves=1\nwave 0 { let i = 0\nloop { i += 1 } }\n";
    with_input(&["check", "-"], text).exits(3).prints(": unknown").prints("incomplete");
    with_input(&["trace", "-"], text).prints("no finding to trace");
    let expecting = [&text[..], b"expect unknown\n"].concat();
    let scratch = Scratch::new("limit.tide", &expecting);
    tidegate(&["test", scratch.path()]).exits(0).prints("1 passed, 0 failed");
}
