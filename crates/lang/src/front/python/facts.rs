//! What a file says outside of its kernels: constants, configurations, calls that launch a kernel.

use super::expression::number;
use super::lexer::{Kind, Token};
use super::tree::Function;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The values of names, and the launch.
#[derive(Debug, Default)]
pub(super) struct Facts<'t> {
    pub(super) values: BTreeMap<&'t str, i64>,
    pub(super) warps: Option<i64>,
    pub(super) cluster: Option<[u32; 3]>,
}

/// The constants of a file: names that it sets to an integer outside of functions.
pub(super) fn constants<'t>(tokens: &[Token<'t>]) -> BTreeMap<&'t str, i64> {
    let mut found = BTreeMap::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let begins = at == 0 || matches!(tokens[at - 1].kind, Kind::Line | Kind::Close);
        if depth > 0 || token.kind != Kind::Name || !begins {
            continue;
        }
        let line = tokens[at + 1..].iter().take_while(|one| one.kind != Kind::Line);
        let line: Vec<&Token<'_>> = line.take(16).collect();
        let Some(sets) = line.iter().position(|one| one.text == "=") else { continue };
        let plain = sets == 0 || line[0].text == ":";
        let value = match &line[sets + 1..] {
            [value] => literal(value),
            [.., name, open, value, _] if name.text == "constexpr" && open.text == "(" => {
                literal(value)
            }
            _ => None,
        };
        if let Some(value) = value.filter(|_| plain) {
            found.insert(token.text, value);
        }
    }
    found
}

fn literal(token: &Token<'_>) -> Option<i64> {
    match token.text {
        "True" => Some(1),
        "False" => Some(0),
        text if token.kind == Kind::Number => number(text),
        _ => None,
    }
}

/// What the file says about the launch of a kernel: a configuration, or a call that launches it.
pub(super) fn of<'t>(tokens: &[Token<'t>], function: &Function<'t>) -> Facts<'t> {
    let mut facts = Facts { values: constants(tokens), ..Facts::default() };
    for parameter in &function.parameters {
        if let Some(super::tree::Kind::Int(value)) = parameter.default.as_ref().map(|it| &it.kind) {
            facts.values.insert(parameter.name, *value);
        }
    }
    let file = Reader { tokens, function };
    if let Some(call) = file.launch() {
        file.called(call, &mut facts);
    }
    let own = file.configuration(function.decorators.clone());
    if let Some(at) = own.or_else(|| file.configuration(0..tokens.len())) {
        file.configured(at, &mut facts);
    }
    facts
}

struct Reader<'a, 't> {
    tokens: &'a [Token<'t>],
    function: &'a Function<'t>,
}

impl<'t> Reader<'_, 't> {
    fn text(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn is_parameter(&self, name: &str) -> bool {
        self.function.parameters.iter().any(|one| one.name == name)
    }

    /// The first dictionary of a `Config` whose keys are parameters of the kernel.
    fn configuration(&self, within: core::ops::Range<usize>) -> Option<usize> {
        within.clone().find(|&at| {
            let begins =
                self.text(at) == "Config" && self.text(at + 1) == "(" && self.text(at + 2) == "{";
            let keys = self.entries(at + 3).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
            begins && (keys.is_empty() || keys.iter().any(|key| self.is_parameter(key)))
        })
    }

    /// Keys and the places of their values, from after the opening brace on.
    fn entries(&self, from: usize) -> Vec<(&'t str, usize)> {
        let mut found = Vec::new();
        let mut at = from;
        while !matches!(self.text(at), "}" | "") {
            if self.text(at + 1) == ":" {
                found.push((self.text(at).trim_matches(['"', '\'']), at + 2));
            }
            at = self.skip(at);
        }
        found
    }

    /// The place after a token, or after a bracket and all within it.
    fn skip(&self, at: usize) -> usize {
        let (mut depth, mut at) = (0_usize, at);
        loop {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "" if at >= self.tokens.len() => return at,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return at;
            }
        }
    }

    /// The value of one token: a literal, a constant, or the first element of a list that a comprehension takes it from.
    fn value(&self, at: usize, known: &BTreeMap<&'t str, i64>) -> Option<i64> {
        let token = self.tokens.get(at)?;
        if !matches!(self.text(at + 1), "," | "}" | ")" | "for") {
            return None;
        }
        let comprehension = || {
            let after = (at..self.tokens.len()).take(400);
            let mut fors =
                after.filter(|&one| self.text(one) == "for" && self.text(one + 1) == token.text);
            let first = fors.find(|&one| self.text(one + 2) == "in")? + 4;
            self.tokens.get(first).and_then(literal)
        };
        literal(token).or_else(|| known.get(token.text).copied()).or_else(comprehension)
    }

    fn configured(&self, at: usize, facts: &mut Facts<'t>) {
        for (key, value) in self.entries(at + 3) {
            if let Some(value) = self.value(value, &facts.values) {
                facts.values.insert(key, value);
            }
        }
        let mut after = at + 2;
        after = self.skip(after);
        self.keywords(after, facts);
    }

    /// Keywords of a call up to its closing bracket.
    fn keywords(&self, from: usize, facts: &mut Facts<'t>) {
        let mut at = from;
        while !matches!(self.text(at), ")" | "") {
            if self.text(at + 1) == "=" {
                self.keyword(self.text(at), at + 2, facts);
            }
            at = self.skip(at);
        }
    }

    fn keyword(&self, name: &'t str, at: usize, facts: &mut Facts<'t>) {
        let value = self.value(at, &facts.values);
        match name {
            "num_warps" => facts.warps = value.or(facts.warps),
            "ctas_per_cga" | "cluster_dims" => {
                let each = [at + 1, at + 3, at + 5].map(|at| {
                    self.tokens.get(at).and_then(literal).and_then(|size| u32::try_from(size).ok())
                });
                if let [Some(x), y, z] = each {
                    facts.cluster = Some([x, y.unwrap_or(1), z.unwrap_or(1)]);
                }
            }
            _ if self.is_parameter(name) => {
                if let Some(value) = value {
                    facts.values.insert(name, value);
                }
            }
            _ => {}
        }
    }

    /// The first argument of a call `NAME[GRID](…)`.
    fn launch(&self) -> Option<usize> {
        (0..self.tokens.len()).find_map(|at| {
            let named = self.text(at) == self.function.name && self.text(at + 1) == "[";
            let open = self.skip(at + 1);
            (named && self.text(open) == "(").then_some(open + 1)
        })
    }

    fn called(&self, first: usize, facts: &mut Facts<'t>) {
        let mut at = first;
        let mut place = 0;
        while !matches!(self.text(at), ")" | "") {
            if self.text(at + 1) == "=" {
                break;
            }
            if let (Some(parameter), Some(value)) =
                (self.function.parameters.get(place), self.value(at, &facts.values))
                && parameter.constant
            {
                facts.values.insert(parameter.name, value);
            }
            while !matches!(self.text(at), "," | ")" | "") {
                at = self.skip(at);
            }
            if self.text(at) == "," {
                at += 1;
                place += 1;
            }
        }
        self.keywords(at, facts);
    }
}
