//! Which rows and lanes are in sight, and how far the board is scrolled so that the step of the cursor is.
//!
//! What is in sight is reckoned from where the board stood when it was last looked at. To ask the browser while a step is
//! drawn would have it lay out what is drawn next once more.

use crate::browser;
use leptos::prelude::*;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use web_sys::HtmlElement;

/// Height of a row in pixels, as in the styles.
pub(super) const ROW: i32 = 36;
/// How many rows are drawn beyond those in sight.
const BEYOND: usize = 6;
/// How many lanes are drawn beside those in sight.
const BESIDE: usize = 2;
/// Up to how many lanes all of them are drawn.
const FEW: usize = 12;
/// How wide the gutter is, in lanes, as in the styles: on a desk and on a phone.
const GUTTERS: [f64; 2] = [8.5 / 6.75, 5.0 / 5.75];
/// How much of the height what is at the head and a row above the foot take, in pixels.
const HEAD: i32 = 98;

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    pub(super) rows: Range<usize>,
    pub(super) lanes: Range<usize>,
}

impl Default for Sight {
    fn default() -> Self {
        Sight { rows: 0..4 * BEYOND, lanes: 0..FEW }
    }
}

impl Sight {
    /// Whether all of another one is drawn.
    fn covers(&self, other: &Sight) -> bool {
        let covers = |one: &Range<usize>, other: &Range<usize>| {
            one.start <= other.start && other.end <= one.end
        };
        covers(&self.rows, &other.rows) && covers(&self.lanes, &other.lanes)
    }
}

/// Where a board stands, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
    /// How high the operations at the foot are.
    foot: i32,
    /// How wide all lanes are.
    whole: i32,
    /// How wide the gutter is, in lanes.
    gutter: f64,
    /// How many lanes there are.
    count: usize,
}

impl Place {
    fn of(board: &HtmlElement, count: usize) -> Self {
        Place {
            left: board.scroll_left(),
            top: board.scroll_top(),
            width: board.client_width(),
            height: board.client_height(),
            foot: board.last_element_child().map_or(0, |foot| foot.client_height()),
            whole: board.scroll_width(),
            gutter: GUTTERS[usize::from(browser::is_narrow())],
            count,
        }
    }

    /// What is in sight, and so many rows and lanes beyond; of few lanes all.
    fn sight(self, beyond: usize, beside: usize) -> Sight {
        let first = usize::try_from(self.top / ROW).unwrap_or(0);
        let seen = usize::try_from(self.height.clamp(600, 4000) / ROW).unwrap_or(0);
        let lane = |x: i32| (f64::from(x) / self.lane() - self.gutter).max(0.0);
        let (left, right) =
            (lane(self.left) as usize, lane(self.left + self.width).ceil() as usize);
        Sight {
            rows: first.saturating_sub(beyond)..first + seen + 1 + beyond,
            lanes: match self.count <= FEW {
                true => 0..FEW,
                false => left.saturating_sub(beside)..right + beside,
            },
        }
    }

    /// What is drawn here.
    fn drawn(self) -> Sight {
        self.sight(BEYOND, BESIDE)
    }

    /// The width of a lane.
    fn lane(self) -> f64 {
        (f64::from(self.whole) / (self.count as f64 + self.gutter)).max(1.0)
    }

    /// The nearest place with a row in sight, and a lane.
    fn with(self, row: usize, lane: Option<usize>) -> Self {
        let left = lane.map_or(self.left, |lane| {
            let (x, width) =
                ((self.lane() * (lane as f64 + self.gutter)) as i32, self.lane() as i32);
            match x + width > self.left + self.width {
                true => x + width - self.width,
                false if x < self.left + width => (x - width).max(0),
                false => self.left,
            }
        });
        let (y, room) = (row as i32 * ROW, self.height - self.foot - HEAD);
        let top = match y > self.top + room {
            true => y - room,
            false if y < self.top + 2 * ROW => (y - 2 * ROW).max(0),
            false => self.top,
        };
        Place { left, top, ..self }
    }
}

/// A board that is looked at.
#[derive(Clone)]
pub(super) struct Watched {
    board: HtmlElement,
    sight: RwSignal<Sight>,
    lanes: Memo<usize>,
    /// Where the board stands, or will before the next frame.
    place: Rc<Cell<Place>>,
    /// Whether the board is to be scrolled before the next frame.
    moving: Rc<Cell<bool>>,
}

/// Keeps a signal what of a board is drawn.
pub(super) fn watch(board: &HtmlElement, sight: RwSignal<Sight>, lanes: Memo<usize>) -> Watched {
    let (place, moving) = (Rc::default(), Rc::default());
    let watched = Watched { board: board.clone(), sight, lanes, place, moving };
    let sized = watched.clone();
    browser::when_sized(board, move || sized.look());
    watched
}

impl Watched {
    /// Draws what is in sight now.
    pub(super) fn look(&self) {
        if self.moving.get() {
            return;
        }
        let now = Place::of(&self.board, self.lanes.get_untracked());
        self.place.set(now);
        let more = now.left + now.width + 2 < now.whole;
        let _ = self.board.toggle_attribute_with_force("data-more", more);
        self.draw(now.drawn());
    }

    /// Whether all is drawn that is in sight there.
    fn has_drawn(&self, place: Place) -> bool {
        self.sight.with_untracked(|drawn| drawn.covers(&place.sight(0, 0)))
    }

    fn draw(&self, now: Sight) {
        if self.sight.with_untracked(|before| *before != now) {
            self.sight.set(now);
        }
    }

    /// Scrolls so that a row is in sight, and a lane. Where something that is in sight then is not drawn yet it is drawn at
    /// once, with the step itself; what lies beyond it in the frame behind that one.
    pub(super) fn reveal(&self, row: usize, lane: Option<usize>) {
        let before = self.place.get();
        let is_known = before.width > 0 && before.count == self.lanes.get_untracked();
        if is_known {
            let next = before.with(row, lane);
            self.place.set(next);
            if !self.has_drawn(next) {
                self.draw(next.drawn());
            }
        }
        self.moving.set(true);
        let watched = self.clone();
        request_animation_frame(move || watched.arrive(row, lane));
    }

    /// Scrolls to where the board is meant to stand.
    fn arrive(&self, row: usize, lane: Option<usize>) {
        let now = Place::of(&self.board, self.lanes.get_untracked());
        let next = now.with(row, lane);
        if next.top != now.top {
            self.board.set_scroll_top(next.top);
        }
        if next.left != now.left {
            self.board.set_scroll_left(next.left);
        }
        self.moving.set(false);
        // Where it was scrolled the browser tells so in the next frame, and what lies beyond is drawn there.
        let stands = (self.board.scroll_left(), self.board.scroll_top()) == (now.left, now.top);
        if stands || !self.has_drawn(next) {
            self.look();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of 1000 by 650 pixels, with lanes of 100 each.
    fn board(count: usize, left: i32, top: i32) -> Place {
        let whole = (count as i32 + 1) * 100;
        Place { left, top, width: 1000, height: 650, foot: 52, whole, gutter: 1.0, count }
    }

    #[test]
    fn of_many_lanes_those_in_sight_are_drawn_and_some_beside() {
        assert_eq!(board(12, 0, 0).drawn().lanes, 0..12);
        assert_eq!(board(32, 0, 0).drawn().lanes, 0..11);
        assert_eq!(board(32, 1650, 0).drawn().lanes, 13..28);
        assert_eq!(board(32, 1650, 0).sight(0, 0).lanes, 15..26);
    }

    #[test]
    fn rows_in_sight_are_drawn_and_some_beyond() {
        assert_eq!(board(2, 0, 0).drawn().rows, 0..25);
        assert_eq!(board(2, 0, 100 * ROW + 5).drawn().rows, 94..125);
    }

    #[test]
    fn a_few_rows_and_lanes_on_are_drawn_already() {
        let drawn = board(32, 1650, 100 * ROW).drawn();
        assert!(drawn.covers(&board(32, 1800, 105 * ROW).sight(0, 0)));
        assert!(!drawn.covers(&board(32, 2000, 105 * ROW).sight(0, 0)));
        assert!(!drawn.covers(&board(32, 1650, 107 * ROW).sight(0, 0)));
        assert!(!drawn.covers(&board(32, 1650, 93 * ROW).sight(0, 0)));
    }

    #[test]
    fn a_row_in_sight_moves_nothing() {
        let board = board(32, 500, 100 * ROW);
        for row in [102, 110, 113] {
            assert_eq!(board.with(row, Some(8)), board);
        }
    }

    #[test]
    fn a_row_or_lane_out_of_sight_is_brought_to_the_nearest_edge() {
        let board = board(32, 500, 100 * ROW);
        assert_eq!(board.with(101, None).top, 99 * ROW);
        assert_eq!(board.with(0, None).top, 0);
        assert_eq!(board.with(120, None).top, 120 * ROW - 500);
        assert_eq!(board.with(110, Some(20)).left, 1200);
        assert_eq!(board.with(110, Some(2)).left, 200);
        assert_eq!(board.with(110, Some(0)).left, 0);
    }

    /// However far one goes, the row that one went to is among those drawn.
    #[test]
    fn what_is_revealed_is_drawn() {
        let mut place = board(32, 0, 0);
        for row in [1, 7, 500, 499, 20, 6400, 0, 3] {
            place = place.with(row, Some(row % 32));
            assert!(place.sight(0, 0).rows.contains(&row), "{row}: {place:?}");
            assert!(place.sight(0, 0).lanes.contains(&(row % 32)), "{row}: {place:?}");
        }
    }
}
