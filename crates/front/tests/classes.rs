//! The classes of the lines of compiled code.

use tidegate_front::read;
use tidegate_lang::LineClass::{self, Accesses, Branches, Computes, Ignored, Synchronises};
use tidegate_lang::launching::Launching;

/// Returns the class of the first line that contains a part of a text.
fn class_of(text: &str, part: &str) -> Option<LineClass> {
    let line = (1..).zip(text.lines()).find(|(_, line)| line.contains(part)).expect(part).0;
    let classes = tidegate_lang::parse_with(text, &Launching::default(), read).classes;
    classes.iter().find(|(at, _)| *at == line).map(|(_, class)| *class)
}

fn check(text: &str, wanted: &[(&str, Option<LineClass>)]) {
    for (part, class) in wanted {
        assert_eq!(class_of(text, part), *class, "{part}");
    }
}

#[test]
fn lines_of_every_language_have_classes() {
    let amdgpu = include_str!("../../../tests/kernels/exchange.gfx942.s");
    let wanted = [
        ("s_barrier", Some(Synchronises)),
        ("s_waitcnt", Some(Synchronises)),
        ("ds_write_b32", Some(Accesses)),
        ("v_xor_b32", Some(Computes)),
        ("s_endpgm", Some(Branches)),
        (".text", None),
        ("exchange:", None),
    ];
    check(amdgpu, &wanted);
    let ptx = include_str!("../../../tests/kernels/phases.sm_90.ptx");
    let wanted = [
        ("bar.sync 0", Some(Synchronises)),
        ("mbarrier.try_wait", Some(Synchronises)),
        ("st.shared", Some(Accesses)),
        ("@%p1 bra", Some(Branches)),
        ("bra.uni", Some(Branches)),
        ("setp.ne", Some(Computes)),
        (".reg .pred", None),
        ("}", None),
    ];
    check(ptx, &wanted);
    let sass = include_str!("../../../tests/kernels/exchange.sm_90.sass");
    let wanted = [
        ("BAR.SYNC", Some(Synchronises)),
        ("STS", Some(Accesses)),
        ("LOP3", Some(Computes)),
        ("EXIT", Some(Branches)),
        (".section", None),
    ];
    check(sass, &wanted);
    let source = include_str!("../../../tests/kernels/early-return.sm_90.cu");
    let wanted = [
        ("__syncthreads", Some(Synchronises)),
        ("part[own] = in[at]", Some(Accesses)),
        ("return;", Some(Branches)),
        ("int own", Some(Computes)),
        ("__shared__", None),
    ];
    check(source, &wanted);
}

#[test]
fn instructions_that_leave_nothing_only_compute() {
    let text = "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @k(ptr addrspace(1) %a, float %x) {\nentry:\n  %y = fadd float %x, 1.0\n  store float %y, ptr addrspace(1) %a\n  br label %end\nend:\n  ret void\n}\n";
    let wanted = [
        ("fadd", Some(Computes)),
        ("store", Some(Accesses)),
        ("br label", Some(Branches)),
        ("end:", None),
        ("ret void", Some(Branches)),
    ];
    check(text, &wanted);
}

#[test]
fn unknown_instructions_are_ignored_at_each_place() {
    let text = include_str!("../../../tests/kernels/exchange.gfx942.s");
    let text = text.replace("\ts_barrier", "\tv_frob v4, v1\n\ts_barrier\n\tv_frob v5, v2");
    let classes = tidegate_lang::parse_with(&text, &Launching::default(), read).classes;
    let ignored: Vec<u32> =
        classes.iter().filter(|(_, class)| *class == Ignored).map(|(line, _)| *line).collect();
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains("v_frob"));
    assert_eq!(ignored, lines.map(|(line, _)| line).collect::<Vec<u32>>());
}
