//! The words that fit the target of a text.

use crate::highlight::{TokenKind, tokens};
use crate::lexer;
use crate::vocabulary::{self, Effect, Vocabulary, llvm, opencl, ptx, sass, tlx};
use tidegate_model::operation::Form;
use tidegate_model::ptx::action::Spelling;
use tidegate_model::ptx::support::lacks;
use tidegate_model::target::{Family, Target, TargetId};

/// Declarations, blocks and keys of `launch`, in the terms of AMDGPU, NVIDIA and OpenCL. Every target accepts all of them.
const TERMS: [&[&str]; 3] = [
    &["barrier", "lds", "wave", "workgroup", "workgroups=", "waves=", "lanes="],
    &["mbarrier", "shared", "warp", "cta", "ctas=", "warps=", "threads="],
    &["local", "image", "subgroup", "group", "groups=", "subgroups=", "items="],
];

/// The target that a text names; `None` if it names none, and everything fits.
pub(crate) fn target(text: &str) -> Option<&'static Target> {
    let words = tokens(text).into_iter().filter(|(_, kind)| *kind != TokenKind::Comment);
    let mut words = words.map(|(span, _)| lexer::slice(text, span));
    words.find(|word| *word == "target")?;
    Some(TargetId::from_name(words.next()?)?.get())
}

/// Whether a word of the language is one of the target's vendor, or of all.
pub(super) fn has_word(target: &Target, word: &str) -> bool {
    let own = match target.family {
        Family::Model | Family::Amdgpu { .. } => 0,
        Family::Nvidia => 1,
        Family::Opencl => 2,
    };
    let has = |terms: &&[&str]| terms.contains(&word);
    match word {
        "clusters=" => target.cluster_barriers || own == 1,
        _ => has(&TERMS[own]) || !TERMS.iter().any(has),
    }
}

/// Whether a target supports an operation on some object.
pub(super) fn has_operation(target: &Target, name: &str) -> bool {
    let is_amdgpu = matches!(target.family, Family::Model | Family::Amdgpu { .. });
    if let Some((vocabulary, row)) = vocabulary::find(name) {
        return match (vocabulary, row.effect, row.form) {
            (_, Effect::Load | Effect::Store | Effect::Fence, _) => true,
            (Vocabulary::Memory, ..) => target.async_marks,
            (_, _, Form::Machine(mnemonic)) => target.has(mnemonic),
            (_, Effect::Join, _) => target.named_barriers,
            (_, Effect::Init | Effect::Drop, _) => target.split_barriers && is_amdgpu,
            _ => is_amdgpu,
        };
    }
    if name.starts_with(llvm::PREFIX) {
        return is_amdgpu;
    }
    if opencl::find(name).is_some() {
        return target.family == Family::Opencl;
    }
    let spelling = if sass::twins().any(|twin| twin.sass == name) {
        Spelling::Sass
    } else if let Some(tlx) = tlx::find(name) {
        tlx.instruction.spelling
    } else {
        let Ok((row, _)) = ptx::find(name) else { return true };
        row.spelling
    };
    lacks(spelling, target).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(name: &str) -> &'static Target {
        TargetId::from_name(name).expect("a target").get()
    }

    #[test]
    fn the_line_of_the_target_is_found() {
        let named = |text| target(text).map(|target| target.name);
        assert_eq!(
            named("title \"target sm_90\"\n# target sm_80\ntarget gfx1250\n"),
            Some("gfx1250")
        );
        assert_eq!(named("target gfx1"), None);
        assert_eq!(named("wave 0 { arrive wg }"), None);
    }

    #[test]
    fn operations_fit_the_targets_that_support_them() {
        for (name, fits, differs) in [
            ("arrive", "gfx942", "sm_90"),
            ("join", "gfx1250", "gfx1200"),
            ("s_barrier", "gfx942", "gfx1250"),
            ("s_barrier_signal", "gfx1200", "gfx942"),
            ("async_load", "gfx1250", "sm_90"),
            ("llvm.amdgcn.s.barrier", "gfx942", "opencl"),
            ("mbarrier.arrive.expect_tx", "sm_90", "gfx1250"),
            ("mbarrier.try_wait", "sm_90", "sm_80"),
            ("SYNCS.ARRIVE.TRANS64", "sm_90", "gfx1250"),
            ("tlx.barrier_wait", "gfx942", "opencl"),
            ("tlx.named_barrier_wait", "sm_90", "gfx942"),
            ("sub_group_barrier", "opencl", "sm_90"),
        ] {
            assert!(has_operation(on(fits), name), "{name} on {fits}");
            assert!(!has_operation(on(differs), name), "{name} on {differs}");
        }
        for target in ["model", "gfx600", "sm_70", "opencl"] {
            assert!(["load", "store", "fence"].iter().all(|name| has_operation(on(target), name)));
        }
    }

    #[test]
    fn words_are_those_of_the_vendor() {
        for (word, fits, differs) in [
            ("lds", "gfx1250", "sm_90"),
            ("warp", "sm_90", "model"),
            ("subgroups=", "opencl", "gfx942"),
            ("clusters=", "sm_90", "gfx942"),
        ] {
            assert!(has_word(on(fits), word) && !has_word(on(differs), word), "{word}");
        }
        assert!(
            ["kernel", "global", "for", "note"].iter().all(|word| has_word(on("opencl"), word))
        );
    }
}
