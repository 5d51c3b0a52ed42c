//! Numbers, parities, names and orders of statements that are put right.

use super::search::{Search, plain};
use super::spelled::{
    atomic, expects as expected, numbers, other_flags, renamed, returns_at_once, turned,
};
use super::units::{Unit, is_common, object, synchronises, unlabelled};
use crate::tell::help::edit::{self, Said};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::rule::RuleId;

/// Rules broken because too few agents synchronise, the opposite, and the classes for which both are possible.
const ORDERS: [(&str, &str, &str); 7] = [
    (".relaxed.", ".release.", "a"),
    (".relaxed.", ".acquire.", "w"),
    (".relaxed", "", "cC"),
    (".release.cta", ".release.cluster", "a"),
    (".acquire.cta", ".acquire.cluster", "w"),
    (".acq_rel.cta", ".acq_rel.cluster", "F"),
    (".relaxed.cta", ".release.cluster", "a"),
];

impl Search<'_> {
    /// Numbers, parities and names that are put right.
    pub(super) fn corrections(&mut self) {
        let units = self.units;
        for unit in units.all.iter().filter(|unit| synchronises(unit.class)) {
            let said = &self.scene.text()[unit.range.clone()];
            let line = said.split('\n').next().unwrap_or_default();
            if unit.class == 'w' {
                let line = line.strip_suffix(';').unwrap_or(line);
                if let Some(new) = turned(said) {
                    let next = (unit.place + 1..).map_while(|at| units.at(unit.list, at));
                    let next = next.map(|it| it.class).find(|class| "LST".contains(*class));
                    // A read must wait for its data; a slot can be free for the first write at launch.
                    let (named, hangs) = (self.is_named(unit), self.line == Some(unit.line));
                    let is_plain = line.trim_end_matches(')').trim_end().ends_with(", 1");
                    let score = match (returns_at_once(line), !returns_at_once(line), next) {
                        // After its own arrive, an agent can wait for a later phase.
                        (true, false, _) if hangs && self.arrives_before(unit) => -9,
                        (true, false, _) if hangs && is_plain => 7,
                        (true, false, _) if self.is_answered(unit) => 6,
                        (true, false, _) if named && !hangs => 5,
                        (true, false, Some('L')) => 5,
                        (true, false, Some(_)) => -4,
                        (true, false, None) if self.lines.contains(&unit.line) => 4,
                        (true, false, None) => 2,
                        (false, true, _) => -5,
                        _ => 0,
                    };
                    let score = score + 3 * i32::from(named);
                    self.corrected(unit, &new, score);
                }
            }
            let is_race = self.rule == RuleId::MemRace;
            for (old, new, classes) in ORDERS.iter().filter(|_| is_race) {
                if classes.contains(unit.class) && said.contains(old) {
                    self.corrected(unit, &said.replacen(old, new, 1), 6);
                    // The remedy comes from the execution: the two agents do not synchronise.
                    self.found.last_mut().into_iter().for_each(|last| last.reason.clear());
                }
            }
            for new in other_flags(said).iter().filter(|_| is_race && unit.class == 'b') {
                self.corrected(unit, new, 8);
            }
            // A wait that covers only the source of a copy can cover its destination, too.
            if unit.class == 'k' && said.contains(".read") {
                self.corrected(unit, &said.replacen(".read", "", 1), 9);
            }
            // Flags, masks, parities and parts of terms are no counts.
            let is_count = !["group_barrier(", "multicast"].iter().any(|it| said.contains(it));
            let end = match unit.class == 'w' && turned(line).is_some() {
                true => line.rfind(',').unwrap_or(line.len()),
                false => said.len(),
            };
            let apart =
                |at: usize| !said[..at].trim_end().ends_with(['^', '&', '|', '%', '*', '/', '+']);
            let own = numbers(said).into_iter();
            // A number with a sign names a barrier, and no count.
            let signed = |at: usize| said[..at].ends_with('-');
            for (range, number) in own
                .filter(|(it, _)| is_count && it.end <= end && apart(it.start) && !signed(it.start))
            {
                let step = if number > 0 && number % 32 == 0 { 32 } else { 1 };
                let near = [number.checked_add(step), number.checked_sub(step)];
                let mut others: OrderedSet<i64> = near.into_iter().flatten().collect();
                if unit.class == 'i' {
                    others.extend(self.amounts(&unit.object));
                    others.extend(self.tally.count_of(&unit.object));
                }
                others.extend(self.gathered.get(&*unit.object));
                let alike = units.all.iter().filter(|one| one.class == unit.class);
                others.extend(alike.flat_map(|one| numbers(&one.words)).map(|(_, other)| other));
                // Barrier 0 of AMDGPU is NULL, at which nothing happens.
                let least = i64::from(unit.words.starts_with("s_barrier_"));
                for other in others.into_iter().filter(|&it| it >= least && it != number) {
                    let new = [&said[..range.start], &other.to_string(), &said[range.end..]];
                    if let Some(score) = self.counted(unit, number, other) {
                        self.corrected(unit, &new.concat(), score);
                    }
                }
            }
            if let Some(new) = self.expecting(unit, said) {
                self.corrected(unit, &new, 9);
            }
            for (new, score) in self.signed(unit, said) {
                self.corrected(unit, &new, score);
            }
            let objects: OrderedSet<&String> = units.all.iter().map(|one| &one.object).collect();
            for other in objects {
                let is_bar = self.is_bar(&unit.object) && self.is_bar(other);
                let balance = self.balances(unit, other).filter(|_| self.names.contains(other));
                let lonely = is_bar && self.others(unit).next().is_none();
                let fit = if is_bar { Some(4 * i32::from(lonely)) } else { balance };
                // An agent that arrives only where it waits itself waits for no other agent.
                let fit = fit.filter(|_| unit.class != 'a' || !self.meets_itself(other, unit.list));
                // The barriers of a workgroup and of a cluster are not confused with others.
                let is_common = [&unit.object, other].iter().any(|it| is_common(it));
                if self.are_alike(&unit.object, other)
                    && !is_common
                    && let Some(fit) = fit
                    && let Some(new) = renamed(said, &unit.object, other)
                {
                    let score = self.lacks(unit.class, other, unit.block) / 2;
                    self.corrected(unit, &new, score + fit);
                }
            }
        }
    }

    /// Updates of an element that become atomic calls.
    pub(super) fn atomic_updates(&mut self) {
        let units = self.units;
        let named = |unit: &&Unit| self.lines.contains(&unit.line);
        let updates = units.all.iter().filter(|unit| "LS".contains(unit.class)).filter(named);
        let calls = updates.filter_map(|unit| Some((unit, atomic(&unit.words)?)));
        for (unit, call) in calls.collect::<Vec<(&Unit, String)>>() {
            self.corrected(unit, &call, 5);
        }
    }

    /// An arrive that expects the bytes which copies of its list complete at its object, if none there does.
    fn expecting(&self, unit: &Unit, said: &str) -> Option<String> {
        let own = self.units.all.iter().filter(|it| it.list == unit.list);
        let copies = || own.clone().filter(|it| it.class == 'T' && it.completes == unit.object);
        let expects = own.clone().any(|it| it.object == unit.object && it.words.contains("expect"));
        let first = copies().next().filter(|_| unit.class == 'a' && !expects)?;
        let bytes = copies().map(|it| it.amount).fold(0, i64::saturating_add);
        let rest = said.trim_end_matches(';');
        let end = &said[rest.len()..];
        match said.strip_prefix("mbarrier.arrive.") {
            // A count is no number of bytes.
            Some(_) if numbers(said).is_empty() => {
                let new = rest.replacen("mbarrier.arrive.", "mbarrier.arrive.expect_tx.", 1);
                Some(format!("{new}, {bytes}{end}"))
            }
            Some(_) => None,
            None => said.starts_with("tlx.").then(|| expected(first, &first.completes, bytes))?,
        }
    }

    /// A statement with a signed number, with the operands of statements of the same spelling instead, and for a join those
    /// of its own list.
    fn signed(&self, unit: &Unit, said: &str) -> Vec<(String, i32)> {
        let own = numbers(said);
        let Some((range, _)) = own.iter().find(|(it, _)| said[..it.start].ends_with('-')) else {
            return Vec::new();
        };
        let (head, tail) = (&said[..range.start - 1], &said[range.end..]);
        let all = self.units.all.iter().filter(|it| it.range != unit.range);
        let alike = all.filter(|it| {
            let joined = unit.class == 'j' && it.list == unit.list && !is_common(&it.object);
            it.words.starts_with(head) || joined && "aw".contains(it.class)
        });
        let others: OrderedSet<&str> = alike.map(|it| &*it.object).collect();
        let others = others.into_iter().filter(|it| {
            let is_number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
            is_number(it.strip_prefix('-').unwrap_or(it)) && **it != *unit.object
        });
        let fit = |other: &str| 4 + self.lacks(unit.class, other, unit.block) / 2;
        others.map(|other| ([head, other, tail].concat(), fit(other))).collect()
    }

    /// The other statements at the object of a statement that arrive or wait.
    fn others(&self, unit: &Unit) -> impl Iterator<Item = &Unit> {
        let (object, at) = (unit.object.clone(), unit.range.start);
        let all = self.units.all.iter().filter(move |it| it.object == object);
        all.filter(move |it| it.range.start != at && "ab".contains(it.class))
    }

    /// Whether a barrier is one of those that have only numbers.
    pub(super) fn is_bar(&self, object: &str) -> bool {
        let own = self.units.all.iter().filter(|it| it.object == object);
        object.starts_with(|c: char| c.is_ascii_digit())
            && own.into_iter().any(|it| "abwj".contains(it.class))
    }

    /// The likelihood of another number; `None` for a count that fewer agents than arrive would complete.
    fn counted(&self, unit: &Unit, old: i64, new: i64) -> Option<i32> {
        let small = i32::from(matches!(old.abs_diff(new), 1 | 32));
        let agents = |classes| self.units.agents(&unit.object, classes);
        let (arrive, wait) = (agents("ab"), agents("w"));
        let arrivals = arrive.len() as i64;
        let is_name = old.to_string() == unit.object;
        let everybody = self.scene.context().map_or(0, |it| it.program.agents.len());
        // The bytes that copies complete are expected.
        if unit.words.contains("expect") && !is_name {
            let all = self.units.all.iter().filter(|it| it.completes == unit.object);
            let mut sizes: OrderedMap<usize, i64> = OrderedMap::new();
            all.for_each(|it| *sizes.entry(it.list).or_default() += it.amount);
            return match sizes.values().any(|bytes| *bytes == new) {
                true => Some(small + 9),
                false if sizes.is_empty() && new > old => Some(small + 3),
                false => None,
            };
        }
        if unit.class == 'i' && self.gathered.get(&*unit.object) == Some(&new) {
            return Some(small + 9);
        }
        // Statements at one barrier agree on its number of threads: a lower one is that of all warps there.
        if "ab".contains(unit.class) && self.is_bar(&unit.object) && !is_name {
            let threads = |unit: &Unit| match &*numbers(&unit.words) {
                [_, (_, threads), ..] => Some(*threads),
                _ => None,
            };
            let mut votes: OrderedMap<i64, usize> = OrderedMap::new();
            self.others(unit)
                .filter_map(threads)
                .for_each(|said| *votes.entry(said).or_default() += 1);
            let most = votes.values().max();
            let every = 32 * arrivals;
            let agreed = votes.get(&new).is_some_and(|it| Some(it) == most);
            return match votes.len() {
                // Only the arrivals of these warps complete it, and one warp synchronises with no other.
                0 => (new == every && (new > 32 || everybody == 1)).then_some(small),
                _ if !agreed => None,
                // The count of all arrivals is more likely than a lower one.
                1 if new > old || new == every => Some(8 + 2 * i32::from(new > old)),
                _ => (Some(&1) < most).then_some(6 + small),
            };
        }
        // Another agent may be the missing one: one that waits like the arriving agents, or that does nothing there. A
        // lower count is certain only if every agent participates and it counts those that arrive.
        let missing = !arrive.is_disjoint(&wait) && !wait.is_subset(&arrive)
            || agents("abwde").len() < everybody;
        let counted = agents("abd").len() as i64;
        let is_whole = new == counted && old.abs_diff(new) == 1
            || Some(new) == counted.checked_mul(32) && old.abs_diff(new) <= 32;
        let is_summed = self.is_summed(unit, old, new);
        let falls = new < old && (everybody < 2 || missing || !is_whole) && !is_summed;
        // A higher one counts arrivals, or is that of a similar object. Where nothing waits, it only hides a missing wait.
        // Too many drops show a count that is too low. Without drops, a higher count completes no phase of the barriers of
        // AMDGPU.
        let waits = !agents("wb").is_empty() || self.rule == RuleId::AmdDropNonNegative;
        let delays = self.rule == RuleId::AmdWaitNeverCompletes && new > old;
        let delays = delays && agents("d").is_empty();
        let is_known = old <= 0 || new < old || waits && self.amounts(&unit.object).contains(&new);
        let alone = self.units.all.iter().filter(|it| it.object == unit.object).count() == 1;
        if is_name && !alone
            || !is_name && ("ib".contains(unit.class) && falls || unit.class == 'i' && !is_known)
            || !is_name && unit.class == 'i' && delays
        {
            return None;
        }
        let like = |it: &&Unit| {
            let count = numbers(&it.words).pop().map(|(_, count)| count);
            it.class == 'i' && it.range.start != unit.range.start && count == Some(new)
        };
        let mirrored = self.units.all.iter().any(|it| like(&it));
        // A similar object shows whether the init is wrong, or an arrive that writes its own count.
        let counts_itself = |it: &&Unit| {
            let operands = it.words.rfind(']').unwrap_or(it.words.len());
            let counts = it.class == 'a' && !it.words.contains("expect");
            counts && numbers(&it.words).iter().any(|one| one.0.start > operands)
        };
        let mut own = self.units.all.iter().filter(|it| it.object == unit.object);
        if unit.class == 'i'
            && new < old
            && !(mirrored || is_summed && arrivals > 1)
            && own.any(|it| counts_itself(&it))
        {
            return None;
        }
        Some(match unit.class {
            'a' if new < old && !is_name => return None,
            'a' if !is_name => small + 3,
            'i' => {
                let lower = 4 * i32::from(new < old);
                small + 6 * i32::from(arrivals == new || is_summed) + 2 * i32::from(mirrored)
                    - lower
            }
            'k' if new < old => {
                // The early access directly follows, or else another wait is missing.
                let next = self.units.at(unit.list, unit.place + 1);
                let right = next.is_some_and(|next| self.line == Some(next.line))
                    || self.is_idle(unit, old)
                    || self.is_last_wait(unit)
                    || self.rule == RuleId::PtxAsyncCopyOutstandingAtExit;
                let lack = self.lacks('m', "", unit.block).max(self.lacks('g', "", unit.block));
                small + if right { 5 } else { return None } + if lack <= 0 { 3 } else { -6 }
            }
            _ => small,
        })
    }

    /// How much better it fits that a statement names another barrier; `None` if arrives, waits and inits are then no
    /// better balanced.
    fn balances(&self, unit: &Unit, other: &str) -> Option<i32> {
        let all = |object: &str, class| {
            let all = self.units.all.iter().filter(|it| it.object == object && it.class == class);
            all.count() as i32
        };
        let own = match unit.class {
            'a' => 1,
            'w' => -1,
            class => {
                let twice = class == 'i' && all(&unit.object, 'i') > 1 && all(other, 'i') == 0;
                return (self.lacks(class, other, unit.block) >= 0).then_some(6 * i32::from(twice));
            }
        };
        let sum = |object: &str| all(object, 'a') - all(object, 'w');
        let (here, there) = (sum(&unit.object), sum(other));
        let (old, new) = (here.abs() + there.abs(), (here - own).abs() + (there + own).abs());
        (new < old).then_some(10 * i32::from(new == 0))
    }

    pub(super) fn corrected(&mut self, unit: &Unit, new: &str, score: i32) {
        let first = |said: &str| plain(said.split('\n').next().unwrap_or_default());
        let was = first(&self.scene.text()[unit.range.clone()]);
        let (was, is) = (unlabelled(&was).to_owned(), unlabelled(&first(new)).to_owned());
        let object = object(&is, &self.names);
        let place = unit.place;
        let score = score
            + 3
            + self.fits(unit.list, place..place + 1, &[(unit.class, &object)])
            + self.concerns(unit);
        let old = Said { words: &was, line: unit.line };
        let (message, reason) = (edit::write(&is, old), edit::wrong(&is, old));
        let edit = self.instead(&unit.range, new);
        self.add(score, message, reason, vec![edit]);
    }
}
