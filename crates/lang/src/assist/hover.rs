//! The meaning of the word at a position.

use super::meaning::{self, Meaning};
use super::usage;
use crate::diagnostic::Span;
use crate::highlight::{TokenKind, tokens};
use crate::lexer;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};

/// A word at a position, and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// Its position.
    pub span: Span,
    /// The word.
    pub word: String,
    /// Its meaning.
    pub meaning: Meaning,
    /// How an operation is written, with its operands; otherwise empty.
    pub signature: String,
}

/// The meaning of the word that covers a byte of the text, or ends there; `None` for a word without a meaning.
#[must_use]
pub fn hover(text: &str, offset: usize) -> Option<Hover> {
    let covers =
        |span: &Span| (span.start as usize..=(span.start + span.length) as usize).contains(&offset);
    // Between two adjacent words, the second one.
    let (span, kind) = tokens(text).into_iter().rfind(|(span, _)| covers(span))?;
    let word = lexer::slice(text, span);
    let meaning = of(text, word, kind)?;
    let signature = match kind {
        TokenKind::Operation => usage::signature(word),
        _ => String::new(),
    };
    Some(Hover { span, word: word.to_string(), meaning, signature })
}

fn of(text: &str, word: &str, kind: TokenKind) -> Option<Meaning> {
    match kind {
        TokenKind::Operation => meaning::instruction(word),
        TokenKind::Keyword => meaning::word(word).or_else(|| meaning::name(word)),
        TokenKind::Object => meaning::word(word).or_else(|| declared(text, word)),
        TokenKind::Name => meaning::name(word).or_else(|| declared(text, word)),
        _ => None,
    }
}

/// The line that declares a name.
fn declared(text: &str, name: &str) -> Option<Meaning> {
    let declares = |line: &&str| {
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let first = words.find(|word| !word.is_empty());
        crate::parse::DECLARATIONS.iter().any(|&known| first == Some(known))
            && words.next() == Some(name)
    };
    let line = text.lines().map(str::trim).find(declares)?;
    Some(Meaning { sentence: Cow::Owned(line.to_string()), source: Cow::Borrowed("") })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The meaning at the mark `^` of a text.
    fn at(marked: &str) -> Option<Hover> {
        let offset = marked.find('^').unwrap();
        hover(&marked.replace('^', ""), offset)
    }

    #[test]
    fn operations_show_their_operands() {
        for (marked, signature) in [
            ("wave 0 { in^it b, 1 }", "init BARRIER, COUNT"),
            (
                "warp 0 { mbarrier.arrive.exp^ect_tx.b64 _, [b], 4 }",
                "mbarrier.arrive.expect_tx.shared::cta.b64 _, [BARRIER], BYTES",
            ),
            ("warp 0 { bar.sy^nc 0 }", "bar.sync ID"),
            ("launch w^aves=2", ""),
        ] {
            assert_eq!(at(marked).map_or(String::new(), |found| found.signature), signature);
        }
    }

    #[test]
    fn words_operations_objects_and_identifiers() {
        for (marked, word, says) in [
            ("launch wa^ves=2\nla^unch", "", ""),
            ("^launch waves=2", "launch", "The number of agents"),
            ("wave 0 { arr^ive wg }", "arrive", "Arrives"),
            ("wave 0 { arrive.is^first wg }", "arrive.isfirst", "first arrival of the phase"),
            ("wave 0 { arrive w^g }", "wg", "The workgroup barrier"),
            (
                "barrier ready = named(1)\nwave 0 { wait re^ady }",
                "ready",
                "barrier ready = named(1)",
            ),
            ("expect ub amd.join.^before-wait", "amd.join.before-wait", "named barrier"),
            ("expect u^b", "ub", "undefined"),
            ("target gfx12^50", "gfx1250", "AMDGPU"),
            ("warp 0 { mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0 }^", "", ""),
            (
                "warp 0 { mbarrier.try_w^ait.parity.shared::cta.b64 p, [b], 0 }",
                "mbarrier.try_wait.parity.shared::cta.b64",
                "return false spuriously",
            ),
            (
                "wave 0 { call void @llvm.amdgcn.s.bar^rier() }",
                "llvm.amdgcn.s.barrier",
                "workgroup barrier",
            ),
        ] {
            let found = at(marked);
            let word_found = found.as_ref().map_or("", |found| &found.word);
            assert_eq!(word_found, word, "{marked}");
            assert!(found.is_none_or(|found| found.meaning.sentence.contains(says)), "{marked}");
        }
    }
}
