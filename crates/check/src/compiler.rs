//! The compiler oracle: the behaviour of LLVM on the operations of a scenario, and its differences from the
//! specification.

use crate::report::CompilerReport;
use crate::scene::Scene;
use crate::tell;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use tidegate_model::compiler::{self, Outcome, Told, VERSION, What};
use tidegate_model::context::Context;
use tidegate_model::support::Lacking;
use tidegate_model::target::TargetId;

/// Returns the measured behaviour of the compiler on a scenario for an AMDGPU processor.
pub(crate) fn ask(
    scene: &Scene,
    context: &Context,
    target: TargetId,
    lacking: &[Lacking],
) -> CompilerReport {
    let told = compiler::ask(context, target, lacking);
    CompilerReport {
        version: VERSION.to_owned(),
        verdict: verdict(&told).to_owned(),
        notes: told.iter().filter_map(|told| note(scene, told, target.get().name)).collect(),
    }
}

/// The worst that happens.
fn verdict(told: &[Told]) -> &'static str {
    let met = |outcome| told.iter().any(|told| told.outcome == outcome);
    let worst = [Outcome::Crashes, Outcome::Rejected, Outcome::ExternalCall];
    match worst.into_iter().find(|outcome| met(*outcome)) {
        Some(Outcome::Crashes) => "crash",
        Some(Outcome::Rejected) => "unsupported",
        Some(Outcome::ExternalCall) => "external-call",
        Some(Outcome::Taken) | None => "ok",
    }
}

/// The difference between LLVM and the specification on an operation.
fn note(scene: &Scene, told: &Told, target: &str) -> Option<String> {
    let what = tell::operation(scene, told.agent, told.node);
    match (told.outcome, told.text_has_it) {
        (Outcome::Taken, true) | (Outcome::Rejected, false) => None,
        (Outcome::Taken, false) => Some(format!(
            "LLVM accepts {what}, which {target} does not support by the specification"
        )),
        (Outcome::Rejected, true) if told.what == What::NoCode => {
            Some(format!("{what} has no machine code in the document, so LLVM never compiles it"))
        }
        (Outcome::Rejected, true) => {
            Some(format!("LLVM rejects {what}, which {target} supports by the specification"))
        }
        (Outcome::Crashes, _) => {
            Some(format!("LLVM crashes on {what} for {target} instead of rejecting it"))
        }
        (Outcome::ExternalCall, _) => Some(format!(
            "LLVM silently compiles the unknown intrinsic of {what} to a call of an external function"
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::report::CompilerReport;
    use crate::{Options, Scene, check};
    use tidegate_model::target::TargetId;

    fn on(target: &str, text: &str) -> Option<CompilerReport> {
        let options = Options { target: TargetId::from_name(target), ..Options::default() };
        check(&Scene::new("x.tide", text), &options, &mut |_| true).compiler
    }

    #[track_caller]
    fn says(target: &str, text: &str, verdict: &str, note: &str) {
        let report = on(target, text).unwrap();
        assert_eq!((report.verdict.as_str(), report.version.as_str()), (verdict, "22.1.8"));
        assert!(report.notes.join("; ").contains(note), "{:?}", report.notes);
        assert_eq!(report.notes.is_empty(), note.is_empty(), "{:?}", report.notes);
    }

    #[test]
    fn named_barriers_on_gfx1200_are_assembled() {
        let text = "barrier n = named(1)\nwave 0 { init n, 1\n join n\n arrive n\n wait n }";
        says("gfx1200", text, "ok", "LLVM accepts `init n, 1` (wave 0, line 2), which gfx1200");
        says("gfx1250", text, "ok", "");
        says("gfx1100", text, "unsupported", "");
    }

    #[test]
    fn intrinsics_of_later_generations_crash_the_compiler() {
        let text = "wave 0 { call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n call void @llvm.amdgcn.s.barrier.wait(i16 -1) }";
        says(
            "gfx1100",
            text,
            "crash",
            "LLVM crashes on `call void @llvm.amdgcn.s.barrier.signal(i32 -1)` (wave 0, line 1) for gfx1100 instead of rejecting it",
        );
        let half = "wave 0 { call void @llvm.amdgcn.s.barrier.signal(i32 -1) }";
        says("gfx1100", half, "crash", "instead of rejecting it");
        says("gfx1200", text, "ok", "");
        says("gfx1100", "wave 0 { call void @llvm.amdgcn.s.barrier() }", "ok", "");
    }

    #[test]
    fn comparisons_of_constants_are_code_of_the_compiler() {
        let text = "launch waves=1\nwave 0 { s_cmp_eq_u32 0, 0\n s_barrier_signal_isfirst -1\n s_barrier_wait -1 }";
        says("gfx1200", text, "ok", "");
        says("gfx1250", text, "ok", "");
    }

    #[test]
    fn async_marks_become_calls() {
        let text = "wave 0 { call void @llvm.amdgcn.asyncmark() }";
        for target in ["gfx942", "gfx1100", "gfx1250"] {
            says(target, text, "external-call", "call of an external function");
        }
    }

    #[test]
    fn half_a_barrier_has_no_code() {
        says("gfx1100", "wave 0 { arrive wg }", "unsupported", "");
        says("gfx1100", "wave 0 { arrive wg; wait wg }", "ok", "");
        says(
            "gfx1250",
            "barrier b\nwave 0 { init b, 1 }",
            "unsupported",
            "`init b, 1` (wave 0, line 2) has no machine code",
        );
        assert_eq!(on("model", "wave 0 { arrive wg }"), None);
        assert_eq!(on("sm_90", "wave 0 { arrive wg }"), None);
    }
}
