//! What a module says about targets and launches.

use super::cursor::Cursor;
use super::lexer::{Kind, Token};
use super::module::Module;
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Facts, Machine};
use tidegate_model::target::{Family, TargetId};

/// The target of a module: its processor, or that of its triple (`amdgpu9.50-amd-amdhsa`).
pub(super) fn target(
    module: &Module<'_>,
    machine: Machine,
    tokens: &[Token<'_>],
) -> Option<TargetId> {
    if machine == Machine::Opencl {
        return TargetId::from_name("opencl");
    }
    let mut defined = module.functions.iter().filter(|function| function.body.is_some());
    let processor = defined.find_map(|function| module.attribute(function, "target-cpu"));
    let found = processor.and_then(|name| match machine {
        Machine::Nvidia => crate::ptx::target(name),
        _ => TargetId::from_name(name),
    });
    if machine == Machine::Nvidia {
        // The fifth generation of tensor cores came with sm_100.
        let tensor = || tokens.iter().any(|token| token.text.contains("tcgen05."));
        let usual = || if tensor() { "sm_100" } else { "sm_90" };
        return found.or_else(|| TargetId::from_name(usual()));
    }
    found.or_else(|| {
        let version = module.triple.strip_prefix("amdgpu")?.split('-').next()?;
        let (major, rest) = version.split_once('.')?;
        let (minor, stepping) = rest.split_at_checked(1)?;
        let stepping = match stepping {
            "10" => "a",
            "12" => "c",
            other => other,
        };
        TargetId::from_name(&format!("gfx{major}{minor}{stepping}"))
    })
}

/// Kernels that `!nvvm.annotations` names, with the key and the value of each annotation.
pub(super) fn annotated<'a>(
    module: &Module<'a>,
    tokens: &[Token<'a>],
) -> Vec<(&'a str, &'a str, u64)> {
    let mut found = Vec::new();
    let (_, nodes) = module.node(tokens, "nvvm.annotations");
    for node in nodes {
        let Some(&at) = module.metadata.get(node) else { continue };
        let mut cursor = Cursor::new(tokens, at);
        let (mut name, mut key) = ("", "");
        while !cursor.at_line_end() {
            let token = cursor.take();
            match token.kind {
                Kind::Global => name = token.text,
                Kind::Text => key = token.text,
                Kind::Number => found.push((name, key, token.text.parse().unwrap_or(0))),
                _ => {}
            }
        }
    }
    found
}

/// Up to three numbers: `128`, `8,8,1`.
fn dimensions(text: &str) -> Option<[u32; 3]> {
    let mut sizes = [1; 3];
    for (size, part) in sizes.iter_mut().zip(text.split([',', 'x'])) {
        *size = part.trim().parse().ok()?;
    }
    Some(sizes)
}

/// What a module says about the launch of a kernel.
pub(super) fn facts(
    module: &Module<'_>,
    at: usize,
    tokens: &[Token<'_>],
    target: Option<TargetId>,
) -> Facts {
    let function = &module.functions[at];
    let text = |key: &str| module.attribute(function, key);
    let attached = |key: &str| {
        let (_, node) = function.metadata.iter().find(|(name, _)| *name == key)?;
        let (numbers, _) = module.node(tokens, node);
        let mut sizes = [1; 3];
        let all = sizes.iter_mut().zip(&numbers);
        all.for_each(|(size, number)| *size = u32::try_from(*number).unwrap_or(1));
        (!numbers.is_empty()).then_some(sizes)
    };
    let noted = |key: [&str; 3]| {
        let all = annotated(module, tokens);
        let find = |key: &str| {
            let found = all.iter().find(|(name, known, _)| *name == function.name && *known == key);
            found.and_then(|(_, _, value)| u32::try_from(*value).ok())
        };
        let [x, y, z] = key.map(find);
        x.or(y).or(z)?;
        Some([x, y, z].map(|size| size.unwrap_or(1)))
    };
    let flat = text("amdgpu-flat-work-group-size").and_then(dimensions);
    let exact = attached("reqd_work_group_size")
        .or_else(|| text("nvvm.reqntid").and_then(dimensions))
        .or_else(|| noted(["reqntidx", "reqntidy", "reqntidz"]))
        .or_else(|| flat.filter(|[least, most, _]| least == most).map(|[size, ..]| [size, 1, 1]))
        .or_else(|| text("nvvm.maxntid").and_then(dimensions))
        .or_else(|| noted(["maxntidx", "maxntidy", "maxntidz"]));
    let cluster = text("amdgpu-cluster-dims")
        .or_else(|| text("nvvm.cluster_dim"))
        .and_then(dimensions)
        .filter(|sizes| sizes.iter().all(|&size| (1..=16).contains(&size)));
    Facts {
        threads: exact,
        // 1024 is what a compiler assumes where the text says nothing.
        most_threads: flat.map(|[_, most, _]| most).filter(|&most| most < 1024),
        cluster,
        lanes: attached("intel_reqd_sub_group_size")
            .map(|[size, ..]| size)
            .or_else(|| lanes(module, at, target)),
        dynamic_local: 0,
    }
}

/// Lanes of a wave of AMDGPU: what the features say, or the default of the target. A sub-group of OpenCL has 32 work-items on
/// most devices, and the library calls of a module say nothing else.
fn lanes(module: &Module<'_>, at: usize, target: Option<TargetId>) -> Option<u32> {
    if target.is_some_and(|target| target.get().family == Family::Opencl) {
        return Some(32);
    }
    let features = module.attribute(&module.functions[at], "target-features").unwrap_or_default();
    if features.contains("+wavefrontsize64") {
        return Some(64);
    }
    if features.contains("+wavefrontsize32") {
        return Some(32);
    }
    match target?.get().family {
        Family::Amdgpu { major, .. } => Some(if major < 10 { 64 } else { 32 }),
        _ => None,
    }
}
