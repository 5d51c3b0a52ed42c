//! Other schedules: runs with breakpoints, random schedules by seed, the sequence of consistent executions, the outcomes of
//! random schedules, and saved branches.

use protocol::document_page::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use tidegate_check::model::ordered::{OrderedMap, OrderedSet};
use tidegate_check::step::{Move, Stepper};

/// Largest number of steps of one run.
const RUN: usize = 2_000;
/// Largest number of saved branches.
const BRANCHES: usize = 12;
/// Largest number of steps and of schedules to count outcomes.
const COUNTED: (usize, usize) = (20_000, 200);
/// Largest number of branches in a link, and of steps of each.
const SHARED: (usize, usize) = (4, 200);
/// The first characters of the words for a branch and for a breakpoint.
const WORDS: (char, char) = ('~', '^');
/// The start of the word for the seed.
const SEED: &str = "^s";
/// Largest number of steps to replay branches after a change of the text.
const FOLLOWED: usize = 2_000;
/// Largest number of schedules to try for another execution.
const TRIED: usize = 400;

/// The reader's schedules of a text.
#[derive(Default)]
pub(crate) struct Schedules {
    branches: Vec<Vec<String>>,
    outcomes: Vec<Outcome>,
    seed: u64,
    /// Fingerprints of the executions shown by "next".
    seen: OrderedSet<u64>,
    exhausted: bool,
    /// Lines with breakpoints.
    stops: OrderedSet<u32>,
    /// Whether the last run reached its limit before the end.
    halted: bool,
}

/// The operations on each line.
type Lines = OrderedMap<u32, String>;

/// An outcome of schedules.
struct Outcome {
    word: String,
    count: usize,
    /// The keys of one example.
    keys: Vec<String>,
}

impl Schedules {
    /// Returns the schedules that remain after a change of the text or terms: breakpoints move with their lines, and branches
    /// remain if they can still be performed.
    pub(crate) fn carried(
        mut self,
        stepper: Option<&mut Stepper>,
        before: &str,
        now: &str,
    ) -> Self {
        let mut steps = 0;
        let mut is_kept = |it: &mut Stepper, keys: &[String]| {
            steps += keys.len();
            steps <= FOLLOWED && it.load(keys) == keys.len()
        };
        // An invalid text drops nothing.
        if let Some(it) = stepper {
            self.branches.retain(|keys| is_kept(it, keys));
            it.load(&[]);
        }
        let stops = self.stops.iter().filter_map(|line| moved(*line, before, now)).collect();
        Schedules { branches: self.branches, seed: self.seed, stops, ..Schedules::default() }
    }

    /// Copies the breakpoints of another execution: they apply to the specification and to the machine.
    pub(crate) fn stop_as(&mut self, others: &Self) {
        self.stops.clone_from(&others.stops);
    }

    /// Encodes the last branches and the breakpoints as words for links, each after a space.
    pub(crate) fn words(&self) -> String {
        let short = self.branches.iter().filter(|keys| keys.len() <= SHARED.1).take(SHARED.0);
        let branches = short.map(|keys| format!(" {}{}", WORDS.0, keys.join(",")));
        let stops = self.stops.iter().map(|line| format!(" {}{line}", WORDS.1));
        let seed = (self.seed > 0).then(|| format!(" {SEED}{}", self.seed));
        branches.chain(stops).chain(seed).collect()
    }

    /// Decodes such words, if no schedules are known yet.
    pub(crate) fn or_of(self, words: &[String]) -> Self {
        if !self.branches.is_empty() || !self.stops.is_empty() || self.seed > 0 {
            return self;
        }
        let seed = words.iter().find_map(|word| word.strip_prefix(SEED)?.parse().ok());
        let branches = words.iter().filter_map(|word| word.strip_prefix(WORDS.0));
        let branches = branches.map(|keys| keys.split(',').map(str::to_owned).collect());
        let stops = words.iter().filter_map(|word| word.strip_prefix(WORDS.1)?.parse().ok());
        let branches = branches.take(SHARED.0).collect();
        Self { branches, stops: stops.collect(), seed: seed.unwrap_or(0), ..self }
    }

    /// Whether a word is one of these.
    pub(crate) fn is_word(word: &str) -> bool {
        word.starts_with([WORDS.0, WORDS.1])
    }

    /// Saves an execution that a step would leave.
    pub(crate) fn keep(&mut self, stepper: &Stepper) {
        if stepper.ahead() == 0 {
            return;
        }
        let mut keys = stepper.keys();
        keys.extend(stepper.undone());
        self.branches.retain(|branch| !keys.starts_with(branch) && !branch.starts_with(&keys));
        self.branches.insert(0, keys);
        self.branches.truncate(BRANCHES);
    }

    /// The saved branches, the newest first.
    pub(crate) fn branches(&self) -> &[Vec<String>] {
        &self.branches
    }

    /// Performs a command; returns whether it changed the execution.
    pub(crate) fn act(&mut self, stepper: &mut Stepper, word: &str) -> bool {
        let (word, with) = word.split_once(' ').unwrap_or((word, ""));
        match word {
            "stop" => {
                let line = with.parse().unwrap_or(0);
                if line > 0 && !self.stops.remove(&line) {
                    self.stops.insert(line);
                }
                return false;
            }
            "count" => {
                self.outcomes = outcomes(stepper);
                return false;
            }
            _ => self.keep(stepper),
        }
        let before = if word == "random" { 0 } else { stepper.length() };
        match word {
            "one" => drop(self.turn(stepper)),
            "run" => self.run(stepper),
            "block" => self.to_block(stepper),
            "random" => {
                self.seed = with.parse().unwrap_or(self.seed + 1);
                stepper.load(&[]);
                random(stepper, self.seed);
            }
            "next" => self.next(stepper),
            "load" => {
                let keys: Vec<String> = with.split(' ').map(str::to_owned).collect();
                stepper.load(&keys);
            }
            _ => return false,
        }
        let full = matches!(word, "run" | "block" | "random") && stepper.length() >= before + RUN;
        self.halted = full && !stepper.moves().is_empty();
        true
    }

    /// Returns a notice if the last run reached its limit.
    pub(crate) fn halt(&self) -> Option<String> {
        self.halted.then(|| format!(" Stopped after {RUN} steps; press `r` to continue."))
    }

    /// Whether a run stops before a step.
    fn stops(&self, next: &Move) -> bool {
        self.stops.contains(&next.line)
    }

    /// Performs a step of the next agent in turn that can continue.
    fn turn(&self, stepper: &mut Stepper) -> Option<Move> {
        let moves = stepper.moves();
        let last = stepper.last_agent().map_or(0, |last| last + 1);
        let in_turn = || moves.iter().find(|next| next.agent >= last).or(moves.first()).cloned();
        let next = stepper.fullest().or_else(in_turn)?;
        stepper.perform(&next.key).ok()?;
        Some(next)
    }

    /// Runs all agents in turn until none can continue or a breakpoint is reached.
    fn run(&self, stepper: &mut Stepper) {
        for step in 0..RUN {
            let stopped = |moves: Vec<Move>| moves.iter().any(|next| self.stops(next));
            if step > 0 && !self.stops.is_empty() && stopped(stepper.moves()) {
                break;
            }
            if self.turn(stepper).is_none() {
                break;
            }
        }
    }

    /// Performs steps until an agent reaches a blocked wait.
    fn to_block(&self, stepper: &mut Stepper) {
        let agent = stepper.last_agent().unwrap_or(0);
        let moves = stepper.moves();
        let Some(own) = moves.iter().find(|it| it.agent == agent).or(moves.first()) else { return };
        let agent = own.agent;
        for _ in 0..RUN {
            let moves = stepper.moves();
            let Some(next) = moves.iter().find(|next| next.agent == agent) else { break };
            if stepper.perform(&next.key).is_err() || self.stops(next) {
                break;
            }
        }
    }

    /// Shows the next execution in the order of choices that differs in what the barriers observe; restarts from the first after
    /// the last.
    fn next(&mut self, stepper: &mut Stepper) {
        self.seen.insert(finish(stepper));
        self.exhausted = false;
        for _ in 0..TRIED {
            if !another(stepper) {
                self.exhausted = true;
                self.seen.clear();
                stepper.load(&[]);
            }
            let print = finish(stepper);
            if self.seen.insert(print) || self.exhausted {
                return;
            }
        }
    }

    /// The panel.
    pub(crate) fn page(&self, lines: &Lines) -> DocumentPage {
        let plain = |to: &str, name: &str| {
            button("button button--small").does(Action::Plan, to).with(name.to_owned())
        };
        let seed = div("seed").with((
            plain(&format!("random {}", self.seed + 1), "Random schedule"),
            label("quiet").set("for", "seed").with("seed"),
            input("field__text seed__field")
                .set("id", "seed")
                .set("inputmode", "numeric")
                .set("autocomplete", "off")
                .set("value", self.seed.to_string())
                .does(Action::Plan, "random "),
        ));
        let description = match (self.exhausted, self.seen.len()) {
            (true, _) => "All shown; restarting from the first.".to_owned(),
            (_, 0) => String::new(),
            (_, count) => format!("{count} shown"),
        };
        DocumentPage::new("Schedules").with((
            div("plans").with((
                plain("block", "Run until blocked"),
                plain("counterexample", "Next counterexample"),
                plain("next", "Next consistent execution"),
                span("quiet").set("role", "status").with(description),
            )),
            div("plans").with((plain("count", "Count outcomes"), seed)),
            self.histogram(),
            self.breakpoints(lines),
            self.left(),
        ))
    }

    fn histogram(&self) -> Option<Element> {
        let sum: usize = self.outcomes.iter().map(|outcome| outcome.count).sum();
        let row = |outcome: &Outcome| {
            let part = format!("{}%", outcome.count * 100 / sum.max(1));
            li("outcome").with((
                button("button button--small")
                    .does(Action::Plan, format!("load {}", outcome.keys.join(" ")))
                    .with("Show"),
                span("outcome__word").with(outcome.word.as_str()),
                span("outcome__bar").set("aria-hidden", "true").set("--part", part),
                span("outcome__count").with(format!("{} of {sum}", outcome.count)),
            ))
        };
        (sum > 0).then(|| {
            div("outcomes").with((
                h3("flights__name").with(format!("Outcomes of {sum} random schedules")),
                ul("").with(all(self.outcomes.iter().map(row))),
            ))
        })
    }

    fn breakpoints(&self, lines: &Lines) -> Option<Element> {
        let at = |line: u32| match lines.get(&line) {
            Some(label) => format!("line {line}: {label}"),
            None => format!("line {line}"),
        };
        let free = lines.keys().filter(|line| !self.stops.contains(line));
        let options = free.map(|&line| option("").set("value", line.to_string()).with(at(line)));
        let first = option("").set("value", "").set("selected", "").with("choose an operation");
        let field = select("field__select")
            .set("id", "stop")
            .set("value", "")
            .does(Action::Plan, "stop ")
            .with((first, all(options)));
        let stop = |&line: &u32| {
            li("").with(
                button("button button--small")
                    .set("title", "Remove breakpoint")
                    .does(Action::Plan, format!("stop {line}"))
                    .with((at(line), span("").set("aria-hidden", "true").with(" \u{d7}"))),
            )
        };
        (!lines.is_empty()).then(|| {
            div("stops").with((
                label("quiet").set("for", "stop").with("Stop before"),
                field,
                ul("stops__list").with(all(self.stops.iter().map(stop))),
            ))
        })
    }

    fn left(&self) -> Option<Element> {
        let branch = |keys: &Vec<String>| {
            let steps =
                if keys.len() == 1 { "1 step".to_owned() } else { format!("{} steps", keys.len()) };
            li("").with(
                button("button button--small")
                    .does(Action::Plan, format!("load {}", keys.join(" ")))
                    .set("title", keys.join(" "))
                    .with(steps),
            )
        };
        (!self.branches.is_empty()).then(|| {
            div("stops").with((
                span("quiet").with("Saved branches"),
                ul("stops__list branches").with(all(self.branches.iter().map(branch))),
            ))
        })
    }
}

/// Returns the new number of a line after a change of the text; `None` if the line itself changed.
fn moved(line: u32, before: &str, now: &str) -> Option<u32> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let (line, common) = (line as usize, old.len().min(new.len()));
    let same = |(one, other): &(&&str, &&str)| one == other;
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old.iter().rev().zip(new.iter().rev()).take(common - head).take_while(same).count();
    match line {
        _ if line <= head => Some(line),
        _ if line + tail > old.len() => Some(line + new.len() - old.len()),
        _ => None,
    }
    .and_then(|line| u32::try_from(line).ok())
}

/// Completes an execution, the first enabled agent first; returns its fingerprint.
fn finish(stepper: &mut Stepper) -> u64 {
    for _ in 0..RUN {
        let Some(next) = stepper.moves().into_iter().next() else { break };
        if stepper.perform(&next.key).is_err() {
            break;
        }
    }
    print(stepper)
}

/// The part of a step that an object observes: its agent, its operation and its phases.
type Seen<'a> = (usize, &'a str, &'a [u32]);

/// Returns the fingerprint of an execution: the order of the operations on each object, their phases, and the final state.
fn print(stepper: &Stepper) -> u64 {
    let view = stepper.view();
    let mut orders: OrderedMap<Option<usize>, Vec<Seen<'_>>> = OrderedMap::new();
    for step in view.performed.iter().filter(|step| step.object.is_some()) {
        let order = orders.entry(step.object).or_default();
        order.push((step.agent, &step.label, &step.phases));
    }
    let mut hasher = DefaultHasher::new();
    (orders, &view.state).hash(&mut hasher);
    hasher.finish()
}

/// Goes back to the last step with another choice and performs that choice; false if there is none.
fn another(stepper: &mut Stepper) -> bool {
    while let Some(key) = stepper.keys().pop() {
        stepper.back();
        let moves = stepper.moves();
        let taken = moves.iter().position(|next| next.key == key);
        let next = taken.and_then(|taken| moves.get(taken + 1));
        if next.is_some_and(|next| stepper.perform(&next.key).is_ok()) {
            return true;
        }
    }
    false
}

/// Performs random steps, deterministic for a seed.
fn random(stepper: &mut Stepper, seed: u64) {
    let mut count = seed.wrapping_mul(0xd134_2543_de82_ef95);
    for _ in 0..RUN {
        let moves = stepper.moves();
        count = count.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let Some(next) = moves.get(mixed(count) as usize % moves.len().max(1)) else { break };
        if stepper.perform(&next.key).is_err() {
            break;
        }
    }
}

/// Mixes the bits of a number, as in SplitMix64.
const fn mixed(count: u64) -> u32 {
    let count = (count ^ count >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let count = (count ^ count >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((count ^ count >> 31) >> 32) as u32
}

/// Counts the outcomes of random schedules from launch, the most frequent first.
fn outcomes(stepper: &Stepper) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut steps = 0;
    let mut tried = stepper.clone();
    for seed in 1..=COUNTED.1 as u64 {
        tried.load(&[]);
        random(&mut tried, seed);
        let keys = tried.keys();
        steps += keys.len().max(1);
        let word = outcome(&tried);
        match outcomes.iter_mut().find(|outcome| outcome.word == word) {
            Some(outcome) => outcome.count += 1,
            None => outcomes.push(Outcome { word, count: 1, keys }),
        }
        if steps > COUNTED.0 {
            break;
        }
    }
    outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.count));
    outcomes
}

/// Describes the end of an execution, with the rules that it breaks.
fn outcome(stepper: &Stepper) -> String {
    let view = stepper.view();
    let broke = view.performed.iter().flat_map(|step| &step.broke).map(String::as_str);
    let broke: OrderedSet<&str> = broke.collect();
    let broke: Vec<&str> = broke.into_iter().collect();
    match (view.state.as_str(), broke.is_empty()) {
        (state, true) => state.to_owned(),
        (state, false) => format!("{state}: {}", broke.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Terms;

    fn stepper(text: &str) -> Stepper {
        let scene = crate::judge::scene(text);
        Stepper::new(&scene, &Terms::default().options()).expect("an execution")
    }

    /// Two waves arrive once each; one of them waits twice.
    const STUCK: &str = "launch waves=2\nwave 0 {\n arrive wg\n wait wg\n wait wg\n}\nwave 1 {\n arrive wg\n wait wg\n}\n";
    const SYNC: &str = "launch waves=2\nwave * {\n arrive wg\n wait wg\n}\n";

    #[test]
    fn a_seed_is_one_schedule() {
        let run = |seed: &str| {
            let mut stepper = stepper(SYNC);
            assert!(Schedules::default().act(&mut stepper, &format!("random {seed}")));
            stepper.keys()
        };
        assert_eq!(run("7"), run("7"));
        let all: OrderedSet<Vec<String>> = (0..20).map(|seed| run(&seed.to_string())).collect();
        assert!(all.len() > 3, "different seeds, different schedules: {}", all.len());
    }

    #[test]
    fn a_run_until_blocked_ends_at_the_blocked_agent() {
        let mut stepper = stepper(SYNC);
        assert!(Schedules::default().act(&mut stepper, "block"));
        let view = stepper.view();
        assert_eq!((view.performed.len(), view.agents[0].status.as_str()), (1, "blocked"));
    }

    #[test]
    fn a_run_stops_before_a_line() {
        let mut stepper = stepper(SYNC);
        let mut schedules = Schedules::default();
        assert!(!schedules.act(&mut stepper, "stop 4"));
        assert!(schedules.act(&mut stepper, "run"));
        assert_eq!(stepper.length(), 2, "both arrived, none waited");
        assert!(!schedules.act(&mut stepper, "stop 4"));
        assert!(schedules.act(&mut stepper, "run"));
        assert_eq!(stepper.view().state, "finished");
    }

    #[test]
    fn a_run_that_reaches_its_limit_reports_it() {
        let more =
            format!("launch waves=1\nwave 0 {{\n{}}}\n", " arrive wg\n wait wg\n".repeat(1_001));
        let mut stepper = stepper(&more);
        let mut schedules = Schedules::default();
        for word in ["random 1", "random 2"] {
            assert!(schedules.act(&mut stepper, word));
            assert!(
                schedules.halt().is_some_and(|description| description.contains("2000")),
                "{word}"
            );
        }
        assert!(schedules.act(&mut stepper, "run"));
        assert_eq!((stepper.view().state.as_str(), schedules.halt()), ("finished", None));
    }

    #[test]
    fn next_shows_every_execution_once() {
        let mut stepper = stepper(SYNC);
        let mut schedules = Schedules::default();
        let mut prints = OrderedSet::new();
        for _ in 0..50 {
            assert!(schedules.act(&mut stepper, "next"));
            if schedules.exhausted {
                break;
            }
            assert!(prints.insert(print(&stepper)), "no execution twice");
        }
        assert!(schedules.exhausted && prints.len() > 2, "{}", prints.len());
    }

    #[test]
    fn each_counted_outcome_has_an_example() {
        let mut it = stepper(STUCK);
        let mut schedules = Schedules::default();
        assert!(!schedules.act(&mut it, "count"));
        let sum: usize = schedules.outcomes.iter().map(|outcome| outcome.count).sum();
        assert!(sum > 100 && schedules.outcomes.iter().any(|it| it.word.starts_with("stuck")));
        let load = format!("load {}", schedules.outcomes[0].keys.join(" "));
        assert!(schedules.act(&mut it, &load));
        assert_eq!(outcome(&it), schedules.outcomes[0].word);
    }

    #[test]
    fn a_left_branch_is_saved() {
        let mut it = stepper(SYNC);
        let mut schedules = Schedules::default();
        schedules.act(&mut it, "run");
        let first = it.keys();
        it.go_to(1);
        schedules.act(&mut it, "random 3");
        assert_eq!(schedules.branches, std::slice::from_ref(&first));
        let text = schedules.page(&Lines::new()).text();
        assert!(text.contains("Saved branches"), "{text}");
        schedules.act(&mut it, &format!("load {}", first.join(" ")));
        assert_eq!(it.keys(), first);
    }

    #[test]
    fn words_preserve_branches_and_breakpoints() {
        let mut it = stepper(SYNC);
        let mut schedules = Schedules::default();
        assert_eq!(schedules.words(), "");
        schedules.act(&mut it, "run");
        it.go_to(1);
        schedules.act(&mut it, "random 3");
        schedules.act(&mut it, "stop 4");
        let words: Vec<String> = schedules.words().split_whitespace().map(str::to_owned).collect();
        assert!(words.len() == 3 && words.iter().all(|word| Schedules::is_word(word)), "{words:?}");
        let again = Schedules::default().or_of(&words);
        assert_eq!((&again.branches, &again.stops), (&schedules.branches, &schedules.stops));
        assert_eq!(again.seed, 3);
        // Unknown steps and lines that are not numbers are ignored.
        let bad = ["~0.7:1,x", "^much", "^smuch"].map(str::to_owned);
        let none = Schedules::default().or_of(&bad).carried(Some(&mut it), SYNC, SYNC);
        assert_eq!(none.words(), "");
        assert_eq!(schedules.or_of(&bad).branches, again.branches, "what is known stays");
    }

    #[test]
    fn breakpoints_move_with_their_lines() {
        assert_eq!(moved(2, "a\nb\nc", "a\nb\nx\nc"), Some(2));
        assert_eq!(moved(3, "a\nb\nc", "a\nb\nx\nc"), Some(4));
        assert_eq!(moved(3, "a\nb\nc", "a\nc"), Some(2));
        assert_eq!(moved(2, "a\nb\nc", "a\nx\nc"), None, "changed itself");
        assert_eq!(moved(2, "a\nb", "a"), None);
    }

    #[test]
    fn branches_and_breakpoints_survive_a_change() {
        let mut it = stepper(SYNC);
        let mut schedules = Schedules::default();
        schedules.act(&mut it, "stop 4");
        schedules.act(&mut it, "random 3");
        it.go_to(1);
        schedules.act(&mut it, "random 4");
        let branches = schedules.branches.clone();
        assert!(!branches.is_empty());
        let now = format!("# Two waves synchronise.\n{SYNC}");
        let mut after = stepper(&now);
        let kept = schedules.carried(Some(&mut after), SYNC, &now);
        assert_eq!((kept.stops.iter().copied().collect::<Vec<_>>(), kept.seed), (vec![5], 4));
        let keys = |all: &[Vec<String>]| all.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(keys(&kept.branches), keys(&branches));
        let shorter = SYNC.replace(" wait wg\n", "");
        let kept = kept.carried(Some(&mut stepper(&shorter)), &now, &shorter);
        assert!(kept.branches.is_empty(), "no such steps: {:?}", kept.branches);
    }
}
