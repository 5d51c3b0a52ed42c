//! Statements that are one too many, and guards that leave agents out.

use super::search::{Search, plain};
use super::units::Unit;
use crate::tell::help::edit;
use alloc::vec;

/// The likelihood that a repeated wait or arrive is not meant.
const REPEATED: i32 = 30;
/// The likelihood that all agents reach a barrier that only some reach.
const UNGUARDED: i32 = 30;

impl Search<'_> {
    /// Waits and arrives that repeat the one before, and guards of barriers of all agents.
    pub(super) fn surplus(&mut self) {
        let units = self.units;
        for unit in &units.all {
            self.repeated(unit);
            self.unguarded(unit);
        }
    }

    fn repeated(&mut self, unit: &Unit) -> Option<()> {
        let text = self.scene.text();
        let before = self.units.at(unit.list, unit.place.checked_sub(1)?)?;
        let is_same = before.words == unit.words && before.agents == unit.agents;
        let between = &text[before.range.end..unit.range.start];
        let is_apart = between.chars().any(|c| !c.is_whitespace() && c != ';');
        if !is_same || is_apart || !"aw".contains(unit.class) || unit.is_target {
            return None;
        }
        let edit = self.instead(&(before.range.end..unit.range.end), "");
        let reason = edit::repeats(unit.said(), before.line);
        self.add(REPEATED, edit::remove(unit.said()), reason, vec![edit]);
        Some(())
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
}
