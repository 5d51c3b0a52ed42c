//! Whether arrives and waits, copies and marks, inits and counts fit each other.

use super::search::Search;
use super::spelled::{numbers, returns_at_once};
use super::units::{Class, Unit, is_common, is_product, spread};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::rule::RuleId;

impl Search<'_> {
    /// Whether a move separates an arrive from the wait that follows it: a list no longer waits after its last arrive at
    /// an object, or the iterations of a loop are no longer apart.
    pub(super) fn dissolves(&self, list: usize, from: usize, to: usize) -> bool {
        let units = self.units;
        let before: Vec<usize> = (0..units.lists[list].len()).collect();
        let mut after = before.clone();
        let moved = after.remove(from);
        after.insert(to, moved);
        let waits_last = |object: &str, places: &[usize]| {
            let own = places.iter().rev().filter_map(|&place| units.at(list, place));
            let mut own = own.filter(|it| it.object == object && "aw".contains(it.class));
            own.next().is_some_and(|it| it.class == 'w')
        };
        let parts = |unit: &Unit| {
            "aw".contains(unit.class)
                && waits_last(&unit.object, &before)
                && !waits_last(&unit.object, &after)
        };
        let ends_round = |unit: &Unit| {
            unit.class == 'b' && to < from && from + 1 == before.len() && units.loops[list] > 0
        };
        // An arrive after a wait of its object that returns at launch completes nothing for it.
        let crossed = || (from.min(to)..from.max(to) + 1).filter_map(|at| units.at(list, at));
        let overtakes = |unit: &Unit| {
            let (own, other) = if to > from { ('a', 'w') } else { ('w', 'a') };
            let mut others = crossed().filter(|it| it.class == other && it.object == unit.object);
            unit.class == own
                && others
                    .any(|it| returns_at_once(if own == 'a' { &it.words } else { &unit.words }))
        };
        units.at(list, from).is_some_and(|unit| parts(unit) || ends_round(unit) || overtakes(unit))
            || units.at(list, to).is_some_and(parts)
    }

    /// Whether the agents of a list are more than a numbered barrier is missing for its thread count.
    pub(super) fn is_surplus(&self, (text, object): (&str, &str), list: usize) -> bool {
        let own = || self.units.all.iter().filter(|it| it.object == object);
        let here = self.units.lists[list].iter().map(|&index| &self.units.all[index]);
        let here: OrderedSet<usize> = here.flat_map(|it| it.agents.iter().copied()).collect();
        let arrivals = own().map(|it| 32 * it.agents.len() as i64).sum::<i64>();
        let counted = numbers(text).get(1).map(|it| it.1).filter(|it| *it > 0);
        self.is_bar(object)
            && own().all(|it| self.units.loops[it.list] == 0)
            && counted.is_some_and(|threads| {
                let rest = arrivals % threads;
                rest > 0 && rest + 32 * here.len() as i64 > threads
            })
    }

    /// Whether a wait that moves to a later place no longer protects an access, copy or product, or an arrive that moves
    /// to an earlier place no longer releases one. Both are about others than those that complete the own object.
    pub(super) fn is_passed(&self, unit: &Unit, to: usize) -> bool {
        let passed = match unit.class {
            'w' => unit.place + 1..to + 1,
            _ => to..unit.place,
        };
        passed.filter_map(|at| self.units.at(unit.list, at)).any(|it| {
            let uses = "LST".contains(it.class) || is_product(&it.words);
            uses && it.completes != unit.object && it.object != unit.object
        })
    }

    /// Whether a barrier moves past an atomic operation. Atomic operations do not race, so the verdict does not show whether
    /// they need the barrier.
    pub(super) fn passes_atomic(&self, unit: &Unit, to: usize) -> bool {
        let passed = unit.place.min(to)..unit.place.max(to) + 1;
        passed.filter_map(|at| self.units.at(unit.list, at)).any(|it| it.words.contains("atom"))
    }

    /// Whether a move crosses a block in which agents synchronise.
    pub(super) fn crosses(&self, list: usize, from: usize, to: usize) -> bool {
        let range = from.min(to)..from.max(to) + 1;
        let mut blocks = range.filter_map(|place| self.units.at(list, place));
        blocks.any(|block| {
            let inner = self.units.all.iter().filter(|it| "awb".contains(it.class));
            let mut inner = inner.map(|it| it.range.start);
            block.class == '{' && inner.any(|start| block.range.contains(&start))
        })
    }

    /// Whether some agents reach a barrier less often than others: a barrier is missing, and none is misplaced.
    pub(super) fn is_uneven(&self, object: &str) -> bool {
        let class = round_class(object);
        let own = self.units.all.iter().filter(|it| it.class == class && it.object == object);
        spread(self.scene, own) > 0
    }

    /// Whether an arrive is missing at the barrier of a statement, so that none is misplaced: some agents arrive as often
    /// as they wait and others less often, or the arrivals are no multiple of the count.
    pub(super) fn is_short(&self, unit: &Unit) -> bool {
        let all = || self.units.all.iter();
        if self.is_bar(&unit.object) {
            let bars = || all().filter(|it| "ab".contains(it.class) && self.is_bar(&it.object));
            let is_partial = |object: &String| {
                let own = || bars().filter(|it| it.object == *object);
                let arrivals = own().map(|it| 32 * it.agents.len() as i64).sum::<i64>();
                let mut threads = own().filter_map(|it| Some(numbers(&it.words).get(1)?.1));
                own().all(|it| self.units.loops[it.list] == 0)
                    && threads.any(|threads| threads > 0 && arrivals % threads != 0)
            };
            return bars().any(|it| is_partial(&it.object));
        }
        let mut often: OrderedMap<usize, (i64, i64)> = OrderedMap::new();
        for it in all().filter(|it| "aw".contains(it.class) && it.object == unit.object) {
            for agent in &it.agents {
                let (arrives, waits) = often.entry(*agent).or_default();
                *(if it.class == 'a' { arrives } else { waits }) += 1;
            }
        }
        let is = |holds: fn(i64, i64) -> bool| often.values().any(|it| holds(it.0, it.1));
        let hangs = [RuleId::AmdWaitNeverCompletes, RuleId::PtxMbarrierNeverCompletes];
        hangs.contains(&self.rule) && self.objects.iter().any(|object| self.is_partial(object))
            || "aw".contains(unit.class)
                && is(|arrives, waits| arrives > 0 && arrives == waits)
                && is(|arrives, waits| arrives < waits)
    }

    /// Whether the arrivals at an object outside loops leave a phase incomplete. No operation changes its count.
    fn is_partial(&self, object: &str) -> bool {
        let own = || self.units.all.iter().filter(|it| it.object == object);
        let arrivals = own().filter(|it| it.class == 'a');
        let sum: i64 = arrivals.map(|it| it.amount.saturating_mul(it.agents.len() as i64)).sum();
        let mut counts =
            own().filter(|it| it.class == 'i').filter_map(|it| numbers(&it.words).pop());
        let count = counts.next().filter(|_| counts.next().is_none());
        own().all(|it| self.units.loops[it.list] == 0 && !"bde".contains(it.class))
            && own().all(|it| !it.words.contains("drop") && !it.words.contains("expected="))
            && count.is_some_and(|(_, count)| count > 0 && sum % count != 0)
    }

    /// Whether a list has no copies, and another has.
    pub(super) fn is_apart(&self, list: usize) -> bool {
        let mut copies = self.units.all.iter().filter(|it| it.class == 'T').peekable();
        copies.peek().is_some() && copies.all(|it| it.list != list)
    }

    /// Whether a wait for marks or groups allows all earlier ones of its list to be outstanding.
    pub(super) fn is_idle(&self, unit: &Unit, most: i64) -> bool {
        let own = &self.units.lists[unit.list][..unit.place];
        let marks = own.iter().filter(|&&index| "mg".contains(self.units.all[index].class)).count();
        self.units.loops[unit.list] == 0 && marks as i64 <= most
    }

    /// Whether a wait for marks or groups is the last one of its block that its copies reach: none follows it in its list,
    /// and it is in no loop.
    pub(super) fn is_last_wait(&self, unit: &Unit) -> bool {
        let own = self.units.all.iter().filter(|it| it.block == unit.block);
        let later = own.filter(|it| it.range.start > unit.range.start);
        let mut later = later.filter(|it| it.class == 'k' || "Tg".contains(it.class));
        self.units.loops[unit.list] == 0 && later.next().is_none()
    }

    /// Whether an arrive in a list would be by agents that wait for the arrives of others: some agent does not wait at the
    /// object, no agent that waits there arrives there, and the count is not that of the agents that wait. At the barriers
    /// of AMDGPU, agents usually arrive and wait.
    pub(super) fn meets_itself(&self, object: &str, list: usize) -> bool {
        let agents = |classes| self.units.agents(object, classes);
        let (waits, arrives) = (agents("w"), agents("abe"));
        let all = self.scene.context().map_or(0, |it| it.program.agents.len());
        let here = self.units.lists[list].iter().map(|&index| &self.units.all[index]);
        let mut here = here.flat_map(|it| &it.agents);
        let inits = self.units.all.iter().filter(|it| it.class == 'i' && it.object == object);
        let mut counts = inits.filter_map(|it| Some(numbers(&it.words).pop()?.1));
        let group = |agent: &usize| self.group(*agent);
        let local = waits.iter().filter(|it| Some(group(it)) == waits.first().map(group)).count();
        let is_counted = local > 1 && counts.any(|it| it == local as i64);
        (waits.len() < all || all > 1 && self.is_mbarrier(object))
            && waits.is_disjoint(&arrives)
            && here.any(|agent| waits.contains(agent))
            && !(arrives.is_empty() && is_counted)
            && (self.is_mbarrier(object) || arrives.is_empty() && waits.len() == 1)
    }

    /// The workgroup of an agent.
    fn group(&self, agent: usize) -> u32 {
        self.scene.context().map_or(0, |it| it.program.agents[agent].workgroup)
    }

    /// Whether an object is an mbarrier object.
    fn is_mbarrier(&self, object: &str) -> bool {
        let objects = self.scene.context().map_or(0, |it| it.program.mbarriers.len());
        (0..objects).any(|index| {
            let name = self.scene.mbarrier_name(index as u16);
            name.split('[').next() == Some(object)
        })
    }

    /// Whether an init follows a barrier of all agents that begins at a place, and other lists have that barrier, too.
    pub(super) fn is_late(&self, unit: &Unit, begins: usize) -> bool {
        let own = || (begins..unit.place).filter_map(|place| self.units.at(unit.list, place));
        let first = own().next().filter(|_| unit.class == 'i' && self.is_unordered());
        first.is_some_and(|first| {
            let others = self.units.all.iter().filter(|it| it.list != unit.list);
            let mut others = others.filter(|it| it.class == first.class);
            "abc".contains(first.class)
                && own().all(|it| {
                    "abcwCi".contains(it.class) && (it.class == 'i' || it.object == first.object)
                })
                && others.any(|it| it.object == first.object)
        })
    }

    /// Whether a wait of a loop follows an arrive of the same iteration, and waits for its answer.
    pub(super) fn is_answered(&self, unit: &Unit) -> bool {
        let own = self.units.lists[unit.list][..unit.place].iter();
        let own = own.rev().map(|&index| self.units.all[index].class);
        self.units.loops[unit.list] > 0
            && own.into_iter().find(|it| "aw".contains(*it)) == Some('a')
    }

    /// Whether the agents of a list arrive at an object before a place, and there are other waits.
    pub(super) fn arrives_before(&self, unit: &Unit) -> bool {
        let own = self.units.lists[unit.list][..unit.place].iter();
        let arrives = |it: &Unit| it.class == 'a' && it.object == unit.object;
        let waits = |it: &Unit| it.class == 'w' && it.object == unit.object;
        own.map(|&index| &self.units.all[index]).any(arrives)
            && self.units.all.iter().filter(|it| waits(it)).count() > 1
    }

    /// Whether a list that arrives and waits at an object does so equally often: another arrive would be surplus.
    pub(super) fn is_even(&self, object: &str, list: usize) -> bool {
        let own = |class| {
            let all = self.units.lists[list].iter().map(|&index| &self.units.all[index]);
            all.filter(|it| it.class == class && it.object == object).count()
        };
        own('w') > 0 && own('a') >= own('w')
    }

    /// Whether the agents of a list arrive at an object as often as any agent waits, but are blocked before an arrive. What
    /// blocks them is wrong, and no arrive is missing.
    pub(super) fn arrives_later(&self, object: &str, list: usize) -> bool {
        let here = self.units.lists[list].iter().flat_map(|&index| &self.units.all[index].agents);
        let here: OrderedSet<usize> = here.copied().collect();
        let often = |class: Class, agent: usize| {
            let own = self.units.all.iter().filter(|it| it.class == class && it.object == object);
            own.filter(|it| it.agents.contains(&agent)).count()
        };
        let waits = self.units.agents(object, "w").into_iter().map(|agent| often('w', agent)).max();
        let arrives = here.iter().map(|&agent| often('a', agent)).min();
        here.is_subset(&self.held) && waits.is_some() && arrives >= waits
    }

    /// Whether a barrier is needed for the statements before it: the arrive releases the writes that it would pass, or
    /// only this barrier could have released the bytes of the loads.
    pub(super) fn is_for_others(&self, list: usize, from: usize, to: usize) -> bool {
        let classes = |from: usize| {
            (from..).map_while(move |place| self.units.at(list, place)).map(|it| it.class)
        };
        let passes = |class| classes(from + 1).take(to - from).any(|it| it == class);
        let later = classes(from + 1).skip_while(|class| !"ST".contains(*class));
        passes('L') && !classes(0).take(from).any(|class| "bwC".contains(class))
            || (passes('S') || passes('T'))
                && later.take_while(|class| *class != 'b').any(|class| "ac".contains(class))
    }

    /// The counts with which an object can be initialised: its arrivals, also with those that drop it, and the counts of
    /// objects that are used like it.
    pub(super) fn amounts(&self, object: &str) -> OrderedSet<i64> {
        let all = || self.units.all.iter();
        // An object belongs to one workgroup.
        let groups: Vec<u32> = self.scene.context().map_or_else(Vec::new, |it| {
            it.program.agents.iter().map(|agent| agent.workgroup).collect()
        });
        let first = |it: &&usize| groups.get(**it).is_none_or(|group| *group == 0);
        let sum = |classes: &str| {
            let own = all().filter(|it| it.object == object && classes.contains(it.class));
            own.map(|it| it.amount.saturating_mul(it.agents.iter().filter(first).count() as i64))
                .fold(0, i64::saturating_add)
        };
        let agents = self.units.agents(object, "a").iter().filter(first).count().max(1) as i64;
        let counts = all().filter(|it| it.class == 'i').filter_map(|it| numbers(&it.words).pop());
        let mut amounts: OrderedSet<i64> = counts.map(|(_, count)| count).collect();
        amounts.extend([agents, sum("a"), sum("ad")]);
        amounts.retain(|count| *count > 0);
        amounts
    }

    /// The lower of two counts for an init requires less. If the higher one holds, it is more likely to be the right one.
    pub(super) fn rank(&self, class: Class, object: &str, text: &str) -> i32 {
        let count = || numbers(text).pop().map(|(_, count)| count);
        let rank = |count| self.amounts(object).iter().filter(|it| **it < count).count() as i32;
        // Without a wait, no count is too low.
        let waits = !self.units.agents(object, "wb").is_empty();
        if class == 'i' && waits { count().map_or(0, rank).min(3) } else { 0 }
    }

    /// Among the waves that perform a list, those that wait at a barrier more often than they arrive, if other waves do
    /// not.
    pub(super) fn lacking(&self, object: &str, list: usize) -> Option<String> {
        let mut often: OrderedMap<usize, i32> = OrderedMap::new();
        for unit in &self.units.all {
            for agent in &unit.agents {
                let here = i32::from(unit.object == object);
                let own = often.entry(*agent).or_default();
                *own += here * (i32::from(unit.class == 'w') - i32::from(unit.class == 'a'));
            }
        }
        let own = self.units.all.iter().filter(|unit| unit.list == list);
        let here: OrderedSet<usize> = own.flat_map(|unit| unit.agents.iter().copied()).collect();
        let lack: Vec<usize> = here.iter().copied().filter(|agent| often[agent] > 0).collect();
        let context =
            self.scene.context().filter(|_| !lack.is_empty() && lack.len() < here.len())?;
        let agents = &context.program.agents;
        let one_group = agents.iter().all(|agent| agent.workgroup == 0);
        let told = lack.iter().map(|&agent| format!("wave_id == {}", agents[agent].wave));
        one_group.then(|| told.collect::<Vec<String>>().join(" || "))
    }

    /// How likely an operation is the missing counterpart of others on its object.
    pub(super) fn lacks(&self, class: Class, object: &str, block: usize) -> i32 {
        let all = || self.units.all.iter();
        let of = |classes: &str, here: bool| {
            let all = all().filter(|it| classes.contains(it.class));
            let own = all.filter(|it| "mgk".contains(class) || it.object == object);
            own.filter(|it| !here || it.block == block).count()
        };
        let (own, other) = match class {
            'a' if self.is_full(object) => return -9,
            'a' => ("a", "w"),
            'w' => ("wb", "a"),
            'm' if of("g", true) == 0 => ("m", "T"),
            'g' if of("m", true) == 0 => ("g", "T"),
            // For marks, the count of the missing wait is known from the execution.
            'k' if of("km", true) > 0 => return 0,
            'k' => return if of("gT", true) > 0 { 6 } else { 0 },
            'c' => ("c", "C"),
            'C' => ("C", "c"),
            'i' if of("i", false) > 0 => return -6,
            'i' => return 6 + 4 * i32::from(all().any(|it| it.class == 'i' && it.block == block)),
            'j' => return if of("j", true) == 0 { 3 } else { -3 },
            'b' => return if self.is_rarer(object, block) { 6 } else { 0 },
            _ => return 0,
        };
        let nowhere = 8 * i32::from(of(own, false) == 0 && of(other, false) > 0);
        nowhere + if of(other, true) > of(own, true) { 4 } else { -3 }
    }

    /// Whether a block reaches a barrier less often than another block that uses it.
    pub(super) fn is_rarer(&self, object: &str, block: usize) -> bool {
        let mut often: OrderedMap<usize, usize> = OrderedMap::new();
        let class = round_class(object);
        for unit in self.units.all.iter().filter(|it| it.class == class && it.object == object) {
            *often.entry(unit.block).or_default() += 1;
        }
        often.values().max() > often.get(&block).or(Some(&0))
    }

    /// Whether the arrives at a barrier fill its phases, and every wait has one: another would be too many.
    pub(super) fn is_full(&self, object: &str) -> bool {
        let own = |class| {
            let all = self.units.all.iter();
            all.filter(move |it| it.class == class && it.object == object)
        };
        let sum = |class| own(class).map(|unit| unit.agents.len() as i64).sum::<i64>();
        let mut counts = own('i').filter_map(|unit| numbers(&unit.words).pop());
        let arrivals = sum('a');
        arrivals > 0
            && sum('w') <= arrivals
            && counts.any(|(_, count)| count > 0 && arrivals % count == 0)
    }
}

/// The class of the statements that count the rounds of a barrier: at the barriers of a workgroup and of a cluster of
/// AMDGPU, an arrive and a wait.
fn round_class(object: &str) -> Class {
    if is_common(object) { 'a' } else { 'b' }
}
