//! Columns and rows of the grid of the lanes.

/// Largest number of lanes.
pub(super) const LANES: usize = 64;

/// The column of a lane in the grid of the lanes.
pub(super) const fn column(lane: usize) -> usize {
    lane + 3
}

/// Returns the top of a row, in the height of rows of the zoom. It is not a custom property of the row: every element in the row
/// would inherit it and be restyled. The same holds for the height of all rows.
pub(super) fn top_of(row: usize) -> String {
    format!("calc({row} * var(--row))")
}
