//! `fence` as LLVM writes it, with its metadata.

use super::cursor::{Parsed, Parser};
use super::instruction::folded;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::lexer::{self, Kind};
use crate::suggest;
use crate::tree::{Instruction, Name, Operand, StatementKind};
use crate::vocabulary::opencl::CALLS;
use crate::vocabulary::{llvm, words};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Fence, Scope, Space, Spaces};

/// Largest number of entries of one metadata node.
const MOST_ENTRIES: usize = 64;

/// Keys by which a tag names an address space; the older one is last.
const KEYS: [&str; 2] = ["amdgpu-synchronize-as", "amdgpu-as"];

/// The content of a metadata node.
enum Entry {
    Text(String),
    Tag(Vec<Self>),
}

impl Parser<'_> {
    /// Whether a call that synchronises is next, after a comma.
    pub(super) fn synchronises_ahead(&self) -> bool {
        let word = self.word_ahead(1);
        self.word_ahead(2) == "("
            && (super::c::FENCES.contains(&word) || CALLS.iter().any(|row| row.name == word))
    }

    /// `mem_fence(FLAGS)` and `atomic_work_item_fence(FLAGS, ORDER, SCOPE)`, starting at the parenthesis.
    pub(super) fn fence_of_c(&mut self, name: &str, head: &Name) -> Parsed<StatementKind> {
        let has_scope = !name.ends_with("mem_fence");
        self.expect("(")?;
        let (mut words, mut open) = (Vec::new(), 1_u32);
        while open > 0 {
            if self.at_end() {
                return self.expect(")").map(|_| StatementKind::Several(Vec::new()));
            }
            open += u32::from(self.is("("));
            open -= u32::from(self.is(")"));
            words.push(self.word());
            self.advance();
        }
        let any = |of: &[&str]| words.iter().any(|word| of.contains(word));
        let mut spaces = Spaces::default();
        if any(&["local", "CLK_LOCAL_MEM_FENCE", "1", "3"]) {
            spaces = spaces.with(Space::Local);
        }
        if any(&["global", "CLK_GLOBAL_MEM_FENCE", "2", "3"]) {
            spaces = spaces.with(Space::Global);
        }
        if spaces.is_empty() && !any(&["image", "CLK_IMAGE_MEM_FENCE", "0"]) {
            self.not_followed(head.span, "a fence whose address spaces the text does not give");
        }
        let both = !any(&["memory_order_acquire", "memory_order_release"]);
        let acquire = both && name != "write_mem_fence" || any(&["memory_order_acquire"]);
        let release = both && name != "read_mem_fence" || any(&["memory_order_release"]);
        let none = any(&["memory_order_relaxed", "memory_scope_work_item"]) && has_scope;
        let scope = match any(&["memory_scope_sub_group"]) {
            true => Scope::Wavefront,
            false => Scope::Workgroup,
        };
        if none || spaces.is_empty() {
            return Ok(StatementKind::Several(Vec::new()));
        }
        let fence = Fence { release, acquire, scope, one_as: false, spaces };
        Ok(StatementKind::Instruction(Instruction {
            row: &words::FENCE,
            head: head.span,
            operands: alloc::vec![Operand::Fence(fence)],
            result: None,
            declares: false,
            text: folded(lexer::slice(self.text, self.since(head.span))),
            nvidia: None,
        }))
    }

    /// Whether the next fence is LLVM's, not one in the words of the model.
    pub(super) fn is_llvm_fence(&self) -> bool {
        let next = self.word_ahead(1);
        next == "syncscope"
            || (llvm::ORDERS.contains(&next) && matches!(self.word_ahead(2), "" | ";" | "}" | ","))
    }

    /// `[syncscope("SCOPE")] ORDER {, !NAME METADATA}`.
    pub(super) fn llvm_fence(&mut self) -> Parsed<Vec<Operand>> {
        let (scope, one_as) = if self.eat("syncscope") {
            self.synchronization_scope()?
        } else {
            (Scope::System, false)
        };
        let order = self.choice(&llvm::ORDERS, "an ordering")?;
        let mut spaces = Spaces::default();
        while self.eat(",") {
            self.expect("!")?;
            let name = self.name("the name of metadata")?;
            if name.text == "mmra" {
                let entry = self.metadata(0)?;
                self.named_spaces(&entry, &mut spaces);
            } else {
                // Other metadata does not affect memory: `!dbg !12`.
                self.expect("!")?;
                self.advance();
            }
        }
        let spaces = if spaces.is_empty() { Spaces::ALL } else { spaces };
        let (release, acquire) = (order != 0, order != 1);
        Ok(alloc::vec![Operand::Fence(Fence { release, acquire, scope, one_as, spaces })])
    }

    fn synchronization_scope(&mut self) -> Parsed<(Scope, bool)> {
        self.expect("(")?;
        let (word, here) = (self.word(), self.here());
        let name = lexer::unquote(word);
        let Some(found) = llvm::scope(&name).filter(|_| self.kind() == Some(Kind::Text)) else {
            let suggestion = suggest::nearest(&name, llvm::SCOPES.map(|(name, _)| name))
                .map(|near| suggest::replace(&format!("\"{near}\"")));
            let message = "expected a synchronization scope, such as \"workgroup\"";
            return self.suggest("unknown-scope", here, message, suggestion);
        };
        self.advance();
        self.expect(")")?;
        Ok(found)
    }

    /// `!{…}`, `!"text"`, or the number of a definition `!N = !{…}` at the top level of the text.
    fn metadata(&mut self, depth: u32) -> Parsed<Entry> {
        self.expect("!")?;
        if self.kind() == Some(Kind::Text) {
            let text = lexer::unquote(self.word());
            self.advance();
            return Ok(Entry::Text(text));
        }
        if self.kind() == Some(Kind::Number) {
            return self.defined(depth);
        }
        let open = self.expect("{")?;
        let entries = self.entries(open, depth);
        if entries.is_err() {
            self.skip_to_brace();
        }
        self.expect("}")?;
        entries.map(Entry::Tag)
    }

    fn entries(&mut self, open: Span, depth: u32) -> Parsed<Vec<Entry>> {
        let mut entries = Vec::new();
        while !self.is("}") {
            if entries.len() == MOST_ENTRIES || depth == 2 {
                let message =
                    format!("metadata must have at most {MOST_ENTRIES} entries and two levels");
                return self.error("bound-metadata", open, message);
            }
            entries.push(self.metadata(depth + 1)?);
            if !self.eat(",") {
                break;
            }
        }
        Ok(entries)
    }

    /// Skips to the matching closing brace on this line.
    fn skip_to_brace(&mut self) {
        let mut open = 0_u32;
        while !matches!(self.kind(), None | Some(Kind::Newline)) && (open > 0 || !self.is("}")) {
            open = if self.is("{") { open + 1 } else { open - u32::from(self.is("}")) };
            self.advance();
        }
    }

    /// Metadata by its number.
    fn defined(&mut self, depth: u32) -> Parsed<Entry> {
        let (number, here) = (self.word(), self.here());
        let Some(at) = self.definition(number) else {
            return self.error(
                "unknown-metadata",
                here,
                format!("metadata `!{number}` is not defined"),
            );
        };
        self.advance();
        let back = self.jump(at);
        let entry = if depth > 1 {
            self.error("bound-metadata", here, "metadata must have at most two levels")
        } else {
            self.metadata(depth)
        };
        self.jump(back);
        entry
    }

    /// A line `!N = …` at the top level. It is parsed when a fence names it.
    pub(super) fn metadata_line(&mut self) -> Parsed<()> {
        self.expect("!")?;
        if !self.peek(0).is_some_and(|token| matches!(token.kind, Kind::Word | Kind::Number)) {
            return self.error(
                "expected-token",
                self.here(),
                "expected a metadata name, such as `!0 = …`",
            );
        }
        self.advance();
        self.expect("=")?;
        self.skip_operands();
        self.end_of_statement();
        Ok(())
    }

    /// Adds the address spaces that a tag, or each tag of a list, names.
    fn named_spaces(&mut self, entry: &Entry, spaces: &mut Spaces) {
        let Entry::Tag(entries) = entry else { return };
        let [Entry::Text(key), Entry::Text(value)] = &entries[..] else {
            return entries.iter().for_each(|entry| self.named_spaces(entry, spaces));
        };
        if !KEYS.contains(&key.as_str()) {
            return;
        }
        match value.as_str() {
            "local" => *spaces = spaces.with(Space::Local),
            "global" => *spaces = spaces.with(Space::Global),
            _ => {
                let message =
                    format!("unknown address space `{value}`; expected `local` or `global`");
                let span = self.here();
                self.push(Diagnostic {
                    severity: Severity::Warning,
                    ..Diagnostic::error("unknown-address-space", span, message)
                });
            }
        }
    }
}
