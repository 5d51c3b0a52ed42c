//! The meaning of names and declarations.

use super::lexer::At;
use super::types::Type;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// A value in an expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) of: Type,
    pub(super) is: Is,
}

/// The location of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Is {
    /// An integer, or the bits of an address.
    Int(i64),
    /// An operand of LLVM IR.
    Operand(Rc<str>),
    /// Data, such as a floating-point number.
    Data,
    /// A variable in a register.
    Register(Rc<str>),
    /// In memory: the address and its address space.
    Place(Rc<str>, u32),
    /// No value: the result of a function that returns `void`.
    Nothing,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Value(Value),
    Type(Type),
    /// Functions with this name, by number.
    Functions(Vec<usize>),
    /// A template of structures.
    StructTemplate(usize),
    /// `threadIdx` and similar variables: the names of their registers on AMDGPU and on NVIDIA.
    Axes(&'static str, &'static str),
    /// A lambda, by number.
    Lambda(usize),
}

pub(super) type Scope = OrderedMap<Rc<str>, Symbol>;

/// The specifiers before the declarators of a declaration.
#[derive(Clone, Debug, Default)]
pub(super) struct Specifiers {
    pub(super) of: Option<Type>,
    pub(super) shared: bool,
    pub(super) constant: bool,
    pub(super) device: bool,
    pub(super) kernel: bool,
    pub(super) external: bool,
    /// `static`
    pub(super) kept_between_calls: bool,
    pub(super) fixed: bool,
    pub(super) volatile: bool,
    pub(super) kept: bool,
    pub(super) alias: bool,
    /// Whether a function only computes, as `__attribute__((const))` says.
    pub(super) computes: bool,
    /// The address space that a pointer points to.
    pub(super) space: u32,
    /// The number of elements of a vector.
    pub(super) vector: Option<u64>,
    pub(super) align: u64,
    pub(super) launch: LaunchBounds,
}

/// The attributes about the launch of a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct LaunchBounds {
    /// The minimum and maximum number of threads of a workgroup.
    pub(super) threads: Option<(i64, i64)>,
    pub(super) exact: Option<[i64; 3]>,
    pub(super) cluster: Option<[i64; 3]>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: Option<Rc<str>>,
    pub(super) of: Type,
    /// The first token of its default value.
    pub(super) default: Option<usize>,
}

/// A function.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: Rc<str>,
    /// Its name in LLVM IR.
    pub(super) linked: Rc<str>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) returns: Type,
    /// The `{` of its body.
    pub(super) body: Option<usize>,
    /// The `:` before the initialisers of a constructor.
    pub(super) starts: Option<usize>,
    pub(super) kernel: bool,
    pub(super) computes: bool,
    pub(super) launch: LaunchBounds,
    /// The structure whose member it is.
    pub(super) owner: Option<usize>,
    /// Whether it is a constructor.
    pub(super) makes: bool,
    /// Its template, if it is one; only instances are called.
    pub(super) template: Option<usize>,
    /// The arguments of the template, by the names of its parameters.
    pub(super) bindings: Scope,
    pub(super) queued: bool,
    pub(super) at: At,
    /// The position of its call in the text, for a function from a header.
    pub(super) called_at: Option<At>,
}

/// A lambda.
#[derive(Clone, Debug)]
pub(super) struct Lambda {
    /// The scopes that are visible in its body.
    pub(super) scopes: Vec<Scope>,
    pub(super) this: Option<(usize, Value)>,
    /// The `(` of its parameters, if it has any.
    pub(super) parameters: Option<usize>,
    /// The `{` of its body.
    pub(super) body: usize,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub(super) struct TemplateParameter {
    pub(super) name: Option<Rc<str>>,
    /// Whether it stands for a type.
    pub(super) of_type: bool,
    /// The first token of its default.
    pub(super) default: Option<usize>,
}

/// A template.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) name: Rc<str>,
    pub(super) parameters: Vec<TemplateParameter>,
    /// The token after the list of parameters.
    pub(super) head: usize,
}

/// The arguments of a template; `None` for those that are not known yet.
pub(super) type Arguments = Vec<Option<Symbol>>;

/// The kind of a declaration, before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A function that runs on the host, up to this position.
    Host(usize),
    Function,
    Other,
}
