//! Choices of the caller of a kernel: its launch, the values of its parameters and its entry point.
//!
//! A choice overrides the text; an absent choice does not change it.

use crate::suggest;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::target::TargetId;

/// Sizes in up to three dimensions. The first dimension varies fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sizes {
    /// The sizes; 1 in each dimension that is not given. Each is at least 1.
    pub each: [u32; 3],
    /// Number of given dimensions, from 1 to 3.
    pub dimensions: u8,
}

impl Sizes {
    /// Parses `A`, `AxB` or `AxBxC`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (mut each, mut dimensions) = ([1; 3], 0);
        for part in text.split('x') {
            let digits = part.bytes().all(|byte| byte.is_ascii_digit());
            *each.get_mut(dimensions)? = part.parse().ok().filter(|&size| digits && size > 0)?;
            dimensions += 1;
        }
        Some(Self { each, dimensions: dimensions as u8 })
    }

    /// The product of the sizes.
    #[must_use]
    pub fn all(self) -> i64 {
        self.each.iter().fold(1, |all, &size| all.saturating_mul(i64::from(size)))
    }
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Parameter {
    /// By its name in the text.
    Name(String),
    /// By its position among all parameters, from 0.
    Position(usize),
}

/// The choices of the caller of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Launching {
    /// Workgroups or CTAs of the grid.
    pub groups: Option<Sizes>,
    /// Threads or work-items of a workgroup; if `waves` is given, of a wave.
    pub threads: Option<Sizes>,
    /// Waves, warps or sub-groups of a workgroup.
    pub waves: Option<u32>,
    /// Workgroups or CTAs of a cluster.
    pub cluster: Option<Sizes>,
    /// The values of parameters.
    pub arguments: Vec<(Parameter, i64)>,
    /// The kernel to check, if the text has several.
    pub entry: Option<String>,
    /// The processor for which a source is compiled.
    pub processor: Option<TargetId>,
    /// The headers that a source may include.
    pub headers: Vec<Header>,
}

/// A header of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Header {
    /// Its name in `#include "…"`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// An invalid choice.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unusable {
    /// The error, in one line.
    pub message: String,
    /// A valid form.
    pub help: String,
}

/// The meaning of a key of a launch.
#[derive(Clone, Copy)]
enum Key {
    Groups,
    Threads,
    Waves,
    Cluster,
}

const KEYS: [(&str, Key); 10] = [
    ("groups", Key::Groups),
    ("ctas", Key::Groups),
    ("workgroups", Key::Groups),
    ("threads", Key::Threads),
    ("items", Key::Threads),
    ("lanes", Key::Threads),
    ("waves", Key::Waves),
    ("warps", Key::Waves),
    ("subgroups", Key::Waves),
    ("cluster", Key::Cluster),
];

/// A valid form of a launch.
const FORM: &str = "write it as `groups=2x2 threads=128 cluster=2`";

fn unusable<T>(message: String, help: impl Into<String>) -> Result<T, Unusable> {
    Err(Unusable { message, help: help.into() })
}

impl Launching {
    /// Adds the words of a launch, such as `groups=1x1 threads=128 cluster=2`.
    ///
    /// # Errors
    ///
    /// A key that is unknown or given twice, and a size that is not a positive number in up to three dimensions.
    pub fn add_launch(&mut self, words: &str) -> Result<(), Unusable> {
        let words = words.split([' ', ',', '\t']).filter(|word| !word.is_empty());
        words.into_iter().try_for_each(|word| self.add_size(word))
    }

    fn add_size(&mut self, word: &str) -> Result<(), Unusable> {
        let Some((key, sizes)) = word.split_once('=') else {
            return unusable(format!("`{word}` is not a size of a launch"), FORM);
        };
        let Some(&(_, known)) = KEYS.iter().find(|(name, _)| *name == key) else {
            let near = suggest::instead(key, KEYS.map(|(name, _)| name));
            let help = near.map_or_else(|| FORM.into(), |near| near.message);
            return unusable(format!("unknown key `{key}` of the launch"), help);
        };
        let Some(sizes) = Sizes::parse(sizes) else {
            return unusable(format!("`{sizes}` is not a size for `{key}`"), FORM);
        };
        let twice = match known {
            Key::Groups => self.groups.replace(sizes).is_some(),
            Key::Threads => self.threads.replace(sizes).is_some(),
            Key::Cluster => self.cluster.replace(sizes).is_some(),
            Key::Waves if sizes.dimensions > 1 => {
                return unusable(format!("`{key}` has one dimension"), FORM);
            }
            Key::Waves => self.waves.replace(sizes.each[0]).is_some(),
        };
        if twice {
            return unusable(format!("`{key}` is given twice"), FORM);
        }
        Ok(())
    }

    /// Adds the value of a parameter: `NAME=VALUE`, or `POSITION=VALUE` with positions from 0.
    ///
    /// # Errors
    ///
    /// Words of another form, a value that is not a 64-bit integer, and a parameter that already has a value.
    pub fn add_argument(&mut self, words: &str) -> Result<(), Unusable> {
        const FORM: &str = "write it as `n=16`, or as `2=16` for the third parameter";
        let Some((name, value)) = words.split_once('=') else {
            return unusable(format!("`{words}` is not the value of a parameter"), FORM);
        };
        let (name, value) = (name.trim(), value.trim());
        let Some(number) = number(value) else {
            return unusable(format!("`{value}` is not a whole number of 64 bits"), FORM);
        };
        let parameter = match name.parse() {
            Ok(position) => Parameter::Position(position),
            Err(_) if name.is_empty() => {
                return unusable(format!("`{words}` names no parameter"), FORM);
            }
            Err(_) => Parameter::Name(name.into()),
        };
        if self.arguments.iter().any(|(known, _)| *known == parameter) {
            return unusable(format!("parameter `{name}` is given twice"), FORM);
        }
        self.arguments.push((parameter, number));
        Ok(())
    }

    /// A text with the choices as lines above it, and with the headers that it includes.
    #[must_use]
    pub fn within(&self, text: &str) -> String {
        let mut read = Vec::new();
        self.lines(text) + &self.with_headers(text, &mut read)
    }

    /// A text with the text of each header instead of the first `#include` of it.
    fn with_headers<'a>(&'a self, text: &str, read: &mut Vec<&'a str>) -> String {
        let mut whole = String::new();
        for line in text.split_inclusive('\n') {
            let header = self.headers.iter().find(|header| includes(line, &header.name));
            let Some(header) = header else {
                whole += line;
                continue;
            };
            if !read.contains(&&*header.name) {
                read.push(&header.name);
                whole += &self.with_headers(&header.text, read);
            }
            whole.push('\n');
        }
        whole
    }

    /// The choices as lines above a text.
    fn lines(&self, text: &str) -> String {
        let mut keys = String::new();
        let sizes = [("groups", self.groups), ("threads", self.threads), ("cluster", self.cluster)];
        for (key, sizes) in sizes {
            let Some(Sizes { each, dimensions }) = sizes else { continue };
            let each: Vec<String> =
                each[..usize::from(dimensions)].iter().map(|size| format!("{size}")).collect();
            keys += &format!(" {key}={}", each.join("x"));
        }
        if let Some(waves) = self.waves {
            keys += &format!(" waves={waves}");
        }
        let mut lines = String::new();
        let named = || text.lines().any(|line| line.trim_start().starts_with("target "));
        if let Some(processor) = self.processor.filter(|_| !named()) {
            lines += &format!("target {}\n", processor.get().name);
        }
        if !keys.is_empty() {
            lines += &format!("launch{keys}\n");
        }
        for (parameter, value) in &self.arguments {
            lines += &match parameter {
                Parameter::Name(name) => format!("argument {name}={value}\n"),
                Parameter::Position(at) => format!("argument {at}={value}\n"),
            };
        }
        if let Some(entry) = &self.entry {
            lines += &format!("entry {entry}\n");
        }
        lines
    }

    /// The value of a parameter, if it has one.
    #[must_use]
    pub fn value(&self, name: &str, position: Option<usize>) -> Option<i64> {
        let given = self.arguments.iter().find(|(parameter, _)| match parameter {
            Parameter::Name(given) => given == name,
            Parameter::Position(given) => Some(*given) == position,
        });
        given.map(|(_, value)| *value)
    }

    /// Whether it gives any size of the launch.
    #[must_use]
    pub fn launches(&self) -> bool {
        self.groups.is_some() || self.sizes_group() || self.cluster.is_some()
    }

    /// Whether it gives the size of a workgroup.
    #[must_use]
    pub fn sizes_group(&self) -> bool {
        self.threads.is_some() || self.waves.is_some()
    }
}

/// Whether a line includes a header.
fn includes(line: &str, header: &str) -> bool {
    let rest = line.trim().strip_prefix('#').map(str::trim_start);
    let rest = rest.and_then(|rest| rest.strip_prefix("include")).map(str::trim_start);
    let name = rest.and_then(|rest| rest.strip_prefix('"')).and_then(|rest| rest.split('"').next());
    name == Some(header)
}

/// A decimal or hexadecimal integer; unsigned values of 64 bits wrap.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    match negative {
        true => 0_i64.checked_sub_unsigned(value),
        false => Some(value as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(words: &str) -> Result<Launching, Unusable> {
        let mut launching = Launching::default();
        launching.add_launch(words).map(|()| launching)
    }

    #[test]
    fn a_launch_has_up_to_three_dimensions() {
        let launching = launch("groups=2x3 threads=8x4x2 cluster=2").unwrap();
        assert_eq!(launching.groups, Some(Sizes { each: [2, 3, 1], dimensions: 2 }));
        assert_eq!(launching.threads.map(Sizes::all), Some(64));
        assert_eq!(launching.cluster, Some(Sizes { each: [2, 1, 1], dimensions: 1 }));
        assert_eq!(launch("warps=4").unwrap().waves, Some(4));
    }

    #[test]
    fn unusable_words_get_the_nearest_valid_form() {
        let help = |words: &str| launch(words).unwrap_err().help;
        assert!(help("grups=1").contains("`groups`"));
        assert!(help("clusters=2").contains("`cluster`"));
        for wrong in ["groups", "groups=", "groups=0", "threads=1x2x3x4", "warps=2x2", "threads=-1"]
        {
            assert!(help(wrong).contains("threads=128"), "{wrong}");
        }
        assert!(launch("ctas=2 groups=2").unwrap_err().message.contains("twice"));
    }

    #[test]
    fn choices_are_header_lines() {
        let mut launching = launch("groups=2x3 threads=64 cluster=2").unwrap();
        launching.add_argument("n=16").unwrap();
        launching.add_argument("2=-1").unwrap();
        launching.entry = Some("k".into());
        let lines =
            "launch groups=2x3 threads=64 cluster=2\nargument n=16\nargument 2=-1\nentry k\n";
        assert_eq!(launching.within("x"), format!("{lines}x"));
        assert_eq!(Launching::default().within("x"), "x");
    }

    #[test]
    fn arguments_go_by_name_or_by_position() {
        let mut launching = Launching::default();
        for words in ["n=16", "2=-1", "m=0x10", "big=18446744073709551615"] {
            launching.add_argument(words).unwrap();
        }
        assert_eq!(launching.value("n", Some(0)), Some(16));
        assert_eq!(launching.value("k", Some(2)), Some(-1));
        assert_eq!(launching.value("m", None), Some(16));
        assert_eq!(launching.value("big", None), Some(-1));
        assert_eq!(launching.value("k", Some(1)), None);
        for wrong in ["n", "=3", "x=1.5", "x=", "n=3"] {
            assert!(launching.add_argument(wrong).is_err(), "{wrong}");
        }
    }
}
