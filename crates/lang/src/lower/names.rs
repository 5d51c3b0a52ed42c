//! The meanings of the names of a scenario.

use super::code::{Code, Meaning, PREDECLARED};
use crate::diagnostic::{self, Diagnostic, Severity, Span, Suggestion};
use crate::expression::constants::Constants;
use crate::expression::types::Type;
use crate::expression::{Atom, Builtin, Expression, Fault, Mbarrier, Value};
use crate::limits::MOST_LOCAL;
use crate::scenario::Scenario;
use crate::suggest;
use crate::tree::{Declaration, DeclarationKind, Name};
use crate::vocabulary::Vocabulary;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Buffer, BufferId, Space};
use tidegate_model::operation::Object;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ptx::mbarrier::count_range;
use tidegate_model::ptx::object::MOST;
use tidegate_model::ptx::tile::{MOST as MOST_DIMENSIONS, Tile};
use tidegate_model::rule::RuleId;

/// The position of an agent and the size of the launch, under the names of every vocabulary.
const BUILTINS: [(&str, Builtin); 18] = [
    ("wave_id", Builtin::WaveId),
    ("warp_id", Builtin::WaveId),
    ("subgroup_id", Builtin::WaveId),
    ("workgroup_id", Builtin::WorkgroupId),
    ("cta_id", Builtin::WorkgroupId),
    ("group_id", Builtin::WorkgroupId),
    ("lane_id", Builtin::LaneId),
    ("clusters", Builtin::Clusters),
    ("workgroups", Builtin::Workgroups),
    ("ctas", Builtin::Workgroups),
    ("groups", Builtin::Workgroups),
    ("waves", Builtin::Waves),
    ("warps", Builtin::Waves),
    ("subgroups", Builtin::Waves),
    ("lanes", Builtin::Lanes),
    ("threads", Builtin::Lanes),
    ("items", Builtin::Lanes),
    ("thread_id", Builtin::LaneId),
];

/// Largest number of barrier objects of an array.
const MOST_ELEMENTS: i64 = 4096;

/// Names that cannot be declared.
const RESERVED: [&str; 7] = ["wg", "cluster", "null", "wave_id", "workgroup_id", "lane_id", "m0"];

/// Adds diagnostics, one for each position and up to the limit.
pub(crate) struct Reports<'a>(pub(crate) &'a mut Vec<Diagnostic>);

impl Reports<'_> {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        diagnostic::report(self.0, diagnostic);
    }

    /// Whether the limit is reached, so that diagnostics need not be computed.
    pub(crate) fn is_full(&self) -> bool {
        diagnostic::is_full(self.0)
    }

    pub(crate) fn error(&mut self, code: &'static str, span: Span, message: String) {
        self.push(Diagnostic::error(code, span, message));
    }
}

/// Functions and declared names.
#[derive(Default)]
pub(crate) struct Globals {
    pub(crate) meanings: OrderedMap<String, Meaning>,
    /// Unit and number of parameters.
    pub(crate) functions: OrderedMap<String, (u32, usize)>,
    /// For memories with stages, the bytes of one stage.
    stages: OrderedMap<String, u32>,
}

pub(super) fn declared_twice(name: &Name, reports: &mut Reports) {
    reports.error("duplicate-name", name.span, format!("`{}` is declared twice", name.text));
}

/// A warning for a named barrier with the ID of another one. A reader may take the ID for a count.
fn same_barrier(name: &Name, other: &str, id: i64, code: &Code) -> Diagnostic {
    let is_free = |id: &i64| !code.named_names.iter().any(|(known, _)| known == id);
    let free = (1..).find(is_free).unwrap_or(id);
    let message =
        format!("`{}` and `{other}` are the same barrier: both have the ID {id}", name.text);
    let help = format!("write `named({free})` for another barrier");
    Diagnostic {
        severity: Severity::Warning,
        suggestion: Some(Suggestion { message: help, replacement: None }),
        ..Diagnostic::error("duplicate-id", name.span, message)
    }
}

impl Globals {
    /// Adds the declarations and functions of a scenario; units of functions are numbered in text order.
    pub(crate) fn new(
        scenario: &Scenario,
        text: &str,
        code: &mut Code,
        reports: &mut Reports,
    ) -> Self {
        let mut globals = Self::default();
        for declaration in &scenario.tree.declarations {
            globals.check_new(&declaration.name, reports);
            let meaning = globals.declared(declaration, text, code, reports);
            globals.meanings.insert(declaration.name.text.clone(), meaning);
        }
        for (name, stage) in &scenario.tree.stages {
            let bytes = globals.size(Space::Local, stage, text, reports);
            globals.stages.insert(name.clone(), bytes);
        }
        for (name, of) in &scenario.tree.boxes {
            if let Some(&Meaning::Memory(buffer)) = globals.meanings.get(name) {
                let boxed = globals.boxed(of, text, reports);
                code.boxes.insert(buffer, boxed);
            }
        }
        let known = |globals: &Self, name: &str| globals.meanings.contains_key(name);
        for declaration in &scenario.tree.implicit {
            if !known(&globals, &declaration.name.text) {
                let meaning = globals.declared(declaration, text, code, reports);
                globals.meanings.insert(declaration.name.text.clone(), meaning);
            }
        }
        for name in &scenario.tree.program_scope {
            globals.check_new(name, reports);
            let object = code.barrier_names.len().min(usize::from(u16::MAX)) as u16;
            code.barrier_names.push(name.text.clone());
            let meaning = Meaning::Value(Value::NamedBarrier(object));
            globals.meanings.insert(name.text.clone(), meaning);
        }
        for (unit, function) in scenario.tree.functions.iter().enumerate() {
            globals.check_new(&function.name, reports);
            globals
                .functions
                .insert(function.name.text.clone(), (unit as u32, function.parameters.len()));
        }
        globals
    }

    /// The bytes of one stage of the memory with that name, if it was declared with stages.
    pub(super) fn stage(&self, name: &str) -> Option<u32> {
        self.stages.get(name).copied()
    }

    fn check_new(&self, name: &Name, reports: &mut Reports) {
        if RESERVED.contains(&name.text.as_str()) {
            reports.error(
                "reserved-name",
                name.span,
                format!("`{}` is a reserved name", name.text),
            );
        } else if self.meanings.contains_key(&name.text) || self.functions.contains_key(&name.text)
        {
            declared_twice(name, reports);
        }
    }

    fn declared(
        &self,
        declaration: &Declaration,
        text: &str,
        code: &mut Code,
        reports: &mut Reports,
    ) -> Meaning {
        let name = &declaration.name.text;
        match &declaration.kind {
            DeclarationKind::Barrier(count) => {
                let elements = self.elements(count.as_ref(), text, reports);
                let first = code.plain_names.len();
                if first + elements as usize > usize::from(u16::MAX) {
                    let message = format!("more than {} barrier objects", u16::MAX);
                    reports.error("bound-objects", declaration.name.span, message);
                    return Meaning::Value(Value::Object(Object::Plain(0)));
                }
                code.plain_names.extend(names(name, count.is_some(), elements));
                objects(Object::Plain(first as u16), count.is_some(), elements)
            }
            DeclarationKind::Named(count, id) => {
                let elements = self.elements(count.as_ref(), text, reports);
                let id = self.constant(id, text, reports).unwrap_or(0);
                let ids = (0..i64::from(elements)).map(|index| id.saturating_add(index));
                let mut known = code.named_names.iter();
                if let Some((id, other)) =
                    known.find(|(known, _)| ids.clone().any(|id| id == *known))
                {
                    reports.push(same_barrier(&declaration.name, other, *id, code));
                }
                code.named_names.extend(ids.zip(names(name, count.is_some(), elements)));
                objects(Object::from_id(id), count.is_some(), elements)
            }
            DeclarationKind::Constant(value) => {
                let (number, of) = self.typed(value, text, reports).unwrap_or_default();
                Meaning::Number(number, of)
            }
            DeclarationKind::Memory(space, image, size) => {
                let buffer = code.buffers.len().min(usize::from(BufferId::MAX));
                let size = self.size(*space, size, text, reports);
                if buffer == usize::from(BufferId::MAX) {
                    let message = format!("more than {} memories", BufferId::MAX);
                    reports.error("bound-objects", declaration.name.span, message);
                } else {
                    code.buffers.push(Buffer {
                        space: *space,
                        size,
                        image: *image,
                        owner: None,
                        instance_of: None,
                    });
                    code.buffer_names.push(name.clone());
                }
                Meaning::Memory(buffer as BufferId)
            }
            DeclarationKind::Mbarrier(count) => {
                let count = count.as_ref().map(|count| self.sized(count, text, reports));
                mbarriers(&declaration.name, count, None, code, reports)
            }
            DeclarationKind::Allocated(count, arrivals) => {
                let count = self.sized(count, text, reports);
                let arrivals = match arrivals {
                    Some(arrivals) => self.arrivals(arrivals, text, reports),
                    None => 1,
                };
                code.nvidia = true;
                mbarriers(&declaration.name, Some(count), Some(arrivals), code, reports)
            }
        }
    }

    /// A constant of at least 1.
    fn sized(&self, size: &Expression, text: &str, reports: &mut Reports) -> i64 {
        self.positive(size, text, reports);
        self.constant(size, text, reports).unwrap_or(1).max(1)
    }

    /// The arrival count of allocated barriers.
    fn arrivals(&self, count: &Expression, text: &str, reports: &mut Reports) -> i64 {
        let Some(number) = self.constant(count, text, reports) else { return 1 };
        if count_range::check(number).is_ok() {
            return number;
        }
        let message = format!(
            "expected an arrive count between 1 and {MOST}, found {number} (`{}`)",
            RuleId::PtxMbarrierCountRange.get().id
        );
        reports.error("count-range", count.span, message);
        1
    }

    /// Number of declared objects; 1 by default.
    fn elements(&self, count: Option<&Expression>, text: &str, reports: &mut Reports) -> u32 {
        let Some(count) = count else { return 1 };
        match self.constant(count, text, reports) {
            None => 1,
            Some(number @ 1..=MOST_ELEMENTS) => number as u32,
            Some(_) => {
                let message =
                    format!("an array must have between 1 and {MOST_ELEMENTS} barrier objects");
                reports.error("size-range", count.span, message);
                1
            }
        }
    }

    fn positive(&self, size: &Expression, text: &str, reports: &mut Reports) {
        if self.constant(size, text, reports).is_some_and(|size| size < 1) {
            reports.error("size-range", size.span, String::from("a size must be at least 1"));
        }
    }

    /// The size of a memory in bytes.
    fn size(&self, space: Space, size: &Expression, text: &str, reports: &mut Reports) -> u32 {
        let Some(bytes) = self.constant(size, text, reports) else { return 1 };
        let (most, of) = match space {
            Space::Local => (MOST_LOCAL, " of a work-group"),
            Space::Global => (i64::from(u32::MAX), ""),
        };
        let message = match bytes {
            ..1 => String::from("a size must be at least 1"),
            _ if bytes <= most => return bytes as u32,
            _ => format!("a memory{of} must have at most {most} bytes"),
        };
        reports.error("size-range", size.span, message);
        1
    }

    /// The box of a tensor and its bytes.
    fn boxed(&self, of: &[Expression], text: &str, reports: &mut Reports) -> (Tile, u32) {
        let mut tile = Tile::default();
        let mut bytes = 1_u32;
        for (at, one) in of.iter().enumerate() {
            let count = self.size(Space::Global, one, text, reports);
            bytes = bytes.saturating_mul(count);
            if at + 1 == of.len() {
                break;
            }
            tile.rank += 1;
            match tile.size.get_mut(at) {
                Some(size) => *size = count,
                None => {
                    let message =
                        format!("a tensor must have at most {MOST_DIMENSIONS} dimensions");
                    reports.error("bound-dimensions", one.span, message);
                    break;
                }
            }
        }
        (tile, bytes)
    }

    fn constant(&self, value: &Expression, text: &str, reports: &mut Reports) -> Option<i64> {
        self.typed(value, text, reports).map(|(number, _)| number)
    }

    /// The value of an expression of constants, and its type.
    fn typed(&self, value: &Expression, text: &str, reports: &mut Reports) -> Option<(i64, Type)> {
        let mut value = value.clone();
        let mut fine = true;
        for (atom, span) in &mut value.code {
            if *atom == Atom::Name {
                match self.meanings.get(crate::lexer::slice(text, *span)) {
                    Some(Meaning::Number(number, of)) => *atom = Atom::Literal(*number, *of),
                    _ => {
                        fine = false;
                        if reports.is_full() {
                            continue;
                        }
                        let name = crate::lexer::slice(text, *span);
                        let known = self.meanings.keys().map(String::as_str);
                        reports.push(Diagnostic {
                            suggestion: suggest::instead(name, known),
                            ..Diagnostic::error(
                                "unknown-name",
                                *span,
                                format!("unknown constant `{name}`"),
                            )
                        });
                    }
                }
            }
        }
        if !fine {
            return None;
        }
        let number = Constants::number(&value);
        number.map_err(|(fault, span)| reports.push(fault_diagnostic(fault, span))).ok()
    }

    /// The meaning of a name that is not a variable.
    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).copied().or_else(|| {
            let object = PREDECLARED.iter().find(|(known, _)| *known == name);
            let builtin = BUILTINS.iter().find(|(known, _)| *known == name);
            let object = object.map(|&(_, object)| Meaning::Value(Value::Object(object)));
            object.or(builtin.map(|&(_, builtin)| Meaning::Builtin(builtin)))
        })
    }

    /// All global names, for suggestions.
    pub(crate) fn known(&self) -> impl Iterator<Item = &str> {
        let declared = self.meanings.keys().map(String::as_str);
        declared
            .chain(PREDECLARED.iter().map(|&(name, _)| name))
            .chain(BUILTINS.iter().map(|&(name, _)| name))
    }
}

/// Largest number of mbarrier objects of a CTA.
const MOST_MBARRIERS: i64 = 1024;

/// Declares mbarrier objects: an array of `count`, or a single one.
fn mbarriers(
    name: &Name,
    count: Option<i64>,
    arrivals: Option<i64>,
    code: &mut Code,
    reports: &mut Reports,
) -> Meaning {
    let first = code.mbarriers.len() as u16;
    let many = count.unwrap_or(1);
    if i64::from(first) + many > MOST_MBARRIERS {
        let message = format!("more than {MOST_MBARRIERS} mbarrier objects");
        reports.error("bound-objects", name.span, message);
        return Meaning::Value(Value::Mbarrier(Mbarrier { first: 0, count: 1, rank: None }));
    }
    for index in 0..many {
        code.mbarriers.push(arrivals);
        code.mbarrier_names.push(match count {
            Some(_) => format!("{}[{index}]", name.text),
            None => name.text.clone(),
        });
    }
    Meaning::Value(Value::Mbarrier(Mbarrier { first, count: many as u16, rank: None }))
}

/// The names of an object or of the elements of an array.
fn names(name: &str, is_array: bool, elements: u32) -> impl Iterator<Item = String> {
    (0..elements)
        .map(move |index| if is_array { format!("{name}[{index}]") } else { String::from(name) })
}

/// One object, or an array that starts with it.
fn objects(first: Object, is_array: bool, elements: u32) -> Meaning {
    if is_array { Meaning::Array(first, elements) } else { Meaning::Value(Value::Object(first)) }
}

/// Records something recognised but not supported.
pub(crate) fn not_yet(code: &mut Code, vocabulary: Vocabulary, span: Span) {
    let verb = if vocabulary == Vocabulary::Amdgpu { "is" } else { "are" };
    let message = format!("{} {verb} not supported yet", vocabulary.title());
    Reports(&mut code.pending).error("not-yet", span, message);
}

/// The diagnostic code of a variable without a value.
pub(crate) const UNSET: &str = "unset-variable";

/// The diagnostic code of a value that depends on a number which only an execution knows: not an error if the execution
/// can determine it.
pub(crate) const UNDECIDED: &str = "undecided";

/// Describes a fault of an expression.
pub(crate) fn fault_diagnostic(fault: Fault, span: Span) -> Diagnostic {
    let (code, message) = match fault {
        Fault::Overflow => ("overflow", "the result does not fit in 64 bits"),
        Fault::SignedOverflow => (
            "signed-overflow",
            "the result does not fit in its type, which is undefined for signed numbers in C",
        ),
        Fault::DivisionByZero => ("division-by-zero", "division by zero"),
        Fault::ShiftRange => ("shift-range", "a shift count must be between 0 and 63"),
        Fault::NotANumber => ("not-a-number", "expected a number, found a barrier object"),
        Fault::OutsideArray => ("outside-array", "this index is outside the array"),
        Fault::NotAnMbarrier => (
            "not-an-object",
            "expected an mbarrier object or an address, and the rank of a CTA, as operands of `mapa`",
        ),
        Fault::NoSuchRank => {
            ("no-such-rank", "no CTA of the cluster has this rank: ranks start at 0")
        }
        Fault::NotAnArray => ("not-an-array", "expected an array of objects"),
        Fault::Undecided(..) => (UNDECIDED, "this number is known only during an execution"),
        Fault::Uncounted => (
            "not-counted",
            "this number is known only during an execution: compare it with a known number",
        ),
        Fault::Unset => (UNSET, "this variable has no value here"),
        Fault::LikeAddress => (
            UNSET,
            "this number is not tracked: the checker uses numbers of this size for addresses",
        ),
    };
    Diagnostic::error(code, span, message)
}
