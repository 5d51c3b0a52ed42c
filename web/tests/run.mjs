// Runs every case against the built page in a real browser; prints `N passed, N failed`.
import { readdirSync } from "node:fs";
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

const server = await serve(dist);
const browser = await launch();
let passed = 0;
const failed = [];

/** Runs a case on pages of its own; what went wrong, or null. */
async function attempt(run) {
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

for (const file of files) {
  const { cases } = await import(join(here, "cases", file));
  for (const [name, run] of Object.entries(cases)) {
    if (wanted.length && !wanted.some((part) => `${file} ${name}`.includes(part))) continue;
    // The machines that run this are shared: a case that fails is tried once more, and the report says so.
    const faults = [await attempt(run), null];
    if (faults[0]) faults[1] = await attempt(run);
    const fault = faults[0] && faults[1];
    if (fault) failed.push(name);
    else passed += 1;
    console.log(fault ? `FAIL ${name}` : `ok   ${name}${faults[0] ? " (at the second try)" : ""}`);
    for (const each of faults) if (each) console.log(`     ${each.replaceAll("\n", "\n     ")}`);
  }
}

await browser.close();
server.close();
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length || !passed ? 1 : 0;
