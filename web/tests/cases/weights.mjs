// Brotli sizes of the page's files. All are printed, and a size above its gate fails.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { truth } from "../expect.mjs";
import { weigh } from "../server.mjs";

/** Aim and gate of each part, in bytes, as in `crates/xtask/src/page/weigh.rs`. */
const GATES = { first: [200_000, 260_000], wasm: [160_000, 220_000], editor: [90_000, 120_000], engine: [600_000, 906_000], front: [250_000, 400_000] };
/** Files that load on request, after the first paint, or with pages of the course. */
const LATER = /^(more|engine|front|compiled\.js|worker\.js|editor|offline|embed\.js|embedded|lesson|tide-gate|asking|lanes|mentions|overview|passages|table|course)/;
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

export const cases = {
  "the page is small": async ({ dist }) => {
    const load = (name) => weigh(readFileSync(join(dist, name)));
    const names = readdirSync(dist).filter((name) => /\.(html|js|css|wasm|svg)$/.test(name) && !LATER.test(name));
    const sizes = Object.fromEntries(names.map((name) => [name, load(name)]));
    const found = {
      first: Object.values(sizes).reduce((sum, size) => sum + size, 0),
      wasm: sizes["tidegate-web_bg.wasm"],
      editor: load("editor.js"),
      engine: load("engine_bg.wasm") + load("engine.js") + load("worker.js") + load("compiled.js"),
      front: load("front_bg.wasm") + load("front.js"),
    };
    for (const [part, size] of Object.entries(found)) {
      const [aim, gate] = GATES[part];
      console.log(`     ${`${part}, brotli`.padEnd(52)} ${kilobytes(size).padStart(22)}   aim ${kilobytes(aim)}, gate ${kilobytes(gate)}`);
      truth(size <= gate, `at most ${gate} bytes of ${part}, found ${size}`);
    }
  },
};
