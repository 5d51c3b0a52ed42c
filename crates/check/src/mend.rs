//! Edits that fix a scenario. Each is checked before it is offered.
//!
//! Candidates come from patterns in the text ([`search`]) and from the usual fixes of a rule ([`table`]), most likely
//! first. The first candidate is offered after which the scenario is `ok`: the search is exhaustive, the verdict
//! depends on no reading that did not matter before, and agents synchronise as before. If there is none, the first one is
//! offered whose result depends on readings of operations that the text had before, and its message names them. States
//! visited for this are not part of the verdict and not counted in its statistics.

mod add;
mod assigned;
mod balance;
mod braceless;
mod correct;
mod flip;
mod founded;
mod guard;
mod pairs;
mod repeat;
mod search;
mod shape;
mod spelled;
pub(crate) mod statement;
mod table;
mod tally;
mod tries;
pub(crate) mod units;

use crate::edit::fix;
use crate::edit::written::Written;
use crate::judge::KeepGoing;
use crate::report::{Edit, Finding, Fix, Report};
use crate::scene::{Options, Scene};
use crate::tell::help::edit::{self, Side};
use alloc::string::String;
use alloc::vec::Vec;
use search::Candidate;
use shape::Shape;
use tally::Tally;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::rule::RuleId;
use tries::{Held, Tries};
use units::Units;

/// Largest number of states of a small scenario. All checks of its edits have at most eight times its states.
const MOST_STATES: u64 = 4_000;
/// The largest number of states of all checks for other scenarios, and always allowed.
const FEW_STATES: u64 = 128_000;
/// Largest number of statements of a text that is searched, and of candidates.
const MOST_STATEMENTS: usize = 400;
const MOST_READ: usize = 160;
/// The maximum number of reasons about objects at which no agent waits.
const MOST_UNUSED: usize = 2;
/// The likelihood of an edit that is known for the rule or the execution.
const KNOWN: i32 = 5;

/// Offers, for every finding, the edit that makes the scenario `ok`; for a lint, the edit that is known to remove it.
pub(crate) fn offer(
    scene: &Scene,
    options: &Options,
    report: &mut Report,
    keep_going: KeepGoing<'_>,
) {
    let mut tries = Tries::new(scene, options, report, keep_going);
    let Some(worst) = report.findings.iter().position(is_grave) else {
        return small(report, &mut tries);
    };
    let (written, tally) = (Written::of(scene.text()), Tally::of(scene));
    unused(scene, &tally, report);
    let mut all = Vec::new();
    for finding in report.findings.iter_mut().filter(|it| is_grave(it)) {
        let of_the_rule = table::changes(scene, &report.target, finding);
        let known = finding.fix.take().into_iter().chain(of_the_rule).enumerate();
        all.extend(known.map(|(at, fix)| Candidate {
            score: KNOWN - at as i32,
            fix,
            reason: String::new(),
            shift: None,
            frees: false,
        }));
    }
    let known = all.clone();
    let units = Units::of(scene);
    if units.all.len() <= MOST_STATEMENTS {
        all.extend(search::candidates(
            scene,
            (&units, written, &tally),
            &report.target,
            &report.findings[worst],
        ));
    }
    all.sort_by_key(|it| (core::cmp::Reverse(it.score), it.fix.edits.first().map(|it| it.offset)));
    all.truncate(MOST_READ);
    let (mut tried, shape) = (OrderedSet::new(), Shape::of(scene, &units));
    let mut held = |candidate: &Candidate| {
        let after = fix::apply(scene.text(), &candidate.fix);
        let keeps = written.keeps(&after, &candidate.fix.edits);
        (tried.insert(after) && keeps).then(|| tries.holds(candidate, &shape)).flatten()
    };
    let (mut doubtful, mut of_sites) = (None, None);
    let certain = all.iter().find_map(|candidate| match held(candidate)? {
        Held { readings, is_certain: true, .. } => Some((candidate, readings)),
        Held { readings, of_sites: is_of_sites, .. } => {
            let other = if is_of_sites { &mut of_sites } else { &mut doubtful };
            other.get_or_insert((candidate, readings));
            None
        }
    });
    let chosen = certain.or(doubtful).or(of_sites).map(|(found, readings)| {
        // A statement that can move to this place is not missing.
        let mut moves = all.iter().filter(|it| found.adds_what_moves_by(it));
        let moved = moves.find_map(|candidate| Some((candidate, held(candidate)?.readings)));
        let (candidate, readings) = moved.unwrap_or((found, readings));
        (candidate.clone(), readings, false)
    });
    // Likelier candidates may have used up the budget before those that are known.
    let more = || {
        let keeps =
            |it: &&Candidate| written.keeps(&fix::apply(scene.text(), &it.fix), &it.fix.edits);
        let known: Vec<&Candidate> = known.iter().filter(keeps).collect();
        let known = pairs::known(&known, &shape, &mut tries);
        let is_pair = known.is_none();
        let (found, held) = known.or_else(|| pairs::find((report, &shape), &all, &mut tries))?;
        Some((found, held.readings, is_pair))
    };
    let Some((Candidate { mut fix, reason, .. }, readings, is_pair)) = chosen.or_else(more) else {
        return;
    };
    let answers = readings.into_iter().map(|id| tries.answer(id)).collect::<Vec<String>>();
    fix.message = edit::under(fix.message, &answers);
    let is_known = reason.is_empty() && !is_pair;
    let reason = if reason.is_empty() { reason_of(scene.text(), &units, &fix) } else { reason };
    for finding in report.findings.iter_mut().filter(|it| is_grave(it)) {
        let general = |said: &String| table::is_of_the_rule(&finding.rule, said);
        // The usual fix of a rule does not replace the reason found for this execution.
        if !is_known || finding.remedy.as_ref().is_none_or(general) {
            finding.remedy = Some(fix.message.clone());
        }
        if !reason.is_empty() {
            finding.because.insert(0, reason.clone());
        }
        finding.fix = Some(fix.clone());
    }
}

/// Objects at which agents arrive and no agent waits are a reason of a finding about phases.
fn unused(scene: &Scene, tally: &Tally, report: &mut Report) {
    const RULES: [RuleId; 4] = [
        RuleId::PtxMbarrierMissingWait,
        RuleId::PtxMbarrierNeverCompletes,
        RuleId::PtxMbarrierOverArrival,
        RuleId::PtxAsyncCopyAccess,
    ];
    let concerns = |it: &Finding| RULES.iter().any(|rule| rule.get().id == it.rule);
    if !report.findings.iter().any(|it| is_grave(it) && concerns(it)) {
        return;
    }
    let said = tally
        .unused()
        .into_iter()
        .map(|(index, agent)| edit::unused(scene.agent_name(agent), &scene.mbarrier_name(index)));
    let said: Vec<String> = said.take(MOST_UNUSED).collect();
    for finding in report.findings.iter_mut().filter(|it| is_grave(it) && concerns(it)) {
        finding.because.extend(said.iter().cloned());
    }
}

/// The operation that an edit adds or changes, in a sentence; empty if there are several.
fn reason_of(text: &str, units: &Units, fix: &Fix) -> String {
    let [Edit { offset, length, replacement, .. }] = &*fix.edits else {
        return String::new();
    };
    let (start, end) = (*offset as usize, (offset + length) as usize);
    let own = || units.all.iter().filter(|unit| unit.class != '{');
    if start < end {
        let changed = own().find(|unit| unit.range.start <= start && end <= unit.range.end);
        let changed = changed.filter(|unit| !text[unit.range.clone()].contains('\n'));
        return changed.map_or_else(String::new, |unit| {
            let new = [&text[unit.range.start..start], &**replacement, &text[end..unit.range.end]]
                .concat();
            edit::wrong(&new, unit.said())
        });
    }
    let new = replacement.trim_matches(|c: char| c.is_whitespace() || c == ';');
    if new.is_empty() || new.contains(['{', '\n']) {
        return String::new();
    }
    let before = own().filter(|unit| unit.range.end <= start).max_by_key(|unit| unit.range.end);
    let after = own().find(|unit| unit.range.start >= start);
    match (before, after) {
        (Some(unit), _) if replacement.trim_start().starts_with(';') => {
            edit::missing(new, Side::After, unit.said(), None)
        }
        (_, Some(unit)) => edit::missing(new, Side::Before, unit.said(), None),
        (Some(unit), _) => edit::missing(new, Side::After, unit.said(), None),
        _ => String::new(),
    }
}

/// Whether a finding decides the verdict.
fn is_grave(finding: &Finding) -> bool {
    !matches!(&*finding.class, "lint" | "hazard")
}

/// Changes for what does not decide the verdict.
fn small(report: &mut Report, tries: &mut Tries<'_, '_>) {
    for finding in report.findings.iter_mut().filter(|finding| finding.fix.is_none()) {
        let changes = table::changes(tries.scene, &report.target, finding);
        let held = changes.into_iter().find(|change| tries.removes(change, finding));
        if let Some(change) = held {
            if finding.remedy.as_ref().is_none_or(|said| table::is_of_the_rule(&finding.rule, said))
            {
                finding.remedy = Some(change.message.clone());
            }
            finding.fix = Some(change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use alloc::format;

    /// The text after the fix of the finding of a rule; it breaks the rule no more.
    fn mended(text: &str, rule: &str) -> String {
        let judged =
            |text: &str| check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let report = judged(text);
        let finding = report.findings.iter().find(|finding| finding.rule == rule);
        let finding = finding.unwrap_or_else(|| panic!("{rule} is kept: {:?}", report.diagnostics));
        let change = finding.fix.clone();
        let change = change.unwrap_or_else(|| panic!("no change: {:?}", finding.remedy));
        let after = fix::apply(text, &change);
        let report = judged(&after);
        assert!(report.findings.iter().filter(|it| it.rule == rule).count() == 0, "{after}");
        after
    }

    #[test]
    fn a_blocked_wait_is_not_replaced_by_one_that_returns_at_once() {
        let text = "target gfx942\nlaunch waves=3\nlds t[64]\na = tlx.alloc_barriers(1, arrive_count=1)\nwave 0-1 {\n  tlx.barrier_arrive(a[0], 1)\n}\nwave 2 {\n  tlx.barrier_wait(a[0], 0)\n}\n";
        let judged =
            |text: &str| check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let report = judged(text);
        let turned =
            report.findings.iter().flat_map(|it| &it.fix).find(|it| it.message.contains("parity"));
        assert_eq!((&*report.verdict, turned), ("deadlock", None));
        let after = mended(text, "ptx.mbarrier.never-completes");
        assert!(after.contains("arrive_count=2"), "{after}");
        assert_eq!(judged(&after).verdict, "ok");
    }

    #[test]
    fn a_wave_that_has_not_joined_joins_before_it_arrives() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\nwave 0 {\n  init b, 2\n  arrive wg; wait wg\n  arrive b\n  wait b\n}\nwave 1 {\n  arrive wg; wait wg\n  join b\n  arrive b\n  wait b\n}\n";
        let mended = |text| mended(text, "amd.join.before-wait").replace("; ", "\n  ");
        assert!(mended(text).contains("wait wg\n  join b\n  arrive b"));
        let text = text.replacen("arrive b\n  wait b", "s_barrier_signal b\n  s_barrier_wait b", 1);
        let mended = mended(&text);
        assert!(mended.contains("join b\n  s_barrier_signal b"), "{mended}");
    }

    #[test]
    fn waves_that_leave_too_early_wait() {
        let text =
            "target model\nlaunch waves=2\nwave 0 { arrive wg }\nwave 1 { arrive wg; wait wg }\n";
        assert!(mended(text, "amd.drop.race").contains("wave 0 { arrive wg; wait wg }"));
        let text = "target gfx1200\nlaunch waves=2\nwave 0 {\n  s_barrier_signal -1\n}\nwave 1 { s_barrier_signal -1; s_barrier_wait -1 }\n";
        assert!(
            mended(text, "amd.drop.race").contains("s_barrier_signal -1\n  s_barrier_wait -1\n}")
        );
    }

    #[test]
    fn a_late_join_is_moved_to_the_start() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n\
            wave 0 { init b, 1; arrive wg; wait wg; arrive wg; wait wg; arrive b }\n\
            wave 1 { arrive wg; wait wg; arrive wg; wait wg; join b; wait b }\n";
        let after = mended(text, "amd.join.before-wait");
        let after = after.split_whitespace().collect::<Vec<&str>>().join(" ");
        assert!(
            after.contains("wave 1 { arrive wg; wait wg; join b; arrive wg; wait wg; wait b }"),
            "{after}"
        );
        // If the init is not ordered before the join, the result is `ok` only under a reading.
        let text = text.replace("arrive wg; wait wg; arrive wg; wait wg;", "arrive wg; wait wg;");
        let report = check(&Scene::new("x.tide", &text), &Options::default(), &mut |_| true);
        assert!(report.verdict == "ub" && report.findings[0].fix.is_none(), "{report:?}");
    }

    #[test]
    fn counts_are_put_right() {
        let text = "target sm_90\nlaunch warps=2\nwarp 0-1 { bar.sync 0, 48 }\n";
        assert!(mended(text, "ptx.bar.count-multiple").contains("bar.sync 0, 64"));
        let text =
            "target model\nlaunch waves=1\nbarrier b\nwave 0 { init b, 0; arrive b; wait b }\n";
        assert!(mended(text, "amd.init.positive").contains("init b, 1;"));
    }

    #[test]
    fn a_wait_by_the_wrong_parity_is_turned() {
        let text = "target sm_90\nlaunch warps=2\nmbarrier full\nmbarrier empty\nshared tile[64]\n\
            warp 0 {\n  mbarrier.init.shared::cta.b64 [full], 1; mbarrier.init.shared::cta.b64 [empty], 1; bar.sync 0\n\
            for i in 0..4 {\n  P: mbarrier.try_wait.parity.shared::cta.b64 p, [empty], (i & 1) ^ 1\n  @!p bra P\n\
            store tile\n  mbarrier.arrive.shared::cta.b64 _, [full]\n  }\n}\n\
            warp 1 {\n  bar.sync 0\n  for i in 0..4 {\n  C: mbarrier.try_wait.parity.shared::cta.b64 p, [full], (i & 1) ^ 1\n  @!p bra C\n\
            load tile\n  mbarrier.arrive.shared::cta.b64 _, [empty]\n  }\n}\n";
        let after = mended(text, "ptx.mbarrier.missing-wait");
        assert!(
            after.contains("[full], (i & 1)\n") && after.contains("[empty], (i & 1) ^ 1\n"),
            "{after}"
        );
    }

    #[test]
    fn unordered_accesses_get_a_barrier() {
        let text = "target sm_90\nlaunch warps=2\nmbarrier b\n\
            warp 0 {\n  mbarrier.init.shared::cta.b64 [b], 1\n}\n\
            warp 1 { mbarrier.arrive.shared::cta.b64 _, [b] }\n";
        let after = mended(text, "ptx.mbarrier.init-visibility");
        assert!(after.contains("[b], 1\n  barrier.sync 0\n"), "{after}");
        assert!(after.contains("warp 1 { barrier.sync 0; mbarrier"), "{after}");
        let text = "target opencl\nlaunch subgroups=1 items=2\n\
            kernel void f(local int *t, global int *out) {\n  int l = get_local_id(0);\n  t[l] = l;\n\
            if (l == 0) {\n    out[0] = t[1];\n  }\n}\n";
        let after = mended(text, "mem.race");
        assert!(after.contains("t[l] = l;\n  barrier(CLK_LOCAL_MEM_FENCE);"), "{after}");
    }

    #[test]
    fn nothing_is_offered_that_leaves_a_fault() {
        let text = "target sm_90\nlaunch warps=2\nmbarrier b\nwarp 0 { mbarrier.arrive.shared::cta.b64 _, [b] }\nwarp 1 { bar.sync 1, 48; bar.arrive 2, 33 }\n";
        let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        assert_ne!(report.verdict, "ok");
        assert!(report.findings.iter().all(|finding| finding.fix.is_none()), "{report:?}");
    }

    #[test]
    fn a_wait_that_other_agents_have_is_added() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\n\
            wave 0 {\n  init b, 2\n  arrive wg\n  wait wg\n  join b\n  arrive wg\n  wait wg\n  arrive b\n  wait b\n}\n\
            wave 1 {\n  arrive wg\n  join b\n  arrive wg\n  wait wg\n  arrive b\n  wait b\n}\n";
        let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let fix = report.findings[0].fix.clone().expect("a change");
        assert!(fix::apply(text, &fix).contains("arrive wg\n  wait wg\n  join b"), "{fix:?}");
        assert!(report.findings[0].because[0].contains("wait wg"), "{:?}", report.findings[0]);
    }

    #[test]
    fn exchanged_statements_are_exchanged_back() {
        let text = "target gfx1250\nlaunch waves=2\nwave * {\n  arrive wg\n  wait wg\n}\n";
        let spoilt = text.replace("  arrive wg\n  wait wg", "  wait wg\n  arrive wg");
        let report = check(&Scene::new("x.tide", &spoilt), &Options::default(), &mut |_| true);
        let fix = report.findings[0].fix.clone().expect("a change");
        assert_eq!(fix::apply(&spoilt, &fix), text);
    }

    #[test]
    fn a_wait_and_an_arrive_change_places_and_no_parity_is_turned() {
        let wait = |name: &str, parity: &str| {
            format!("mbarrier.try_wait.parity.shared::cta.b64 p, [{name}], {parity}")
        };
        let arrive = |name: &str| format!("mbarrier.arrive.shared::cta.b64 _, [{name}]");
        let (empty, full) = (wait("empty", "(i & 1) ^ 1"), wait("full", "(i & 1)"));
        let consumer = format!("C: {full}\n  @!p bra C\n  {}\n", arrive("empty"));
        let text = format!(
            "target sm_90\nlaunch warps=2\nmbarrier full\nmbarrier empty\n\
            warp 0 {{\n  mbarrier.init.shared::cta.b64 [full], 1\n  mbarrier.init.shared::cta.b64 [empty], 1\n  bar.sync 0\n\
            for i in 0..4 {{\n  P: {empty}\n  @!p bra P\n  {}\n  }}\n}}\n\
            warp 1 {{\n  bar.sync 0\n  for i in 0..4 {{\n  {consumer}  }}\n}}\n",
            arrive("full")
        );
        let turned = format!("{}\n  C: {full}\n  @!p bra C\n", arrive("empty"));
        let spoilt = text.replace(&consumer, &turned);
        let judged =
            |text: &str| check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        assert_eq!((&*judged(&text).verdict, &*judged(&spoilt).verdict), ("ok", "violation"));
        let after = mended(&spoilt, "ptx.mbarrier.missing-wait");
        let words = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
        assert_eq!(words(&after), words(&text));
    }

    #[test]
    fn a_wait_for_marks_is_added_only_if_it_helps() {
        let scenario = |producer: &str, consumer: &str| {
            let barrier = "call void @llvm.amdgcn.s.barrier()";
            format!(
                "target gfx942\nlaunch waves=2\nglobal g[64]\nlds l[64]\nwave 0 {{\n  async_load l <- g\n  {producer}\n  {barrier}\n}}\n\
                wave 1 {{\n  {barrier}\n  {consumer}\n  load l\n}}\n"
            )
        };
        let acquire = "fence acquire workgroup";
        let whole = scenario("asyncmark\n  wait_asyncmark 0\n  fence release workgroup", acquire);
        for part in ["  wait_asyncmark 0\n", "  asyncmark\n", "  fence release workgroup\n"] {
            let after = mended(&whole.replacen(part, "", 1), "async.race");
            let report = check(&Scene::new("x.tide", &after), &Options::default(), &mut |_| true);
            assert_eq!(report.verdict, "ok", "{after}");
        }
        // Marks order nothing for a wave that acquires nothing.
        let bare = scenario("nop", "nop").replace("  nop\n", "");
        let report = check(&Scene::new("x.tide", &bare), &Options::default(), &mut |_| true);
        let race = report.findings.iter().find(|finding| finding.rule == "async.race");
        let race = race.unwrap_or_else(|| panic!("no race: {:?}", report.diagnostics));
        assert!(race.fix.is_none(), "{race:?}");
    }

    #[test]
    fn the_largest_number_has_no_next() {
        let text = "target model\nlaunch waves=2\nbarrier b\nwave 0 { init b, 9223372036854775807; arrive wg; wait wg; arrive b; wait b }\n\
            wave 1 { arrive wg; wait wg; arrive b; wait b }\n";
        let after = |text: &str| {
            let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
            assert_ne!(report.verdict, "ok");
            let fix = report.findings[0].fix.clone();
            fix.map(|fix| fix::apply(text, &fix))
        };
        after(text);
        // Counts of others are tried, too.
        for count in [0, 1, 3] {
            after(&text.replace("wave 1 { ", &format!("wave 1 {{ init b, {count}; ")));
        }
        let bars = "target sm_90\nlaunch warps=2\nwarp 0 { bar.sync 1, 9223372036854775776 }\nwarp 1 { bar.sync 1, 32 }\n";
        after(bars);
        after(&bars.replace("sync", "arrive"));
    }

    #[test]
    fn an_uninitialised_object_gets_its_init() {
        let text = "target sm_90\nlaunch warps=1\nmbarrier b\nwarp 0 {\n  mbarrier.arrive.shared::cta.b64 _, [b]\n}\n";
        let report = check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let told = &report.findings[0];
        assert!(told.because.iter().any(|said| said == "no agent initialises it"), "{told:?}");
        let remedy = told.remedy.as_deref().unwrap_or_default();
        assert!(remedy.starts_with("add `mbarrier.init.shared::cta.b64 [b], 1`"), "{told:?}");
    }

    #[test]
    fn a_barrier_is_not_inserted_between_a_header_and_its_body() {
        let kernel = |body: &str| {
            format!(
                "target opencl\nlaunch groups=1 items=8\nkernel void f(global int *out) {{\n  local int t[16];\n  int i = get_local_id(0);\n{body}  out[i] = t[7 - i];\n}}\n"
            )
        };
        let text = kernel("  if (i < 8)\n    t[i] = i;\n");
        let after = mended(&text, "mem.race");
        assert!(after.contains("    t[i] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"), "{after}");
        let text = kernel(
            "  t[i] = i;\n  for (int k = 0; k < i; k++)\n    barrier(CLK_LOCAL_MEM_FENCE);\n",
        );
        let after = mended(&text, "opencl.barrier.all-encounter");
        assert!(after.contains("  t[i] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  out"), "{after}");
    }

    #[test]
    fn llvm_ir_is_edited_in_llvm_ir() {
        let text = "target triple = \"amdgcn-amd-amdhsa\"\n\
            @tile = internal addrspace(3) global [128 x i32] poison, align 4\n\
            define amdgpu_kernel void @f(ptr addrspace(1) %out) #0 {\nentry:\n\
            \x20 %t = call i32 @llvm.amdgcn.workitem.id.x()\n\
            \x20 %p = getelementptr [128 x i32], ptr addrspace(3) @tile, i32 0, i32 %t\n\
            \x20 store i32 %t, ptr addrspace(3) %p, align 4\n\
            \x20 fence syncscope(\"workgroup\") release\n\
            \x20 fence syncscope(\"workgroup\") acquire\n\
            \x20 %r = sub i32 127, %t\n\
            \x20 %q = getelementptr [128 x i32], ptr addrspace(3) @tile, i32 0, i32 %r\n\
            \x20 %v = load i32, ptr addrspace(3) %q, align 4\n\
            \x20 %o = getelementptr i32, ptr addrspace(1) %out, i32 %t\n\
            \x20 store i32 %v, ptr addrspace(1) %o, align 4\n\
            \x20 ret void\n}\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n\
            attributes #0 = { \"amdgpu-flat-work-group-size\"=\"128,128\" \"target-cpu\"=\"gfx942\" }\n";
        let after = mended(text, "mem.race");
        let call = "release\n  call void @llvm.amdgcn.s.barrier()\n  fence";
        assert!(after.contains(call), "{after}");
        assert!(after.contains("declare void @llvm.amdgcn.s.barrier()\ndefine"), "{after}");
    }
}
