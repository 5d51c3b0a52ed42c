use super::read;
use crate::parse;
use alloc::format;
use alloc::string::String;
use tidegate_kernel::ir::{Kind, Machine};
use tidegate_lang::compile;
use tidegate_lang::source::Assumed;

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
fn what_no_text_gives_of_a_launch_is_data_and_in_the_warning() {
    let assumed = |header: &str, size: &str| {
        let body = "  store i32 1, ptr addrspace(1) %p, align 4\n  ret void";
        let text = format!("{header}{}", kernel(body)).replace("=\"64,64\"", size);
        let compiled = compile(&parse(&text)).unwrap();
        let named = |words: &str| compiled.warnings.iter().any(|one| one.message.contains(words));
        let Assumed { threads, groups, several, .. } = &compiled.assumed;
        let size = threads.map(|threads| format!("this verdict is for {threads} threads"));
        assert_eq!(named("the size of a workgroup"), size.as_deref().is_some_and(named));
        let line = several.as_ref().map(|words| format!("add `launch {words}`"));
        assert_eq!(named("the number of workgroups"), line.as_deref().is_some_and(named));
        (threads.is_some(), *groups, several.clone())
    };
    let two = Some("groups=2".into());
    assert_eq!(assumed("", "=\"64,64\""), (false, true, two.clone()));
    assert_eq!(assumed("", "=\"1,1024\""), (true, true, two.clone()));
    assert_eq!(assumed("launch threads=64\n", "=\"1,1024\""), (false, true, two));
    assert_eq!(assumed("launch groups=1\n", "=\"1,1024\""), (true, false, None));
    assert_eq!(assumed("launch groups=1 threads=64\n", "=\"1,1024\""), (false, false, None));
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
fn what_is_not_llvm_ir_is_an_error_with_its_line() {
    let cases = [
        ("  store i32 %v, ptr addrspace(1) %p, align 4\n  ret void", "the value `%v`"),
        ("  br label %end", "the label `%end`"),
        ("  arrive wg\n  ret void", "expected an instruction of LLVM IR, found `arrive`"),
        ("  fence release workgroup\n  ret void", "found `workgroup`"),
        ("  fence workgroup\n  ret void", "`acq_rel` or `seq_cst`, found `workgroup`"),
    ];
    for (body, what) in cases {
        let scenario = parse(&kernel(body));
        let error = &scenario.diagnostics[0];
        assert!(error.message.contains(what), "{}", error.message);
        assert_eq!(error.span.line, 5);
    }
    let later = "  br label %b\na:\n  store i32 %v, ptr addrspace(1) %p\n  ret void\nb:\n  %v = add i32 %n, 1\n  br label %a";
    assert!(read(&kernel(later)).is_ok());
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

/// A kernel of NVIDIA with this body.
fn nvidia(body: &str) -> String {
    format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         @bar = internal addrspace(3) global i64 undef\n@s = internal addrspace(3) global i32 undef\n\
         define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {{\n{body}\n  ret void\n}}\n\
         attributes #0 = {{ \"nvvm.reqntid\"=\"64\" \"target-cpu\"=\"sm_90\" }}\n"
    )
}

#[test]
fn inline_ptx_is_read_with_its_operands_labels_and_blocks() {
    let text = nvidia(
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  \
         %b = ptrtoint ptr addrspace(3) @bar to i32\n  \
         call void asm sideeffect \"mbarrier.init.shared::cta.b64 [$0], $1;\", \"r,n\"(i32 %b, i32 64)\n  \
         %two = call { i32, i32 } asm \"{ .reg .b32 x; add.s32 x, $2, $3; mov.b32 $0, x; mov.b32 $1, $2; }\", \"=r,=r,r,0\"(i32 1, i32 2)\n  \
         call void asm sideeffect \"{\\0A.reg .pred p;\\0A\\09AGAIN:\\0Ambarrier.try_wait.parity.b64 p, [$0], 0; // \\22text\\22\\0A@p bra DONE;\\0Abra AGAIN;\\0ADONE:\\0A}\", \"r,~{memory}\"(i32 %b)",
    );
    let module = read(&text).unwrap();
    let pieces: alloc::vec::Vec<_> =
        module.functions.iter().filter(|one| one.name == "asm").collect();
    assert_eq!(pieces.len(), 3);
    assert_eq!(
        pieces.iter().map(|one| one.parameters.len()).collect::<alloc::vec::Vec<_>>(),
        [1, 2, 1]
    );
    let lines = pieces.iter().map(|one| text[one.place.start as usize..].lines().next());
    assert!(lines.flatten().all(|line| line.contains("asm")));
    let all = pieces.iter().flat_map(|one| &one.blocks).flat_map(|block| &block.instructions);
    assert!(all.clone().all(|one| !matches!(one.kind, Kind::Unknown { .. })));
    assert_eq!(all.filter(|one| matches!(one.kind, Kind::Nvidia(_))).count(), 2);
}

#[test]
fn inline_ptx_that_is_not_known_leaves_the_verdict_open() {
    let cases = [
        ("future.meet.sync $0;", "r", "(i32 1)", "`future.meet.sync`"),
        ("bar.sync $0;", "m", "(i32 1)", "its constraint `m`"),
        ("bar.sync } 0;", "", "()", "expected"),
    ];
    for (text, constraints, arguments, why) in cases {
        let body = format!("  call void asm sideeffect \"{text}\", \"{constraints}\"{arguments}");
        let compiled = compile(&parse(&nvidia(&body))).unwrap();
        assert!(compiled.program.doubtful, "{text}");
        let found = compiled.warnings.iter().any(|one| one.message.contains(why));
        assert!(found, "{text}: {:?}", compiled.warnings.first().map(|one| &one.message));
    }
}

#[test]
fn inline_ptx_cut_anywhere_never_stops_the_reader() {
    let body = "  %v = call i32 asm sideeffect \"{ .reg .pred p; setp.eq.s32 p, $1, 0; @p bar.sync 1, 64; mov.b32 $0, {$1, $$}; L: bra L; }\", \"=r,r,~{memory}\"(i32 %n)";
    let text = nvidia(body);
    let from = text.find("asm").unwrap_or(0);
    for at in from..from + body.len() - 20 {
        let _ = (read(&text[..at]), read(&[&text[..at], &text[at + 1..]].concat()));
    }
}
