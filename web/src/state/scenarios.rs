//! The open scenarios, each with its text, target, readings, steps and panels. Work is stored in this browser, each scenario
//! under its own key, so that two windows do not overwrite each other.

use super::{Notice, State, panels};
use crate::engine::{self, Shared};
use crate::{browser, examples};
use leptos::prelude::*;

/// The numbers of the stored scenarios, in order.
const KEPT: &str = "tidegate.tabs";
/// The number of the last visible scenario.
const SHOWN: &str = "tidegate.tab";
/// The key of the single scenario of older versions.
const WORK: &str = "tidegate.work";
/// The last closed scenario.
const CLOSED: &str = "tidegate.closed";
/// In a window: the number of the last stored scenario, and its previous address.
const LEFT: &str = "tidegate.left";

/// An open scenario.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scenario {
    /// Its number, from 1.
    pub number: u32,
    /// Its title when it was left.
    pub title: String,
    /// Its link when it was left.
    link: String,
    /// Whether it came from a link and is unedited.
    borrowed: bool,
    /// The value that this window last read or wrote under its key.
    stored: Option<String>,
}

fn key(number: u32) -> String {
    format!("{SHOWN}.{number}")
}

/// Returns the numbers of the stored scenarios.
fn numbers() -> Vec<u32> {
    let kept = browser::load(KEPT).unwrap_or_default();
    kept.split(' ').filter_map(|number| number.parse().ok()).collect()
}

fn note(numbers: &[u32]) {
    let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
    browser::save(KEPT, &words.join(" "));
}

/// Returns the stored scenarios.
fn kept() -> Vec<Scenario> {
    if let (Some(work), true) = (browser::load(WORK), browser::load(KEPT).is_none()) {
        browser::save(&key(1), &work);
        note(&[1]);
    }
    let kept =
        numbers().into_iter().filter_map(|number| Some((number, browser::load(&key(number))?)));
    kept.map(|(number, link)| {
        let title = engine::decode(&link).map(|it| called(&it.text, &panels::name_in(&it.panels)));
        let stored = Some(link.clone());
        Scenario { number, title: title.unwrap_or_default(), link, borrowed: false, stored }
    })
    .collect()
}

impl State {
    /// Restores the stored scenarios; returns whether there were any.
    pub(super) fn take_up(self) {
        self.document.scenarios.set(kept());
    }

    /// Shows the last visible scenario, or the first one.
    pub(super) fn show_last(self) {
        let last = browser::load(SHOWN).and_then(|number| number.parse().ok());
        let shown = self.document.scenarios.with_untracked(|all| {
            let last = all.iter().find(|it| Some(it.number) == last);
            last.or(all.last()).map(|it| it.number)
        });
        match shown {
            Some(number) => self.enter(number),
            None => {
                self.make_room();
                self.open_plain(examples::FIRST);
            }
        }
    }

    /// Shows the stored scenario with a link; returns whether there is one.
    pub(super) fn show_known(self, link: &str) -> bool {
        let known = self.document.scenarios.with_untracked(|all| {
            all.iter().find(|it| it.link == link && !it.borrowed).map(|it| it.number)
        });
        known.into_iter().for_each(|number| {
            self.leave_scenario();
            self.enter(number);
        });
        known.is_some()
    }

    /// Notes the previous address of the work. A window that is reloaded while the work is stored still has that address.
    pub(super) fn note_left(self) {
        let before = self.tools.with_value(|tools| tools.address.clone());
        browser::save_here(LEFT, &format!("{} {before}", self.document.scenario.get_untracked()));
    }

    /// Shows the scenario of an address that was current until its work was stored in this window; returns whether there is
    /// one.
    pub(super) fn come_back(self, link: &str) -> bool {
        let left = browser::load_here(LEFT).unwrap_or_default();
        let Some((number, before)) = left.split_once(' ') else { return false };
        let known = self.document.scenarios.with_untracked(|all| {
            let is = |it: &&Scenario| it.number.to_string() == number && before == link;
            all.iter().find(is).map(|it| it.number)
        });
        known.into_iter().for_each(|number| self.enter(number));
        known.is_some()
    }

    /// Returns the name of the visible scenario.
    pub(crate) fn title(self) -> String {
        self.document.text.with(|text| called(text, &self.document.name.get()))
    }

    /// Opens a file.
    pub(crate) fn open_file(self, name: &str, text: &str) {
        self.make_room();
        let panels = panels::named(name);
        self.open(Shared { text: text.to_owned(), panels, ..Shared::default() });
        self.leave_for_good();
        self.tell(false, format!("Opened {name}."));
        self.ask();
        self.keep();
    }

    /// Switches to a scenario.
    pub(crate) fn turn_to(self, number: u32) {
        if number != self.document.scenario.get_untracked() {
            self.leave_tour();
            self.keep_now();
            self.leave_scenario();
            self.enter(number);
            self.ask();
            self.keep();
        }
    }

    /// Switches to the scenario some positions further, wrapping at the ends.
    pub(crate) fn turn_by(self, places: usize) {
        let to = self.document.scenarios.with_untracked(|all| {
            let at =
                all.iter().position(|it| it.number == self.document.scenario.get_untracked())?;
            all.get((at + places % all.len().max(1)) % all.len().max(1)).map(|it| it.number)
        });
        to.into_iter().for_each(|number| self.turn_to(number));
    }

    /// Adds a scenario without a text; the editor then offers scenarios to start from.
    pub(crate) fn begin_scenario(self) {
        self.leave_tour();
        self.keep_now();
        self.leave_scenario();
        self.add();
        self.open(Shared::default());
        self.ask();
        self.keep();
    }

    /// Closes a scenario, which can be reopened.
    pub(crate) fn close_scenario(self, number: u32) {
        let here = number == self.document.scenario.get_untracked();
        if here {
            self.keep_now();
            self.leave_scenario();
        }
        let mut beside = None;
        let mut closed = None;
        self.document.scenarios.update(|all| {
            if let Some(at) = all.iter().position(|it| it.number == number) {
                closed = Some(all.remove(at));
                beside = all.get(at).or(all.last()).map(|it| it.number);
            }
        });
        let Some(closed) = closed else { return };
        browser::save(CLOSED, &closed.link);
        browser::forget(&key(number));
        note(&numbers().into_iter().filter(|it| *it != number).collect::<Vec<_>>());
        match beside {
            Some(beside) if here => {
                self.enter(beside);
                self.ask();
                self.keep();
            }
            None => self.begin_scenario(),
            Some(_) => {}
        }
        let text = format!("Closed “{}”.", closed.title);
        self.chrome.notice.set(Some(Notice { error: false, text, back: true, recorded: None }));
    }

    /// Reopens the last closed scenario.
    pub(crate) fn reopen_scenario(self) {
        self.chrome.notice.set(None);
        let closed = browser::load(CLOSED).and_then(|link| engine::decode(&link).ok());
        if let Some(closed) = closed {
            self.make_room();
            self.open(Shared { verdict: None, ..closed });
            self.ask();
            self.keep();
        }
    }

    /// Makes room for another scenario: next to the current one if that is the reader's work, otherwise instead of it. Returns
    /// whether it is next to it.
    pub(super) fn make_room(self) -> bool {
        let beside = self.document.scenario.get_untracked() == 0 || self.is_work();
        if beside {
            self.keep_now();
            self.leave_scenario();
            self.add();
        }
        self.tools.update_value(|tools| tools.borrowed = false);
        beside && self.document.scenarios.with_untracked(|all| all.len() > 1)
    }

    /// Stores the visible scenario as a link. If another window has written under its key since, the scenario gets a new key, so
    /// that both are kept.
    pub(super) fn store(self, link: &str) {
        let mut number = self.document.scenario.get_untracked();
        let now = browser::load(&key(number));
        let is_ours = |it: &Scenario| it.number != number || now.is_none() || it.stored == now;
        if !self.document.scenarios.with_untracked(|all| all.iter().all(is_ours)) {
            let before = std::mem::replace(&mut number, self.next_number());
            self.document.scenarios.update(|all| {
                all.iter_mut().filter(|it| it.number == before).for_each(|it| it.number = number);
            });
            self.document.scenario.set(number);
        }
        self.document.scenarios.update_untracked(|all| {
            let own = all.iter_mut().filter(|it| it.number == number);
            own.for_each(|it| it.stored = Some(link.to_owned()));
        });
        browser::save(&key(number), link);
        browser::save(SHOWN, &number.to_string());
        let mut kept = numbers();
        if !kept.contains(&number) {
            kept.push(number);
            note(&kept);
        }
    }

    /// Returns the links of the other scenarios, each after a `/`.
    pub(super) fn others(self) -> String {
        let here = self.document.scenario.get_untracked();
        self.document.scenarios.with_untracked(|all| {
            all.iter().filter(|it| it.number != here).flat_map(|it| ["/", &it.link]).collect()
        })
    }

    /// Whether the visible scenario is more than an unedited example or link.
    fn is_work(self) -> bool {
        let borrowed = self.tools.with_value(|tools| tools.borrowed);
        !borrowed
            && self.document.text.with_untracked(|text| {
                !text.trim().is_empty()
                    && examples::FIRST != &**text
                    && !self.chrome.library.with_untracked(|library| library.has(text))
            })
    }

    /// Updates the entry of the visible scenario. A notice about it disappears.
    fn leave_scenario(self) {
        let (number, link) = (self.document.scenario.get_untracked(), self.link());
        let borrowed = self.tools.with_value(|tools| tools.borrowed);
        let title = untrack(|| self.title());
        self.document.scenarios.update(|all| {
            if let Some(it) = all.iter_mut().find(|it| it.number == number) {
                self.chrome.notice.set(None);
                let stored = it.stored.take();
                *it = Scenario { number, title, link, borrowed, stored };
            }
        });
    }

    /// Adds a scenario without a text and switches to it.
    fn add(self) {
        let number = self.next_number();
        let (title, link) = (String::new(), String::new());
        let added = Scenario { number, title, link, borrowed: false, stored: None };
        self.document.scenarios.update(|all| all.push(added));
        self.document.scenario.set(number);
    }

    /// Returns a number that is unused in this and other windows.
    fn next_number(self) -> u32 {
        let here =
            self.document.scenarios.with_untracked(|all| all.iter().map(|it| it.number).max());
        numbers().into_iter().chain(here).max().unwrap_or(0) + 1
    }

    fn enter(self, number: u32) {
        let it = self
            .document
            .scenarios
            .with_untracked(|all| all.iter().find(|it| it.number == number).cloned());
        let Some(it) = it else { return };
        self.document.scenario.set(number);
        match engine::decode(&it.link) {
            Ok(kept) => self.open(Shared { verdict: None, ..kept }),
            Err(_) => self.open_plain(examples::FIRST),
        }
        self.note_address(&it.link);
        self.tools.update_value(|tools| tools.borrowed = it.borrowed);
    }
}

/// Returns the name of a scenario in the list: the name of its file, its title, or the name of its kernel.
fn called(text: &str, file: &str) -> String {
    let names = [file, examples::label(text), "Untitled"];
    names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned()
}
