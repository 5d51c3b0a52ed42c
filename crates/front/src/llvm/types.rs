//! Types, their sizes, and the scalars that they consist of.

use super::cursor::{Cursor, Parsed};
use super::lexer::Kind;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// The maximum number of scalars of a value whose elements are followed.
const MOST_SCALARS: usize = 64;
/// Deepest nesting of types.
const DEEPEST: u32 = 32;

/// The address space that stands for images.
pub(super) const IMAGE: u32 = 1000;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Void,
    Int(u32),
    /// A floating-point number of this width, in bits.
    Float(u32),
    Pointer(u32),
    Array(u64, Box<Type>),
    Vector(u64, Box<Type>),
    Struct(Vec<Type>, bool),
    Named(String),
    /// A named barrier of AMDGPU.
    Barrier,
    /// Labels, metadata, tokens, functions.
    Other,
}

/// One scalar of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// An integer or pointer of this width, in bits, whose value is followed.
    Followed(u8),
    /// Data of this size, in bytes.
    Data(u32),
}

/// What is known about types: named ones, and the sizes of pointers.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) named: OrderedMap<String, Type>,
    /// Sizes of pointers in bits by address space; 64 elsewhere.
    pub(super) pointers: OrderedMap<u32, u32>,
}

const fn float(word: &str) -> Option<u32> {
    Some(match word.as_bytes() {
        b"half" | b"bfloat" => 16,
        b"float" => 32,
        b"double" => 64,
        b"fp128" | b"ppc_fp128" => 128,
        b"x86_fp80" => 80,
        _ => return None,
    })
}

impl Types {
    /// Reads the sizes of pointers from a data layout: `p3:32:32`.
    pub(super) fn layout(&mut self, layout: &str) {
        for part in layout.split('-') {
            let Some(rest) = part.strip_prefix('p') else { continue };
            let mut fields = rest.split(':');
            let space = fields.next().and_then(|space| match space {
                "" => Some(0),
                space => space.parse().ok(),
            });
            if let (Some(space), Some(bits)) =
                (space, fields.next().and_then(|bits| bits.parse().ok()))
            {
                self.pointers.insert(space, bits);
            }
        }
    }

    pub(super) fn pointer_bits(&self, space: u32) -> u32 {
        self.pointers.get(&space).copied().unwrap_or(64)
    }

    /// Size and alignment in bytes.
    pub(super) fn size(&self, of: &Type) -> (u64, u64) {
        self.measure(of, 0)
    }

    fn measure(&self, of: &Type, depth: u32) -> (u64, u64) {
        if depth > DEEPEST {
            return (0, 1);
        }
        match of {
            Type::Int(bits) | Type::Float(bits) => {
                let bytes = u64::from(bits.div_ceil(8)).next_power_of_two().max(1);
                let size =
                    if *bits == 80 || bytes > 16 { u64::from(bits.div_ceil(8)) } else { bytes };
                (size, bytes.min(16))
            }
            Type::Pointer(space) => {
                let bytes = u64::from(self.pointer_bits(*space) / 8);
                (bytes, bytes.clamp(1, 16))
            }
            Type::Array(count, of) => {
                let (size, align) = self.measure(of, depth + 1);
                (size.next_multiple_of(align.max(1)).saturating_mul(*count), align)
            }
            Type::Vector(count, of) => {
                let bits = match &**of {
                    Type::Int(bits) | Type::Float(bits) => u64::from(*bits),
                    other => self.measure(other, depth + 1).0 * 8,
                };
                let size = bits.saturating_mul(*count).div_ceil(8).clamp(1, 1 << 32);
                (size, size.next_power_of_two())
            }
            Type::Struct(fields, packed) => {
                let (mut size, mut most) = (0_u64, 1);
                for field in fields {
                    let (bytes, align) = self.measure(field, depth + 1);
                    let align = if *packed { 1 } else { align.max(1) };
                    size = size.next_multiple_of(align).saturating_add(bytes);
                    most = most.max(align);
                }
                (size.next_multiple_of(most), most)
            }
            Type::Named(name) => {
                self.named.get(name).map_or((0, 1), |of| self.measure(of, depth + 1))
            }
            Type::Barrier => (16, 4),
            Type::Void | Type::Other => (0, 1),
        }
    }

    /// The type that a name stands for.
    pub(super) fn resolve<'s>(&'s self, of: &'s Type) -> &'s Type {
        let mut found = of;
        for _ in 0..DEEPEST {
            match found {
                Type::Named(name) => match self.named.get(name) {
                    Some(next) => found = next,
                    None => return &Type::Other,
                },
                _ => return found,
            }
        }
        &Type::Other
    }

    /// The offset in bytes of a field or element, and its type.
    pub(super) fn element<'s>(&'s self, of: &'s Type, index: u64) -> Option<(u64, &'s Type)> {
        match self.resolve(of) {
            Type::Array(_, element) => {
                let (size, align) = self.size(element);
                Some((size.next_multiple_of(align.max(1)).checked_mul(index)?, element))
            }
            Type::Vector(_, element) => Some((self.size(element).0.checked_mul(index)?, element)),
            Type::Struct(fields, packed) => {
                let at = usize::try_from(index).ok()?;
                let mut offset = 0_u64;
                for (number, field) in fields.iter().enumerate() {
                    let (size, align) = self.size(field);
                    offset = offset.next_multiple_of(if *packed { 1 } else { align.max(1) });
                    if number == at {
                        return Some((offset, field));
                    }
                    offset = offset.saturating_add(size);
                }
                None
            }
            _ => None,
        }
    }

    /// The scalars of a value with their offsets in bytes; one of data where there are too many.
    pub(super) fn scalars(&self, of: &Type) -> Vec<(u64, Scalar)> {
        let mut scalars = Vec::new();
        match self.flatten(of, 0, &mut scalars, 0) {
            Some(()) => scalars,
            None => alloc::vec![(0, Scalar::Data(self.size(of).0.min(1 << 20) as u32))],
        }
    }

    fn flatten(
        &self,
        of: &Type,
        offset: u64,
        into: &mut Vec<(u64, Scalar)>,
        depth: u32,
    ) -> Option<()> {
        if into.len() > MOST_SCALARS || depth > DEEPEST {
            return None;
        }
        match self.resolve(of) {
            Type::Int(bits @ 1..=64) => into.push((offset, Scalar::Followed(*bits as u8))),
            Type::Pointer(space) => {
                let bits = self.pointer_bits(*space).min(64) as u8;
                into.push((offset, Scalar::Followed(bits)));
            }
            Type::Int(bits) | Type::Float(bits) => {
                into.push((offset, Scalar::Data(bits.div_ceil(8).max(1))));
            }
            Type::Array(count, element) | Type::Vector(count, element) => {
                let (size, align) = self.size(element);
                let step = size.next_multiple_of(align.max(1));
                if *count > MOST_SCALARS as u64 {
                    return None;
                }
                for at in 0..*count {
                    self.flatten(element, offset + at * step, into, depth + 1)?;
                }
            }
            Type::Struct(fields, _) => {
                for at in 0..fields.len() as u64 {
                    let (inside, field) = self.element(of, at)?;
                    self.flatten(field, offset + inside, into, depth + 1)?;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// The innermost type at an offset.
    pub(super) fn at<'s>(&'s self, of: &'s Type, offset: u64) -> &'s Type {
        let (mut found, mut rest) = (self.resolve(of), offset);
        for _ in 0..DEEPEST {
            let inside = match found {
                Type::Array(..) | Type::Vector(..) => {
                    let step = self.element(found, 1).map_or(1, |(step, _)| step.max(1));
                    self.element(found, rest / step)
                }
                Type::Struct(fields, _) => {
                    let all =
                        (0..fields.len() as u64).rev().filter_map(|at| self.element(found, at));
                    all.into_iter().find(|(start, _)| *start <= rest)
                }
                _ => None,
            };
            let Some((start, next)) = inside else { break };
            (found, rest) = (self.resolve(next), rest.saturating_sub(start));
        }
        found
    }

    /// How many scalars come before an element, and how many it has.
    pub(super) fn part(&self, of: &Type, index: u64) -> Option<(usize, usize, Type)> {
        let mut before = 0;
        for at in 0..index.min(MOST_SCALARS as u64) {
            before += self.scalars(self.element(of, at)?.1).len();
        }
        let (_, element) = self.element(of, index)?;
        Some((before, self.scalars(element).len(), element.clone()))
    }
}

/// Reads a type.
pub(super) fn read(cursor: &mut Cursor<'_, '_>) -> Parsed<Type> {
    nested(cursor, 0)
}

fn nested(cursor: &mut Cursor<'_, '_>, depth: u32) -> Parsed<Type> {
    if depth > DEEPEST {
        return Err(cursor.unexpected("a type that is nested less deeply"));
    }
    let mut found = first(cursor, depth)?;
    loop {
        // Pointers of LLVM before version 15, and types of functions.
        if cursor.is("addrspace") || cursor.is("*") {
            let space = address_space(cursor)?;
            cursor.expect("*")?;
            found = Type::Pointer(space);
        } else if cursor.is("(") {
            cursor.skip_group();
            found = Type::Other;
        } else {
            return Ok(found);
        }
    }
}

/// Reads `addrspace(3)`, if it is next; otherwise 0.
pub(super) fn address_space(cursor: &mut Cursor<'_, '_>) -> Parsed<u32> {
    if !cursor.eat("addrspace") {
        return Ok(0);
    }
    cursor.expect("(")?;
    let token = cursor.take();
    let space = token.text.parse().unwrap_or(match token.text {
        "A" => 5,
        _ => 1,
    });
    cursor.expect(")")?;
    Ok(space)
}

fn first(cursor: &mut Cursor<'_, '_>, depth: u32) -> Parsed<Type> {
    let token = cursor.peek();
    match (token.kind, token.text) {
        (Kind::Local, name) => {
            cursor.at += 1;
            Ok(Type::Named(name.into()))
        }
        (Kind::Mark, "[") => {
            cursor.at += 1;
            let (count, of) = counted(cursor, depth)?;
            cursor.expect("]")?;
            Ok(Type::Array(count, of.into()))
        }
        (Kind::Mark, "<") => {
            cursor.at += 1;
            if cursor.is("{") {
                let fields = fields(cursor, depth)?;
                cursor.expect(">")?;
                return Ok(Type::Struct(fields, true));
            }
            if cursor.eat("vscale") {
                cursor.expect("x")?;
            }
            let (count, of) = counted(cursor, depth)?;
            cursor.expect(">")?;
            Ok(Type::Vector(count, of.into()))
        }
        (Kind::Mark, "{") => Ok(Type::Struct(fields(cursor, depth)?, false)),
        (Kind::Word, word) => word_type(cursor, word),
        _ => Err(cursor.unexpected("a type")),
    }
}

fn word_type(cursor: &mut Cursor<'_, '_>, word: &str) -> Parsed<Type> {
    let found = match word {
        "void" => Type::Void,
        "label" | "metadata" | "token" | "opaque" | "x86_mmx" | "x86_amx" => Type::Other,
        "ptr" => {
            cursor.at += 1;
            return Ok(Type::Pointer(address_space(cursor)?));
        }
        "target" => {
            cursor.at += 1;
            let of = match cursor.ahead(1).text {
                "amdgcn.named.barrier" => Type::Barrier,
                "spirv.Event" => Type::Int(64),
                "spirv.Image" => Type::Pointer(IMAGE),
                // What a sampler is decides only data.
                "spirv.Sampler" => Type::Float(64),
                _ => Type::Other,
            };
            cursor.skip_group();
            return Ok(of);
        }
        word => match (float(word), word.strip_prefix('i').and_then(|bits| bits.parse().ok())) {
            (Some(bits), _) => Type::Float(bits),
            (None, Some(bits @ 1..=0xff_ffff)) => Type::Int(bits),
            _ => return Err(cursor.unexpected("a type")),
        },
    };
    cursor.at += 1;
    Ok(found)
}

fn counted(cursor: &mut Cursor<'_, '_>, depth: u32) -> Parsed<(u64, Type)> {
    let token = cursor.take();
    let Ok(count) = token.text.parse() else {
        cursor.at -= 1;
        return Err(cursor.unexpected("a number of elements"));
    };
    cursor.expect("x")?;
    Ok((count, nested(cursor, depth + 1)?))
}

fn fields(cursor: &mut Cursor<'_, '_>, depth: u32) -> Parsed<Vec<Type>> {
    cursor.expect("{")?;
    let mut fields = Vec::new();
    while !cursor.eat("}") {
        fields.push(nested(cursor, depth + 1)?);
        if !cursor.eat(",") && !cursor.is("}") {
            return Err(cursor.unexpected("`,` or `}`"));
        }
    }
    Ok(fields)
}
