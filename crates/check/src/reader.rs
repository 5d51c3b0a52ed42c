//! The front ends: those that this crate contains, or those of another WebAssembly module.

#[cfg(feature = "front")]
pub use tidegate_front::{HEADERS, before, read, written_name};
pub use tidegate_lang::compiled::NO_FRONT_END;

/// Sets the function that reads compiled code in a build without the feature `front`.
#[cfg(feature = "front")]
pub const fn read_by(
    _: fn(&tidegate_lang::compiled::Code) -> Option<tidegate_lang::compiled::Reading>,
) {
}

#[cfg(not(feature = "front"))]
pub use elsewhere::{read, read_by};

#[cfg(not(feature = "front"))]
mod elsewhere {
    extern crate std;

    use super::NO_FRONT_END;
    use std::sync::OnceLock;
    use tidegate_lang::compiled::{Code, Reading};
    use tidegate_lang::diagnostic::{Diagnostic, Span, Suggestion};

    static READER: OnceLock<fn(&Code) -> Option<Reading>> = OnceLock::new();

    /// Sets the function that reads compiled code; it returns `None` while it cannot. Only the first call counts.
    pub fn read_by(reader: fn(&Code) -> Option<Reading>) {
        let _ = READER.set(reader);
    }

    /// Reads compiled code by the function that was set.
    #[must_use]
    pub fn read(code: &Code) -> Reading {
        READER.get().and_then(|reader| reader(code)).unwrap_or_else(|| {
            let message = "the front ends for compiled code could not be loaded";
            let help = "check the connection, then change the text or reload the page";
            let suggestion = Some(Suggestion { message: help.into(), replacement: None });
            let error = Diagnostic::error(NO_FRONT_END, Span::default(), message);
            Reading { error: Some(Diagnostic { suggestion, ..error }), ..Reading::default() }
        })
    }
}
