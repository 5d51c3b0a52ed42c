//! States as short byte strings, to distinguish and to store them.

use super::thread::{Frame, Thread};
use crate::expression::counted::Counted;
use crate::expression::linear::Linear;
use crate::expression::{Mbarrier, Value};
use alloc::vec::Vec;
use tidegate_model::leb128::{put, put_signed, take, take_signed};
use tidegate_model::operation::Object;

/// Encodes the lanes of a wave; the bytes are equal exactly for equal states.
pub(crate) fn encode(threads: &[Thread], bytes: &mut Vec<u8>) {
    bytes.clear();
    for thread in threads {
        put(bytes, thread.frames.len() as u64);
        for frame in &thread.frames {
            put(bytes, u64::from(frame.pc));
            put(bytes, frame.slots.len() as u64);
            frame.slots.iter().for_each(|&slot| put_value(bytes, slot));
        }
        put_value(bytes, thread.m0.map(Value::Int));
        bytes.push(
            thread.scc.map_or(2, u8::from)
                | u8::from(thread.decided) << 2
                | u8::from(thread.touched) << 3,
        );
        put(bytes, thread.left.map_or(0, |left| u64::from(left) + 1));
    }
}

/// Decodes the result of [`encode`].
pub(crate) fn decode(bytes: &[u8], lanes: usize) -> Vec<Thread> {
    let mut rest = bytes;
    (0..lanes).map(|_| thread(&mut rest)).collect()
}

fn thread(rest: &mut &[u8]) -> Thread {
    let frames = (0..take(rest)).map(|_| frame(rest)).collect();
    let m0 = take_value(rest).map(|value| match value {
        Value::Int(number) => number,
        _ => 0,
    });
    let byte = take_byte(rest);
    let scc = match byte & 3 {
        2 => None,
        scc => Some(scc == 1),
    };
    let left = take(rest).checked_sub(1).map(|left| left as u32);
    let (decided, touched) = (byte & 4 != 0, byte & 8 != 0);
    Thread { frames, m0, scc, left, result: None, decided, touched }
}

fn frame(rest: &mut &[u8]) -> Frame {
    let pc = take(rest) as u32;
    let slots = (0..take(rest)).map(|_| take_value(rest)).collect();
    Frame { pc, slots }
}

fn take_byte(rest: &mut &[u8]) -> u8 {
    let Some((&first, after)) = rest.split_first() else { return 0 };
    *rest = after;
    first
}

fn put_value(bytes: &mut Vec<u8>, value: Option<Value>) {
    match value {
        None => bytes.push(0),
        Some(Value::Int(number)) => {
            bytes.push(1);
            put_signed(bytes, number);
        }
        Some(Value::Linear(number)) => {
            bytes.push(7);
            put_signed(bytes, number.value);
            put(bytes, u64::from(number.argument));
            put_signed(bytes, number.factor);
        }
        Some(Value::Object(Object::Plain(index))) => {
            bytes.push(2);
            put(bytes, u64::from(index));
        }
        Some(Value::Object(object)) => {
            bytes.push(3);
            put_signed(bytes, object.id().unwrap_or(0));
        }
        Some(Value::Mbarrier(object)) => {
            bytes.push(4);
            put(bytes, u64::from(object.first));
            put(bytes, u64::from(object.count));
            put(bytes, object.rank.map_or(0, |rank| u64::from(rank) + 1));
        }
        Some(Value::Token(register)) => {
            bytes.push(5);
            put(bytes, u64::from(register));
        }
        Some(Value::Counted(count)) => {
            bytes.push(8);
            let Counted { register, low, high, add, source } = count;
            put(bytes, u64::from(register));
            [low, high, source].into_iter().for_each(|number| put(bytes, u64::from(number)));
            put_signed(bytes, add);
        }
        Some(Value::NamedBarrier(object)) => {
            bytes.push(6);
            put(bytes, u64::from(object));
        }
        Some(Value::Data(term)) => {
            bytes.push(9);
            put(bytes, u64::from(term));
        }
    }
}

fn take_value(rest: &mut &[u8]) -> Option<Value> {
    Some(match take_byte(rest) {
        1 => Value::Int(take_signed(rest)),
        2 => Value::Object(Object::Plain(take(rest) as u16)),
        3 => Value::Object(Object::from_id(take_signed(rest))),
        4 => {
            let (first, count) = (take(rest) as u16, take(rest) as u16);
            let rank = take(rest).checked_sub(1).map(|rank| rank as u32);
            Value::Mbarrier(Mbarrier { first, count, rank })
        }
        5 => Value::Token(take(rest) as u16),
        6 => Value::NamedBarrier(take(rest) as u16),
        9 => Value::Data(take(rest) as u32),
        7 => {
            let (value, argument) = (take_signed(rest), take(rest) as u16);
            Value::Linear(Linear { value, argument, factor: take_signed(rest) })
        }
        8 => {
            let register = take(rest) as u16;
            let [low, high, source] = [(); 3].map(|()| take(rest) as u32);
            Value::Counted(Counted { register, low, high, add: take_signed(rest), source })
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_states_are_decoded() {
        let numbers = [0, 1, -1, 63, 64, -65, i64::MAX, i64::MIN];
        let mut slots: Vec<_> =
            numbers.into_iter().map(|number| Some(Value::Int(number))).collect();
        slots.extend([
            None,
            Some(Value::Object(Object::Plain(300))),
            Some(Value::Object(Object::Cluster)),
        ]);
        slots.push(Some(Value::Object(Object::Outside(-99))));
        slots.push(Some(Value::Token(200)));
        slots.push(Some(Value::NamedBarrier(300)));
        let bounds = Counted { register: 300, low: 0, high: 1 << 20, add: -3, source: 77 };
        slots.push(Some(Value::Counted(bounds)));
        slots.push(Some(Value::Data(70_000)));
        slots.push(Some(Value::Linear(Linear { value: -70, argument: 3, factor: -4 })));
        slots.push(Some(Value::Mbarrier(Mbarrier { first: 300, count: 4, rank: Some(0) })));
        slots.push(Some(Value::Mbarrier(Mbarrier { first: 0, count: 1, rank: None })));
        let frames = alloc::vec![Frame { pc: 70_000, slots }, Frame::default()];
        let running = Thread {
            frames,
            m0: Some(0x5_0001),
            scc: Some(true),
            left: Some(3),
            result: None,
            decided: true,
            touched: true,
        };
        let threads = [running, Thread::default()];
        let mut bytes = Vec::new();
        encode(&threads, &mut bytes);
        assert_eq!(decode(&bytes, 2), threads);
    }
}
