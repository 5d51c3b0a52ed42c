//! Packing of the memory of states.

use super::reader::Reader;
use crate::r#async::sequence::{Item, Sequence};
use crate::leb128::put_wide as put;
use crate::mem::operation::Space;
use crate::mem::order::{Channel, Ordered, Reach, Seat};
use crate::mem::outstanding::{Counts, Flight, Outstanding, Token};
use alloc::vec::Vec;

pub(super) fn pack(all: &Outstanding, out: &mut Vec<u8>) {
    put(out, all.tokens.len() as u128);
    for token in &all.tokens {
        let flags =
            u128::from(token.copy) | u128::from(token.open) << 1 | (token.space as u128) << 2;
        put(out, (token.agent as u128) << 3 | flags);
        put(out, token.under);
        put(out, token.nodes.len() as u128);
        token.nodes.iter().for_each(|&node| put(out, u128::from(node)));
    }
    all.flights.iter().for_each(|flight| pack_flight(flight, out));
}

fn pack_flight(flight: &Flight, out: &mut Vec<u8>) {
    if *flight == Flight::default() {
        return put(out, 0);
    }
    put(out, 1 + u128::from(flight.sequence.depth()));
    put(out, flight.sequence.items().len() as u128);
    for item in flight.sequence.items() {
        match *item {
            Item::Copy(node) => put(out, u128::from(node) << 1),
            Item::Mark(depth) => put(out, u128::from(depth) << 1 | 1),
        }
    }
    put(out, flight.done);
    let Counts { vector, copies, local, export } = flight.counts;
    out.extend([vector, copies, local, export]);
}

pub(super) fn unpack(reader: &mut Reader<'_>, agents: usize) -> Outstanding {
    let tokens = reader.list(|reader| {
        let word = reader.number();
        let space = if word >> 2 & 1 == 0 { Space::Local } else { Space::Global };
        let under = reader.bits();
        let nodes = reader.list(|reader| reader.number() as u32);
        Token {
            agent: word >> 3,
            copy: word & 1 != 0,
            open: word >> 1 & 1 != 0,
            space,
            nodes,
            under,
        }
    });
    let flights = (0..agents).map(|_| unpack_flight(reader)).collect();
    Outstanding { tokens, flights }
}

fn unpack_flight(reader: &mut Reader<'_>) -> Flight {
    let Some(depth) = reader.number().checked_sub(1) else { return Flight::default() };
    let items = reader.list(|reader| {
        let word = reader.number();
        if word & 1 == 0 { Item::Copy((word >> 1) as u32) } else { Item::Mark((word >> 1) as u16) }
    });
    let done = reader.bits();
    let [vector, copies, local, export] =
        [reader.byte(), reader.byte(), reader.byte(), reader.byte()];
    let counts = Counts { vector, copies, local, export };
    Flight { sequence: Sequence::new(items, depth as u16), done, counts }
}

pub(super) fn pack_ordered(ordered: Option<&Ordered>, out: &mut Vec<u8>) {
    let Some(ordered) = ordered else { return put(out, 0) };
    put(out, 1 + ordered.published.len() as u128);
    put(out, ordered.known);
    ordered.released.iter().for_each(|&set| put(out, set));
    for channel in &ordered.published {
        put(out, u128::from(channel.from.workgroup) << 2 | channel.reach as u128);
        put(out, u128::from(channel.from.cluster));
        put(out, channel.tokens);
    }
}

pub(super) fn unpack_ordered(reader: &mut Reader<'_>) -> Option<Ordered> {
    let count = reader.number().checked_sub(1)?;
    let known = reader.bits();
    let released = [reader.bits(), reader.bits(), reader.bits()];
    let published = (0..count).map(|_| {
        let word = reader.number();
        let from = Seat { workgroup: (word >> 2) as u32, cluster: reader.number() as u32 };
        Channel { from, reach: Reach::ALL[(word & 3).min(2)], tokens: reader.bits() }
    });
    Some(Ordered { known, released, published: published.collect() })
}
