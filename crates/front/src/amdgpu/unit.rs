//! A whole file: its instructions, labels, constants and kernels.

use super::facts::{Descriptor, Metadata, Reader, processor};
use super::operand::number;
use super::text::{Kind, Statement, statements};
use alloc::format;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::{Diagnostic, Span};
use tidegate_model::ordered::OrderedMap;

/// An instruction as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction<'a> {
    pub(super) span: Span,
    pub(super) mnemonic: &'a str,
    pub(super) text: &'a str,
}

/// Memory that a file defines outside of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Datum<'a> {
    pub(super) name: &'a str,
    /// Its bytes, as far as they are numbers.
    pub(super) bytes: Vec<Option<u8>>,
    /// Whether no store can change it.
    pub(super) constant: bool,
    /// Whether it lies in LDS.
    pub(super) local: bool,
}

/// A file.
#[derive(Debug, Default)]
pub(super) struct Unit<'a> {
    /// The processor that it is for.
    pub(super) processor: Option<&'a str>,
    /// The instructions of all functions, in order.
    pub(super) instructions: Vec<Instruction<'a>>,
    /// Labels in code, with the number of the next instruction.
    pub(super) labels: OrderedMap<&'a str, usize>,
    /// Values of `.set`.
    pub(super) values: OrderedMap<&'a str, i64>,
    /// Data, in order.
    pub(super) data: Vec<Datum<'a>>,
    /// The kernels that have a descriptor.
    pub(super) kernels: Vec<Descriptor<'a>>,
    /// Metadata of kernels.
    pub(super) metadata: Vec<Metadata<'a>>,
}

/// The maximum number of bytes of one datum whose values are kept; those after them are unknown.
const MOST_BYTES: usize = 1 << 16;

/// Reads a text without comments.
///
/// # Errors
///
/// A text that ends within a kernel descriptor or metadata, and a symbol that is defined twice.
pub(super) fn read(plain: &str) -> Result<Unit<'_>, Diagnostic> {
    let mut reader = UnitReader { in_code: true, ..UnitReader::default() };
    statements(plain, |statement| reader.statement(statement));
    if let Some(error) = reader.error {
        return Err(error);
    }
    if let Some((what, span)) = reader.open {
        let message = format!("the text ends within the block that `{what}` begins");
        return Err(Diagnostic::error("expected-token", span, message));
    }
    let mut unit = reader.unit;
    unit.processor = unit.processor.or_else(|| reader.metadata.target.and_then(processor));
    unit.metadata = reader.metadata.kernels;
    Ok(unit)
}

#[derive(Default)]
struct UnitReader<'a> {
    unit: Unit<'a>,
    metadata: Reader<'a>,
    in_code: bool,
    constant: bool,
    descriptor: bool,
    open: Option<(&'a str, Span)>,
    error: Option<Diagnostic>,
}

impl<'a> UnitReader<'a> {
    fn statement(&mut self, Statement { span, kind }: Statement<'a>) {
        match kind {
            Kind::Label(name) if self.in_code => {
                let next = self.unit.instructions.len();
                if self.unit.labels.insert(name, next).is_some() {
                    let message = format!("the label `{name}` is defined twice");
                    self.error
                        .get_or_insert_with(|| Diagnostic::error("duplicate-name", span, message));
                }
            }
            Kind::Label(name) => {
                let constant = self.constant;
                self.unit.data.push(Datum { name, constant, ..Datum::default() });
            }
            Kind::Instruction(mnemonic, text) => {
                self.unit.instructions.push(Instruction { span, mnemonic, text });
            }
            Kind::Metadata(line) => self.metadata.read(line),
            Kind::Directive(name, rest) => self.directive(name, rest, span),
        }
    }

    fn directive(&mut self, name: &'a str, rest: &'a str, span: Span) {
        match name {
            ".amdgcn_target" => self.unit.processor = processor(rest),
            ".amdgpu_metadata" => self.open = Some((name, span)),
            ".end_amdgpu_metadata" => self.open = None,
            ".amdhsa_kernel" => {
                self.open = Some((name, span));
                self.descriptor = true;
                let values = Vec::new();
                self.unit.kernels.push(Descriptor { name: unquoted(rest), span, values });
            }
            ".end_amdhsa_kernel" => {
                self.open = None;
                self.descriptor = false;
            }
            ".text" => (self.in_code, self.constant) = (true, false),
            ".data" | ".bss" => (self.in_code, self.constant) = (false, false),
            ".rodata" => (self.in_code, self.constant) = (false, true),
            ".section" | ".pushsection" => self.section(rest),
            ".set" | ".equ" => {
                if let Some((name, value)) = rest.split_once(',')
                    && let Some(value) = number(value.trim())
                {
                    self.unit.values.insert(name.trim(), value);
                }
            }
            ".amdgpu_lds" => self.object(rest, true),
            ".comm" | ".lcomm" => self.object(rest, false),
            _ if self.descriptor => {
                if let Some(name) = name.strip_prefix(".amdhsa_") {
                    let value = self.number(rest);
                    self.unit.kernels.last_mut().into_iter().for_each(|kernel| {
                        kernel.values.extend(value.map(|value| (name, value)));
                    });
                }
            }
            _ if !self.in_code => self.bytes(name, rest),
            _ => {}
        }
    }

    /// A number, or the value of a symbol that `.set` defined.
    fn number(&self, text: &str) -> Option<i64> {
        number(text).or_else(|| self.unit.values.get(text).copied())
    }

    fn section(&mut self, rest: &str) {
        let mut parts = rest.split(',').map(unquoted);
        let name = parts.next().unwrap_or("");
        let flags = parts.next().unwrap_or("");
        self.in_code = name.starts_with(".text") || flags.contains('x');
        self.constant = !self.in_code && !flags.contains('w');
    }

    fn object(&mut self, rest: &'a str, local: bool) {
        let mut parts = rest.split(',').map(str::trim);
        let name = unquoted(parts.next().unwrap_or(""));
        let size = parts.next().and_then(|size| self.number(size)).unwrap_or(0);
        let size = usize::try_from(size).unwrap_or(0).min(MOST_BYTES);
        let bytes = alloc::vec![None; size];
        self.unit.data.push(Datum { name, bytes, constant: false, local });
    }

    /// A directive that adds bytes to the last datum.
    fn bytes(&mut self, name: &str, rest: &str) {
        let width = match name {
            ".byte" => 1,
            ".short" | ".half" | ".2byte" | ".value" => 2,
            ".long" | ".int" | ".word" | ".4byte" => 4,
            ".quad" | ".8byte" => 8,
            ".zero" | ".skip" | ".space" => {
                let size = self.number(rest.split(',').next().unwrap_or("").trim()).unwrap_or(0);
                let size = usize::try_from(size).unwrap_or(0).min(MOST_BYTES);
                return self.add(core::iter::repeat_n(Some(0), size));
            }
            _ => return,
        };
        for value in rest.split(',') {
            let value = self.number(value.trim());
            let bytes = value.map(i64::to_le_bytes);
            self.add((0..width).map(|byte| bytes.map(|bytes| bytes[byte])));
        }
    }

    fn add(&mut self, bytes: impl Iterator<Item = Option<u8>>) {
        if let Some(datum) = self.unit.data.last_mut() {
            let room = MOST_BYTES.saturating_sub(datum.bytes.len());
            datum.bytes.extend(bytes.take(room));
        }
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\n\t.text\nk:\n\ts_nop 0\n.LBB0_1:\n\ts_endpgm\n\t.section .rodata,\"a\",@progbits\n\t.amdhsa_kernel k\n\t\t.amdhsa_user_sgpr_count max\n\t\t.amdhsa_wavefront_size32 1\n\t.end_amdhsa_kernel\ntable:\n\t.long 1, 0x102\n\t.zero 2\n\t.text\n\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n...\n\t.end_amdgpu_metadata\n";

    #[test]
    fn a_file_has_code_data_and_kernels() {
        let text = alloc::format!("\t.set max, 3\n{FILE}");
        let unit = read(&text).unwrap();
        assert_eq!((unit.processor, unit.instructions.len()), (Some("gfx1250"), 2));
        assert_eq!((unit.labels["k"], unit.labels[".LBB0_1"]), (0, 1));
        let [kernel] = &unit.kernels[..] else { panic!("not one kernel") };
        assert_eq!((kernel.value("user_sgpr_count"), kernel.value("wavefront_size32")), (3, 1));
        assert_eq!(kernel.value("no_such"), 0);
        let [datum] = &unit.data[..] else { panic!("not one datum") };
        let bytes = [1, 0, 0, 0, 2, 1, 0, 0, 0, 0].map(Some);
        assert_eq!((datum.name, datum.constant, &datum.bytes[..]), ("table", true, &bytes[..]));
        assert_eq!(unit.metadata[0].name, "k");
    }

    #[test]
    fn truncated_blocks_are_reported() {
        for end in [".end_amdhsa_kernel", ".end_amdgpu_metadata"] {
            let cut = &FILE[..FILE.find(end).unwrap()];
            assert!(read(cut).unwrap_err().message.contains("ends within"));
        }
    }

    #[test]
    fn a_label_is_defined_once() {
        assert!(read("a:\na:\n").unwrap_err().message.contains("twice"));
    }
}
