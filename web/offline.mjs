// Writes the files of the built page and a build identifier into the service worker.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const target = process.argv[2] ?? process.env.TRUNK_STAGING_DIR ?? join(root, "dist");
const SELF = "offline.js";

const files = readdirSync(target, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(target.length + 1).replaceAll("\\", "/"))
  .filter((path) => path !== SELF && !path.endsWith(".d.ts"))
  .sort();
const hash = (data) => createHash("sha256").update(data).digest("base64");
const parts = files.map((path) => [path === "index.html" ? "./" : path, `sha256-${hash(readFileSync(join(target, path)))}`]);
const worker = readFileSync(join(root, "web/public", SELF), "utf8");
const build = hash(JSON.stringify(parts) + worker).slice(0, 16);
const filled = worker
  .replace('const BUILD = "";', `const BUILD = ${JSON.stringify(build)};`)
  .replace("const FILES = [];", `const FILES = ${JSON.stringify(parts)};`);
if (filled.length < worker.length + build.length) throw new Error(`${SELF} has no place for its files`);
writeFileSync(join(target, SELF), filled);
console.log(`${SELF}: ${parts.length} files, build ${build}`);
