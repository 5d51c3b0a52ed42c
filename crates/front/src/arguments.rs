//! The values that the caller gives for the arguments of a kernel.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{ArgumentId, Kernel, Module, Passed};
use tidegate_lang::diagnostic::{Diagnostic, Severity, Span, Suggestion};
use tidegate_lang::launching::{Launching, Parameter};
use tidegate_lang::suggest;

/// The given values of arguments, and warnings about names that the text does not have.
#[derive(Default)]
pub(super) struct Given {
    pub(super) values: Vec<(ArgumentId, i64)>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// The choices of the caller for the arguments of one kernel.
struct Choices<'a> {
    module: &'a Module,
    kernel: &'a Kernel,
    launching: &'a Launching,
    /// The place of the kernel.
    span: Span,
}

impl Given {
    /// Finds the arguments to which the caller gives values. If the text has no argument names, a name stands for the
    /// only integer argument.
    ///
    /// # Errors
    ///
    /// Parameters that no kernel of the text has.
    pub(super) fn new(
        module: &Module,
        kernel: &Kernel,
        launching: &Launching,
        span: Span,
    ) -> Result<Self, Vec<Diagnostic>> {
        let choices = Choices { module, kernel, launching, span };
        let mut given = Self { values: choices.found(), warnings: Vec::new() };
        let missing = choices.missing();
        if !kernel.unnamed {
            let errors: Vec<Diagnostic> =
                missing.iter().map(|(parameter, _)| choices.error(parameter)).collect();
            return if errors.is_empty() { Ok(given) } else { Err(errors) };
        }
        let integers = choices.integers(&given.values);
        for (parameter, value) in &missing {
            let Parameter::Name(name) = parameter else {
                return Err(alloc::vec![choices.error(parameter)]);
            };
            match &integers[..] {
                [(only, ids)] if missing.len() == 1 => {
                    given.values.extend(ids.iter().map(|id| (*id, *value)));
                    given.warnings.push(choices.taken(name, only));
                }
                _ => given.warnings.push(choices.unused(name, *value, &integers)),
            }
        }
        Ok(given)
    }
}

impl<'a> Choices<'a> {
    /// The position of an argument among those that the host passes.
    fn position(&self, at: usize, name: &str) -> Option<usize> {
        match self.kernel.parameters.is_empty() {
            true => Some(at),
            false => self.kernel.parameters.iter().position(|known| known == name),
        }
    }

    /// The values of arguments that the caller names as the text does, or gives by position.
    fn found(&self) -> Vec<(ArgumentId, i64)> {
        let mut values = Vec::new();
        for (at, argument) in self.module.arguments.iter().enumerate() {
            let position = self.position(at, &argument.name);
            let value = self.launching.value(&argument.name, position);
            values.extend(value.map(|value| (at as ArgumentId, value)));
        }
        values
    }

    /// The names of the arguments of all kernels of the text.
    fn names(&self) -> Vec<&'a str> {
        let declared = self.module.kernels.iter().flat_map(|one| &one.parameters);
        let used = self.module.arguments.iter().map(|argument| &argument.name);
        let mut names: Vec<&str> = Vec::new();
        for name in declared.chain(used) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The values for parameters that no kernel of the text has.
    fn missing(&self) -> Vec<(&'a Parameter, i64)> {
        let most = self.module.kernels.iter().map(|one| one.parameters.len()).max().unwrap_or(0);
        let most = if most == 0 { self.module.arguments.len() } else { most };
        let names = self.names();
        let is_missing = |parameter: &Parameter| match parameter {
            Parameter::Name(name) => !names.contains(&name.as_str()),
            Parameter::Position(at) => *at >= most,
        };
        let missing =
            self.launching.arguments.iter().filter(|(parameter, _)| is_missing(parameter));
        missing.map(|(parameter, value)| (parameter, *value)).collect()
    }

    /// The integer arguments of the kernel without a value, by name.
    fn integers(&self, given: &[(ArgumentId, i64)]) -> Vec<(&'a str, Vec<ArgumentId>)> {
        let parameters = &self.kernel.parameters;
        let mut found: Vec<(&str, Vec<ArgumentId>)> = Vec::new();
        for (at, argument) in self.module.arguments.iter().enumerate() {
            let at = at as ArgumentId;
            let name = argument.name.as_str();
            // A part of an argument has the name of the argument and its offset.
            let whole = name.split('+').next().unwrap_or(name);
            let is_own = parameters.is_empty() || parameters.iter().any(|known| known == whole);
            let is_free = given.iter().all(|(known, _)| *known != at);
            if argument.passed != Passed::Integer || !is_own || !is_free {
                continue;
            }
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, ids)) => ids.push(at),
                None => found.push((name, alloc::vec![at])),
            }
        }
        found
    }

    fn error(&self, parameter: &Parameter) -> Diagnostic {
        let names = self.names();
        let listed = || suggest::listed(names.iter().copied());
        let (shown, suggestion) = match parameter {
            Parameter::Name(name) => {
                let near = suggest::instead(name, names.iter().copied());
                (format!("`{name}`"), near.or_else(listed))
            }
            Parameter::Position(at) => (format!("at position {at}"), listed()),
        };
        let message = format!("the kernel has no parameter {shown}");
        Diagnostic { suggestion, ..Diagnostic::error("unknown-argument", self.span, message) }
    }

    /// A warning that a name stands for the only integer argument.
    fn taken(&self, name: &str, only: &str) -> Diagnostic {
        let message = format!(
            "the text has no argument names: `{name}` is taken to be `{only}`, the only integer argument of the kernel"
        );
        self.warning(message, None)
    }

    /// A warning that a value is not used, because no argument or several arguments could have the name.
    fn unused(&self, name: &str, value: i64, integers: &[(&str, Vec<ArgumentId>)]) -> Diagnostic {
        let shown = |(name, ids): &(&str, Vec<ArgumentId>)| {
            let at = ids.first().map_or(0, |id| *id as usize);
            let position = self.position(at, name);
            position.map(|position| (format!("`{name}` at position {position}"), position))
        };
        let shown: Vec<(String, usize)> = integers.iter().filter_map(shown).collect();
        let Some((_, first)) = shown.first() else {
            let message = format!(
                "the text has no argument names, and the kernel has no other integer argument: the value of `{name}` is not used"
            );
            return self.warning(message, None);
        };
        let all: Vec<&str> = shown.iter().map(|(shown, _)| shown.as_str()).collect();
        let message = format!(
            "the text has no argument names, and the kernel has several integer arguments: the value of `{name}` is not used, and the verdict is for all values ({})",
            all.join(", ")
        );
        let help = format!("give the value by position, for example `--arg {first}={value}`");
        self.warning(message, Some(help))
    }

    fn warning(&self, message: String, help: Option<String>) -> Diagnostic {
        let suggestion = help.map(|message| Suggestion { message, replacement: None });
        let warning = Diagnostic::error("unknown-argument", self.span, message);
        Diagnostic { severity: Severity::Warning, suggestion, ..warning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel with these parameters, each with its type.
    fn module(parameters: &[(&str, &str)]) -> Module {
        let each = |(of, name): &(&str, &str)| format!(".param {of} {name}");
        let declared: Vec<String> = parameters.iter().map(each).collect();
        let each = |(of, name): &(&str, &str)| {
            let register = if of.ends_with("64") { "%rd1" } else { "%r1" };
            format!("ld.param{of} {register}, [{name}];\n")
        };
        let loads: String = parameters.iter().map(each).collect();
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k({})\n{{\n\
             .reg .b32 %r<2>;\n.reg .b64 %rd<3>;\n{loads}ld.global.u32 %r1, [%rd1];\nret;\n}}\n",
            declared.join(", ")
        );
        super::super::ptx::read(&text).unwrap()
    }

    fn given(parameters: &[(&str, &str)], words: &[&str]) -> Result<Given, Vec<Diagnostic>> {
        let module = module(parameters);
        let mut launching = Launching::default();
        words.iter().for_each(|words| launching.add_argument(words).unwrap());
        Given::new(&module, &module.kernels[0], &launching, Span::default())
    }

    #[test]
    fn a_name_stands_for_the_only_integer_if_the_text_has_no_names() {
        let found = given(&[(".u32", "k_param_0"), (".u64", "k_param_1")], &["n=16"]).ok().unwrap();
        assert_eq!(found.values, [(0, 16)]);
        assert_eq!(
            found.warnings[0].message,
            "the text has no argument names: `n` is taken to be `k_param_0`, the only integer argument of the kernel"
        );
    }

    #[test]
    fn a_name_is_an_error_if_the_text_has_others() {
        let errors = given(&[(".u32", "rows"), (".u64", "data")], &["n=16"]).err().unwrap();
        assert_eq!(errors[0].message, "the kernel has no parameter `n`");
    }

    #[test]
    fn a_name_that_fits_several_integers_is_not_used() {
        let two = [(".u32", "k_param_0"), (".u32", "k_param_1"), (".u64", "k_param_2")];
        let found = given(&two, &["n=16"]).ok().unwrap();
        assert!(found.values.is_empty());
        let help = &found.warnings[0].suggestion.as_ref().unwrap().message;
        assert_eq!(help, "give the value by position, for example `--arg 0=16`");
        let found = given(&two, &["n=16", "0=3"]).ok().unwrap();
        assert_eq!(found.values, [(0, 3), (1, 16)]);
        let found = given(&[(".u64", "k_param_0")], &["n=16"]).ok().unwrap();
        assert!(found.warnings[0].message.ends_with("the value of `n` is not used"));
    }

    #[test]
    fn a_position_that_does_not_exist_is_an_error() {
        let errors = given(&[(".u32", "k_param_0")], &["1=16"]).err().unwrap();
        assert_eq!(errors[0].message, "the kernel has no parameter at position 1");
    }
}
