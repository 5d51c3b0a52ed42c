//! Facts of kernels from directives and metadata: launch, registers at the start, arguments.

use super::operand::number;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Span;

/// An argument in the kernarg segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Argument<'a> {
    /// Its offset in bytes.
    pub(super) offset: u32,
    /// Its size in bytes.
    pub(super) size: u32,
    /// `global_buffer`, `by_value`, `hidden_block_count_x` and so on.
    pub(super) kind: &'a str,
    /// Its name in the source, if it is known.
    pub(super) name: &'a str,
    /// The address space of a pointer.
    pub(super) space: &'a str,
}

/// The metadata of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Metadata<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// The most work-items of a workgroup.
    pub(super) most_items: Option<u32>,
    /// The work-items of a workgroup in each dimension, where they are fixed.
    pub(super) items: Vec<u32>,
    /// The workgroups of a cluster in each dimension, where they are fixed.
    pub(super) cluster: Vec<u32>,
    /// The kernarg segment.
    pub(super) arguments: Vec<Argument<'a>>,
    /// Lanes of a wave.
    pub(super) lanes: Option<u32>,
    /// Bytes of LDS that the code knows of.
    pub(super) local_bytes: Option<u32>,
}

/// A kernel descriptor: what stands between `.amdhsa_kernel` and `.end_amdhsa_kernel`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Descriptor<'a> {
    /// The kernel's name.
    pub(super) name: &'a str,
    /// Where the descriptor begins.
    pub(super) span: Span,
    /// Values of directives, without `.amdhsa_`.
    pub(super) values: Vec<(&'a str, i64)>,
}

impl Descriptor<'_> {
    /// The value of a directive; zero where it is not there.
    pub(super) fn value(&self, name: &str) -> i64 {
        self.given(name).unwrap_or(0)
    }

    /// The value of a directive that is there.
    pub(super) fn given(&self, name: &str) -> Option<i64> {
        self.values.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
    }
}

/// One line of YAML: its indentation, whether it begins an item of a list, its key and its value.
struct Line<'a> {
    indent: usize,
    item: bool,
    key: &'a str,
    value: &'a str,
}

fn line(text: &str) -> Option<Line<'_>> {
    let trimmed = text.trim_start();
    let mut indent = text.len() - trimmed.len();
    let (item, rest) = match trimmed.strip_prefix("- ") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, trimmed),
    };
    if item {
        indent += trimmed.len() - rest.len();
    }
    let rest = rest.trim_end();
    let quoted = |text: &str| text.starts_with(['\'', '"']);
    let (key, value) = match rest.split_once(':').filter(|_| !quoted(rest)) {
        Some((key, value)) => (key, value.trim()),
        None => ("", rest),
    };
    let plain = value.trim_matches(|c| matches!(c, '\'' | '"'));
    (!rest.is_empty() && rest != "---" && rest != "...").then_some(Line {
        indent,
        item,
        key,
        value: plain,
    })
}

/// Reads metadata line by line.
#[derive(Default)]
pub(super) struct Reader<'a> {
    /// The kernels so far.
    pub(super) kernels: Vec<Metadata<'a>>,
    /// `amdhsa.target`, if it is there.
    pub(super) target: Option<&'a str>,
    in_kernels: bool,
    /// The indentation of the keys of a kernel.
    indent: Option<usize>,
    /// The key of the kernel whose list is being read.
    list: &'a str,
}

impl<'a> Reader<'a> {
    /// Reads one line.
    pub(super) fn read(&mut self, text: &'a str) {
        let Some(line) = line(text) else { return };
        if line.indent == 0 {
            self.in_kernels = line.key == "amdhsa.kernels";
            self.indent = None;
            if line.key == "amdhsa.target" {
                self.target = Some(line.value);
            }
            return;
        }
        if !self.in_kernels {
            return;
        }
        let indent = *self.indent.get_or_insert(line.indent);
        if line.indent == indent {
            if line.item || self.kernels.is_empty() {
                self.kernels.push(Metadata::default());
            }
            self.list = line.key;
            self.key(line.key, line.value);
        } else if line.indent > indent {
            self.nested(&line);
        }
    }

    fn key(&mut self, key: &str, value: &'a str) {
        let Some(kernel) = self.kernels.last_mut() else { return };
        let small = number(value).and_then(|value| u32::try_from(value).ok());
        match key {
            ".name" => kernel.name = value,
            ".max_flat_workgroup_size" => kernel.most_items = small,
            ".wavefront_size" => kernel.lanes = small,
            ".group_segment_fixed_size" => kernel.local_bytes = small,
            _ => {
                let inside = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
                let numbers = inside.into_iter().flat_map(|inside| inside.split(','));
                numbers.for_each(|number| self.element(number.trim()));
            }
        }
    }

    fn nested(&mut self, line: &Line<'a>) {
        if self.list != ".args" {
            return self.element(line.value);
        }
        let Some(kernel) = self.kernels.last_mut() else { return };
        if line.item {
            kernel.arguments.push(Argument::default());
        }
        let Some(argument) = kernel.arguments.last_mut() else { return };
        let small = number(line.value).and_then(|value| u32::try_from(value).ok()).unwrap_or(0);
        match line.key {
            ".offset" => argument.offset = small,
            ".size" => argument.size = small,
            ".value_kind" => argument.kind = line.value,
            ".name" => argument.name = line.value,
            ".address_space" => argument.space = line.value,
            _ => {}
        }
    }

    /// One number of a list.
    fn element(&mut self, text: &str) {
        let Some(kernel) = self.kernels.last_mut() else { return };
        let list = match self.list {
            ".reqd_workgroup_size" => &mut kernel.items,
            ".cluster_dims" => &mut kernel.cluster,
            _ => return,
        };
        if let Some(value) = number(text).and_then(|value| u32::try_from(value).ok())
            && list.len() < 3
        {
            list.push(value);
        }
    }
}

/// The processor that a target identifier names: `gfx90a` of `amdgcn-amd-amdhsa--gfx90a:xnack-`.
pub(super) fn processor(identifier: &str) -> Option<&str> {
    let at = identifier.find("gfx")?;
    let name = identifier.get(at..)?;
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(name.len());
    name.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_of_two_kernels() {
        let text = "---\namdhsa.kernels:\n  - .agpr_count: 0\n    .args:\n      - .address_space:  global\n        .name: a.coerce\n        .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n      - .offset: 0x10\n        .size: 4\n        .value_kind: by_value\n    .max_flat_workgroup_size: 256\n    .name:           'one'\n    .reqd_workgroup_size:\n      - 8\n      - 4\n      - 1\n    .wavefront_size: 32\n  - .args:           []\n    .reqd_workgroup_size: [16, 1, 1]\n    .name: two\namdhsa.target: amdgcn-amd-amdhsa--gfx942\n...";
        let mut reader = Reader::default();
        text.lines().for_each(|line| reader.read(line));
        let [one, two] = &reader.kernels[..] else { panic!("not two kernels") };
        assert_eq!((one.name, one.most_items, one.lanes), ("one", Some(256), Some(32)));
        assert_eq!((one.items.as_slice(), two.items.as_slice()), (&[8, 4, 1][..], &[16, 1, 1][..]));
        let [pointer, value] = one.arguments[..] else { panic!("not two arguments") };
        let wanted = ("a.coerce", "global", 8, "global_buffer");
        assert_eq!((pointer.name, pointer.space, pointer.size, pointer.kind), wanted);
        assert_eq!((value.offset, value.size, value.kind), (16, 4, "by_value"));
        assert_eq!((two.name, two.arguments.len()), ("two", 0));
        assert_eq!(reader.target.and_then(processor), Some("gfx942"));
    }

    #[test]
    fn processors_of_target_identifiers() {
        assert_eq!(processor("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"), Some("gfx90a"));
        assert_eq!(processor("amdgpu12.50-amd-amdhsa-unknown-gfx1250"), Some("gfx1250"));
        assert_eq!(processor("amdgcn-amd-amdhsa--gfx9-4-generic"), Some("gfx9-4-generic"));
        assert_eq!(processor("nvptx64"), None);
    }
}
