//! Statements in the language of a text. Compiled text is edited only in its own language.

use super::fix;
use crate::report::Edit;
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
