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

for (const file of files) {
  const { cases } = await import(join(here, "cases", file));
  for (const [name, run] of Object.entries(cases)) {
    if (wanted.length && !wanted.some((part) => `${file} ${name}`.includes(part))) continue;
    const pages = [];
    const fresh = async (options) => {
      const tide = await Tide.fresh(browser, server.url, options);
      pages.push(tide);
      return tide;
    };
    try {
      await run({ fresh, browser, dist, root, url: server.url });
      const faults = pages.flatMap((tide) => tide.faults);
      if (faults.length) throw new Error(faults.join("\n"));
      passed += 1;
      console.log(`ok   ${name}`);
    } catch (error) {
      failed.push(name);
      console.log(`FAIL ${name}\n     ${String(error.stack ?? error).replaceAll("\n", "\n     ")}`);
    }
    await Promise.all(pages.map((tide) => tide.close().catch(() => {})));
  }
}

await browser.close();
server.close();
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length || !passed ? 1 : 0;
