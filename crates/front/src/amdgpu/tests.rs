use super::read;

use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Block, Comparison, End, Function, Kind, Module, Op, Operand, Passed};

const CALL: &str = include_str!("../../../../tests/kernels/call.gfx942.s");
const RING: &str = include_str!("../../../../tests/kernels/ring.gfx1200.s");
const NAMED: &str = include_str!("../../../../tests/kernels/named.gfx1250.s");
const ASYNC: &str = include_str!("../../../../tests/kernels/async-newest.gfx1250.s");

/// The text without its header lines.
fn code(text: &str) -> &str {
    text.find("\t.amdgcn_target").and_then(|at| text.get(at..)).unwrap()
}

fn module(text: &str) -> Module {
    read(code(text)).unwrap()
}

fn message(text: &str) -> String {
    read(text).unwrap_err().message
}

fn count(function: &Function, test: impl Fn(&Kind) -> bool) -> usize {
    let all = function.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|instruction| test(&instruction.kind)).count()
}

#[test]
fn a_kernel_has_facts_and_arguments() {
    let ring = module(RING);
    let [kernel] = &ring.kernels[..] else { panic!("not one kernel") };
    assert_eq!((&kernel.name[..], kernel.facts.most_threads), ("ring", Some(256)));
    assert_eq!(kernel.facts.lanes, Some(32));
    assert_eq!(ring.target.map(|target| target.get().name), Some("gfx1200"));
    let [n] = &ring.arguments[..] else { panic!("not one argument") };
    assert_eq!((&n.name[..], n.width, n.passed), ("n", 32, Passed::Integer));
    let pointer = module(ASYNC);
    assert!(matches!(pointer.arguments[0].passed, Passed::Object(_)));
}

#[test]
fn a_call_continues_at_each_address_that_is_taken() {
    let call = module(CALL);
    let blocks = &call.functions[0].blocks;
    // Two instructions continue at an address in a register. Each compares it with two addresses.
    let compares = |block: &&Block| {
        matches!(block.end, End::Branch { .. })
            && block.instructions.last().is_some_and(|last| {
                let Kind::Compute { op, of, .. } = &last.kind else { return false };
                matches!((op, &of[..]), (Op::Compare(Comparison::Eq, _), [_, Operand::Int(_)]))
            })
    };
    assert_eq!(blocks.iter().filter(compares).count(), 4);
    assert_eq!(blocks.iter().filter(|block| matches!(block.end, End::Unknown(_))).count(), 2);
    assert_eq!(blocks.iter().filter(|block| matches!(block.end, End::Exit)).count(), 1);
}

#[test]
fn barriers_and_copies_are_instructions() {
    let named = module(NAMED);
    assert_eq!(count(&named.functions[0], |kind| matches!(kind, Kind::Amdgpu(..))), 7);
    let copies = module(ASYNC);
    let is_copy = |kind: &Kind| matches!(kind, Kind::Access(access) if access.copies_to.is_some());
    assert_eq!(count(&copies.functions[0], is_copy), 2);
}

#[test]
fn an_instruction_that_could_matter_is_unknown() {
    let text = code(CALL).replace("s_barrier\n", "s_frob v0\n\tv_frob v1, v2\n");
    let module = read(&text).unwrap();
    assert_eq!(count(&module.functions[0], |kind| matches!(kind, Kind::Unknown { .. })), 0);
    let ignored: Vec<&str> = module.ignored.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(ignored, ["s_frob", "v_frob"]);
    let text = code(CALL).replace("s_barrier\n", "ds_gws_barrier v0 gds\n");
    let module = read(&text).unwrap();
    assert_eq!(count(&module.functions[0], |kind| matches!(kind, Kind::Unknown { .. })), 1);
}

#[test]
fn a_condition_code_that_nothing_reads_is_not_computed() {
    let compares = |text: &str| {
        let module = read(text).unwrap();
        let is_compare = |kind: &Kind| matches!(kind, Kind::Compute { op: Op::Compare(..), .. });
        count(&module.functions[0], is_compare)
    };
    // The sum's code is overwritten by the compare; where the branch reads it, it is computed.
    let read_by_branch = code(RING).replace("\ts_cmp_lg_u32 s3, s2\n", "");
    assert_eq!(compares(code(RING)), 2);
    assert_eq!(compares(&read_by_branch), 2);
}

#[test]
fn what_is_missing_is_named() {
    assert!(message("\ts_endpgm\n").contains(".amdgcn_target"));
    assert!(message("\t.amdgcn_target \"amdgcn--gfx1\"\n").contains("`gfx1`"));
    assert!(message("\t.amdgcn_target \"amdgcn--gfx942\"\n").contains(".amdhsa_kernel"));
    let without = code(CALL).replace("caller:\n", "");
    assert!(message(&without).contains("`caller` has no code"));
}

#[test]
fn every_truncated_and_changed_text_gives_a_module_or_a_message() {
    let mut random = 12345_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    for text in [CALL, RING, NAMED, ASYNC] {
        let lines: Vec<&str> = code(text).lines().collect();
        for _ in 0..60 {
            let mut changed: Vec<&str> = lines.clone();
            match next(3) {
                0 => drop(changed.drain(next(lines.len())..)),
                1 => drop(changed.remove(next(lines.len()))),
                _ => changed.swap(next(lines.len()), next(lines.len())),
            }
            let mut text = changed.join("\n");
            let at = next(text.len());
            if next(2) == 0 && text.is_char_boundary(at) {
                text.insert(at, ['[', '"', ':', ',', '-', 'v', '0', '('][next(8)]);
            }
            let _ = read(&text);
        }
    }
}

#[test]
fn long_texts_without_sense_are_read() {
    let text = "v_add_u32 v[0:, (((-|s[9:1], x@y@z+ \"\n".repeat(20_000);
    assert!(read(&text).is_err());
}

#[test]
fn a_label_that_is_not_defined_is_an_error_with_its_line() {
    let text = code(CALL).replacen("s_barrier\n", "s_branch nowhere\n", 1);
    let error = read(&text).unwrap_err();
    assert_eq!(error.message, "the label `nowhere` is not defined");
    let line = text.lines().nth(error.span.line as usize - 1).unwrap_or("");
    assert!(line.contains("s_branch nowhere"));
}
