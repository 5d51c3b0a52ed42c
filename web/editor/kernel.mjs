// What was understood of a kernel: a stripe beside each line with an instruction, a legend, and the line of the source.
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { GutterMarker, gutter, showPanel } from "@codemirror/view";
import { engine, setMarks, step } from "./marks.mjs";

/** In the order of `web/src/engine/understood.rs`: the class, its name in the legend, and what it means. */
const CLASSES = [
  ["synchronises", "synchronise", "Synchronises or orders memory"],
  ["accesses", "access", "Accesses memory"],
  ["branches", "branch", "Branches, calls or ends"],
  ["computes", "compute", "Only computes values"],
  ["ignored", "ignored", "Ignored: not known to the reader of this language, and without effect on the verdict"],
  ["unmodelled", "not modelled", "Not modelled: the verdict is inconclusive if an agent reaches this line"],
];

class Stripe extends GutterMarker {
  constructor(number, source) {
    super();
    Object.assign(this, { number, source });
  }

  eq(other) {
    return this.number === other.number && this.source === other.source;
  }

  toDOM() {
    const stripe = document.createElement("i");
    const [name, , means] = CLASSES[this.number];
    stripe.className = "cm-stripe";
    stripe.dataset.class = name;
    stripe.title = this.source ? `${means} (${this.source})` : means;
    return stripe;
  }
}

const NONE = { stripes: RangeSet.empty, counts: "", legend: null };

const pairs = (flat) => Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at], flat[2 * at + 1]]);

/** Reads what the engine understood of the text. */
const read = (state, before) => {
  const { doc } = state;
  const [classes, places] = state.facet(engine).understood(doc.toString());
  if (!classes.length) return NONE;
  const sources = new Map(pairs(places));
  const lines = pairs(classes).filter(([line]) => line <= doc.lines);
  const stripes = RangeSet.of(lines.map(([line, number]) => new Stripe(number, sources.get(line)).range(doc.line(line).from)));
  const count = CLASSES.map((_, number) => lines.filter(([, other]) => other === number).length);
  const counts = count.join();
  return { stripes, counts, legend: before.counts === counts ? before.legend : () => legend(count) };
};

const made = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text });

/** Returns the place in the source of the line of the current step. */
const sourceOf = (state) => {
  const at = state.field(step);
  let found = "";
  if (at >= 0) state.field(kernel).stripes.between(at, at, (_from, _to, { source }) => void (found = source ?? ""));
  return found;
};

/** The number of lines of each class, and where the current step comes from. */
const legend = (count) => {
  const dom = made("div", "cm-kernel", "");
  dom.setAttribute("role", "group");
  dom.setAttribute("aria-label", "Lines of the kernel");
  for (const [number, [name, label, means]] of CLASSES.entries()) {
    if (!count[number]) continue;
    const part = made("span", "cm-kernel__part", "");
    part.title = means;
    const stripe = made("i", "cm-stripe", "");
    stripe.dataset.class = name;
    part.append(stripe, `${count[number]} ${label}`);
    dom.append(part);
  }
  const source = made("span", "cm-kernel__source", "");
  dom.append(source);
  const update = ({ state }) => {
    const place = sourceOf(state);
    const text = place && `step at ${place}`;
    if (source.textContent !== text) source.textContent = text;
  };
  return { dom, update };
};

/** Asks the engine again, after the front ends have loaded. */
export const readAgain = StateEffect.define();

const kernel = StateField.define({
  create: () => NONE,
  update(value, change) {
    if (change.effects.some((effect) => effect.is(setMarks) || effect.is(readAgain))) return read(change.state, value);
    return change.docChanged && value !== NONE ? { ...value, stripes: value.stripes.map(change.changes) } : value;
  },
  provide: (field) => showPanel.from(field, ({ legend }) => legend),
});

const stripes = gutter({ class: "cm-stripes", markers: (view) => view.state.field(kernel).stripes, initialSpacer: () => null });

export const understood = [kernel, stripes];
