//! What the page asks for and gets at once: steps, machine code, and views.

use crate::judge::scene;
use crate::library::Library;
use crate::sheets::sheet;
use protocol::{About, Ask, Opened, Reply, Session, Shown, Terms};
use tidegate_check::step::Stepper;

/// How many steps are performed at most in one go.
const RUN: usize = 400;

/// What is open.
#[derive(Default)]
pub(crate) struct Desk {
    /// The execution.
    stepper: Option<Stepper>,
    library: Library,
}

impl Desk {
    /// Does what is asked.
    pub(crate) fn answer(&mut self, ask: Ask) -> Reply {
        match ask {
            Ask::Open { text, terms, keys, cursor } => {
                Reply::Opened(Box::new(self.open(&text, &terms, &keys, cursor)))
            }
            Ask::Code { text, terms } => Reply::Code(code(&text, &terms)),
            Ask::Library(pack) => {
                self.library = Library::of(pack);
                Reply::Taken
            }
            Ask::Sheet(fragment) => Reply::Sheet(sheet(&fragment, &self.library).map(Box::new)),
            step => Reply::Stepped(self.step(step).map(Box::new)),
        }
    }

    fn open(&mut self, text: &str, terms: &Terms, keys: &[String], cursor: usize) -> Opened {
        let scene = scene(text);
        self.stepper = Stepper::new(&scene, &terms.options());
        Opened {
            about: About { title: scene.title().to_owned(), notes: scene.notes().to_vec() },
            expects: !scene.expectations().is_empty(),
            session: self.stepper.as_mut().map(|stepper| session(stepper, keys, cursor)),
        }
    }

    fn step(&mut self, ask: Ask) -> Option<Shown> {
        let stepper = self.stepper.as_mut()?;
        let changed = match ask {
            Ask::Perform(key) => stepper.perform(&key).is_ok(),
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
            Ask::Run => {
                run(stepper);
                true
            }
            _ => false,
        };
        changed.then(|| Shown::of(stepper))
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

/// Lets every agent go on in turn until none can, or until many steps were performed.
fn run(stepper: &mut Stepper) {
    let mut turn = stepper.view().performed.last().map_or(0, |last| last.agent + 1);
    for _ in 0..RUN {
        let view = stepper.view();
        let next = view.agents[turn.min(view.agents.len())..]
            .iter()
            .chain(&view.agents)
            .flat_map(|agent| &agent.moves);
        let Some(next) = next.into_iter().find(|next| next.enabled) else { break };
        turn = next.agent + 1;
        if stepper.perform(&next.key).is_err() {
            break;
        }
    }
}

/// A text as machine code of the target that it is judged on, or why it has none.
fn code(text: &str, terms: &Terms) -> Result<String, String> {
    let lowered = tidegate_check::lower(&scene(text), &terms.options());
    match lowered.problems.first() {
        Some(problem) => Err(problem.message.clone()),
        None => Ok(lowered.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title \"T\"\nlaunch waves=2\nkernel { arrive wg; wait wg }\nexpect ok\n";

    fn open(desk: &mut Desk, keys: Vec<String>, cursor: usize) -> Opened {
        let ask = Ask::Open { text: TEXT.into(), terms: Terms::default(), keys, cursor };
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
        assert_eq!(step(&mut Desk::default(), Ask::Run), None);
    }

    #[test]
    fn an_execution_is_opened_again_where_it_stood() {
        let mut desk = Desk::default();
        let opened = open(&mut desk, Vec::new(), 0);
        assert!(opened.expects && opened.about.title == "T" && opened.session.is_some());
        let end = step(&mut desk, Ask::Run).expect("steps");
        let keys: Vec<String> = end.view.performed.iter().map(|step| step.key.clone()).collect();
        assert!(keys.len() >= 4, "{keys:?}");
        let session = open(&mut desk, keys.clone(), 2).session.expect("an execution");
        assert_eq!((session.loaded, session.whole), (keys.len(), end));
        let at = session.at.expect("a cursor before the end");
        assert_eq!((at.view.performed.len(), at.view.undone.len()), (2, keys.len() - 2));
        assert_eq!(step(&mut desk, Ask::Forward).map(|it| it.view.performed.len()), Some(3));
        assert_eq!(step(&mut desk, Ask::GoTo(0)).map(|it| it.view.performed.len()), Some(0));
        assert_eq!(step(&mut desk, Ask::Back), None);
        assert_eq!(step(&mut desk, Ask::Perform("no such step".into())), None);
    }
}
