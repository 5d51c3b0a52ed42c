//! The check of `opencl.named.limit`.

/// Named barriers that every implementation provides for a work-group.
pub const PORTABLE: usize = 8;

/// Whether this number of named barriers exceeds what every implementation provides.
#[must_use]
pub const fn exceeds(objects: usize) -> bool {
    objects > PORTABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_named_barriers_are_portable() {
        assert!(!exceeds(8) && exceeds(9));
    }
}
