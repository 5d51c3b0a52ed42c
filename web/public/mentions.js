// Lines that a sentence names: the pointer or the focus marks the line in the editor and the operations on it, and a click
// keeps its steps marked.
const NAME = ".goes";
const CONTEXT = "p, li, td, dd, summary, div";

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
let shown;

const lineOf = (mention) => Number(mention.textContent.match(/\d+/)?.[0]);

/** The text from the previous line of the sentence to this one, which names the agents. */
const before = (mention) => {
  const sentence = mention.closest(CONTEXT);
  const range = document.createRange();
  range.selectNodeContents(sentence);
  range.setEndBefore(mention);
  const previous = [...sentence.querySelectorAll(NAME)].findLast((other) => other.compareDocumentPosition(mention) & Node.DOCUMENT_POSITION_FOLLOWING);
  if (previous) range.setStartAfter(previous);
  return range.toString();
};

/** Whether a text contains a name as whole words: `warp 1` is not in `warp 11`. */
const names = (text, name) => text.split(name).slice(1).some((rest) => !/^\w/.test(rest));

const mark = (mention) => {
  if (mention === shown) return;
  shown = mention;
  const line = mention ? lineOf(mention) : 0;
  document.querySelector(".editor__code")?.editor?.name(line);
  if (!line) return sheet.replaceSync("");
  const text = before(mention);
  const own = [...document.querySelectorAll(`.board [data-line="${line}"][data-agent]`)].map((node) => node.dataset.agent);
  const agents = [...new Set(own)].filter((agent) => names(text, agent));
  const parts = agents.length ? agents.map((agent) => `[data-agent="${CSS.escape(agent)}"]`) : [""];
  const rules = parts.map((part) => `.board [data-line="${line}"]${part} { outline: 2px solid var(--accent); outline-offset: 1px; }`);
  sheet.replaceSync(rules.join("\n"));
};

const markAt = ({ target }) => mark(target.closest?.(NAME) ?? undefined);
addEventListener("pointerover", markAt, { passive: true });
addEventListener("focusin", markAt);
addEventListener("focusout", () => mark());
addEventListener("click", ({ target }) => {
  const mention = target.closest?.(NAME);
  if (mention) dispatchEvent(new CustomEvent("line", { detail: lineOf(mention) }));
});
