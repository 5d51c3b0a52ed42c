//! The statements of a text with what they do: the material of changes.

use super::braceless::joined;
use crate::scene::Scene;
use crate::tell::help::edit::Said;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use core::slice;
use tidegate_lang::outline::{Item, outline};
use tidegate_model::mem::operation::Memory;
use tidegate_model::opencl::action::{Action as Opencl, Group};
use tidegate_model::operation::{Action, Object};
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::ptx::action::{Action as Ptx, Bar};

/// The class of a statement: one letter for each kind of operation, in any vocabulary.
///
/// `i` init, `a` arrive, `w` wait, `b` arrive and wait in one, `j` join, `d` drop, `e` expected bytes, `R`, `A`, `F`
/// fences that release, acquire or do both, `m` mark, `k` wait for marks or groups, `g` commit of a group, `v` fence of
/// inits, `c` and `C` arrive and wait of the cluster, `L`, `S`, `T` load, store and copy, `.` another statement, `{` a
/// block.
pub(crate) type Class = char;

/// Whether operations of a class synchronise.
pub(crate) fn synchronises(class: Class) -> bool {
    "iawbjdeRAFmkgvcC".contains(class)
}

pub(crate) const fn class(action: Action) -> Class {
    match action {
        Action::Init { .. } | Action::Ptx(Ptx::Init { .. }, _) => 'i',
        Action::Opencl(Opencl::Construct { .. }) => 'i',
        Action::Arrive { .. }
        | Action::Ptx(
            Ptx::Arrive { .. } | Ptx::CopyArrive { .. } | Ptx::Bar { kind: Bar::Arrive, .. },
            _,
        )
        | Action::Opencl(Opencl::Arrive { .. }) => 'a',
        Action::Wait { .. }
        | Action::Ptx(Ptx::Wait { .. }, _)
        | Action::Opencl(Opencl::Await { .. }) => 'w',
        Action::Ptx(Ptx::Bar { .. } | Ptx::WarpSync { .. }, _)
        | Action::Opencl(Opencl::Barrier { .. } | Opencl::Wait { .. }) => 'b',
        Action::Join { .. } => 'j',
        Action::Drop { .. } | Action::Leave | Action::Ptx(Ptx::Inval { .. }, _) => 'd',
        Action::Ptx(Ptx::Expect { .. } | Ptx::Complete { .. }, _) => 'e',
        Action::Memory(Memory::Fence(fence)) => match (fence.release, fence.acquire) {
            (true, true) => 'F',
            (true, _) => 'R',
            _ => 'A',
        },
        Action::Ptx(Ptx::Fence { .. }, _) => 'F',
        Action::Memory(Memory::Mark) => 'm',
        Action::Memory(Memory::WaitMarks(_) | Memory::Wait(_))
        | Action::Ptx(Ptx::WaitGroup { .. }, _) => 'k',
        Action::Ptx(Ptx::Commit { .. }, _) => 'g',
        Action::Ptx(Ptx::FenceInit, _) => 'v',
        Action::Ptx(Ptx::ClusterArrive { .. }, _) => 'c',
        Action::Ptx(Ptx::ClusterWait { .. }, _) => 'C',
        Action::Memory(Memory::Load(_)) => 'L',
        Action::Memory(Memory::Store(_)) => 'S',
        Action::Memory(Memory::Copy { .. }) | Action::Ptx(Ptx::Copy { .. }, _) => 'T',
        _ => '.',
    }
}

/// The arrivals of an operation, or the bytes that it completes at an object.
const fn amount(action: Action) -> i64 {
    match action {
        Action::Ptx(Ptx::Arrive { form, .. }, _) => form.count,
        Action::Ptx(Ptx::CopyArrive { threads, .. }, _) => threads as i64,
        Action::Ptx(Ptx::Copy { name: Some(_), bytes, .. } | Ptx::Complete { bytes, .. }, _) => {
            bytes
        }
        Action::Ptx(Ptx::Copy { .. }, _) => 0,
        _ => 1,
    }
}

/// The agents that all participate in one barrier.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whole {
    Workgroup,
    Cluster,
}

const fn whole(action: Action) -> Option<Whole> {
    match action {
        Action::Arrive { object: Object::Workgroup, .. }
        | Action::Wait { object: Object::Workgroup }
        | Action::Ptx(Ptx::Bar { threads: None, .. }, _)
        | Action::Opencl(
            Opencl::Barrier { group: Group::Work, .. }
            | Opencl::Arrive { .. }
            | Opencl::Await { .. },
        ) => Some(Whole::Workgroup),
        Action::Arrive { object: Object::Cluster, .. }
        | Action::Wait { object: Object::Cluster }
        | Action::Ptx(Ptx::ClusterArrive { .. } | Ptx::ClusterWait { .. }, _) => {
            Some(Whole::Cluster)
        }
        _ => None,
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    /// Its position, with its label and the branch if that branch repeats it.
    pub(super) range: Range<usize>,
    /// Whether it has a label for other branches. Such a label is not in the range.
    pub(super) is_target: bool,
    pub(super) line: u32,
    /// Its text, without its label and the branch.
    pub(super) words: String,
    pub(super) class: Class,
    /// The barrier that it names: a declared name, or else its first number.
    pub(super) object: String,
    /// Its list of statements, and its index there.
    pub(super) list: usize,
    pub(super) place: usize,
    /// The outermost statement around it.
    pub(super) block: usize,
    /// The agents that perform it.
    pub(super) agents: OrderedSet<usize>,
    /// The arrivals of one agent, or the bytes that a copy completes at an object.
    pub(super) amount: i64,
    /// The object at which a copy completes bytes.
    pub(super) completes: String,
    /// The agents that all participate in its barrier, if it has one without a count.
    whole: Option<Whole>,
    /// Its body, if it has a header without braces.
    pub(super) body: Option<Range<usize>>,
}

impl Unit {
    /// Its text up to its first block, in a sentence.
    pub(super) fn said(&self) -> Said<'_> {
        let words = self.words.split('{').next().unwrap_or_default().trim_end();
        Said { words, line: self.line }
    }
}

/// The words with which loops begin.
const LOOPS: [&str; 5] = ["for", "while", "loop", "repeat", "do"];

/// Whether the line of a statement begins with a loop. The header of a loop can contain ends of statements.
fn is_loop(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    words_of(&text[line..]).next().is_some_and(|(_, word)| LOOPS.contains(&word))
}

/// Whether a statement allocates barriers of TLX with a count of arrivals.
fn allocates(said: &str) -> bool {
    said.contains("arrive_count=") || said.contains("tlx.alloc_barriers(") && said.contains(',')
}

/// The statements of the bodies of a text.
#[derive(Default)]
pub(super) struct Units {
    pub(super) all: Vec<Unit>,
    /// The statements of each list.
    pub(super) lists: Vec<Vec<usize>>,
    /// The number of loops around each list.
    pub(super) loops: Vec<usize>,
    /// The lists that are not in another list; functions count as such lists.
    pub(super) outermost: Vec<usize>,
}

/// The operations of the statement at a position.
#[derive(Clone)]
struct Act {
    class: Class,
    agents: OrderedSet<usize>,
    /// The largest amount.
    amount: i64,
    /// The mbarrier object.
    object: String,
    whole: Option<Whole>,
}

impl Act {
    const fn new(class: Class) -> Self {
        Self { class, agents: OrderedSet::new(), amount: 0, object: String::new(), whole: None }
    }
}

type Acts = OrderedMap<usize, Act>;

impl Units {
    pub(super) fn of(scene: &Scene) -> Self {
        let mut units = Self::default();
        let Some(context) = scene.context() else { return units };
        let mut acts = Acts::new();
        for (agent, node, operation) in context.operations() {
            let span = scene.source(agent, node).span;
            if span.line > 0 {
                let class = class(operation.action);
                let known = acts.entry(span.start as usize).or_insert_with(|| Act::new(class));
                // An arrive and a wait in one statement are a barrier. A copy that commits itself is a copy.
                known.class = match (known.class, class) {
                    ('a', 'w') | ('b', _) => 'b',
                    ('T', 'g') => 'T',
                    ('.', _) => class,
                    _ if synchronises(class) => class,
                    (before, _) => before,
                };
                known.agents.insert(agent);
                known.amount = known.amount.max(amount(operation.action));
                known.whole = known.whole.or(whole(operation.action));
                if known.object.is_empty()
                    && let Action::Ptx(ptx, _) = operation.action
                    && let Some(name) = ptx.name()
                {
                    let name = scene.mbarrier_name(name.index);
                    known.object = name.split('[').next().unwrap_or_default().into();
                }
            }
        }
        let (text, names) = (scene.text(), scene.barrier_names());
        for (block, item) in outline(text).iter().enumerate() {
            if item.blocks.is_empty() && allocates(&text[item.range.clone()]) {
                units.list(text, (slice::from_ref(item), block, 0), (&acts, &names));
            }
            for inner in &item.blocks {
                if item.first_word(text) != "func" {
                    units.outermost.push(units.lists.len());
                }
                units.list(text, (&inner.items, block, 0), (&acts, &names));
            }
        }
        units
    }

    fn list(
        &mut self,
        text: &str,
        (items, block, loops): (&[Item], usize, usize),
        known: (&Acts, &[String]),
    ) {
        let list = self.lists.len();
        self.lists.push(Vec::new());
        self.loops.push(loops);
        let items = joined(text, items);
        let mut rest = items.iter().peekable();
        while let Some(item) = rest.next() {
            let mut range = item.range.clone();
            let said = &text[range.clone()];
            let mut own = known.0.range(range.clone()).map(|(_, act)| act);
            let first = own.clone().next();
            let act = own.find(|act| synchronises(act.class)).or(first);
            let Act { class, agents, amount, object: named, whole } = match act {
                // A guarded statement is neither moved by itself nor copied.
                Some(act) if item.is_braceless && synchronises(act.class) => Act::new('{'),
                _ if !item.blocks.is_empty() => Act::new('{'),
                Some(act) => act.clone(),
                None if allocates(said) => Act::new('i'),
                None => Act::new('.'),
            };
            let words = unlabelled(said);
            let start = range.end - words.len();
            let label = said[..said.len() - words.len()].trim_end().trim_end_matches(':');
            let branch = rest.peek().map_or("", |next| &text[next.range.clone()]);
            let repeats = branch.starts_with('@')
                && branch.contains("bra")
                && branch.split_whitespace().next_back() == Some(label);
            let is_target = !label.is_empty() && !words.is_empty() && !repeats;
            if !label.is_empty()
                && repeats
                && let Some(next) = rest.next()
            {
                range.end = next.range.end;
            }
            // The label stays if the statement moves.
            if is_target {
                range.start = start;
            }
            let words = if words.is_empty() { said } else { words };
            let words = words.split_whitespace().collect::<Vec<&str>>().join(" ");
            let place = self.lists[list].len();
            self.lists[list].push(self.all.len());
            // A register holds the address of an object that the text does not name.
            let object = match synchronises(class) {
                true if names_one(&words, known.1) || named.is_empty() => object(&words, known.1),
                true => named,
                false => String::new(),
            };
            let line = text[..range.start].matches('\n').count() as u32 + 1;
            let completes = match class {
                'T' if amount > 0 => self::object(&words, known.1),
                _ => String::new(),
            };
            let unit = Unit {
                range,
                is_target,
                line,
                words,
                class,
                object,
                list,
                place,
                block,
                agents,
                amount,
                completes,
                whole,
                body: item.body.clone(),
            };
            self.all.push(unit);
            let loops = loops + usize::from(is_loop(text, item.range.start));
            for inner in item.blocks {
                self.list(text, (&inner.items, block, loops), known);
            }
        }
    }

    /// The operations of barriers of a whole workgroup or cluster that some of its agents perform more often than others,
    /// with their [`spread`].
    pub(super) fn uneven(&self, scene: &Scene) -> OrderedMap<(Class, String), usize> {
        let mut all: OrderedMap<(Class, String), Vec<&Unit>> = OrderedMap::new();
        for unit in self.all.iter().filter(|unit| unit.whole.is_some()) {
            all.entry((unit.class, unit.object.clone())).or_default().push(unit);
        }
        let spreads = all.into_iter().map(|(key, units)| (key, spread(scene, units.into_iter())));
        spreads.filter(|(_, spread)| *spread > 0).collect()
    }

    /// The statement at a place of a list.
    pub(super) fn at(&self, list: usize, place: usize) -> Option<&Unit> {
        self.lists.get(list)?.get(place).map(|&index| &self.all[index])
    }

    /// The agents that perform operations of some classes at an object.
    pub(super) fn agents(&self, object: &str, classes: &str) -> OrderedSet<usize> {
        let own = self.all.iter().filter(|it| it.object == object && classes.contains(it.class));
        own.flat_map(|unit| unit.agents.iter().copied()).collect()
    }
}

/// How many times more often one agent performs these operations of one barrier than another in its workgroup or cluster:
/// than another that performs one, and, of a barrier of all agents, than any.
pub(super) fn spread<'a>(scene: &Scene, units: impl Iterator<Item = &'a Unit>) -> usize {
    let Some(context) = scene.context() else { return 0 };
    let (agents, launch) = (&context.program.agents, &context.program.launch);
    let mut often: OrderedMap<u32, OrderedMap<usize, usize>> = OrderedMap::new();
    for unit in units {
        let group = |agent: usize| match unit.whole {
            Some(Whole::Cluster) => launch.cluster_of(agents[agent].workgroup),
            _ => agents[agent].workgroup,
        };
        for &agent in &unit.agents {
            *often.entry(group(agent)).or_default().entry(agent).or_default() += 1;
        }
        for agent in (0..agents.len()).filter(|_| unit.whole.is_some()) {
            often.entry(group(agent)).and_modify(|counts| {
                counts.entry(agent).or_default();
            });
        }
    }
    let spread = |counts: &OrderedMap<usize, usize>| {
        let (least, most) = (counts.values().min(), counts.values().max());
        most.zip(least).map_or(0, |(most, least)| most - least)
    };
    often.values().map(spread).max().unwrap_or(0)
}

/// The words of a statement, each with where it begins.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    core::iter::from_fn(move || {
        at += text[at..].find(is_name)?;
        let start = at;
        at += text[at..].find(|c| !is_name(c)).unwrap_or(text.len() - at);
        Some((start, &text[start..at]))
    })
}

/// The declared name of a barrier in a statement. `shared::cluster` names an address space.
fn declared<'a>(words: &'a str, names: &[String]) -> Option<(usize, &'a str)> {
    words_of(words)
        .find(|(at, word)| !words[..*at].ends_with("::") && names.iter().any(|name| name == word))
}

/// Whether a statement names a declared barrier.
fn names_one(words: &str, names: &[String]) -> bool {
    declared(words, names).is_some()
}

/// The barrier that a statement names.
pub(super) fn object(words: &str, names: &[String]) -> String {
    let named = declared(words, names);
    let number = || {
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let mut all = words_of(words);
        all.find(|(at, word)| is_number(word) && !words[..*at].ends_with('.'))
    };
    named.or_else(number).map_or_else(String::new, |(at, word)| {
        // The sign of a number is part of the name of a barrier.
        let sign = if words[..at].ends_with('-') { "-" } else { "" };
        [sign, word].concat()
    })
}

/// Whether a statement contains a product of a tensor core.
pub(super) fn is_product(text: &str) -> bool {
    ["tlx.async_dot(", "tcgen05.mma", "tcgen05.cp"].iter().any(|it| text.contains(it))
}

/// Whether a barrier is that of a workgroup or of a cluster.
pub(super) fn is_common(object: &str) -> bool {
    matches!(object, "wg" | "cluster") || object.starts_with('-')
}

/// Whether a statement is a copy that completes bytes at an object.
pub(super) fn is_fed(unit: &Unit, object: &str) -> bool {
    unit.class == 'T' && unit.completes == object && !object.is_empty()
}

/// A statement without its label.
pub(super) fn unlabelled(said: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || "_$".contains(c);
    match said.split_once(':') {
        Some((label, rest))
            if !label.is_empty() && label.chars().all(is_name) && !rest.starts_with(':') =>
        {
            rest.trim_start()
        }
        _ => said,
    }
}
