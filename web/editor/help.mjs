// Help in the editor: problems, meanings and completions. The engine provides them; this module shows them.
import { acceptCompletion, autocompletion, clearSnippet, completionStatus, moveCompletionSelection, nextSnippetField, prevSnippetField, selectedCompletionIndex, snippet, snippetKeymap } from "@codemirror/autocomplete";
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
  const [pos, end, word, sentence, source, signature] = view.state.facet(engine).meaning(view.state.doc.toString(), place);
  if (word === undefined) return null;
  const create = () => {
    const dom = element("div", "cm-meaning", "");
    dom.append(element("p", "cm-meaning__word", word));
    if (signature) dom.append(element("p", "cm-meaning__signature", signature));
    dom.append(prose("p", "", sentence));
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

/** Returns what follows the name of an operation in its statement, in one line. */
const operands = (name, statement) => {
  const line = statement.replace(/\$\{([^}]*)\}/g, "$1").replace("\n", "; ");
  return line.slice(line.indexOf(name) + name.length);
};

/**
 * Inserts a statement with fields for Tab to visit, or only the name where more follows on the line. The last field is the end
 * of the statement: an empty field beside another one would take its text.
 */
const inserts = (name, statement) => (view, completion, from, to) => {
  const line = view.state.doc.lineAt(to);
  const isLast = !line.text.slice(to - line.from).trim();
  const fields = statement.endsWith("}") ? statement : `${statement}\${}`;
  snippet(isLast ? fields : name)(view, completion, from, to);
};

/** Converts the engine's list of completions: the start of the word, then text, kind, meaning and statement of each. */
const candidates = ({ state, pos, explicit }) => {
  const [from, ...parts] = state.facet(engine).candidates(state.doc.toString(), pos);
  if (!parts.length || (from === pos && !explicit)) return null;
  const options = [];
  for (let at = 0; at < parts.length; at += 4) {
    const [label, kind, means, statement] = parts.slice(at, at + 4);
    // The first sentence stands beside the word, because nothing is chosen at first.
    const detail = means?.split(/[.:;] /)[0].replaceAll("`", "").replace(/\.$/, "");
    const written = statement ? { operands: operands(label, statement), apply: inserts(label, statement) } : {};
    options.push({ label, detail, type: TYPES[kind], info: means ? () => prose("p", "", means) : undefined, ...written });
  }
  return { from, options, validFor: /^[\w.:=@-]*$/ };
};

/** Accepts the chosen completion, or the first one if none is chosen; without completions Tab leaves the editor. */
export const takeCandidate = (view) => {
  if (completionStatus(view.state) !== "active") return false;
  if (selectedCompletionIndex(view.state) === null) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
};

/** Draws the operands of a completion beside its name. */
const beside = { render: ({ operands }) => operands ? element("span", "cm-completionOperands", operands) : null, position: 60 };

/** Tab accepts a completion before it goes to the next field of a statement. */
const fields = snippetKeymap.of([
  { key: "Tab", run: (view) => takeCandidate(view) || nextSnippetField(view), shift: prevSnippetField },
  { key: "Escape", run: clearSnippet },
]);

/** Enter inserts a line break unless a completion is chosen. */
export const help = [meaning, problem, fields, autocompletion({ override: [candidates], icons: false, selectOnOpen: false, addToOptions: [beside] })];
