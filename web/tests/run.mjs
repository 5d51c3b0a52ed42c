// Runs every case against the built page in a real browser; prints `N passed, N failed`. Cases run in parallel, each group in
// a separate browser, because a browser has one clipboard. Cases that measure times run last and one by one.
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";
import { Tide } from "./tide.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const dist = process.env.TIDEGATE_DIST ?? join(root, "dist");
const wanted = process.argv.slice(2);
const files = readdirSync(join(here, "cases")).filter((name) => name.endsWith(".mjs")).sort();

/** Whether a case measures times, which other cases would disturb. */
const timed = (file, run) => file === "lighthouse.mjs" || /\b(within\(|performance\.)/.test(run);
/** Case files that this build of the page has already passed, separated by spaces. */
const known = new Set((process.env.TIDEGATE_KNOWN ?? "").split(" ").filter(Boolean));
/** Number of parallel cases. */
const BESIDE = Number(process.env.TIDEGATE_BESIDE ?? Math.max(1, Math.min(4, availableParallelism())));

const server = await serve(dist);
let passed = 0;
const failed = [];
const times = [];

/** Runs a case on separate pages; returns the failure, or null. */
async function attempt(browser, run) {
  const pages = [];
  const fresh = async (options) => {
    const tide = await Tide.fresh(browser, server.url, options);
    pages.push(tide);
    return tide;
  };
  try {
    await run({ fresh, browser, dist, root, url: server.url });
    const faults = pages.flatMap((tide) => tide.faults);
    return faults.length ? faults.join("\n") : null;
  } catch (error) {
    return String(error.stack ?? error);
  } finally {
    await Promise.all(pages.map((tide) => tide.close().catch(() => {})));
  }
}

/** Runs a case and prints its result. */
async function judge(browser, [name, run]) {
  const start = performance.now();
  // The machines are shared, so a failing case runs again; the output reports the second try.
  const faults = [await attempt(browser, run), null];
  if (faults[0]) faults[1] = await attempt(browser, run);
  const fault = faults[0] && faults[1];
  if (fault) failed.push(name);
  else passed += 1;
  times.push([(performance.now() - start) / 1000, name]);
  console.log(fault ? `FAIL ${name}` : `ok   ${name}${faults[0] ? " (at the second try)" : ""}`);
  for (const each of faults) if (each) console.log(`     ${each.replaceAll("\n", "\n     ")}`);
}

/** Runs the cases of a queue in a separate browser. */
async function work(queue) {
  const browser = await launch();
  for (let next; (next = queue.shift()); ) await judge(browser, next);
  await browser.close();
}

const parallel = [];
const separate = [];
let skipped = 0;
for (const file of files) {
  const { cases } = await import(join(here, "cases", file));
  for (const [name, run] of Object.entries(cases)) {
    if (wanted.length && !wanted.some((part) => `${file} ${name}`.includes(part))) continue;
    if (known.has(file)) skipped += 1;
    else (timed(file, String(run)) ? separate : parallel).push([name, run]);
  }
}

await Promise.all(Array.from({ length: Math.min(BESIDE, parallel.length) }, () => work(parallel)));
if (separate.length) await work(separate);

server.close();
times.sort(([one], [other]) => other - one);
console.log("\nthe slowest cases:");
for (const [seconds, name] of times.slice(0, 10)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
console.log(`${passed} passed, ${failed.length} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed.length || !passed ? 1 : 0;
