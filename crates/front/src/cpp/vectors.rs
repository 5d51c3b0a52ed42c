//! Vectors: their operators and elements. Values that are data, such as the contents of textures.

use super::Parsed;
use super::lexer::Kind;
use super::symbol::{Is, Symbol, Value};
use super::types::Type;
use super::unit::Unit;
use alloc::format;
use alloc::vec::Vec;

/// The beginnings of the names of texture functions.
const TEXTURES: [&str; 4] = ["tex1D", "tex2D", "tex3D", "texCubemap"];

impl Unit {
    /// A value of a type that is data.
    pub(super) fn opaque(&mut self, of: &Type) -> Parsed<Value> {
        if !self.types_in_memory(of) {
            return Ok(self.data(of.clone()));
        }
        let place = self.stack("data", of);
        for (_, part) in self.parts(&place)? {
            let value = self.nested(|unit| unit.opaque(&part.of))?;
            self.assign(&part, value)?;
        }
        Ok(place)
    }

    /// The type and the number of the elements of a vector; `None` for other types.
    pub(super) fn vector_of(&self, of: &Type) -> Option<(Type, usize)> {
        let Type::Struct(at) = of else { return None };
        let one = self.types.structs.get(*at)?;
        let known = *at < self.own_structs || one.name.contains(" x ");
        let first = one.fields.first().filter(|_| known && one.bases == 0)?;
        let alike = one.fields.iter().all(|field| field.of == first.of && field.of.is_number());
        (alike && matches!(&*first.name, "x" | "s0")).then(|| (first.of.clone(), one.fields.len()))
    }

    /// An operation on the elements of vectors, or of a vector and a number. A text can define other operators.
    pub(super) fn elementwise(
        &mut self,
        op: &str,
        one: &Value,
        other: &Value,
    ) -> Parsed<Option<Value>> {
        let vectors = [one, other].map(|value| self.vector_of(&value.of));
        let of = match (&vectors, &one.of, &other.of) {
            ([Some(_), Some(_)], first, second) if first == second => first.clone(),
            ([Some(_), None], first, second) if second.is_number() => first.clone(),
            ([None, Some(_)], first, second) if first.is_number() => second.clone(),
            _ => return Ok(None),
        };
        if self.operators || matches!(op, "==" | "!=" | "<" | ">" | "<=" | ">=") {
            return Ok(None);
        }
        let place = self.stack("vector", &of);
        let mut sides = [Vec::new(), Vec::new()];
        for ((side, value), vector) in sides.iter_mut().zip([one, other]).zip(&vectors) {
            *side = match vector {
                Some(_) => self.parts(value)?.into_iter().map(|(_, part)| part).collect(),
                None => alloc::vec![value.clone(); 16],
            };
        }
        let [left, right] = sides;
        for (((_, part), left), right) in self.parts(&place)?.into_iter().zip(left).zip(right) {
            let value = self.operation(op, left, right)?;
            self.assign(&part, value)?;
        }
        Ok(Some(place))
    }

    /// `(int2)(x, y)` after the type: a vector of these elements. A single element is used for all.
    pub(super) fn vector_literal(&mut self, of: &Type) -> Parsed<Option<Value>> {
        let Some((_, count)) = self.vector_of(of) else { return Ok(None) };
        let given = self.arguments()?;
        let mut elements = Vec::new();
        for value in given {
            match self.vector_of(&value.of) {
                Some(_) => elements.extend(self.parts(&value)?.into_iter().map(|(_, part)| part)),
                None => elements.push(self.rvalue(value)),
            }
        }
        if elements.len() == 1 {
            elements = alloc::vec![elements[0].clone(); count];
        }
        if elements.len() != count {
            return Err(self.unsupported("a vector of another number of elements"));
        }
        let place = self.stack("vector", of);
        for ((_, part), value) in self.parts(&place)?.into_iter().zip(elements) {
            self.assign(&part, value)?;
        }
        Ok(Some(place))
    }

    /// Elements of a vector by a name such as `s0`, `xy` or `lo`.
    pub(super) fn elements_of(&mut self, value: &Value, name: &str) -> Parsed<Option<Value>> {
        let Some((of, count)) = self.vector_of(&value.of).filter(|_| self.opencl) else {
            return Ok(None);
        };
        let half = count.next_power_of_two() / 2;
        let places: Option<Vec<usize>> = match name {
            "lo" => Some((0..half).collect()),
            "hi" => Some((half..2 * half).collect()),
            "even" => Some((0..half).map(|at| 2 * at).collect()),
            "odd" => Some((0..half).map(|at| 2 * at + 1).collect()),
            _ => match name.strip_prefix(['s', 'S']) {
                Some(digits) if !digits.is_empty() => {
                    digits.chars().map(|digit| digit.to_digit(16).map(|at| at as usize)).collect()
                }
                _ => name.chars().map(|letter| "xyzw".find(letter)).collect(),
            },
        };
        let Some(places) = places.filter(|all| all.iter().all(|at| *at < count)) else {
            return Ok(None);
        };
        let parts = self.parts(value)?;
        if let [at] = places[..] {
            return Ok(parts.get(at).map(|(_, part)| part.clone()));
        }
        if self.peek().kind == Kind::Mark
            && (self.is("=") || self.ahead(1).is("=") && self.ahead(1).glued)
            || self.peek().text.ends_with('=') && !self.is("==") && !self.is("!=")
        {
            return Err(self.unsupported("an assignment to several elements"));
        }
        let scalar = self.shown_name(&of);
        let Some(Symbol::Type(of)) = self.lookup(&format!("{scalar}{}", places.len())).cloned()
        else {
            return Ok(None);
        };
        let place = self.stack("elements", &of);
        let chosen = places.iter().filter_map(|at| parts.get(*at)).map(|(_, part)| part.clone());
        let chosen: Vec<Value> = chosen.collect();
        for ((_, part), value) in self.parts(&place)?.into_iter().zip(chosen) {
            self.assign(&part, value)?;
        }
        Ok(Some(place))
    }

    /// The name of a type of numbers at the beginning of the names of its vectors.
    pub(super) fn shown_name(&self, of: &Type) -> alloc::string::String {
        let name = self.shown(of);
        match name.strip_prefix("unsigned ") {
            Some(rest) => format!("u{rest}"),
            None => name,
        }
    }

    // Textures

    /// The result of a texture function, which is data.
    pub(super) fn texture(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        if self.opencl || !TEXTURES.iter().any(|start| name.starts_with(start)) {
            return Ok(None);
        }
        let of = match given.first().map(|first| first.of.value()) {
            Some(Type::Struct(at)) => match self.types.field(at, "texel").map(|one| &one.of) {
                // A texture is read as its elements, or as numbers between 0 and 1.
                Some(Type::Array(of, 1)) => (**of).clone(),
                Some(Type::Array(of, _)) => {
                    let count = self.types.count(of);
                    let name = if count == 1 { "float".into() } else { format!("float{count}") };
                    match self.lookup(&name) {
                        Some(Symbol::Type(of)) => of.clone(),
                        _ => Type::Float(32),
                    }
                }
                _ => return Ok(None),
            },
            Some(Type::Pointer(to, _)) => {
                let place = self.at_address(given[0].clone())?;
                let value = self.opaque(&to)?;
                self.assign(&place, value)?;
                return Ok(Some(Self::nothing()));
            }
            _ => return Ok(None),
        };
        let of = match of.is_number().then(|| self.shown_name(&of)) {
            Some(scalar) if name.ends_with("gather") => match self.lookup(&format!("{scalar}4")) {
                Some(Symbol::Type(of)) => of.clone(),
                _ => of,
            },
            _ => of,
        };
        self.opaque(&of).map(Some)
    }

    /// `tex2D<float>(…)`: a function of a texture object.
    pub(super) fn texel_of(&mut self, name: &str, after: usize) -> Parsed<Option<Value>> {
        if self.opencl || !TEXTURES.iter().any(|start| name.starts_with(start)) {
            return Ok(None);
        }
        self.at = after;
        self.expect("<")?;
        let of = self.type_name()?;
        self.expect(">")?;
        let given = self.arguments()?;
        if let Some(Type::Pointer(..)) = given.first().map(|first| first.of.value()) {
            return self.texture(name, &given);
        }
        for value in given {
            if !matches!(value.is, Is::Place(..)) || value.of.is_scalar() {
                self.rvalue(value);
            }
        }
        self.opaque(&of).map(Some)
    }
}
