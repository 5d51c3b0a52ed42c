// The marks in the text: colours, problems, findings, and the line of the current step.
import { Facet, RangeSet, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter, gutterLineClass } from "@codemirror/view";

/** Longest text with colours, in UTF-16 code units. */
const COLOURED = 200_000;
/** In the order of `web/src/protocol/tints.rs`. */
const TINTS = ["comment", "string", "number", "word", "operation", "object"].map((name) => Decoration.mark({ class: `t-${name}` }));

/** The engine: `tints`, `meaning`, `candidates` and `laid_out` of a text. */
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

/** Lines with expectations, which lessons hide. */
const seek = ({ doc }) => {
  const found = doc.length > COLOURED ? [] : [...doc.toString().matchAll(/^[ \t]*expect\b/gm)];
  return Decoration.set(found.map(({ index }) => expectLine.range(index)));
};

const expectations = StateField.define({
  create: seek,
  update: (value, change) => (change.docChanged ? seek(change.state) : value),
  provide: (field) => EditorView.decorations.from(field),
});

/** Sets the marks: `{ problems, faults }`. */
export const setMarks = StateEffect.define();
/** Sets the line of the current step; 0 for none. */
export const setStep = StateEffect.define();
/** Sets the line that a sentence names, while the pointer is over it; 0 for none. */
export const setNamed = StateEffect.define();

/** The problems of the text, with their current positions. */
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

/** Changes the appearance of a line number. */
class Look extends GutterMarker {
  constructor(name) {
    super();
    this.elementClass = `cm-line-${name}`;
  }

  eq(other) {
    return this.elementClass === other.elementClass;
  }
}

/** A sign next to a line. */
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

/** The findings, one sign per line. */
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

/** The appearance of line numbers: problems take precedence over the current step. */
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

/** The start of the line of the current step; -1 for none. */
export const step = StateField.define({
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

const namedLine = Decoration.line({ class: "cm-named" });

/** The line that a sentence names. */
const named = StateField.define({
  create: () => Decoration.none,
  update(value, change) {
    const set = change.effects.find((effect) => effect.is(setNamed));
    const { doc } = change.state;
    if (set) return set.value >= 1 && set.value <= doc.lines ? Decoration.set([namedLine.range(doc.line(set.value).from)]) : Decoration.none;
    return change.docChanged ? Decoration.none : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const signs = gutter({ class: "cm-signs", markers: (view) => view.state.field(faults), initialSpacer: () => null });

export const marks = [colours, expectations, problems, numbers, step, named, faults, signs];
