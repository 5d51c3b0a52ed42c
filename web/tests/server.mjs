// A static server for the built page, under a sub-path, with the compression of a static host.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants } from "node:zlib";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/** The sub-path: every address of the page must be relative. */
export const BASE = "/some/where/";

/** Returns the brotli size of a file's content. */
export const weigh = (data) => brotliCompressSync(data).length;

/** Compresses a file. A debug module is large and is not weighed, so the quality is low. */
const squeeze = (data) =>
  promisify(brotliCompress)(data, { params: { [constants.BROTLI_PARAM_QUALITY]: data.length > 4_000_000 ? 1 : constants.BROTLI_MAX_QUALITY } });

/** Serves `root` at a given or any port; returns the page's address and a function that stops the server. */
export async function serve(root, port = 0) {
  const kept = new Map();
  const load = async (path) => {
    if (!kept.has(path)) kept.set(path, readFile(path).then(squeeze));
    return kept.get(path);
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const inside = normalize(pathname.slice(BASE.length) || "index.html");
    try {
      if (!pathname.startsWith(BASE) || inside.startsWith("..")) throw new Error("outside");
      const body = await load(join(root, inside));
      const type = TYPES[extname(inside)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-encoding": "br", "cache-control": "max-age=3600" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}${BASE}`, close: () => (server.close(), server.closeAllConnections()) };
}

/** Serves host pages: a map from paths to `[body, headers]`, on a separate origin. */
export async function host(pages) {
  const server = createServer((request, response) => {
    const [body, headers = {}] = pages[new URL(request.url, "http://localhost").pathname] ?? [];
    if (body === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => (server.close(), server.closeAllConnections()) };
}
