//! Statements that are missing: those of mirrors, counterparts, and barriers of all agents.

use super::search::{Search, leads_away, plain};
use super::spelled::{counterparts, expects, renamed, turned};
use super::units::{
    Class, Unit, is_common, is_fed, is_product, object, synchronises, unlabelled, words_of,
};
use crate::tell::help::edit::{self, Side as Where};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

impl Search<'_> {
    /// Statements that occur elsewhere, directly or mirrored, and are missing here.
    pub(super) fn additions(&mut self, barriers: &[String]) {
        let mut found: OrderedMap<String, (Class, String, Option<usize>)> = OrderedMap::new();
        let units = self.units;
        let own = || units.all.iter().enumerate().filter(|(_, it)| synchronises(it.class));
        let copies = || units.all.iter().filter(|it| it.class == 'T');
        let used: OrderedSet<&String> = own().map(|(_, unit)| &unit.object).collect();
        for (index, unit) in own().filter(|(_, it)| !it.agents.is_empty() && it.class != 'd') {
            let text = &self.scene.text()[unit.range.clone()];
            found.insert(text.to_owned(), (unit.class, unit.object.clone(), Some(index)));
        }
        for (_, unit) in own() {
            let text = &self.scene.text()[unit.range.clone()];
            // A statement that already exists in one spelling is not added in another.
            let is_new = |class: Class, object: &str| {
                !own()
                    .any(|(_, it)| it.class == class && (object.is_empty() || it.object == object))
            };
            for &other in used.iter().filter(|other| self.are_alike(&unit.object, other)) {
                // The barriers of a workgroup and of a cluster need no init.
                let needs_none = unit.class == 'i' && is_common(other);
                if is_new(unit.class, other)
                    && !needs_none
                    && let Some(new) = renamed(text, &unit.object, other)
                {
                    // A mirrored wait is for the other phase.
                    if let Some(turned) = turned(&new).filter(|_| unit.class == 'w') {
                        found.entry(turned).or_insert((unit.class, other.clone(), None));
                    }
                    found.entry(new).or_insert((unit.class, other.clone(), None));
                }
            }
            for (new, class) in counterparts(unit, &self.amounts(&unit.object)) {
                let fits = match class {
                    'v' => self.scene.text().contains("cluster.arrive") && is_new(class, ""),
                    'k' | 'm' | 'g' | 'j' | 'R' | 'A' => true,
                    _ => is_new(class, &unit.object),
                };
                if fits {
                    found.entry(new).or_insert((class, unit.object.clone(), None));
                }
            }
        }
        for unit in copies() {
            for (new, class) in counterparts(unit, &OrderedSet::new()) {
                found.entry(new).or_insert((class, String::new(), None));
            }
            let all = copies().filter(|it| it.completes == unit.completes && it.list == unit.list);
            let expected =
                own().any(|(_, it)| it.object == unit.completes && it.words.contains("expect"));
            let bytes = all.map(|it| it.amount).fold(0, i64::saturating_add);
            if let Some(new) = expects(unit, &unit.completes, bytes).filter(|_| !expected) {
                found.entry(new).or_insert(('a', unit.completes.clone(), None));
            }
        }
        for (_, unit) in own().filter(|(_, it)| it.words.starts_with("mbarrier.complete_tx")) {
            let expected =
                |(_, it): (usize, &Unit)| it.object == unit.object && it.words.contains("expect");
            let new = expects(unit, &unit.object, unit.amount);
            if let Some(new) = new.filter(|_| !own().any(expected)) {
                found.entry(new).or_insert(('a', unit.object.clone(), None));
            }
        }
        for barrier in barriers {
            found.entry(barrier.clone()).or_insert(('b', object(barrier, &self.names), None));
        }
        for (text, (class, object, origin)) in &found {
            for list in 0..units.lists.len() {
                for place in 0..=units.lists[list].len() {
                    self.added((text, *class, object), *origin, (list, place));
                }
            }
        }
    }

    fn added(
        &mut self,
        (text, class, object): (&str, Class, &str),
        origin: Option<usize>,
        (list, place): (usize, usize),
    ) -> Option<()> {
        let units = self.units;
        let before = place.checked_sub(1).and_then(|at| units.at(list, at));
        let after = units.at(list, place);
        let anchor = before.or(after)?;
        if !self.written.is_of(text) {
            return None;
        }
        // Only declarations are beside a declaration.
        if anchor.class == 'i' && anchor.agents.is_empty() && class != 'i' {
            return None;
        }
        // The fence of inits follows them before all others.
        if after.is_some_and(|it| it.class == 'v')
            && before.is_some_and(|it| it.class == 'i')
            && class == 'b'
        {
            return None;
        }
        // An init by one thread follows the branch of the others.
        if before.is_some_and(|it| leads_away(it) && !(class == 'i' && it.words.starts_with('@'))) {
            return None;
        }
        // A loop does not get what its mirror has outside of loops.
        let loops = |index: usize| units.loops[units.all[index].list];
        let is_deeper = match origin.map(loops) {
            Some(loops) => units.loops[list] > loops,
            None => class == 'b' && units.loops[list] > 0,
        };
        if class == 'a' && (self.is_even(object, list) || self.meets_itself(object, list)) {
            return None;
        }
        if class == 'a' && self.arrives_later(object, list) {
            return None;
        }
        if class == 'a' && !self.can_arrive(text, object, (list, place)) {
            return None;
        }
        // More arrivals than the barrier is missing would begin another generation.
        if "ab".contains(class) && self.is_surplus((text, object), list) {
            return None;
        }
        // A group of nothing is no group.
        if class == 'g' && [before, after].into_iter().flatten().any(|it| it.class == 'g') {
            return None;
        }
        let near = [before, after].into_iter().flatten().map(|unit| self.concerns(unit)).max();
        let again = [before, after]
            .into_iter()
            .flatten()
            .any(|unit| unit.class == class && (unit.object == object) && "awkm".contains(class));
        let named = match anchor.agents.is_disjoint(&self.never) {
            _ if class != 'a' || self.never.is_empty() => 0,
            true => -9,
            false => 6,
        };
        let score = self.fits(list, place..place, &[(class, object)])
            + near.unwrap_or(0)
            + self.lacks(class, object, anchor.block)
            - 6 * i32::from(again)
            - 6 * i32::from(is_deeper)
            - 6 * i32::from("mg".contains(class) && self.is_apart(list))
            + 8 * i32::from("RA".contains(class) && origin.is_none())
            + named
            + self.turns(class, object, list)
            - 8 * i32::from(class == 'w' && origin.is_none() && !self.is_spelled(text, object))
            + self.leads(class, (text, object), (list, place))
            + 8 * i32::from(is_asynchronous(text))
            + self.rank(class, object, text)
            + 6 * i32::from(class == 'a' && after.is_some_and(|it| is_fed(it, object)))
            + if origin.is_some() { 2 } else { 0 };
        let (beside, is_after) = match before {
            Some(unit) if unit.class != '{' || after.is_none() => (unit, true),
            _ => (after.unwrap_or(anchor), false),
        };
        let side = if is_after { Where::After } else { Where::Before };
        let mirror = origin.map(|index| &units.all[index]);
        let mirror = mirror.filter(|unit| unit.block != anchor.block);
        let text = match self.lacking(object, list).filter(|_| class == 'a') {
            Some(who)
                if self.written.language.is_none()
                    && (text.contains("arrive ") || text.contains("s_barrier_signal ")) =>
            {
                format!("if {who} {{ {text} }}")
            }
            _ => self.fresh(text),
        };
        let said = plain(&text);
        let reason = edit::missing(&said, side, beside.said(), mirror.map(|unit| unit.line));
        let message = edit::add(&said, side, beside.said());
        let edit = self.beside(beside, is_after, &text);
        self.add(score, message, reason, vec![edit]);
        self.shifted(vec![plain(unlabelled(&said))], list, true);
        Some(())
    }

    /// Whether other statements use the element of an object that a text names, or none uses any.
    fn is_spelled(&self, text: &str, object: &str) -> bool {
        let element = |words: &str| -> Option<String> {
            let (at, _) = words_of(words).find(|(_, word)| *word == object)?;
            let rest = &words[at..];
            let end = rest.strip_prefix(object)?.starts_with('[').then(|| rest.find(']')).flatten();
            Some(rest[..end.unwrap_or(object.len())].to_owned())
        };
        let own = element(text);
        let mut used = self.units.all.iter().filter(|it| "awT".contains(it.class));
        let mut used = used.by_ref().filter_map(|it| element(&it.words)).peekable();
        used.peek().is_none() || used.any(|it| Some(it) == own)
    }

    /// Whether an arrive at a place can be the one that is missing. One that tracks copies or products follows them; before
    /// products, another is missing only if some agent arrives at the object.
    fn can_arrive(&self, text: &str, object: &str, (list, place): (usize, usize)) -> bool {
        let contains = |mut places: Range<usize>, test: fn(&str) -> bool| {
            places.any(|at| self.units.at(list, at).is_some_and(|it| test(&it.words)))
        };
        match is_asynchronous(text) {
            true if text.starts_with("cp.async") => contains(0..place, is_copy),
            true => contains(0..place, is_product),
            false => {
                !contains(place..self.units.lists[list].len(), is_product)
                    || !self.units.agents(object, "abe").is_empty()
            }
        }
    }

    /// Barriers for all agents: after the last init of a block, and at the start of every other block.
    pub(super) fn rounds(&mut self, barrier: &str) {
        let units = self.units;
        // Some agents have such a barrier, which others lack.
        let object = object(barrier, &self.names);
        if self.is_uneven(&object) {
            return;
        }
        let Some(init) = units.all.iter().rfind(|it| it.class == 'i' && !it.agents.is_empty())
        else {
            return;
        };
        let fence = (init.place + 1..).map_while(|at| units.at(init.list, at));
        let init = fence.take_while(|it| "iv".contains(it.class)).last().unwrap_or(init);
        let others = units.outermost.iter().filter_map(|&list| units.at(list, 0));
        let others: Vec<&Unit> = others.filter(|unit| unit.block != init.block).collect();
        let mut edits = vec![self.beside(init, true, barrier)];
        edits.extend(others.iter().map(|unit| self.beside(unit, false, barrier)));
        let also = others.iter().map(|unit| unit.said());
        let message = edit::add_everywhere(barrier, init.said(), also);
        self.add(4, message, String::new(), edits);
    }

    /// A text with a label that no other statement has.
    fn fresh(&self, text: &str) -> String {
        let rest = unlabelled(text);
        let label = text[..text.len() - rest.len()].trim_end().trim_end_matches(':');
        if label.is_empty() {
            return text.to_owned();
        }
        let taken = |name: &str| words_of(self.scene.text()).any(|(_, word)| word == name);
        let mut names = (2..99).map(|number| format!("{label}{number}"));
        match names.find(|name| !taken(name)) {
            Some(new) => match rest.rsplit_once(label) {
                Some((head, tail)) => [&new, ": ", head, &new, tail].concat(),
                None => [&new, ": ", rest].concat(),
            },
            None => text.to_owned(),
        }
    }
}

/// Whether an arrive tracks copies or products of its thread.
fn is_asynchronous(text: &str) -> bool {
    ["tlx.tcgen05_commit", "tcgen05.commit", "cp.async.mbarrier"]
        .iter()
        .any(|it| text.starts_with(it))
}

/// Whether a statement is a copy that `cp.async.mbarrier.arrive` tracks.
fn is_copy(words: &str) -> bool {
    ["cp.async.ca", "cp.async.cg"].iter().any(|it| words.contains(it))
}
