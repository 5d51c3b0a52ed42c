//! The launch of a kernel, in words.

use crate::library::header;
use protocol::Launch;
use tidegate_check::lang::source::Assumed;
use tidegate_check::model::program;
use tidegate_check::model::target::Family;
use tidegate_check::{Options, Scene};

/// Returns the launch of a scenario; nothing if it is no kernel or was not evaluated.
pub(crate) fn of(scene: &Scene, options: &Options) -> Option<Launch> {
    let is_kernel = !scene.line_classes().is_empty() || !scene.entries().is_empty();
    let context = scene.context().filter(|_| is_kernel)?;
    let given = header(scene.text(), "launch").map(str::trim);
    let family = options.target_of(scene).get().family;
    Some(in_words(context.program.launch, scene.assumed()?, given, family))
}

/// Describes a launch of which the text gives these words.
fn in_words(
    launch: program::Launch,
    assumed: &Assumed,
    given: Option<&str>,
    family: Family,
) -> Launch {
    let [group, wave, key] = match family {
        Family::Nvidia => ["CTA", "warp", "ctas"],
        Family::Amdgpu { .. } | Family::Model => ["workgroup", "wave", "groups"],
        Family::Opencl => ["work-group", "sub-group", "groups"],
    };
    let count = |count: u32, noun: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count}\u{a0}{noun}{plural}")
    };
    let from = match (assumed.threads, assumed.groups, given) {
        (Some(_), true, _) => "assumed".to_owned(),
        (Some(_), false, _) => format!("{group} size assumed"),
        (None, true, _) => format!("{group}s assumed"),
        (None, false, Some(_)) => "from the line `launch`".to_owned(),
        (None, false, None) => "from the file".to_owned(),
    };
    let says = format!(
        "Launch: {} \u{d7} {} ({from})",
        count(launch.workgroups, group),
        count(launch.waves, wave)
    );
    let threads = assumed.threads.map(|threads| format!(" threads={threads}")).unwrap_or_default();
    let with = |groups: &str| match given {
        Some(given) => format!("{given} {groups}"),
        None => format!("{groups}{threads}"),
    };
    let words = match given {
        Some(given) => given.to_owned(),
        None if !assumed.words.is_empty() => assumed.words.clone(),
        None => with(&format!("{key}={}", launch.workgroups)),
    };
    Launch { says, words, more: assumed.several.as_deref().map(with) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::scene;

    fn launch(text: &str) -> Option<Launch> {
        of(&scene(text), &Options::default())
    }

    /// The description of two warps in one CTA, the words that give it, and those with more CTAs.
    fn said(assumed: &Assumed, given: Option<&str>) -> (String, String, Option<String>) {
        let one = scene("target sm_90\nlaunch warps=2\nwarp * { bar.sync 0 }\n");
        let launch = one.context().expect("valid").program.launch;
        let Launch { says, words, more } = in_words(launch, assumed, given, Family::Nvidia);
        (says.replace('\u{a0}', " "), words, more)
    }

    #[test]
    fn what_is_assumed_is_said_in_the_words_of_the_vendor() {
        let several = Some("ctas=2".to_owned());
        let all = Assumed {
            threads: Some(64),
            groups: true,
            several: several.clone(),
            ..Assumed::default()
        };
        assert_eq!(
            said(&all, None),
            (
                "Launch: 1 CTA × 2 warps (assumed)".to_owned(),
                "ctas=1 threads=64".to_owned(),
                Some("ctas=2 threads=64".to_owned())
            )
        );
        let groups = Assumed { groups: true, several, ..Assumed::default() };
        assert_eq!(
            said(&groups, Some("threads=64")),
            (
                "Launch: 1 CTA × 2 warps (CTAs assumed)".to_owned(),
                "threads=64".to_owned(),
                Some("threads=64 ctas=2".to_owned())
            )
        );
        let (says, words, more) = said(&Assumed::default(), None);
        assert_eq!((&*says, &*words), ("Launch: 1 CTA × 2 warps (from the file)", "ctas=1"));
        assert_eq!(more, None);
        let (says, ..) = said(&Assumed::default(), Some("ctas=1 warps=2"));
        assert!(says.ends_with("(from the line `launch`)"), "{says}");
    }

    #[test]
    fn a_scenario_shows_its_launch_in_its_text() {
        assert_eq!(launch("launch waves=2\nwave * { arrive wg; wait wg }\n"), None);
    }

    #[test]
    fn a_kernel_in_c_has_a_launch() {
        let kernel = "__kernel __attribute__((reqd_work_group_size(64,1,1)))\nvoid k(__global int *a) {\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
        let Launch { says, words, .. } = launch(kernel).expect("a launch");
        assert_eq!(words, "groups=2 subgroups=4 items=16");
        assert!(says.ends_with("(work-groups assumed)"), "{says}");
        let Launch { says, words, .. } =
            launch(&["launch groups=1 items=64\n", kernel].concat()).expect("a launch");
        assert_eq!(words, "groups=1 items=64");
        assert!(says.ends_with("(from the line `launch`)"), "{says}");
    }
}
