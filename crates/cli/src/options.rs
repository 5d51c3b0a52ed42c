//! Converts command line arguments to the options of a check.

use crate::args::{self, Judging, Launched};
use crate::exit::Failure;
use crate::names::unknown;
use crate::source::Source;
use std::borrow::Cow;
use tidegate_check::lang::launching::Unusable;
use tidegate_check::model::axioms::rules::CAN_BE_LEFT_OUT;
use tidegate_check::model::reading::{READINGS, ReadingId};
use tidegate_check::model::rule::RuleId;
use tidegate_check::model::target::{TARGETS, TargetId};
use tidegate_check::model::target_set::expand;
use tidegate_check::side::Side;
use tidegate_check::{Engine, Launching, Options, Scene};

/// The targets in a list of targets, sets and ranges, or `all`; in the given order, each once.
pub(crate) fn targets(words: &str) -> Result<Vec<TargetId>, Failure> {
    let mut found = Vec::new();
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let ids = if word == "all" {
            TargetId::all().collect()
        } else {
            expand(word).ok_or_else(|| no_target(word))?
        };
        for id in ids {
            if !found.contains(&id) {
                found.push(id);
            }
        }
    }
    if found.is_empty() {
        Err(Failure::new("missing target").help(LIST_TARGETS))
    } else {
        Ok(found)
    }
}

/// The target with a name.
pub(crate) fn target(word: &str) -> Result<TargetId, Failure> {
    TargetId::from_name(word).ok_or_else(|| no_target(word))
}

const LIST_TARGETS: &str = "`tidegate targets` lists all targets";

/// The failure for an unknown target.
pub(crate) fn no_target(word: &str) -> Failure {
    unknown("target", word, TARGETS.iter().map(|target| target.name), LIST_TARGETS)
}

/// The launch, arguments and entry point of a kernel from the command line.
pub(crate) fn launching(arguments: &Launched) -> Result<Launching, Failure> {
    let failed = |wrong: Unusable| Failure::new(wrong.message).help(wrong.help);
    let mut launching = Launching { entry: arguments.entry.clone(), ..Launching::default() };
    for words in &arguments.launch {
        launching.add_launch(words).map_err(failed)?;
    }
    for words in &arguments.arguments {
        launching.add_argument(words).map_err(failed)?;
    }
    Ok(launching)
}

/// The arguments that launch a kernel, for another command: each after a blank, and quoted for a shell where necessary.
/// `kernel` is the kernel of a file with several.
pub(crate) fn words<'a>(launched: &'a Launched, kernel: Option<&'a str>) -> String {
    let each = |values: &'a [String]| values.iter().map(String::as_str).collect::<Vec<_>>();
    let options = [
        ("--launch", each(&launched.launch)),
        ("--arg", each(&launched.arguments)),
        ("--entry", kernel.or(launched.entry.as_deref()).into_iter().collect()),
        ("--clang-arg", each(&launched.clang_arguments)),
    ];
    let options = options
        .into_iter()
        .flat_map(|(name, values)| values.into_iter().map(move |value| (name, value)));
    let mut words: String =
        options.map(|(name, value)| format!(" {name} {}", shell_word(value))).collect();
    if launched.built_in {
        words += " --built-in";
    }
    words
}

/// A word as a shell reads it.
fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+=.,:/@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''")).into()
}

/// The scenario of a source, launched as the command line chooses.
pub(crate) fn scene(source: &Source, arguments: &Launched) -> Result<Scene, Failure> {
    Ok(source.scene(&launching(arguments)?))
}

/// The same with the choices of the command line in its text.
pub(crate) fn self_contained(source: &Source, arguments: &Launched) -> Result<Scene, Failure> {
    scene(source, arguments)?.self_contained().ok_or_else(|| {
        Failure::new(format!("{} gives its own launch", source.name))
            .help("change the `launch`, `argument` or `entry` line of the file instead")
    })
}

/// The options that the judging arguments ask for, without a target.
pub(crate) fn judging(arguments: &Judging) -> Result<Options, Failure> {
    let readings =
        arguments.readings.iter().map(|words| reading(words)).collect::<Result<_, _>>()?;
    Ok(Options { readings, max_states: arguments.max_states, ..Options::default() })
}

/// The requested engine.
pub(crate) const fn engine(engine: args::Engine) -> Engine {
    match engine {
        args::Engine::Auto => Engine::Auto,
        args::Engine::Explore => Engine::Explore,
        args::Engine::Plain => Engine::Plain,
        args::Engine::Axioms => Engine::Axioms,
    }
}

/// The rules to leave out.
pub(crate) fn without(words: &[String]) -> Result<Vec<RuleId>, Failure> {
    let names = || CAN_BE_LEFT_OUT.iter().map(|rule| rule.get().id);
    let rule = |word: &String| {
        let rule = RuleId::from_name(word);
        rule.filter(|rule| CAN_BE_LEFT_OUT.contains(rule)).ok_or_else(|| {
            let why = match rule {
                Some(_) => format!("rule `{word}` cannot be dropped"),
                None => format!("unknown rule `{word}`"),
            };
            Failure::new(why)
                .help(format!("valid rules: {}", names().collect::<Vec<_>>().join(", ")))
        })
    };
    words.iter().map(rule).collect()
}

/// Options for only the verdict of the specification.
pub(crate) fn verdict_alone(target: Option<TargetId>) -> Options {
    Options { target, ambiguities: false, machine: false, ..Options::default() }
}

/// A reading and the index of the chosen option, from `ID=OPTION`.
fn reading(words: &str) -> Result<(ReadingId, u8), Failure> {
    let (name, option) = words.split_once('=').ok_or_else(|| {
        Failure::new(format!("`{words}` is not a reading"))
            .help("write it as ID=OPTION, for example amd.A6=undefined")
    })?;
    let id = ReadingId::from_name(name).ok_or_else(|| {
        unknown(
            "reading",
            name,
            READINGS.iter().map(|reading| reading.name),
            "`tidegate readings` lists all readings",
        )
    })?;
    let choice = id.choice(option).ok_or_else(|| {
        let [first, second] = id.get().choices.map(|choice| choice.name);
        Failure::new(format!("reading {name} has no option `{option}`"))
            .help(format!("its options are {first} and {second}"))
    })?;
    Ok((id, choice))
}

/// Parses a side.
pub(crate) fn side(word: &str) -> Result<Side, Failure> {
    if let Some(side) = Side::from_name(word) {
        return Ok(side);
    }
    if word.contains('=') {
        return reading(word).map(|(id, choice)| Side::Reading(id, choice));
    }
    let oracles = ["spec", "machine", "explore", "axioms"];
    let known = TARGETS.iter().map(|target| target.name).chain(oracles);
    Err(unknown(
        "side",
        word,
        known,
        "a side is a target, a reading ID=OPTION, or one of spec, machine, explore, axioms",
    ))
}

/// Parses two different sides.
pub(crate) fn sides(words: &[String]) -> Result<[Side; 2], Failure> {
    let [left, right] = words else { return Err(Failure::new("expected two sides")) };
    let sides = [side(left)?, side(right)?];
    if sides[0] == sides[1] {
        return Err(Failure::new(format!("both sides are {left}")));
    }
    Ok(sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_sets_and_all() {
        let names = |words| {
            targets(words).map(|ids| ids.iter().map(|id| id.get().name).collect::<Vec<_>>())
        };
        assert_eq!(names("gfx12.5, gfx1250,model"), Ok(vec!["gfx1250", "gfx1251", "model"]));
        assert_eq!(names("all").map(|names| names.len()), Ok(TARGETS.len()));
        assert!(names("gfx125").unwrap_err().to_string().contains("did you mean `gfx1250`?"));
        assert!(names(" , ").is_err());
    }

    #[test]
    fn readings_are_checked() {
        assert_eq!(reading("amd.A6=undefined"), Ok((ReadingId::AmdA6, 1)));
        for wrong in ["amd.A6", "amd.A6=maybe", "amd.A99=x", "="] {
            assert!(reading(wrong).is_err(), "{wrong}");
        }
    }
}
