//! Variables, kernels and functions of a module.

use super::function::Lowering;
use super::names::{Names, place};
use super::tree::{Function, Module, Variable};
use alloc::vec::Vec;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{self, Content, Facts, Machine, ObjectId, Space, Style};
use tidegate_model::ordered::OrderedMap;

/// The most bytes of shared memory that a CTA can have.
const MOST_SHARED: u64 = 232_448;

/// Lowers a module.
pub(super) fn lower(module: &Module<'_>) -> ir::Module {
    let mut builder = Builder::new(Machine::Nvidia, Style::Lanes);
    builder.module().target = module.target.and_then(|(name, _)| target(name));
    let mut names =
        Names { objects: OrderedMap::new(), functions: OrderedMap::new(), dynamic: None };
    let is_dynamic =
        |variable: &Variable<'_>| variable.space == Some(Space::Local) && variable.bytes == 0;
    for variable in module.variables.iter().filter(|one| !is_dynamic(one)) {
        if let Some(object) = object(&mut builder, variable) {
            names.objects.insert(variable.name, object);
        }
    }
    for (index, function) in module.functions.iter().enumerate() {
        let id = function.body.is_some().then(|| builder.function(ir::Function::default()));
        names.functions.insert(function.name, (index, id));
    }
    let mut built = Vec::new();
    for function in module.functions.iter().filter(|function| function.body.is_some()) {
        let locals = locals(&mut builder, function);
        built.push((function, locals));
    }
    // The dynamic part is the last one of shared memory. All variables in it have the same address.
    for variable in module.variables.iter().filter(|one| is_dynamic(one)) {
        let object = *names.dynamic.get_or_insert_with(|| {
            builder.object(variable.name, place(variable.span), Space::Local, Some(MOST_SHARED))
        });
        names.objects.insert(variable.name, object);
    }
    for (function, locals) in built {
        let lowered = Lowering::new(&mut builder, &names, function, locals).lower();
        let Some(&(_, Some(id))) = names.functions.get(function.name) else { continue };
        builder.replace(id, lowered);
        if function.entry {
            builder.kernel(ir::Kernel {
                name: function.name.into(),
                place: place(function.span),
                function: id,
                facts: facts(function),
                arguments: Vec::new(),
                parameters: function.parameters.iter().map(|one| one.name.into()).collect(),
                unnamed: is_unnamed(function),
            });
        }
    }
    builder.finish()
}

/// Whether the names of all parameters are those that compilers make of the name of the kernel: `KERNEL_param_0`.
fn is_unnamed(function: &Function<'_>) -> bool {
    let is_made = |name: &str| {
        let number = name.strip_prefix(function.name).and_then(|rest| rest.strip_prefix("_param_"));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    !function.parameters.is_empty() && function.parameters.iter().all(|one| is_made(one.name))
}

/// What the directives of a kernel say about its launch.
fn facts(function: &Function<'_>) -> Facts {
    let all = |sizes: [u32; 3]| sizes.iter().fold(1_u32, |all, &size| all.saturating_mul(size));
    Facts {
        threads: function.threads,
        most_threads: function.most.map(all),
        cluster: function.cluster,
        lanes: Some(32),
        dynamic_local: 0,
    }
}

/// The target of a name: `sm_90a` is `sm_90` here, as far as synchronisation goes.
pub(crate) fn target(name: &str) -> Option<tidegate_model::target::TargetId> {
    let exact = |name: &str| tidegate_model::target::TargetId::from_name(name);
    exact(name).or_else(|| exact(name.trim_end_matches(|last: char| last.is_ascii_alphabetic())))
}

fn object(builder: &mut Builder, variable: &Variable<'_>) -> Option<ObjectId> {
    let space = variable.space?;
    let size = Some(variable.bytes).filter(|&bytes| bytes > 0);
    let object = builder.object(variable.name, place(variable.span), space, size);
    builder.module().objects[object as usize].element = variable.element;
    if space == Space::Constant && !variable.content.is_empty() {
        let mut bytes = variable.content.clone();
        bytes.resize(usize::try_from(variable.bytes).unwrap_or(0).max(bytes.len()).min(1 << 20), 0);
        builder.module().objects[object as usize].content = Content::Bytes(bytes);
    }
    Some(object)
}

fn locals(builder: &mut Builder, function: &Function<'_>) -> Vec<Option<ObjectId>> {
    function.locals.iter().map(|variable| object(builder, variable)).collect()
}
