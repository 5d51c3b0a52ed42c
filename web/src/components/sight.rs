//! The visible rows and lanes, and the scroll position that shows the current step.
//!
//! Visibility is computed from the last measured position of the board. Measuring while a step is drawn would force the
//! browser to lay out again.

use crate::browser;
use leptos::html::Div;
use leptos::prelude::*;
use std::ops::Range;
use web_sys::HtmlElement;

/// Heights of a row in pixels by zoom, as in the styles.
const ROWS: [i32; 3] = [36, 20, 8];
/// Number of rows drawn beyond the visible ones.
const BEYOND: usize = 6;
/// Number of lanes drawn next to the visible ones.
const BESIDE: usize = 2;
/// Largest number of lanes that are all drawn.
const FEW: usize = 12;
/// Lanes below this width in pixels have no place for a badge beside a label.
const NARROW: f64 = 160.0;
/// Width of the gutter in pixels, as in the styles: on a desktop and on a phone.
const GUTTERS: [i32; 2] = [136, 80];
/// Height of the margins, in pixels.
const MARGIN: i32 = 10;

/// The drawn range.
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
    /// Whether it contains all of another one.
    fn covers(&self, other: &Sight) -> bool {
        let covers = |one: &Range<usize>, other: &Range<usize>| {
            one.start <= other.start && other.end <= one.end
        };
        covers(&self.rows, &other.rows) && covers(&self.lanes, &other.lanes)
    }
}

/// The position of a board, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
    /// Height of the names of the lanes.
    head: i32,
    /// Height of the next operations.
    foot: i32,
    /// Width of all lanes.
    whole: i32,
    /// Width of the gutter.
    gutter: i32,
    /// Height of a row.
    row: i32,
    /// Number of lanes.
    count: usize,
}

impl Place {
    fn of(board: &HtmlElement, count: usize) -> Self {
        let zoom = board.get_attribute("data-zoom").and_then(|zoom| zoom.parse().ok());
        let zoom = zoom.unwrap_or(0_usize).min(ROWS.len() - 1);
        Place {
            left: board.scroll_left(),
            top: board.scroll_top(),
            width: board.client_width(),
            height: board.client_height(),
            head: board.first_element_child().map_or(0, |head| head.client_height()),
            foot: board.last_element_child().map_or(0, |foot| foot.client_height()),
            whole: board.scroll_width(),
            gutter: GUTTERS[usize::from(browser::is_narrow())],
            row: ROWS[zoom],
            count,
        }
    }

    /// Returns the visible range extended by some rows and lanes; all lanes if there are few.
    fn sight(self, beyond: usize, beside: usize) -> Sight {
        let first = usize::try_from(self.top / self.row.max(1)).unwrap_or(0);
        let seen = usize::try_from(self.height.clamp(600, 4000) / self.row.max(1)).unwrap_or(0);
        let lane = |x: i32| (f64::from(x - self.gutter) / self.lane()).max(0.0);
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

    /// Returns the range to draw.
    fn drawn(self) -> Sight {
        self.sight(BEYOND, BESIDE)
    }

    /// The width of a lane.
    fn lane(self) -> f64 {
        (f64::from(self.whole - self.gutter) / self.count.max(1) as f64).max(1.0)
    }

    /// Returns the nearest position in which a row and a lane are visible.
    fn with(self, row: usize, lane: Option<usize>) -> Self {
        let left = lane.map_or(self.left, |lane| {
            let (x, width) = (self.gutter + (self.lane() * lane as f64) as i32, self.lane() as i32);
            match x + width > self.left + self.width {
                true => x + width - self.width,
                // The gutter lies over the lanes.
                false if x < self.left + self.gutter => match x + width > self.width {
                    true => x - self.gutter,
                    // The lanes before it are visible, too.
                    false => 0,
                },
                false => self.left,
            }
        });
        let margin = self.row + MARGIN;
        let (y, room) = (row as i32 * self.row, self.height - self.foot - self.head - margin);
        let top = match y > self.top + room {
            true => y - room,
            false if y < self.top + 2 * self.row => (y - 2 * self.row).max(0),
            false => self.top,
        };
        Place { left, top, ..self }
    }
}

/// A board in the document.
#[derive(Clone, Copy)]
pub(super) struct Watched {
    board: NodeRef<Div>,
    sight: RwSignal<Sight>,
    lanes: Memo<usize>,
    /// The position of the board, now or before the next frame.
    place: StoredValue<Place>,
    /// Whether the board scrolls before the next frame.
    moving: StoredValue<bool>,
    /// The row and the lane that were revealed last, and the scroll position then.
    revealed: StoredValue<(usize, Option<usize>, (i32, i32))>,
}

/// Keeps a signal equal to the drawn range of a board.
pub(super) fn watch(board: NodeRef<Div>, sight: RwSignal<Sight>, lanes: Memo<usize>) -> Watched {
    let (place, moving) = (StoredValue::default(), StoredValue::new(false));
    let watched = Watched { board, sight, lanes, place, moving, revealed: StoredValue::default() };
    board.on_load(move |board| browser::when_sized(&board, move || watched.fit()));
    watched
}

impl Watched {
    /// Draws the visible range.
    pub(super) fn look(self) {
        let Some(board) = self.board.get_untracked().filter(|_| !self.moving.get_value()) else {
            return;
        };
        let now = Place::of(&board, self.lanes.get_untracked());
        self.place.set_value(now);
        let more = now.left + now.width + 2 < now.whole;
        let _ = board.toggle_attribute_with_force("data-more", more);
        let _ = board.toggle_attribute_with_force("data-narrow", now.lane() < NARROW);
        self.draw(now.drawn());
    }

    /// Draws the visible range of a board with another size. What was revealed stays visible until the reader scrolls: the
    /// overview appears after the steps, and the board is then narrower.
    fn fit(self) {
        let (row, lane, at) = self.revealed.get_value();
        let now = self.board.get_untracked().map(|it| (it.scroll_left(), it.scroll_top()));
        match now == Some(at) {
            true => self.reveal(row, lane),
            false => self.look(),
        }
    }

    /// Whether everything visible there is drawn.
    fn has_drawn(self, place: Place) -> bool {
        self.sight.with_untracked(|drawn| drawn.covers(&place.sight(0, 0)))
    }

    fn draw(self, now: Sight) {
        if self.sight.with_untracked(|before| *before != now) {
            self.sight.set(now);
        }
    }

    /// Scrolls a row and a lane into view. Visible elements that are not drawn yet are drawn at once; those beyond follow in the
    /// next frame.
    pub(super) fn reveal(self, row: usize, lane: Option<usize>) {
        let before = self.place.get_value();
        let is_known = before.width > 0 && before.count == self.lanes.get_untracked();
        if is_known {
            let next = before.with(row, lane);
            self.place.set_value(next);
            if !self.has_drawn(next) {
                self.draw(next.drawn());
            }
        }
        self.moving.set_value(true);
        request_animation_frame(move || self.arrive(row, lane));
    }

    /// Scrolls the board to its intended position.
    fn arrive(self, row: usize, lane: Option<usize>) {
        self.moving.set_value(false);
        let Some(board) = self.board.get_untracked() else { return };
        let now = Place::of(&board, self.lanes.get_untracked());
        let next = now.with(row, lane);
        if next.top != now.top {
            board.set_scroll_top(next.top);
        }
        if next.left != now.left {
            board.set_scroll_left(next.left);
        }
        // After scrolling, the browser reports it in the next frame, which draws the elements beyond.
        let at = (board.scroll_left(), board.scroll_top());
        self.revealed.set_value((row, lane, at));
        if at == (now.left, now.top) || !self.has_drawn(next) {
            self.look();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: i32 = ROWS[0];

    /// A board of 1000 by 650 pixels, with lanes of 100 each.
    fn board(count: usize, left: i32, top: i32) -> Place {
        let whole = (count as i32 + 1) * 100;
        Place {
            left,
            top,
            width: 1000,
            height: 650,
            head: 52,
            foot: 52,
            whole,
            gutter: 100,
            row: ROW,
            count,
        }
    }

    #[test]
    fn visible_lanes_and_some_neighbours_are_drawn() {
        assert_eq!(board(12, 0, 0).drawn().lanes, 0..12);
        assert_eq!(board(32, 0, 0).drawn().lanes, 0..11);
        assert_eq!(board(32, 1650, 0).drawn().lanes, 13..28);
        assert_eq!(board(32, 1650, 0).sight(0, 0).lanes, 15..26);
    }

    #[test]
    fn visible_rows_and_some_neighbours_are_drawn() {
        assert_eq!(board(2, 0, 0).drawn().rows, 0..25);
        assert_eq!(board(2, 0, 100 * ROW + 5).drawn().rows, 94..125);
    }

    #[test]
    fn more_rows_are_drawn_at_a_smaller_zoom() {
        let small = Place { row: ROWS[2], ..board(2, 0, 100 * ROWS[2]) };
        assert_eq!(small.drawn().rows, 94..188);
        assert_eq!(small.with(500, None).top, 500 * ROWS[2] - (650 - 104 - ROWS[2] - MARGIN));
    }

    #[test]
    fn neighbouring_rows_and_lanes_are_already_drawn() {
        let drawn = board(32, 1650, 100 * ROW).drawn();
        assert!(drawn.covers(&board(32, 1800, 105 * ROW).sight(0, 0)));
        assert!(!drawn.covers(&board(32, 2000, 105 * ROW).sight(0, 0)));
        assert!(!drawn.covers(&board(32, 1650, 107 * ROW).sight(0, 0)));
        assert!(!drawn.covers(&board(32, 1650, 93 * ROW).sight(0, 0)));
    }

    #[test]
    fn a_visible_row_does_not_scroll_the_board() {
        let board = board(32, 500, 100 * ROW);
        for row in [102, 110, 113] {
            assert_eq!(board.with(row, Some(8)), board);
        }
    }

    #[test]
    fn a_hidden_row_or_lane_scrolls_to_the_nearest_edge() {
        let board = board(32, 500, 100 * ROW);
        assert_eq!(board.with(101, None).top, 99 * ROW);
        assert_eq!(board.with(0, None).top, 0);
        assert_eq!(board.with(120, None).top, 120 * ROW - 500);
        assert_eq!(board.with(110, Some(20)).left, 1200);
        assert_eq!(Place { left: 2000, ..board }.with(110, Some(15)).left, 1500);
        assert_eq!(board.with(110, Some(2)).left, 0);
        assert_eq!(board.with(110, Some(0)).left, 0);
    }

    /// The target row is drawn for any scroll distance.
    #[test]
    fn a_revealed_row_is_drawn() {
        let mut place = board(32, 0, 0);
        for row in [1, 7, 500, 499, 20, 6400, 0, 3] {
            place = place.with(row, Some(row % 32));
            assert!(place.sight(0, 0).rows.contains(&row), "{row}: {place:?}");
            assert!(place.sight(0, 0).lanes.contains(&(row % 32)), "{row}: {place:?}");
        }
    }
}
