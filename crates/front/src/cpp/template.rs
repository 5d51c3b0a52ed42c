//! Templates, their parameters and their instances.

use super::symbol::{
    Arguments, Function, Is, Scope, Shape, Symbol, Template, TemplateParameter, Value,
};
use super::types::{GENERIC, Type};
use super::unit::Unit;
use super::{Parsed, Problem};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// The maximum number of instances of all templates.
const MOST: usize = 300;

impl Unit {
    /// Reads `template <…>` and the declaration after it.
    pub(super) fn template(&mut self, owner: Option<usize>) -> Parsed<()> {
        self.expect("template")?;
        if !self.is("<") {
            return self.explicit_instance();
        }
        let parameters = self.template_parameters()?;
        if parameters.is_empty() && owner.is_none() {
            return self.specialisation();
        }
        if self.is("template") || self.is("requires") {
            return Err(self.unsupported("this template"));
        }
        let head = self.at;
        let mut template = Template { name: "".into(), parameters, head };
        if self.is("struct") || self.is("class") {
            self.at += 1;
            template.name = self.name()?;
            if self.is("<") {
                return Err(self.unsupported("a specialisation of a template"));
            }
            while !self.is("{") && !self.is(";") {
                self.at += 1;
            }
            if self.is("{") {
                self.skip_group();
                self.templates.push(template.clone());
                let symbol = Symbol::StructTemplate(self.templates.len() - 1);
                self.declare(template.name, symbol);
            }
            return self.expect(";");
        }
        let placeholders = |(number, one): (usize, &TemplateParameter)| {
            let symbol = match one.of_type {
                true => Symbol::Type(Type::Parameter(number)),
                false => Symbol::Value(Self::integer(1, super::types::INT)),
            };
            Some((one.name.clone()?, symbol))
        };
        let scope: Scope =
            template.parameters.iter().enumerate().filter_map(placeholders).collect();
        let number = self.templates.len();
        self.templates.push(template);
        self.scopes.push(scope);
        let read = self.template_function(number, owner);
        self.scopes.pop();
        read
    }

    fn template_function(&mut self, number: usize, owner: Option<usize>) -> Parsed<()> {
        let specifiers = self.specifiers()?;
        let Some(base) = specifiers.of.clone() else { return Err(self.unexpected("a type")) };
        let (Some(name), of) = self.declarator(base, specifiers.space)? else {
            return Err(self.unexpected("the name of a function"));
        };
        self.templates[number].name = name.clone();
        if !self.is("(") {
            return Err(self.unsupported("a template of a variable"));
        }
        // The name distinguishes it from functions with the same parameters.
        let at = self.function(&specifiers, format!("{name}<>{number}").into(), of, owner)?;
        self.functions[at].template = Some(number);
        self.functions[at].bindings = self.names_around();
        let key = owner.map_or(name.clone(), |owner| {
            format!("{}::{name}", self.types.structs[owner].name).into()
        });
        let known = match self.scopes[0].get(&key) {
            Some(Symbol::Functions(known)) => known.clone(),
            _ => Vec::new(),
        };
        let all = known.into_iter().chain([at]).collect();
        self.scopes[0].insert(key, Symbol::Functions(all));
        Ok(())
    }

    /// The names of all scopes except that of the whole text.
    fn names_around(&self) -> Scope {
        let names = self.scopes.iter().skip(1).flatten();
        names.map(|(name, symbol)| (name.clone(), symbol.clone())).collect()
    }

    /// `template __global__ void k<256>(float *);`
    fn explicit_instance(&mut self) -> Parsed<()> {
        let mut at = self.at;
        while !self.tokens[at].is(";") && !self.tokens[at].is("<") && at + 1 < self.tokens.len() {
            at += 1;
        }
        if self.tokens[at].is("<") {
            self.kernel_instance(at)?;
        }
        while !self.is(";") && self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        self.expect(";")
    }

    /// Writes the instance of a kernel template. Its arguments begin at a position, after its name.
    pub(super) fn kernel_instance(&mut self, at: usize) -> Parsed<()> {
        let Some(before) = at.checked_sub(1).map(|at| self.tokens[at].text.clone()) else {
            return Ok(());
        };
        let Some(Symbol::Functions(all)) = self.scopes[0].get(&before).cloned() else {
            return Ok(());
        };
        let kernel = all.into_iter().find(|at| {
            let one = &self.functions[*at];
            one.kernel && one.template.is_some()
        });
        let Some(kernel) = kernel else { return Ok(()) };
        let Some(template) = self.functions[kernel].template else { return Ok(()) };
        let back = core::mem::replace(&mut self.at, at);
        let arguments = self.template_arguments(template);
        self.at = back;
        // If only the host knows the arguments, the defaults are used.
        let arguments = arguments.unwrap_or_default();
        if let Ok(instance) = self.instance(kernel, arguments) {
            self.called(instance);
        }
        Ok(())
    }

    fn template_parameters(&mut self) -> Parsed<Vec<TemplateParameter>> {
        self.expect("<")?;
        let mut all = Vec::new();
        while !self.eat(">") {
            let of_type = self.is("typename") || self.is("class");
            if of_type {
                self.at += 1;
            } else {
                self.specifiers()?;
            }
            if self.is("...") || self.is("<") {
                return Err(self.unsupported("this parameter of a template"));
            }
            let name = match self.peek().kind {
                super::lexer::Kind::Word => Some(self.name()?),
                _ => None,
            };
            let mut default = None;
            if self.eat("=") {
                default = Some(self.at);
                while !self.is(",") && !self.is(">") && self.at + 1 < self.tokens.len() {
                    match self.is("(") || self.is("{") {
                        true => self.skip_group(),
                        false => self.at += 1,
                    }
                }
            }
            all.push(TemplateParameter { name, of_type, default });
            if !self.eat(",") && !self.is(">") {
                return Err(self.unexpected("`,` or `>`"));
            }
        }
        Ok(all)
    }

    /// Reads `<…>` after the name of a template.
    pub(super) fn template_arguments(&mut self, template: usize) -> Parsed<Arguments> {
        let parameters = self.templates[template].parameters.clone();
        let mut all = Vec::new();
        self.expect("<")?;
        while !self.eat(">") {
            let Some(parameter) = parameters.get(all.len()) else {
                return Err(self.unexpected("`>`"));
            };
            let argument = self.template_argument(parameter.of_type)?;
            all.push(Some(argument));
            if !self.eat(",") && !self.is(">") {
                return Err(self.unexpected("`,` or `>`"));
            }
        }
        Ok(all)
    }

    fn template_argument(&mut self, of_type: bool) -> Parsed<Symbol> {
        if of_type {
            return Ok(Symbol::Type(self.type_name()?));
        }
        // `>` ends the list.
        let value = self.nested(|unit| unit.binary(8))?;
        match value.is {
            Is::Int(_) => Ok(Symbol::Value(value)),
            _ => Err(Problem::at(self.peek(), "the argument of a template must be a constant")),
        }
    }

    /// The arguments of a template by the names of its parameters, and a name for this combination.
    pub(super) fn bind(
        &mut self,
        template: usize,
        arguments: &Arguments,
    ) -> Parsed<(Scope, String)> {
        let Template { parameters, name, .. } = self.templates[template].clone();
        let (mut scope, mut key) = (Scope::new(), format!("{name}<"));
        for (number, parameter) in parameters.iter().enumerate() {
            let given = arguments.get(number).cloned().flatten();
            let symbol = match (given, parameter.default) {
                (Some(given), _) => given,
                (None, Some(default)) => {
                    let scope = scope.clone();
                    self.global(scope, |unit| {
                        unit.elsewhere(default, |unit| unit.template_argument(parameter.of_type))
                    })?
                }
                (None, None) => {
                    let which = parameter.name.as_deref().unwrap_or("");
                    let message = format!(
                        "the parameter `{which}` of `{name}` cannot be deduced from the arguments"
                    );
                    return Err(Problem::at(self.peek(), message));
                }
            };
            match &symbol {
                Symbol::Type(of) => key += &self.types.key(of),
                Symbol::Value(Value { is: Is::Int(number), .. }) => key += &format!("{number}"),
                _ => {}
            }
            key.push(',');
            if let Some(name) = &parameter.name {
                scope.insert(name.clone(), symbol);
            }
        }
        Ok((scope, key))
    }

    /// Reads with the names of the whole text and those of a scope.
    fn global<T>(&mut self, scope: Scope, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let rest = self.scopes.split_off(1);
        self.scopes.push(scope);
        let read = read(self);
        self.scopes.truncate(1);
        self.scopes.extend(rest);
        read
    }

    fn limited(&self) -> Parsed<()> {
        if self.instances.len() < MOST {
            return Ok(());
        }
        Err(Problem::at(self.peek(), "the text uses too many instances of templates"))
    }

    /// An instance of a template of functions.
    pub(super) fn instance(&mut self, function: usize, arguments: Arguments) -> Parsed<usize> {
        let Some(template) = self.functions[function].template else { return Ok(function) };
        let (own, key) = self.bind(template, &arguments)?;
        let key = format!("{key}>{template}");
        if let Some(&known) = self.instances.get(&key) {
            return Ok(known);
        }
        self.limited()?;
        let mut scope = self.functions[function].bindings.clone();
        scope.extend(own);
        let owner = self.functions[function].owner;
        let head = self.templates[template].head;
        let shown = self.templates[template].name.clone();
        let name: Rc<str> = key.as_str().into();
        let around = core::mem::replace(&mut self.inside, owner);
        let made = self.global(scope.clone(), |unit| {
            unit.elsewhere(head, |unit| {
                let specifiers = unit.specifiers()?;
                let base = specifiers.of.clone().unwrap_or(Type::Void);
                let (_, of) = unit.declarator(base, specifiers.space)?;
                unit.function(&specifiers, name, of, owner)
            })
        });
        self.inside = around;
        let made = made?;
        let mut linked = shown.clone();
        while self.functions.iter().any(|other| other.linked == linked) {
            linked = format!("{shown}.{}", self.count()).into();
        }
        let one: &mut Function = &mut self.functions[made];
        one.bindings = scope;
        one.linked = linked;
        self.instances.insert(key, made);
        Ok(made)
    }

    /// An instance of a template of structures, whose arguments are read.
    pub(super) fn struct_instance(&mut self, template: usize) -> Parsed<Type> {
        let arguments = match self.is("<") {
            true => self.template_arguments(template)?,
            false => Vec::new(),
        };
        let (mut scope, key) = self.bind(template, &arguments)?;
        let key = format!("{key}>{template}");
        if let Some(&known) = self.instances.get(&key) {
            return Ok(Type::Struct(known));
        }
        self.limited()?;
        let Template { head, name, .. } = self.templates[template].clone();
        let bases = self.nested(|unit| {
            unit.global(scope.clone(), |unit| {
                unit.elsewhere(head, |unit| {
                    while !unit.is("{") && !unit.is(":") {
                        unit.at += 1;
                    }
                    unit.bases()
                })
            })
        })?;
        let shown: Rc<str> = key.as_str().into();
        let of = self.new_struct(&shown);
        let Type::Struct(at) = of else { return Ok(of) };
        scope.insert(name, Symbol::Type(of.clone()));
        self.instances.insert(key, at);
        self.global(scope, |unit| {
            unit.elsewhere(head, |unit| {
                while !unit.is("{") {
                    unit.at += 1;
                }
                unit.derive(at, bases)?;
                unit.members(at, "struct", 1)
            })
        })?;
        Ok(of)
    }

    /// Reads a member function, if one is next. Returns whether it was one.
    pub(super) fn member_function(&mut self, owner: usize) -> Parsed<bool> {
        if self.is("template") {
            match self.shape_of_template() {
                Shape::Host(end) => self.at = end,
                _ => self.template(Some(owner))?,
            }
            return Ok(true);
        }
        match self.shape() {
            Shape::Other => return Ok(false),
            Shape::Host(end) => {
                self.at = end;
                return Ok(true);
            }
            Shape::Function => {}
        }
        let mut head = self.tokens[self.at..].iter().take_while(|token| !token.is("("));
        if head.any(|token| token.is("virtual")) {
            return Err(self.unsupported("a virtual function"));
        }
        let specifiers = self.specifiers()?;
        let makes = specifiers.of == Some(Type::Struct(owner)) && self.is("(");
        let (name, of) = if makes {
            (Some("constructor".into()), Type::Void)
        } else {
            let Some(base) = specifiers.of.clone() else {
                return Err(self.unsupported("this function of a structure"));
            };
            self.declarator(base, specifiers.space)?
        };
        let Some(name) = name else { return Err(self.unexpected("the name of a function")) };
        let at = self.function(&specifiers, name, of, Some(owner))?;
        self.functions[at].makes = makes;
        self.functions[at].bindings = self.names_around();
        Ok(true)
    }

    /// Deduces the arguments of a template from the arguments of a call.
    pub(super) fn deduce(&self, function: usize, given: &[Value], known: &mut Arguments) {
        let Some(template) = self.functions[function].template else { return };
        let count = self.templates[template].parameters.len();
        known.resize(count, None);
        for (parameter, value) in self.functions[function].parameters.iter().zip(given) {
            unify(&parameter.of, &value.of, known);
        }
    }
}

fn unify(pattern: &Type, of: &Type, known: &mut Arguments) {
    match (pattern, of) {
        (Type::Parameter(number), of) => {
            if let Some(slot @ None) = known.get_mut(*number) {
                let decayed = match of {
                    Type::Array(of, _) | Type::Pointer(of, _) => Type::Pointer(of.clone(), GENERIC),
                    other => other.value(),
                };
                *slot = Some(Symbol::Type(decayed));
            }
        }
        (Type::Reference(pattern, _), of) => match (&**pattern, of) {
            (Type::Parameter(number), Type::Array(..)) => {
                if let Some(slot @ None) = known.get_mut(*number) {
                    *slot = Some(Symbol::Type(of.clone()));
                }
            }
            _ => unify(pattern, &of.value(), known),
        },
        (Type::Pointer(pattern, _), Type::Pointer(of, _) | Type::Array(of, _))
        | (Type::Array(pattern, _), Type::Array(of, _)) => unify(pattern, of, known),
        _ => {}
    }
}
