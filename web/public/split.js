// Separators between panels: dragged, moved with arrow keys, folded with Enter or a double click. Sizes are kept in this
// browser, in percent of the parent with one decimal; `theme.js` sets them before the first paint.

/** The smallest size of a panel that is not folded, and the largest. */
const [LEAST, MOST] = [8, 85];
/** The change of an arrow key. */
const STEP = 2;
/** The size after which a folded panel opens if it never had another. */
const USUAL = 30;

const root = document.documentElement;
const key = ({ dataset }) => `tidegate.size.${dataset.split}`;
const stacked = (split) => split.getAttribute("aria-orientation") === "horizontal";
/** Whether the sized panel is the one after the separator. */
const isLast = (split) => split.dataset.split !== "text";
const clamp = (size) => (size < LEAST / 2 ? 0 : Math.min(MOST, Math.max(LEAST, Math.round(10 * size) / 10)));

/** The sizes before panels were folded. */
const before = new Map();

/** Returns the size of a panel; nothing for the size in the styles. */
const sizeOf = ({ dataset }) => {
  const size = parseFloat(root.style.getPropertyValue(`--${dataset.split}-size`));
  return Number.isNaN(size) ? undefined : size;
};

const set = (split, size) => {
  const name = `--${split.dataset.split}-size`;
  if (size === undefined) root.style.removeProperty(name);
  else root.style.setProperty(name, `${size}%`);
  split.setAttribute("aria-valuenow", Math.round(size ?? USUAL));
  if (size === 0) split.dataset.folds = isLast(split) ? "next" : "previous";
  else delete split.dataset.folds;
};

const save = (split) => {
  try {
    const size = sizeOf(split);
    if (size === undefined) localStorage.removeItem(key(split));
    else localStorage.setItem(key(split), size.toFixed(1));
  } catch {
    // Storage can be forbidden; sizes then last as long as the page.
  }
};

const turn = (split) => {
  const now = sizeOf(split);
  if (now !== 0) before.set(split, now);
  // A panel that was folded when the page was opened has no earlier size.
  set(split, now === 0 ? (before.has(split) ? before.get(split) : USUAL) : 0);
  save(split);
};

const measured = (split) => {
  const side = stacked(split) ? "clientHeight" : "clientWidth";
  const sized = isLast(split) ? split.nextElementSibling : split.previousElementSibling;
  return (100 * sized[side]) / Math.max(1, split.parentElement[side]);
};

/** Calls a function with the separator of an event. */
const on = (type, act) => addEventListener(type, (event) => {
  const split = event.target.closest?.(".split");
  if (split) act(event, split);
}, true);

let dragged;
on("pointerdown", (event, split) => {
  event.preventDefault();
  split.focus();
  split.setPointerCapture(event.pointerId);
  split.classList.add("split--dragged");
  dragged = split;
});
on("pointermove", ({ clientX, clientY }, split) => {
  if (split !== dragged) return;
  const { left, top, width, height } = split.parentElement.getBoundingClientRect();
  const part = stacked(split) ? (clientY - top) / height : (clientX - left) / width;
  set(split, clamp(100 * (isLast(split) ? 1 - part : part)));
});
on("lostpointercapture", (_, split) => {
  dragged = undefined;
  split.classList.remove("split--dragged");
  save(split);
});
on("dblclick", (_, split) => turn(split));
on("keydown", (event, split) => {
  const grows = isLast(split) ? STEP : -STEP;
  const change = (stacked(split) ? { ArrowUp: grows, ArrowDown: -grows } : { ArrowLeft: grows, ArrowRight: -grows })[event.key];
  if (event.key !== "Home" && event.key !== "Enter" && change === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "Enter") return turn(split);
  set(split, change && clamp((sizeOf(split) ?? measured(split)) + change));
  save(split);
});
for (const split of document.querySelectorAll(".split")) set(split, sizeOf(split));
