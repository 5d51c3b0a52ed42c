use super::read;
use crate::{compile, parse};
use alloc::format;
use alloc::string::String;
use tidegate_kernel::ir::{Kind, Machine};

/// A kernel of 64 work-items with this body.
fn kernel(body: &str) -> String {
    format!(
        "target datalayout = \"p3:32:32\"\n\
         target triple = \"amdgcn-amd-amdhsa\"\n\
         @tile = internal addrspace(3) global [64 x i32] undef\n\
         define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {{\n{body}\n}}\n\
         declare i32 @llvm.amdgcn.workitem.id.x()\n\
         attributes #0 = {{ \"amdgpu-flat-work-group-size\"=\"64,64\" \"target-cpu\"=\"gfx1200\" }}\n"
    )
}

#[test]
fn the_file_gives_target_launch_and_entry() {
    let text = kernel("  ret void");
    let scenario = parse(&text);
    assert!(scenario.diagnostics.is_empty());
    assert_eq!(scenario.target.map(|target| target.get().name), Some("gfx1200"));
    let compiled = compile(&scenario).unwrap();
    assert_eq!((compiled.program.launch.waves, compiled.program.launch.lanes), (2, 32));
}

#[test]
fn accesses_and_barriers_keep_their_places() {
    let text = kernel(
        "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  \
         %a = getelementptr i32, ptr addrspace(3) @tile, i32 %t\n  \
         store i32 1, ptr addrspace(3) %a, align 4\n  \
         call void @llvm.amdgcn.s.barrier()\n  \
         %x = xor i32 %t, 32\n  \
         %b = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %x\n  \
         %v = load i32, ptr addrspace(3) %b, align 4\n  ret void",
    );
    let compiled = compile(&parse(&text)).unwrap();
    let texts: alloc::vec::Vec<&str> =
        compiled.sources[0].iter().map(|source| source.text.as_str()).collect();
    let barrier = "call void @llvm.amdgcn.s.barrier()";
    assert_eq!(texts[1..3], [barrier; 2]);
    assert!(texts[0].starts_with("store i32 1") && texts[3].starts_with("%v = load"));
    assert_eq!(compiled.buffer_names, ["tile"]);
}

#[test]
fn a_function_of_the_opencl_library_makes_work_items_agents() {
    let text = "define spir_kernel void @k() {\n call void @_Z7barrierj(i32 1)\n ret void\n}\n\
                declare void @_Z7barrierj(i32)\n";
    assert_eq!(read(text).unwrap().machine, Machine::Opencl);
}

#[test]
fn an_undefined_function_leaves_the_verdict_open() {
    let text = kernel("  call void @elsewhere(ptr addrspace(1) %p)\n  ret void");
    let compiled = compile(&parse(&text)).unwrap();
    assert!(compiled.program.doubtful);
    assert!(compiled.warnings[0].message.contains("`elsewhere`"));
}

#[test]
fn a_kernel_that_writes_global_memory_names_its_assumed_workgroup() {
    let named = |header: &str, body: &str| {
        let text = format!("{header}{}", kernel(body));
        let warnings = compile(&parse(&text)).unwrap().warnings;
        warnings.iter().any(|one| one.code == "launch-size" && one.message.contains("groups=2"))
    };
    let writes = "  store i32 1, ptr addrspace(1) %p, align 4\n  ret void";
    let reads = "  %v = load i32, ptr addrspace(1) %p, align 4\n  ret void";
    assert!(named("", writes) && !named("", reads));
    assert!(!named("launch groups=1\n", writes));
}

#[test]
fn recursion_is_not_followed() {
    let text = format!(
        "{}define void @f(i32 %n) {{\n  call void @f(i32 %n)\n  ret void\n}}\n",
        kernel("  call void @f(i32 %n)\n  ret void")
    );
    let module = read(&text).unwrap();
    let blocks = module.functions.iter().flat_map(|function| &function.blocks);
    let all = blocks.flat_map(|block| &block.instructions);
    assert_eq!(all.filter(|one| matches!(one.kind, Kind::Unknown { .. })).count(), 2);
}

#[test]
fn a_truncated_file_is_one_error_with_a_line() {
    let text = kernel("  ret void");
    let at = text.find("ret").unwrap();
    let scenario = parse(&text[..at]);
    assert_eq!(scenario.diagnostics.len(), 1);
    assert_eq!(scenario.diagnostics[0].span.line, 4);
}

#[test]
fn texts_with_bytes_cut_or_changed_never_stop_the_reader() {
    let text = kernel(
        "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  %c = icmp slt i32 %t, %n\n  \
         br i1 %c, label %a, label %b\na:\n  store <2 x i32> <i32 1, i32 2>, ptr addrspace(1) %p\n  \
         switch i32 %n, label %b [ i32 1, label %a\n i32 2, label %b ]\nb:\n  \
         %s = phi i32 [ %n, %a ], [ 0, %0 ]\n  ret void",
    );
    for at in 0..text.len() {
        let mut changed = String::from(&text[..at]);
        changed.push(['(', '%', '{', '"', '0', ','][at % 6]);
        changed.push_str(&text[at + usize::from(at % 2 == 0)..]);
        let _ = read(&changed);
        let _ = read(&text[..at]);
    }
}
