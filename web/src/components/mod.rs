//! What is seen. Components hold no logic: they show signals of the state and call its methods.

mod agents;
mod controls;
mod dialog;
mod edges;
mod editor;
mod execution;
mod expectations;
mod finding;
mod findings;
mod icon;
mod inquiry;
mod keys;
mod lanes;
mod memory;
mod moves;
mod notice;
mod objects;
mod page;
mod palette;
mod panels;
mod problems;
mod prose;
mod readings;
mod relations;
mod scenarios;
mod sharing;
mod targets;
mod top_bar;
mod verdict_bar;
mod view;
mod work;

pub(crate) use page::page;
