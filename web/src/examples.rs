//! The scenarios of the gallery.

/// Path of the one that a new reader meets: there is most to see in it.
const FIRST: &str = "examples/join-too-late.tide";

/// One scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    /// Its file's name, without folders and extension.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The scenario that the page opens with.
pub(crate) fn first() -> Example {
    Example::new(FIRST, include_str!("../../examples/join-too-late.tide"))
}

/// Scenarios by what they are about; within a group defined ones first.
pub(crate) fn grouped(
    examples: impl Iterator<Item = Example>,
) -> Vec<(&'static str, Vec<Example>)> {
    let mut examples: Vec<(System, Example)> = examples.map(|it| (it.system(), it)).collect();
    let order = |it: &Example| (it.expected() != "ok", it.expected().to_owned(), it.title());
    examples.sort_by_cached_key(|(_, example)| order(example));
    let of = |system: System| -> Vec<Example> {
        let ours = examples.iter().filter(|(other, _)| *other == system);
        ours.map(|(_, example)| example.clone()).collect()
    };
    let groups = System::ALL.map(|system| (system.heading(), of(system)));
    groups.into_iter().filter(|(_, group)| !group.is_empty()).collect()
}

/// What a scenario is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum System {
    Workgroup,
    Named,
    Cluster,
    Memory,
    Mbarrier,
    Tlx,
    Opencl,
}

impl System {
    const ALL: [Self; 7] = [
        Self::Workgroup,
        Self::Named,
        Self::Cluster,
        Self::Memory,
        Self::Mbarrier,
        Self::Tlx,
        Self::Opencl,
    ];

    fn heading(self) -> &'static str {
        match self {
            Self::Workgroup => "AMDGPU: the workgroup barrier",
            Self::Named => "AMDGPU: named barriers and barrier objects",
            Self::Cluster => "AMDGPU: the cluster barrier",
            Self::Memory => "AMDGPU: memory and asynchronous copies",
            Self::Mbarrier => "NVIDIA: mbarrier and bar",
            Self::Tlx => "TLX",
            Self::Opencl => "OpenCL C++",
        }
    }
}

impl Example {
    /// The scenario of a path.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        Self { name: name.trim_end_matches(".tide").to_owned(), text: text.to_owned() }
    }

    /// Its title; its name where it has none.
    pub(crate) fn title(&self) -> String {
        self.quoted("title").unwrap_or(&self.name).to_owned()
    }

    /// The first sentence of its note.
    pub(crate) fn note(&self) -> &str {
        let note = self.quoted("note").unwrap_or_default();
        note.find(". ").map_or(note, |end| &note[..=end])
    }

    /// Its target.
    pub(crate) fn target(&self) -> &str {
        self.header("target").unwrap_or("model").trim()
    }

    /// The verdict that it expects first of all.
    pub(crate) fn expected(&self) -> &str {
        self.header("expect").and_then(|rest| rest.split_whitespace().next()).unwrap_or_default()
    }

    /// What it is about, by its words.
    fn system(&self) -> System {
        let says = |word: &str| self.text.contains(word);
        let declares = |word: &str| self.text.lines().any(|line| line.starts_with(word));
        match () {
            () if self.target() == "opencl" => System::Opencl,
            () if says("tlx.") => System::Tlx,
            () if self.target().starts_with("sm_") => System::Mbarrier,
            () if declares("lds ") || declares("global ") => System::Memory,
            () if says("cluster") => System::Cluster,
            () if declares("barrier ") || says("m0") => System::Named,
            () => System::Workgroup,
        }
    }

    fn header(&self, word: &str) -> Option<&str> {
        let start = |line: &&str| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
        self.text.lines().find(start).map(|line| &line[word.len() + 1..])
    }

    fn quoted(&self, word: &str) -> Option<&str> {
        let rest = self.header(word)?.strip_prefix('"')?;
        rest.rfind('"').map(|end| &rest[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_from_the_text() {
        let text =
            "title \"One\"\nnote \"First. Second.\"\ntarget gfx1250\nexpect ub amd.drop.race\n";
        let example = Example::new("examples/one.tide", text);
        assert_eq!((example.title().as_str(), example.note()), ("One", "First."));
        assert_eq!((example.target(), example.expected()), ("gfx1250", "ub"));
        assert_eq!(Example::new("examples/two.tide", "").title(), "two");
    }

    #[test]
    fn every_scenario_is_in_one_group() {
        let example = |text| Example::new("one.tide", text);
        let texts = [
            ("target gfx1250\nwave * { arrive wg; wait wg }", System::Workgroup),
            ("target gfx1250\nbarrier b = named(1)\n", System::Named),
            ("target gfx1250\nlds a[4]\nbarrier b = named(1)\n", System::Memory),
            ("target sm_90\n", System::Mbarrier),
        ];
        for (text, system) in texts {
            assert_eq!(example(text).system(), system, "{text}");
        }
        let groups = grouped(texts.iter().map(|(text, _)| example(text)));
        assert_eq!(groups.iter().map(|(_, group)| group.len()).sum::<usize>(), texts.len());
    }
}
