//! The way to the front ends: those of this crate, or those of another WebAssembly module.

use crate::compiled::{Code, Reading};

/// The code of the diagnostic that the front ends are in another module, which has not loaded.
pub const NOT_LOADED: &str = "not-loaded";

/// Reads compiled code by the front ends of this crate.
#[cfg(feature = "front")]
#[must_use]
pub fn read(code: &Code) -> Reading {
    crate::front::kernel::read(code)
}

/// Sets the function that reads compiled code in a build without the feature `front`.
#[cfg(feature = "front")]
pub const fn read_by(_: fn(&Code) -> Option<Reading>) {}

#[cfg(not(feature = "front"))]
pub use elsewhere::{read, read_by};

#[cfg(not(feature = "front"))]
mod elsewhere {
    extern crate std;

    use super::{Code, NOT_LOADED, Reading};
    use crate::diagnostic::{Diagnostic, Span, Suggestion};
    use std::sync::OnceLock;

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
            let error = Diagnostic::error(NOT_LOADED, Span::default(), message);
            Reading { error: Some(Diagnostic { suggestion, ..error }), ..Reading::default() }
        })
    }
}
