// Prints for each file below a folder its path, its bytes and its bytes after brotli, separated by tabs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const root = process.argv[1];
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
for (const file of files.sort()) {
  const data = readFileSync(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
  };
  console.log([file.slice(root.length + 1), data.length, brotliCompressSync(data, { params }).length].join("\t"));
}
