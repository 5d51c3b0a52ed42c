//! Step keys, packed: mostly one byte a step.
//!
//! A key is `WORKGROUP.WAVE:ORDINAL` or `WORKGROUP.WAVE:ORDINAL/ALTERNATIVE`. The ordinal nearly always follows from the
//! agent's steps before, so a step is the agent's index among the agents seen so far, and what cannot be derived. Each
//! step is a number, four times the agent's index plus its kind; an index that was not seen before is the next one, and
//! its workgroup and wave follow.

use super::fields::take_bytes;
use super::{LinkError, MAX_STEPS, string};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::leb128::{put, take_whole};
use tidegate_model::ordered::OrderedMap;

/// The ordinal is the expected one; no alternative.
const PLAIN: u64 = 0;
/// The ordinal is the expected one; the alternative follows.
const ALTERNATIVE: u64 = 1;
/// The ordinal follows, then the alternative plus one, or 0 for none.
const EXPLICIT: u64 = 2;
/// The key follows as text; the agent's index is 0 and means nothing.
const TEXT: u64 = 3;

/// A key taken apart.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    workgroup: u32,
    wave: u32,
    ordinal: u32,
    alternative: Option<u32>,
}

impl Key {
    /// Reads a key in its one spelling; `None` for any other text.
    fn parse(text: &str) -> Option<Self> {
        let (workgroup, rest) = text.split_once('.')?;
        let (wave, rest) = rest.split_once(':')?;
        let (ordinal, alternative) = match rest.split_once('/') {
            Some((ordinal, alternative)) => (ordinal, Some(alternative.parse().ok()?)),
            None => (rest, None),
        };
        let key = Self {
            workgroup: workgroup.parse().ok()?,
            wave: wave.parse().ok()?,
            ordinal: ordinal.parse().ok()?,
            alternative,
        };
        (key.text() == text).then_some(key)
    }

    fn text(self) -> String {
        let Self { workgroup, wave, ordinal, alternative } = self;
        match alternative {
            Some(alternative) => format!("{workgroup}.{wave}:{ordinal}/{alternative}"),
            None => format!("{workgroup}.{wave}:{ordinal}"),
        }
    }
}

/// The bytes for these keys.
pub(super) fn pack(keys: &[String]) -> Vec<u8> {
    let mut out = Vec::with_capacity(keys.len());
    let mut agents: OrderedMap<(u32, u32), (u64, u32)> = OrderedMap::new();
    for text in keys {
        match Key::parse(text) {
            Some(key) => pack_key(key, &mut agents, &mut out),
            None => {
                put(&mut out, TEXT);
                put(&mut out, text.len() as u64);
                out.extend_from_slice(text.as_bytes());
            }
        }
    }
    out
}

/// Appends one key. `agents` holds for each agent seen its index and the ordinal expected next.
fn pack_key(key: Key, agents: &mut OrderedMap<(u32, u32), (u64, u32)>, out: &mut Vec<u8>) {
    let next_index = agents.len() as u64;
    let agent = agents.entry((key.workgroup, key.wave)).or_insert((next_index, 0));
    let kind = match (key.ordinal == agent.1, key.alternative) {
        (true, None) => PLAIN,
        (true, Some(_)) => ALTERNATIVE,
        (false, _) => EXPLICIT,
    };
    agent.1 = key.ordinal.saturating_add(1);
    put(out, agent.0 * 4 + kind);
    if agent.0 == next_index {
        put(out, u64::from(key.workgroup));
        put(out, u64::from(key.wave));
    }
    match (kind, key.alternative) {
        (ALTERNATIVE, Some(alternative)) => put(out, u64::from(alternative)),
        (EXPLICIT, alternative) => {
            put(out, u64::from(key.ordinal));
            put(out, alternative.map_or(0, |alternative| u64::from(alternative) + 1));
        }
        _ => {}
    }
}

/// Decodes the keys.
pub(super) fn unpack(mut bytes: &[u8]) -> Result<Vec<String>, LinkError> {
    let mut keys = Vec::new();
    let mut agents = Vec::new();
    while !bytes.is_empty() {
        if keys.len() == MAX_STEPS {
            return Err(LinkError::TooLarge);
        }
        keys.push(unpack_key(&mut bytes, &mut agents)?);
    }
    Ok(keys)
}

/// Takes one key. `agents` holds workgroup, wave and the ordinal expected next of each agent seen.
fn unpack_key(bytes: &mut &[u8], agents: &mut Vec<(u32, u32, u32)>) -> Result<String, LinkError> {
    let head = take_whole(bytes).ok_or(LinkError::Damaged)?;
    let kind = head % 4;
    if kind == TEXT {
        return string(take_bytes(bytes).ok_or(LinkError::Damaged)?);
    }
    let index = usize::try_from(head / 4).map_err(|_| LinkError::Damaged)?;
    if index == agents.len() {
        agents.push((take_u32(bytes)?, take_u32(bytes)?, 0));
    }
    let agent = agents.get_mut(index).ok_or(LinkError::Damaged)?;
    let ordinal = if kind == EXPLICIT { take_u32(bytes)? } else { agent.2 };
    let alternative = match kind {
        PLAIN => None,
        ALTERNATIVE => Some(take_u32(bytes)?),
        _ => match take_whole(bytes).ok_or(LinkError::Damaged)? {
            0 => None,
            above => Some(u32::try_from(above - 1).map_err(|_| LinkError::Damaged)?),
        },
    };
    agent.2 = ordinal.saturating_add(1);
    Ok(Key { workgroup: agent.0, wave: agent.1, ordinal, alternative }.text())
}

fn take_u32(bytes: &mut &[u8]) -> Result<u32, LinkError> {
    take_whole(bytes).and_then(|number| u32::try_from(number).ok()).ok_or(LinkError::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| String::from(*text)).collect()
    }

    #[test]
    fn a_usual_step_takes_one_byte() {
        let steps = keys(&["0.0:0", "0.1:0", "0.0:1", "0.1:1", "0.0:2", "0.0:3"]);
        let packed = pack(&steps);
        assert_eq!(packed.len(), steps.len() + 2 * 2);
        assert_eq!(unpack(&packed), Ok(steps));
    }

    #[test]
    fn every_key_round_trips() {
        let steps = keys(&[
            "0.1:3/2",
            "0.1:4",
            "0.1:4/0",
            "7.0:9",
            "0.01:1",
            "",
            "no key",
            "0.1:4294967295/4294967295",
            "0.1:5",
        ]);
        assert_eq!(unpack(&pack(&steps)), Ok(steps));
    }

    #[test]
    fn an_agent_that_was_never_named_is_damage() {
        assert_eq!(unpack(&[4 * 3]), Err(LinkError::Damaged));
        assert_eq!(unpack(&[0, 0]), Err(LinkError::Damaged));
        assert_eq!(unpack(&[TEXT as u8, 1, 0xff]), Err(LinkError::Damaged));
    }

    #[test]
    fn steps_are_capped() {
        let mut packed = alloc::vec![0; MAX_STEPS + 2];
        assert_eq!(unpack(&packed).map(|keys| keys.len()), Ok(MAX_STEPS));
        packed.push(0);
        assert_eq!(unpack(&packed), Err(LinkError::TooLarge));
    }
}
