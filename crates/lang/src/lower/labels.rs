//! Labels, and PTX blocks with local labels.

use super::unit::Lowering;
use crate::diagnostic::Diagnostic;
use crate::suggest;
use alloc::format;
use alloc::string::String;

impl Lowering<'_, '_, '_> {
    /// Resolves branches. Backward branches are refused if iterations must be counted (`count`), because loops made of
    /// labels are not tracked.
    pub(super) fn resolve_labels(&mut self, count: bool) {
        for (at, name) in core::mem::take(&mut self.branches) {
            if let Some(&target) = self.labels.get(&name.text) {
                self.patch(at, target);
                if count && target <= at {
                    let message = "OpenCL barriers depend on loop iterations: write this loop as `loop`, `while`, `for` or `repeat`";
                    self.reports.error("loop-of-labels", name.span, String::from(message));
                }
                continue;
            }
            // Never evaluated, because the error is reported; the target must still be in the code.
            self.patch(at, at);
            if self.reports.is_full() {
                continue;
            }
            let suggestion = suggest::instead(&name.text, self.labels.keys().map(String::as_str));
            let message = format!("this body has no label `{}`", name.text);
            self.reports.push(Diagnostic {
                suggestion,
                ..Diagnostic::error("unknown-label", name.span, message)
            });
        }
    }
}
