// Measures the npm package: `node wasm.mjs PACKAGE TESTS < rows.json > times.json`. TESTS is the folder with `browser.mjs`.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, tests] = process.argv.slice(2);
const rows = JSON.parse(readFileSync(0, "utf8"));

/** Returns the median milliseconds of the checks of a text: at most 51 runs, and none begins after a second. */
function median(check, text) {
  const times = [];
  const begin = performance.now();
  do {
    const start = performance.now();
    check(text, { ambiguities: false, machine: false });
    times.push(performance.now() - start);
  } while (times.length < 51 && performance.now() - begin < 1000);
  return times.sort((a, b) => a - b)[times.length >> 1];
}

async function inChromium() {
  const { launch } = await import(pathToFileURL(join(tests, "browser.mjs")).href);
  const types = { ".js": "text/javascript", ".wasm": "application/wasm" };
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const known = types[extname(path)];
    response.setHeader("Content-Type", known ?? "text/html");
    // Clocks of isolated pages are exact to five microseconds.
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    response.end(known ? readFileSync(join(folder, path)) : "<!doctype html><title>Benchmark</title>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(
      async ([rows, source]) => {
        const gate = await import("/tidegate.js");
        await gate.default();
        const measure = new Function("check", "text", `return (${source})(check, text)`);
        return rows.map((row) => measure(gate.check, row.text));
      },
      [rows, median.toString()],
    );
  } finally {
    await browser.close();
    server.close();
  }
}

const gate = await import(pathToFileURL(join(folder, "tidegate.js")).href);
gate.initSync({ module: readFileSync(join(folder, "tidegate_bg.wasm")) });
const node = rows.map((row) => median(gate.check, row.text));
let chromium = null;
try {
  chromium = await inChromium();
} catch (error) {
  console.error(`warning: Chromium is not measured: ${error.message.split("\n")[0]}`);
}
console.log(JSON.stringify(node.map((time, index) => ({ node: time, chromium: chromium?.[index] ?? null }))));
