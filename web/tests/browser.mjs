// Finds and starts the browser.
import { accessSync, constants } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const runs = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

function find() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(runs);
  if (!found) throw new Error(`No browser: set CHROMIUM, or put one of ${NAMES.join(", ")} on PATH.`);
  return found;
}

export const launch = () => chromium.launch({ executablePath: find(), args: FLAGS });

/** Returns an unused port. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts a separate browser that another tool can control; returns its port and a function that closes it. */
export async function launchAt() {
  const port = await freePort();
  const browser = await chromium.launch({ executablePath: find(), args: [...FLAGS, `--remote-debugging-port=${port}`] });
  return { port, close: () => browser.close() };
}
