//! From a source to a scenario.

use crate::args::Launched;
use crate::clang;
use crate::headers;
use crate::source::Source;
use std::path::Path;
use tidegate_check::model::target::TargetId;
use tidegate_check::{Launching, Scene};

impl Source {
    /// The same source with the code that clang makes of it, if it is in a language of clang.
    pub(crate) fn compiled(mut self, target: Option<TargetId>, how: &Launched) -> Self {
        self.processor = clang::processor_of(&self, target);
        match clang::compile(&self, self.processor.or(target), how) {
            Some(Ok(code)) => self.code = Some(code),
            Some(Err(refused)) => self.refused = Some(refused),
            None => {}
        }
        self
    }

    /// The scenario.
    pub(crate) fn scene(&self, launching: &Launching) -> Scene {
        let code = self.code.as_ref();
        let headers = match clang::is_for_one_processor(&self.name) {
            true => headers::of(Path::new(&self.name), &self.text),
            false => Vec::new(),
        };
        let mut launching = Launching { headers, ..launching.clone() };
        let compiled = code.and_then(|code| {
            Scene::compiled_elsewhere(&self.name, &self.text, &code.text, &launching)
        });
        compiled.unwrap_or_else(|| {
            launching.processor = self.processor;
            Scene::launched(&self.name, &self.text, &launching)
        })
    }
}
