//! The state of a compilation: tokens, names, and the LLVM IR that is written.

use super::lexer::{At, Kind, Token};
use super::preprocess::Included;
use super::symbol::{Function, Is, Lambda, Scope, Symbol, Template, Value};
use super::types::{Type, Types};
use super::{Advice, Parsed, Problem};
use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// The maximum number of tokens that are read. Tokens that are read again count again.
const MOST_STEPS: usize = 1_500_000;
/// Deepest nesting of expressions and statements.
const DEEPEST: u32 = 90;
/// The maximum number of lines of LLVM IR.
const MOST_LINES: usize = 200_000;

/// A line of LLVM IR.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) at: At,
}

/// The function that is being written.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) lines: Vec<Line>,
    /// Whether the code that is written next can be reached.
    pub(super) open: bool,
    /// The number of lines that cannot be moved: accesses, calls and labels.
    pub(super) effects: u32,
    /// The targets of `break`, the innermost last.
    pub(super) breaks: Vec<Rc<str>>,
    /// The targets of `continue`, the innermost last.
    pub(super) continues: Vec<Rc<str>>,
    /// The values and labels of the cases of each enclosing `switch`.
    pub(super) switches: Vec<Vec<(Option<i64>, Rc<str>)>>,
    pub(super) returns: Option<Type>,
    /// The place to which a returned structure is written.
    pub(super) result: Option<Value>,
    /// For each enclosing lambda, the target of `return` and the variable for its result.
    pub(super) exits: Vec<(Rc<str>, Option<Value>)>,
    /// Reads and writes of variables in registers, in order, and whether each writes.
    pub(super) touched: Vec<(Rc<str>, bool)>,
    /// Variables whose address is taken.
    pub(super) in_memory: OrderedSet<Rc<str>>,
    /// The structure whose member it is, and its address.
    pub(super) this: Option<(usize, Value)>,
    /// The position of the call in the text, for a function from a header.
    pub(super) called_at: Option<At>,
}

/// A compilation.
#[derive(Debug, Default)]
pub(super) struct Unit {
    pub(super) tokens: Vec<Token>,
    /// For each opening bracket, the one that closes it; 0 for other tokens.
    pub(super) partners: Vec<usize>,
    pub(super) at: usize,
    pub(super) types: Types,
    pub(super) scopes: Vec<Scope>,
    pub(super) functions: Vec<Function>,
    pub(super) templates: Vec<Template>,
    /// Instances of templates by their arguments.
    pub(super) instances: OrderedMap<String, usize>,
    pub(super) lambdas: Vec<Lambda>,
    pub(super) amdgpu: bool,
    /// Whether the text defines operators.
    pub(super) operators: bool,
    /// Whether the text is OpenCL C.
    pub(super) opencl: bool,
    pub(super) globals: Vec<Line>,
    /// The variable of `extern __shared__`.
    pub(super) dynamic: Option<Rc<str>>,
    pub(super) body: Body,
    /// The first token after the prelude.
    pub(super) own: usize,
    /// The number of structures of the prelude.
    pub(super) own_structs: usize,
    /// The structure whose members are being read.
    pub(super) inside: Option<usize>,
    /// The number of enclosing expressions that are not executed, such as operands of `sizeof`. Nothing is written if it is
    /// above 0.
    pub(super) dry: u32,
    pub(super) depth: u32,
    pub(super) spent: usize,
    pub(super) written: usize,
    pub(super) mark: At,
    pub(super) counter: u32,
    /// Functions that are called and not yet written.
    pub(super) queue: Vec<usize>,
    /// Headers that were not found.
    pub(super) missing: Vec<Rc<str>>,
    /// Headers that were read.
    pub(super) included: Vec<Included>,
    /// Functions from headers, by the position of their call in the text.
    pub(super) placed: OrderedMap<(usize, At), usize>,
}

impl Unit {
    pub(super) fn peek(&self) -> &Token {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, by: usize) -> &Token {
        let last = self.tokens.len().saturating_sub(1);
        &self.tokens[(self.at + by).min(last)]
    }

    pub(super) fn take(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        self.spent += 1;
        token
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.peek().is(text)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Box<Problem> {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => String::from("the end of the text"),
            _ => format!("`{}`", token.text.chars().take(40).collect::<String>()),
        };
        Problem::at(token, format!("expected {wanted}, found {found}"))
    }

    /// A problem with valid code that this compiler does not support.
    pub(super) fn unsupported(&self, what: &str) -> Box<Problem> {
        let mut problem = Problem::at(self.peek(), format!("{what} is not read"));
        problem.advise = Some(Advice::Clang);
        problem
    }

    pub(super) fn name(&mut self) -> Parsed<Rc<str>> {
        if self.peek().kind != Kind::Word {
            return Err(self.unexpected("a name"));
        }
        Ok(self.take().text)
    }

    /// The position of the bracket that closes the one at a position.
    pub(super) fn partner(&self, at: usize) -> usize {
        match self.partners.get(at) {
            Some(&partner) if partner > at => partner,
            _ => self.tokens.len().saturating_sub(1),
        }
    }

    /// Skips a bracket and everything up to the one that closes it.
    pub(super) fn skip_group(&mut self) {
        self.at = self.partner(self.at) + 1;
    }

    /// Reads one level deeper, within the limits of this compiler.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.spent += 1;
        if self.depth >= DEEPEST || self.spent > MOST_STEPS || self.written > MOST_LINES {
            let why = if self.depth >= DEEPEST { "is nested too deeply" } else { "is too large" };
            return Err(Problem::at(self.peek(), format!("this code {why}")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Reads from another position, and returns to this one.
    pub(super) fn elsewhere<T>(
        &mut self,
        at: usize,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let (back, mark) = (core::mem::replace(&mut self.at, at), self.mark);
        let read = self.nested(read);
        (self.at, self.mark) = (back, mark);
        read
    }

    /// Finds the brackets that close others.
    pub(super) fn pair(&mut self) -> Parsed<()> {
        self.partners = alloc::vec![0; self.tokens.len()];
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            match &*token.text {
                _ if token.kind != Kind::Mark => {}
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    let closes = open.pop().filter(|&from| {
                        matches!(
                            (&*self.tokens[from].text, &*token.text),
                            ("(", ")") | ("[", "]") | ("{", "}")
                        )
                    });
                    let Some(from) = closes else {
                        let message = format!("`{}` closes nothing", token.text);
                        return Err(Problem::at(token, message));
                    };
                    self.partners[from] = at;
                }
                _ => {}
            }
        }
        match open.pop() {
            Some(at) => {
                let token = &self.tokens[at];
                Err(Problem::at(token, format!("`{}` is not closed", token.text)))
            }
            None => Ok(()),
        }
    }

    /// The position in the text. For a position in a header, it is that of the call of its function, or of the `#include`.
    pub(super) fn in_text(&self, at: At) -> At {
        let header = at.header.checked_sub(1).and_then(|at| self.included.get(usize::from(at)));
        header.map_or(at, |header| self.body.called_at.unwrap_or(header.at))
    }

    // Names

    pub(super) fn declare(&mut self, name: Rc<str>, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, symbol);
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Reads in a new scope.
    pub(super) fn scoped<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push(Scope::new());
        let read = read(self);
        self.scopes.pop();
        read
    }

    // Code

    pub(super) fn count(&mut self) -> u32 {
        self.counter += 1;
        self.counter
    }

    pub(super) fn fresh(&mut self) -> Rc<str> {
        let number = self.count();
        format!("%t{number}").into()
    }

    pub(super) fn label(&mut self) -> Rc<str> {
        let number = self.count();
        format!("L{number}").into()
    }

    pub(super) const fn writes(&self) -> bool {
        self.body.open && self.dry == 0
    }

    /// Writes an instruction.
    pub(super) fn emit(&mut self, text: String) {
        if self.writes() {
            self.written += 1;
            self.body.lines.push(Line { text, at: self.mark });
        }
    }

    /// Writes an instruction that cannot be moved.
    pub(super) fn effect(&mut self, text: String) {
        self.body.effects += 1;
        self.emit(text);
    }

    /// Writes an instruction with a result.
    pub(super) fn compute(&mut self, of: Type, text: String) -> Value {
        if matches!(of, Type::Float(_)) {
            return Value { of, is: Is::Data };
        }
        let name = self.fresh();
        self.emit(format!("{name} = {text}"));
        Value { of, is: Is::Operand(name) }
    }

    /// Starts a block with a label.
    pub(super) fn place(&mut self, label: &str) {
        self.body.effects += 1;
        if self.dry == 0 {
            self.written += 1;
            self.body.lines.push(Line { text: format!("{label}:"), at: self.mark });
            self.body.open = true;
        }
    }

    pub(super) fn jump(&mut self, label: &str) {
        self.effect(format!("br label %{label}"));
        self.close();
    }

    /// Marks the code up to the next label as unreachable.
    pub(super) fn close(&mut self) {
        if self.dry == 0 {
            self.body.open = false;
        }
    }

    pub(super) fn branch(&mut self, on: &Value, yes: &str, no: &str) {
        match on.is {
            Is::Int(value) => self.jump(if value != 0 { yes } else { no }),
            _ => {
                let on = self.operand(on);
                self.effect(format!("br i1 {on}, label %{yes}, label %{no}"));
                self.close();
            }
        }
    }

    /// An operand with its type: `i32 %t1`.
    pub(super) fn typed(&mut self, value: &Value) -> String {
        let operand = self.operand(value);
        format!("{} {operand}", self.types.spelled(&value.of))
    }

    /// The spelling of a value in LLVM IR. For a place, it is the address.
    pub(super) fn operand(&mut self, value: &Value) -> Rc<str> {
        match &value.is {
            Is::Int(0) if matches!(value.of, Type::Pointer(..)) => "null".into(),
            Is::Int(number) if matches!(value.of, Type::Pointer(..)) => {
                let of = self.types.spelled(&value.of);
                let made = self.compute(value.of.clone(), format!("inttoptr i64 {number} to {of}"));
                self.operand(&made)
            }
            Is::Int(number) => format!("{number}").into(),
            Is::Operand(name) | Is::Register(name) | Is::Place(name, _) => name.clone(),
            Is::Data | Is::Nothing => "undef".into(),
        }
    }

    /// A value that is not known.
    pub(super) fn data(&mut self, of: Type) -> Value {
        match of {
            Type::Void => Value { of, is: Is::Nothing },
            Type::Float(_) => Value { of, is: Is::Data },
            _ => {
                let text = format!("freeze {} undef", self.types.spelled(&of));
                self.compute(of, text)
            }
        }
    }

    pub(super) fn integer(value: i64, of: Type) -> Value {
        let (bits, signed) = (of.bits(), of.is_signed());
        Value { of, is: Is::Int(wrapped(value, bits, signed)) }
    }
}

/// An integer in the range of its type.
pub(super) const fn wrapped(value: i64, bits: u8, signed: bool) -> i64 {
    if bits >= 64 {
        return value;
    }
    let shift = 64 - bits as u32;
    if signed { value << shift >> shift } else { ((value as u64) << shift >> shift) as i64 }
}
