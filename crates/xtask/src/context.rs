//! Where things are: the repository, the folder of tools, the folder of build results.

use crate::stale;
use anyhow::{Context as _, Result};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The places that tasks work in.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// The root of the repository.
    pub(crate) root: PathBuf,
    /// The folder of tools, outside the repository.
    pub(crate) tools: PathBuf,
    /// Where cargo puts build results, where that is not cargo's own choice.
    target: Option<PathBuf>,
    /// Whether this is a run of continuous integration.
    pub(crate) ci: bool,
}

impl Context {
    /// Finds the places and makes the folder of tools.
    pub(crate) fn find() -> Result<Self> {
        // Cargo says at every run where this crate is; what was compiled in may be of another clone that shares a
        // folder of build results.
        let manifest =
            env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).ancestors().nth(2).context("no repository")?;
        let tools = match env::var_os("TIDEGATE_TOOLS") {
            Some(folder) => std::path::absolute(folder)?,
            None => cache_home()?.join("tidegate").join("tools"),
        };
        fs::create_dir_all(tools.join("bin")).with_context(|| {
            format!(
                "cannot make {}; set TIDEGATE_TOOLS to a folder that can be written",
                tools.display()
            )
        })?;
        Ok(Self { root: root.to_path_buf(), tools, target: None, ci: false })
    }

    /// Places for a test.
    #[cfg(test)]
    pub(crate) fn at(root: PathBuf, tools: PathBuf) -> Self {
        Self { root, tools, target: None, ci: false }
    }

    /// The same places for continuous integration: build results stay in the folder of tools, so that a fresh clone
    /// need not build its dependencies again. What earlier runs built of this workspace itself is removed first, so
    /// that nothing of an older source can pass for the present one.
    pub(crate) fn for_ci(mut self) -> Result<Self> {
        self.ci = true;
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => self.root.join(folder),
            None => self.tools.join("target"),
        };
        stale::remove(&target)?;
        self.target = Some(target);
        Ok(self)
    }

    /// A program that runs in the root of the repository and finds our tools first.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", self.path());
        if let Some(target) = &self.target {
            command.env("CARGO_TARGET_DIR", target);
        }
        command
    }

    /// Cargo, in the root of the repository.
    pub(crate) fn cargo(&self) -> Command {
        self.command("cargo")
    }

    /// The search path: our tools, then what was there, then cargo's own folder of programs.
    pub(crate) fn path(&self) -> OsString {
        let inherited = env::var_os("PATH").unwrap_or_default();
        let cargo_home = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| home().map(|home| home.join(".cargo")));
        let folders = [self.tools.join("bin")]
            .into_iter()
            .chain(env::split_paths(&inherited))
            .chain(cargo_home.map(|folder| folder.join("bin")));
        env::join_paths(folders).unwrap_or(inherited)
    }

    /// The first program of one of these names on our search path.
    pub(crate) fn which(&self, names: &[&str]) -> Option<PathBuf> {
        let path = self.path();
        names.iter().find_map(|name| {
            env::split_paths(&path)
                .map(|folder| folder.join(name))
                .find(|candidate| candidate.is_file())
        })
    }
}

fn home() -> Option<PathBuf> {
    env::var_os("HOME").map(PathBuf::from)
}

fn cache_home() -> Result<PathBuf> {
    env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
        .or_else(|| home().map(|home| home.join(".cache")))
        .context("neither HOME nor TIDEGATE_TOOLS is set: set TIDEGATE_TOOLS to a folder for tools")
}
