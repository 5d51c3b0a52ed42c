//! The execution that was recorded at build time: it can be stepped through before the engine has loaded.

use protocol::{Ask, Shown};

/// One execution, from before its first step to after its last.
#[derive(Debug)]
pub(crate) struct Recording(pub Vec<Shown>);

impl Recording {
    /// Returns the result of a request after some steps; `None` if the recording does not contain it.
    pub(crate) fn step(&self, cursor: usize, ask: &Ask) -> Option<Shown> {
        let last = self.0.len().checked_sub(1)?;
        let to = match ask {
            Ask::Back => cursor.checked_sub(1)?,
            Ask::Forward => cursor + 1,
            Ask::GoTo(length) => (*length).min(last),
            Ask::Load(keys) => self.keys().eq(keys.iter().map(String::as_str)).then_some(last)?,
            Ask::Perform(key) => (self.keys().nth(cursor)? == key).then_some(cursor + 1)?,
            _ => return None,
        };
        self.0.get(to).cloned()
    }

    fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.last().into_iter().flat_map(|last| &last.view.performed).map(|step| &*step.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::recorded;

    #[test]
    fn a_recording_answers_only_recorded_steps() {
        let recording = Recording(recorded().expect("what the build wrote").shown);
        let keys: Vec<String> = recording.keys().map(str::to_owned).collect();
        let at = |cursor, ask| recording.step(cursor, &ask).map(|it| it.view.performed.len());
        assert_eq!(at(0, Ask::Load(keys.clone())), Some(keys.len()));
        assert_eq!(at(0, Ask::Load(keys[1..].to_vec())), None);
        assert_eq!((at(0, Ask::Back), at(2, Ask::Back)), (None, Some(1)));
        assert_eq!((at(1, Ask::Forward), at(keys.len(), Ask::Forward)), (Some(2), None));
        assert_eq!(at(0, Ask::GoTo(usize::MAX)), Some(keys.len()));
        assert_eq!(at(1, Ask::Perform(keys[1].clone())), Some(2));
        assert_eq!(at(0, Ask::Perform(keys[1].clone())), None);
        assert_eq!(at(0, Ask::Plan("run".into())), None);
    }
}
