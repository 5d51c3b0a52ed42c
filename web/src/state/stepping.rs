//! Stepping forwards and backwards.

use super::{Input, State};
use crate::browser;
use crate::engine::{Finding, Report};
use crate::port;
use crate::trace::Trace;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use protocol::{Ask, DocumentPage, Panel, Shown};

/// Interval of playback, in milliseconds.
const PLAY: u32 = 600;

impl State {
    /// Performs an enabled operation.
    pub(crate) fn perform(self, key: &str) {
        self.choose_steps(true);
        self.step(Ask::Perform(key.to_owned()));
    }

    /// Performs the enabled operation of an agent, if there is one.
    pub(crate) fn perform_agent(self, agent: usize) {
        let key = self.execution.trace.with_untracked(|trace| {
            let moves = trace.agents().get(agent).map(|agent| &agent.moves);
            moves
                .and_then(|moves| moves.iter().find(|step| step.enabled))
                .map(|step| step.key.clone())
        });
        match key {
            Some(key) => self.perform(&key),
            None => self.tell_blocked(agent, 0),
        }
    }

    /// Says in the status line why an operation of an agent is blocked, and marks its line.
    pub(crate) fn tell_blocked(self, agent: usize, at: usize) {
        let blocked = self.execution.trace.with_untracked(|trace| {
            let agent = trace.agents().get(agent)?;
            let step = agent.moves.get(at)?;
            let why = step.blocked.as_deref().unwrap_or_default();
            Some((format!("Blocked: {} at `{}`. {why}", agent.name, step.short), step.line))
        });
        if let Some((says, line)) = blocked {
            self.execution.kept.set(Some(says));
            crate::editing::step(line);
        }
    }

    /// Undoes a step.
    pub(crate) fn back(self) {
        self.step(Ask::Back);
    }

    /// Redoes the last undone step.
    pub(crate) fn forward(self) {
        self.step(Ask::Forward);
    }

    /// Drops all steps, also those that wait to be loaded.
    pub(crate) fn begin_at_launch(self) {
        self.choose_steps(true);
        self.tools.update_value(|tools| {
            tools.pending = tools.pending.take().map(|(_, _, machine)| (Vec::new(), 0, machine));
        });
        self.step(Ask::Load(Vec::new()));
    }

    /// Moves the cursor within the performed and undone steps.
    pub(crate) fn go_to(self, length: usize) {
        self.step(Ask::GoTo(length));
    }

    /// Shows the witness of a finding, of the specification or of the machine.
    pub(crate) fn demonstrate(self, finding: &Finding, machine: bool) {
        self.show(finding, machine);
        browser::show_execution();
    }

    /// Shows the machine instead of the specification, at its first finding or after the same steps; or switches back.
    pub(crate) fn look_at_machine(self) {
        let (machine, mut keys, cursor) = self.standing();
        if machine {
            return self.to_text();
        }
        let report = self.judgement.report.get_untracked();
        let found = report.iter().flat_map(|report| &report.machine).flat_map(|it| &it.findings);
        match found.into_iter().find(|found| !found.witness.is_empty()) {
            Some(found) => self.show(found, true),
            None => {
                keys.truncate(cursor);
                self.load(keys, true);
            }
        }
        browser::show_execution();
    }

    /// Shows the specification's execution at its previous position.
    pub(crate) fn to_text(self) {
        self.step(Ask::Text);
        self.step(Ask::GoTo(self.tools.with_value(|tools| tools.left)));
    }

    /// Loads an execution of the specification or of the machine.
    fn load(self, keys: Vec<String>, machine: bool) {
        let (before, _, cursor) = self.standing();
        if machine && !before {
            self.tools.update_value(|tools| tools.left = cursor);
        }
        self.step(if machine { Ask::Machine(keys) } else { Ask::Load(keys) });
    }

    /// Returns whether the execution is on the machine, its keys, and the number of performed steps.
    fn standing(self) -> (bool, Vec<String>, usize) {
        self.execution
            .trace
            .with_untracked(|trace| (trace.of_machine(), trace.keys(), trace.cursor()))
    }

    /// Shows the witness of the first finding, if there is one.
    pub(crate) fn demonstrate_first(self) {
        if !self.current() {
            return;
        }
        let report = self.judgement.report.get_untracked();
        let first = report.as_ref().and_then(|report| report.findings.first());
        match first.filter(|finding| !finding.witness.is_empty()) {
            Some(finding) => self.show(finding, false),
            None => self.tell_none(),
        }
        browser::show_execution();
    }

    /// Whether the whole witness of a finding is visible.
    pub(crate) fn is_shown(self, finding: &Finding, machine: bool) -> bool {
        let witness = finding.witness.iter().map(|step| &*step.key);
        self.execution.trace.with(|trace| {
            let performed = trace.performed();
            trace.of_machine() == machine
                && performed.len() == trace.length()
                && performed.iter().map(|step| &*step.key).eq(witness)
        })
    }

    /// Plays the visible execution from launch.
    fn play_again(self) {
        self.go_to(0);
        if !self.execution.playing.get_untracked() {
            self.execution.playing.set(true);
            // The launch is shown before the first step.
            self.tick_later();
        }
    }

    /// Loads the witness of a finding with all steps performed, if it has one, belongs to the current text, and no lesson waits for
    /// an answer. A visible witness is played.
    fn show(self, finding: &Finding, machine: bool) {
        if !self.current() || finding.witness.is_empty() || browser::is_asked() {
            return;
        }
        if untrack(|| self.is_shown(finding, machine)) {
            return self.play_again();
        }
        let report = self.judgement.report.get_untracked();
        let first = report.as_ref().and_then(|report| decisive(report));
        let decides = first.is_some_and(|first| first.rule == finding.rule);
        let keys: Vec<String> = finding.witness.iter().map(|step| step.key.clone()).collect();
        self.load(keys, machine);
        self.choose_steps(!decides);
    }

    /// Says whether the reader chose the steps of the specification's execution.
    fn choose_steps(self, chosen: bool) {
        if !self.execution.trace.with_untracked(Trace::of_machine) {
            self.tools.update_value(|tools| tools.chosen = chosen);
        }
    }

    /// Whether the next verdict replaces the visible execution: the page shows it, and the reader did not go back in it. Before
    /// the engine has loaded, only a recording is visible.
    pub(super) fn follows_verdict(self) -> bool {
        let at_end = |trace: &Trace| !trace.of_machine() && trace.cursor() == trace.length();
        !self.tools.with_value(|tools| tools.chosen)
            && (!self.chrome.engine.get_untracked() || self.execution.trace.with_untracked(at_end))
    }

    /// Drops the steps of the execution.
    pub(super) fn drop_steps(self) {
        if self.execution.trace.with_untracked(|trace| trace.length() > 0) {
            self.load(Vec::new(), false);
        }
    }

    /// Whether the page leads the reader, who then performs the steps.
    pub(super) fn is_guided(self) -> bool {
        browser::is_asked()
            || browser::in_course()
            || self.chrome.tour.with_untracked(Option::is_some)
    }

    /// Unless the reader chose steps, shows the witness of the first finding, or a run of all agents if the whole search found
    /// nothing. Steps of a link can be these.
    pub(super) fn show_an_execution(self, whole: bool) {
        if self.is_guided() {
            return;
        }
        let Some(report) = self.judgement.report.get_untracked() else { return };
        let first = decisive(&report);
        let is_shown = untrack(|| match first {
            Some(finding) => self.is_shown(finding, false),
            None => self.representative().is_some(),
        });
        match first {
            _ if is_shown => self.choose_steps(false),
            _ if !self.follows_verdict() => {}
            Some(finding) => {
                self.load(finding.witness.iter().map(|step| step.key.clone()).collect(), false);
            }
            None if whole => {
                self.drop_steps();
                self.step(Ask::Plan("run".to_owned()));
                self.execution.planned.notify();
            }
            None => {}
        }
    }

    /// Says of a visible whole run of a scenario without findings what the other schedules are like.
    pub(crate) fn representative(self) -> Option<&'static str> {
        let finished = self.execution.trace.with(|trace| {
            let ended = trace.view.as_ref().is_some_and(|view| view.state == "finished");
            ended && !trace.of_machine()
        });
        let report = self.judgement.report.get().filter(|_| finished)?;
        match (&*report.verdict, report.exhaustive, &*report.engine) {
            ("ok", true, "fast") => {
                Some("A representative run: every schedule performs these steps.")
            }
            ("ok", true, _) => Some("One of several schedules; all are checked."),
            ("ok", false, _) => Some("One of several schedules."),
            ("unknown", ..) => Some("One of several schedules; not all are checked."),
            _ => None,
        }
    }

    /// Runs all agents in turn until none can continue or the limit of steps is reached.
    pub(crate) fn run(self) {
        self.plan("run".to_owned());
    }

    /// Performs a command of the schedules panel.
    pub(crate) fn plan(self, word: String) {
        // The notice was about the previous action.
        self.chrome.notice.set(None);
        match word.as_str() {
            "counterexample" => self.next_counterexample(),
            "count" if browser::is_asked() => {}
            _ => {
                self.step(Ask::Plan(word));
                self.choose_steps(untrack(|| self.representative()).is_none());
            }
        }
        self.keep();
        self.execution.planned.notify();
    }

    /// Counts the outcomes of random schedules and shows them.
    pub(crate) fn count_outcomes(self) {
        self.chrome.schedules.set(true);
        self.plan("count".to_owned());
    }

    /// Folds or unfolds a band of lanes.
    pub(crate) fn turn_band(self, name: &str) {
        self.execution.turned.update(|turned| flip(turned, name));
    }

    /// Folds or unfolds the rail of an array of barriers.
    pub(crate) fn turn_rail(self, array: &str) {
        self.execution.turned_rails.update(|turned| flip(turned, array));
    }

    /// Folds every band of lanes; unfolds all if none is open.
    pub(crate) fn turn_all_bands(self) {
        let bands = self.execution.lanes.with_untracked(|lanes| lanes.bands.clone());
        let all_folded = bands.iter().all(|band| band.folded);
        bands
            .iter()
            .filter(|band| band.folded == all_folded)
            .for_each(|band| self.turn_band(&band.name));
    }

    /// Returns a panel of the execution.
    pub(crate) fn panel(self, panel: Panel) -> Option<DocumentPage> {
        self.beside(|_| ());
        self.execution.planned.track();
        self.chrome.engine.get().then(|| port::panel(panel)).flatten()
    }

    /// Shows the witness of the next finding after the last shown one; wraps to the first.
    pub(crate) fn next_counterexample(self) {
        let report = self.judgement.report.get_untracked();
        let findings = report.iter().flat_map(|report| &report.findings);
        let findings: Vec<&Finding> = findings.filter(|it| !it.witness.is_empty()).collect();
        let next = self.tools.try_update_value(|tools| {
            tools.finding = if tools.finding + 1 < findings.len() { tools.finding + 1 } else { 0 };
            tools.finding
        });
        match next.and_then(|next| findings.get(next)) {
            Some(finding) => self.show(finding, false),
            None => self.tell_none(),
        }
    }

    /// Reports why no witness is shown; nothing while a lesson waits for an answer.
    fn tell_none(self) {
        if browser::is_asked() {
            return;
        }
        let found =
            self.judgement.report.with_untracked(|it| it.iter().any(|it| !it.findings.is_empty()));
        self.tell(
            false,
            match found {
                true => "No steps to show: the finding holds at launch.",
                false => "No counterexample: there are no findings.",
            },
        );
    }

    /// Starts or stops playback.
    pub(crate) fn play(self) {
        self.execution.playing.update(|playing| *playing = !*playing);
        self.tools.update_value(|tools| tools.tick = None);
        if self.execution.playing.get_untracked() {
            self.tick();
        }
    }

    /// Performs one step and schedules the next.
    fn tick(self) {
        let stands =
            || self.execution.trace.with_untracked(|trace| (trace.cursor(), trace.length()));
        let before = stands();
        match before.0 < before.1 {
            true => self.forward(),
            false => self.plan("one".to_owned()),
        }
        if stands().0 == before.0 {
            return self.execution.playing.set(false);
        }
        self.tick_later();
    }

    fn tick_later(self) {
        let next = Timeout::new(PLAY, move || {
            if self.execution.playing.get_untracked() {
                self.tick();
            }
        });
        self.tools.update_value(|tools| tools.tick = Some(next));
    }

    /// Changes the execution. Before the engine has loaded, only recorded steps are possible; other requests are queued.
    fn step(self, ask: Ask) {
        if !self.judgement.valid.get_untracked() {
            return;
        }
        if self.chrome.engine.get_untracked() {
            return self.take(port::step(&ask));
        }
        let cursor = self.execution.trace.with_untracked(|trace| trace.cursor());
        let shown = self
            .tools
            .with_value(|tools| tools.recording.as_ref().and_then(|it| it.step(cursor, &ask)));
        match shown {
            Some(shown) => self.take(Some(shown)),
            None => self.tools.update_value(|tools| tools.queued.push(ask)),
        }
    }

    fn take(self, shown: Option<Shown>) {
        if let Some(shown) = shown {
            self.execution.trace.update(|trace| *trace = std::mem::take(trace).after(shown));
            self.execution.kept.set(None);
            self.keep();
        }
    }

    /// Performs the requests queued before the engine has loaded.
    pub(super) fn catch_up(self) {
        let queued = self.tools.try_update_value(|tools| std::mem::take(&mut tools.queued));
        if self.current() {
            queued.into_iter().flatten().for_each(|ask| self.step(ask));
        }
    }

    /// Reopens the text after a change of text or target, and keeps as many steps as possible.
    pub(super) fn restep(self) {
        if !self.chrome.engine.get_untracked() {
            return self.replay();
        }
        let now = self.document.input.get_untracked();
        let (machine, keys, cursor) = self.standing();
        let before = (keys, cursor, machine);
        let opening = self.tools.try_update_value(|tools| {
            let pending = tools.pending.take();
            if tools.stepped.as_ref() == Some(&now) && pending.is_none() {
                return None;
            }
            let edited = pending.is_none();
            let earlier = tools.stepped.replace(now.clone());
            tools.recording = None;
            // Another target has another machine, so its steps do not apply.
            let moved = earlier.is_some_and(|it| it.terms.target != now.terms.target);
            let (keys, cursor, machine) = before;
            Some((edited, pending.unwrap_or((keys, cursor, machine && !moved))))
        });
        if let Some((edited, steps)) = opening.flatten() {
            self.reopen(now, edited, steps);
        }
    }

    fn reopen(self, Input { text, terms }: Input, edited: bool, steps: (Vec<String>, usize, bool)) {
        let Some(opened) = port::open(text, terms.clone(), steps.clone(), edited) else {
            return self.tell(true, "The engine stopped unexpectedly on this text. Your text is unchanged; please report it and reload the page.");
        };
        if opened.unread {
            leptos::task::spawn_local(async move { self.front_arrived(port::load_front().await) });
        }
        if opened.terms != terms {
            // A link can contain terms that this engine ignores: the report is the same without them.
            let is_current = self.current();
            self.document.target.set(opened.terms.target);
            self.document.readings.set(opened.terms.readings);
            if is_current {
                self.judgement.answered.set(Some(self.document.input.get_untracked()));
            }
        }
        let (mut trace, mut kept) = (Trace::default(), None);
        match opened.execution {
            Some(execution) => {
                let (loaded, whole) = (execution.loaded, steps.0.len());
                kept = (edited && loaded > 0 && loaded < whole)
                    .then(|| format!("The text changed: {loaded} of {whole} steps still apply."));
                for shown in [execution.whole].into_iter().chain(execution.at) {
                    trace = trace.after(shown);
                }
            }
            // This target has no execution: keep the steps for the next one.
            None => self.tools.update_value(|tools| {
                let (keys, cursor, machine) = steps;
                let keys = if tools.chosen { keys } else { Vec::new() };
                tools.pending = Some((keys, cursor, machine));
                tools.stepped = None;
            }),
        }
        self.tools.update_value(|tools| tools.expects = opened.expects);
        self.execution.trace.set(trace);
        if !edited {
            // Nothing of the previous scenario stays visible.
            self.follow();
        }
        self.document.about.set(opened.about);
        self.execution.launch.set(opened.launch);
        self.execution.kept.set(kept);
    }

    /// Shows the beginning of the recorded execution.
    fn replay(self) {
        // All of its steps are known, and none is performed.
        let ends = self.tools.with_value(|tools| {
            let shown = &tools.recording.as_ref()?.0;
            shown.last().zip(shown.first()).map(|(last, first)| [last.clone(), first.clone()])
        });
        if let Some(ends) = ends {
            // The steps of a link are loaded once the engine has loaded.
            self.tools.update_value(|tools| {
                tools.pending = tools.pending.take().filter(|(keys, ..)| !keys.is_empty());
            });
            self.execution.trace.set(ends.into_iter().fold(Trace::default(), Trace::after));
        }
    }
}

/// The finding that decides a verdict. A scenario without one can have suspicious operations.
fn decisive(report: &Report) -> Option<&Finding> {
    report.findings.first().filter(|_| !matches!(&*report.verdict, "ok" | "unknown"))
}

/// Removes a name, or adds it if it is missing.
fn flip(names: &mut Vec<String>, name: &str) {
    match names.iter().position(|other| other == name) {
        Some(at) => drop(names.swap_remove(at)),
        None => names.push(name.to_owned()),
    }
}
