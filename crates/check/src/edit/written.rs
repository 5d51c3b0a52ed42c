//! Statements in the language of a text. Compiled text is edited only in its own language.

use super::fix;
use crate::report::{Edit, Fix};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::compiled::Language;
use tidegate_lang::diagnostic::Span;

/// A text that is edited, and its language if it is compiled code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    pub(crate) text: &'a str,
    pub(crate) language: Option<Language>,
}

impl<'a> Written<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self { text, language: Language::of(text) }
    }

    /// Whether each statement has a line of its own.
    pub(crate) const fn is_by_lines(self) -> bool {
        matches!(self.language, Some(Language::Llvm | Language::Amdgpu | Language::Sass))
    }

    /// The statements of a scenario, separated by `; `, in the language of the text. `None` if it cannot express them.
    pub(crate) fn spelled(self, statements: &str) -> Option<String> {
        let parts: Vec<&str> = statements.split("; ").collect();
        if let [wait] | ["asyncmark", wait] = parts[..]
            && let Some(most) = wait.strip_prefix("wait_asyncmark ")
            && let Some(wait) = self.counter_wait(most)
        {
            return Some(wait);
        }
        let round = parts.windows(2).position(|pair| pair == ["arrive wg", "wait wg"]);
        match self.language {
            None | Some(Language::Opencl) => Some(statements.to_owned()),
            Some(Language::Llvm) => {
                let is_split = self.text.contains("@llvm.amdgcn.s.barrier.signal(");
                let round = round.filter(|_| !is_split);
                let in_ir = parts
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| round.is_none_or(|round| round + 1 != *at));
                let in_ir = in_ir.map(|(at, part)| match round == Some(at) {
                    true => Some("call void @llvm.amdgcn.s.barrier()".to_owned()),
                    false => ir(part),
                });
                Some(in_ir.collect::<Option<Vec<String>>>()?.join("; "))
            }
            Some(Language::Amdgpu) => match round {
                Some(_) if self.text.contains("s_barrier_signal ") => {
                    Some("s_barrier_signal -1; s_barrier_wait -1".to_owned())
                }
                Some(_) if self.text.contains("s_barrier\n") => Some("s_barrier".to_owned()),
                _ => None,
            },
            Some(Language::Cpp) => round.map(|_| "__syncthreads()".to_owned()),
            Some(Language::Ptx | Language::Sass | Language::Python) => None,
        }
    }

    /// The barrier of all threads of a CTA, as the text already spells it or as its language does; `None` if it has no statement
    /// for it.
    pub(crate) fn barrier_of_cta(self) -> Option<&'static str> {
        /// Spellings in PTX, the usual one first.
        const PTX: [&str; 4] =
            ["bar.sync 0", "barrier.sync 0", "bar.cta.sync 0", "barrier.cta.sync 0"];
        match self.language {
            Some(Language::Cpp) => Some("__syncthreads()"),
            Some(Language::Llvm) => Some("call void @llvm.nvvm.barrier0()"),
            None | Some(Language::Ptx) => {
                PTX.into_iter().find(|it| self.text.contains(*it)).or(Some(PTX[0]))
            }
            Some(Language::Opencl | Language::Amdgpu | Language::Sass | Language::Python) => None,
        }
    }

    /// A wait that leaves `most` asynchronous copies outstanding, in a text in which a counter counts each of them.
    fn counter_wait(self, most: &str) -> Option<String> {
        const COUNTED: [&str; 2] =
            ["amdgcn.global.load.async.to.lds.b", "amdgcn.global.store.async.from.lds.b"];
        let has = |words: &&str| self.text.contains(words);
        match self.language? {
            Language::Llvm => (COUNTED.iter().any(has) && !has(&"@llvm.amdgcn.asyncmark("))
                .then(|| format!("call void @llvm.amdgcn.s.wait.asynccnt(i16 {most})")),
            Language::Amdgpu if has(&"_async_") => {
                most.parse().ok().map(|most: u16| format!("s_wait_asynccnt {most:#x}"))
            }
            // The counter of loads counts other loads, too.
            Language::Amdgpu => (most == "0").then(|| "s_waitcnt vmcnt(0)".to_owned()),
            _ => None,
        }
    }

    /// Whether a new statement can be one in the language of the text.
    pub(crate) fn is_of(self, new: &str) -> bool {
        let begins = |all: &[&str]| all.iter().any(|it| new.starts_with(it));
        match self.language {
            None | Some(Language::Cpp | Language::Opencl) => true,
            Some(Language::Llvm) => {
                begins(&["call ", "fence syncscope(", "fence acq", "%", "declare "])
            }
            Some(Language::Amdgpu) => begins(&["s_"]),
            // The label and the predicate of a new loop would be those of a scenario.
            Some(Language::Ptx) => !new.contains('\n'),
            Some(Language::Sass) => false,
            Some(Language::Python) => new.starts_with("tlx."),
        }
    }

    /// Puts statements in front of another, each on its own line where the language of the text requires it.
    pub(crate) fn before(self, span: Span, statements: &str) -> Edit {
        let blank = self.is_by_lines().then(|| fix::indentation(self.text, span.start as usize));
        let end = blank.map_or("; ".to_owned(), |blank| format!("\n{blank}"));
        fix::insert(span, [&statements.replace("; ", &end), &*end].concat())
    }

    /// Adds statements after another, likewise.
    pub(crate) fn after(self, span: Span, statements: &str) -> Edit {
        let text = self.text;
        // A statement may end on a later line than it begins.
        let end = fix::place(text, (span.start + span.length) as usize);
        if !self.is_by_lines() {
            return fix::insert(end, format!("; {statements}"));
        }
        let begins = format!("\n{}", fix::indentation(text, span.start as usize));
        let rest = &text[end.start as usize..];
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let line_end = fix::place(text, end.start as usize + rest.len());
        fix::insert(line_end, [&*begins, &statements.replace("; ", &begins)].concat())
    }

    /// Puts what a fix adds on lines of its own where the text has one statement on a line, and deletes lines that become blank.
    pub(crate) fn lay_out(self, fix: &mut Fix) {
        if self.is_by_lines() {
            return;
        }
        let edits = fix.edits.iter().map(|edit| self.on_a_line(edit).unwrap_or(edit.clone()));
        if let Some(laid) = fix::fix(fix.message.clone(), edits.collect()) {
            fix.edits = laid.edits;
        }
    }

    /// An edit that adds or deletes lines instead; `None` if it cannot.
    fn on_a_line(self, edit: &Edit) -> Option<Edit> {
        let (start, end) = (edit.offset as usize, (edit.offset + edit.length) as usize);
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let (before, rest) = (&self.text[line..start], self.text[end..].split('\n').next()?);
        let is_first = before.trim().is_empty();
        let blank = fix::indentation(self.text, start);
        let terminator = match self.language {
            Some(Language::Cpp | Language::Opencl | Language::Ptx) => ";",
            _ if rest.trim_end().ends_with(';') => ";",
            _ => "",
        };
        let between = [terminator, "\n", blank].concat();
        let at = |at| fix::place(self.text, at);
        if edit.length > 0 {
            let is_blank = is_first && edit.replacement.is_empty() && rest.trim() == "";
            let whole = Span { length: (end - start) as u32, ..at(start) };
            return is_blank.then(|| fix::delete(self.text, whole));
        }
        if edit.replacement.contains('\n') {
            return None;
        }
        if let Some(new) = edit.replacement.strip_suffix("; ") {
            return is_first.then(|| {
                let new = new.replace("; ", &between) + &between;
                fix::insert(at(start), new)
            });
        }
        let new = edit.replacement.strip_prefix("; ")?.replace("; ", &between);
        let is_only = !is_first && !before.contains([';', '{', '}']) && is_over(rest);
        let new = ["\n", blank, &new, terminator].concat();
        is_only.then(|| fix::insert(at(start + rest.len()), new))
    }

    /// Whether an edit keeps the statements of a compiled text: an edit that only inserts or moves loses no line, and what is new
    /// is of its language.
    pub(crate) fn keeps(self, after: &str, edits: &[Edit]) -> bool {
        if !self.is_by_lines() {
            return true;
        }
        let lines = |text: &str| -> Vec<String> {
            let all =
                text.lines().map(|line| line.split([';']).next().unwrap_or("").trim().to_owned());
            let mut all: Vec<String> = all.filter(|line| !line.is_empty()).collect();
            all.sort_unstable();
            all
        };
        let without = |mut all: Vec<String>, others: &[String]| {
            for other in others {
                if let Some(at) = all.iter().position(|it| it == other) {
                    all.swap_remove(at);
                }
            }
            all
        };
        let (old, new) = (lines(self.text), lines(after));
        let lost = without(old.clone(), &new);
        let added = without(new, &old);
        let replaces = matches!(edits, [Edit { length: 1.., .. }]);
        lost.len() <= usize::from(replaces) && added.iter().all(|line| self.is_of(line))
    }

    /// The declarations that new calls in LLVM IR need, before the first function.
    pub(crate) fn declarations(self, statements: &str) -> Option<Edit> {
        if self.language != Some(Language::Llvm) {
            return None;
        }
        let declared = |call: &str| {
            let (name, arguments) = call.strip_prefix("call void @")?.split_once('(')?;
            let is_known = self.text.contains(&format!("@{name}("));
            let kinds = arguments.trim_end_matches(')').split(", ");
            let kinds = kinds.map(|it| it.split(' ').next().unwrap_or("").to_owned());
            let kinds = kinds.collect::<Vec<String>>().join(", ");
            (!is_known).then(|| format!("declare void @{name}({kinds})\n"))
        };
        let mut all: Vec<String> = statements.split("; ").filter_map(declared).collect();
        all.sort_unstable();
        all.dedup();
        let define = match self.text.starts_with("define ") {
            true => 0,
            false => self.text.find("\ndefine ")? + 1,
        };
        (!all.is_empty()).then(|| fix::insert(fix::place(self.text, define), all.concat()))
    }
}

/// Whether the rest of a line has no further statement.
fn is_over(rest: &str) -> bool {
    let rest = rest.strip_prefix(';').unwrap_or(rest).trim_start();
    rest.is_empty() || rest.starts_with("//") || rest.starts_with('#')
}

/// A statement of a scenario in LLVM IR.
fn ir(part: &str) -> Option<String> {
    let words: Vec<&str> = part.split(' ').collect();
    Some(match *words {
        ["fence", order @ ("release" | "acquire" | "acq_rel"), scope] => {
            format!("fence syncscope(\"{scope}\") {order}")
        }
        ["arrive", "wg"] => "call void @llvm.amdgcn.s.barrier.signal(i32 -1)".to_owned(),
        ["wait", "wg"] => "call void @llvm.amdgcn.s.barrier.wait(i16 -1)".to_owned(),
        ["arrive", "cluster"] => "call void @llvm.amdgcn.s.barrier.signal(i32 -3)".to_owned(),
        ["wait", "cluster"] => "call void @llvm.amdgcn.s.barrier.wait(i16 -3)".to_owned(),
        ["asyncmark"] => "call void @llvm.amdgcn.asyncmark()".to_owned(),
        ["wait_asyncmark", most] => format!("call void @llvm.amdgcn.wait.asyncmark(i16 {most})"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const IR: &str = "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @f() {\n  ret void\n}\n";

    #[test]
    fn a_round_is_spelled_in_the_language_of_the_text() {
        let round = "fence release workgroup; arrive wg; wait wg; fence acquire workgroup";
        let new = Written::of(IR).spelled(round).expect("a spelling");
        let all: Vec<&str> = new.split("; ").collect();
        assert_eq!(
            all,
            [
                "fence syncscope(\"workgroup\") release",
                "call void @llvm.amdgcn.s.barrier()",
                "fence syncscope(\"workgroup\") acquire"
            ]
        );
        assert_eq!(Written::of("wave 0 { arrive wg }").spelled(round).as_deref(), Some(round));
        assert_eq!(Written::of(".version 8.0\n").spelled(round), None);
    }

    #[test]
    fn what_a_fix_adds_has_its_own_line_where_every_statement_has_one() {
        let laid = |text: &str, at: usize, length: u32, new: &str| {
            let place = Span { length, ..fix::place(text, at) };
            let edits = alloc::vec![fix::instead(place, new)];
            let mut fix = Fix { message: String::new(), edits };
            Written::of(text).lay_out(&mut fix);
            fix::apply(text, &fix)
        };
        let text = "wave 0 {\n  a;  // one\n  b\n}\n";
        assert_eq!(laid(text, 12, 0, "; x; y"), "wave 0 {\n  a;  // one\n  x\n  y\n  b\n}\n");
        assert_eq!(laid(text, 24, 0, "x; "), "wave 0 {\n  a;  // one\n  x\n  b\n}\n");
        assert_eq!(laid(text, 24, 1, ""), "wave 0 {\n  a;  // one\n}\n");
        assert_eq!(laid("wave 0 { a; b }", 10, 0, "; x"), "wave 0 { a; x; b }");
        let text = "wave 0 {\n  a;\n  b;\n}\n";
        assert_eq!(laid(text, 12, 0, "; x"), "wave 0 {\n  a;\n  x;\n  b;\n}\n");
    }

    #[test]
    fn a_call_of_an_intrinsic_without_a_declaration_gets_one() {
        let new = "call void @llvm.amdgcn.s.barrier.signal(i32 -1)";
        let edit = Written::of(IR).declarations(new).expect("a declaration");
        assert_eq!(edit.replacement, "declare void @llvm.amdgcn.s.barrier.signal(i32)\n");
        assert!(IR[edit.offset as usize..].starts_with("define "));
        assert_eq!(Written::of("wave 0 { arrive wg }").declarations(new), None);
    }

    #[test]
    fn no_line_of_compiled_text_is_lost() {
        let edits = [];
        let comment = IR.replace("  ret void", "  fence acq_rel; ret void");
        assert!(!Written::of(IR).keeps(&comment, &edits));
        assert!(
            Written::of(IR).keeps(&IR.replace("  ret void", "  fence acq_rel\n  ret void"), &edits)
        );
        assert!(
            !Written::of(IR).keeps(&IR.replace("  ret void", "  arrive wg\n  ret void"), &edits)
        );
    }
}
