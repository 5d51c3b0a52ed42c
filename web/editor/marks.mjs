// What is marked in the text: its colours, what is wrong with it, where findings are, the line of the current step.
import { Facet, RangeSet, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter, gutterLineClass } from "@codemirror/view";

/** Longest text that has colours, in UTF-16 code units. */
const COLOURED = 200_000;
/** As in `web/src/protocol/tints.rs`. */
const TINTS = ["comment", "string", "number", "word", "operation", "object"].map((name) => Decoration.mark({ class: `t-${name}` }));

/** The engine: `tints`, `meaning`, `candidates`, `laid_out` of a text. */
export const engine = Facet.define({ combine: ([first]) => first });

const paint = (state) => {
  const builder = new RangeSetBuilder();
  const tints = state.doc.length > COLOURED ? [] : state.facet(engine).tints(state.doc.toString());
  for (let at = 0; at < tints.length; at += 3) builder.add(tints[at], tints[at + 1], TINTS[tints[at + 2]]);
  return builder.finish();
};

const colours = StateField.define({
  create: paint,
  update: (value, change) => (change.docChanged ? paint(change.state) : value),
  provide: (field) => EditorView.decorations.from(field),
});

const expectLine = Decoration.line({ class: "cm-expect" });

/** Lines that say what is expected: lessons hide them. */
const seek = ({ doc }) => {
  const found = doc.length > COLOURED ? [] : [...doc.toString().matchAll(/^[ \t]*expect\b/gm)];
  return Decoration.set(found.map(({ index }) => expectLine.range(index)));
};

const expectations = StateField.define({
  create: seek,
  update: (value, change) => (change.docChanged ? seek(change.state) : value),
  provide: (field) => EditorView.decorations.from(field),
});

/** Takes in what is wrong: `{ problems, faults }`. */
export const setMarks = StateEffect.define();
/** Takes in the line of the current step; 0 is none. */
export const setStep = StateEffect.define();

/** The problems of the text, each with its place now. */
export const problems = StateField.define({
  create: () => RangeSet.empty,
  update(value, change) {
    const set = change.effects.find((effect) => effect.is(setMarks));
    if (!set) return value.map(change.changes);
    const length = change.state.doc.length;
    const ranges = set.value.problems.map((problem) => {
      const from = Math.min(problem.from, Math.max(0, length - 1));
      return underline(problem).range(from, Math.min(length, Math.max(problem.to, from + 1)));
    });
    return Decoration.set(ranges.filter(({ from, to }) => from < to), true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const underline = (problem) => Decoration.mark({ class: "t-marked", attributes: { "data-severity": problem.severity }, problem });

/** What makes the number of a line look different. */
class Look extends GutterMarker {
  constructor(name) {
    super();
    this.elementClass = `cm-line-${name}`;
  }

  eq(other) {
    return this.elementClass === other.elementClass;
  }
}

/** A sign beside a line. */
class Sign extends GutterMarker {
  constructor(tone, glyph, title) {
    super();
    Object.assign(this, { tone, glyph, title });
  }

  eq(other) {
    return this.tone === other.tone && this.title === other.title;
  }

  toDOM() {
    const sign = document.createElement("span");
    sign.className = "cm-sign";
    sign.dataset.tone = this.tone;
    sign.title = this.title;
    sign.textContent = this.glyph;
    return sign;
  }
}

const GLYPHS = { unsupported: "⊘", ub: "✕", deadlock: "‖", race: "≷" };

/** Where findings are, one sign a line. */
const faults = StateField.define({
  create: () => RangeSet.empty,
  update(value, change) {
    const set = change.effects.find((effect) => effect.is(setMarks));
    if (!set) return value.map(change.changes);
    const { doc } = change.state;
    const lines = new Map();
    for (const { line, tone, message } of set.value.faults) {
      if (line < 1 || line > doc.lines) continue;
      const before = lines.get(line);
      lines.set(line, { tone: before?.tone ?? tone, message: before ? `${before.message}\n${message}` : message });
    }
    const signs = [...lines].map(([line, { tone, message }]) => new Sign(tone, GLYPHS[tone] ?? "!", message).range(doc.line(line).from));
    return RangeSet.of(signs, true);
  },
});

/** What the number of a line looks like: problems before the current step. */
const numbers = gutterLineClass.compute([problems, "doc"], (state) => {
  const lines = new Map();
  for (let at = state.field(problems).iter(); at.value; at.next()) {
    const { severity } = at.value.spec.problem;
    const { from } = state.doc.lineAt(at.from);
    if (lines.get(from) !== "error") lines.set(from, severity === "error" ? "error" : "warning");
  }
  return RangeSet.of([...lines].map(([from, tone]) => new Look(tone).range(from)), true);
});

const stepLine = Decoration.line({ class: "cm-step" });
const stepNumber = new Look("step");

/** The first place of the line of the current step; -1 without one. */
const step = StateField.define({
  create: () => -1,
  update(value, change) {
    const set = change.effects.find((effect) => effect.is(setStep));
    const { doc } = change.state;
    if (set) return set.value >= 1 && set.value <= doc.lines ? doc.line(set.value).from : -1;
    return value < 0 ? value : doc.lineAt(change.changes.mapPos(value, 1)).from;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (at) => (at < 0 ? Decoration.none : Decoration.set([stepLine.range(at)]))),
    gutterLineClass.from(field, (at) => (at < 0 ? RangeSet.empty : RangeSet.of([stepNumber.range(at)]))),
  ],
});

const signs = gutter({ class: "cm-signs", markers: (view) => view.state.field(faults), initialSpacer: () => null });

export const marks = [colours, expectations, problems, numbers, step, faults, signs];
