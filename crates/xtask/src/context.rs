//! Paths: the repository, the folder of tools, the folder of build results.

use crate::stale;
use anyhow::{Context as _, Result};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The paths that tasks use.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// The root of the repository.
    pub(crate) root: PathBuf,
    /// The folder of tools, outside the repository.
    pub(crate) tools: PathBuf,
    /// The folder in which cargo puts build results, if it is not the default.
    target: Option<PathBuf>,
    /// Whether this run is continuous integration.
    pub(crate) ci: bool,
}

impl Context {
    /// Finds the paths and creates the folder of tools.
    pub(crate) fn find() -> Result<Self> {
        // Cargo passes the folder of this crate at run time. The compiled-in path may be that of another clone that
        // shares the folder of build results.
        let manifest =
            env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).ancestors().nth(2).context("no repository")?;
        let tools = match env::var_os("TIDEGATE_TOOLS") {
            Some(folder) => std::path::absolute(folder)?,
            None => cache_home()?.join("tidegate").join("tools"),
        };
        fs::create_dir_all(tools.join("bin")).with_context(|| {
            format!("cannot create {}; set TIDEGATE_TOOLS to a writable folder", tools.display())
        })?;
        Ok(Self { root: root.to_path_buf(), tools, target: None, ci: false })
    }

    /// Paths for a test.
    #[cfg(test)]
    pub(crate) fn at(root: PathBuf, tools: PathBuf) -> Self {
        Self { root, tools, target: None, ci: false }
    }

    /// The same paths for continuous integration. Build results stay in the folder of tools, so that a fresh clone does
    /// not rebuild its dependencies. The results of this workspace are removed first, so that no outdated result is
    /// used.
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

    /// A program of this workspace that was built with the profile of the tests.
    pub(crate) fn built(&self, name: &str) -> PathBuf {
        let inherited = || env::var_os("CARGO_TARGET_DIR").map(|folder| self.root.join(folder));
        let target = self.target.clone().or_else(inherited);
        let target = target.unwrap_or_else(|| self.root.join("target"));
        target.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// The search path: our tools, then the inherited path, then cargo's own folder of programs.
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
