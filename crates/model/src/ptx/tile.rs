//! Tiles of tensors: which part of global memory a tensor copy names by its coordinates.
//!
//! PTX ISA 9.1, "Tensors". Coordinates count elements, the innermost dimension first. Where the box is known, two tiles
//! overlap where their boxes do; where it is not known, other coordinates are another tile.

use crate::mem::operation::Range;

/// The most dimensions of a tensor.
pub const MOST: usize = 5;

/// The bytes of a tile that lie side by side in every layout: the least size of the innermost dimension of a box.
pub const LEAST: u32 = 16;

/// A tile, and what is not known of the copy that names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    /// The coordinates, 0 where one is not known.
    pub at: [i32; MOST],
    /// The elements of the box; 0 where they are not known.
    pub size: [u32; MOST],
    /// Dimensions whose coordinate is not known, one bit for each.
    pub unknown: u8,
    /// How many dimensions; 0 where coordinates do not say which elements are copied.
    pub rank: u8,
    /// Whether the text does not say how many bytes are copied: the ranges say how many at most.
    pub open: bool,
    /// Whether only what overlaps for certain counts.
    pub certain: bool,
}

/// Whether two accesses overlap; none: data that no text says decide.
type Overlaps = Option<bool>;

impl Tile {
    /// Whether a byte that it names is one that the other names.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> Overlaps {
        if self.rank != other.rank || self.rank == 0 {
            return None;
        }
        let unknown = self.unknown | other.unknown;
        let apart = |of: usize| {
            let (low, high) =
                if self.at[of] <= other.at[of] { (self, other) } else { (other, self) };
            unknown >> of & 1 == 0 && high.at[of].abs_diff(low.at[of]) >= low.size[of].max(1)
        };
        if (0..usize::from(self.rank).min(MOST)).any(apart) {
            return Some(false);
        }
        (unknown == 0).then_some(true)
    }

    /// Whether a byte that it names is one of a range in a memory of that size: for certain where the range is all of the
    /// memory, or has the first bytes and the tile is the first.
    #[must_use]
    pub fn overlaps_range(&self, range: Range, size: u32) -> Overlaps {
        let first = self.rank > 0 && self.unknown == 0 && self.at == [0; MOST];
        (range.start == 0 && range.end >= size || first && range.start < LEAST).then_some(true)
    }

    /// Whether it counts that tiles overlap so.
    #[must_use]
    pub fn counts(&self, overlaps: Overlaps) -> bool {
        overlaps.unwrap_or(!self.certain)
    }
}

/// Bytes of a buffer that an access names: a range of them, or a tile of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The bytes; of a tile those within which its bytes lie.
    pub range: Range,
    /// The bytes of the whole buffer.
    pub size: u32,
    /// The tile, where it is one.
    pub tile: Option<Tile>,
}

impl Region {
    /// Whether it counts that both name a byte: tiles by their coordinates and boxes.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.range.overlaps(other.range)
            && match (&self.tile, &other.tile) {
                (None, None) => true,
                (Some(one), Some(other)) => one.counts(one.overlaps(other)),
                (Some(tile), None) => tile.counts(tile.overlaps_range(other.range, other.size)),
                (None, Some(tile)) => tile.counts(tile.overlaps_range(self.range, self.size)),
            }
    }
}

/// The same range as far as it is certain where a tile is copied.
#[must_use]
pub const fn certain(range: Option<Range>, tile: Tile) -> Option<Range> {
    match range {
        Some(Range { buffer, start, end }) if tile.open && end - start > LEAST => {
            Some(Range { buffer, start, end: start + LEAST })
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile<const N: usize>(at: [i32; N], size: u32) -> Tile {
        let mut tile = Tile { rank: N as u8, ..Tile::default() };
        tile.at[..N].copy_from_slice(&at);
        tile.size[..N].fill(size);
        tile
    }

    #[test]
    fn boxes_overlap_where_they_do_in_every_dimension() {
        let origin = tile([0, 0], 64);
        for (at, overlaps) in [
            ([0, 0], true),
            ([63, 0], true),
            ([64, 0], false),
            ([-63, 63], true),
            ([-64, 0], false),
            ([0, 64], false),
            ([63, 64], false),
            ([i32::MIN, i32::MAX], false),
        ] {
            let other = tile(at, 64);
            assert_eq!(origin.overlaps(&other), Some(overlaps), "{at:?}");
            assert_eq!(other.overlaps(&origin), Some(overlaps), "{at:?}");
        }
    }

    #[test]
    fn every_small_box_overlaps_as_its_elements_do() {
        let elements = |at: [i32; 2], size: [u32; 2]| {
            let [x, y] = [0, 1].map(|of| at[of]..at[of] + size[of] as i32);
            x.flat_map(move |x| y.clone().map(move |y| (x, y))).collect::<alloc::vec::Vec<_>>()
        };
        for (width, height) in [(1, 1), (2, 3), (3, 1)] {
            for (x, y) in (-4..5).flat_map(|x| (-4..5).map(move |y| (x, y))) {
                let sized = |at| Tile { size: [width, height, 0, 0, 0], ..tile(at, 0) };
                let shared = elements([0, 0], [width, height])
                    .iter()
                    .any(|one| elements([x, y], [width, height]).contains(one));
                assert_eq!(sized([0, 0]).overlaps(&sized([x, y])), Some(shared), "{x} {y}");
            }
        }
    }

    #[test]
    fn without_a_box_other_coordinates_are_another_tile() {
        assert_eq!(tile([0, 64], 0).overlaps(&tile([0, 64], 0)), Some(true));
        assert_eq!(tile([0, 64], 0).overlaps(&tile([1, 64], 0)), Some(false));
        assert_eq!(tile([0, 64], 0).overlaps(&tile([0], 0)), None);
    }

    #[test]
    fn unknown_coordinates_decide_only_with_known_ones() {
        let unknown = |at| Tile { unknown: 1, ..tile(at, 16) };
        assert_eq!(unknown([0, 0]).overlaps(&tile([0, 0], 16)), None);
        assert_eq!(unknown([0, 0]).overlaps(&tile([99, 16], 16)), Some(false));
        assert!(unknown([0, 0]).counts(None));
        assert!(!Tile { certain: true, ..unknown([0, 0]) }.counts(None));
    }

    #[test]
    fn a_tile_and_a_range() {
        let range = |start, end| Range { buffer: 0, start, end };
        assert_eq!(tile([0, 0], 4).overlaps_range(range(12, 16), 64), Some(true));
        assert_eq!(tile([0, 0], 4).overlaps_range(range(16, 32), 64), None);
        assert_eq!(tile([4, 0], 4).overlaps_range(range(0, 16), 64), None);
        assert_eq!(tile([4, 0], 4).overlaps_range(range(0, 64), 64), Some(true));
        assert_eq!(Tile { unknown: 1, ..tile([0], 4) }.overlaps_range(range(0, 4), 64), None);
    }

    #[test]
    fn what_is_not_known_to_be_copied_is_cut() {
        let range = Some(Range { buffer: 0, start: 32, end: 128 });
        assert_eq!(certain(range, Tile::default()), range);
        let open = Tile { open: true, ..Tile::default() };
        assert_eq!(certain(range, open), Some(Range { buffer: 0, start: 32, end: 48 }));
    }
}
