//! Tests of the reader: what a text becomes, and that no text makes it panic.

use super::read;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Kind, Module, NvidiaKind};

const EXCHANGE: &str = include_str!("../../../../tests/kernels/exchange.sm_90.sass");

/// The text without its header lines.
fn code(text: &str) -> &str {
    text.find("\t.target").and_then(|at| text.get(at..)).unwrap()
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
fn a_listing_has_its_kernel_and_operations() {
    let module = read(code(EXCHANGE)).unwrap();
    assert_eq!(module.kernels.len(), 1);
    assert_eq!(&module.kernels[0].name[..], "exchange");
    let all = operations(&module);
    assert!(matches!(all[..], [NvidiaKind::Bar { .. }]), "{all:?}");
}

#[test]
fn a_label_that_is_not_defined_is_an_error() {
    let bar = code(EXCHANGE).lines().find(|line| line.contains("BAR.SYNC")).unwrap();
    let (before, _) = bar.split_once("BAR").unwrap();
    let branch = [before, "BRA `(.L_x_77) ;"].concat();
    let error = read(&code(EXCHANGE).replacen(bar, &branch, 1)).unwrap_err();
    assert_eq!(error.message, "the label `.L_x_77` is not defined");
}

#[test]
fn every_truncated_and_changed_text_gives_a_module_or_a_message() {
    let mut random = 12345_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    for text in [EXCHANGE] {
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
                text.insert(at, ['[', '"', ':', ',', '/', '@', '0', ';'][next(8)]);
            }
            if let Err(error) = read(&text) {
                assert!(error.span.line > 0, "{}", error.message);
            }
        }
    }
}

#[test]
fn long_texts_without_sense_end() {
    let text = "/*0000*/ @!P IADD3 R0, [UR4+, c[0x0 `( x\n".repeat(20_000);
    let _ = read(&text);
}
