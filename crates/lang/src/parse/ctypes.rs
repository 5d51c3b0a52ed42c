//! The words of the types of C.

use crate::expression::types::Type;
use crate::lexer;
use crate::limits::MOST_TRIED;
use crate::tree::Restriction;
use crate::vocabulary::opencl::TYPE;
use tidegate_model::ordered::OrderedSet;

/// Numeric types.
const NUMBERS: [&str; 17] = [
    "int",
    "enum",
    "uint",
    "long",
    "ulong",
    "short",
    "ushort",
    "char",
    "uchar",
    "size_t",
    "bool",
    "auto",
    "ptrdiff_t",
    "unsigned",
    "mem_fence",
    "memory_scope",
    "cl_mem_fence_flags",
];

/// Whether a word is a result type with which C functions start.
pub(super) fn is_returned(word: &str) -> bool {
    word == "void" || NUMBERS.contains(&word) || bytes_of(word).is_some()
}

/// The names after `func`, `void` and similar words.
pub(super) fn function_names<'a>(text: &'a str, tokens: &[lexer::Token]) -> OrderedSet<&'a str> {
    let word = |at: usize| lexer::word(text, tokens, at);
    let begins = |&at: &usize| {
        (word(at) == "func" || is_returned(word(at)) || matches!(word(at), ">" | "&" | TYPE))
            && word(at + 2) == "("
    };
    (0..tokens.len()).filter(begins).map(|at| word(at + 1)).collect()
}

/// Whether a word is a numeric type.
pub(super) fn is_number_type(word: &str) -> bool {
    NUMBERS.contains(&word)
}

/// The range of an integer type with several words, such as `const unsigned int`.
pub(super) fn range_of<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Option<(i64, i64)> {
    let has = |wanted: &str| words.clone().any(|word| word == wanted);
    if !has("unsigned") {
        // The length takes precedence: `long int`, `short int`.
        let short = words.clone().find(|word| matches!(*word, "long" | "short"));
        return short.and_then(range).or_else(|| words.clone().filter_map(range).last());
    }
    range(match () {
        () if has("char") => "uchar",
        () if has("short") => "ushort",
        () if has("long") => "ulong",
        () => "uint",
    })
}

/// The range of an integer type. For 64 bits it is reduced so that sums and small multiples can be computed
/// ([`crate::limits::MOST_TRIED`]).
pub(super) fn range(word: &str) -> Option<(i64, i64)> {
    Some(match word {
        "bool" => (0, 1),
        "char" => (-128, 127),
        "uchar" => (0, 255),
        "short" => (-0x8000, 0x7fff),
        "ushort" => (0, 0xffff),
        "int" | "signed" | "enum" => (-0x8000_0000, 0x7fff_ffff),
        "uint" | "unsigned" => (0, 0xffff_ffff),
        "long" | "ptrdiff_t" => (-MOST_TRIED, MOST_TRIED),
        "ulong" | "size_t" => (0, MOST_TRIED),
        _ => return None,
    })
}

/// The bytes of a numeric or vector type, and those of one component.
pub(super) fn bytes_of(word: &str) -> Option<(u32, u32)> {
    let word = word.strip_prefix("atomic_").unwrap_or(word);
    let scalar = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let bytes = match scalar {
        "char" | "uchar" | "bool" => 1,
        "short" | "ushort" | "half" => 2,
        "int" | "uint" | "float" | "unsigned" | "signed" | "flag" | "enum" => 4,
        "long" | "ulong" | "double" | "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t"
        | "event_t" => 8,
        _ => return None,
    };
    let count = match &word[scalar.len()..] {
        "" => 1,
        "2" => 2,
        "3" | "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    Some((bytes * count, bytes))
}

/// The type that words name: an integer type, or data.
pub(super) fn type_of<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Option<Type> {
    let is_data = |word: &str| {
        bytes_of(word).is_some()
            && (matches!(word, "float" | "double" | "half" | "event_t")
                || word.starts_with("atomic_")
                || word.ends_with(|c: char| c.is_ascii_digit()))
    };
    let data = words.clone().any(is_data);
    if data { Some(Type::Data) } else { Type::of(words) }
}

/// The meaning of a type alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alias {
    /// A number.
    Number,
    /// A named barrier, whether the alias has its storage class, and whether it is a reference.
    Barrier { storage: bool, reference: bool },
    /// A pointer to named barriers, or an array of them.
    Forbidden(Restriction),
    /// Any other type: its variables have no known value.
    Other,
}

impl Alias {
    /// Whether it is a named barrier type.
    pub(super) fn is_barrier(self) -> bool {
        matches!(self, Self::Barrier { .. } | Self::Forbidden(_))
    }

    /// Whether it is a reference to a named barrier.
    pub(super) fn is_reference(self) -> bool {
        matches!(self, Self::Barrier { reference: true, .. })
    }
}
