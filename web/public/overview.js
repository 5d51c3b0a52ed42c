// Draws the overview of an execution: time downwards, a column for each lane, phases on the left, findings on the right.
/** Width of the phases and of the findings, in pixels. */
const [PHASES, FOUND] = [13, 6];
/** Largest height of a row, in pixels. */
const TALLEST = 6;
/** Number of colours of objects. */
const TONES = 6;
const [WAIT, ACCESS, BROKE, RACE] = [1, 2, 4, 8];

/** Returns colours as the canvas takes them. */
const coloursOf = (element, names) => {
  const probe = document.createElement("i");
  element.append(probe);
  const colours = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colours;
};

export const drawn = {
  /** The height of a row in a strip. */
  scale: (height, rows) => Math.min(TALLEST, height / Math.max(1, rows)),
  /** Where the lanes begin and end in a strip. */
  lanes: (width) => [PHASES, width - FOUND],
  /** Draws an execution; `chosen` are the rows to mark. */
  draw(canvas, packed, chosen) {
    const { clientWidth: width, clientHeight: height } = canvas.parentElement;
    const ratio = devicePixelRatio;
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    const paint = canvas.getContext("2d");
    paint.scale(ratio, ratio);
    const [, lanes, bands, bars] = packed;
    const first = 4 + 4 * bands + 3 * bars;
    const rows = (packed.length - first) / 3;
    const scale = this.scale(height, rows);
    const tall = Math.max(scale, 1 / ratio);
    const [left, right] = this.lanes(width);
    const wide = (right - left) / Math.max(1, lanes);
    const [quiet, wait, broke, race, accent, copy, ...tones] = coloursOf(canvas.parentElement, ["edge", "deadlock", "ub", "race", "accent", "copy", ...Array.from({ length: TONES }, (_, at) => `tone-${at}`)]);
    const fill = (colour, x, y, w, h) => {
      paint.fillStyle = colour;
      paint.fillRect(x, y, w, h);
    };
    // In a long execution, many rows share a pixel: of a column, only the first of them is drawn.
    const last = new Map();
    const isHidden = (column, from, to) => {
      const [start, end] = [Math.floor(from * scale * ratio), Math.floor((to + 1) * scale * ratio)];
      const hidden = last.get(column) === start && end <= start + 1;
      last.set(column, start);
      return hidden;
    };
    for (let at = 4; at < 4 + 4 * bands; at += 4) {
      const [object, from, to] = packed.subarray(at, at + 3);
      if (isHidden(object % TONES, from, to)) continue;
      fill(tones[object % TONES], 1 + (object % TONES) * 2, from * scale, 1.5, Math.max((to + 1 - from) * scale - 0.5, tall));
    }
    paint.globalAlpha = 0.35;
    last.clear();
    for (let at = 4 + 4 * bands; at < first; at += 3) {
      const [lane, from, to] = packed.subarray(at, at + 3);
      if (lane < lanes && !isHidden(lane, from, to)) fill(wait, left + (lane + 0.3) * wide, from * scale, Math.max(0.4 * wide, 0.5), (to + 1 - from) * scale);
    }
    paint.globalAlpha = 1;
    const performed = packed[0];
    last.clear();
    for (let row = 0, at = first; row < rows; row += 1, at += 3) {
      const [lane, kind] = [packed[at], packed[at + 1]];
      if (lane >= lanes) continue;
      const [object, flags] = [kind & 0xffff, kind >>> 16];
      if (isHidden(lane, row, row) && !(flags & (BROKE | RACE))) continue;
      const colour = flags & BROKE ? broke : flags & RACE ? race : object ? tones[(object - 1) % TONES] : flags & ACCESS ? copy : quiet;
      paint.globalAlpha = row < performed ? 1 : 0.4;
      const part = flags & WAIT ? 0.5 : 0.9;
      fill(colour, left + lane * wide + ((1 - part) / 2) * wide, row * scale, Math.max(part * wide, 1), Math.max(tall * 0.9, 1 / ratio));
      if (flags & (BROKE | RACE)) fill(colour, width - FOUND + 1, row * scale - 1.5, FOUND - 1, Math.max(tall, 4));
    }
    paint.globalAlpha = 1;
    for (const row of chosen) fill(accent, width - FOUND + 1, row * scale, 2, Math.max(tall, 1));
  },
};
