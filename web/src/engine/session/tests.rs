use super::*;

const TEXT: &str = "title \"T\"\nlaunch waves=2\nkernel { arrive wg; wait wg }\nexpect ok\n";

fn opened(
    session: &mut Session,
    text: &str,
    keys: &[String],
    cursor: usize,
    machine: bool,
) -> Opened {
    let (text, terms, keys) = (text.to_owned(), Terms::default(), keys.to_vec());
    match session.answer(Ask::Open { text, terms, keys, cursor, edited: false, machine }) {
        Reply::Opened(opened) => *opened,
        other => panic!("not opened: {other:?}"),
    }
}

fn open(session: &mut Session, keys: &[String], cursor: usize) -> Opened {
    opened(session, TEXT, keys, cursor, false)
}

fn at(session: &mut Session, text: &str, keys: &[String], machine: bool) -> Execution {
    opened(session, text, keys, keys.len(), machine).execution.expect("an execution")
}

fn step(session: &mut Session, ask: Ask) -> Option<Shown> {
    match session.answer(ask) {
        Reply::Stepped(shown) => shown.map(|shown| *shown),
        other => panic!("not a step: {other:?}"),
    }
}

#[test]
fn a_step_without_an_open_text_does_nothing() {
    assert_eq!(step(&mut Session::default(), Ask::Plan("run".into())), None);
}

#[test]
fn an_invalid_text_shows_nothing_of_the_previous_one() {
    let mut session = Session::default();
    assert!(open(&mut session, &[], 0).execution.is_some());
    let broken = opened(&mut session, "title \"B\"\nwave {", &["0.0:0".into()], 1, false);
    assert_eq!((broken.execution, &*broken.about.title), (None, "B"));
    assert_eq!(related(&mut session, Look::default()), None);
    for panel in [Panel::Ledger, Panel::Schedules] {
        let shown = session.answer(Ask::Panel(panel));
        assert!(matches!(shown, Reply::DocumentPage(None)), "{shown:?}");
    }
}

fn related(session: &mut Session, look: Look) -> Option<Answer> {
    session.relations(&look)
}

#[test]
fn relations_cover_only_performed_steps() {
    let mut session = Session::default();
    assert_eq!(related(&mut session, Look::default()), None);
    let _ = open(&mut session, &[], 0);
    let before = related(&mut session, Look::default()).expect("relations");
    assert!(before.operations.is_empty() && before.about.starts_with("Perform"), "{before:?}");
    let end = step(&mut session, Ask::Plan("run".into())).expect("steps");
    let look = Look {
        chosen: vec!["pi".into(), "po".into(), "bjb".into()],
        lanes: vec![500, 1500],
        ..Look::default()
    };
    let relations = related(&mut session, look.clone()).expect("relations");
    let keys: Vec<&str> = end.view.performed.iter().map(|step| &*step.key).collect();
    assert!(relations.operations.iter().all(|(key, _)| keys.contains(&&**key)), "{relations:?}");
    let count = |id: &str| relations.lines.iter().filter(|line| line.relation == id).count();
    assert_eq!((count("pi"), count("beb")), (1, 0), "one phase");
    assert!(count("po") >= 2);
    let absent = relations.relations.iter().find(|it| it.id == "bjb").map(|it| it.absent.clone());
    assert_eq!(absent, Some(vec!["No barrier-joined-before edges.".to_owned()]));
    let asked =
        relations.lines.iter().find(|line| line.relation == "pi").map(|line| line.name.clone());
    let pair = [0, 3].map(|at| Some(relations.operations[at].0.clone()));
    let look = Look { asked: asked.unwrap_or_default(), pair, table: true, ..look };
    let relations = related(&mut session, look).expect("relations");
    assert_eq!(relations.description[0], "Phase 1 of `wg`");
    assert!(
        relations.answers.iter().all(|why| !why.because.is_empty()) && relations.answers[0].holds
    );
    assert!(
        relations.table.len() >= 6 && relations.table.iter().flatten().all(|cell| !cell.is_empty())
    );
}

/// A new engine restores the words that links contain.
#[test]
fn links_preserve_schedules() {
    let mut session = Session::default();
    let _ = open(&mut session, &[], 0);
    let _ = step(&mut session, Ask::Plan("run".into()));
    let _ = step(&mut session, Ask::GoTo(1));
    let _ = step(&mut session, Ask::Plan("random 3".into()));
    let _ = step(&mut session, Ask::Plan("stop 3".into()));
    let link = |session: &mut Session| {
        let (text, terms, keys) = (TEXT.to_owned(), Terms::default(), Vec::new());
        let panels = "relations".to_owned();
        let ask = Ask::Link { text, terms, keys, verdict: None, panels };
        let Reply::Exported(Ok(link)) = session.answer(ask) else { panic!("no link") };
        link::decode(&link).expect("a link").panels
    };
    let panels = link(&mut session);
    assert!(panels.starts_with("relations ~") && panels.ends_with(" ^3 ^s3"), "{panels}");
    let mut fresh = Session::default();
    let words: Vec<String> = panels.split(' ').skip(1).map(str::to_owned).collect();
    let execution = open(&mut fresh, &words, 0).execution.expect("an execution");
    assert_eq!(execution.loaded, 0, "words are not steps");
    assert_eq!(link(&mut fresh), panels);
}

/// A breakpoint and a branch survive a change of the text, another target, and a visit to another text.
#[test]
fn schedules_survive_changes_and_other_texts() {
    let mut session = Session::default();
    let opens = |session: &mut Session, text: &str, target: Option<&str>, edited: bool| {
        let terms = Terms { target: target.map(str::to_owned), ..Terms::default() };
        let (text, keys) = (text.to_owned(), Vec::new());
        session.answer(Ask::Open { text, terms, keys, cursor: 0, edited, machine: false })
    };
    let known = |session: &mut Session| match session.answer(Ask::Panel(Panel::Schedules)) {
        Reply::DocumentPage(Some(page)) => {
            let text = page.text();
            (text.contains("Saved branches"), text.contains(" \u{d7}"))
        }
        other => panic!("no page: {other:?}"),
    };
    let _ = opens(&mut session, TEXT, None, false);
    let _ = step(&mut session, Ask::Plan("run".into()));
    let _ = step(&mut session, Ask::GoTo(1));
    let _ = step(&mut session, Ask::Plan("random 3".into()));
    let _ = step(&mut session, Ask::Plan("stop 3".into()));
    assert_eq!(known(&mut session), (true, true));
    let _ = opens(&mut session, TEXT, Some("gfx1200"), true);
    assert_eq!(known(&mut session), (true, true), "another target");
    let other = TEXT.replace("waves=2", "waves=3");
    let _ = opens(&mut session, &other, None, false);
    assert_eq!(known(&mut session), (false, false), "a different text with equal lines");
    let _ = opens(&mut session, TEXT, None, false);
    assert_eq!(known(&mut session), (true, true), "back");
    let _ = opens(&mut session, &TEXT.replace("\"T\"", "\"Two\""), None, true);
    assert_eq!(known(&mut session), (true, true), "changed");
}

#[test]
fn unordered_accesses_are_reported() {
    let text = "target gfx1250\nlaunch waves=2\nlds l[4]\nwave 0 { store l[0..4]; arrive wg; wait wg }\nwave 1 { arrive wg; wait wg; load l[0..4] }\n";
    let mut session = Session::default();
    let _ = opened(&mut session, text, &[], 0, false);
    let _ = step(&mut session, Ask::Plan("run".into()));
    let look = Look { chosen: vec!["apart".into()], lanes: vec![500, 1500], ..Look::default() };
    let relations = related(&mut session, look.clone()).expect("relations");
    let [line] = relations.lines.as_slice() else { panic!("one line, not {:?}", relations.lines) };
    let relations =
        related(&mut session, Look { asked: line.name.clone(), ..look }).expect("relations");
    assert!(
        relations.description.len() > 1
            && relations.description[0].contains("is not ordered before"),
        "{:?}",
        relations.description
    );
}

#[test]
fn unsupported_steps_are_shown_as_the_specifications() {
    let mut session = Session::default();
    let mut description = |target: &str| {
        let text = LATE.replace("gfx1250", target);
        at(&mut session, &text, &[], false).whole.view.summary
    };
    assert!(description("gfx1200").contains("Not executable on gfx1200"));
    assert!(!description("gfx1250").contains("Not executable"));
}

#[test]
fn barriers_without_relations_state_the_reason() {
    let text = "target gfx950\nlaunch waves=1\nmbarrier n\nwave 0 {\n  arrive wg\n  mbarrier.init.shared::cta.b64 [n], 1\n}\n";
    let mut session = Session::default();
    let _ = opened(&mut session, text, &[], 0, false);
    let relations = related(&mut session, Look::default()).expect("a reason");
    assert!(
        relations.relations.is_empty() && relations.about.contains("several specifications"),
        "{}",
        relations.about
    );
    let share = session.answer(Ask::DocumentPage("share".into()));
    let (text, ending) = (format!("{share:?}"), format!("{:?}", protocol::Form::Dot.ending()));
    assert!(text.contains("disabled") && !text.contains(&ending), "{text}");
}

#[test]
fn barriers_of_nvidia_are_related_by_their_phases() {
    let text = "target sm_90\nlaunch warps=2\nwarp 0 { bar.sync 0 }\nwarp 1 { bar.sync 0 }\n";
    let mut session = Session::default();
    let _ = at(&mut session, text, &["0.0:0", "0.1:0"].map(String::from), false);
    let chosen = ["po", "pi", "beb"].map(String::from).to_vec();
    let look = Look { chosen, lanes: vec![500, 1500], ..Look::default() };
    let relations = related(&mut session, look.clone()).expect("relations");
    assert!(relations.about.contains("PTX does not define them"), "{}", relations.about);
    let names: Vec<&str> = relations.relations.iter().map(|it| &*it.id).collect();
    assert_eq!(names, ["po", "tbo", "bmo", "pi", "beb"]);
    // One bar for the phase, and each warp's arrival before the wait of the other.
    let lines: Vec<&str> = relations.lines.iter().map(|line| &*line.name).collect();
    assert_eq!(lines, ["beb 0 3", "beb 1 2", "phase 1 barrier 0"]);
    let description = Look { asked: "beb 0 3".into(), ..look };
    let description = related(&mut session, description).expect("relations").description;
    assert!(description.concat().contains("arrives in phase 1 of barrier 0"), "{description:?}");
}

#[test]
fn steps_of_a_different_program_are_not_performed() {
    let mut session = Session::default();
    let _ = open(&mut session, &[], 0);
    let end = step(&mut session, Ask::Plan("run".into())).expect("steps");
    let keys: Vec<String> = end.view.performed.iter().map(|step| step.key.clone()).collect();
    let mut loaded = |text: &str| {
        let (terms, keys) = (Terms::default(), keys.clone());
        let cursor = keys.len();
        let ask =
            Ask::Open { text: text.into(), terms, keys, cursor, edited: true, machine: false };
        let Reply::Opened(opened) = session.answer(ask) else { panic!("not opened") };
        opened.execution.map(|execution| execution.loaded)
    };
    let longer = TEXT.replace("wait wg", "wait wg; arrive wg; wait wg");
    assert_eq!(loaded(&longer), Some(keys.len()));
    let other = "launch waves=2\nwave 0 {\n  arrive wg\n  store l[0..4]\n}\nwave 1 { arrive wg }\nlds l[4]\n";
    assert_eq!(loaded(other), Some(0));
}

#[test]
fn an_execution_reopens_at_its_cursor() {
    let mut session = Session::default();
    let opened = open(&mut session, &[], 0);
    assert!(opened.expects && opened.about.title == "T" && opened.execution.is_some());
    let end = step(&mut session, Ask::Plan("run".into())).expect("steps");
    let keys: Vec<String> = end.view.performed.iter().map(|step| step.key.clone()).collect();
    assert!(keys.len() >= 4, "{keys:?}");
    let execution = open(&mut session, &keys, 2).execution.expect("an execution");
    assert_eq!((execution.loaded, execution.whole), (keys.len(), end));
    let at = execution.at.expect("a cursor before the end");
    assert_eq!((at.view.performed.len(), at.ahead), (0, keys.len() - 2));
    let forward = step(&mut session, Ask::Forward);
    assert_eq!(forward.map(|it| (it.kept, it.view.performed.len())), Some((2, 1)));
    assert_eq!(step(&mut session, Ask::GoTo(0)).map(|it| it.view.performed.len()), Some(0));
    assert_eq!(step(&mut session, Ask::Back), None);
    assert_eq!(step(&mut session, Ask::Perform("no such step".into())), None);
}

const LATE: &str = "target gfx1250\nlaunch waves=2\nbarrier ready = named(1)\nwave 0 { init ready, 1; arrive wg; wait wg; arrive ready }\nwave 1 { arrive wg; wait wg; join ready; wait ready }\n";

/// The machine's finding is stepped on the machine with its words; the specification's execution keeps its position.
#[test]
fn the_machine_has_its_own_execution() {
    let mut session = Session::default();
    let _ = at(&mut session, LATE, &[], false);
    let text = step(&mut session, Ask::Plan("run".into())).expect("steps");
    assert_eq!(text.machine, "");
    let report = tidegate_check::check(&scene(LATE), &Terms::default().options(), &mut |_| true);
    let found = report.machine.expect("a machine").findings.remove(0);
    let keys: Vec<String> = found.witness.iter().map(|it| it.key.clone()).collect();
    let machine = step(&mut session, Ask::Machine(keys.clone())).expect("the machine");
    assert_eq!((machine.machine.as_str(), machine.view.state.as_str()), (ONE_BIT, "stuck"));
    assert_eq!((machine.kept, machine.view.performed.len()), (0, keys.len()));
    let words: Vec<&str> = machine.view.performed.iter().map(|it| it.word.as_str()).collect();
    assert_eq!(words[0], "0x01000011", "init ready, 1");
    let ledger = format!("{:?}", session.answer(Ask::Panel(Panel::Ledger)));
    assert!(ledger.contains("blocks 26\u{2013}24"), "{ledger}");
    let relations = related(&mut session, Look::default()).expect("a reason");
    assert!(relations.about.contains("hardware model"), "{}", relations.about);
    let back = step(&mut session, Ask::Back).expect("a step back");
    assert_eq!((back.kept, back.machine.as_str()), (keys.len() - 1, ONE_BIT));
    // Breakpoints apply to both executions, and links contain them.
    let _ = step(&mut session, Ask::Plan("stop 7".into()));
    assert_eq!(session.words(LATE), " ^7");
    assert_eq!(step(&mut session, Ask::Text), Some(text));
    assert_eq!(session.words(LATE), " ^7");
    assert_eq!(step(&mut session, Ask::Text), None, "the text is shown");
    let execution = at(&mut session, LATE, &keys, true);
    assert_eq!((execution.loaded, execution.whole.machine), (keys.len(), ONE_BIT.to_owned()));
}

#[test]
fn without_a_machine_the_specification_is_shown() {
    let mut session = Session::default();
    let text = TEXT.replace("launch", "target model\nlaunch");
    assert_eq!(at(&mut session, &text, &[], true).whole.machine, "");
    assert_eq!(step(&mut session, Ask::Machine(Vec::new())), None);
    let text = "target sm_90\nlaunch warps=1\nmbarrier b\nwarp 0 { mbarrier.init.shared::cta.b64 [b], 1 }\n";
    assert_eq!(at(&mut session, text, &[], true).whole.machine, PARITY);
}
