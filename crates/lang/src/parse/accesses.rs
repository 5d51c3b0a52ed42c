//! PTX loads, stores and atomic operations.
//!
//! PTX ISA 9.1, "Memory Consistency Model: Operation Types, Strong Operations". Strong accesses whose scopes include
//! each other do not race. The order that they establish depends on the value read. Neither the order nor the value is
//! tracked.

use super::cursor::{Parsed, Parser};
use super::instruction::folded;
use super::ptx::{bytes_of, bytes_of_access, nothing};
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary, Builtin, Expression};
use crate::lexer;
use crate::tree::{Block, Instruction, Operand, Statement, StatementKind};
use crate::vocabulary;
use crate::vocabulary::nvidia::Flags;
use crate::vocabulary::ptx;
use alloc::vec::Vec;
use tidegate_model::ptx::action::Order;

/// Modifiers of `ld` and `st` for the state space, the type and caching.
const PLAIN: [&str; 28] = [
    "weak",
    "shared",
    "shared::cta",
    "global",
    "nc",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "v2",
    "v4",
    "v8",
    "const",
    "cta",
    "cluster",
    "gpu",
    "sys",
    "acquire",
    "release",
    "relaxed",
    "volatile",
    "mmio",
    ".",
    "::",
    "L1",
];

/// The modifiers of a strong load or store; `None` if it is weak.
fn strong(words: &[&str]) -> Option<Flags> {
    const STRONG: [&str; 5] = ["relaxed", "acquire", "release", "volatile", "mmio"];
    let relaxed = words.iter().any(|word| matches!(*word, "volatile" | "mmio"));
    words.iter().any(|word| STRONG.contains(word)).then(|| match relaxed {
        true => Flags::default(),
        false => of_scope(words),
    })
}

/// The scope of a strong access; without one it is the whole device.
fn of_scope(words: &[&str]) -> Flags {
    let scope = |at: usize| match (words[at], at.checked_sub(1).map(|at| words[at])) {
        ("cta", Some(".")) => Some(Order::Cta),
        ("cluster", Some(".")) => Some(Order::Cluster),
        _ => None,
    };
    Flags { order: (0..words.len()).find_map(scope), ..Flags::default() }
}

impl Parser<'_> {
    /// Whether a load or store has only known modifiers.
    pub(super) fn is_known_access(&self) -> bool {
        let words = self.modifiers_ahead();
        let plain = |at: usize| {
            let word = words[at];
            let of_cache = at > 1 && words[at - 1] == "::" && words[at - 2].starts_with('L');
            PLAIN.contains(&word) || bytes_of(word).is_some() || word.starts_with('L') || of_cache
        };
        (0..words.len()).all(plain) || words.iter().any(|word| matches!(*word, "param" | "local"))
    }

    /// An instruction that may access memory or synchronise and is not modelled, and the registers that it writes.
    pub(super) fn unmodelled(&mut self) -> Parsed<StatementKind> {
        let start = self.here();
        let head = self.instruction_head();
        let results = match self.is("[") || self.at_end() {
            true => Vec::new(),
            false => self.unknown_results()?,
        };
        self.skip_operands();
        let span = self.since(start);
        let (made, flags) = (&ptx::OTHER, Flags::default());
        let made = self.nvidia_made(made, flags, head.span, Vec::new(), None, start);
        let statement = |kind| Statement { span, kind };
        let statements = [made, StatementKind::Forget(results)].map(statement);
        Ok(StatementKind::Several(statements.into()))
    }

    /// `ld.shared.u32 r, [tile+4]` or `st.shared.u32 [tile+4], r`.
    pub(super) fn load_or_store(&mut self) -> Option<Parsed<StatementKind>> {
        let start = self.here();
        let writes = self.is("st");
        let words: Vec<&str> = self.modifiers_ahead();
        if words.iter().any(|word| matches!(*word, "param" | "local")) {
            if writes {
                self.skip_operands();
                return Some(Ok(nothing()));
            }
            return Some(self.computed_data());
        }
        let (all, strong) = (bytes_of_access(words.iter().copied()), strong(&words));
        self.instruction_head();
        Some(self.access_made(writes, (all, strong), start))
    }

    /// `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a, b, c, d}, [row]`: each of the first lanes gives the address of a
    /// row of 16 bytes.
    pub(super) fn matrix_access(&mut self) -> Parsed<StatementKind> {
        let (start, writes) = (self.here(), self.is("stmatrix"));
        let words = self.modifiers_ahead();
        let lanes = match () {
            () if words.contains(&"x4") => 32,
            () if words.contains(&"x2") => 16,
            () => 8,
        };
        self.instruction_head();
        let access = self.access_of(writes, 16, start)?;
        let span = self.since(start);
        let code = alloc::vec![
            (Atom::Builtin(Builtin::LaneId), span),
            (Atom::Int(lanes), span),
            (Atom::Binary(Binary::Less), span)
        ];
        let (access, results) = match access {
            StatementKind::Several(mut both) if both.len() == 2 => {
                let results = both.pop();
                (both.pop().map(|access| access.kind), results)
            }
            access => (Some(access), None),
        };
        let statement = |kind| Statement { span, kind };
        let statements = access.map(statement).into_iter().collect();
        let block = Block { statements, close: span };
        let access = match lanes {
            32 => StatementKind::Several(block.statements),
            _ => StatementKind::If(Expression { code, span }, block, None),
        };
        let all = core::iter::once(statement(access)).chain(results);
        Ok(StatementKind::Several(all.collect()))
    }

    pub(super) fn access_of(
        &mut self,
        writes: bool,
        bytes: i64,
        start: Span,
    ) -> Parsed<StatementKind> {
        self.access_made(writes, (bytes, None), start)
    }

    /// `atom.add.u32 r, [p], 1` and `red.add.u32 [p], 1`: they read and write, and are strong.
    pub(super) fn atomic_access(&mut self) -> Parsed<StatementKind> {
        let (start, words) = (self.here(), self.modifiers_ahead());
        let all = bytes_of_access(words.iter().copied());
        let flags = strong(&words).unwrap_or_else(|| of_scope(&words));
        self.instruction_head();
        self.access_made(true, (all, Some(flags)), start)
    }

    /// An access of a number of bytes; with modifiers if it is strong.
    fn access_made(
        &mut self,
        writes: bool,
        (bytes, strong): (i64, Option<Flags>),
        start: Span,
    ) -> Parsed<StatementKind> {
        // The result register is before the address.
        let results = match self.is("[") {
            true => Vec::new(),
            false => {
                let results = self.unknown_results()?;
                self.expect(",")?;
                results
            }
        };
        let mut operands = Vec::new();
        self.expect("[")?;
        self.eat("%");
        self.bytes(&mut operands)?;
        self.expect("]")?;
        if let [Operand::Bytes(name, range)] = &mut operands[..] {
            let first = match range.take() {
                Some((first, _)) => first,
                None => Expression::int(0, name.span),
            };
            let mut end = first.clone();
            end.code.push((Atom::Int(bytes), name.span));
            end.code.push((Atom::Binary(Binary::Add), name.span));
            *range = Some((first, end));
        }
        self.skip_operands();
        let span = self.since(start);
        let word = if writes { "store" } else { "load" };
        let Some((_, row)) = vocabulary::find(word) else { return Ok(nothing()) };
        let text = folded(lexer::slice(self.text, span));
        let access = Instruction {
            row,
            head: start,
            operands,
            result: None,
            declares: false,
            text,
            nvidia: strong.map(|flags| (&ptx::STRONG, flags)),
        };
        let access = StatementKind::Instruction(access);
        if results.is_empty() {
            return Ok(access);
        }
        let statement = |kind| Statement { span, kind };
        let statements = alloc::vec![statement(access), statement(StatementKind::Forget(results))];
        Ok(StatementKind::Several(statements))
    }
}

#[cfg(test)]
mod tests {
    use crate::{compile, parse};

    fn warnings(instruction: &str) -> usize {
        let text = alloc::format!(
            "target sm_90\nlaunch warps=1\nshared tile[64]\nwarp 0 {{ {instruction}; }}\n"
        );
        compile(&parse(&text)).map_or(usize::MAX, |compiled| compiled.warnings.len())
    }

    #[test]
    fn accesses_with_modifiers_are_known() {
        for instruction in [
            "ld.shared.u32 %r1, [tile]",
            "ld.shared.L1::evict_last.L2::128B.v2.b32 {%r1, %r2}, [tile]",
            "ld.volatile.shared.u32 %r1, [tile]",
            "st.release.cta.shared::cta.u32 [tile], 1",
            "atom.shared.cas.b32 %r1, [tile], 0, 1",
            "red.shared.add.u32 [tile], 1",
        ] {
            assert_eq!(warnings(instruction), 0, "{instruction}");
        }
        assert_eq!(warnings("sust.b.1d.b32 [tile, {1}], {2}"), 1);
    }
}
