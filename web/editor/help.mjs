// Help in the editor: problems, meanings and completions. The engine provides them; this module shows them.
import { acceptCompletion, autocompletion, completionStatus, moveCompletionSelection, selectedCompletionIndex } from "@codemirror/autocomplete";
import { hoverTooltip } from "@codemirror/view";
import { engine, problems } from "./marks.mjs";

const element = (name, className, text) => {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
};

/** Returns an element with a text; text between backticks is code. */
const prose = (name, className, text) => {
  const made = element(name, className, "");
  made.append(...text.split("`").map((part, at) => (at % 2 ? element("code", "", part) : part)));
  return made;
};

const meaning = hoverTooltip((view, place) => {
  const [pos, end, word, sentence, source] = view.state.facet(engine).meaning(view.state.doc.toString(), place);
  if (word === undefined) return null;
  const create = () => {
    const dom = element("div", "cm-meaning", "");
    dom.append(element("p", "cm-meaning__word", word), prose("p", "", sentence));
    if (source) dom.append(element("p", "cm-meaning__source", source));
    return { dom };
  };
  return { pos, end, above: true, create };
});

const problemBox = (view, { severity, message, hint, replacement }, from, to) => {
  const dom = element("div", "cm-problem", "");
  dom.dataset.severity = severity;
  dom.append(prose("p", "", message));
  if (hint) dom.append(prose("p", "cm-meaning__source", hint));
  if (replacement !== undefined) {
    const button = element("button", "button button--small", `Replace with ${replacement}`);
    button.onclick = () => view.dispatch({ changes: { from, to, insert: replacement } });
    dom.append(button);
  }
  return dom;
};

const problem = hoverTooltip((view, place) => {
  const here = [];
  view.state.field(problems).between(place, place, (from, to, { spec }) => void here.push([spec.problem, from, to]));
  if (!here.length) return null;
  const create = () => {
    const dom = element("div", "", "");
    dom.append(...here.map(([each, from, to]) => problemBox(view, each, from, to)));
    return { dom };
  };
  return { pos: here[0][1], end: here[0][2], above: true, create };
});

const TYPES = ["word", "operation", "name", "identifier"];

/** Converts the engine's list of completions: the start of the word, then text, kind and meaning of each. */
const candidates = ({ state, pos, explicit }) => {
  const [from, ...parts] = state.facet(engine).candidates(state.doc.toString(), pos);
  if (!parts.length || (from === pos && !explicit)) return null;
  const options = [];
  for (let at = 0; at < parts.length; at += 3) {
    const [label, kind, means] = parts.slice(at, at + 3);
    // The first sentence stands beside the word, because nothing is chosen at first.
    const detail = means?.split(/[.:;] /)[0].replaceAll("`", "").replace(/\.$/, "");
    options.push({ label, detail, type: TYPES[kind], info: means ? () => prose("p", "", means) : undefined });
  }
  return { from, options, validFor: /^[\w.:=@-]*$/ };
};

/** Accepts the chosen completion, or the first one if none is chosen; without completions Tab leaves the editor. */
export const takeCandidate = (view) => {
  if (completionStatus(view.state) !== "active") return false;
  if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
};

/** Enter inserts a line break unless a completion is chosen. */
export const help = [meaning, problem, autocompletion({ override: [candidates], icons: false, selectOnOpen: false })];
