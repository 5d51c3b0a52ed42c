//! Tests of the reader: what a text becomes, and that no text makes it panic.

use super::read;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Kind, Module, NvidiaKind, Passed};

const PHASES: &str = include_str!("../../../../tests/kernels/phases.sm_90.ptx");
const STEP: &str = include_str!("../../../../tests/kernels/step.sm_90.ptx");
const COPIES_UNWAITED: &str = include_str!("../../../../tests/kernels/copies-unwaited.sm_90.ptx");

/// The text without its header lines.
fn code(text: &str) -> &str {
    text.find(".version").and_then(|at| text.get(at..)).unwrap()
}

/// The operations of NVIDIA in a module, in order.
fn operations(module: &Module) -> Vec<NvidiaKind> {
    let blocks = module.functions.iter().flat_map(|function| &function.blocks);
    let all = blocks.flat_map(|block| &block.instructions);
    let kind = |kind: &Kind| match kind {
        Kind::Nvidia(nvidia) => Some(nvidia.kind),
        _ => None,
    };
    all.filter_map(|one| kind(&one.kind)).collect()
}

#[test]
fn a_module_has_its_launch_arguments_and_operations() {
    let module = read(code(PHASES)).unwrap();
    let [kernel] = &module.kernels[..] else { panic!("not one kernel") };
    assert_eq!((&kernel.name[..], kernel.facts.threads), ("phases", Some([128, 1, 1])));
    assert_eq!(module.target.map(|target| target.get().name), Some("sm_90"));
    let [n] = &module.arguments[..] else { panic!("not one argument that is read") };
    assert_eq!((&n.name[..], n.width, n.passed), ("phases_param_1", 32, Passed::Integer));
    let all = operations(&module);
    let has = |test: fn(&NvidiaKind) -> bool| all.iter().filter(|kind| test(kind)).count() == 1;
    assert!(all.len() == 4 && has(|kind| *kind == NvidiaKind::Init), "{all:?}");
    assert!(has(|kind| matches!(kind, NvidiaKind::Bar { aligned: true, .. })));
    assert!(has(|kind| matches!(kind, NvidiaKind::Arrive { expects: false, .. })));
    assert!(has(|kind| matches!(kind, NvidiaKind::Wait { parity: true, .. })));
    let copies = operations(&read(code(COPIES_UNWAITED)).unwrap());
    let is_copy = |kind: &&NvidiaKind| matches!(kind, NvidiaKind::CopyTensor { .. });
    assert_eq!(copies.iter().filter(is_copy).count(), 2);
}

#[test]
fn registers_without_a_declaration_are_those_of_the_whole_body() {
    let text = ".version 8.0\n.target sm_90\n.entry k() {\n mov.u32 %r1, 3\n bar.sync %r1\n}";
    let module = read(text).unwrap();
    let blocks = &module.functions[0].blocks;
    let Kind::Compute { to, .. } = &blocks[0].instructions[0].kind else { panic!("no move") };
    let Kind::Nvidia(bar) = &blocks[0].instructions[1].kind else { panic!("no barrier") };
    assert_eq!(bar.operands[0], tidegate_kernel::ir::Operand::Register(*to));
}

#[test]
fn an_error_names_its_line() {
    let error = read(".version 8.0\n.target sm_90\n.entry k() {\n bra NOWHERE;\n}").unwrap_err();
    assert_eq!(error.span.line, 4);
    assert!(error.message.contains("NOWHERE"), "{}", error.message);
}

#[test]
fn every_truncated_and_changed_text_gives_a_module_or_a_message() {
    let mut random = 12345_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    for text in [PHASES, STEP, COPIES_UNWAITED] {
        let lines: Vec<&str> = code(text).lines().collect();
        for _ in 0..120 {
            let mut changed: Vec<&str> = lines.clone();
            match next(3) {
                0 => drop(changed.drain(next(lines.len())..)),
                1 => drop(changed.remove(next(lines.len()))),
                _ => changed.swap(next(lines.len()), next(lines.len())),
            }
            let mut text: String = changed.join("\n");
            let at = next(text.len());
            if next(2) == 0 && text.is_char_boundary(at) {
                text.insert(at, ['[', '"', ':', ',', '{', '}', '0', '('][next(8)]);
            }
            if let Err(error) = read(&text) {
                assert!(error.span.line > 0, "{}", error.message);
            }
        }
    }
}

#[test]
fn constant_expressions_have_the_values_of_c() {
    for (written, value) in [
        ("(3+4)*2", 14),
        ("-8 / 3", -2),
        ("0xFFFFFFFFFFFFFFFFU / 2", i64::MAX),
        ("-(.s64)(2 - 34)", 32),
        ("(.u64)7 %4", 3),
        ("~0 & 0b110 ^ 010", 14),
        ("1 << 3 | 5 == 5 && !0", 1),
        ("2 > 1 ? WARP_SZ : 7", 32),
        ("-1.0", (-1.0_f64).to_bits() as i64),
    ] {
        let tokens = super::lexer::tokens(written).unwrap();
        assert_eq!(super::parse::Parser::new(&tokens).number(), Ok(value), "{written}");
    }
    for wrong in ["1 / 0", "3 +", "(4", "2 * * 3"] {
        let line = format!(".version 8.0\n.target sm_90\n.entry k() {{\n bar.sync {wrong};\n}}");
        assert_eq!(read(&line).map_err(|error| error.span.line).unwrap_err(), 4, "{wrong}");
    }
}

#[test]
fn long_texts_without_sense_end() {
    let text = "add.s32 %r0:, ((({[%rd1+, x@y|z \"\n".repeat(20_000);
    let _ = read(&text);
}

#[test]
fn a_register_that_is_not_declared_is_an_error() {
    let undeclared =
        code(STEP).replacen("bar.sync 0;", "bar.sync 0;\n  st.shared.b32 [%undeclared1], 0;", 1);
    let error = read(&undeclared).unwrap_err();
    assert!(error.message.contains("`%undeclared1` is not declared"));
    let line = undeclared.lines().nth(error.span.line as usize - 1).unwrap_or("");
    assert!(line.contains("%undeclared1"));
}
