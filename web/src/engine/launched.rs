//! The launch of compiled code, in words.

use crate::library::header;
use protocol::Launch;
use tidegate_check::model::target::Family;
use tidegate_check::{Options, Scene};

/// Returns the launch of a scenario; nothing if it is no compiled code or was not evaluated.
pub(crate) fn of(scene: &Scene, options: &Options) -> Option<Launch> {
    let context = scene.context().filter(|_| !scene.line_classes().is_empty())?;
    let launch = context.program.launch;
    let [group, wave] = match options.target_of(scene).get().family {
        Family::Nvidia => ["CTA", "warp"],
        Family::Amdgpu { .. } | Family::Model => ["workgroup", "wave"],
        Family::Opencl => ["work-group", "sub-group"],
    };
    let count = |count: u32, noun: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count}\u{a0}{noun}{plural}")
    };
    let given = header(scene.text(), "launch").map(str::trim);
    let diagnostics = scene.diagnostics();
    // The number of threads that was assumed.
    let threads = diagnostics.iter().find_map(|it| {
        let (_, rest) = it.message.split_once("size of a workgroup; this verdict is for ")?;
        rest.strip_suffix(" threads")
    });
    let is_assumed = threads.is_some() || diagnostics.iter().any(|it| it.code == "launch-size");
    let from = match (given, is_assumed) {
        (_, true) => "assumed",
        (Some(_), false) => "from the line `launch`",
        (None, false) => "from the file",
    };
    let says = format!(
        "Launch: {} \u{d7} {} ({from})",
        count(launch.workgroups, group),
        count(launch.waves, wave)
    );
    let threads = threads.map(|threads| format!(" threads={threads}")).unwrap_or_default();
    let words =
        given.map_or_else(|| format!("groups={}{threads}", launch.workgroups), str::to_owned);
    Some(Launch { says, words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::scene;

    fn launch(text: &str) -> Option<Launch> {
        of(&scene(text), &Options::default())
    }

    #[test]
    fn a_scenario_shows_its_launch_in_its_text() {
        assert_eq!(launch("launch waves=2\nwave * { arrive wg; wait wg }\n"), None);
    }
}
