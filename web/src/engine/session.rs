//! The requests that the page makes in its own thread: steps, machine code and views.

use crate::export::export;
use crate::judge::scene;
use crate::kin;
use crate::ledger;
use crate::library::Library;
use crate::lines;
use crate::pages::{keys, legend, page, passage, places, readings, runs, share, targets, waits};
use crate::relation_page;
use crate::relations::{self, Answer, Relations};
use crate::schedules::Schedules;
use crate::understood::{self, Understood};
use protocol::{
    About, Ask, DocumentPage, Execution, Look, Opened, Panel, Reply, SentTrace, Shown, Terms,
    choice,
};
use tidegate_check::lang::compiled::Language;
use tidegate_check::link::{self, Shared};
use tidegate_check::model::ordered::OrderedMap;
use tidegate_check::model::target::{Family, TargetId};
use tidegate_check::reader::NO_FRONT_END;
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
    sent: SentTrace,
    schedules: Schedules,
}

/// The open scenario.
#[derive(Default)]
pub(crate) struct Session {
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
    /// What was understood of the text, if it is compiled code.
    understood: Understood,
    /// Whether its operations have relations.
    relates: bool,
    /// The target, if it does not support some operations.
    unsupported: Option<&'static str>,
    /// The relations of the steps; `None` until requested and after every change.
    relations: Option<Relations>,
}

impl Session {
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
                Reply::DocumentPage(Some(Box::new(targets::machine_code(&text, &terms))))
            }
            Ask::Readings(doubts) => Reply::DocumentPage(Some(Box::new(readings::open(&doubts)))),
            Ask::Targets => Reply::Targets(targets::names()),
            Ask::Places => Reply::Places(places(&self.library)),
            Ask::Link {
                text,
                terms: Terms { target, readings, .. },
                keys: steps,
                verdict,
                panels,
            } => {
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
            Ask::DocumentPage(word) => Reply::DocumentPage(self.made(&word).map(Box::new)),
            Ask::Panel(panel) => Reply::DocumentPage(self.panel(panel).map(Box::new)),
            Ask::Relations(look) => {
                let answer = self.relations(&look);
                Reply::Relations(answer.map(|it| Box::new(relation_page::shown(it, &look))))
            }
            step => Reply::Stepped(self.step(step).map(Box::new)),
        }
    }

    /// Returns the fragment of the passage about a word; empty if there is none.
    pub(crate) fn passage(&self, word: &str) -> String {
        passage::passage(word, &self.library)
    }

    /// Returns the page with a word, or the view of a fragment.
    fn made(&self, word: &str) -> Option<DocumentPage> {
        let Bench { stepper, schedules, .. } = &self.shown;
        match (word, word.strip_prefix("runs")) {
            ("legend", _) => Some(legend::page()),
            ("keys", _) => Some(keys::page()),
            ("share", _) => Some(share::page(self.relates)),
            ("waits", _) => Some(waits::page(stepper.as_ref()?)),
            (_, Some(other)) => Some(runs::page(stepper.as_ref()?, schedules.branches(), other)),
            _ => page(word, &self.library),
        }
    }

    /// Returns what was understood of a text.
    pub(crate) fn understood(&self, text: &str) -> Understood {
        match Language::of(text) {
            None => Understood::default(),
            Some(_) if self.text == text => self.understood.clone(),
            Some(_) => understood::of(&scene(text)),
        }
    }

    fn panel(&mut self, panel: Panel) -> Option<DocumentPage> {
        let stepper = self.shown.stepper.as_ref()?;
        let follows = self.of_amdgpu && stepper.length() <= FOLLOWED;
        Some(match panel {
            Panel::Schedules => {
                let lines = self.lines.get_or_insert_with(|| lines::of(&scene(&self.text)));
                self.shown.schedules.page(lines)
            }
            Panel::Ledger if self.machine.is_empty() => {
                ledger::page(stepper, self.aside.stepper.as_mut().filter(|_| follows))
            }
            Panel::Ledger if self.of_amdgpu => ledger::of_machine(stepper),
            Panel::Ledger => ledger::page(stepper, None),
        })
    }

    fn relations(&mut self, look: &Look) -> Option<Answer> {
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
        self.understood = understood::of(&scene);
        let options = terms.options();
        let bench = |stepper: Option<Stepper>, (known, before): (Schedules, &str)| {
            let mut stepper = stepper;
            let schedules = known.carried(stepper.as_mut(), before, text);
            Bench { stepper, schedules, sent: SentTrace::default() }
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
            launch: crate::launched::of(&scene, &options),
            expects: !scene.expectations().is_empty(),
            unread: scene.diagnostics().iter().any(|found| found.code == NO_FRONT_END),
            execution: self.execution(keys, cursor),
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
        let Bench { stepper, sent, .. } = &mut self.shown;
        let mut shown = sent.since(stepper.as_ref()?, kept);
        if let Some(target) = self.unsupported {
            let unsupported =
                format!(" Not executable on {target}; showing the specification's execution.");
            shown.view.summary.push_str(&unsupported);
        }
        Some(Shown { machine: self.machine.to_owned(), ..shown })
    }

    fn execution(&mut self, keys: &[String], cursor: usize) -> Option<Execution> {
        let loaded = self.shown.stepper.as_mut()?.load(keys);
        let whole = self.since(0)?;
        let at = (cursor < loaded).then(|| {
            self.shown.stepper.as_mut()?.go_to(cursor);
            self.since(cursor)
        });
        Some(Execution { loaded, whole, at: at.flatten() })
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
    Terms { target, readings: readings.cloned().collect(), max_states: None }
}

#[cfg(test)]
mod tests;
