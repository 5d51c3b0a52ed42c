// Adds the entries for node and bundlers to the built package: `node assemble.mjs PACKAGE_FOLDER`.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const own = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
const read = (path) => JSON.parse(readFileSync(path, "utf8"));

for (const entry of ["node.js", "bundler.js"]) copyFileSync(join(own, entry), join(folder, entry));
const described = join(folder, "package.json");
writeFileSync(described, `${JSON.stringify({ ...read(described), ...read(join(own, "package.json")) }, null, 2)}\n`);
// wasm-pack writes a `.gitignore` that ignores every file.
rmSync(join(folder, ".gitignore"), { force: true });
