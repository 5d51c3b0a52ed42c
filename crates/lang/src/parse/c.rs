//! C syntax in OpenCL C++ statements: typed variables, `for (…; …; …)`, `do … while`, increments, bodies without
//! braces, `return`, and calls without a keyword.

use super::ctypes::{Alias, is_number_type, is_returned};
use super::cursor::{Parsed, Parser};
use super::expression::assignment;
use crate::diagnostic::Span;
use crate::expression::types;
use crate::expression::{Atom, Binary, Expression};
use crate::lexer::{self, Kind};
use crate::tree::{Block, Count, Name, Statement, StatementKind, Tree};
use crate::vocabulary::opencl::TYPE;
use alloc::format;
use alloc::vec::Vec;

/// Qualifiers before the type of a variable.
const QUALIFIERS: [&str; 5] = ["const", "static", "constexpr", "volatile", "private"];

/// Fences of OpenCL C and OpenCL C++.
pub(super) const FENCES: [&str; 5] =
    ["mem_fence", "read_mem_fence", "write_mem_fence", "atomic_work_item_fence", "atomic_fence"];

impl Parser<'_> {
    /// Number of tokens of a numeric type here, if a variable name follows.
    pub(super) fn number_type(&self) -> Option<usize> {
        let mut ahead = (0..).find(|&ahead| !QUALIFIERS.contains(&self.word_ahead(ahead)))?;
        let signed = matches!(self.word_ahead(ahead), "unsigned" | "signed");
        ahead += usize::from(signed);
        let typed = self.is_number_type(self.word_ahead(ahead));
        ahead += usize::from(typed);
        let long = typed && self.word_ahead(ahead - 1) == "long";
        ahead += usize::from(long && self.word_ahead(ahead) == "long");
        ahead += usize::from(typed && matches!(self.word_ahead(ahead), "int" | "const"));
        let reference = usize::from(typed && matches!(self.word_ahead(ahead), "&" | "&&"));
        let name = self.peek(ahead + reference).is_some_and(|token| token.kind == Kind::Word);
        let following = self.word_ahead(ahead + reference + 1);
        let declares = matches!(following, "" | "=" | ";" | "," | "}" | ")");
        ((signed || typed) && name && declares).then_some(ahead + reference)
    }

    /// `TYPE NAME = VALUE, …`, whose type has `length` tokens.
    pub(super) fn numbers(
        &mut self,
        length: usize,
        before: &mut Vec<Statement>,
    ) -> Parsed<StatementKind> {
        let by_value = (0..length).all(|ahead| !matches!(self.word_ahead(ahead), "&" | "&&"));
        let of = types::Type::of((0..length).map(|ahead| self.word_ahead(ahead)));
        self.advance_by(length);
        loop {
            let start = self.here();
            self.types.extend(of.map(|of| (start.start, of)));
            let kind = self.number(by_value)?;
            if !self.eat(",") {
                return Ok(kind);
            }
            before.push(Statement { span: self.since(start), kind });
        }
    }

    fn number(&mut self, by_value: bool) -> Parsed<StatementKind> {
        let name = self.name("the name of a variable")?;
        self.is_no_data(&name.text);
        if !self.eat("=") {
            return Ok(StatementKind::Declare(name));
        }
        if self.begins_instruction() || self.is("new") {
            return self.right_side(name, true);
        }
        if let Some(made) = self.plain_construction(&name) {
            return made;
        }
        let value = self.expression()?;
        Ok(if by_value {
            StatementKind::Copy(name, value)
        } else {
            StatementKind::Let(name, value)
        })
    }

    /// `NAME++`, `--NAME`, `NAME += VALUE`, `NAME = VALUE`: the name and its new value.
    pub(super) fn change(&mut self) -> Parsed<(Name, Expression)> {
        let before = self.step();
        if before.is_none() && self.word_ahead(1) == "=" {
            let name = self.name("a variable")?;
            self.advance();
            return Ok((name, self.expression()?));
        }
        let operator = self.word_ahead(1);
        let assigns = assignment(operator).is_some() && operator.ends_with('=');
        if before.is_none() && assigns {
            return self.combined(operator);
        }
        let name = self.name("a variable")?;
        let Some((operator, span)) = before.or_else(|| self.step()) else {
            let (found, here) = (self.described(), self.here());
            let message = format!("expected `++`, `--` or an assignment, found {found}");
            return self.error("expected-token", here, message);
        };
        let code = alloc::vec![
            (Atom::Name, name.span),
            (Atom::Int(1), span),
            (Atom::Binary(operator), span)
        ];
        let value = Expression { code, span: name.span };
        Ok((name, value))
    }

    /// `++` or `--`.
    fn step(&mut self) -> Option<(Binary, Span)> {
        let operator = match self.word() {
            "++" => Binary::Add,
            "--" => Binary::Subtract,
            _ => return None,
        };
        Some((operator, self.advance()))
    }

    /// `for (FIRST; CONDITION; NEXT) BODY`
    pub(super) fn counting(&mut self) -> Parsed<StatementKind> {
        self.advance();
        self.expect("(")?;
        let first = self.first_of_count()?;
        self.expect(";")?;
        let condition = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let mut next = Vec::new();
        while !self.eat(")") {
            if !next.is_empty() {
                self.expect(",")?;
            }
            next.push(self.change()?);
        }
        let body = self.body(true)?;
        Ok(StatementKind::Count(Count { first, condition, next, body }))
    }

    fn first_of_count(&mut self) -> Parsed<Vec<Statement>> {
        let mut first = Vec::new();
        if self.is(";") {
            return Ok(first);
        }
        let start = self.here();
        let kind = if let Some(length) = self.number_type() {
            self.numbers(length, &mut first)?
        } else {
            let (name, value) = self.change()?;
            StatementKind::Assign(name, value)
        };
        first.push(Statement { span: self.since(start), kind });
        Ok(first)
    }

    /// `do BODY while (CONDITION)`
    pub(super) fn do_while(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let body = self.block()?;
        if !self.continues_with("while") {
            let (found, here) = (self.described(), self.here());
            let message = format!("expected `while` and a condition after `do`, found {found}");
            return self.error("expected-token", here, message);
        }
        let condition = self.expression()?;
        Ok(StatementKind::DoWhile(body, condition))
    }

    /// A block, or, after a condition in parentheses, one statement.
    pub(super) fn body(&mut self, closed: bool) -> Parsed<Block> {
        let ahead = self.behind_newlines();
        if !closed || self.text_of(ahead).is_none_or(|word| matches!(word, "{" | "}")) {
            return self.block();
        }
        self.skip_newlines();
        if self.is(";") {
            return Ok(Block { statements: Vec::new(), close: self.here() });
        }
        let start = self.here();
        let mut statements = Vec::new();
        let kind = self.deeper(|parser| parser.statement(&mut statements))?;
        let span = self.since(start);
        statements.extend(kind.map(|kind| Statement { span, kind }));
        Ok(Block { statements, close: span })
    }

    /// Takes `; else`.
    pub(super) fn else_behind_semicolon(&mut self) -> bool {
        let found = self.is(";") && {
            let newline =
                |&ahead: &usize| self.peek(ahead).is_some_and(|token| token.kind == Kind::Newline);
            let ahead = (1..).find(|ahead| !newline(ahead)).unwrap_or(1);
            self.text_of(ahead) == Some("else")
        };
        found && {
            self.advance();
            self.continues_with("else")
        }
    }

    /// `return`, possibly with a value: it is unused, because functions of a scenario have no result.
    pub(super) fn return_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let value = if self.at_end() { None } else { Some(self.expression()?) };
        Ok(StatementKind::Return(value))
    }

    /// Skips a variable whose type has members; errors are reported where the type is declared.
    pub(super) fn of_class(&mut self) -> Option<StatementKind> {
        let word = self.word();
        let declares = self.classes.iter().any(|class| class == word)
            && self.peek(1).is_some_and(|token| token.kind == Kind::Word);
        declares.then(|| {
            self.skip_operands();
            StatementKind::Restricted(Vec::new())
        })
    }

    /// `NAME(…)` for a function of the text, or an OpenCL fence.
    pub(super) fn plain_call(&mut self, head: &Name) -> Option<Parsed<StatementKind>> {
        if !self.is("(") {
            return None;
        }
        let name = head.text.strip_prefix("cl::").unwrap_or(&head.text);
        if FENCES.contains(&name) {
            return Some(self.fence_of_c(name, head));
        }
        if !self.functions().contains(name) {
            return None;
        }
        let name = head.clone();
        let arguments = self.arguments();
        if self.is(".") {
            // A member of the result, whose type is already reported.
            self.skip_operands();
        }
        Some(arguments.map(|arguments| StatementKind::Call(name, arguments)))
    }

    /// Parses `(TYPE)` prefixes; the last is applied first.
    pub(super) fn cast(&mut self) -> Vec<types::Type> {
        let mut casts = Vec::new();
        while self.is("(") {
            let words = (1..).take_while(|&ahead| self.is_number_type(self.word_ahead(ahead)));
            let length = words.count();
            if length == 0 || self.word_ahead(length + 1) != ")" {
                break;
            }
            casts.extend(types::Type::of((1..=length).map(|ahead| self.word_ahead(ahead))));
            self.advance_by(length + 2);
        }
        casts
    }

    /// `static_cast<TYPE>(VALUE)`, starting at its bracket: a number keeps its value, and a reference to a named
    /// barrier is the same barrier.
    pub(super) fn converted(&mut self, span: Span, code: &mut Vec<(Atom, Span)>) -> Parsed<()> {
        self.expect("<")?;
        let (mut points, mut known) = (false, false);
        let mut words = Vec::new();
        while !self.at_end() && !self.is(">") {
            words.push(self.word());
            points |= self.is("*");
            known |= self.is(TYPE) || self.is_number_type(self.word());
            known |= matches!(self.alias(self.word()), Some(Alias::Barrier { .. }));
            self.advance();
        }
        self.expect(">")?;
        if !known {
            let message = "only conversions to integers and named barriers are supported";
            return self.error("unknown-type", span, message);
        }
        self.expect("(")?;
        self.deeper(|parser| parser.conditional(code))?;
        self.expect(")")?;
        let to = types::Type::of(words.into_iter()).filter(|_| !points);
        code.extend(to.map(|to| (Atom::Convert(to), span)));
        if points && !matches!(code.last(), Some((Atom::Address, _))) {
            code.push((Atom::Address, span));
        }
        Ok(())
    }

    /// Whether a word is a numeric type or an alias of one.
    pub(super) fn is_number_type(&self, word: &str) -> bool {
        is_number_type(word) || self.alias(word) == Some(Alias::Number)
    }

    /// Whether a C function or kernel starts here.
    pub(super) fn begins_function(&self) -> bool {
        let qualifier =
            |&at: &usize| matches!(self.word_ahead(at), "static" | "inline" | "__inline");
        let at = (0..4).find(|at| !qualifier(at)).unwrap_or(0);
        let at = at + self.tag(at);
        let known =
            is_returned(self.word_ahead(at)) || self.structure(self.word_ahead(at)).is_some();
        known && self.word_ahead(at + 2) == "("
    }

    /// Number of tokens of `struct` or `union` before the name of a structure.
    fn tag(&self, at: usize) -> usize {
        let known = self.structure(self.word_ahead(at + 1)).is_some();
        usize::from(known && matches!(self.word_ahead(at), "struct" | "union"))
    }

    /// `void NAME(…)` up to the name.
    pub(super) fn skip_void(&mut self) {
        while self.eat("static") || self.eat("inline") || self.eat("__inline") {}
        self.advance_by(self.tag(0));
        let structure = self.structure(self.word()).map(|_| types::Type::Data);
        self.returned = structure.or_else(|| super::ctypes::type_of([self.word()].into_iter()));
        self.advance();
    }

    /// `__attribute__((…))` and `[[…]]`; the size of a work-group is stored.
    pub(super) fn attributes(&mut self, tree: &mut Tree) {
        while self.is("__attribute__") || self.is("[") && self.word_ahead(1) == "[" {
            self.eat("__attribute__");
            let mut open = 0_u32;
            while self.peek(0).is_some() && !self.is("{") {
                if is_size_attribute(self.word()) {
                    let sizes = (2..8).map(|ahead| self.word_ahead(ahead));
                    let sizes = sizes.take_while(|&word| word != ")").filter(|&word| word != ",");
                    let size =
                        |word| lexer::number_of_c(word).flatten().and_then(|n| n.try_into().ok());
                    let each: Vec<Option<i64>> = sizes.map(size).collect();
                    let all = each.iter().try_fold(1_i64, |all, n| all.checked_mul((*n)?));
                    let fits = self.fits_launch(tree, all);
                    if let [Some(x), Some(y), Some(z)] = each[..]
                        && fits
                        && (y.saturating_mul(z) > 1 || self.groups.is_some())
                        && all.is_some_and(|all| all > 0)
                    {
                        self.sizes = Some([x, y, z]);
                    }
                    tree.required = all.map(|all| (all, self.here()));
                }
                open += u32::from(self.is("(") || self.is("["));
                open -= u32::from(self.is(")") || self.is("]"));
                self.advance();
                if open == 0 {
                    break;
                }
            }
        }
    }
}

/// Whether a word is the attribute that gives the size of a work-group.
pub(super) fn is_size_attribute(word: &str) -> bool {
    matches!(word, "reqd_work_group_size" | "required_work_group_size")
}

/// Whether a text is a name.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
