// Finds and starts the browser.
import { accessSync, constants } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";

const CHROMIUM = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FIREFOX = ["firefox-esr", "firefox"];
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

/** Returns the program that a variable of the environment names, or the first one on the search path. */
function find(variable, names) {
  if (process.env[variable]) return process.env[variable];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(runs);
  if (!found) throw new Error(`No browser: set ${variable}, or put one of ${names.join(", ")} on PATH.`);
  return found;
}

export const launch = () => chromium.launch({ executablePath: find("CHROMIUM", CHROMIUM), args: FLAGS });

/** Starts Firefox. Playwright controls only its own build of it; Puppeteer controls every Firefox by WebDriver BiDi. */
export const launchFirefox = () =>
  puppeteer.launch({ browser: "firefox", executablePath: find("FIREFOX", FIREFOX), headless: true, defaultViewport: null, args: ["--width=1440", "--height=900"] });

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
  const browser = await chromium.launch({ executablePath: find("CHROMIUM", CHROMIUM), args: [...FLAGS, `--remote-debugging-port=${port}`] });
  return { port, close: () => browser.close() };
}
