//! Completion candidates at a position.

use super::meaning::{self, WORDS};
use super::{usage, vendor};
use crate::highlight::{TokenKind, tokens};
use crate::lexer::{self, Kind};
use crate::parse::{KEYWORDS, top_level};
use crate::vocabulary::{self, llvm, ptx, sass, tlx, words};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::reading::READINGS;
use tidegate_model::rule::RULES;
use tidegate_model::target::TARGETS;

/// The kind of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CandidateKind {
    /// A word of the language.
    Word,
    /// An operation or instruction.
    Operation,
    /// A declared name.
    Name,
    /// An identifier of a target, a rule or a reading, or a verdict.
    Identifier,
}

/// A completion candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text to insert.
    pub text: String,
    /// Its kind.
    pub kind: CandidateKind,
    /// Its meaning; empty if there is no description.
    pub means: String,
    /// For an operation with operands, the statement to insert: `${…}` encloses what the writer replaces. Otherwise empty.
    pub statement: String,
}

/// The candidates at a position, which replace the word that begins there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The first byte of the unfinished word; the position itself if there is none.
    pub start: usize,
    /// The candidates: those that begin like the word, in the order of the tables.
    pub candidates: Vec<Candidate>,
}

/// Verdicts of expectations, and the words that can precede them.
const EXPECTED: [&str; 11] = [
    "ok",
    "unsupported",
    "ub",
    "violation",
    "race",
    "deadlock",
    "machine",
    "compiler",
    "ambiguous",
    "participates-in",
    "schedules",
];

/// Keys of `launch`, in the terms of each vendor.
const KEYS: [&str; 10] = [
    "clusters=",
    "workgroups=",
    "ctas=",
    "groups=",
    "waves=",
    "warps=",
    "subgroups=",
    "lanes=",
    "threads=",
    "items=",
];

/// The candidates at a byte of a text: those that fit its target.
#[must_use]
pub fn complete(text: &str, offset: usize) -> Completion {
    let Some(before) = text.get(..offset) else { return Completion::default() };
    let joined = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '=');
    let line = before.rfind(['\n', ';', '{', '}']).map_or(0, |at| at + 1);
    let statement = &before[line..];
    if in_prose(before) {
        return Completion { start: offset, candidates: Vec::new() };
    }
    let start = offset - statement.chars().rev().take_while(|&c| joined(c)).count();
    let begun = &before[start..];
    let head = text.get(line..start).unwrap_or("").trim_start();
    let mut completion = candidates(text, before, head);
    completion.retain(|candidate| candidate.text.starts_with(begun));
    if let Some(target) = vendor::target(text) {
        completion.retain(|candidate| match candidate.kind {
            CandidateKind::Word => vendor::has_word(target, &candidate.text),
            CandidateKind::Operation => vendor::has_operation(target, operation_of(candidate)),
            CandidateKind::Name | CandidateKind::Identifier => true,
        });
    }
    let mut seen = OrderedSet::new();
    completion.retain(|candidate| seen.insert(candidate.text.clone()));
    let fields = usage::Fields::of(text);
    for operation in completion.iter_mut().filter(|each| each.kind == CandidateKind::Operation) {
        operation.statement = fields.statement(&operation.text);
    }
    // A complete name is offered for its operands.
    completion.retain(|each| each.text != begun || !each.statement.is_empty());
    Completion { start, candidates: completion }
}

/// The name of the operation of a candidate, without a `call`.
fn operation_of(candidate: &Candidate) -> &str {
    candidate.text.rsplit([' ', '@']).next().unwrap_or_default()
}

/// Whether the position is in a comment or a string.
fn in_prose(before: &str) -> bool {
    let last = lexer::lex(before).pop();
    last.is_some_and(|token| {
        let ends = (token.span.start + token.span.length) as usize
            == before.trim_end_matches([' ', '\t']).len();
        ends && matches!(token.kind, Kind::Comment | Kind::OpenText)
    })
}

fn candidates(text: &str, before: &str, head: &str) -> Vec<Candidate> {
    let first = head.split_whitespace().next().unwrap_or("");
    let inside = depth(before) > 0;
    match (inside, first) {
        (false, "") => top_level().chain(["expect"]).map(word).collect(),
        (true, "") => statements().collect(),
        (_, "target") => TARGETS.iter().map(|target| identifier(target.name)).collect(),
        (_, "reading") => readings().collect(),
        (_, "launch") => KEYS.map(word).into(),
        (_, "expect") if head.ends_with("ambiguous ") => {
            READINGS.iter().map(|reading| identifier(reading.name)).collect()
        }
        (_, "expect") => {
            let rules = RULES.iter().map(|rule| rule.id);
            let targets = TARGETS.iter().map(|target| target.name);
            EXPECTED.into_iter().chain(rules).chain(targets).map(identifier).collect()
        }
        (_, "fence") => words::ORDERS
            .into_iter()
            .chain(words::SCOPES)
            .chain(words::QUALIFIERS)
            .map(word)
            .collect(),
        (_, "let") if !head.contains('=') => Vec::new(),
        (_, _) => declared(text).collect(),
    }
}

/// Number of open blocks at the end of a text.
fn depth(before: &str) -> i32 {
    let tokens = lexer::lex(before);
    let steps = tokens.iter().map(|token| match lexer::slice(before, token.span) {
        "{" if token.kind == Kind::Punctuation => 1,
        "}" if token.kind == Kind::Punctuation => -1,
        _ => 0,
    });
    steps.fold(0, |depth: i32, step| (depth + step).max(0))
}

fn candidate(text: &str, kind: CandidateKind, means: Option<meaning::Meaning>) -> Candidate {
    let means = means.map(|meaning| meaning.sentence.into_owned()).unwrap_or_default();
    Candidate { text: text.to_owned(), kind, means, statement: String::new() }
}

fn word(text: &str) -> Candidate {
    candidate(text, CandidateKind::Word, meaning::word(text))
}

fn identifier(text: &str) -> Candidate {
    candidate(text, CandidateKind::Identifier, meaning::name(text))
}

fn operation(name: &str) -> Candidate {
    candidate(name, CandidateKind::Operation, meaning::instruction(name))
}

/// The operations of all vocabularies.
pub fn operations() -> impl Iterator<Item = &'static str> {
    let ptx = ptx::ROWS.iter().map(|row| row.row.name);
    let tlx = tlx::ROWS.iter().map(|row| row.instruction.row.name);
    let sass = sass::twins().map(|twin| twin.sass);
    vocabulary::names().chain(ptx).chain([meaning::EXPECTING]).chain(tlx).chain(sass)
}

/// The words that begin a statement in a block.
fn statements() -> impl Iterator<Item = Candidate> {
    let intrinsics = llvm::ROWS.iter().map(|row| {
        let name = format!("{}{}", llvm::PREFIX, row.name);
        Candidate { text: format!("call void @{name}"), ..operation(&name) }
    });
    operations().map(operation).chain(KEYWORDS.into_iter().map(word)).chain(intrinsics)
}

/// Every reading with each of its answers.
fn readings() -> impl Iterator<Item = Candidate> {
    READINGS.iter().flat_map(|reading| {
        reading.choices.iter().map(|choice| Candidate {
            text: format!("{}={}", reading.name, choice.name),
            kind: CandidateKind::Identifier,
            means: format!("{} {}", reading.question, choice.meaning),
            statement: String::new(),
        })
    })
}

/// The names of operands: declared names, and the objects that exist from launch.
fn declared(text: &str) -> impl Iterator<Item = Candidate> {
    let words = tokens(text).into_iter().map(|(span, kind)| (lexer::slice(text, span), kind));
    let words: Vec<(&str, TokenKind)> = words.collect();
    let names = words.windows(2).filter(|pair| crate::parse::DECLARATIONS.contains(&pair[0].0));
    let names: Vec<String> = names.map(|pair| pair[1].0.to_owned()).collect();
    let launched = WORDS.iter().filter(|(name, _)| matches!(*name, "wg" | "cluster" | "null"));
    let names = names.into_iter().map(|name| candidate(&name, CandidateKind::Name, None));
    names.chain(launched.map(|(name, _)| candidate(name, CandidateKind::Name, meaning::word(name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The candidates at the mark `^`, each preceded by a space.
    fn at(marked: &str) -> String {
        let offset = marked.find('^').unwrap();
        let found = complete(&marked.replace('^', ""), offset);
        found.candidates.iter().flat_map(|candidate| [" ", &candidate.text]).collect()
    }

    #[test]
    fn first_words_of_a_line_are_offered() {
        assert_eq!(at("no^"), " note");
        assert_eq!(at("title \"x\"\nexp^"), " expect");
        assert!(at("wave 0 {\n  arr^\n}").contains(" arrive arrive.isfirst"));
        assert!(
            at("wave 0 { arrive wg; s_barrier_si^ }")
                .contains(" s_barrier_signal s_barrier_signal_isfirst")
        );
        assert!(at("wave 0 { call void @llvm.amdgcn.s.barrier.j^").is_empty());
        assert!(at("wave 0 { cal^").contains(" call void @llvm.amdgcn.s.barrier.join"));
    }

    #[test]
    fn words_after_the_first_are_offered() {
        assert_eq!(at("target gfx125^"), " gfx1250 gfx1251");
        assert_eq!(at("reading amd.A6=^"), " amd.A6=no-op amd.A6=undefined");
        assert_eq!(
            at("barrier ready\nlds tile[4]\nwave 0 { wait ^ }"),
            " ready tile wg cluster null"
        );
        assert_eq!(at("expect u^"), " unsupported ub");
        assert_eq!(at("expect ub amd.join.before-w^"), " amd.join.before-wait");
        assert_eq!(at("wave 0 { fence rel^ }"), " release");
        assert_eq!(at("expect ambiguous amd.A1^"), " amd.A10 amd.A14 amd.A15 amd.A17 amd.A18");
    }

    #[test]
    fn operations_are_offered_with_their_operands() {
        let text = "barrier ready\nwave 0 { in }";
        let found = complete(text, text.len() - 2);
        assert_eq!(found.candidates[0].statement, "init ready, ${COUNT}");
        assert_eq!(at("wave 0 { init^ }"), " init");
        assert_eq!(at("wave 0 { s_endpgm^ }"), "");
        assert!(at("warp 0 { mbarrier.arrive.e^ }").contains("mbarrier.arrive.expect_tx"));
    }

    #[test]
    fn candidates_fit_the_target() {
        let inside =
            |target: &str, word: &str| at(&format!("target {target}\nwave 0 {{ {word}^ }}"));
        assert_eq!(inside("gfx1250", "mbar"), "");
        assert!(inside("sm_90", "mbar").contains(" mbarrier.init"));
        assert_eq!(inside("sm_90", "s_barr"), "");
        assert_eq!(inside("gfx942", "s_barr"), " s_barrier");
        assert!(inside("gfx1250", "s_barr").contains(" s_barrier_signal"));
        assert_eq!(inside("gfx1250", "sub_gr"), "");
        assert_eq!(inside("sm_90", "jo"), "");
        assert_eq!(inside("opencl", "cal"), " call");
        assert_eq!(at("target opencl\nlaunch ^"), " groups= subgroups= items=");
        assert_eq!(at("target sm_90\nlaunch ^"), " clusters= ctas= warps= threads=");
        assert_eq!(at("target gfx942\nlaunch ^"), " workgroups= waves= lanes=");
        assert_eq!(at("target sm_90\nwa^"), " warp");
    }

    #[test]
    fn comments_and_strings_have_no_candidates() {
        for text in ["note \"ta^", "# ta^", "wave 0 { arrive wg // wa^", "let x^"] {
            assert_eq!(at(text), "", "{text}");
        }
    }
}
