//! Types of C++, their sizes, and their spelling in LLVM IR.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// Address spaces by the numbers of LLVM.
pub(super) const GENERIC: u32 = 0;
pub(super) const GLOBAL: u32 = 1;
pub(super) const LOCAL: u32 = 3;
pub(super) const CONSTANT: u32 = 4;
pub(super) const PRIVATE: u32 = 5;

/// Deepest nesting of types.
pub(super) const DEEPEST: u32 = 32;
/// The maximum number of scalars in a value that counts as small.
const MOST_SCALARS: usize = 64;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Void,
    Bool,
    /// An integer: its width, and whether it is signed.
    Int(u8, bool),
    /// A floating-point number with this number of bits.
    Float(u8),
    /// The address of a value of a type in an address space.
    Pointer(Rc<Type>, u32),
    Reference(Rc<Type>, u32),
    /// A number in memory whose accesses are volatile.
    Volatile(Rc<Type>),
    /// An array with this number of elements; 0 if the number is not known.
    Array(Rc<Type>, u64),
    Struct(usize),
    /// A named barrier of AMDGPU.
    Barrier,
    /// A lambda, by number.
    Lambda(usize),
    /// `auto`
    Auto,
    /// A parameter of a template, by number.
    Parameter(usize),
    /// A function: the type of its result.
    Code(Rc<Type>),
}

pub(super) const INT: Type = Type::Int(32, true);
pub(super) const UNSIGNED: Type = Type::Int(32, false);

/// A field: its name, its type and its offset in bytes.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Rc<str>,
    pub(super) of: Type,
    pub(super) offset: u64,
}

/// A structure or union.
#[derive(Clone, Debug, Default)]
pub(super) struct Struct {
    pub(super) name: Rc<str>,
    pub(super) fields: Vec<Field>,
    pub(super) size: u64,
    pub(super) align: u64,
    /// Whether its layout is that of LLVM's structure of the same fields.
    pub(super) plain: bool,
    pub(super) union: bool,
    /// The number of base structures, which are the first fields.
    pub(super) bases: usize,
    /// The structure of which this is the `volatile` form.
    pub(super) volatile: Option<usize>,
}

impl Type {
    pub(super) fn pointer(self, space: u32) -> Self {
        Self::Pointer(Rc::new(self), space)
    }

    pub(super) const fn is_integer(&self) -> bool {
        matches!(self, Self::Bool | Self::Int(..))
    }

    pub(super) const fn is_number(&self) -> bool {
        matches!(self, Self::Bool | Self::Int(..) | Self::Float(_))
    }

    /// Whether a value of it is in one register, or is data.
    pub(super) const fn is_scalar(&self) -> bool {
        self.is_number() || matches!(self, Self::Pointer(..) | Self::Volatile(_))
    }

    /// The type without a reference and without `volatile`.
    pub(super) fn value(&self) -> Self {
        match self {
            Self::Reference(of, _) | Self::Volatile(of) => of.value(),
            other => other.clone(),
        }
    }

    /// The width of an integer.
    pub(super) const fn bits(&self) -> u8 {
        match self {
            Self::Bool => 1,
            Self::Int(bits, _) | Self::Float(bits) => *bits,
            _ => 64,
        }
    }

    pub(super) const fn is_signed(&self) -> bool {
        matches!(self, Self::Int(_, true))
    }
}

/// The structures of a text, and the size of addresses in shared memory.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) structs: Vec<Struct>,
    /// Whether addresses in shared memory have 32 bits.
    pub(super) short: bool,
}

impl Types {
    /// Size and alignment in bytes.
    pub(super) fn size(&self, of: &Type) -> (u64, u64) {
        match of {
            Type::Void | Type::Auto | Type::Parameter(_) | Type::Lambda(_) | Type::Code(_) => {
                (1, 1)
            }
            Type::Bool => (1, 1),
            Type::Int(bits, _) | Type::Float(bits) => {
                (u64::from(*bits).div_ceil(8), u64::from(*bits).div_ceil(8))
            }
            Type::Pointer(_, LOCAL | PRIVATE) if self.short => (4, 4),
            Type::Pointer(..) | Type::Reference(..) => (8, 8),
            Type::Volatile(of) => self.size(of),
            Type::Array(of, count) => {
                let (size, align) = self.size(of);
                (size.saturating_mul(*count), align)
            }
            Type::Struct(at) => {
                self.structs.get(*at).map_or((0, 1), |one| (one.size, one.align.max(1)))
            }
            Type::Barrier => (16, 4),
        }
    }

    /// The type of a value in a register.
    pub(super) fn spelled(&self, of: &Type) -> String {
        match of {
            Type::Void => "void".into(),
            Type::Bool => "i1".into(),
            Type::Int(bits, _) => format!("i{bits}"),
            Type::Float(16) => "half".into(),
            Type::Float(32) => "float".into(),
            Type::Float(_) => "double".into(),
            Type::Pointer(_, GENERIC)
            | Type::Reference(_, GENERIC)
            | Type::Auto
            | Type::Lambda(_)
            | Type::Code(_)
            | Type::Parameter(_) => "ptr".into(),
            Type::Pointer(_, space) | Type::Reference(_, space) => {
                format!("ptr addrspace({space})")
            }
            Type::Barrier => "target(\"amdgcn.named.barrier\", 0)".into(),
            Type::Volatile(of) => self.spelled(of),
            Type::Array(of, count) => format!("[{count} x {}]", self.stored(of)),
            Type::Struct(at) => self.spelled_struct(*at),
        }
    }

    /// The type of a value in memory.
    pub(super) fn stored(&self, of: &Type) -> String {
        match of {
            Type::Bool | Type::Void => "i8".into(),
            Type::Volatile(of) => self.stored(of),
            other => self.spelled(other),
        }
    }

    fn spelled_struct(&self, at: usize) -> String {
        let Some(one) = self.structs.get(at) else { return "i8".into() };
        if !one.plain {
            return format!("[{} x i8]", one.size);
        }
        let fields: Vec<String> = one.fields.iter().map(|field| self.stored(&field.of)).collect();
        format!("{{ {} }}", fields.join(", "))
    }

    /// The number of scalars in a value.
    pub(super) fn count(&self, of: &Type) -> usize {
        match of {
            Type::Array(of, count) => {
                self.count(of).saturating_mul(usize::try_from(*count).unwrap_or(usize::MAX))
            }
            Type::Struct(at) => self.structs.get(*at).map_or(0, |one| {
                let counts = one.fields.iter().map(|field| self.count(&field.of));
                counts.fold(0, usize::saturating_add)
            }),
            _ => 1,
        }
    }

    pub(super) fn is_small(&self, of: &Type) -> bool {
        self.count(of) <= MOST_SCALARS
    }

    /// Computes the offsets of fields, and the size and alignment of a structure.
    pub(super) fn lay_out(&self, one: &mut Struct, least: u64) {
        let (mut size, mut most, mut plain) = (0_u64, 1, !one.union && !one.fields.is_empty());
        for field in &mut one.fields {
            let (bytes, align) = self.size(&field.of);
            if one.union {
                size = size.max(bytes);
            } else {
                field.offset = size.next_multiple_of(align.max(1));
                size = field.offset.saturating_add(bytes);
            }
            plain &= !matches!(field.of, Type::Barrier);
            most = most.max(align);
        }
        // An empty structure has a byte of its own.
        let natural = size.max(1).next_multiple_of(most);
        one.align = most.max(least);
        one.size = natural.next_multiple_of(one.align);
        one.plain = plain && one.size == natural;
    }

    /// Whether a structure is another one, or has it as its first base.
    pub(super) fn derives(&self, at: usize, base: usize) -> bool {
        let first =
            self.structs.get(at).filter(|one| one.bases > 0).and_then(|one| one.fields.first());
        let plain = |at: usize| self.structs.get(at).and_then(|one| one.volatile).unwrap_or(at);
        plain(at) == plain(base)
            || matches!(first, Some(Field { of: Type::Struct(first), .. }) if self.derives(*first, base))
    }

    /// A field by name.
    pub(super) fn field(&self, at: usize, name: &str) -> Option<&Field> {
        self.structs.get(at)?.fields.iter().find(|field| &*field.name == name)
    }

    /// A name that distinguishes the type in instances of templates.
    pub(super) fn key(&self, of: &Type) -> String {
        match of {
            Type::Int(bits, signed) => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
            Type::Pointer(of, space) => format!("{}*{space}", self.key(of)),
            Type::Reference(of, _) => format!("{}&", self.key(of)),
            Type::Volatile(of) => format!("v{}", self.key(of)),
            Type::Array(of, count) => format!("{}[{count}]", self.key(of)),
            Type::Struct(at) => format!("s{at}"),
            Type::Lambda(number) => format!("lambda {number}"),
            other => self.spelled(other),
        }
    }
}
