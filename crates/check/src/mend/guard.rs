//! Guards that leave agents out.

use super::search::{Search, plain};
use super::units::Unit;
use crate::tell::help::edit;
use alloc::vec;

/// The likelihood that all agents reach a barrier that only some reach.
const UNGUARDED: i32 = 30;
/// The likelihood that a barrier does not belong into the condition or loop of which it is the body.
const GUARDED: i32 = 24;

impl Search<'_> {
    /// Guards of barriers of all agents.
    pub(super) fn unguards(&mut self) {
        let units = self.units;
        for unit in &units.all {
            self.unguarded(unit);
        }
    }

    /// A predicate, or a condition around a single statement, of a barrier that some agents do not reach.
    fn unguarded(&mut self, unit: &Unit) -> Option<()> {
        let text = self.scene.text();
        let said = &text[unit.range.clone()];
        if unit.class == 'b' && said.starts_with('@') && self.is_uneven(&unit.object) {
            let new = said.split_once(char::is_whitespace)?.1.trim_start();
            self.corrected(unit, new, UNGUARDED);
            return Some(());
        }
        let is_plain = said.starts_with("if ") && said.matches(['{', '}']).count() == 2;
        if unit.class != '{' || !is_plain {
            return None;
        }
        let mut inner = self
            .units
            .all
            .iter()
            .filter(|it| unit.range.start < it.range.start && it.range.end <= unit.range.end);
        let own = inner.next().filter(|_| inner.next().is_none())?;
        // The barrier of a cluster has one arrive of each workgroup.
        let is_round = own.object == "wg" || own.object == "-1";
        if own.class != 'a' || !is_round {
            return None;
        }
        let new = &text[own.range.clone()];
        let edit = self.instead(&unit.range, new);
        let (is, guard) = (plain(new), unit.said());
        self.add(UNGUARDED, edit::unguard(&is, guard), edit::guarded(&is, guard), vec![edit]);
        Some(())
    }

    /// A barrier of all agents that is the whole body of a header without braces belongs after that header.
    pub(super) fn guarded(&mut self, list: usize, place: usize) -> Option<()> {
        let unit = self.units.at(list, place)?;
        let body = unit.body.clone()?;
        let text = self.scene.text();
        let (header, own) = (text[unit.range.start..body.start].trim_end(), &text[body]);
        let is_barrier = ["barrier(", "work_group_barrier(", "__syncthreads("];
        let is_plain = header.matches(['=', '!']).count() == header.matches("==").count() * 2;
        let is_if = header.starts_with("if") && !header.contains('\n');
        let effects = ["++", "--", "atomic"].iter().any(|it| header.contains(it));
        let is_loop = header.starts_with("for") && !header.contains('\n');
        if !is_barrier.iter().any(|it| own.starts_with(it)) {
            return None;
        }
        if !(is_if && is_plain && !effects || is_loop) {
            return None;
        }
        let edit = self.instead(&unit.range, own);
        let guard = edit::Said { words: header, line: unit.line };
        self.add(GUARDED, edit::unguard(own, guard), edit::guarded(own, guard), vec![edit]);
        Some(())
    }
}
