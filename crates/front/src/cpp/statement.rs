//! Statements.

use super::lexer::Kind;
use super::symbol::{Is, Symbol};
use super::types::Type;
use super::unit::{Line, Unit};
use super::{Parsed, Problem};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

impl Unit {
    pub(super) fn statement(&mut self) -> Parsed<()> {
        self.nested(Self::statement_inside)
    }

    fn statement_inside(&mut self) -> Parsed<()> {
        self.mark = self.peek().at;
        let word = self.peek().clone();
        match &*word.text {
            "{" => return self.block(),
            ";" => self.at += 1,
            "if" => return self.scoped(Self::choice),
            "for" => return self.scoped(Self::for_loop),
            "while" => return self.while_loop(),
            "do" => return self.do_loop(),
            "switch" => return self.scoped(Self::switch),
            "case" | "default" if self.case()? => {
                return if self.is("}") { Ok(()) } else { self.statement() };
            }
            "break" | "continue" => {
                self.at += 1;
                let to = match &*word.text {
                    "break" => self.body.breaks.last(),
                    _ => self.body.continues.last(),
                };
                let Some(to) = to.cloned() else {
                    return Err(Problem::at(&word, "this statement is outside a loop"));
                };
                self.jump(&to);
                self.expect(";")?;
            }
            "return" => return self.return_statement(),
            "goto" => {
                self.at += 1;
                let name = self.name()?;
                self.jump(&format!("G.{name}"));
                self.expect(";")?;
            }
            "asm" | "__asm__" | "__asm" => return self.assembly(),
            "static_assert" | "using" | "namespace" => return self.passed_over(),
            "try" | "throw" => return Err(self.unsupported(&format!("`{}`", word.text))),
            _ if word.kind == Kind::Word && self.ahead(1).is(":") && !self.ahead(2).is(":") => {
                self.at += 2;
                self.place(&format!("G.{}", word.text));
                return self.statement();
            }
            _ if self.begins_declaration() => return self.declaration(false),
            _ => {
                self.expression()?;
                self.expect(";")?;
            }
        }
        Ok(())
    }

    /// `static_assert(…);`, `using namespace …;`, `using a::b;`, `namespace a = b;`
    pub(super) fn passed_over(&mut self) -> Parsed<()> {
        if self.is("using") && self.ahead(2).is("=") {
            self.at += 1;
            let name = self.name()?;
            self.at += 1;
            let of = self.type_name()?;
            self.declare(name, Symbol::Type(of));
            return self.expect(";");
        }
        while !self.is(";") {
            if self.peek().kind == Kind::End {
                return Err(self.unexpected("`;`"));
            }
            match self.is("(") {
                true => self.skip_group(),
                false => self.at += 1,
            }
        }
        self.expect(";")
    }

    pub(super) fn block(&mut self) -> Parsed<()> {
        let end = self.partner(self.at);
        self.at += 1;
        self.scoped(|unit| {
            while unit.at < end {
                unit.statement()?;
            }
            Ok(())
        })?;
        self.at = end + 1;
        Ok(())
    }

    /// Skips a statement that is never executed.
    fn skip_statement(&mut self) -> Parsed<()> {
        loop {
            let word = self.peek().clone();
            match &*word.text {
                "if" | "for" | "while" | "switch" => {
                    self.at += 1;
                    self.eat("constexpr");
                    self.skip_group();
                    self.nested(Self::skip_statement)?;
                    if !(word.is("if") && self.eat("else")) {
                        return Ok(());
                    }
                }
                "do" => {
                    self.at += 1;
                    self.nested(Self::skip_statement)?;
                    self.at += 1;
                    self.skip_group();
                    return self.expect(";");
                }
                "{" => {
                    self.skip_group();
                    return Ok(());
                }
                _ => {
                    while !self.is(";") && self.peek().kind != Kind::End {
                        match self.is("(") || self.is("{") {
                            true => self.skip_group(),
                            false => self.at += 1,
                        }
                    }
                    return self.expect(";");
                }
            }
        }
    }

    /// `if`, with all its `else if` branches.
    fn choice(&mut self) -> Parsed<()> {
        let done = self.label();
        loop {
            self.at += 1;
            self.eat("constexpr");
            let end = self.partner(self.at);
            self.expect("(")?;
            let (yes, no) = (self.label(), self.label());
            let known = self.head(end, &yes, &no)?;
            self.at = end + 1;
            if known == Some(false) {
                self.skip_statement()?;
            } else {
                self.statement()?;
                self.jump(&done);
            }
            if known != Some(true) {
                self.place(&no);
            }
            if !self.eat("else") {
                break;
            }
            if known == Some(true) {
                self.skip_statement()?;
                break;
            }
            if !self.is("if") {
                self.statement()?;
                break;
            }
        }
        self.place(&done);
        Ok(())
    }

    /// Reads the head of `if`: an optional declaration and the condition. Returns the value of a constant condition.
    fn head(&mut self, end: usize, yes: &str, no: &str) -> Parsed<Option<bool>> {
        if self.begins_declaration() {
            let specifiers = self.specifiers()?;
            let base = specifiers.of.clone().unwrap_or(Type::Auto);
            let name = self.declared(&specifiers, base, false)?;
            if !self.eat(";") {
                let Some(Symbol::Value(value)) = self.lookup(&name).cloned() else {
                    return Err(self.unexpected("`;`"));
                };
                let on = self.truth(value)?;
                self.branch(&on, yes, no);
                self.place(yes);
                return Ok(None);
            }
        }
        self.decide(end, yes, no)
    }

    /// Reads a condition up to a position, and branches. The code of `yes` begins after it. A constant condition does not
    /// branch; its value is returned.
    fn decide(&mut self, end: usize, yes: &str, no: &str) -> Parsed<Option<bool>> {
        if self.decides_in_parts(end) {
            self.alternatives(end, yes, no)?;
        } else {
            let value = self.expression()?;
            let on = self.truth(value)?;
            if let Is::Int(value) = on.is {
                return Ok(Some(value != 0));
            }
            self.branch(&on, yes, no);
        }
        if self.at != end {
            return Err(self.unexpected("an operator"));
        }
        self.place(yes);
        Ok(None)
    }

    /// Whether a condition consists of parts that `&&` and `||` join.
    fn decides_in_parts(&self, end: usize) -> bool {
        let (mut at, mut joined) = (self.at, false);
        while at < end {
            let token = &self.tokens[at];
            joined |= token.is("&&") || token.is("||");
            if ["?", ",", "=", "<<=", "{"].iter().any(|mark| token.is(mark))
                || token.kind == Kind::Mark
                    && token.text.len() == 2
                    && token.text.ends_with('=')
                    && !["==", "!=", "<=", ">="].iter().any(|mark| token.is(mark))
            {
                return false;
            }
            at = if token.is("(") || token.is("[") { self.partner(at) + 1 } else { at + 1 };
        }
        joined
    }

    /// `a && b || c`, with a separate branch for each part.
    fn alternatives(&mut self, end: usize, yes: &str, no: &str) -> Parsed<()> {
        loop {
            let next = self.label();
            loop {
                let value = self.nested(|unit| unit.binary(3))?;
                let on = self.truth(value)?;
                let more = self.label();
                let all = !self.is("&&");
                self.branch(&on, if all { yes } else { &more }, &next);
                if all {
                    break;
                }
                self.at += 1;
                self.place(&more);
            }
            self.place(&next);
            if !self.eat("||") || self.at >= end {
                self.jump(no);
                return Ok(());
            }
        }
    }

    fn for_loop(&mut self) -> Parsed<()> {
        self.at += 1;
        let end = self.partner(self.at);
        self.expect("(")?;
        if self.begins_declaration() {
            self.declaration(true)?;
            if self.is(":") {
                return Err(self.unsupported("a loop over a range"));
            }
        } else {
            if !self.is(";") {
                self.expression()?;
            }
            self.expect(";")?;
        }
        let condition = self.at;
        let mut step = self.at;
        while step < end && !self.tokens[step].is(";") {
            step = if self.partners[step] > step { self.partners[step] + 1 } else { step + 1 };
        }
        let [head, body, next, done] = [(); 4].map(|()| self.label());
        self.place(&head);
        self.at = condition;
        let known = match condition == step {
            true => Some(true),
            false => self.decide(step, &body, &done)?,
        };
        self.at = end + 1;
        if known == Some(false) {
            self.skip_statement()?;
        } else {
            self.around(&done, &next, Self::statement)?;
            self.place(&next);
            self.elsewhere(step + 1, |unit| {
                if unit.at < end {
                    unit.mark = unit.peek().at;
                    unit.expression()?;
                }
                if unit.at == end { Ok(()) } else { Err(unit.unexpected("`)`")) }
            })?;
            self.jump(&head);
        }
        self.place(&done);
        Ok(())
    }

    /// Reads the body of a loop.
    fn around(
        &mut self,
        done: &Rc<str>,
        next: &Rc<str>,
        read: impl FnOnce(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        self.body.breaks.push(done.clone());
        self.body.continues.push(next.clone());
        let read = read(self);
        self.body.breaks.pop();
        self.body.continues.pop();
        read
    }

    fn while_loop(&mut self) -> Parsed<()> {
        self.at += 1;
        let end = self.partner(self.at);
        self.expect("(")?;
        let [head, body, done] = [(); 3].map(|()| self.label());
        self.place(&head);
        let known = self.scoped(|unit| unit.head(end, &body, &done))?;
        self.at = end + 1;
        if known == Some(false) {
            self.skip_statement()?;
        } else {
            self.around(&done, &head, Self::statement)?;
            self.jump(&head);
        }
        self.place(&done);
        Ok(())
    }

    fn do_loop(&mut self) -> Parsed<()> {
        self.at += 1;
        let [head, next, done] = [(); 3].map(|()| self.label());
        self.place(&head);
        self.around(&done, &next, Self::statement)?;
        self.place(&next);
        self.expect("while")?;
        let end = self.partner(self.at);
        self.expect("(")?;
        self.mark = self.peek().at;
        let again = self.label();
        match self.decide(end, &again, &done)? {
            Some(false) => {}
            _ => self.jump(&head),
        }
        self.at = end + 1;
        self.place(&done);
        self.expect(";")
    }

    fn switch(&mut self) -> Parsed<()> {
        self.at += 1;
        let end = self.partner(self.at);
        self.expect("(")?;
        let value = self.expression()?;
        let value = self.rvalue(value);
        let of = super::convert::promoted(&value.of);
        let value = self.convert(value, &of)?;
        if self.at != end {
            return Err(self.unexpected("`)`"));
        }
        self.at = end + 1;
        let typed = self.typed(&value);
        let done = self.label();
        // The cases are known after the body.
        let line = self.body.lines.len();
        let writes = self.writes();
        self.effect(String::new());
        self.close();
        self.body.switches.push(Vec::new());
        let next = self.body.continues.last().cloned().unwrap_or_else(|| done.clone());
        let read = self.around(&done, &next, Self::statement);
        let cases = self.body.switches.pop().unwrap_or_default();
        read?;
        self.place(&done);
        if !writes {
            return Ok(());
        }
        // Writes comparisons, because the evaluation of a kernel proves more about them than about a `switch` of LLVM.
        let (mut default, mut chain) = (done, Vec::new());
        let at = self.body.lines.get(line).map_or(self.mark, |line| line.at);
        for (case, label) in cases {
            let Some(case) = case else {
                default = label;
                continue;
            };
            let (equal, next) = (self.fresh(), self.label());
            chain.push(format!("{equal} = icmp eq {typed}, {case}"));
            chain.push(format!("br i1 {equal}, label %{label}, label %{next}"));
            chain.push(format!("{next}:"));
        }
        chain.push(format!("br label %{default}"));
        self.written += chain.len();
        let chain = chain.into_iter().map(|text| Line { text, at });
        self.body.lines.splice(line..=line, chain);
        Ok(())
    }

    /// Reads `case 1:` or `default:`. Always returns `true`.
    fn case(&mut self) -> Parsed<bool> {
        let case = self.take();
        let value = match case.is("case") {
            true => Some(self.constant()?),
            false => None,
        };
        self.expect(":")?;
        let label = self.label();
        self.place(&label);
        match self.body.switches.last_mut() {
            Some(cases) => cases.push((value, label)),
            None => return Err(Problem::at(&case, "this label is outside a `switch`")),
        }
        Ok(true)
    }

    fn return_statement(&mut self) -> Parsed<()> {
        self.at += 1;
        let value = match self.is(";") {
            true => None,
            false if self.is("{") => {
                let of = self.body.returns.clone().unwrap_or(Type::Void);
                Some(self.braced(&of)?)
            }
            false => Some(self.expression()?),
        };
        self.expect(";")?;
        if let Some((exit, result)) = self.body.exits.last().cloned() {
            if let Some(value) = value.filter(|value| value.of != Type::Void) {
                let value = self.rvalue(value);
                let to = match result {
                    Some(to) => to,
                    None => {
                        let of = self.decayed(&value);
                        self.variable("result", &of)
                    }
                };
                self.assign(&to, value)?;
                if let Some((_, result)) = self.body.exits.last_mut() {
                    *result = Some(to);
                }
            }
            self.jump(&exit);
            return Ok(());
        }
        let of = self.body.returns.clone().unwrap_or(Type::Void);
        match (value, of) {
            (Some(value), Type::Reference(..)) => {
                let address = self.address(value)?;
                let generic = self.convert(address, &Type::Void.pointer(0))?;
                let typed = self.typed(&generic);
                self.effect(format!("ret {typed}"));
            }
            (Some(value), of) if self.types_in_memory(&of) => {
                if let Some(to) = self.body.result.clone() {
                    self.assign(&to, value)?;
                }
                self.effect("ret void".into());
            }
            (Some(value), of) if of != Type::Void => {
                let value = self.convert(value, &of)?;
                let typed = self.typed(&value);
                self.effect(format!("ret {typed}"));
            }
            _ => self.effect("ret void".into()),
        }
        self.close();
        Ok(())
    }
}
