//! Parameters that are pointers to global memory, or descriptors of tensors in it.

use super::tree::{Does, Expression, Function, Kind, Sign, Statement, visit};
use alloc::collections::BTreeSet;

/// Pairs of a function and a variable.
pub(super) type Pointers<'t> = BTreeSet<(&'t str, &'t str)>;

/// The variables that hold pointers or descriptors, as their uses show.
pub(super) fn find<'t>(functions: &[Function<'t>]) -> Pointers<'t> {
    let mut found = Pointers::new();
    loop {
        let before = found.len();
        for function in functions {
            visit(&function.body, &mut |one| uses(functions, function, one, &mut found));
            assignments(&function.body, function.name, &mut found);
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The variable whose value a sum is an offset of.
fn root<'t>(one: &Expression<'t>) -> Option<&'t str> {
    match &one.kind {
        Kind::Name(name) => Some(name),
        Kind::Binary(Sign::Add | Sign::Sub, left, _) => root(left),
        Kind::Attribute(of, "T") => root(of),
        Kind::Call(of, passed) => match &of.kind {
            Kind::Attribute(
                _,
                "make_tensor_descriptor" | "make_block_ptr" | "advance" | "multiple_of",
            ) => passed.first().and_then(|(_, value)| root(value)),
            Kind::Attribute(of, "to") => root(of),
            _ => None,
        },
        _ => None,
    }
}

fn uses<'t>(
    functions: &[Function<'t>],
    function: &Function<'t>,
    one: &Expression<'t>,
    found: &mut Pointers<'t>,
) {
    let Kind::Call(of, passed) = &one.kind else { return };
    let first = passed.iter().find(|(name, _)| {
        name.is_none_or(|name| matches!(name, "desc" | "src" | "pointer" | "base"))
    });
    let first = first.and_then(|(_, value)| root(value));
    match &of.kind {
        Kind::Attribute(module, name) => {
            let global = match (&module.kind, *name) {
                (
                    Kind::Name("tl"),
                    "load" | "store" | "make_tensor_descriptor" | "make_block_ptr" | "advance",
                ) => first,
                (Kind::Name("tl"), name) if name.starts_with("atomic_") => first,
                (
                    Kind::Name("tlx"),
                    "async_descriptor_load" | "async_descriptor_store" | "async_load",
                ) => first,
                (Kind::Name("tlx"), name) if name.starts_with("async_descriptor_prefetch") => first,
                (Kind::Name("tl" | "tlx"), _) => None,
                (_, "load" | "store" | "gather" | "scatter" | "atomic_add") => root(module),
                _ => None,
            };
            found.extend(global.map(|name| (function.name, name)));
        }
        Kind::Name(name) => {
            let Some(callee) = functions.iter().find(|one| one.name == *name) else { return };
            for (at, (keyword, value)) in passed.iter().enumerate() {
                let parameter = keyword.or_else(|| callee.parameters.get(at).map(|one| one.name));
                if let (Some(parameter), Some(root)) = (parameter, root(value))
                    && found.contains(&(callee.name, parameter))
                {
                    found.insert((function.name, root));
                }
            }
        }
        _ => {}
    }
}

fn assignments<'t>(body: &[Statement<'t>], function: &'t str, found: &mut Pointers<'t>) {
    for statement in body {
        match &statement.kind {
            Does::Assign(targets, value) => {
                for target in targets {
                    if let (Kind::Name(name), Some(root)) = (&target.kind, root(value))
                        && found.contains(&(function, *name))
                    {
                        found.insert((function, root));
                    }
                }
            }
            Does::For(_, _, body) | Does::While(_, body) | Does::With(_, body) => {
                assignments(body, function, found)
            }
            Does::If(_, then, other) => {
                assignments(then, function, found);
                assignments(other, function, found);
            }
            _ => {}
        }
    }
}
