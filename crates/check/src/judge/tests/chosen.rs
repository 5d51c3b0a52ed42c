//! Findings that the host decides: with one of its choices, every schedule has them.

use crate::report::{Finding, Report};
use crate::{Options, Scene, check};
use alloc::format;
use alloc::string::ToString;

/// The warps wait at different barriers, if `n` is 3.
const PTX: &str = ".version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 n)
.reqntid 64
{
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ne.s32 %p1, %r1, 3;
  @%p1 bra END;
  setp.gt.u32 %p2, %r2, 31;
  @%p2 bra OTHER;
  bar.sync 1, 64;
  bra END;
OTHER:
  bar.sync 2, 64;
END:
  ret;
}
";

/// A wait at the workgroup barrier without an arrival, if `n` is 3.
const IR: &str = "target triple = \"amdgcn-amd-amdhsa\"
define amdgpu_kernel void @k(i32 %n) #0 {
entry:
  %q = icmp eq i32 %n, 3
  br i1 %q, label %wait, label %end
wait:
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  br label %end
end:
  ret void
}
declare void @llvm.amdgcn.s.barrier.wait(i16)
attributes #0 = { \"amdgpu-flat-work-group-size\"=\"64,64\" \"target-cpu\"=\"gfx1200\" }
";

fn report(text: &str) -> Report {
    check(&Scene::new("k", text), &Options::default(), &mut |_| true)
}

fn occurs(report: &Report) -> alloc::string::String {
    report.findings.first().map(|found| found.occurs(report.exhaustive)).unwrap_or_default()
}

#[test]
fn a_finding_that_an_argument_decides_names_it_and_every_schedule() {
    for text in [PTX, IR] {
        let open = report(text);
        let three = report(&format!("argument n=3\n{text}"));
        let four = report(&format!("argument n=4\n{text}"));
        assert_eq!(open.verdict, three.verdict, "{text}");
        assert_eq!(four.verdict, "ok", "{text}");
        assert_eq!(occurs(&three), "in every schedule", "{text}");
        assert_eq!(open.findings[0].schedules, "some", "{text}");
        assert_eq!(occurs(&open), "in every schedule where the host passes n = 3", "{text}");
        let note = "this occurs in every schedule if the host passes n = 3".to_string();
        assert!(open.findings[0].because.contains(&note), "{:?}", open.findings[0].because);
    }
}

#[test]
fn a_finding_of_every_argument_does_not_depend_on_one() {
    let always = PTX.replace("  @%p1 bra END;\n", "");
    assert_eq!(occurs(&report(&always)), "in every schedule");
    let both = PTX.replace("  @%p1 bra END;\n", "  @%p1 bar.sync 3, 64;\n");
    let found = report(&both);
    assert_eq!(found.findings.first().and_then(Finding::passed), None, "{:?}", found.findings);
    assert_eq!(occurs(&found), "in every schedule");
}
