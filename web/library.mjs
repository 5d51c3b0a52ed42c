// Packs the library, which the page loads after its first paint: the gallery, the documents, and the scenarios that they name.
// Each entry is U+001E, its path, a line feed and its text.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const target = process.env.TRUNK_STAGING_DIR ?? join(root, "dist");
const read = (path) => readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
const below = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();

// The page shows these documents; those on decisions are for readers of the code.
const documents = below("docs", ".md").filter((path) => !path.startsWith("docs/decisions/"));
const linked = documents.flatMap((path) =>
  [...read(path).matchAll(/\]\(([^)#]+\.tide)\)/g)].map(([, link]) => posix.normalize(posix.join(posix.dirname(path), link))),
);
// The scenarios that keep and break each rule.
const shown = below("tests/conformance", ".tide").filter((path) => /\/(holds|breaks)-[^/]+$/.test(path));
const paths = new Set([...below("examples", ".tide"), ...documents, ...linked, ...shown]);
// Of a lesson, the title and the summary: search finds it by them.
const summary = (path) => read(path).split("\n").filter((line) => /^(# |> )/.test(line)).join("\n");
const lessons = below("course", ".md").map((path) => [path, summary(path)]);
const entries = [...[...paths].map((path) => [path, read(path)]), ...lessons];
const pack = entries.map(([path, text]) => `\u001e${path}\n${text}`).join("");
writeFileSync(join(target, "library.txt"), pack);
console.log(`${relative(root, join(target, "library.txt")) || "library.txt"}: ${entries.length} texts`);
