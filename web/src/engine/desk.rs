//! The requests that the page makes in its own thread: steps, machine code and views.

use crate::export::export;
use crate::judge::scene;
use crate::kin;
use crate::ledger;
use crate::library::Library;
use crate::lines;
use crate::relations::{self, Relations};
use crate::schedules::Schedules;
use crate::sheets::{readings, share, sheet, targets};
use protocol::{
    About, Ask, Course, Look, Opened, Panel, Reply, Session, Sheet, Shown, Terms, Woven, choice,
};
use tidegate_check::link::{self, Shared};
use tidegate_check::model::ordered::OrderedMap;
use tidegate_check::model::target::{Family, TargetId};
use tidegate_check::step::Stepper;

/// Largest number of steps after which the machine is replayed on each step.
const FOLLOWED: usize = 200;

/// Number of earlier texts whose schedules are kept.
const LEFT: usize = 16;

/// The notice of an execution on a hardware model.
const ONE_BIT: &str = "Execution on the one-bit hardware model (public, not measured). Each step shows what `s_get_barrier_state` reads after it.";
const PARITY: &str = "Execution on the parity hardware model (public, not measured).";

/// An execution, and the schedules that the reader has seen of the same machine.
#[derive(Default)]
struct Bench {
    stepper: Option<Stepper>,
    /// The steps that the page knows.
    course: Course,
    schedules: Schedules,
}

/// The open scenario.
#[derive(Default)]
pub(crate) struct Desk {
    /// The visible execution.
    shown: Bench,
    /// The other execution: the hardware model's while the specification's is visible, and the reverse.
    aside: Bench,
    /// The notice of the hardware model; empty while the specification's execution is visible.
    machine: &'static str,
    /// Whether the target is an AMDGPU, whose machine has bits and no ledger.
    of_amdgpu: bool,
    library: Library,
    /// The text of the scenario.
    text: String,
    /// The schedules of earlier texts, for the specification and for the machine.
    left: Vec<(String, [Schedules; 2])>,
    /// The lines with operations; `None` until the schedules panel is opened.
    lines: Option<OrderedMap<u32, String>>,
    /// Whether its operations have relations.
    relates: bool,
    /// The target, if it does not support some operations.
    unsupported: Option<&'static str>,
    /// The relations of the steps; `None` until requested and after every change.
    relations: Option<Relations>,
}

impl Desk {
    /// Handles a request.
    pub(crate) fn answer(&mut self, ask: Ask) -> Reply {
        match ask {
            Ask::Open { text, terms, keys, cursor, edited, machine } => {
                let is_change = edited && kin::is_change(&self.text, &text);
                let (words, keys): (Vec<_>, Vec<_>) =
                    keys.into_iter().partition(|key| Schedules::is_word(key));
                let keys = if edited && !is_change { &[] } else { keys.as_slice() };
                let known = self.schedules_of(&text, is_change);
                let known = (known.0.or_of(&words), known.1);
                let opened = self.open((&text, is_change), known, &terms, (keys, cursor), machine);
                self.text = text;
                Reply::Opened(Box::new(opened))
            }
            Ask::Code { text, terms } => {
                Reply::Sheet(Some(Box::new(targets::machine_code(&text, &terms))))
            }
            Ask::Readings(doubts) => Reply::Sheet(Some(Box::new(readings::open(&doubts)))),
            Ask::Targets => Reply::Targets(targets::names()),
            Ask::Link { text, terms: Terms { target, readings }, keys: steps, verdict, panels } => {
                let panels = (panels + &self.words(&text)).trim_start().to_owned();
                let engine = link::ENGINE.to_owned();
                let shared = Shared { text, target, readings, steps, engine, verdict, panels };
                Reply::Exported(Ok(link::encode(&shared)))
            }
            Ask::Library(pack) => {
                self.library = Library::of(pack);
                Reply::Taken
            }
            Ask::Export { form, text, terms, keys, address } => {
                Reply::Exported(export(form, &text, &terms, &keys, &address))
            }
            Ask::Sheet(fragment) if fragment == "share" => {
                Reply::Sheet(Some(Box::new(share::page(self.relates))))
            }
            Ask::Sheet(fragment) => Reply::Sheet(sheet(&fragment, &self.library).map(Box::new)),
            Ask::Panel(panel) => Reply::Sheet(self.panel(panel).map(Box::new)),
            Ask::Relations(look) => Reply::Relations(self.relations(&look).map(Box::new)),
            step => Reply::Stepped(self.step(step).map(Box::new)),
        }
    }

    fn panel(&mut self, panel: Panel) -> Option<Sheet> {
        let stepper = self.shown.stepper.as_ref()?;
        let follows = self.of_amdgpu && stepper.length() <= FOLLOWED;
        Some(match panel {
            Panel::Schedules => {
                let lines = self.lines.get_or_insert_with(|| lines::of(&scene(&self.text)));
                self.shown.schedules.sheet(lines)
            }
            Panel::Ledger if self.machine.is_empty() => {
                ledger::sheet(stepper, self.aside.stepper.as_mut().filter(|_| follows))
            }
            Panel::Ledger if self.of_amdgpu => ledger::of_machine(stepper),
            Panel::Ledger => ledger::sheet(stepper, None),
        })
    }

    fn relations(&mut self, look: &Look) -> Option<Woven> {
        if self.relations.is_none() {
            self.relations = Relations::of(self.shown.stepper.as_ref()?);
        }
        Some(match &self.relations {
            Some(relations) => relations.look(look),
            None if !self.machine.is_empty() => relations::none_of_machine(),
            None => relations::none(self.relates),
        })
    }

    /// Encodes the schedules of the open text as words for links.
    fn words(&self, text: &str) -> String {
        let of_text = if self.machine.is_empty() { &self.shown } else { &self.aside };
        if self.text == text { of_text.schedules.words() } else { String::new() }
    }

    fn open(
        &mut self,
        (text, is_change): (&str, bool),
        (of_text, of_machine): (Schedules, Schedules),
        terms: &Terms,
        (keys, cursor): (&[String], usize),
        machine: bool,
    ) -> Opened {
        let scene = scene(text);
        (self.relations, self.lines) = (None, None);
        let options = terms.options();
        let bench = |stepper: Option<Stepper>, (known, before): (Schedules, &str)| {
            let mut stepper = stepper;
            let schedules = known.carried(stepper.as_mut(), before, text);
            Bench { stepper, schedules, course: Course::default() }
        };
        let before = if is_change { self.text.as_str() } else { text };
        let shown = bench(Stepper::new(&scene, &options), (of_text, before));
        let aside = bench(Stepper::of_machine(&scene, &options), (of_machine, before));
        (self.shown, self.aside) = (shown, aside);
        self.aside.schedules.stop_as(&self.shown.schedules);
        self.machine = "";
        self.relates = self.shown.stepper.as_ref().is_some_and(|it| it.graph().is_some());
        let target = options.target_of(&scene).get().name;
        self.unsupported = options.lacks(&scene).then_some(target);
        self.of_amdgpu = matches!(options.target_of(&scene).get().family, Family::Amdgpu { .. });
        self.turn(machine);
        Opened {
            terms: known(terms),
            about: About { title: scene.title().to_owned(), notes: scene.notes().to_vec() },
            expects: !scene.expectations().is_empty(),
            session: self.session(keys, cursor),
        }
    }

    /// Returns the schedules of a text and of the machine: those of the previous text if this one is a change of it, otherwise
    /// those stored when it was last open.
    fn schedules_of(&mut self, text: &str, is_change: bool) -> (Schedules, Schedules) {
        self.turn(false);
        let here = [&mut self.shown, &mut self.aside].map(|it| std::mem::take(&mut it.schedules));
        if is_change {
            return here.into();
        }
        self.left.retain(|(before, _)| *before != self.text);
        self.left.push((self.text.clone(), here));
        self.left.drain(..self.left.len().saturating_sub(LEFT));
        let known = self.left.iter().position(|(before, _)| before == text);
        known.map(|at| self.left.remove(at).1).unwrap_or_default().into()
    }

    /// Shows the machine or the specification if such an execution exists; returns whether that changed the execution.
    fn turn(&mut self, machine: bool) -> bool {
        let turns = self.machine.is_empty() == machine && self.aside.stepper.is_some();
        if turns {
            std::mem::swap(&mut self.shown, &mut self.aside);
            self.relations = None;
            self.machine = match (machine, self.of_amdgpu) {
                (false, _) => "",
                (true, true) => ONE_BIT,
                (true, false) => PARITY,
            };
        }
        turns
    }

    /// Returns the steps after the first `kept`, and the state of the execution.
    fn since(&mut self, kept: usize) -> Option<Shown> {
        let Bench { stepper, course, .. } = &mut self.shown;
        let mut shown = course.since(stepper.as_ref()?, kept);
        if let Some(target) = self.unsupported {
            let unsupported =
                format!(" Not executable on {target}; showing the specification's execution.");
            shown.view.summary.push_str(&unsupported);
        }
        Some(Shown { machine: self.machine.to_owned(), ..shown })
    }

    fn session(&mut self, keys: &[String], cursor: usize) -> Option<Session> {
        let loaded = self.shown.stepper.as_mut()?.load(keys);
        let whole = self.since(0)?;
        let at = (cursor < loaded).then(|| {
            self.shown.stepper.as_mut()?.go_to(cursor);
            self.since(cursor)
        });
        Some(Session { loaded, whole, at: at.flatten() })
    }

    fn step(&mut self, ask: Ask) -> Option<Shown> {
        self.relations = None;
        let turned = match ask {
            Ask::Load(_) | Ask::Text => self.turn(false),
            Ask::Machine(_) => self.turn(true),
            _ => false,
        };
        let Bench { stepper, schedules, .. } = &mut self.shown;
        let stepper = stepper.as_mut()?;
        let before = stepper.length();
        let goes_on = !leaves(&ask);
        let planned = matches!(ask, Ask::Plan(_));
        let changed = match ask {
            Ask::Perform(key) => {
                if stepper.next_undone().is_some_and(|next| *next != key) {
                    schedules.keep(stepper);
                }
                stepper.perform(&key).is_ok()
            }
            Ask::Back => stepper.back(),
            Ask::Forward => stepper.forward(),
            Ask::GoTo(length) => {
                stepper.go_to(length);
                true
            }
            Ask::Load(keys) => {
                stepper.load(&keys);
                true
            }
            Ask::Machine(keys) if !self.machine.is_empty() => {
                stepper.load(&keys);
                true
            }
            Ask::Text => {
                stepper.go_to(usize::MAX);
                turned
            }
            Ask::Plan(word) => {
                let acted = schedules.act(stepper, &word);
                self.aside.schedules.stop_as(schedules);
                acted
            }
            _ => false,
        };
        let kept = if goes_on { before.min(stepper.length()) } else { 0 };
        let halt = schedules.halt().filter(|_| planned);
        let mut shown = changed.then(|| self.since(kept)).flatten()?;
        shown.view.summary.extend(halt);
        Some(shown)
    }
}

/// Whether a request may change the first steps.
fn leaves(ask: &Ask) -> bool {
    match ask {
        Ask::Plan(word) => !matches!(word.as_str(), "one" | "run" | "block"),
        other => matches!(other, Ask::Load(_) | Ask::Machine(_) | Ask::Text),
    }
}

/// Returns the terms without unknown names.
fn known(terms: &Terms) -> Terms {
    let target = terms.target.clone().filter(|name| TargetId::from_name(name).is_some());
    let readings = terms.readings.iter().filter(|chosen| choice(chosen).is_some());
    Terms { target, readings: readings.cloned().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title \"T\"\nlaunch waves=2\nkernel { arrive wg; wait wg }\nexpect ok\n";

    fn opened(
        desk: &mut Desk,
        text: &str,
        keys: &[String],
        cursor: usize,
        machine: bool,
    ) -> Opened {
        let (text, terms, keys) = (text.to_owned(), Terms::default(), keys.to_vec());
        match desk.answer(Ask::Open { text, terms, keys, cursor, edited: false, machine }) {
            Reply::Opened(opened) => *opened,
            other => panic!("not opened: {other:?}"),
        }
    }

    fn open(desk: &mut Desk, keys: &[String], cursor: usize) -> Opened {
        opened(desk, TEXT, keys, cursor, false)
    }

    fn at(desk: &mut Desk, text: &str, keys: &[String], machine: bool) -> Session {
        opened(desk, text, keys, keys.len(), machine).session.expect("an execution")
    }

    fn step(desk: &mut Desk, ask: Ask) -> Option<Shown> {
        match desk.answer(ask) {
            Reply::Stepped(shown) => shown.map(|shown| *shown),
            other => panic!("not a step: {other:?}"),
        }
    }

    #[test]
    fn a_step_without_an_open_text_does_nothing() {
        assert_eq!(step(&mut Desk::default(), Ask::Plan("run".into())), None);
    }

    #[test]
    fn an_invalid_text_shows_nothing_of_the_previous_one() {
        let mut desk = Desk::default();
        assert!(open(&mut desk, &[], 0).session.is_some());
        let broken = opened(&mut desk, "title \"B\"\nwave {", &["0.0:0".into()], 1, false);
        assert_eq!((broken.session, &*broken.about.title), (None, "B"));
        assert_eq!(related(&mut desk, Look::default()), None);
        for panel in [Panel::Ledger, Panel::Schedules] {
            let shown = desk.answer(Ask::Panel(panel));
            assert!(matches!(shown, Reply::Sheet(None)), "{shown:?}");
        }
    }

    fn related(desk: &mut Desk, look: Look) -> Option<Woven> {
        match desk.answer(Ask::Relations(look)) {
            Reply::Relations(woven) => woven.map(|woven| *woven),
            other => panic!("not relations: {other:?}"),
        }
    }

    #[test]
    fn relations_cover_only_performed_steps() {
        let mut desk = Desk::default();
        assert_eq!(related(&mut desk, Look::default()), None);
        let _ = open(&mut desk, &[], 0);
        let before = related(&mut desk, Look::default()).expect("relations");
        assert!(before.operations.is_empty() && before.about.starts_with("Perform"), "{before:?}");
        let end = step(&mut desk, Ask::Plan("run".into())).expect("steps");
        let look = Look {
            chosen: vec!["pi".into(), "po".into(), "bjb".into()],
            lanes: vec![500, 1500],
            ..Look::default()
        };
        let woven = related(&mut desk, look.clone()).expect("relations");
        let keys: Vec<&str> = end.view.performed.iter().map(|step| &*step.key).collect();
        assert!(woven.operations.iter().all(|(key, _)| keys.contains(&&**key)), "{woven:?}");
        let count = |id: &str| woven.lines.iter().filter(|line| line.relation == id).count();
        assert_eq!((count("pi"), count("beb")), (1, 0), "one phase");
        assert!(count("po") >= 2);
        let absent = woven.relations.iter().find(|it| it.id == "bjb").map(|it| it.absent.clone());
        assert_eq!(absent, Some(vec!["No barrier-joined-before edges.".to_owned()]));
        let asked =
            woven.lines.iter().find(|line| line.relation == "pi").map(|line| line.name.clone());
        let pair = [0, 3].map(|at| Some(woven.operations[at].0.clone()));
        let look = Look { asked: asked.unwrap_or_default(), pair, table: true, ..look };
        let woven = related(&mut desk, look).expect("relations");
        assert_eq!(woven.told[0], "Phase 1 of `wg`");
        assert!(woven.answers.iter().all(|why| !why.because.is_empty()) && woven.answers[0].holds);
        assert!(
            woven.table.len() >= 6 && woven.table.iter().flatten().all(|cell| !cell.is_empty())
        );
    }

    /// A new engine restores the words that links contain.
    #[test]
    fn links_preserve_schedules() {
        let mut desk = Desk::default();
        let _ = open(&mut desk, &[], 0);
        let _ = step(&mut desk, Ask::Plan("run".into()));
        let _ = step(&mut desk, Ask::GoTo(1));
        let _ = step(&mut desk, Ask::Plan("random 3".into()));
        let _ = step(&mut desk, Ask::Plan("stop 3".into()));
        let link = |desk: &mut Desk| {
            let (text, terms, keys) = (TEXT.to_owned(), Terms::default(), Vec::new());
            let panels = "relations".to_owned();
            let ask = Ask::Link { text, terms, keys, verdict: None, panels };
            let Reply::Exported(Ok(link)) = desk.answer(ask) else { panic!("no link") };
            link::decode(&link).expect("a link").panels
        };
        let panels = link(&mut desk);
        assert!(panels.starts_with("relations ~") && panels.ends_with(" ^3 ^s3"), "{panels}");
        let mut fresh = Desk::default();
        let words: Vec<String> = panels.split(' ').skip(1).map(str::to_owned).collect();
        let session = open(&mut fresh, &words, 0).session.expect("an execution");
        assert_eq!(session.loaded, 0, "words are no steps");
        assert_eq!(link(&mut fresh), panels);
    }

    /// A breakpoint and a branch survive a change of the text, another target, and a visit to another text.
    #[test]
    fn schedules_survive_changes_and_other_texts() {
        let mut desk = Desk::default();
        let opens = |desk: &mut Desk, text: &str, target: Option<&str>, edited: bool| {
            let terms = Terms { target: target.map(str::to_owned), ..Terms::default() };
            let (text, keys) = (text.to_owned(), Vec::new());
            desk.answer(Ask::Open { text, terms, keys, cursor: 0, edited, machine: false })
        };
        let known = |desk: &mut Desk| match desk.answer(Ask::Panel(Panel::Schedules)) {
            Reply::Sheet(Some(sheet)) => {
                let text = sheet.text();
                (text.contains("Saved branches"), text.contains(" \u{d7}"))
            }
            other => panic!("no sheet: {other:?}"),
        };
        let _ = opens(&mut desk, TEXT, None, false);
        let _ = step(&mut desk, Ask::Plan("run".into()));
        let _ = step(&mut desk, Ask::GoTo(1));
        let _ = step(&mut desk, Ask::Plan("random 3".into()));
        let _ = step(&mut desk, Ask::Plan("stop 3".into()));
        assert_eq!(known(&mut desk), (true, true));
        let _ = opens(&mut desk, TEXT, Some("gfx1200"), true);
        assert_eq!(known(&mut desk), (true, true), "another target");
        let other = TEXT.replace("waves=2", "waves=3");
        let _ = opens(&mut desk, &other, None, false);
        assert_eq!(known(&mut desk), (false, false), "another text, however alike");
        let _ = opens(&mut desk, TEXT, None, false);
        assert_eq!(known(&mut desk), (true, true), "back");
        let _ = opens(&mut desk, &TEXT.replace("\"T\"", "\"Two\""), None, true);
        assert_eq!(known(&mut desk), (true, true), "changed");
    }

    #[test]
    fn unordered_accesses_are_reported() {
        let text = "target gfx1250\nlaunch waves=2\nlds l[4]\nwave 0 { store l[0..4]; arrive wg; wait wg }\nwave 1 { arrive wg; wait wg; load l[0..4] }\n";
        let mut desk = Desk::default();
        let _ = opened(&mut desk, text, &[], 0, false);
        let _ = step(&mut desk, Ask::Plan("run".into()));
        let look = Look { chosen: vec!["apart".into()], lanes: vec![500, 1500], ..Look::default() };
        let woven = related(&mut desk, look.clone()).expect("relations");
        let [line] = woven.lines.as_slice() else { panic!("one line, not {:?}", woven.lines) };
        let woven =
            related(&mut desk, Look { asked: line.name.clone(), ..look }).expect("relations");
        assert!(
            woven.told.len() > 1 && woven.told[0].contains("is not ordered before"),
            "{:?}",
            woven.told
        );
    }

    #[test]
    fn unsupported_steps_are_shown_as_the_specifications() {
        let mut desk = Desk::default();
        let mut told = |target: &str| {
            let text = LATE.replace("gfx1250", target);
            at(&mut desk, &text, &[], false).whole.view.summary
        };
        assert!(told("gfx1200").contains("Not executable on gfx1200"));
        assert!(!told("gfx1250").contains("Not executable"));
    }

    #[test]
    fn barriers_without_relations_state_the_reason() {
        let text = "target gfx950\nlaunch waves=1\nmbarrier n\nwave 0 {\n  arrive wg\n  mbarrier.init.shared::cta.b64 [n], 1\n}\n";
        let mut desk = Desk::default();
        let _ = opened(&mut desk, text, &[], 0, false);
        let woven = related(&mut desk, Look::default()).expect("a reason");
        assert!(
            woven.relations.is_empty() && woven.about.contains("several specifications"),
            "{}",
            woven.about
        );
        let share = desk.answer(Ask::Sheet("share".into()));
        let (text, ending) = (format!("{share:?}"), format!("{:?}", protocol::Form::Dot.ending()));
        assert!(text.contains("disabled") && !text.contains(&ending), "{text}");
    }

    #[test]
    fn barriers_of_nvidia_are_related_by_their_phases() {
        let text = "target sm_90\nlaunch warps=2\nwarp 0 { bar.sync 0 }\nwarp 1 { bar.sync 0 }\n";
        let mut desk = Desk::default();
        let _ = at(&mut desk, text, &["0.0:0", "0.1:0"].map(String::from), false);
        let chosen = ["po", "pi", "beb"].map(String::from).to_vec();
        let look = Look { chosen, lanes: vec![500, 1500], ..Look::default() };
        let woven = related(&mut desk, look.clone()).expect("relations");
        assert!(woven.about.contains("PTX does not define them"), "{}", woven.about);
        let names: Vec<&str> = woven.relations.iter().map(|it| &*it.id).collect();
        assert_eq!(names, ["po", "tbo", "bmo", "pi", "beb"]);
        // One bar for the phase, and each warp's arrival before the wait of the other.
        let lines: Vec<&str> = woven.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(lines, ["beb 0 3", "beb 1 2", "phase 1 barrier 0"]);
        let told = Look { asked: "beb 0 3".into(), ..look };
        let told = related(&mut desk, told).expect("relations").told;
        assert!(told.concat().contains("arrives in phase 1 of barrier 0"), "{told:?}");
    }

    #[test]
    fn steps_of_a_different_program_are_not_performed() {
        let mut desk = Desk::default();
        let _ = open(&mut desk, &[], 0);
        let end = step(&mut desk, Ask::Plan("run".into())).expect("steps");
        let keys: Vec<String> = end.view.performed.iter().map(|step| step.key.clone()).collect();
        let mut loaded = |text: &str| {
            let (terms, keys) = (Terms::default(), keys.clone());
            let cursor = keys.len();
            let ask =
                Ask::Open { text: text.into(), terms, keys, cursor, edited: true, machine: false };
            let Reply::Opened(opened) = desk.answer(ask) else { panic!("not opened") };
            opened.session.map(|session| session.loaded)
        };
        let longer = TEXT.replace("wait wg", "wait wg; arrive wg; wait wg");
        assert_eq!(loaded(&longer), Some(keys.len()));
        let other = "launch waves=2\nwave 0 {\n  arrive wg\n  store l[0..4]\n}\nwave 1 { arrive wg }\nlds l[4]\n";
        assert_eq!(loaded(other), Some(0));
    }

    #[test]
    fn an_execution_reopens_at_its_cursor() {
        let mut desk = Desk::default();
        let opened = open(&mut desk, &[], 0);
        assert!(opened.expects && opened.about.title == "T" && opened.session.is_some());
        let end = step(&mut desk, Ask::Plan("run".into())).expect("steps");
        let keys: Vec<String> = end.view.performed.iter().map(|step| step.key.clone()).collect();
        assert!(keys.len() >= 4, "{keys:?}");
        let session = open(&mut desk, &keys, 2).session.expect("an execution");
        assert_eq!((session.loaded, session.whole), (keys.len(), end));
        let at = session.at.expect("a cursor before the end");
        assert_eq!((at.view.performed.len(), at.ahead), (0, keys.len() - 2));
        let forward = step(&mut desk, Ask::Forward);
        assert_eq!(forward.map(|it| (it.kept, it.view.performed.len())), Some((2, 1)));
        assert_eq!(step(&mut desk, Ask::GoTo(0)).map(|it| it.view.performed.len()), Some(0));
        assert_eq!(step(&mut desk, Ask::Back), None);
        assert_eq!(step(&mut desk, Ask::Perform("no such step".into())), None);
    }

    const LATE: &str = "target gfx1250\nlaunch waves=2\nbarrier ready = named(1)\nwave 0 { init ready, 1; arrive wg; wait wg; arrive ready }\nwave 1 { arrive wg; wait wg; join ready; wait ready }\n";

    /// The machine's finding is stepped on the machine with its words; the specification's execution keeps its position.
    #[test]
    fn the_machine_has_its_own_execution() {
        let mut desk = Desk::default();
        let _ = at(&mut desk, LATE, &[], false);
        let text = step(&mut desk, Ask::Plan("run".into())).expect("steps");
        assert_eq!(text.machine, "");
        let report =
            tidegate_check::check(&scene(LATE), &Terms::default().options(), &mut |_| true);
        let found = report.machine.expect("a machine").findings.remove(0);
        let keys: Vec<String> = found.witness.iter().map(|it| it.key.clone()).collect();
        let machine = step(&mut desk, Ask::Machine(keys.clone())).expect("the machine");
        assert_eq!((machine.machine.as_str(), machine.view.state.as_str()), (ONE_BIT, "stuck"));
        assert_eq!((machine.kept, machine.view.performed.len()), (0, keys.len()));
        let words: Vec<&str> = machine.view.performed.iter().map(|it| it.word.as_str()).collect();
        assert_eq!(words[0], "0x01000011", "init ready, 1");
        let ledger = format!("{:?}", desk.answer(Ask::Panel(Panel::Ledger)));
        assert!(ledger.contains("blocks 26\u{2013}24"), "{ledger}");
        let woven = related(&mut desk, Look::default()).expect("a reason");
        assert!(woven.about.contains("hardware model"), "{}", woven.about);
        let back = step(&mut desk, Ask::Back).expect("a step back");
        assert_eq!((back.kept, back.machine.as_str()), (keys.len() - 1, ONE_BIT));
        // Breakpoints apply to both executions, and links contain them.
        let _ = step(&mut desk, Ask::Plan("stop 7".into()));
        assert_eq!(desk.words(LATE), " ^7");
        assert_eq!(step(&mut desk, Ask::Text), Some(text));
        assert_eq!(desk.words(LATE), " ^7");
        assert_eq!(step(&mut desk, Ask::Text), None, "the text is shown");
        let session = at(&mut desk, LATE, &keys, true);
        assert_eq!((session.loaded, session.whole.machine), (keys.len(), ONE_BIT.to_owned()));
    }

    #[test]
    fn without_a_machine_the_specification_is_shown() {
        let mut desk = Desk::default();
        let text = TEXT.replace("launch", "target model\nlaunch");
        assert_eq!(at(&mut desk, &text, &[], true).whole.machine, "");
        assert_eq!(step(&mut desk, Ask::Machine(Vec::new())), None);
        let text = "target sm_90\nlaunch warps=1\nmbarrier b\nwarp 0 { mbarrier.init.shared::cta.b64 [b], 1 }\n";
        assert_eq!(at(&mut desk, text, &[], true).whole.machine, PARITY);
    }
}
