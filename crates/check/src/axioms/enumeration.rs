//! All small programs: every way to distribute a number of operations of an alphabet over the bodies of a few waves, up
//! to the exchange of equal waves.

use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::{Action, Form, Object, Operation};
use tidegate_model::program::{Agent, Body, Launch, Node, Program};

/// A word of an alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    /// An operation.
    Does(Action),
    /// An arrive at the workgroup barrier and a wait directly after it.
    Round,
    /// An arrive that tests whether it is first; otherwise the next word is skipped.
    Asks(Object),
}

impl Word {
    const fn operations(self) -> usize {
        match self {
            Self::Round => 2,
            _ => 1,
        }
    }
}

/// A family of programs: the waves, the first words of each, and the words from which up to `most` operations are
/// chosen.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) workgroups: u32,
    pub(super) waves: u32,
    /// The first words of the first wave of each workgroup, then of all other waves.
    pub(super) begins: [Vec<Word>; 2],
    pub(super) words: Vec<Word>,
    pub(super) most: usize,
}

pub(super) const WG: Object = Object::Workgroup;
pub(super) const CLUSTER: Object = Object::Cluster;
pub(super) const PLAIN: Object = Object::Plain(0);
pub(super) const ONE: Object = Object::Named(1);
pub(super) const TWO: Object = Object::Named(2);

const fn arrive(object: Object) -> Word {
    Word::Does(Action::Arrive { object, expected: None, is_first: false })
}

const fn sets(object: Object, expected: i64) -> Word {
    Word::Does(Action::Arrive { object, expected: Some(expected), is_first: false })
}

const fn wait(object: Object) -> Word {
    Word::Does(Action::Wait { object })
}

const fn join(object: Object) -> Word {
    Word::Does(Action::Join { object })
}

const fn drops(object: Object) -> Word {
    Word::Does(Action::Drop { object })
}

const fn init(object: Object, expected: i64) -> Word {
    Word::Does(Action::Init { object, expected })
}

const LEAVE: Word = Word::Does(Action::Leave);

/// Every family.
pub(super) fn families() -> Vec<Family> {
    let family =
        |name, (workgroups, waves), first: &[Word], others: &[Word], words: &[Word], most| {
            let begins = [first.to_vec(), others.to_vec()];
            Family { name, workgroups, waves, begins, words: words.to_vec(), most }
        };
    let round = &[Word::Round][..];
    let meeting = [arrive(WG), wait(WG)];
    let used = [arrive(PLAIN), wait(PLAIN), drops(PLAIN)];
    let raw = [init(PLAIN, 1), init(PLAIN, 2), arrive(PLAIN), wait(PLAIN), drops(PLAIN)];
    let counts = [sets(PLAIN, 1), sets(PLAIN, 2), sets(PLAIN, 3), arrive(PLAIN), wait(PLAIN)];
    let named = [join(ONE), arrive(ONE), wait(ONE), LEAVE, Word::Round];
    let more = [
        join(ONE),
        arrive(ONE),
        wait(ONE),
        drops(ONE),
        join(Object::Null),
        sets(ONE, 1),
        sets(ONE, 2),
    ];
    let bare = [init(ONE, 1), join(ONE), arrive(ONE), wait(ONE), LEAVE, Word::Round];
    let both = [join(ONE), join(TWO), arrive(ONE), arrive(TWO), wait(ONE), LEAVE];
    let two = [join(ONE), arrive(ONE), arrive(TWO), wait(TWO), join(TWO)];
    let asking = [arrive(WG), wait(WG), Word::Asks(WG), arrive(PLAIN), wait(PLAIN)];
    let across = [arrive(CLUSTER), wait(CLUSTER), arrive(WG), wait(WG)];
    let cluster = [arrive(CLUSTER), wait(CLUSTER)];
    let begin = |words: &[Word]| [words, round].concat();
    alloc::vec![
        family("workgroup barrier, two waves", (1, 2), &[], &[], &meeting, 8),
        family("workgroup barrier, three waves", (1, 3), &[], &[], &meeting, 8),
        family("plain object, raced", (1, 2), &[], &[], &raw, 5),
        family("plain object of one", (1, 2), &begin(&[init(PLAIN, 1)]), round, &used, 6),
        family("plain object of two", (1, 2), &begin(&[init(PLAIN, 2)]), round, &used, 6),
        family(
            "plain object of two, three waves",
            (1, 3),
            &begin(&[init(PLAIN, 2)]),
            round,
            &used,
            5
        ),
        family("plain object of three", (1, 3), &begin(&[init(PLAIN, 3)]), round, &used[..2], 8),
        family("expected counts that change", (1, 2), &begin(&[init(PLAIN, 2)]), round, &counts, 5),
        family("named barrier, raced", (1, 2), &[], &[], &bare, 5),
        family("named barrier of one", (1, 2), &begin(&[init(ONE, 1)]), round, &named, 5),
        family(
            "named barrier of two",
            (1, 2),
            &begin(&[init(ONE, 2), join(ONE)]),
            &[join(ONE), Word::Round],
            &named,
            5
        ),
        family(
            "named barrier, more operations",
            (1, 2),
            &begin(&[init(ONE, 2)]),
            &[join(ONE), Word::Round],
            &more,
            5
        ),
        family(
            "two named barriers",
            (1, 2),
            &begin(&[init(ONE, 2), init(TWO, 1)]),
            round,
            &both,
            5
        ),
        family(
            "two named barriers, handed on",
            (1, 2),
            &begin(&[init(ONE, 1), init(TWO, 1), join(ONE)]),
            &[join(TWO), Word::Round],
            &two,
            6
        ),
        family("the first arrive decides", (1, 2), &begin(&[init(PLAIN, 1)]), round, &asking, 5),
        family("cluster barrier, one wave each", (2, 1), &[], &[], &across, 6),
        family("cluster barrier, two waves each", (2, 2), &[], &[], &cluster, 6),
        family("cluster and workgroup barrier, two waves each", (2, 2), &[], &[], &across, 5),
    ]
}

impl Family {
    fn agents(&self) -> usize {
        (self.workgroups * self.waves) as usize
    }

    /// Calls a closure for every `stride`-th program, with its number from 1; returns the number of programs.
    pub(super) fn for_each(&self, stride: u64, visit: &mut dyn FnMut(u64, &Rc<Context>)) -> u64 {
        let mut index = 0;
        let mut bodies = alloc::vec![Vec::new(); self.agents()];
        self.fill(0, self.most, &mut bodies, &mut |bodies| {
            index += 1;
            if u64::is_multiple_of(index, stride) {
                visit(index, &self.program(bodies));
            }
        });
        index
    }

    fn fill(
        &self,
        agent: usize,
        left: usize,
        bodies: &mut Vec<Vec<Word>>,
        visit: &mut dyn FnMut(&[Vec<Word>]),
    ) {
        if agent == bodies.len() {
            if self.is_canonical(bodies) {
                visit(bodies);
            }
            return;
        }
        self.fill(agent + 1, left, bodies, visit);
        for &word in self.words.iter().filter(|word| word.operations() <= left) {
            bodies[agent].push(word);
            self.fill(agent, left - word.operations(), bodies, visit);
            bodies[agent].pop();
        }
    }

    /// Whether a program represents those that differ by exchanging identical waves or workgroups.
    fn is_canonical(&self, bodies: &[Vec<Word>]) -> bool {
        let waves = self.waves as usize;
        let first = usize::from(self.begins[0] != self.begins[1]);
        let sorted = |group: &[Vec<Word>]| group[first..].is_sorted();
        bodies.chunks(waves).all(sorted) && bodies.chunks(waves).is_sorted()
    }

    fn program(&self, bodies: &[Vec<Word>]) -> Rc<Context> {
        let launch =
            Launch { clusters: 1, workgroups: self.workgroups, waves: self.waves, lanes: 1 };
        let mut shared: Vec<Body> = Vec::new();
        let mut agents = Vec::new();
        for (index, words) in (0..).zip(bodies) {
            let (workgroup, wave) = (index / self.waves, index % self.waves);
            let begin = &self.begins[usize::from(wave > 0)];
            let body = body(&[begin, &words[..]].concat());
            let known = shared.iter().position(|other| *other == body);
            let id = known.unwrap_or_else(|| {
                shared.push(body);
                shared.len() - 1
            });
            agents.push(Agent { workgroup, wave, body: id as u32 });
        }
        let program = Program { plain_objects: 1, ..Program::of(launch, agents, shared) };
        Rc::new(Context::new(Rc::new(program)))
    }
}

fn body(words: &[Word]) -> Body {
    // The start of each word, and the end.
    let starts = words.iter().scan(0, |at, word| {
        let start = *at;
        *at += word.operations() as u32;
        Some(start)
    });
    let mut starts: Vec<u32> = starts.collect();
    let end: u32 = words.iter().map(|word| word.operations() as u32).sum();
    starts.extend([end, end]);
    let mut nodes = Vec::new();
    for (index, &word) in words.iter().enumerate() {
        let mut add = |action, next| {
            nodes.push(Node::Operation { operation: Operation::new(action, Form::Word), next });
        };
        let next = starts[index + 1];
        match word {
            Word::Does(action) => add(action, [next, next]),
            Word::Round => {
                let middle = next - 1;
                add(
                    Action::Arrive { object: WG, expected: None, is_first: false },
                    [middle, middle],
                );
                add(Action::Wait { object: WG }, [next, next]);
            }
            Word::Asks(object) => {
                add(
                    Action::Arrive { object, expected: None, is_first: true },
                    [starts[index + 2], next],
                );
            }
        }
    }
    nodes.push(Node::End);
    Body { nodes }
}
