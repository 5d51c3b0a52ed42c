//! Other schedules: runs that stop, random ones by their seed, every consistent execution one after the other, what
//! random schedules come to, and the branches that were left.

use protocol::sheet::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use tidegate_check::model::ordered::{OrderedMap, OrderedSet};
use tidegate_check::step::{Move, Stepper};

/// How many steps are performed at most in one go.
const RUN: usize = 2_000;
/// How many branches are kept.
const BRANCHES: usize = 12;
/// How many steps are performed at most to count outcomes, and in how many schedules at most.
const COUNTED: (usize, usize) = (20_000, 200);
/// How many branches links carry, of how many steps at most.
const SHARED: (usize, usize) = (4, 200);
/// What the word for a branch begins with, and that for a breakpoint.
const WORDS: (char, char) = ('~', '^');
/// What the word for the seed begins with.
const SEED: &str = "^s";
/// How many steps of branches are performed at most to see which are left of a changed text.
const FOLLOWED: usize = 2_000;
/// How many schedules are tried at most to find another execution.
const TRIED: usize = 400;

/// What a reader knows of the schedules of a text.
#[derive(Default)]
pub(crate) struct Schedules {
    branches: Vec<Vec<String>>,
    outcomes: Vec<Outcome>,
    seed: u64,
    /// Fingerprints of the executions that were shown one after the other.
    seen: OrderedSet<u64>,
    exhausted: bool,
    /// Lines before which runs stop.
    stops: OrderedSet<u32>,
    /// Whether what was done last performed as many steps as are performed in one go, and could go on.
    halted: bool,
}

/// For each line with operations what stands on it.
type Lines = OrderedMap<u32, String>;

/// What schedules come to.
struct Outcome {
    word: String,
    count: usize,
    /// One of them.
    keys: Vec<String>,
}

impl Schedules {
    /// What is left of it where its text was changed, or is judged otherwise: breakpoints move with their lines, and
    /// branches stay that can still be gone.
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
        // A text that says nothing yet leaves it open.
        if let Some(it) = stepper {
            self.branches.retain(|keys| is_kept(it, keys));
            it.load(&[]);
        }
        let stops = self.stops.iter().filter_map(|line| moved(*line, before, now)).collect();
        Schedules { branches: self.branches, seed: self.seed, stops, ..Schedules::default() }
    }

    /// Has runs stop where others do: lines are the text's, whichever machine goes through them.
    pub(crate) fn stop_as(&mut self, others: &Self) {
        self.stops.clone_from(&others.stops);
    }

    /// The branches left last and the breakpoints in words for links, each behind a space.
    pub(crate) fn words(&self) -> String {
        let short = self.branches.iter().filter(|keys| keys.len() <= SHARED.1).take(SHARED.0);
        let branches = short.map(|keys| format!(" {}{}", WORDS.0, keys.join(",")));
        let stops = self.stops.iter().map(|line| format!(" {}{line}", WORDS.1));
        let seed = (self.seed > 0).then(|| format!(" {SEED}{}", self.seed));
        branches.chain(stops).chain(seed).collect()
    }

    /// What such words say, where nothing is known yet.
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

    /// Keeps an execution that a step leaves, so that it stays reachable.
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

    /// Does what a word asks for; whether that changed the execution.
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

    /// That what was done last stopped before its end, where it did.
    pub(crate) fn halt(&self) -> Option<String> {
        self.halted.then(|| format!(" Stopped after {RUN} steps; press `r` to continue."))
    }

    /// Whether a run stops before a step.
    fn stops(&self, next: &Move) -> bool {
        self.stops.contains(&next.line)
    }

    /// Performs a step of the agent whose turn it is: the next behind the last that can go on.
    fn turn(&self, stepper: &mut Stepper) -> Option<Move> {
        let moves = stepper.moves();
        let last = stepper.last_agent().map_or(0, |last| last + 1);
        let next = moves.iter().find(|next| next.agent >= last).or(moves.first())?.clone();
        stepper.perform(&next.key).ok()?;
        Some(next)
    }

    /// Lets every agent go on in turn until none can, or a step is to be stopped at.
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

    /// Performs steps until an agent comes to a wait that does not let it go on.
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

    /// The next execution in the order of the choices that differs in what the barriers observe; from the first again
    /// where there is none.
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
    pub(crate) fn sheet(&self, lines: &Lines) -> Sheet {
        let plain = |to: &str, name: &str| {
            button("button button--small").does(Deed::Plan, to).with(name.to_owned())
        };
        let seed = div("seed").with((
            plain(&format!("random {}", self.seed + 1), "Random schedule"),
            label("quiet").set("for", "seed").with("seed"),
            input("field__text seed__field")
                .set("id", "seed")
                .set("inputmode", "numeric")
                .set("autocomplete", "off")
                .set("value", self.seed.to_string())
                .does(Deed::Plan, "random "),
        ));
        let told = match (self.exhausted, self.seen.len()) {
            (true, _) => "All shown; restarting from the first.".to_owned(),
            (_, 0) => String::new(),
            (_, count) => format!("{count} shown"),
        };
        Sheet::new("Schedules").with((
            div("plans").with((
                plain("block", "Run until blocked"),
                plain("counterexample", "Next counterexample"),
                plain("next", "Next consistent execution"),
                span("quiet").set("role", "status").with(told),
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
            let part = format!("{:.1}%", outcome.count as f64 * 100.0 / sum.max(1) as f64);
            li("outcome").with((
                button("button button--small")
                    .does(Deed::Plan, format!("load {}", outcome.keys.join(" ")))
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
            .does(Deed::Plan, "stop ")
            .with((first, all(options)));
        let stop = |&line: &u32| {
            li("").with(
                button("button button--small")
                    .set("title", "Remove breakpoint")
                    .does(Deed::Plan, format!("stop {line}"))
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
                    .does(Deed::Plan, format!("load {}", keys.join(" ")))
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

/// Where a line of a text is found in what became of the text; none where it was changed itself.
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

/// Completes an execution, the first agent that can first; its fingerprint.
fn finish(stepper: &mut Stepper) -> u64 {
    for _ in 0..RUN {
        let Some(next) = stepper.moves().into_iter().next() else { break };
        if stepper.perform(&next.key).is_err() {
            break;
        }
    }
    print(stepper)
}

/// What an object observes of a step: its agent, its operation, its phases.
type Seen<'a> = (usize, &'a str, &'a [u32]);

/// What tells executions apart: the order of the operations on each object, with their phases, and how it ends.
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

/// Goes back to the last step that could have been another one and performs the next of its kind; false where there is
/// none.
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

/// Performs steps at random, the same for the same seed.
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

/// The bits of a number, mixed: as SplitMix64 does it.
const fn mixed(count: u64) -> u32 {
    let count = (count ^ count >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let count = (count ^ count >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((count ^ count >> 31) >> 32) as u32
}

/// What random schedules from the launch on come to, the most frequent first.
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

/// How an execution ends, with the rules that it breaks.
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
    const MEET: &str = "launch waves=2\nwave * {\n arrive wg\n wait wg\n}\n";

    #[test]
    fn a_seed_is_one_schedule() {
        let run = |seed: &str| {
            let mut stepper = stepper(MEET);
            assert!(Schedules::default().act(&mut stepper, &format!("random {seed}")));
            stepper.keys()
        };
        assert_eq!(run("7"), run("7"));
        let all: OrderedSet<Vec<String>> = (0..20).map(|seed| run(&seed.to_string())).collect();
        assert!(all.len() > 3, "different seeds, different schedules: {}", all.len());
    }

    #[test]
    fn a_run_to_the_next_block_ends_where_its_agent_is_blocked() {
        let mut stepper = stepper(MEET);
        assert!(Schedules::default().act(&mut stepper, "block"));
        let view = stepper.view();
        assert_eq!((view.performed.len(), view.agents[0].status.as_str()), (1, "blocked"));
    }

    #[test]
    fn a_run_stops_before_a_line() {
        let mut stepper = stepper(MEET);
        let mut schedules = Schedules::default();
        assert!(!schedules.act(&mut stepper, "stop 4"));
        assert!(schedules.act(&mut stepper, "run"));
        assert_eq!(stepper.length(), 2, "both arrived, nobody waited");
        assert!(!schedules.act(&mut stepper, "stop 4"));
        assert!(schedules.act(&mut stepper, "run"));
        assert_eq!(stepper.view().state, "finished");
    }

    #[test]
    fn a_run_that_stops_before_the_end_says_so() {
        let more =
            format!("launch waves=1\nwave 0 {{\n{}}}\n", " arrive wg\n wait wg\n".repeat(1_001));
        let mut stepper = stepper(&more);
        let mut schedules = Schedules::default();
        for word in ["random 1", "random 2"] {
            assert!(schedules.act(&mut stepper, word));
            assert!(schedules.halt().is_some_and(|told| told.contains("2000")), "{word}");
        }
        assert!(schedules.act(&mut stepper, "run"));
        assert_eq!((stepper.view().state.as_str(), schedules.halt()), ("finished", None));
    }

    #[test]
    fn executions_follow_each_other_until_all_were_shown() {
        let mut stepper = stepper(MEET);
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
    fn outcomes_are_counted_and_each_can_be_shown() {
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
    fn a_branch_that_is_left_stays_reachable() {
        let mut it = stepper(MEET);
        let mut schedules = Schedules::default();
        schedules.act(&mut it, "run");
        let first = it.keys();
        it.go_to(1);
        schedules.act(&mut it, "random 3");
        assert_eq!(schedules.branches, std::slice::from_ref(&first));
        let text = schedules.sheet(&Lines::new()).text();
        assert!(text.contains("Saved branches"), "{text}");
        schedules.act(&mut it, &format!("load {}", first.join(" ")));
        assert_eq!(it.keys(), first);
    }

    #[test]
    fn branches_and_breakpoints_go_through_words() {
        let mut it = stepper(MEET);
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
        // Steps that there are not, and lines that are no numbers, say nothing.
        let bad = ["~0.7:1,x", "^much", "^smuch"].map(str::to_owned);
        let none = Schedules::default().or_of(&bad).carried(Some(&mut it), MEET, MEET);
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
    fn what_a_change_leaves_of_branches_and_breakpoints_stays() {
        let mut it = stepper(MEET);
        let mut schedules = Schedules::default();
        schedules.act(&mut it, "stop 4");
        schedules.act(&mut it, "random 3");
        it.go_to(1);
        schedules.act(&mut it, "random 4");
        let branches = schedules.branches.clone();
        assert!(!branches.is_empty());
        let now = format!("# Two waves meet.\n{MEET}");
        let mut after = stepper(&now);
        let kept = schedules.carried(Some(&mut after), MEET, &now);
        assert_eq!((kept.stops.iter().copied().collect::<Vec<_>>(), kept.seed), (vec![5], 4));
        let keys = |all: &[Vec<String>]| all.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(keys(&kept.branches), keys(&branches));
        let shorter = MEET.replace(" wait wg\n", "");
        let kept = kept.carried(Some(&mut stepper(&shorter)), &now, &shorter);
        assert!(kept.branches.is_empty(), "no such steps: {:?}", kept.branches);
    }
}
