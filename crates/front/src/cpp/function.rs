//! Functions: their heads and bodies.

use super::lexer::{At, Kind};
use super::symbol::{Function, Is, Parameter, Scope, Specifiers, Symbol, Value};
use super::types::{GENERIC, GLOBAL, PRIVATE, Type};
use super::unit::{Body, Line, Unit};
use super::{Advice, Parsed, Problem};
use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// The maximum number of copies of functions from headers.
const MOST_PLACED: usize = 500;

/// The type of the description of a tensor.
const TENSOR_MAP: &str = "CUtensorMap";

impl Unit {
    /// Reads the parameters of a function.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let end = self.partner(self.at);
        self.at += 1;
        let mut all = Vec::new();
        if self.is("void") && self.ahead(1).is(")") {
            self.at += 1;
        }
        while self.at < end {
            if self.is("...") {
                return Err(self.unsupported("a function with any number of parameters"));
            }
            let specifiers = self.specifiers()?;
            let Some(base) = specifiers.of.clone() else {
                return Err(self.unexpected("the type of a parameter"));
            };
            let (name, of) = self.declarator(base, specifiers.space)?;
            let of = match of {
                Type::Array(of, _) => Type::Pointer(of, specifiers.space),
                other => other,
            };
            let mut default = None;
            if self.eat("=") {
                default = Some(self.at);
                self.skip_initializer_of_parameter(end);
            }
            all.push(Parameter { name, of, default });
            if !self.eat(",") && self.at < end {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        self.at = end + 1;
        Ok(all)
    }

    fn skip_initializer_of_parameter(&mut self, end: usize) {
        while self.at < end && !self.is(",") {
            match self.is("(") || self.is("{") || self.is("[") {
                true => self.skip_group(),
                false => self.at += 1,
            }
        }
    }

    /// Reads the rest of a function after its name, and declares it.
    pub(super) fn function(
        &mut self,
        specifiers: &Specifiers,
        name: Rc<str>,
        returns: Type,
        owner: Option<usize>,
    ) -> Parsed<usize> {
        let at = self.tokens[self.at.saturating_sub(1)].at;
        let parameters = self.parameters()?;
        let mut more = specifiers.clone();
        let mut returns = returns;
        loop {
            if self.eat("->") {
                returns = self.type_name()?;
            } else if self.is("const")
                || self.is("__attribute__")
                || self.is("__attribute")
                || self.is("noexcept")
                || self.is("__launch_bounds__")
                || self.is("override")
                || self.is("volatile")
            {
                let before = self.at;
                let read = self.specifiers()?;
                more.launch.threads = more.launch.threads.or(read.launch.threads);
                more.launch.exact = more.launch.exact.or(read.launch.exact);
                more.computes |= read.computes;
                if self.at == before {
                    self.at += 1;
                }
                if self.is("(") {
                    self.skip_group();
                }
            } else {
                break;
            }
        }
        let starts = self.is(":").then_some(self.at);
        if starts.is_some() {
            while (!self.is("{") || self.is_start_of_member()) && self.peek().kind != Kind::End {
                match self.is("(") || self.is("{") {
                    true => self.skip_group(),
                    false => self.at += 1,
                }
            }
        }
        let mut body = None;
        if self.is("{") {
            body = Some(self.at);
            self.skip_group();
        } else if self.eat("=") {
            self.at += 1;
            self.expect(";")?;
        } else {
            self.expect(";")?;
        }
        let (kernel, computes, launch) = (more.kernel, more.computes, more.launch);
        let function = Function {
            linked: name.clone(),
            name,
            parameters,
            returns,
            body,
            starts,
            kernel,
            computes,
            launch,
            owner,
            makes: false,
            template: None,
            bindings: Scope::new(),
            queued: false,
            at,
            called_at: None,
        };
        self.add_function(function)
    }

    /// Whether this `{` belongs to the initialiser of a member, not to the body of a constructor.
    fn is_start_of_member(&self) -> bool {
        let before = &self.tokens[self.at.saturating_sub(1)];
        let after = self.tokens.get(self.partner(self.at) + 1);
        before.kind == Kind::Word && after.is_some_and(|next| next.is(",") || next.is("{"))
    }

    /// Declares a function; a definition replaces its prototype.
    fn add_function(&mut self, mut function: Function) -> Parsed<usize> {
        let key: Rc<str> = match function.owner {
            Some(of) => format!("{}::{}", self.types.structs[of].name, function.name).into(),
            None => function.name.clone(),
        };
        let known = match self.scopes[0].get(&key) {
            Some(Symbol::Functions(known)) => known.clone(),
            _ => Vec::new(),
        };
        let same = |at: &&usize| {
            let other = &self.functions[**at];
            let types = |one: &Function| -> Vec<Type> {
                one.parameters.iter().map(|parameter| parameter.of.clone()).collect()
            };
            other.template.is_none()
                && function.template.is_none()
                && types(other) == types(&function)
        };
        if let Some(&at) = known.iter().find(same) {
            let known = self.functions[at].body.filter(|body| *body >= self.own);
            if known.is_some_and(|known| function.body.is_some_and(|body| body != known)) {
                return Err(self.defined_twice(&function.name, function.at));
            }
            if function.body.is_some() {
                function.linked = self.functions[at].linked.clone();
                function.kernel |= self.functions[at].kernel;
                let launch = self.functions[at].launch.clone();
                function.launch.threads = function.launch.threads.or(launch.threads);
                let defaults = self.functions[at].parameters.clone();
                for (one, known) in function.parameters.iter_mut().zip(defaults) {
                    one.default = one.default.or(known.default);
                }
                self.functions[at] = function;
            }
            return Ok(at);
        }
        let taken = self.functions.iter().any(|other| other.linked == function.linked);
        if taken || function.owner.is_some() {
            let number = self.count();
            function.linked = format!("{}.{number}", function.name).into();
        }
        self.functions.push(function);
        let at = self.functions.len() - 1;
        let all = known.into_iter().chain([at]).collect();
        self.scopes[0].insert(key, Symbol::Functions(all));
        Ok(at)
    }

    /// The problem of two definitions of a name. Namespaces do not separate names here.
    pub(super) fn defined_twice(&self, name: &str, at: At) -> Box<Problem> {
        let mut problem = self.unsupported(&format!("a second definition of `{name}`"));
        (problem.at, problem.advise) = (at, Some(Advice::Name));
        problem
    }

    /// The function to call here. A function from a header is written once for each call in the text, so that its instructions
    /// have the position of the call.
    pub(super) fn placed(&mut self, at: usize) -> usize {
        let function = &self.functions[at];
        if function.at.header == 0 || function.body.is_none() || self.placed.len() >= MOST_PLACED {
            return at;
        }
        let here = self.in_text(self.mark);
        if let Some(&known) = self.placed.get(&(at, here)) {
            return known;
        }
        let number = self.count();
        let function = &self.functions[at];
        let linked = format!("{}.{number}", function.linked).into();
        let placed = Function { linked, called_at: Some(here), queued: false, ..function.clone() };
        self.functions.push(placed);
        self.placed.insert((at, here), self.functions.len() - 1);
        self.functions.len() - 1
    }

    /// Ensures that a function is written, and returns its name.
    pub(super) fn called(&mut self, at: usize) -> Rc<str> {
        let function = &mut self.functions[at];
        if !function.queued && function.body.is_some() && self.dry == 0 {
            function.queued = true;
            self.queue.push(at);
        }
        self.functions[at].linked.clone()
    }

    /// Writes a function.
    pub(super) fn write(&mut self, at: usize) -> Parsed<Vec<Line>> {
        let function = self.functions[at].clone();
        let Some(body) = function.body else { return Ok(Vec::new()) };
        self.body = Body { open: true, called_at: function.called_at, ..Body::default() };
        self.mark = function.at;
        self.scopes.truncate(1);
        self.scopes.push(function.bindings.clone());
        self.scopes.push(Scope::new());
        self.body.in_memory = self.addressed(body);
        let parameters = self.write_parameters(&function)?;
        let kernel = match (function.kernel, self.amdgpu) {
            (true, _) if self.opencl => "amdgpu_kernel ",
            (true, true) => "amdgpu_kernel ",
            (true, false) => "ptx_kernel ",
            _ => "",
        };
        let returned = if self.types_in_memory(&function.returns) {
            Type::Void
        } else {
            function.returns.clone()
        };
        let returned = self.types.spelled(&returned);
        let attributes = self.attributes(&function);
        let head = format!(
            "define {kernel}{returned} @{}({}) {} {{",
            function.linked,
            parameters.join(", "),
            attributes
        );
        self.body.returns = Some(function.returns.clone());
        if let Some(starts) = function.starts {
            self.at = starts;
            self.starts()?;
        }
        self.at = body;
        self.statement()?;
        self.finish(&function);
        let mut lines = alloc::vec![Line { text: head, at: function.at }];
        lines.append(&mut self.body.lines);
        lines.push(Line { text: "}".into(), at: function.at });
        for line in &mut lines {
            line.at = self.in_text(line.at);
        }
        Ok(lines)
    }

    /// Whether values of a type are passed by address.
    pub(super) const fn types_in_memory(&self, of: &Type) -> bool {
        matches!(of, Type::Struct(_) | Type::Array(..) | Type::Barrier)
    }

    fn finish(&mut self, function: &Function) {
        if !self.body.open {
            return;
        }
        let plain = function.returns == Type::Void || self.types_in_memory(&function.returns);
        if plain {
            self.effect("ret void".into());
        } else {
            // A missing `return` is undefined.
            let of = self.types.spelled(&function.returns);
            self.effect(format!("ret {of} undef"));
        }
    }

    fn attributes(&mut self, function: &Function) -> String {
        let mut text = String::from("#0");
        let launch = &function.launch;
        if !function.kernel {
            return text;
        }
        let dimensions = |[x, y, z]: [i64; 3]| format!("{x},{y},{z}");
        if let Some([x, y, z]) = launch.exact.filter(|_| self.opencl) {
            let number = 100 + self.count();
            let node = format!("!{number} = !{{i32 {x}, i32 {y}, i32 {z}}}");
            self.globals.push(Line { text: node, at: function.at });
            return text + &format!(" !reqd_work_group_size !{number}");
        }
        if let Some(exact) = launch.exact {
            let all = exact.iter().product::<i64>();
            text += &match self.amdgpu {
                true => format!(" \"amdgpu-flat-work-group-size\"=\"{all},{all}\""),
                false => format!(" \"nvvm.reqntid\"=\"{}\"", dimensions(exact)),
            };
        } else if let Some((least, most)) = launch.threads {
            text += &match self.amdgpu {
                true => format!(" \"amdgpu-flat-work-group-size\"=\"{least},{most}\""),
                false => format!(" \"nvvm.maxntid\"=\"{most}\""),
            };
        }
        if let Some(cluster) = launch.cluster {
            let key = if self.amdgpu { "amdgpu-cluster-dims" } else { "nvvm.cluster_dim" };
            text += &format!(" \"{key}\"=\"{}\"", dimensions(cluster));
        }
        text
    }

    fn write_parameters(&mut self, function: &Function) -> Parsed<Vec<String>> {
        let mut spelled = Vec::new();
        if !function.kernel && self.types_in_memory(&function.returns) {
            spelled.push("ptr %result".into());
            let is = Is::Place("%result".into(), GENERIC);
            self.body.result = Some(Value { of: function.returns.clone(), is });
        }
        if let Some(owner) = function.owner {
            spelled.push("ptr %this".into());
            let is = Is::Place("%this".into(), GENERIC);
            self.body.this = Some((owner, Value { of: Type::Struct(owner), is }));
        }
        for (number, parameter) in function.parameters.iter().enumerate() {
            let name = parameter.name.clone().unwrap_or_else(|| format!("unnamed{number}").into());
            if function.kernel {
                self.kernel_parameter(&name, &parameter.of, &mut spelled)?;
                continue;
            }
            let raw: Rc<str> = format!("%{name}").into();
            if let Type::Reference(of, space) = &parameter.of {
                spelled.push(format!("ptr {raw}"));
                let is = Is::Place(raw, *space);
                self.declare(name, Symbol::Value(Value { of: (**of).clone(), is }));
            } else if self.types_in_memory(&parameter.of) {
                spelled.push(format!("ptr {raw}"));
                let is = Is::Place(raw, GENERIC);
                self.declare(name, Symbol::Value(Value { of: parameter.of.clone(), is }));
            } else {
                spelled.push(format!("{} {raw}", self.types.spelled(&parameter.of)));
                self.parameter_variable(name, raw, &parameter.of)?;
            }
        }
        Ok(spelled)
    }

    /// A variable with the value of a parameter.
    fn parameter_variable(&mut self, name: Rc<str>, raw: Rc<str>, of: &Type) -> Parsed<()> {
        let is = if matches!(of, Type::Float(_)) { Is::Data } else { Is::Operand(raw) };
        let variable = self.variable(&name, of);
        self.assign(&variable, Value { of: of.clone(), is })?;
        self.declare(name, Symbol::Value(variable));
        Ok(())
    }

    /// Adds a parameter of a kernel. The fields of a structure become separate parameters. A tensor map stays one parameter,
    /// because copies of tiles refer to its address.
    fn kernel_parameter(
        &mut self,
        name: &Rc<str>,
        of: &Type,
        spelled: &mut Vec<String>,
    ) -> Parsed<()> {
        if !self.types_in_memory(of) {
            let raw: Rc<str> = format!("%{name}").into();
            let value = self.kernel_scalar(&raw, of, spelled)?;
            let variable = self.variable(name, of);
            self.assign(&variable, value)?;
            self.declare(name.clone(), Symbol::Value(variable));
            return Ok(());
        }
        if matches!(of, Type::Struct(at) if &*self.types.structs[*at].name == TENSOR_MAP) {
            let raw: Rc<str> = format!("%{name}").into();
            spelled.push(format!("ptr byval({}) {raw}", self.types.spelled(of)));
            let is = Is::Place(raw, GENERIC);
            self.declare(name.clone(), Symbol::Value(Value { of: of.clone(), is }));
            return Ok(());
        }
        let place = self.stack(name, of);
        self.declare(name.clone(), Symbol::Value(place.clone()));
        self.kernel_fields(name, &place, spelled, 0)
    }

    fn kernel_scalar(
        &mut self,
        raw: &Rc<str>,
        of: &Type,
        spelled: &mut Vec<String>,
    ) -> Parsed<Value> {
        if matches!(of, Type::Reference(..) | Type::Void) {
            return Err(Problem::at(self.peek(), "a kernel has no parameter of this type"));
        }
        let Type::Pointer(to, space) = of else {
            spelled.push(format!("{} {raw}", self.types.spelled(of)));
            let is = if matches!(of, Type::Float(_)) { Is::Data } else { Is::Operand(raw.clone()) };
            return Ok(Value { of: of.clone(), is });
        };
        let space = if self.opencl && *space != GENERIC { *space } else { GLOBAL };
        let passed = Type::Pointer(to.clone(), space);
        spelled.push(format!("{} {raw}", self.types.spelled(&passed)));
        self.convert(Value { of: passed, is: Is::Operand(raw.clone()) }, of)
    }

    fn kernel_fields(
        &mut self,
        name: &str,
        place: &Value,
        spelled: &mut Vec<String>,
        depth: u32,
    ) -> Parsed<()> {
        for (field, part) in self.parts(place)? {
            let name: Rc<str> = format!("{name}.{field}").into();
            if depth > 8 || spelled.len() > 256 {
                return Err(self.unsupported("a parameter of so many values"));
            }
            if self.types_in_memory(&part.of) {
                self.kernel_fields(&name, &part, spelled, depth + 1)?;
            } else {
                let raw: Rc<str> = format!("%{name}").into();
                let value = self.kernel_scalar(&raw, &part.of, spelled)?;
                self.assign(&part, value)?;
            }
        }
        Ok(())
    }

    /// The fields or elements of a place, with their names.
    pub(super) fn parts(&mut self, place: &Value) -> Parsed<Vec<(Rc<str>, Value)>> {
        let mut parts = Vec::new();
        match &place.of {
            Type::Struct(at) => {
                for field in self.types.structs[*at].fields.clone() {
                    let part = self.part(place, &field)?;
                    parts.push((field.name, part));
                }
            }
            Type::Array(_, count) => {
                for number in 0..(*count).min(256) {
                    let pointer = self.rvalue(place.clone());
                    let index = Self::integer(number as i64, Type::Int(64, true));
                    let element = self.element(pointer, index)?;
                    parts.push((format!("{number}").into(), self.at_address(element)?));
                }
            }
            _ => {}
        }
        Ok(parts)
    }

    /// A variable of the function: in a register, or in private memory.
    pub(super) fn variable(&mut self, name: &str, of: &Type) -> Value {
        if self.types_in_memory(of) || self.body.in_memory.contains(name) {
            return self.stack(name, of);
        }
        let number = self.count();
        Value { of: of.clone(), is: Is::Register(format!("%{name}.{number}").into()) }
    }

    /// A variable in private memory.
    pub(super) fn stack(&mut self, name: &str, of: &Type) -> Value {
        let number = self.count();
        let address: Rc<str> = format!("%{name}.{number}").into();
        let stored = self.types.stored(of);
        self.effect(format!("{address} = alloca {stored}, align 16, addrspace({PRIVATE})"));
        Value { of: of.clone(), is: Is::Place(address, PRIVATE) }
    }
}
