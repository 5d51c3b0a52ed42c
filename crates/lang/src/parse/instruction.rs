//! Instructions of every vocabulary, parsed by the rows of their tables.

use super::cursor::{Failed, Parsed, Parser};
use crate::assist::{self, signature};
use crate::diagnostic::{Span, Suggestion};
use crate::expression::Expression;
use crate::lexer::{self, Kind};
use crate::suggest;
use crate::tree::{Instruction, Name, Operand, StatementKind};
use crate::vocabulary::{self, Effect, Place, Row, amdgpu, llvm, words};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Fence, Space, Spaces};
use tidegate_model::target::Family;

/// Words that start a statement in a block, for suggestions.
pub(crate) const KEYWORDS: [&str; 15] = [
    "let", "if", "else", "for", "repeat", "while", "do", "loop", "break", "continue", "choose",
    "or", "exit", "return", "call",
];

/// A variable that receives the outcome, and whether the statement declares it.
pub(super) type Target = Option<(Name, bool)>;

impl Parser<'_> {
    /// Whether an instruction is next, where an expression is possible.
    pub(super) fn begins_instruction(&self) -> bool {
        match self.word() {
            "arrive" => self.word_ahead(1) == ".",
            "call" | "tail" | "tlx" => true,
            _ => false,
        }
    }

    /// One instruction of any vocabulary. An error in its operands suggests its form.
    pub(super) fn instruction(&mut self, target: Target) -> Parsed<StatementKind> {
        let (start, before) = (self.here().start as usize, self.reported());
        let read = self.instruction_of(target);
        let head = &self.text[start..];
        let joined = |c: char| c.is_alphanumeric() || "_.:".contains(c);
        let head = &head[..head.find(|c| !joined(c)).unwrap_or(head.len())];
        if read.is_err()
            && let Some(found) = self.last_after(before)
            && found.suggestion.is_none()
            && found.code.starts_with("expected-")
        {
            let form = signature(head);
            let message = format!("write `{form}`");
            found.suggestion =
                (!form.is_empty()).then_some(Suggestion { message, replacement: None });
        }
        read
    }

    fn instruction_of(&mut self, target: Target) -> Parsed<StatementKind> {
        let start = target.as_ref().map_or(self.here(), |(name, _)| name.span);
        if matches!(self.word(), "call" | "tail") {
            return self.intrinsic(start, target);
        }
        if self.is("fence") && self.word_ahead(1) != "." && self.is_llvm_fence() {
            let head = self.advance();
            let operands = self.llvm_fence()?;
            return Ok(self.made(&llvm::FENCE, head, operands, start, target));
        }
        let head = self.head();
        if head.text.is_empty() {
            let found = self.described();
            return self.error(
                "expected-statement",
                head.span,
                format!("expected a statement, found {found}"),
            );
        }
        if let Some(read) = self.opencl(&head, start) {
            return read;
        }
        if let Some(read) = self.plain_call(&head) {
            return read;
        }
        if let Some((_, row)) = vocabulary::find(&head.text) {
            let operands = self.operands(row, head.span)?;
            if head.text == "s_barrier_init" && self.is(",") {
                return self.init_with_count(&head);
            }
            return Ok(self.made(row, head.span, operands, start, target));
        }
        if let Some(read) = self.nvidia(&head, start, &target) {
            return read;
        }
        if let Some(vocabulary) = vocabulary::not_yet(&head.text) {
            self.skip_operands();
            return Ok(StatementKind::NotYet(vocabulary, target.map(|(name, _)| name)));
        }
        self.unknown(&head)
    }

    /// An `init` instruction with one operand; the model's word has two.
    fn init_with_count(&mut self, head: &Name) -> Parsed<StatementKind> {
        let following = self.here();
        self.skip_operands();
        let span = self.since(head.span);
        let object =
            self.text.get((head.span.start + head.span.length) as usize..following.start as usize);
        let count = lexer::slice(self.text, self.since(following));
        let init = ["init", object.unwrap_or_default(), count].concat();
        let message =
            "`s_barrier_init` takes its count from m0: use the model's `init` for a count operand";
        self.suggest("expected-end", span, message, Some(suggest::replace(&init)))
    }

    fn made(
        &self,
        row: &'static Row,
        head: Span,
        operands: Vec<Operand>,
        start: Span,
        target: Target,
    ) -> StatementKind {
        let text = folded(lexer::slice(self.text, self.since(start)));
        let (result, declares) =
            target.map_or((None, false), |(name, declares)| (Some(name), declares));
        StatementKind::Instruction(Instruction {
            row,
            head,
            operands,
            result,
            declares,
            text,
            nvidia: None,
        })
    }

    fn unknown(&mut self, head: &Name) -> Parsed<StatementKind> {
        if self.is_full() {
            return Err(Failed);
        }
        if let Some((name, nvidia, amdgpu)) = vocabulary::foreign::barrier(&head.text) {
            return self.of_cuda(head, name, [nvidia, amdgpu]);
        }
        let name: String = head.text.chars().take(60).collect();
        let message = match vocabulary::foreign::outside(&head.text) {
            Some(true) => Some(format!(
                "write `{name}` as the bytes that it accesses, `load NAME[a..b]` or `store NAME[a..b]`, or remove the line"
            )),
            Some(false) => Some(format!("`{name}` does not affect barriers: remove the line")),
            None if self.is("(") => self.of_library(&name),
            None => None,
        };
        if let Some(message) = message {
            return self.error("unknown-operation", head.span, message);
        }
        let names = vocabulary::names().chain(KEYWORDS);
        let suggestion = suggest::instead(&head.text, names);
        self.suggest(
            "unknown-operation",
            head.span,
            format!("unknown operation `{name}`"),
            suggestion,
        )
    }

    /// The message for a call of a function that is not in the text; `None` if the name may be misspelled.
    fn of_library(&self, name: &str) -> Option<String> {
        let has = |part: &str| name.to_ascii_lowercase().contains(part);
        Some(match name {
            "printf" => {
                "`printf` does not affect barriers: remove the line".into()
            }
            "wait_group_events" => {
                "`wait_group_events` is not supported: write a work-group barrier instead to model its synchronisation".into()
            }
            _ if name.starts_with("vstore") => {
                format!("the stores of `{name}` are not modelled: assign to elements, such as `a[i] = x`")
            }
            _ if has("barrier") && (has("wait") || has("arrive") || has("::")) => format!(
                "`{name}` calls a function that the scenario does not define: write its instructions, such as `mbarrier.arrive`, or model words, such as `arrive NAME`"
            ),
            _ => return None,
        })
    }

    /// A barrier with its CUDA or HIP name: its equivalent instructions on NVIDIA and on AMDGPU.
    fn of_cuda(&mut self, head: &Name, name: &str, meant: [&str; 2]) -> Parsed<StatementKind> {
        if self.is("(") && self.word_ahead(1) == ")" {
            self.advance_by(2);
        }
        let target = assist::target(self.text);
        let amdgpu = match (meant[1], target) {
            ("s_barrier", Some(target)) if target.split_barriers => {
                "s_barrier_signal -1; s_barrier_wait -1"
            }
            (amdgpu, _) => amdgpu,
        };
        // Without a target, those of both vendors.
        let meant = match target.map(|target| target.family) {
            Some(Family::Nvidia) if !meant[0].is_empty() => [meant[0], ""],
            Some(Family::Amdgpu { .. }) if !amdgpu.is_empty() => ["", amdgpu],
            _ => [meant[0], amdgpu],
        };
        let barriers = match meant {
            [nvidia, ""] => format!("`{nvidia}` on NVIDIA"),
            ["", amdgpu] => format!("`{amdgpu}` on AMDGPU"),
            [nvidia, amdgpu] => format!("`{nvidia}` on NVIDIA, `{amdgpu}` on AMDGPU"),
        };
        let replacement = meant.into_iter().find(|meant| !meant.is_empty());
        self.suggest(
            "unknown-operation",
            self.since(head.span),
            format!("`{name}` is a function call, not an instruction: write {barriers}"),
            replacement.map(suggest::replace),
        )
    }

    /// A name with dots and double colons: `arrive.isfirst`, `mbarrier.init.shared::cta.b64`.
    fn head(&mut self) -> Name {
        self.run(|joiner| matches!(joiner, "." | "::"))
    }

    /// Skips the rest of a statement: to its end, including nested braces.
    pub(super) fn skip_operands(&mut self) {
        let (mut open, mut start) = (0_u32, self.here());
        while self.peek(0).is_some() {
            if self.is("{") {
                start = if open == 0 { self.here() } else { start };
                open += 1;
            } else if self.is("}") && open > 0 {
                open -= 1;
            } else if self.kind() == Some(Kind::Newline) || open == 0 && self.at_end() {
                break;
            }
            self.advance();
        }
        self.left_open(open, start);
    }

    /// Reports a list that is still open at the end of its line.
    pub(super) fn left_open(&mut self, open: u32, start: Span) {
        if open > 0 {
            let message = "missing closing bracket of this list on its line";
            let _ = self.error::<()>("expected-token", start, message);
        }
    }

    /// The operands of a row, separated by commas.
    fn operands(&mut self, row: &Row, head: Span) -> Parsed<Vec<Operand>> {
        let mut operands = Vec::new();
        for (index, &place) in row.operands.iter().enumerate() {
            if place == Place::ImplicitM0 {
                operands.push(Operand::M0(head));
                continue;
            }
            if index > 0 {
                if place == Place::Expected && !self.is(",") {
                    continue;
                }
                self.expect(",")?;
            }
            self.operand(place, &mut operands)?;
        }
        Ok(operands)
    }

    fn operand(&mut self, place: Place, operands: &mut Vec<Operand>) -> Parsed<()> {
        match place {
            Place::IdOrM0 | Place::M0 if self.is("m0") => {
                operands.push(Operand::M0(self.advance()))
            }
            Place::M0 => {
                self.expect("m0")?;
            }
            Place::Expected => {
                self.expect("expected")?;
                self.expect("=")?;
                operands.push(Operand::Value(self.expression()?));
            }
            Place::Register | Place::Compared if self.is_word() => {
                self.name("a register")?;
            }
            Place::Label => {
                // As LLVM prints a label: `.LBB0_2`.
                self.eat(".");
                operands.push(Operand::Label(self.name("a label")?));
            }
            Place::Counters => self.counters(operands)?,
            Place::Fence => operands.push(self.fence()?),
            Place::Bytes => self.bytes(operands)?,
            Place::Copy => {
                self.bytes(operands)?;
                self.expect("<")?;
                self.expect("-")?;
                self.bytes(operands)?;
            }
            Place::Policy => self.policy()?,
            Place::Copies => self.copies(operands)?,
            Place::Nothing => self.nothing()?,
            Place::Id16 if self.is("m0") => {
                return self.error(
                    "immediate-only",
                    self.here(),
                    "expected an immediate, found m0: a named wait acts on the barrier joined last, whatever the number",
                );
            }
            Place::Register => {
                self.name("a register")?;
            }
            Place::Object
            | Place::Compared
            | Place::Id
            | Place::IdOrM0
            | Place::Id16
            | Place::Number
            | Place::Marks
            | Place::Any
            | Place::Coordinate
            | Place::ImplicitM0 => {
                operands.push(Operand::Value(self.expression()?));
            }
        }
        Ok(())
    }

    fn counters(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        if !self.is_word() || self.word_ahead(1) != "(" {
            operands.push(Operand::Value(self.expression()?));
            return Ok(());
        }
        while !self.at_end() {
            let name = self.name("a counter")?;
            let known = amdgpu::COUNTERS.iter().find(|(known, _)| *known == name.text);
            let Some(&(_, counter)) = known else {
                let names = amdgpu::COUNTERS.map(|(known, _)| known);
                let suggestion = suggest::instead(&name.text, names);
                let message = format!("`s_waitcnt` has no counter `{}`", name.text);
                return self.suggest("unknown-counter", name.span, message, suggestion);
            };
            self.expect("(")?;
            operands.push(Operand::Counter(counter, self.expression()?));
            self.expect(")")?;
            let _ = self.eat("&") || self.eat(",");
        }
        Ok(())
    }

    /// `release|acquire|acq_rel SCOPE [one-as] [local] [global]`.
    fn fence(&mut self) -> Parsed<Operand> {
        let order = self.choice(&words::ORDERS, "an order")?;
        let scope = words::SCOPE[self.choice(&words::SCOPES, "a scope")?];
        let (mut one_as, mut spaces) = (false, Spaces::default());
        while !self.at_end() {
            match self.choice(&words::QUALIFIERS, "the end of the fence")? {
                0 => one_as = true,
                1 => spaces = spaces.with(Space::Local),
                _ => spaces = spaces.with(Space::Global),
            }
        }
        let spaces = if spaces.is_empty() { Spaces::ALL } else { spaces };
        let (release, acquire) = (order != 1, order != 0);
        Ok(Operand::Fence(Fence { release, acquire, scope, one_as, spaces }))
    }

    /// The index of the choice that is next.
    pub(super) fn choice(&mut self, choices: &[&'static str], what: &str) -> Parsed<usize> {
        let word = self.run(|joiner| joiner == "-");
        if let Some(index) = choices.iter().position(|choice| *choice == word.text) {
            return Ok(index);
        }
        let suggestion = suggest::instead(&word.text, choices.iter().copied());
        let message = format!("expected {what}: {}", choices.join(", "));
        self.suggest("expected-token", word.span, message, suggestion)
    }

    /// `NAME` or `NAME[A..B]`.
    pub(super) fn bytes(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        let name = self.name("the name of a memory")?;
        let range = if self.eat("[") {
            let start = self.expression()?;
            if self.eat("]") {
                operands.push(Operand::Stage(name, start));
                return Ok(());
            }
            self.expect("..")?;
            let end = self.expression()?;
            self.expect("]")?;
            Some((start, end))
        } else if self.eat("+") {
            // Up to the end of the memory.
            Some((self.expression()?, Expression::default()))
        } else {
            None
        };
        operands.push(Operand::Bytes(name, range));
        Ok(())
    }

    fn policy(&mut self) -> Parsed<()> {
        while !self.at_end() {
            if self.eat("scope") {
                self.expect(":")?;
            }
            self.choice(&amdgpu::POLICIES, "the scope")?;
        }
        Ok(())
    }

    /// `(DST, SRC)`.
    fn copies(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        self.expect("(")?;
        self.bytes(operands)?;
        self.expect(",")?;
        self.bytes(operands)?;
        self.expect(")")?;
        Ok(())
    }

    /// Nothing, or empty parentheses.
    fn nothing(&mut self) -> Parsed<()> {
        if self.eat("(") {
            self.expect(")")?;
        }
        Ok(())
    }

    /// `[tail] call TYPE @llvm.amdgcn.NAME(TYPE VALUE, …)`.
    fn intrinsic(&mut self, start: Span, target: Target) -> Parsed<StatementKind> {
        self.eat("tail");
        self.expect("call")?;
        self.types()?;
        self.eat("void");
        self.types()?;
        self.expect("@")?;
        let head = self.head();
        let name = head.text.strip_prefix(llvm::PREFIX).unwrap_or("");
        let Some(row) = llvm::find(name) else {
            let short = llvm::ROWS.iter().map(|row| row.name);
            let suggestion = suggest::nearest(name, short)
                .map(|near| suggest::replace(&format!("{}{near}", llvm::PREFIX)));
            let message = format!("unknown intrinsic `@{}`", head.text);
            return self.suggest("unknown-operation", head.span, message, suggestion);
        };
        self.expect("(")?;
        let mut operands = Vec::new();
        for (index, &place) in row.operands.iter().enumerate() {
            if index > 0 {
                self.expect(",")?;
            }
            self.types()?;
            if place == Place::Bytes {
                let _ = self.eat("@") || self.eat("%");
            }
            self.operand(place, &mut operands)?;
        }
        if row.effect == Effect::CopyFrom {
            self.sizes(&mut operands)?;
        }
        self.expect(")")?;
        Ok(self.made(row, head.span, operands, start, target))
    }

    /// The operands after source and destination of a copy: its size in bytes, then offsets and flags.
    fn sizes(&mut self, operands: &mut Vec<Operand>) -> Parsed<()> {
        while self.eat(",") {
            self.types()?;
            operands.push(Operand::Value(self.expression()?));
        }
        Ok(())
    }

    /// Skips types and attributes.
    fn types(&mut self) -> Parsed<()> {
        loop {
            if llvm::TYPES.contains(&self.word()) {
                self.advance();
            } else if self.is("addrspace") {
                self.advance();
                self.expect("(")?;
                self.expression()?;
                self.expect(")")?;
            } else if self.is("<") && self.word_ahead(2) == "x" {
                // A vector: `<4 x i32>`.
                for _ in 0..4 {
                    self.advance();
                }
                self.expect(">")?;
            } else {
                return Ok(());
            }
        }
    }
}

/// White space folded to single spaces.
pub(super) fn folded(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut folded = String::from(words.next().unwrap_or(""));
    for word in words {
        folded.push(' ');
        folded.push_str(word);
    }
    folded
}
