//! The top level of a module: types, globals, functions, attributes and metadata.

use super::cursor::{Cursor, Parsed, Problem};
use super::lexer::{Kind, Token};
use super::types::{self, Type, Types};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::Place;
use tidegate_model::ordered::OrderedMap;

/// A global variable.
#[derive(Debug)]
pub(super) struct Global<'a> {
    pub(super) name: &'a str,
    pub(super) place: Place,
    pub(super) space: u32,
    pub(super) of: Type,
    pub(super) constant: bool,
}

/// A parameter of a function.
#[derive(Debug)]
pub(super) struct Parameter<'a> {
    pub(super) of: Type,
    pub(super) name: Option<&'a str>,
    pub(super) place: Place,
    pub(super) read_only: bool,
    pub(super) by_value: Option<Type>,
}

/// A function, defined or declared.
#[derive(Debug)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    pub(super) place: Place,
    pub(super) parameters: Vec<Parameter<'a>>,
    /// Attributes: keys and values, and the numbers of groups.
    pub(super) attributes: Vec<(&'a str, &'a str)>,
    pub(super) groups: Vec<&'a str>,
    /// Attached metadata: name and number.
    pub(super) metadata: Vec<(&'a str, &'a str)>,
    pub(super) is_kernel: bool,
    /// The first token of the body.
    pub(super) body: Option<usize>,
}

/// A module, read as far as its top level.
#[derive(Debug, Default)]
pub(super) struct Module<'a> {
    pub(super) triple: &'a str,
    pub(super) types: Types,
    pub(super) globals: Vec<Global<'a>>,
    pub(super) functions: Vec<Function<'a>>,
    pub(super) groups: OrderedMap<&'a str, Vec<(&'a str, &'a str)>>,
    /// Metadata nodes: the first token after `=`.
    pub(super) metadata: OrderedMap<&'a str, usize>,
}

/// Reads the top level.
pub(super) fn read<'a>(tokens: &[Token<'a>]) -> Parsed<Module<'a>> {
    let mut module = Module::default();
    let mut cursor = Cursor::new(tokens, 0);
    loop {
        cursor.skip_lines();
        let token = cursor.peek();
        match (token.kind, token.text) {
            (Kind::End, _) => return Ok(module),
            (Kind::Word, "target") => module.target(&mut cursor),
            (Kind::Word, "define") => module.define(&mut cursor)?,
            (Kind::Word, "declare") => {
                let function = function(&mut cursor)?;
                module.functions.push(function);
                cursor.skip_line();
            }
            (Kind::Word, "attributes") => module.attributes(&mut cursor)?,
            (Kind::Global, _) => module.global(&mut cursor)?,
            (Kind::Local, name) if cursor.ahead(1).text == "=" => {
                cursor.at += 3;
                if !cursor.is("opaque") {
                    let of = types::read(&mut cursor)?;
                    module.types.named.insert(name.into(), of);
                }
                cursor.skip_line();
            }
            (Kind::Metadata, name) if cursor.ahead(1).text == "=" => {
                module.metadata.insert(name, cursor.at + 2);
                cursor.skip_line();
            }
            (Kind::Word, "source_filename" | "module" | "uselistorder" | "uselistorder_bb") => {
                cursor.skip_line();
            }
            (Kind::Mark, "^") => cursor.skip_line(),
            // `$name = comdat any`
            (_, name) if name.starts_with('$') => cursor.skip_line(),
            _ => {
                let message =
                    "expected `define`, `declare`, a global, `attributes` or metadata of LLVM IR";
                let found: String = token.text.chars().take(40).collect();
                return Err(Problem::new(token.place, format!("{message}, found `{found}`")));
            }
        }
    }
}

impl<'a> Module<'a> {
    fn target(&mut self, cursor: &mut Cursor<'_, 'a>) {
        let (what, value) = (cursor.ahead(1).text, cursor.ahead(3));
        if value.kind == Kind::Text {
            match what {
                "triple" => self.triple = value.text,
                "datalayout" => self.types.layout(value.text),
                _ => {}
            }
        }
        cursor.skip_line();
    }

    fn define(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<()> {
        let mut function = function(cursor)?;
        while !cursor.is("{") {
            if cursor.at_line_end() && cursor.ahead(1).text != "{" {
                return Err(cursor.unexpected("`{`"));
            }
            cursor.at += 1;
        }
        let open = cursor.peek().place;
        cursor.at += 1;
        function.body = Some(cursor.at);
        let mut depth = 1_u32;
        while depth > 0 {
            let token = cursor.take();
            match (token.kind, token.text) {
                (Kind::End, _) => {
                    let message =
                        format!("the function `{}` has no end: `}}` is missing", function.name);
                    return Err(Problem::new(open, message));
                }
                (Kind::Mark, "{") => depth += 1,
                (Kind::Mark, "}") => depth -= 1,
                _ => {}
            }
        }
        self.functions.push(function);
        Ok(())
    }

    fn attributes(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<()> {
        cursor.at += 1;
        let name = cursor.take().text;
        cursor.expect("=")?;
        cursor.expect("{")?;
        let mut all = Vec::new();
        while !cursor.eat("}") {
            if cursor.peek().kind == Kind::End {
                return Err(cursor.unexpected("`}`"));
            }
            all.push(attribute(cursor));
        }
        self.groups.insert(name, all);
        Ok(())
    }

    fn global(&mut self, cursor: &mut Cursor<'_, 'a>) -> Parsed<()> {
        let token = cursor.take();
        cursor.expect("=")?;
        let mut space = 0;
        let constant = loop {
            match cursor.peek() {
                Token { kind: Kind::Word, text: "global", .. } => break false,
                Token { kind: Kind::Word, text: "constant", .. } => break true,
                Token { kind: Kind::Word, text: "alias" | "ifunc", .. } => {
                    cursor.skip_line();
                    return Ok(());
                }
                Token { kind: Kind::Word, text: "addrspace", .. } => {
                    space = types::address_space(cursor)?;
                }
                Token { kind: Kind::Word | Kind::Text, .. } => cursor.at += 1,
                Token { kind: Kind::Mark, text: "(", .. } => cursor.skip_group(),
                _ => return Err(cursor.unexpected("`global` or `constant`")),
            }
        };
        cursor.at += 1;
        let of = types::read(cursor)?;
        let (name, place) = (token.text, token.place);
        self.globals.push(Global { name, place, space, of, constant });
        cursor.skip_line();
        Ok(())
    }

    /// A function by name.
    pub(super) fn function(&self, name: &str) -> Option<&Function<'a>> {
        let named = |function: &&Function<'_>| function.name == name;
        let defined = |function: &&Function<'_>| function.body.is_some() && named(function);
        self.functions.iter().find(defined).or_else(|| self.functions.iter().find(named))
    }

    /// The value of an attribute of a function; an attribute without a value is empty.
    pub(super) fn attribute(&self, function: &Function<'a>, key: &str) -> Option<&'a str> {
        let groups = function.groups.iter().filter_map(|group| self.groups.get(group)).flatten();
        let mut all = function.attributes.iter().chain(groups);
        all.find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// The integers of a metadata node, and the texts: `!{i32 64, i32 1}`, `!{!"amdgpu-synchronize-as", !"local"}`.
    pub(super) fn node(&self, tokens: &[Token<'a>], name: &str) -> (Vec<u64>, Vec<&'a str>) {
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        let Some(&at) = self.metadata.get(name) else { return (numbers, texts) };
        let mut cursor = Cursor::new(tokens, at);
        while !cursor.at_line_end() {
            let token = cursor.take();
            match token.kind {
                Kind::Number => numbers.extend(token.text.parse::<u64>()),
                Kind::Text | Kind::Metadata => texts.push(token.text),
                _ => {}
            }
        }
        (numbers, texts)
    }
}

/// Reads one attribute: a word, with its arguments or value.
fn attribute<'a>(cursor: &mut Cursor<'_, 'a>) -> (&'a str, &'a str) {
    let key = cursor.take().text;
    if cursor.is("(") {
        let value = cursor.ahead(1).text;
        cursor.skip_group();
        return (key, value);
    }
    if cursor.is("=") {
        cursor.at += 1;
        return (key, cursor.take().text);
    }
    (key, "")
}

/// Whether a type begins here.
pub(super) fn begins_type(cursor: &Cursor<'_, '_>) -> bool {
    let token = cursor.peek();
    match token.kind {
        Kind::Local => true,
        Kind::Mark => matches!(token.text, "[" | "<" | "{"),
        Kind::Word => {
            let bits = token.text.strip_prefix('i');
            let integer = bits.is_some_and(|bits| {
                !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit())
            });
            integer
                || matches!(
                    token.text,
                    "void"
                        | "ptr"
                        | "half"
                        | "bfloat"
                        | "float"
                        | "double"
                        | "fp128"
                        | "x86_fp80"
                        | "label"
                        | "metadata"
                        | "token"
                        | "target"
                )
        }
        _ => false,
    }
}

/// Skips words before a type: linkage, calling convention, attributes. Returns whether they make a kernel.
pub(super) fn skip_to_type(cursor: &mut Cursor<'_, '_>) -> Parsed<bool> {
    let mut is_kernel = false;
    while !begins_type(cursor) {
        let token = cursor.peek();
        match token.kind {
            Kind::Word | Kind::Number | Kind::Text | Kind::Attributes => {
                is_kernel |= token.text.ends_with("_kernel");
                cursor.at += 1;
            }
            Kind::Mark if token.text == "(" => cursor.skip_group(),
            Kind::Mark if token.text == "=" => cursor.at += 1,
            _ => return Err(cursor.unexpected("a type")),
        }
    }
    Ok(is_kernel)
}

/// Reads a function from `define` or `declare` up to its body or the end of its line.
fn function<'a>(cursor: &mut Cursor<'_, 'a>) -> Parsed<Function<'a>> {
    cursor.at += 1;
    let mut metadata = Vec::new();
    while cursor.peek().kind == Kind::Metadata {
        metadata.push((cursor.take().text, cursor.take().text));
    }
    let is_kernel = skip_to_type(cursor)?;
    types::read(cursor)?;
    let token = cursor.take();
    if token.kind != Kind::Global {
        cursor.at -= 1;
        return Err(cursor.unexpected("the name of a function"));
    }
    let parameters = parameters(cursor)?;
    let (mut attributes, mut groups) = (Vec::new(), Vec::new());
    while !cursor.at_line_end() && !cursor.is("{") {
        let next = cursor.peek();
        match next.kind {
            Kind::Attributes => {
                groups.push(next.text);
                cursor.at += 1;
            }
            Kind::Metadata => {
                metadata.push((next.text, cursor.ahead(1).text));
                cursor.at += 2;
            }
            Kind::Word | Kind::Text => attributes.push(attribute(cursor)),
            Kind::Mark if next.text == "(" => cursor.skip_group(),
            _ => cursor.at += 1,
        }
    }
    let (name, place) = (token.text, token.place);
    let body = None;
    Ok(Function { name, place, parameters, attributes, groups, metadata, is_kernel, body })
}

fn parameters<'a>(cursor: &mut Cursor<'_, 'a>) -> Parsed<Vec<Parameter<'a>>> {
    cursor.expect("(")?;
    let mut parameters = Vec::new();
    while !cursor.eat(")") {
        if cursor.peek().kind == Kind::Line {
            cursor.at += 1;
            continue;
        }
        if cursor.eat("...") || cursor.eat(",") {
            continue;
        }
        parameters.push(parameter(cursor)?);
    }
    Ok(parameters)
}

fn parameter<'a>(cursor: &mut Cursor<'_, 'a>) -> Parsed<Parameter<'a>> {
    let place = cursor.peek().place;
    let of = types::read(cursor)?;
    let (mut name, mut read_only, mut by_value) = (None, false, None);
    loop {
        let token = cursor.peek();
        match (token.kind, token.text) {
            (Kind::Mark, "," | ")") => break,
            (Kind::End, _) => return Err(cursor.unexpected("`)`")),
            (Kind::Local, _) => name = Some(token.text),
            (Kind::Word, "readonly" | "readnone") => read_only = true,
            (Kind::Word, "byval" | "byref") => {
                cursor.at += 1;
                if cursor.eat("(") {
                    by_value = Some(types::read(cursor)?);
                    cursor.expect(")")?;
                }
                continue;
            }
            (Kind::Mark, "(") => {
                cursor.skip_group();
                continue;
            }
            _ => {}
        }
        cursor.at += 1;
    }
    Ok(Parameter { of, name, place, read_only, by_value })
}
