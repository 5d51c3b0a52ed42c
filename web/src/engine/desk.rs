//! What the page asks for and gets at once: steps, machine code, and views.

use crate::export::export;
use crate::judge::scene;
use crate::kin;
use crate::ledger;
use crate::library::Library;
use crate::relations::{self, Relations};
use crate::schedules::Schedules;
use crate::sheets::{readings, share, sheet, targets};
use protocol::{
    About, Ask, Look, Opened, Panel, Reply, Session, Sheet, Shown, Terms, Woven, choice,
};
use tidegate_check::link::{self, Shared};
use tidegate_check::model::target::{Family, TargetId};
use tidegate_check::step::Stepper;

/// Most steps that the machine is led through anew at each step.
const FOLLOWED: usize = 200;

/// What is open.
#[derive(Default)]
pub(crate) struct Desk {
    /// The execution.
    stepper: Option<Stepper>,
    /// The machine of the second oracle, where it has bits of its own.
    machine: Option<Stepper>,
    library: Library,
    /// The text of it.
    text: String,
    /// Whether its operations have relations.
    relates: bool,
    /// The relations of its steps, once they were looked at; dropped by whatever changes it.
    relations: Option<Relations>,
    schedules: Schedules,
}

impl Desk {
    /// Does what is asked.
    pub(crate) fn answer(&mut self, ask: Ask) -> Reply {
        match ask {
            Ask::Open { text, terms, keys, cursor, edited } => {
                let other = edited && !kin::is_change(&self.text, &text);
                let keys = if other { &[] } else { keys.as_slice() };
                let opened = self.open(&text, &terms, keys, cursor);
                self.text = text;
                Reply::Opened(Box::new(opened))
            }
            Ask::Code { text, terms } => {
                Reply::Sheet(Some(Box::new(targets::machine_code(&text, &terms))))
            }
            Ask::Readings(doubts) => Reply::Sheet(Some(Box::new(readings::open(&doubts)))),
            Ask::Targets => Reply::Targets(targets::names()),
            Ask::Link { text, terms: Terms { target, readings }, keys: steps, verdict, panels } => {
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
        let stepper = self.stepper.as_ref()?;
        let machine = self.machine.as_mut().filter(|_| stepper.length() <= FOLLOWED);
        Some(match panel {
            Panel::Ledger => ledger::sheet(stepper, machine),
            Panel::Schedules => self.schedules.sheet(stepper),
        })
    }

    fn relations(&mut self, look: &Look) -> Option<Woven> {
        if self.relations.is_none() {
            self.relations = Relations::of(self.stepper.as_ref()?);
        }
        Some(match &self.relations {
            Some(relations) => relations.look(look),
            None => relations::none(self.relates),
        })
    }

    fn open(&mut self, text: &str, terms: &Terms, keys: &[String], cursor: usize) -> Opened {
        let scene = scene(text);
        self.relations = None;
        self.schedules = Schedules::default();
        let options = terms.options();
        self.stepper = Stepper::new(&scene, &options);
        self.relates = self.stepper.as_ref().is_some_and(|it| it.graph().is_some());
        let of_amdgpu = matches!(options.target_of(&scene).get().family, Family::Amdgpu { .. });
        self.machine = of_amdgpu.then(|| Stepper::of_machine(&scene, &options)).flatten();
        Opened {
            terms: known(terms),
            about: About { title: scene.title().to_owned(), notes: scene.notes().to_vec() },
            expects: !scene.expectations().is_empty(),
            session: self.stepper.as_mut().map(|stepper| session(stepper, keys, cursor)),
        }
    }

    fn step(&mut self, ask: Ask) -> Option<Shown> {
        self.relations = None;
        let stepper = self.stepper.as_mut()?;
        let before = stepper.length();
        let goes_on = !leaves(&ask);
        let changed = match ask {
            Ask::Perform(key) => {
                let branches = stepper.view().undone.first().is_some_and(|next| *next != key);
                if branches {
                    self.schedules.keep(stepper);
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
            Ask::Plan(word) => self.schedules.act(stepper, &word),
            _ => false,
        };
        let kept = if goes_on { before.min(stepper.length()) } else { 0 };
        changed.then(|| Shown::since(stepper, kept))
    }
}

/// Whether a change may lead to other first steps.
fn leaves(ask: &Ask) -> bool {
    match ask {
        Ask::Plan(word) => !matches!(word.as_str(), "one" | "run" | "block"),
        other => matches!(other, Ask::Load(_)),
    }
}

fn session(stepper: &mut Stepper, keys: &[String], cursor: usize) -> Session {
    let loaded = stepper.load(keys);
    let whole = Shown::of(stepper);
    let at = (cursor < loaded).then(|| {
        stepper.go_to(cursor);
        Shown::of(stepper)
    });
    Session { loaded, whole, at }
}

/// Those of the terms that there are.
fn known(terms: &Terms) -> Terms {
    let target = terms.target.clone().filter(|name| TargetId::from_name(name).is_some());
    let readings = terms.readings.iter().filter(|chosen| choice(chosen).is_some());
    Terms { target, readings: readings.cloned().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title \"T\"\nlaunch waves=2\nkernel { arrive wg; wait wg }\nexpect ok\n";

    fn open(desk: &mut Desk, keys: Vec<String>, cursor: usize) -> Opened {
        let ask =
            Ask::Open { text: TEXT.into(), terms: Terms::default(), keys, cursor, edited: false };
        match desk.answer(ask) {
            Reply::Opened(opened) => *opened,
            other => panic!("not opened: {other:?}"),
        }
    }

    fn step(desk: &mut Desk, ask: Ask) -> Option<Shown> {
        match desk.answer(ask) {
            Reply::Stepped(shown) => shown.map(|shown| *shown),
            other => panic!("not a step: {other:?}"),
        }
    }

    #[test]
    fn nothing_is_stepped_before_a_text_is_open() {
        assert_eq!(step(&mut Desk::default(), Ask::Plan("run".into())), None);
    }

    fn related(desk: &mut Desk, look: Look) -> Option<Woven> {
        match desk.answer(Ask::Relations(look)) {
            Reply::Relations(woven) => woven.map(|woven| *woven),
            other => panic!("not relations: {other:?}"),
        }
    }

    #[test]
    fn relations_are_those_of_the_steps_performed() {
        let mut desk = Desk::default();
        assert_eq!(related(&mut desk, Look::default()), None);
        let _ = open(&mut desk, Vec::new(), 0);
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
        assert_eq!(absent, Some(vec!["No edge of barrier-joined-before here.".to_owned()]));
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

    #[test]
    fn what_nothing_orders_is_said() {
        let text = "target gfx1250\nlaunch waves=2\nlds l[4]\nwave 0 { store l[0..4]; arrive wg; wait wg }\nwave 1 { arrive wg; wait wg; load l[0..4] }\n";
        let mut desk = Desk::default();
        let ask = Ask::Open {
            text: text.into(),
            terms: Terms::default(),
            keys: Vec::new(),
            cursor: 0,
            edited: false,
        };
        let _ = desk.answer(ask);
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
    fn barriers_without_relations_say_so() {
        let text = "target sm_90\nlaunch warps=1\nwarp 0 { bar.sync 0 }\n";
        let mut desk = Desk::default();
        let terms = Terms::default();
        let ask = Ask::Open { text: text.into(), terms, keys: Vec::new(), cursor: 0, edited: true };
        let _ = desk.answer(ask);
        let woven = related(&mut desk, Look::default()).expect("a reason");
        assert!(woven.relations.is_empty() && woven.about.contains("AMDGPU"), "{}", woven.about);
        let share = desk.answer(Ask::Sheet("share".into()));
        let (text, ending) = (format!("{share:?}"), format!("{:?}", protocol::Form::Dot.ending()));
        assert!(text.contains("disabled") && !text.contains(&ending), "{text}");
    }

    #[test]
    fn steps_of_another_program_are_not_performed() {
        let mut desk = Desk::default();
        let _ = open(&mut desk, Vec::new(), 0);
        let end = step(&mut desk, Ask::Plan("run".into())).expect("steps");
        let keys: Vec<String> = end.view.performed.iter().map(|step| step.key.clone()).collect();
        let mut loaded = |text: &str| {
            let (terms, keys) = (Terms::default(), keys.clone());
            let cursor = keys.len();
            let ask = Ask::Open { text: text.into(), terms, keys, cursor, edited: true };
            let Reply::Opened(opened) = desk.answer(ask) else { panic!("not opened") };
            opened.session.map(|session| session.loaded)
        };
        let longer = TEXT.replace("wait wg", "wait wg; arrive wg; wait wg");
        assert_eq!(loaded(&longer), Some(keys.len()));
        let other = "launch waves=2\nwave 0 {\n  arrive wg\n  store l[0..4]\n}\nwave 1 { arrive wg }\nlds l[4]\n";
        assert_eq!(loaded(other), Some(0));
    }

    #[test]
    fn an_execution_is_opened_again_where_it_stood() {
        let mut desk = Desk::default();
        let opened = open(&mut desk, Vec::new(), 0);
        assert!(opened.expects && opened.about.title == "T" && opened.session.is_some());
        let end = step(&mut desk, Ask::Plan("run".into())).expect("steps");
        let keys: Vec<String> = end.view.performed.iter().map(|step| step.key.clone()).collect();
        assert!(keys.len() >= 4, "{keys:?}");
        let session = open(&mut desk, keys.clone(), 2).session.expect("an execution");
        assert_eq!((session.loaded, session.whole), (keys.len(), end));
        let at = session.at.expect("a cursor before the end");
        assert_eq!((at.view.performed.len(), at.view.undone.len()), (2, keys.len() - 2));
        let forward = step(&mut desk, Ask::Forward);
        assert_eq!(forward.map(|it| (it.kept, it.view.performed.len())), Some((2, 1)));
        assert_eq!(step(&mut desk, Ask::GoTo(0)).map(|it| it.view.performed.len()), Some(0));
        assert_eq!(step(&mut desk, Ask::Back), None);
        assert_eq!(step(&mut desk, Ask::Perform("no such step".into())), None);
    }
}
