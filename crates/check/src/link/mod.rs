//! Share links: a scenario and the steps taken in it, in the fragment of a URL.
//!
//! A link of version 1 is `#v1.` and the base64url form, without padding, of a zlib stream (deflate and a checksum). The
//! stream holds fields, each a tag, a length and that many bytes; readers skip tags that they do not know, so a later
//! writer can add fields and a link of version 1 opens for ever. What a link can unpack to is capped.

mod base64;
mod fields;
mod steps;

use crate::report::Report;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use fields::{Fields, push_field, push_text};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use tidegate_model::target::TargetId;

/// The longest scenario text that a link may carry, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// The most steps that a link may carry.
pub const MAX_STEPS: usize = 1 << 16;

/// Largest unpacked size of a link in bytes: the text and room for the other fields.
const MAX_INFLATED: usize = MAX_TEXT + (1 << 18);

/// Longest packed form in characters: that of an incompressible payload of the largest size.
const MAX_PACKED: usize = (MAX_INFLATED + (1 << 12)) / 3 * 4;

/// The one version that exists.
const VERSION: &str = "1";

/// Compression level of new links: small before fast. Readers do not care.
const LEVEL: u8 = 9;

/// Tags of the fields. A tag is never given a second meaning.
mod tag {
    pub(super) const TEXT: u64 = 1;
    pub(super) const TARGET: u64 = 2;
    pub(super) const STEPS: u64 = 3;
    pub(super) const ENGINE: u64 = 4;
    pub(super) const VERDICT: u64 = 5;
    pub(super) const READING: u64 = 6;
    pub(super) const PANELS: u64 = 7;
}

/// The contents of a link.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shared {
    /// The scenario's text.
    pub text: String,
    /// Name of the chosen target, if it is not the scenario's own.
    pub target: Option<String>,
    /// Keys of the steps performed, in order.
    pub steps: Vec<String>,
    /// Version of the engine that its writer used; empty where unknown.
    pub engine: String,
    /// The verdict of the writer, and the first rule if there is one.
    pub verdict: Option<String>,
    /// Readings that override the scenario's own, each as `ID=CHOICE`.
    pub readings: Vec<String>,
    /// The open panels of the page, in its words separated by spaces; empty for the default.
    pub panels: String,
}

/// The version of this engine, as links record it.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

impl Shared {
    /// The contents of a link to this text: the target if it is not the scenario's own, this engine, and the verdict of
    /// `report` unless the text is invalid. No steps.
    #[must_use]
    pub fn of(
        text: &str,
        own: Option<TargetId>,
        chosen: Option<TargetId>,
        report: &Report,
    ) -> Self {
        Self {
            text: text.into(),
            target: chosen.filter(|_| chosen != own).map(|target| target.get().name.into()),
            steps: Vec::new(),
            engine: ENGINE.into(),
            verdict: (report.verdict != "invalid").then(|| recorded(report)),
            readings: Vec::new(),
            panels: String::new(),
        }
    }
}

/// A verdict as links record it: its word, and the first rule that determines it (`ub amd.join.before-wait`).
#[must_use]
pub fn recorded(report: &Report) -> String {
    match report.ground() {
        Some(finding) => format!("{} {}", report.verdict, finding.rule),
        None => report.verdict.clone(),
    }
}

/// Why a link cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// There is no `#v1.` in it.
    NotALink,
    /// It is of a version that this reader does not know.
    UnknownVersion(u32),
    /// A part of it is missing or was changed.
    Damaged,
    /// It unpacks to more than a scenario may be.
    TooLarge,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => {
                f.write_str("not a scenario link: expected a part that begins with `#v1.`")
            }
            Self::UnknownVersion(version) => {
                write!(f, "the link has version {version}; this program supports version {VERSION}")
            }
            Self::Damaged => f.write_str("the link is damaged: a part of it is missing or changed"),
            Self::TooLarge => f.write_str("the link is too large: a scenario has at most 1 MiB"),
        }
    }
}

impl core::error::Error for LinkError {}

/// The fragment (`#v1.…`) that carries `shared`. Text beyond [`MAX_TEXT`] or steps beyond [`MAX_STEPS`] are written too,
/// and refused by [`decode`].
#[must_use]
pub fn encode(shared: &Shared) -> String {
    fragment(&compress_to_vec_zlib(&payload(shared), LEVEL))
}

/// The same fragment without compression: longer, opened by every reader of links of version 1, and written with a
/// fraction of the code.
#[must_use]
pub fn encode_plain(shared: &Shared) -> String {
    fragment(&stored(&payload(shared)))
}

/// A zlib stream of blocks that are stored as they are (RFC 1950; RFC 1951, section 3.2.4).
fn stored(payload: &[u8]) -> Vec<u8> {
    let mut stream = Vec::from([0x78, 0x01]);
    let mut blocks = payload.chunks(usize::from(u16::MAX)).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(checksum(payload).to_be_bytes());
    stream
}

fn fragment(stream: &[u8]) -> String {
    let mut link = String::from("#v1.");
    base64::encode(stream, &mut link);
    link
}

/// The fields of a link.
fn payload(shared: &Shared) -> Vec<u8> {
    let mut payload = Vec::with_capacity(shared.text.len() + 64);
    push_text(&mut payload, tag::TEXT, &shared.text);
    if let Some(target) = &shared.target {
        push_text(&mut payload, tag::TARGET, target);
    }
    if !shared.steps.is_empty() {
        push_field(&mut payload, tag::STEPS, &steps::pack(&shared.steps));
    }
    if !shared.engine.is_empty() {
        push_text(&mut payload, tag::ENGINE, &shared.engine);
    }
    if let Some(verdict) = &shared.verdict {
        push_text(&mut payload, tag::VERDICT, verdict);
    }
    shared.readings.iter().for_each(|reading| push_text(&mut payload, tag::READING, reading));
    if !shared.panels.is_empty() {
        push_text(&mut payload, tag::PANELS, &shared.panels);
    }
    payload
}

/// Decodes the contents of a link. Accepts a whole URL, its fragment (`#v1.…`) or the part after the `#`; surrounding
/// white space and everything from an `&` on are ignored.
///
/// # Errors
///
/// Why the link cannot be opened; see [`LinkError`].
pub fn decode(link: &str) -> Result<Shared, LinkError> {
    let packed = packed_part(link)?;
    if packed.len() > MAX_PACKED {
        return Err(LinkError::TooLarge);
    }
    let stream = base64::decode(packed).ok_or(LinkError::Damaged)?;
    let payload = decompress_to_vec_zlib_with_limit(&stream, MAX_INFLATED).map_err(|error| {
        match error.status {
            TINFLStatus::HasMoreOutput => LinkError::TooLarge,
            _ => LinkError::Damaged,
        }
    })?;
    // The stream ends with its checksum; bytes after it are not part of the link.
    let ends = stream.ends_with(&checksum(&payload).to_be_bytes());
    if ends { read(&payload) } else { Err(LinkError::Damaged) }
}

/// Adler-32 (RFC 1950, section 8.2).
fn checksum(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (low, high) = bytes.iter().fold((1, 0), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % MODULUS;
        (low, (high + low) % MODULUS)
    });
    high << 16 | low
}

/// The packed characters of a link of this version.
fn packed_part(link: &str) -> Result<&str, LinkError> {
    let link = link.trim();
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    let (version, rest) = fragment
        .strip_prefix('v')
        .and_then(|rest| rest.split_once('.'))
        .ok_or(LinkError::NotALink)?;
    if version.is_empty() || version.len() > 9 || !version.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Err(LinkError::NotALink);
    }
    if version != VERSION {
        return Err(LinkError::UnknownVersion(version.parse().map_err(|_| LinkError::NotALink)?));
    }
    Ok(rest.split_once('&').map_or(rest, |(packed, _)| packed))
}

/// Reads the fields of an unpacked stream.
fn read(payload: &[u8]) -> Result<Shared, LinkError> {
    let mut shared = Shared::default();
    let mut text = None;
    for field in Fields::new(payload) {
        let (tag, value) = field.ok_or(LinkError::Damaged)?;
        match tag {
            tag::TEXT => text = Some(string(value)?),
            tag::TARGET => shared.target = Some(string(value)?),
            tag::STEPS => shared.steps = steps::unpack(value)?,
            tag::ENGINE => shared.engine = string(value)?,
            tag::VERDICT => shared.verdict = Some(string(value)?),
            tag::READING => shared.readings.push(string(value)?),
            tag::PANELS => shared.panels = string(value)?,
            _ => {} // written by a later version of this format
        }
    }
    shared.text = text.ok_or(LinkError::Damaged)?;
    if shared.text.len() > MAX_TEXT { Err(LinkError::TooLarge) } else { Ok(shared) }
}

fn string(bytes: &[u8]) -> Result<String, LinkError> {
    core::str::from_utf8(bytes).map(ToString::to_string).map_err(|_| LinkError::Damaged)
}

#[cfg(test)]
mod tests;
