//! Random scenarios with every memory operation, under both revisions and on several targets. Nothing panics,
//! everything ends, and different parts of a report agree.

use crate::common::Random;
use tidegate_check::graph::{Pick, RelationId};
use tidegate_check::report::Report;
use tidegate_check::step::Stepper;
use tidegate_check::{Options, Scene, apply, check, graph, inline, ledger, lower, matrix};

impl Random {
    fn bytes(&mut self, name: &str) -> String {
        let start = self.below(12);
        format!("{name}[{start}..{}]", start + 1 + self.below(4))
    }

    fn copy(&mut self) -> String {
        let (to, from, length) = (self.below(12), self.below(12), 1 + self.below(4));
        let (to, from) =
            (format!("l[{to}..{}]", to + length), format!("g[{from}..{}]", from + length));
        match self.below(4) {
            0 => format!("async_load_to_lds({to}, {from})"),
            1 => {
                let name = self.of(&[
                    "load.async.to.lds",
                    "global.load.async.lds",
                    "raw.ptr.buffer.load.async.lds",
                    "struct.buffer.load.async.lds",
                ]);
                format!(
                    "call void @llvm.amdgcn.{name}(ptr addrspace(1) @{from}, ptr addrspace(3) @{to}, i32 4)"
                )
            }
            _ => format!("async_load {to} <- {from}"),
        }
    }

    fn fence(&mut self) -> String {
        let order = self.of(&["release", "acquire", "acq_rel"]);
        if self.below(3) == 0 {
            let scope = self.of(&["workgroup", "agent", "wavefront", "workgroup-one-as"]);
            let tag = self.of(&["", "", ", !mmra !{!\"amdgpu-synchronize-as\", !\"local\"}"]);
            return format!("fence syncscope(\"{scope}\") {order}{tag}");
        }
        let scope = self.of(&["workgroup", "workgroup", "cluster", "agent", "wavefront"]);
        format!("fence {order} {scope}{}", self.of(&["", "", "", " local", " global", " one-as"]))
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.below(22) {
            0..=2 => format!("load {}", {
                let name = self.of(&["l", "g"]);
                self.bytes(name)
            }),
            3..=5 => format!("store {}", {
                let name = self.of(&["l", "g"]);
                self.bytes(name)
            }),
            6..=8 => self.fence(),
            9..=11 => self.copy(),
            12 | 13 => self
                .of(&["asyncmark", "asyncmark()", "call void @llvm.amdgcn.asyncmark()"])
                .to_owned(),
            14 | 15 => format!("wait_asyncmark {}", self.below(3)),
            16 | 17 => self
                .of(&[
                    "arrive wg; wait wg",
                    "arrive wg; wait wg",
                    "s_barrier",
                    "arrive wg",
                    "call void @llvm.amdgcn.s.barrier()",
                ])
                .to_owned(),
            18 => self
                .of(&["s_waitcnt vmcnt(0)", "s_waitcnt lgkmcnt(0) vmcnt(1)", "s_waitcnt 0"])
                .to_owned(),
            19 if depth < 2 => {
                format!("choose {{\n{}}} or {{\n{}}}", self.block(depth + 1), self.block(depth + 1))
            }
            20 if depth < 2 => {
                format!("{} {{\n{}}}", self.of(&["repeat 2", "loop"]), self.block(depth + 1))
            }
            _ => "call f()".to_owned(),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        (0..1 + self.below(4)).map(|_| self.statement(depth) + "\n").collect()
    }

    fn scenario(&mut self) -> String {
        let target = self.of(&["gfx942", "gfx908", "gfx1030", "gfx1250", "model", "gfx90a"]);
        let reading = self.of(&["", "", "reading async.v1-v2=v1\n"]);
        let waves = 1 + self.below(3);
        let callee = self.block(2).replace("call f()", "asyncmark");
        let mut text = format!(
            "target {target}\n{reading}launch waves={waves}\nlds l[16]\nglobal g[16]\nfunc f() {{\n{callee}}}\n"
        );
        for wave in 0..waves {
            text += &format!("wave {wave} {{\n{}{}}}\n", self.block(0), self.block(0));
        }
        text
    }
}

fn judge(scene: &Scene) -> Report {
    let options = Options { max_states: Some(3_000), ambiguities: false, ..Options::default() };
    check(scene, &options, &mut |_| true)
}

/// Every witness leads to its finding, with memory displayed after each of its steps.
fn step_along(scene: &Scene, report: &Report) {
    for finding in report.findings.iter().filter(|finding| !finding.witness.is_empty()) {
        let mut stepper = Stepper::new(scene, &Options::default()).unwrap();
        for step in &finding.witness {
            stepper.perform(&step.key).unwrap();
            let memory = stepper.memory();
            let done = stepper.view().performed.len();
            let steps = memory.counters.iter().flat_map(|counter| &counter.outstanding);
            assert!(steps.into_iter().all(|&step| step < done));
            assert!(memory.pairs.iter().all(|pair| pair.second < done && pair.first < pair.second));
            assert!(memory.pairs.iter().all(|pair| pair.ordered == pair.missing.is_empty()));
            assert!(memory.synchronizes.iter().all(|edge| edge.acquire < done));
        }
        let view = stepper.view();
        let broke = view.performed.last().is_some_and(|step| step.broke.contains(&finding.rule));
        // Beside an infinite execution, an agent is blocked while others continue.
        let starves = finding.rule.ends_with("never-completes")
            && view.agents.iter().any(|agent| agent.status == "blocked");
        let told = broke || starves || view.state != "running";
        assert!(told, "{}\n{}", finding.rule, scene.text());
        if let Some(fix) = &finding.fix {
            let mended = apply(scene.text(), fix);
            assert!(Scene::new("mended.tide", &mended).is_valid(), "{fix:?}\n{mended}");
        }
    }
    if let Ok(graph) = graph(scene, &Options::default(), Pick::default(), &mut |_| true) {
        let data = graph::report::report(&graph, "random.tide", "", "", &RelationId::ALL);
        assert_eq!(data.relations.len(), RelationId::ALL.len());
    }
}

#[test]
fn random_memory_scenarios_never_panic_and_reports_agree() {
    let mut random = Random(11);
    let (mut raced, mut fine, mut lacking, mut open) = (0, 0, 0, 0);
    for round in 0..40 {
        let text = random.scenario();
        let scene = Scene::new("random.tide", &text);
        assert!(scene.is_valid(), "{text}\n{:?}", scene.diagnostics());
        let report = judge(&scene);
        assert_eq!(report, judge(&scene), "{text}");
        assert!(report.exhaustive || report.verdict != "ok");
        assert!(report.exhaustive || report.bound.is_some(), "{text}");
        match report.verdict.as_str() {
            "race" => raced += 1,
            "ok" => fine += 1,
            "unsupported" => lacking += 1,
            _ => open += 1,
        }
        step_along(&scene, &report);
        if round % 5 == 0 {
            let options = Options { max_states: Some(300), ..Options::default() };
            drop(lower(&scene, &options));
            drop(matrix(&scene, &options, &mut |_| true));
            drop(ledger::ledger(&scene, &options, &mut |_| true));
            for line in (1..)
                .zip(text.lines())
                .filter(|(_, line)| line.contains("call f"))
                .map(|(line, _)| line)
            {
                if let Ok(made) = inline::inline(&scene, line) {
                    assert!(Scene::new("inlined.tide", &made.text).is_valid(), "{}", made.text);
                }
            }
        }
    }
    assert!(raced > 8 && fine > 1 && lacking > 2, "{raced} {fine} {lacking} {open}");
}
