// A lesson: the verdict is hidden until the reader has chosen one. `theme.js` loads this if the address contains `?lesson`,
// and the page loads it if the text has the line `lesson`.
const root = document.documentElement;
const CHOICES = [
  ["ok", "Defined"],
  ["ub", "Undefined"],
  ["violation", "Violation"],
  ["race", "Data race"],
  ["deadlock", "Deadlock"],
  ["unsupported", "Unsupported"],
];
// Verdicts with another name on the page.
const NAMES = { launch: "ok", empty: "ok" };
const STYLES = `
  .lesson { display: flex; flex-wrap: wrap; flex: none; align-items: center; gap: var(--gap-2); min-height: 4.25rem; padding: var(--gap-2) var(--gap-4); border-bottom: 1px solid var(--rule); background: var(--surface); }
  .lesson__question { margin-right: var(--gap-3); font-size: var(--title); font-weight: 650; }
  [data-answered] .lesson { min-height: 0; }
  :root:not([data-lesson]) .lesson { display: none; }`;

const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text });

const judged = (bar) => bar.dataset.judged !== "0" && !["checking", "invalid"].includes(bar.dataset.verdict) && !bar.classList.contains("verdict--stale");

/** Shows the verdict, and compares it with the chosen one. */
const answer = (bar, form, [chosen, name]) => {
  const verdict = NAMES[bar.dataset.verdict] ?? bar.dataset.verdict;
  const right = verdict === chosen;
  root.dataset.answered = right ? "right" : "wrong";
  const other = new Map(CHOICES).get(verdict);
  const message = right ? `Correct: the verdict is ${name}.` : `Not quite. You chose ${name}; ${other ? `the verdict is ${other}` : "the search is inconclusive"}.`;
  const line = element("p", "", message);
  line.setAttribute("role", "status");
  form.replaceChildren(line);
};

const ask = (bar) => {
  const form = element("section", "lesson", "");
  form.setAttribute("aria-label", "What is the verdict?");
  form.append(element("p", "lesson__question", "What is the verdict?"));
  for (const choice of CHOICES) {
    const button = element("button", "button", choice[1]);
    button.type = "button";
    button.addEventListener("click", () => judged(bar) && answer(bar, form, choice));
    form.append(button);
  }
  bar.before(form);
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLES);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
const place = () => {
  const bar = document.querySelector(".verdict");
  if (bar) ask(bar);
  return Boolean(bar);
};

/** Asks the question, instead of an earlier one. */
export const begin = () => {
  for (const before of document.querySelectorAll(".lesson")) before.remove();
  if (place()) return;
  const watch = new MutationObserver(() => place() && watch.disconnect());
  watch.observe(root, { childList: true, subtree: true });
};
if (new URLSearchParams(location.search).has("lesson")) begin();
