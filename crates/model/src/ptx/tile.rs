//! Tiles of tensors: the part of global memory that the coordinates of a tensor copy name.
//!
//! PTX ISA 9.1, "Tensors". Coordinates count elements, innermost dimension first. If the box is known, two tiles overlap if
//! their boxes do. If it is unknown, different coordinates name different tiles, as long as a box of the copied bytes fits
//! between them: an element has at most 8 bytes, a box at most 256 elements in each dimension, and at least 16 bytes in the
//! innermost one. If none fits, it is unknown whether they overlap.

use crate::mem::operation::Range;

/// The maximum number of dimensions of a tensor.
pub const MOST: usize = 5;

/// The number of bytes of a tile that are contiguous in every layout: the minimum size of the innermost box dimension.
pub const LEAST: u32 = 16;

/// The maximum number of bytes of an element.
const WIDEST: u64 = 8;

/// The maximum number of elements of a box in one dimension.
const LONGEST: u64 = 256;

/// A tile, and the unknown properties of the copy that names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tile {
    /// The coordinates; 0 for an unknown one.
    pub at: [i32; MOST],
    /// The elements of the box; 0 if unknown.
    pub size: [u32; MOST],
    /// The copied bytes, at most if their number is unknown; 0 if no bound is known.
    pub bytes: u32,
    /// Dimensions with an unknown coordinate, one bit each.
    pub unknown: u8,
    /// The number of dimensions; 0 if the coordinates do not identify the copied elements.
    pub rank: u8,
    /// Whether the number of copied bytes is unknown; the ranges then give the maximum.
    pub open: bool,
    /// Whether only certain overlaps count.
    pub certain: bool,
}

/// Whether two accesses overlap; `None` if it depends on unknown data.
type Overlaps = Option<bool>;

impl Tile {
    /// Whether two tiles share a byte.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> Overlaps {
        if self.rank != other.rank || self.rank == 0 {
            return None;
        }
        let unknown = self.unknown | other.unknown;
        let apart = |of: usize| {
            let (low, high) =
                if self.at[of] <= other.at[of] { (self, other) } else { (other, self) };
            unknown >> of & 1 == 0 && low.ends_within(of, high.at[of].abs_diff(low.at[of]))
        };
        let dimensions = 0..usize::from(self.rank).min(MOST);
        if dimensions.clone().any(apart) {
            return Some(false);
        }
        let same = self.at == other.at;
        let sized = |tile: &Self| dimensions.clone().all(|of| tile.size[of] > 0);
        (unknown == 0 && (same || sized(self) && sized(other))).then_some(true)
    }

    /// Whether the box ends within a distance in a dimension. An unknown box does if one of its bytes can.
    fn ends_within(&self, of: usize, distance: u32) -> bool {
        if self.size[of] > 0 || distance == 0 {
            return distance > 0 && distance >= self.size[of];
        }
        let others = LONGEST.pow(u32::from(self.rank).min(MOST as u32) - 1);
        let innermost = WIDEST * u64::from(distance);
        (of > 0 || innermost >= u64::from(LEAST)) && innermost * others >= u64::from(self.bytes)
    }

    /// Whether a tile shares a byte with a range in a memory of this size. It certainly does if the range is the whole memory,
    /// or if the range contains the first bytes and the tile is the first.
    #[must_use]
    pub fn overlaps_range(&self, range: Range, size: u32) -> Overlaps {
        let first = self.rank > 0 && self.unknown == 0 && self.at == [0; MOST];
        (range.start == 0 && range.end >= size || first && range.start < LEAST).then_some(true)
    }

    /// Whether this overlap counts.
    #[must_use]
    pub fn counts(&self, overlaps: Overlaps) -> bool {
        overlaps.unwrap_or(!self.certain)
    }
}

/// Bytes of a buffer that an access names: a range of them, or a tile of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The bytes; for a tile, a range that contains its bytes.
    pub range: Range,
    /// The bytes of the whole buffer.
    pub size: u32,
    /// The tile, if it is one.
    pub tile: Option<Tile>,
}

impl Region {
    /// Whether two accesses overlap; tiles by their coordinates and boxes.
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

/// The certain part of the range of a tile.
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
    fn boxes_overlap_if_they_overlap_in_every_dimension() {
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
    fn small_boxes_overlap_if_they_share_elements() {
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
    fn without_a_box_different_coordinates_are_different_tiles() {
        assert_eq!(tile([0, 64], 0).overlaps(&tile([0, 64], 0)), Some(true));
        assert_eq!(tile([0, 64], 0).overlaps(&tile([8, 64], 0)), Some(false));
        assert_eq!(tile([0, 64], 0).overlaps(&tile([0], 0)), None);
    }

    #[test]
    fn without_a_box_the_copied_bytes_must_fit_between_two_tiles() {
        let of = |at, bytes| Tile { bytes, ..tile(at, 0) };
        for (at, bytes, overlaps) in [
            ([1, 0], 0, None),
            ([2, 0], 0, Some(false)),
            ([0, 1], 0, Some(false)),
            ([0, 1], 2048, Some(false)),
            ([0, 1], 2064, None),
            ([0, 64], 16384, Some(false)),
            ([64, 0], 16384, Some(false)),
            ([1, 1], 16384, None),
            ([0, 0], 16384, Some(true)),
        ] {
            assert_eq!(of([0, 0], bytes).overlaps(&of(at, bytes)), overlaps, "{at:?} {bytes}");
            assert_eq!(of(at, bytes).overlaps(&of([0, 0], bytes)), overlaps, "{at:?} {bytes}");
        }
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
    fn a_tile_can_overlap_a_range() {
        let range = |start, end| Range { buffer: 0, start, end };
        assert_eq!(tile([0, 0], 4).overlaps_range(range(12, 16), 64), Some(true));
        assert_eq!(tile([0, 0], 4).overlaps_range(range(16, 32), 64), None);
        assert_eq!(tile([4, 0], 4).overlaps_range(range(0, 16), 64), None);
        assert_eq!(tile([4, 0], 4).overlaps_range(range(0, 64), 64), Some(true));
        assert_eq!(Tile { unknown: 1, ..tile([0], 4) }.overlaps_range(range(0, 4), 64), None);
    }

    #[test]
    fn bytes_that_are_not_certainly_copied_are_cut() {
        let range = Some(Range { buffer: 0, start: 32, end: 128 });
        assert_eq!(certain(range, Tile::default()), range);
        let open = Tile { open: true, ..Tile::default() };
        assert_eq!(certain(range, open), Some(Range { buffer: 0, start: 32, end: 48 }));
    }
}
