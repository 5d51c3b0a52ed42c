//! PTX around barriers, as compilers write it: directives, entries, variables, memory accesses and computations.

use super::cursor::{Parsed, Parser};
use crate::expression::{Atom, Binary, Expression};
use crate::lexer::{self, Kind};
use crate::scenario::Scenario;
use crate::tree::{Declaration, DeclarationKind, Name, StatementKind};
use crate::vocabulary::ptx::{self, COMPUTES, IDLE, UNMODELLED};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Space;
use tidegate_model::target::TargetId;

/// Directives without an effect on barriers.
const SILENT: [&str; 9] = [
    "reg",
    "loc",
    "pragma",
    "file",
    "version",
    "address_size",
    "section",
    "branchtargets",
    "param",
];

/// Linkage words before a variable.
const LINKAGE: [&str; 4] = ["visible", "weak", "extern", "common"];

/// Largest shared memory of a CTA, used for arrays without a size: 227 KiB.
pub(super) const MOST_SHARED: i64 = 232_448;

/// Bytes of a PTX type.
pub(super) fn bytes_of(of: &str) -> Option<i64> {
    Some(match of {
        "b8" | "u8" | "s8" => 1,
        "b16" | "u16" | "s16" | "f16" | "bf16" => 2,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" => 4,
        "b64" | "u64" | "s64" | "f64" => 8,
        "b128" => 16,
        _ => return None,
    })
}

/// The size of a load or store from the words of its head.
pub(super) fn bytes_of_access<'a>(head: impl Iterator<Item = &'a str> + Clone) -> i64 {
    let element = head.clone().filter_map(bytes_of).last().unwrap_or(1);
    let count = head.filter_map(|word| match word {
        "v2" => Some(2),
        "v4" => Some(4),
        "v8" => Some(8),
        _ => None,
    });
    element * count.last().unwrap_or(1)
}

/// Largest number of mbarrier objects in a variable; larger variables also hold other data.
const MOST_OBJECTS: i64 = 1024;

/// Whether a name occurs as a whole word in a text.
pub(super) fn stands_in(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word)
    })
}

/// Whether a variable of a pasted text is an mbarrier object: an instruction on such objects names it; or it has their
/// size, such instructions name registers, and no load or store names it.
fn is_mbarrier(text: &str, name: &str, element: i64) -> bool {
    let statements = || text.split(['\n', ';']).filter(|one| stands_in(one, name));
    let operates =
        |one: &str| one.contains("mbarrier.") && !one.trim_start().starts_with("mbarrier ");
    if statements().any(operates) {
        return true;
    }
    let accesses = |one: &str| {
        let head = one.trim_start();
        head.starts_with("ld.") || head.starts_with("st.")
    };
    element == 8 && text.contains("mbarrier.init") && !statements().any(accesses)
}

/// Special registers whose values the launch does not determine, without the number or half at the end.
const MACHINE: [&str; 17] = [
    "aggr_smem_size",
    "clock",
    "current_graph_exec",
    "dynamic_smem_size",
    "envreg",
    "globaltimer",
    "gridid",
    "is_explicit_cluster",
    "lanemask_eq",
    "lanemask_ge",
    "lanemask_gt",
    "lanemask_le",
    "lanemask_lt",
    "nsmid",
    "pm",
    "smid",
    "total_smem_size",
];

/// Whether a name is that of such a special register.
fn is_of_machine(name: &str) -> bool {
    let name = name.strip_suffix("_64").unwrap_or(name);
    let name = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let half = ["_lo", "_hi"].iter().find_map(|end| name.strip_suffix(end));
    MACHINE.contains(&half.unwrap_or(name))
}

impl<'a> Parser<'a> {
    /// A directive at the top level.
    pub(super) fn directive(&mut self, scenario: &mut Scenario) -> Parsed<()> {
        if self.word_ahead(1) == "target" {
            self.advance_by(2);
            let name = self.word().trim_end_matches(|c: char| c.is_ascii_alphabetic());
            scenario.target = scenario.target.or_else(|| TargetId::from_name(name));
            self.skip_line();
            return Ok(());
        }
        if SILENT.contains(&self.word_ahead(1)) {
            let section = self.word_ahead(1) == "section";
            self.skip_line();
            // Debug information is in braces.
            let ahead = self.behind_newlines();
            if section && self.text_of(ahead) == Some("{") {
                self.advance_by(ahead);
                while self.peek(0).is_some() && !self.is("}") {
                    self.advance();
                }
            }
            if section {
                self.eat("}");
            }
            return Ok(());
        }
        if let Some(declared) = self.variable() {
            scenario.tree.declarations.push(declared?);
            return Ok(());
        }
        let here = self.here();
        while self.is(".") && LINKAGE.contains(&self.word_ahead(1)) {
            self.advance_by(2);
        }
        let message = match self.word_ahead(1) {
            "entry" => "a PTX kernel cannot be in one text with blocks of agents",
            "func" => "a PTX function needs a kernel (`.entry`) that calls it",
            _ => "unknown PTX directive",
        };
        self.error("unknown-statement", here, message)
    }

    fn skip_line(&mut self) {
        while !self.at_end() {
            self.advance();
        }
    }

    /// `.shared .align 8 .b64 NAME[4]`, at the top level or in a body.
    fn variable(&mut self) -> Option<Parsed<Declaration>> {
        let mut at = 0;
        while self.word_ahead(at) == "." && LINKAGE.contains(&self.word_ahead(at + 1)) {
            at += 2;
        }
        let space = match (self.word_ahead(at), self.word_ahead(at + 1)) {
            (".", "shared") => Space::Local,
            (".", "global" | "const") => Space::Global,
            _ => return None,
        };
        self.advance_by(at + 2);
        Some(self.variable_of(space))
    }

    fn variable_of(&mut self, space: Space) -> Parsed<Declaration> {
        let mut element = 1;
        while self.eat(".") || self.is("::") {
            let word = self.word();
            self.advance();
            if word == "align" {
                self.advance();
            }
            element = bytes_of(word).unwrap_or(element);
        }
        let name = self.name("a name")?;
        let mut count = None;
        // The literal dimensions; `None` for a single element.
        let mut bytes = None;
        while self.eat("[") {
            let size = match self.is("]") {
                true => Expression::int(MOST_SHARED / element, name.span),
                false => self.expression()?,
            };
            bytes = match size.code[..] {
                [(Atom::Int(size), _)] => Some(bytes.unwrap_or(element).saturating_mul(size)),
                _ => bytes,
            };
            self.expect("]")?;
            count = Some(match count.take() {
                None => size,
                Some(before) => product(before, &size),
            });
        }
        let mbarriers = space == Space::Local
            && bytes.is_none_or(|bytes| (1..=8 * MOST_OBJECTS).contains(&bytes))
            && is_mbarrier(self.text, &name.text, element);
        let kind = match (mbarriers, count) {
            (true, Some(count)) if element < 8 => {
                let mut elements = product(count, &Expression::int(element, name.span));
                elements
                    .code
                    .extend([(Atom::Int(8), name.span), (Atom::Binary(Binary::Divide), name.span)]);
                DeclarationKind::Mbarrier(Some(elements))
            }
            (true, count) => DeclarationKind::Mbarrier(count),
            (false, None) => {
                DeclarationKind::Memory(space, false, Expression::int(element, name.span))
            }
            (false, Some(count)) => DeclarationKind::Memory(
                space,
                false,
                product(count, &Expression::int(element, name.span)),
            ),
        };
        if self.is("=") {
            self.skip_operands();
        }
        Ok(Declaration { name, kind })
    }

    /// A statement of a body that is not a barrier operation: a directive, a variable, a memory access, or a
    /// computation.
    pub(super) fn ptx_around(&mut self) -> Option<Parsed<StatementKind>> {
        if self.is(".") {
            if self.word_ahead(1) == "local" || SILENT.contains(&self.word_ahead(1)) {
                self.skip_line();
                return Some(Ok(nothing()));
            }
            let declared = self.variable()?;
            return Some(declared.map(|declared| {
                self.implicit.push(declared);
                nothing()
            }));
        }
        // In C this may be a member of a variable.
        if self.word_ahead(1) != "." || self.of_c {
            return None;
        }
        match self.word() {
            "ld" | "st" if self.is_known_access() => self.load_or_store(),
            "atom" | "red" if !ptx::recognises(&self.head_ahead()) => Some(self.atomic_access()),
            "tcgen05" if self.word_ahead(2) == "alloc" => {
                let start = self.here();
                self.instruction_head();
                Some(self.access_of(true, 4, start))
            }
            "ldmatrix" | "stmatrix" if self.modifiers_ahead().contains(&"m8n8") => {
                Some(self.matrix_access())
            }
            "tcgen05" if self.word_ahead(2) == "ld" => Some(self.computed_data()),
            "mov" if self.has_braces() => Some(self.packed()),
            "mov" if self.reads_machine() => Some(self.computed_data()),
            _ if super::forms::Form::of(&self.head_ahead()).is_some() => None,
            word if IDLE.contains(&word) => {
                self.skip_operands();
                Some(Ok(nothing()))
            }
            word if UNMODELLED.contains(&word) && !ptx::recognises(&self.head_ahead()) => {
                Some(self.unmodelled())
            }
            word if COMPUTES.contains(&word) => Some(self.computed_data()),
            _ => None,
        }
    }

    /// An instruction whose results are data.
    pub(super) fn computed_data(&mut self) -> Parsed<StatementKind> {
        self.instruction_head();
        let names = self.unknown_results()?;
        self.skip_operands();
        Ok(StatementKind::Forget(names))
    }

    /// The head of the next instruction, without consuming it.
    fn head_ahead(&self) -> String {
        let joined = |at: &usize| *at == 0 || matches!(self.word_ahead(2 * at - 1), ".");
        let words = (0..8).take_while(joined).map(|at| self.word_ahead(2 * at));
        words.collect::<Vec<_>>().join(".")
    }

    /// Whether a move reads a special register whose value the launch does not determine.
    fn reads_machine(&self) -> bool {
        let ahead = (0..16).map(|at| self.word_ahead(at));
        let line: Vec<&str> = ahead.take_while(|word| !matches!(*word, ";" | "\n" | "")).collect();
        line.windows(2).any(|of| of[0] == "%" && is_of_machine(of[1]))
    }

    /// Whether a list in braces is on this line.
    fn has_braces(&self) -> bool {
        (0..12)
            .map(|at| self.word_ahead(at))
            .take_while(|word| *word != ";")
            .any(|word| word == "{")
    }

    /// The words of the next head after its first.
    pub(super) fn modifiers_ahead(&self) -> Vec<&'a str> {
        let ahead = (1..24).take_while(|&at| {
            let joins = matches!(self.word_ahead(at), "." | "::");
            joins || matches!(self.word_ahead(at - 1), "." | "::")
        });
        ahead.map(|at| self.word_ahead(at)).collect()
    }

    /// The registers that become unknown: `a`, `p|q`, `{a, b}`.
    pub(super) fn unknown_results(&mut self) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        let several = self.eat("{");
        loop {
            self.eat("%");
            let name = self.name("a register")?;
            if name.text != "_" {
                names.push(name);
            }
            if !(self.eat("|") || several && self.eat(",")) {
                break;
            }
        }
        if several {
            self.expect("}")?;
        }
        Ok(names)
    }

    pub(super) fn instruction_head(&mut self) -> Name {
        self.run(|joiner| matches!(joiner, "." | "::"))
    }

    /// `selp.b32 r, a, b, p`: the first operand if the predicate holds, otherwise the second.
    pub(super) fn selected(&mut self) -> Parsed<(Option<Name>, Expression)> {
        let result = self.result()?;
        let mut parts = Vec::new();
        for _ in 0..3 {
            self.expect(",")?;
            parts.push(self.maybe_not()?);
        }
        let (predicate, second, first) =
            (parts.pop().unwrap_or_default(), parts.pop().unwrap_or_default(), parts.pop());
        let first = first.unwrap_or_default();
        let span = predicate.span;
        let mut code = predicate.code;
        code.push((Atom::Unless(first.code.len() as u32 + 1), span));
        code.extend(first.code);
        code.push((Atom::Jump(second.code.len() as u32), span));
        code.extend(second.code);
        Ok((result, Expression { code, span }))
    }

    /// `asm("…" : … : …)` in CUDA C++: it contains PTX, with numbers for its operands.
    pub(super) fn inline_assembly(&mut self) -> Parsed<StatementKind> {
        let here = self.here();
        let text = (0..8).find_map(|ahead| {
            let token = self.peek(ahead)?;
            (token.kind == Kind::Text).then(|| lexer::slice(self.text, token.span))
        });
        let inside =
            text.map(|text| text.trim_matches('"').replace("\\n", " ").replace("\\t", " "));
        let first = inside.unwrap_or_default();
        let message = alloc::format!(
            "`asm` is not supported: write the PTX itself, `{}`, with barrier names and numbers instead of %0, %1",
            first.trim().chars().take(80).collect::<String>()
        );
        self.skip_operands();
        self.error("unknown-operation", here, message)
    }
}

pub(super) fn product(mut one: Expression, other: &Expression) -> Expression {
    let span = one.span;
    one.code.extend(other.code.iter().copied());
    one.code.push((Atom::Binary(Binary::Multiply), span));
    one
}

pub(super) fn nothing() -> StatementKind {
    StatementKind::Several(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::{is_mbarrier, stands_in};

    #[test]
    fn variables_that_are_mbarrier_objects() {
        let text = ".shared .b64 bar;\n.shared .b64 tile[8];\nmbarrier.init.shared.b64 [bar], 1;\nst.shared.u64 [tile], r";
        assert!(is_mbarrier(text, "bar", 8));
        assert!(!is_mbarrier(text, "tile", 8));
        let moved = "mov.u32 r, bar; mbarrier.init.shared.b64 [r], 1; cp.async.bulk.mbarrier::complete_tx::bytes [tile], [a], 16, [r]";
        assert!(is_mbarrier(moved, "bar", 8));
        assert!(!is_mbarrier(moved, "tile", 1));
        assert!(!is_mbarrier("ld.shared.u64 r, [bar]", "bar", 8));
    }

    #[test]
    fn names_are_whole_words() {
        assert!(stands_in("[bar+8]", "bar") && !stands_in("mbarrier", "bar"));
        assert!(!stands_in("bars", "bar") && stands_in("%bars, bar", "bar"));
    }
}
