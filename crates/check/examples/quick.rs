use tidegate_check::*;
fn main() {
    let mut bad = 0;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let scene = Scene::new(&path, &text);
        for d in scene.diagnostics() {
            println!("{path}:{}:{} {} {}", d.line, d.column, d.code, d.message);
        }
        let t = std::time::Instant::now();
        let opt = Options { ambiguities: std::env::var("AMB").is_ok(), ..Options::default() };
        let r = check(&scene, &opt, &mut |_| true);
        println!(
            "{path}: {} {:?} machine {:?} amb {:?} states {} ex {} {:?}",
            r.verdict,
            r.findings
                .iter()
                .map(|f| format!("{} {} w{} {}", f.rule, f.schedules, f.witness.len(), f.shortest))
                .collect::<Vec<_>>(),
            r.machine.as_ref().map(|m| (
                &m.verdict,
                m.findings.iter().map(|f| f.rule.clone()).collect::<Vec<_>>()
            )),
            r.ambiguities.iter().map(|a| format!("{} {:?}", a.id, a.verdicts)).collect::<Vec<_>>(),
            r.stats.states,
            r.stats.executions,
            t.elapsed()
        );
        for f in &r.findings {
            println!("   {}", f.message);
            for b in &f.because {
                println!("     - {b}");
            }
        }
        if !scene.is_valid() {
            bad += 1;
            continue;
        }
        for o in expect::expectations(&scene, &Options::default(), &mut |_| true) {
            if !o.passed {
                bad += 1;
                println!("  FAIL line {} {}: wanted {} got {}", o.line, o.target, o.wanted, o.got);
            }
        }
    }
    println!("bad {bad}");
}
