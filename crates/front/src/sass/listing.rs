//! Lines of a listing: sections, labels, instructions at addresses, facts about the launch.

use super::operand::{self, Guard, Operand};
use alloc::format;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::{Diagnostic, Span};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::target::TargetId;

/// A listing.
#[derive(Debug, Default)]
pub(super) struct Listing<'t> {
    /// `sm_90a`, with its place.
    pub(super) target: Option<(&'t str, Span)>,
    pub(super) sections: Vec<Section<'t>>,
    /// Facts by the name of the kernel.
    pub(super) facts: OrderedMap<&'t str, Facts>,
}

/// Facts about the launch from attributes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub(super) threads: Option<[u32; 3]>,
    pub(super) most: Option<[u32; 3]>,
    pub(super) cluster: Option<[u32; 3]>,
}

/// The code of a kernel or function.
#[derive(Debug, Default)]
pub(super) struct Section<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    /// Whether the host launches it, if the listing says that of any.
    pub(super) entry: bool,
    pub(super) lines: Vec<Line<'t>>,
    /// For each label the line before which it stands.
    pub(super) labels: OrderedMap<&'t str, usize>,
}

/// An instruction.
#[derive(Debug)]
pub(super) struct Line<'t> {
    pub(super) span: Span,
    pub(super) address: u64,
    pub(super) guard: Option<Guard>,
    pub(super) head: &'t str,
    pub(super) operands: Vec<Operand<'t>>,
}

/// A line of the text with its place.
#[derive(Clone, Copy)]
struct Row<'t> {
    text: &'t str,
    start: usize,
    number: u32,
}

impl Row<'_> {
    /// The place of a part of the row.
    fn span(&self, part: &str) -> Span {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let offset = offset.min(self.text.len());
        let column = self.text.get(..offset).map_or(0, |before| before.chars().count());
        Span {
            start: (self.start + offset) as u32,
            length: part.len() as u32,
            line: self.number,
            column: column as u32 + 1,
        }
    }
}

/// Reads a listing.
pub(super) fn read(text: &str) -> Result<Listing<'_>, Diagnostic> {
    let mut reader = Reader::default();
    let mut start = 0;
    for (number, line) in (1_u32..).zip(text.split('\n')) {
        reader.row(Row { text: line, start, number })?;
        start += line.len() + 1;
    }
    let mut listing = reader.listing;
    listing.sections.retain(|section| !section.lines.is_empty());
    if listing.sections.is_empty() {
        let span = Span { line: 1, column: 1, ..Span::default() };
        let message = "expected instructions with addresses, such as `/*0000*/ EXIT ;`, found none";
        return Err(Diagnostic::error("expected-token", span, message));
    }
    if listing.sections.iter().all(|section| !section.entry) {
        listing.sections.iter_mut().for_each(|section| section.entry = true);
    }
    Ok(listing)
}

#[derive(Default)]
struct Reader<'t> {
    listing: Listing<'t>,
    /// Kernels by `.other`.
    entries: Vec<&'t str>,
    /// The kernel whose attributes follow, the attribute, and its numbers so far.
    info: (&'t str, &'t str, Vec<u32>),
}

/// The processor with a compute capability, as in `EF_CUDA_SM90`.
fn processor(capability: &str) -> Option<&'static str> {
    TargetId::from_name(&format!("sm_{capability}")).map(|id| id.get().name)
}

impl<'t> Reader<'t> {
    fn row(&mut self, row: Row<'t>) -> Result<(), Diagnostic> {
        let text = row.text.trim();
        if let Some((address, rest)) = addressed(text) {
            return self.instruction(row, address, rest.trim());
        }
        if let Some(name) = text.strip_prefix("Function :") {
            self.section(name.trim(), row, true);
        } else if let Some(rest) =
            text.strip_prefix(".section").filter(|rest| rest.starts_with(char::is_whitespace))
        {
            let name = first_word(rest.trim());
            if let Some(name) = name.strip_prefix(".text.") {
                let entry = self.entries.contains(&name);
                self.section(name, row, entry);
            }
            self.info = (name.strip_prefix(".nv.info.").unwrap_or(""), "", Vec::new());
        } else if let Some((_, rest)) = text.split_once("EIATTR_") {
            self.info.1 = rest.split_whitespace().next().unwrap_or("");
            self.info.2.clear();
        } else if let Some(rest) = text.strip_prefix(".target") {
            self.target(rest.trim(), row);
        } else if let Some(rest) = text.strip_prefix("code for") {
            self.target(rest.trim(), row);
        } else if let Some(flags) = text.strip_prefix(".headerflags") {
            let names =
                flags.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
            let found =
                names.filter_map(|name| name.strip_prefix("EF_CUDA_SM")).find_map(processor);
            if let Some(name) = found.filter(|_| self.listing.target.is_none()) {
                self.listing.target = Some((name, row.span(flags)));
            }
        } else if let Some(rest) = text.strip_prefix(".other") {
            self.other(rest);
        } else if let Some(label) =
            text.strip_suffix(':').filter(|label| !label.contains(char::is_whitespace))
        {
            let last = self.listing.sections.last_mut();
            if let Some(section) = last {
                section.labels.insert(label, section.lines.len());
            }
        }
        Ok(())
    }

    fn target(&mut self, name: &'t str, row: Row<'t>) {
        let name = first_word(name);
        if name.starts_with("sm_") && self.listing.target.is_none() {
            self.listing.target = Some((name, row.span(name)));
        }
    }

    fn section(&mut self, name: &'t str, row: Row<'t>, entry: bool) {
        let span = row.span(name);
        self.listing.sections.push(Section { name, span, entry, ..Section::default() });
    }

    /// `.other k,@"STO_CUDA_ENTRY STV_DEFAULT"`
    fn other(&mut self, rest: &'t str) {
        let name = rest.trim().split(',').next().unwrap_or("");
        if rest.contains("STO_CUDA_ENTRY") {
            self.entries.push(name);
            let named = self.listing.sections.iter_mut().filter(|section| section.name == name);
            named.for_each(|section| section.entry = true);
        }
    }

    fn instruction(&mut self, row: Row<'t>, address: u64, rest: &'t str) -> Result<(), Diagnostic> {
        if let Some(word) = rest.strip_prefix(".word") {
            self.number(word);
            return Ok(());
        }
        if rest.starts_with('.') || rest.is_empty() {
            return Ok(());
        }
        let code =
            rest.split(';').next().unwrap_or(rest).trim_matches(['{', '}', ' ', '\t']).trim();
        let code = code.split_once("/*").map_or(code, |(code, _)| code).trim();
        if code.is_empty() {
            return Ok(());
        }
        let span = row.span(code);
        let Some((guard, head, operands)) = operand::instruction(code) else {
            let message = format!("expected a SASS instruction, found `{}`", short(code));
            return Err(Diagnostic::error("expected-token", span, message));
        };
        if self.listing.sections.is_empty() {
            self.section("kernel", row, true);
        }
        if let Some(section) = self.listing.sections.last_mut() {
            section.lines.push(Line { span, address, guard, head, operands });
        }
        Ok(())
    }

    /// A number of an attribute.
    fn number(&mut self, word: &str) {
        let (kernel, attribute, ref mut numbers) = self.info;
        let digits = word.trim().trim_start_matches("0x");
        let Ok(number) = u32::from_str_radix(digits, 16) else { return };
        if kernel.is_empty() || numbers.len() >= 3 {
            return;
        }
        numbers.push(number.max(1));
        let sizes = |numbers: &[u32]| match *numbers {
            [x, y, z] => Some([x, y, z]),
            _ => None,
        };
        let Some(all) = sizes(numbers) else { return };
        let facts = self.listing.facts.entry(kernel).or_default();
        match attribute {
            "REQNTID" => facts.threads = Some(all),
            "MAX_THREADS" => facts.most = Some(all),
            "CTA_PER_CLUSTER" | "CLUSTER_DIMS" => facts.cluster = Some(all),
            _ => {}
        }
    }
}

/// The address of a row and what follows it; scheduling codes may stand before it.
fn addressed(text: &str) -> Option<(u64, &str)> {
    let (before, rest) = text.split_once("/*")?;
    if !before.is_empty()
        && !before.trim_end().ends_with([']', ':', '{'])
        && !before.starts_with(['[', '-', '{'])
    {
        return None;
    }
    let (address, rest) = rest.split_once("*/")?;
    if address.len() < 4 || address.contains(char::is_whitespace) {
        return None;
    }
    Some((u64::from_str_radix(address, 16).ok()?, rest))
}

/// The beginning of a text, for a message.
fn short(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}

/// A text up to its first comma or space.
fn first_word(text: &str) -> &str {
    text.find([',', ' ', '\t']).map_or(text, |end| &text[..end])
}
