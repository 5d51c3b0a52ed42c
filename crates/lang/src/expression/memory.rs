//! Addresses of declared memories as numbers, so that registers can hold them and PTX can compute with them.

use super::{Fault, Mbarrier, Value, at_address};
use tidegate_model::mem::operation::BufferId;

/// The start of the first memory, far above any count in a scenario.
const FIRST: i64 = 3 << 61;

/// Number of ranks that an address can encode.
const RANKS: u32 = 1 << 10;

/// The byte before which the offset in its memory is negative.
const ZERO: i64 = 1 << 33;

/// The contents of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) buffer: BufferId,
    /// From the first byte of the memory on.
    pub(crate) offset: i64,
    /// The rank of its CTA in the cluster; `None`: the CTA that uses it.
    pub(crate) rank: Option<u32>,
}

/// The address of a byte of a memory.
pub(crate) fn address(buffer: BufferId, offset: i64, rank: Option<u32>) -> i64 {
    let rank = rank.map_or(0, |rank| i64::from(rank % RANKS) + 1);
    FIRST + (rank << 50) + (i64::from(buffer) << 34) + ZERO + offset
}

/// Decodes a number, if it is an address.
pub(crate) fn at(address: i64) -> Option<At> {
    let ranks = i64::from(RANKS) + 1;
    let within = address.checked_sub(FIRST).filter(|within| (0..ranks << 50).contains(within))?;
    let rank = u32::try_from((within >> 50) - 1).ok();
    Some(At {
        buffer: (within >> 34 & 0xffff) as u16,
        offset: (within & ((1 << 34) - 1)) - ZERO,
        rank,
    })
}

/// The offset that represents any byte of a memory.
const ANY: i64 = ZERO - 1;

/// The address of any byte of the memory that an address names.
pub(crate) fn anywhere(number: i64) -> Option<i64> {
    at(number).map(|at| address(at.buffer, ANY, at.rank))
}

/// The address `by` bytes further; an address of any byte is unchanged.
pub(crate) fn moved(number: i64, by: i64) -> Option<i64> {
    let from = at(number)?;
    if from.offset == ANY {
        return Some(number);
    }
    let offset = from.offset.checked_add(by).filter(|to| (-ZERO..ANY).contains(to))?;
    Some(address(from.buffer, offset, from.rank))
}

impl At {
    /// Whether it is any byte of the memory.
    pub(crate) fn is_anywhere(&self) -> bool {
        self.offset == ANY
    }
}

/// From an address to a descriptor: a matrix descriptor of tensor cores holds an address in units of 16 bytes.
const DESCRIPTOR: i64 = -(1 << 62);

/// The descriptor of a tile that begins at an address.
pub(crate) fn descriptor(address: i64) -> i64 {
    address + DESCRIPTOR
}

/// The start of the tile that an address or a descriptor names.
pub(crate) fn tile_at(number: i64) -> Option<At> {
    at(number).or_else(|| at(number.checked_sub(DESCRIPTOR)?))
}

/// A number of a program, which is no address.
///
/// # Errors
/// [`Fault::LikeAddress`] if the number would be taken for an address or a descriptor: it is unknown then.
pub(crate) fn plain(number: i64) -> Result<i64, Fault> {
    if tile_at(number).is_some() { Err(Fault::LikeAddress) } else { Ok(number) }
}

/// The mbarrier object or address in the CTA with a rank.
pub(crate) fn remote(value: Option<Value>, rank: u32) -> Option<Value> {
    let object = |object| Value::Mbarrier(Mbarrier { rank: Some(rank), ..object });
    match value? {
        Value::Mbarrier(found) => Some(object(found)),
        Value::Int(number) => match (at_address(number), at(number)) {
            // The objects after it can be accessed from there.
            (Some(found), _) => Some(object(Mbarrier { count: u16::MAX - found.first, ..found })),
            (None, Some(At { buffer, offset, .. })) if rank < RANKS => {
                Some(Value::Int(address(buffer, offset, Some(rank))))
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_round_trip() {
        for (buffer, offset, rank) in
            [(0, 0, None), (7, 16, Some(0)), (u16::MAX, -4, Some(3)), (1, 1 << 32, Some(RANKS - 1))]
        {
            assert_eq!(at(address(buffer, offset, rank)), Some(At { buffer, offset, rank }));
        }
        for number in [0, -1, 0x400, i64::MIN, FIRST - 1] {
            assert_eq!(at(number), None, "{number}");
        }
    }

    #[test]
    fn addresses_move_within_their_memory() {
        let of = |offset| address(7, offset, Some(2));
        assert_eq!(moved(of(4), 8), Some(of(12)));
        assert_eq!(moved(of(4), -8), Some(of(-4)));
        assert_eq!(moved(of(4), 1 << 40), None);
        assert_eq!(moved(3, 1), None);
        let any = anywhere(of(4));
        assert_eq!(any, anywhere(of(400)));
        assert_eq!(any.and_then(|any| moved(any, 4)), any);
        assert!(any.and_then(at).is_some_and(|at| at.is_anywhere() && at.buffer == 7));
        assert!(!at(of(4)).is_some_and(|at| at.is_anywhere()));
    }

    #[test]
    fn a_remote_address_keeps_its_byte() {
        let near = Value::Int(address(2, 8, None));
        let far = remote(Some(near), 1);
        assert_eq!(far, Some(Value::Int(address(2, 8, Some(1)))));
        assert_eq!(remote(far, 0), Some(Value::Int(address(2, 8, Some(0)))));
        assert_eq!(remote(Some(Value::Int(5)), 1), None);
        assert_eq!(remote(near.into(), RANKS), None);
    }
}
