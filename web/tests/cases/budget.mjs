// Weights and times of the page. All are printed, and a value above its gate fails; the best round of a time counts.
import { truth, within } from "../expect.mjs";
import { large } from "../scenarios.mjs";

/** As in `crates/xtask/src/page/weigh.rs`. */
const GATES = { first: 260_000, embed: 230_000 };
const ms = (value) => `${value.toFixed(1)} ms`;
const at = (values, part) => values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
const print = (what, value, aim) => console.log(`     ${what.padEnd(52)} ${value.padStart(22)}   aim ${aim}`);

/** Returns the milliseconds from navigation to the first verdict, and to the loaded engine. */
async function usable(tide, engine = true) {
  await tide.page.addInitScript(() => {
    new MutationObserver(() => {
      const judged = document.querySelector(".verdict")?.dataset.judged;
      if (judged && judged !== "0") window.usable ??= performance.now();
      if (document.querySelector(".verdict")?.dataset.engine === "ready") window.whole ??= performance.now();
    }).observe(document, { childList: true, subtree: true, attributes: true });
  });
  await tide.open("", { engine });
  return tide.page.evaluate(() => [window.usable, window.whole]);
}

/** Returns the milliseconds until each of several changes is painted. */
const painted = (page, times, kind) =>
  page.evaluate(
    async ([times, kind]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = resolve;
        channel.port2.postMessage(0);
      }));
      const bar = document.querySelector(".verdict");
      const judged = () => new Promise((resolve) => {
        const watch = new MutationObserver(() => { watch.disconnect(); resolve(); });
        watch.observe(bar, { attributes: true, attributeFilter: ["data-judged"] });
      });
      const { view } = document.querySelector(".editor__code").editor;
      const results = [];
      for (let count = 0; count < times; count += 1) {
        await frame();
        const start = performance.now();
        if (kind === "keystroke") {
          const done = judged();
          view.dispatch({ changes: { from: view.state.doc.length, insert: count % 20 === 0 ? "\n#" : "x" }, userEvent: "input.type" });
          await done;
        } else {
          document.querySelector(`[aria-label="${count % 2 ? "Step forward" : "Step back"}"]`).click();
        }
        const changed = performance.now() - start;
        await frame();
        results.push([changed, performance.now() - start]);
      }
      return results;
    },
    [times, kind],
  );

export const cases = {
  "the first verdict needs few bytes, in a browser": async ({ fresh }) => {
    const tide = await fresh();
    await usable(tide, false);
    const { bytes, names } = await tide.page.evaluate(() => {
      const loads = performance.getEntriesByType("resource").filter((load) => load.responseEnd < window.usable);
      const whole = [...performance.getEntriesByType("navigation"), ...loads];
      return { bytes: whole.reduce((sum, load) => sum + load.encodedBodySize, 0), names: whole.map((load) => load.name) };
    });
    print("fetched before the first verdict, brotli", `${(bytes / 1000).toFixed(1)} kB`, "200 kB, gate 260 kB");
    truth(!names.some((name) => name.includes("engine")), `no engine among ${names.join(", ")}`);
    truth(bytes > 50_000 && bytes <= GATES.first, `at most ${GATES.first} bytes, found ${bytes}`);
  },
  "a read-only embed needs few bytes, in a browser": async ({ fresh }) => {
    const tide = await fresh();
    await tide.open("?embed=verdict,text", { engine: false });
    const bytes = await tide.page.evaluate(() => {
      const loads = performance.getEntriesByType("resource").filter(({ name }) => !/engine|worker|library/.test(name));
      return [...performance.getEntriesByType("navigation"), ...loads].reduce((sum, load) => sum + load.encodedBodySize, 0);
    });
    print("an embed, read only, with all but the engine, brotli", `${(bytes / 1000).toFixed(1)} kB`, "170 kB, gate 230 kB");
    truth(bytes > 50_000 && bytes <= GATES.embed, `at most ${GATES.embed} bytes, found ${bytes}`);
  },
  "times from opening to a verdict": async ({ fresh }) => {
    const first = async (tide) => {
      const [first, whole] = await usable(tide);
      print("first verdict / with the engine", `${ms(first)} / ${ms(whole)}`, "none of its own");
      return first;
    };
    await within(1000, "usable, desktop", "600", async () => first(await fresh()));
    let slow;
    await within(6000, "usable, 6 times slower, 1 Mbit/s, cold", "4000", async () => {
      slow = await fresh();
      const session = await slow.page.context().newCDPSession(slow.page);
      await session.send("Network.enable");
      await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
      await session.send("Network.emulateNetworkConditions", { offline: false, latency: 40, downloadThroughput: 125_000, uploadThroughput: 125_000 });
      return first(slow);
    });
    await within(2000, "the same, warm", "1000", () => first(slow));
  },
  "times of a keystroke and of a step, 8 agents of 40 operations": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(large(8, 40));
    await tide.editor.blur();
    await tide.page.evaluate(async () => {
      for (let move; (move = document.querySelector("button.move")); ) {
        move.click();
        await new Promise((resolve) => setTimeout(resolve));
      }
    });
    const { cursor } = await tide.steps();
    truth(cursor >= 300, `an execution of at least 300 steps, found ${cursor}`);
    for (const [kind, what, aim, gate] of [["keystroke", "keystroke to verdict", "16 / 50", 100], ["step", "step or undo", "16", 50]]) {
      await painted(tide.page, 4, kind);
      await within(gate, `${what}, painted, 95 %`, aim, async () => {
        const results = await painted(tide.page, 60, kind);
        const [changed, shown] = [0, 1].map((index) => results.map((result) => result[index]));
        print(`${what} in the page, median / 95 %`, `${ms(at(changed, 0.5))} / ${ms(at(changed, 0.95))}`, `${aim} ms`);
        print(`${what} painted, median / 95 %`, `${ms(at(shown, 0.5))} / ${ms(at(shown, 0.95))}`, `${aim} ms`);
        return at(shown, 0.95);
      });
    }
  },
};
