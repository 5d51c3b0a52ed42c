//! Calls of functions of the text, and initialisers.

use super::lexer::{Kind, Token};
use super::symbol::{Arguments, Is, Symbol, Value};
use super::types::{GENERIC, Type};
use super::unit::Unit;
use super::{Parsed, Problem};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Unit {
    /// The arguments of a call, in parentheses.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Value>> {
        let end = self.partner(self.at);
        self.expect("(")?;
        let mut all = Vec::new();
        let first = self.body.touched.len();
        while self.at < end {
            let middle = self.body.touched.len();
            let value = match &*self.peek().text {
                "{" => return Err(self.unsupported("an argument in braces")),
                "[" if self.peek().kind == Kind::Mark => Self::of_lambda(self.lambda()?),
                _ => self.nested(Self::assignment)?,
            };
            if let Is::Register(name) = &value.is {
                self.body.touched.push((name.clone(), false));
            }
            self.unsequenced(first, middle);
            // The argument keeps its value if a later argument changes the variable.
            all.push(value);
            if !self.eat(",") && self.at < end {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        self.expect(")")?;
        Ok(all)
    }

    /// A call of one of the functions with a name, which has been read.
    pub(super) fn call(&mut self, all: &[usize], name: &Token) -> Parsed<Value> {
        let explicit = self.explicit_arguments(all)?;
        if !self.is("(") {
            return self.code_address(all);
        }
        let given = self.arguments()?;
        self.mark = name.at;
        // A built-in function of the same name may fit the arguments.
        let fit = |at: &usize| self.fits(*at, &given, &explicit).is_some();
        if !all.iter().any(fit)
            && explicit.is_empty()
            && let Some(value) = self.computing(&name.text, &given)?
        {
            return Ok(value);
        }
        self.call_one_of(all, given, explicit, None)
    }

    /// Reads `<…>` after the name of functions; empty if there is none.
    pub(super) fn explicit_arguments(&mut self, all: &[usize]) -> Parsed<Arguments> {
        if !self.is("<") {
            return Ok(Arguments::new());
        }
        let template = all.iter().find_map(|at| self.functions[*at].template);
        let Some(template) = template else { return Err(self.unexpected("`(`")) };
        self.template_arguments(template)
    }

    /// The cost of converting arguments to the parameters of a function, 0 for an exact match; `None` if they do not fit.
    pub(super) fn fits(&self, at: usize, given: &[Value], known: &Arguments) -> Option<u32> {
        let function = &self.functions[at];
        let least = function.parameters.iter().filter(|one| one.default.is_none()).count();
        if given.len() < least || given.len() > function.parameters.len() {
            return None;
        }
        let mut cost = u32::from(function.template.is_some());
        for (parameter, value) in function.parameters.iter().zip(given) {
            let of = value.of.value();
            cost += match (&parameter.of.value(), &of) {
                (one, other) if one == other => 0,
                (Type::Parameter(_), _) => 0,
                (Type::Pointer(one, _), Type::Pointer(other, _) | Type::Array(other, _)) => {
                    let open = matches!(**one, Type::Parameter(_));
                    if one == other || open { 0 } else { 2 }
                }
                (Type::Pointer(..), from) if from.is_integer() => 8,
                (Type::Float(_), Type::Float(_)) => 1,
                (one, other) if one.is_integer() && other.is_integer() => 1,
                (one, other) if one.is_number() && other.is_number() => 4,
                (Type::Array(..), Type::Array(..)) => 1,
                (Type::Struct(_), _) if function.template.is_some() => 1,
                (Type::Struct(one), Type::Struct(other)) if self.types.derives(*other, *one) => 2,
                _ => return None,
            };
        }
        if function.template.is_some() {
            let mut known = known.clone();
            self.deduce(at, given, &mut known);
        }
        Some(cost)
    }

    pub(super) fn call_one_of(
        &mut self,
        all: &[usize],
        given: Vec<Value>,
        explicit: Arguments,
        this: Option<Value>,
    ) -> Parsed<Value> {
        let templates = !explicit.is_empty();
        let fitting = all.iter().filter(|at| !templates || self.functions[**at].template.is_some());
        let best = fitting
            .filter_map(|&at| Some((self.fits(at, &given, &explicit)?, at)))
            .min_by_key(|(cost, _)| *cost);
        let Some((_, at)) = best else {
            let name = all.first().map(|at| self.functions[*at].name.clone()).unwrap_or_default();
            let message = format!("no function `{name}` takes these arguments");
            return Err(Problem::at(&self.tokens[self.at.saturating_sub(1)], message));
        };
        let mut known = explicit;
        self.deduce(at, &given, &mut known);
        let at = self.instance(at, known)?;
        self.call_function(at, given, this)
    }

    /// Calls a function with these arguments.
    pub(super) fn call_function(
        &mut self,
        at: usize,
        mut given: Vec<Value>,
        this: Option<Value>,
    ) -> Parsed<Value> {
        let mark = self.mark;
        let function = self.functions[at].clone();
        for parameter in function.parameters.iter().skip(given.len()) {
            let Some(default) = parameter.default else { break };
            let value = self.elsewhere(default, |unit| unit.nested(Self::assignment))?;
            given.push(value);
        }
        if function.computes && function.body.is_none() {
            return self.opaque(&function.returns);
        }
        let known = |value: &Value| matches!(value.of, Type::Lambda(_)) || value.is_known_code();
        if given.iter().any(known) && function.body.is_some() {
            return self.call_with_lambdas(&function, &given, this);
        }
        let at = self.placed(at);
        let name = self.called(at);
        let mut passed: Vec<String> = Vec::new();
        let result = match &function.returns {
            of if self.types_in_memory(of) => Some(self.stack("result", of)),
            Type::Auto => return Err(self.unsupported("a function that returns `auto`")),
            _ => None,
        };
        for place in result.iter().chain(&this) {
            passed.push(self.passed_address(place.clone())?);
        }
        for (parameter, value) in function.parameters.iter().zip(given) {
            let argument = self.passed(&parameter.of, value)?;
            passed.push(argument);
        }
        self.mark = mark;
        let returned = match &function.returns {
            of if self.types_in_memory(of) => "void".into(),
            other => self.types.spelled(other),
        };
        let text = format!("call {returned} @{name}({})", passed.join(", "));
        if let Some(result) = result {
            self.effect(text);
            return Ok(result);
        }
        if let Type::Void | Type::Float(_) = function.returns {
            let is = if function.returns == Type::Void { Is::Nothing } else { Is::Data };
            self.effect(text);
            return Ok(Value { of: function.returns, is });
        }
        self.body.effects += 1;
        let value = self.compute(function.returns.clone(), text);
        Ok(match (&value.of, &value.is) {
            (Type::Reference(of, space), Is::Operand(address)) => {
                Value { of: (**of).clone(), is: Is::Place(address.clone(), *space) }
            }
            _ => value,
        })
    }

    fn passed_address(&mut self, place: Value) -> Parsed<String> {
        let address = self.address(place)?;
        let address = self.convert(address, &Type::Void.pointer(GENERIC))?;
        Ok(self.typed(&address))
    }

    /// An argument for a parameter of a type.
    fn passed(&mut self, of: &Type, value: Value) -> Parsed<String> {
        if let Type::Reference(to, _) = of {
            if let Is::Place(..) = value.is {
                return self.passed_address(value);
            }
            let to =
                if matches!(**to, Type::Parameter(_)) { value.of.clone() } else { (**to).clone() };
            let place = self.stack("argument", &to);
            self.assign(&place, value)?;
            return self.passed_address(place);
        }
        if self.types_in_memory(of) {
            let place = self.stack("argument", of);
            self.assign(&place, value)?;
            return self.passed_address(place);
        }
        let value = self.convert(value, of)?;
        Ok(self.typed(&value))
    }

    // Initialisers

    /// A value in braces.
    pub(super) fn braced(&mut self, of: &Type) -> Parsed<Value> {
        if self.types_in_memory(of) {
            let place = self.stack("value", of);
            self.initialize(&place)?;
            return Ok(place);
        }
        self.expect("{")?;
        let value = match self.is("}") {
            true => Self::zero(of.clone()),
            false => self.nested(Self::assignment)?,
        };
        self.eat(",");
        self.expect("}")?;
        self.convert(value, of)
    }

    /// Initialises a place with the values in braces.
    pub(super) fn initialize(&mut self, place: &Value) -> Parsed<()> {
        self.nested(|unit| unit.initialize_inside(place))
    }

    fn initialize_inside(&mut self, place: &Value) -> Parsed<()> {
        if let Type::Struct(at) = place.of
            && self.has_constructor(at, self.count_in_group())
        {
            return self.construct(place);
        }
        if place.of.is_scalar() {
            let value = self.braced(&place.of.clone())?;
            return self.assign(place, value);
        }
        let end = self.partner(self.at);
        self.expect("{")?;
        if !self.types.is_small(&place.of) {
            self.fill(place);
        }
        for (_, part) in self.parts(place)? {
            if self.is(".") && self.ahead(2).is("=") {
                // `.x = 1`: the fields must be in the order of their declaration.
                self.at += 3;
            }
            if self.at >= end {
                self.zeroed(&part)?;
            } else if self.is("{") {
                self.initialize(&part)?;
            } else {
                let value = self.nested(Self::assignment)?;
                self.assign(&part, value)?;
            }
            if self.at < end && !self.eat(",") {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        if self.at != end {
            return Err(self.unexpected("`}`"));
        }
        self.at = end + 1;
        Ok(())
    }

    /// Sets a part to zero, field by field if it is small.
    fn zeroed(&mut self, place: &Value) -> Parsed<()> {
        if place.of.is_scalar() {
            return self.assign(place, Self::zero(place.of.clone()));
        }
        if !self.types.is_small(&place.of) {
            self.fill(place);
            return Ok(());
        }
        for (_, part) in self.parts(place)? {
            self.nested(|unit| unit.zeroed(&part))?;
        }
        Ok(())
    }

    /// Writes all bytes of a place.
    fn fill(&mut self, place: &Value) {
        if let Is::Place(address, space) = &place.is {
            let to = self.types.spelled(&Type::Void.pointer(*space));
            let size = self.types.size(&place.of).0;
            self.effect(format!(
                "call void @llvm.memset({to} {address}, i8 0, i64 {size}, i1 false)"
            ));
        }
    }

    /// The number of values between the brackets that begin here.
    fn count_in_group(&self) -> usize {
        let end = self.partner(self.at);
        let (mut at, mut count) = (self.at + 1, usize::from(self.at + 1 < end));
        while at < end {
            count += usize::from(self.tokens[at].is(","));
            at = if self.partners[at] > at { self.partners[at] + 1 } else { at + 1 };
        }
        count
    }

    fn constructors(&self, at: usize) -> Vec<usize> {
        let key = format!("{}::constructor", self.types.structs[at].name);
        match self.scopes[0].get(&*key) {
            Some(Symbol::Functions(all)) => all.clone(),
            _ => Vec::new(),
        }
    }

    /// Whether a structure has a constructor for this number of arguments.
    pub(super) fn has_constructor(&self, at: usize, given: usize) -> bool {
        self.constructors(at).iter().any(|at| {
            let all = &self.functions[*at].parameters;
            let least = all.iter().filter(|one| one.default.is_none()).count();
            (least..=all.len()).contains(&given)
        })
    }

    pub(super) fn call_constructor(
        &mut self,
        at: usize,
        place: &Value,
        given: &[Value],
    ) -> Parsed<()> {
        let all = self.constructors(at);
        self.call_one_of(&all, given.to_vec(), Vec::new(), Some(place.clone())).map(drop)
    }

    /// `(1, 2)` or `{1, 2}` after a variable of a structure.
    pub(super) fn construct(&mut self, place: &Value) -> Parsed<()> {
        let end = self.partner(self.at);
        let braces = self.is("{");
        self.at += 1;
        let mut given = Vec::new();
        while self.at < end {
            given.push(self.nested(Self::assignment)?);
            if !self.eat(",") && self.at < end {
                return Err(self.unexpected("`,`"));
            }
        }
        self.expect(if braces { "}" } else { ")" })?;
        let Type::Struct(at) = place.of else {
            let Some(value) = given.pop() else { return Ok(()) };
            return self.assign(place, value);
        };
        if self.has_constructor(at, given.len()) {
            return self.call_constructor(at, place, &given);
        }
        if let [value] = &given[..]
            && value.of == place.of
        {
            return self.assign(place, value.clone());
        }
        let parts = self.parts(place)?;
        for (number, (_, part)) in parts.into_iter().enumerate() {
            match given.get(number) {
                Some(value) => self.assign(&part, value.clone())?,
                None => self.zeroed(&part)?,
            }
        }
        Ok(())
    }

    /// The initialisers of a constructor: `: a(x), b{y}`.
    pub(super) fn starts(&mut self) -> Parsed<()> {
        self.expect(":")?;
        loop {
            let name = self.name()?;
            let Some((at, this)) = self.body.this.clone() else { break };
            let Some(field) = self.types.field(at, &name).cloned() else {
                let message = format!("there is no field `{name}`");
                return Err(Problem::at(&self.tokens[self.at - 1], message));
            };
            let part = self.part(&this, &field)?;
            self.construct(&part)?;
            if !self.eat(",") {
                break;
            }
        }
        Ok(())
    }
}
