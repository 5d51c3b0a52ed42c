//! Declarations: specifiers, declarators, structures, enumerations.

use super::lexer::Kind;
use super::symbol::{Is, Specifiers, Symbol};
use super::types::{self, Field, GENERIC, Struct, Type};
use super::unit::Unit;
use super::{Parsed, Problem};
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Words that have no effect here.
const PASSED_OVER: [&str; 20] = [
    "register",
    "inline",
    "__inline__",
    "__inline",
    "__forceinline__",
    "__noinline__",
    "mutable",
    "typename",
    "__restrict__",
    "__restrict",
    "restrict",
    "__host__",
    "virtual",
    "explicit",
    "friend",
    "__grid_constant__",
    "__managed__",
    "thread_local",
    "noexcept",
    "__tile_size__",
];

/// Keywords that form types.
const NUMBERS: [&str; 13] = [
    "void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
    "auto", "_Float16", "__bf16",
];

/// Words that begin a declaration, apart from types.
const BEGIN: [&str; 21] = [
    "volatile",
    "__volatile__",
    "const",
    "constexpr",
    "static",
    "extern",
    "typedef",
    "struct",
    "class",
    "union",
    "enum",
    "__shared__",
    "__constant__",
    "__device__",
    "__global__",
    "__attribute__",
    "__attribute",
    "alignas",
    "__align__",
    "decltype",
    "__launch_bounds__",
];

/// Qualifiers of OpenCL C, without the underscores that they can begin with.
const OF_OPENCL: [&str; 9] = [
    "kernel",
    "local",
    "global",
    "constant",
    "private",
    "generic",
    "read_only",
    "write_only",
    "read_write",
];

impl Unit {
    /// Whether a declaration or the name of a type begins at a position.
    pub(super) fn begins_type(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let word = &*token.text;
        if token.kind != Kind::Word {
            return false;
        }
        if NUMBERS.contains(&word) || BEGIN.contains(&word) || PASSED_OVER.contains(&word) {
            return true;
        }
        if self.opencl && OF_OPENCL.contains(&word.trim_start_matches('_')) {
            return true;
        }
        let (symbol, _) = self.path_at(at);
        matches!(symbol, Some(Symbol::Type(_) | Symbol::StructTemplate(_)))
    }

    /// The symbol of a name with its namespaces, and the position after it.
    pub(super) fn path_at(&self, at: usize) -> (Option<Symbol>, usize) {
        let mut parts: Vec<&str> = Vec::new();
        let mut at = at + usize::from(self.tokens.get(at).is_some_and(|token| token.is("::")));
        loop {
            let Some(token) = self.tokens.get(at).filter(|token| token.kind == Kind::Word) else {
                return (None, at);
            };
            parts.push(&token.text);
            at += 1;
            if self.tokens.get(at).is_some_and(|token| token.is("::")) {
                at += 1;
            } else {
                break;
            }
        }
        let (Some(last), before) = (parts.last(), parts.len().checked_sub(2)) else {
            return (None, at);
        };
        let qualified = before.and_then(|before| {
            let outer = match self.lookup(parts[before]) {
                Some(Symbol::Type(Type::Struct(of))) => &self.types.structs.get(*of)?.name,
                _ => parts[before],
            };
            self.lookup(&format!("{outer}::{last}"))
        });
        let found = match parts.len() {
            1 => self.lookup_in_structure(last),
            _ => qualified.or_else(|| self.lookup(last)),
        };
        (found.cloned(), at)
    }

    /// The symbol of a name in the scopes, in the structure that is being read, or in the whole text.
    fn lookup_in_structure(&self, name: &str) -> Option<&Symbol> {
        let inner = self.scopes.iter().skip(1).rev().find_map(|scope| scope.get(name));
        let owner = || {
            let owner = self.inside.or_else(|| self.body.this.as_ref().map(|(owner, _)| *owner));
            let owner = &self.types.structs.get(owner?)?.name;
            let symbol = self.scopes.first()?.get(&*format!("{owner}::{name}"))?;
            matches!(symbol, Symbol::Type(_)).then_some(symbol)
        };
        inner.or_else(owner).or_else(|| self.lookup(name))
    }

    /// Reads an integer that must be constant.
    pub(super) fn constant(&mut self) -> Parsed<i64> {
        let value = self.nested(Self::conditional)?;
        let value = self.rvalue(value);
        match value.is {
            Is::Int(number) => Ok(number),
            _ => {
                let here = self.at.saturating_sub(1).min(self.tokens.len() - 1);
                Err(Problem::at(&self.tokens[here], "this must be a constant"))
            }
        }
    }

    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let mut all = Specifiers::default();
        let (mut sign, mut long, mut short, mut base) = (None, 0, false, None);
        loop {
            let token = self.peek().clone();
            let word = &*token.text;
            if token.is("[") && self.ahead(1).is("[") {
                self.skip_group();
                continue;
            }
            if token.kind != Kind::Word && !token.is("::") {
                break;
            }
            let typed = all.of.is_some() || base.is_some() || sign.is_some() || long > 0 || short;
            match word {
                "signed" | "unsigned" => sign = Some(word == "signed"),
                "long" => long += 1,
                "short" => short = true,
                "int" => base = base.or(Some("int")),
                "void" => base = Some("void"),
                "bool" => base = Some("bool"),
                "char" => base = Some("char"),
                "float" => base = Some("float"),
                "double" => base = Some("double"),
                "_Float16" | "__bf16" => base = Some("half"),
                "auto" => all.of = Some(Type::Auto),
                "const" | "constexpr" | "__const__" => {
                    all.fixed = true;
                    all.kept |= word == "constexpr";
                    all.device |= word == "constexpr";
                }
                "static" => all.kept_between_calls = true,
                "volatile" | "__volatile__" => all.volatile = true,
                "extern" => {
                    all.external = true;
                    if self.ahead(1).kind == Kind::Text {
                        self.at += 1;
                    }
                }
                "typedef" => all.alias = true,
                "__shared__" => all.shared = true,
                "__constant__" => all.constant = true,
                "__device__" => all.device = true,
                "__global__" => all.kernel = true,
                word if self.opencl && OF_OPENCL.contains(&word.trim_start_matches('_')) => {
                    self.qualifier_of_opencl(&mut all);
                }
                word if PASSED_OVER.contains(&word) => {}
                "__attribute__" | "__attribute" | "__declspec" | "__launch_bounds__"
                | "__align__" | "alignas" | "__cluster_dims__" | "__block_size__"
                | "__maxnreg__" => {
                    self.attribute(&mut all)?;
                    continue;
                }
                "struct" | "class" | "union" | "enum" if !typed => {
                    all.of = Some(self.structure()?);
                    continue;
                }
                "decltype" if !typed => {
                    self.at += 1;
                    all.of = Some(self.type_of_operand()?);
                    continue;
                }
                _ if typed => break,
                _ => match self.named_type()? {
                    Some(of) => {
                        all.of = Some(of);
                        continue;
                    }
                    None => break,
                },
            }
            self.at += 1;
        }
        let signed = sign.unwrap_or(true);
        let number = match (base, long, short) {
            (Some("void"), ..) => Some(Type::Void),
            (Some("bool"), ..) => Some(Type::Bool),
            (Some("float"), ..) => Some(Type::Float(32)),
            (Some("double"), ..) => Some(Type::Float(64)),
            (Some("half"), ..) => Some(Type::Float(16)),
            (Some("char"), ..) => Some(Type::Int(8, signed)),
            (_, _, true) => Some(Type::Int(16, signed)),
            (_, 1.., _) => Some(Type::Int(64, signed)),
            (Some(_), ..) => Some(Type::Int(32, signed)),
            _ => sign.map(|signed| Type::Int(32, signed)),
        };
        all.of = number.or(all.of);
        if let (Some(count), Some(of)) = (all.vector, all.of.clone()) {
            all.of = Some(self.vector(of, count));
        }
        // Variables of a thread are in registers, where `volatile` has no effect.
        let in_memory = all.shared || all.device || self.is("*") || self.is("&");
        if all.volatile && in_memory {
            all.of = all.of.take().map(|of| self.volatile(of));
        }
        Ok(all)
    }

    /// The `volatile` form of a type in memory. In a structure, every field becomes `volatile`.
    pub(super) fn volatile(&mut self, of: Type) -> Type {
        match of {
            Type::Struct(at) if !self.types.structs[at].fields.is_empty() => {
                let known = self.types.structs.iter().position(|one| one.volatile == Some(at));
                Type::Struct(known.unwrap_or_else(|| {
                    let mut one = self.types.structs[at].clone();
                    one.volatile = Some(at);
                    for field in &mut one.fields {
                        field.of = self.volatile(field.of.clone());
                    }
                    self.types.structs.push(one);
                    self.types.structs.len() - 1
                }))
            }
            Type::Array(of, count) => {
                let of = self.volatile((*of).clone());
                Type::Array(Rc::new(of), count)
            }
            of if of.is_number() => Type::Volatile(Rc::new(of)),
            of => of,
        }
    }

    /// Reads a type by its name, with the arguments of a template; `None` if the name is not a type.
    fn named_type(&mut self) -> Parsed<Option<Type>> {
        let (symbol, after) = self.path_at(self.at);
        match symbol {
            Some(Symbol::Type(of)) => {
                self.at = after;
                Ok(Some(of))
            }
            Some(Symbol::StructTemplate(template)) => {
                self.at = after;
                let of = self.struct_instance(template)?;
                // `S<int>::name`
                if self.is("::") {
                    let Type::Struct(at) = of else { return Ok(Some(of)) };
                    let name = format!("{}::{}", self.types.structs[at].name, self.ahead(1).text);
                    if let Some(Symbol::Type(inner)) = self.lookup(&name).cloned() {
                        self.at += 2;
                        return Ok(Some(inner));
                    }
                }
                Ok(Some(of))
            }
            _ => Ok(None),
        }
    }

    /// A vector with a number of elements. It is a structure with the fields `x`, `y`, `z`, `w`, or `s0`, `s1` and so on if
    /// there are more than 4.
    pub(super) fn vector(&mut self, of: Type, count: u64) -> Type {
        let name: Rc<str> = format!("{} x {count}", self.shown(&of)).into();
        let known = self.types.structs.iter().position(|one| one.name == name);
        if let Some(at) = known {
            return Type::Struct(at);
        }
        let names = ["x", "y", "z", "w"];
        let field = |at: u64| {
            let name = names.get(at as usize).filter(|_| count <= 4);
            let name = name.map_or_else(|| Rc::from(format!("s{at}")), |name| Rc::from(*name));
            Field { name, of: of.clone(), offset: 0 }
        };
        let fields = (0..count.min(64)).map(field).collect();
        let mut one = Struct { name, fields, ..Struct::default() };
        let least = (self.types.size(&of).0 * count).next_power_of_two().min(64);
        self.types.lay_out(&mut one, least);
        self.types.structs.push(one);
        Type::Struct(self.types.structs.len() - 1)
    }

    /// Constants in parentheses.
    fn constants(&mut self) -> Parsed<Vec<i64>> {
        self.expect("(")?;
        let mut all = Vec::new();
        while !self.eat(")") {
            all.push(self.constant()?);
            if !self.eat(",") && !self.is(")") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(all)
    }

    pub(super) fn attribute(&mut self, all: &mut Specifiers) -> Parsed<()> {
        let word = self.take().text;
        if !matches!(&*word, "__attribute__" | "__attribute") {
            return self.one_attribute(&word, all);
        }
        let end = self.partner(self.at);
        self.at += 1;
        self.expect("(")?;
        while self.at < end && !self.is(")") {
            if self.eat(",") {
                continue;
            }
            let word = self.take().text;
            self.one_attribute(&word, all)?;
        }
        self.at = end + 1;
        Ok(())
    }

    fn one_attribute(&mut self, word: &str, all: &mut Specifiers) -> Parsed<()> {
        match word.trim_matches('_') {
            "shared" => all.shared = true,
            "device" => all.device = true,
            "global" => all.kernel = true,
            "constant" => all.constant = true,
            "const" => all.computes = true,
            "launch_bounds" if self.is("(") => {
                let bounds = self.constants()?;
                all.launch.threads = bounds.first().map(|most| (1, *most));
            }
            "amdgpu_flat_work_group_size" if self.is("(") => {
                let bounds = self.constants()?;
                all.launch.threads = bounds.first().copied().zip(bounds.get(1).copied());
            }
            "cluster_dims" if self.is("(") => all.launch.cluster = Some(sizes(&self.constants()?)),
            "reqd_work_group_size" | "block_size" if self.is("(") => {
                all.launch.exact = Some(sizes(&self.constants()?));
            }
            "address_space" if self.is("(") => {
                let space = self.constants()?.first().copied().unwrap_or(0);
                all.space = u32::try_from(space).unwrap_or(GENERIC);
            }
            "ext_vector_type" | "vector_size" if self.is("(") => {
                let count = self.constants()?.first().copied().unwrap_or(1).clamp(1, 64) as u64;
                let bytes = all.of.as_ref().map_or(4, |of| self.types.size(of).0.max(1));
                let sized = word.contains("size");
                all.vector = Some(if sized { (count / bytes).max(1) } else { count });
            }
            "aligned" | "align" | "alignas" if self.is("(") => {
                if self.begins_type(self.at + 1) {
                    self.skip_group();
                } else {
                    let align = self.constants()?.first().copied().unwrap_or(1);
                    all.align = all.align.max(align.clamp(1, 1 << 16) as u64);
                }
            }
            _ if self.is("(") => self.skip_group(),
            _ => {}
        }
        Ok(())
    }

    /// Reads a declarator: its name, if it has one, and its type.
    pub(super) fn declarator(&mut self, base: Type, space: u32) -> Parsed<(Option<Rc<str>>, Type)> {
        self.nested(|unit| unit.declarator_inside(base, space))
    }

    fn declarator_inside(&mut self, base: Type, space: u32) -> Parsed<(Option<Rc<str>>, Type)> {
        let (mut of, mut space) = (base, space);
        loop {
            if self.eat("*") {
                of = of.pointer(space);
                space = GENERIC;
            } else if self.is("&") || self.is("&&") {
                self.at += 1;
                of = Type::Reference(Rc::new(of), GENERIC);
            } else if self.is("const")
                || PASSED_OVER.contains(&&*self.peek().text)
                || self.opencl && OF_OPENCL.contains(&self.peek().text.trim_start_matches('_'))
            {
                self.at += 1;
            } else if self.is("__attribute__") || self.is("__attribute") {
                let mut more = Specifiers { of: Some(of.clone()), ..Specifiers::default() };
                self.attribute(&mut more)?;
                space = if more.space == GENERIC { space } else { more.space };
                if let Some(count) = more.vector {
                    of = self.vector(of, count);
                }
            } else {
                break;
            }
            if matches!(&of, Type::Pointer(..)) && types_depth(&of) > types::DEEPEST {
                return Err(Problem::at(self.peek(), "this type is nested too deeply"));
            }
        }
        if self.is("(") && (self.ahead(1).is("*") || self.ahead(1).is("&")) {
            let inner = self.at + 1;
            self.skip_group();
            if self.is("(") {
                return self.code_pointer(of, inner);
            }
            let of = self.dimensions(of)?;
            let after = self.at;
            self.at = inner;
            let found = self.declarator(of, GENERIC)?;
            self.expect(")")?;
            self.at = after;
            return Ok(found);
        }
        let name = match self.peek().kind {
            Kind::Word if self.is("operator") => Some(self.operator_name()?),
            Kind::Word => Some(self.name()?),
            _ => None,
        };
        Ok((name, self.dimensions(of)?))
    }

    /// The dimensions of an array; the first may be missing.
    fn dimensions(&mut self, of: Type) -> Parsed<Type> {
        let mut counts = Vec::new();
        while self.is("[") && !self.ahead(1).is("[") && counts.len() < types::DEEPEST as usize {
            self.at += 1;
            let count = if self.is("]") { 0 } else { self.constant()? };
            self.expect("]")?;
            counts.push(u64::try_from(count).unwrap_or(0).min(1 << 30));
        }
        Ok(counts.into_iter().rev().fold(of, |of, count| Type::Array(Rc::new(of), count)))
    }

    /// Reads the name of a type, as in a cast.
    pub(super) fn type_name(&mut self) -> Parsed<Type> {
        let specifiers = self.specifiers()?;
        let Some(of) = specifiers.of else { return Err(self.unexpected("a type")) };
        let (name, of) = self.declarator(of, specifiers.space)?;
        match name {
            Some(_) => Err(self.unexpected("a type")),
            None => Ok(of),
        }
    }
}

fn types_depth(of: &Type) -> u32 {
    let (mut depth, mut next) = (0, of);
    while let Type::Pointer(of, _) | Type::Reference(of, _) | Type::Array(of, _) = next {
        depth += 1;
        next = of;
    }
    depth
}

/// Sizes in three dimensions.
fn sizes(all: &[i64]) -> [i64; 3] {
    let mut sizes = [1; 3];
    sizes.iter_mut().zip(all).for_each(|(size, given)| *size = *given);
    sizes
}
