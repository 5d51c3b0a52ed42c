// Each case has its own server, and cuts the network by stopping it.
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { equal, expect, truth } from "../expect.mjs";
import { SYNC, STUCK } from "../scenarios.mjs";
import { serve } from "../server.mjs";
import { Tide } from "../tide.mjs";

const visit = async (browser, url) => Tide.fresh(browser, url, { offline: true });

/** Waits until the page is stored. */
const kept = (tide) => expect("a page that is kept", () => tide.page.evaluate(async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  return Boolean(registration?.active && !registration.installing);
}), Boolean, 30_000);

const caches = (tide) => tide.page.evaluate(() => caches.keys());

export const cases = {
  "the page opens without a network from the second visit on": async ({ browser, dist }) => {
    const server = await serve(dist);
    const tide = await visit(browser, server.url);
    try {
      await tide.open();
      await kept(tide);
      server.close();
      await tide.open();
      await tide.write(STUCK);
      await tide.hasVerdict("deadlock");
      await tide.link("Examples").click();
      await tide.page.locator("#view .example").first().waitFor();
      await tide.page.goto(`${server.url}course/index.html`);
      await tide.link("What a barrier counts").click();
      await tide.page.frameLocator("tide-gate iframe").first().locator('.verdict[data-verdict="ok"]').waitFor({ timeout: 60_000 });
      await tide.page.goto(`${server.url}stories/`);
      await tide.page.locator("h1", { hasText: "Stories" }).waitFor();
      await tide.open("?theme=dark");
      await tide.write(SYNC);
      await tide.hasVerdict("ok");
      equal(tide.faults, [], "faults");
    } finally {
      await tide.close();
      server.close();
    }
  },
  "a newer build takes over once the older one is left": async ({ browser, dist, root }) => {
    const copy = mkdtempSync(join(tmpdir(), "tidegate-build-"));
    cpSync(dist, copy, { recursive: true });
    let server = await serve(copy);
    const tide = await visit(browser, server.url);
    try {
      await tide.open();
      await kept(tide);
      const before = await caches(tide);
      equal(before.length, 1, "builds kept");
      server.close();
      appendFileSync(join(copy, "theme.js"), "\ndocument.documentElement.dataset.newer = 'yes';\n");
      execFileSync("node", [join(root, "web/offline.mjs"), copy]);
      server = await serve(copy, Number(new URL(server.url).port));
      await tide.open();
      equal(await tide.page.evaluate(() => document.documentElement.dataset.newer), undefined, "the older build while the newer one is fetched");
      await expect("both builds", () => caches(tide), (names) => names.length === 2, 120_000);
      await expect("a newer build that waits", () => tide.page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)), Boolean, 120_000);
      await tide.open();
      await expect("only the newer build", () => caches(tide), (names) => names.length === 1 && names[0] !== before[0]);
      await tide.open();
      equal(await tide.page.evaluate(() => document.documentElement.dataset.newer), "yes", "the newer build");
    } finally {
      await tide.close();
      server.close();
      rmSync(copy, { recursive: true, force: true });
    }
  },
  "nothing of another origin is stored": async ({ browser, dist }) => {
    const server = await serve(dist);
    const tide = await visit(browser, server.url);
    try {
      await tide.open();
      await kept(tide);
      await tide.open();
      await tide.page.evaluate(() => fetch("../elsewhere/x.js").catch(() => {}));
      const addresses = await tide.page.evaluate(async () => {
        const names = await window.caches.keys();
        const lists = await Promise.all(names.map(async (name) => (await window.caches.open(name)).keys()));
        return lists.flat().map((request) => request.url);
      });
      truth(addresses.length > 10 && addresses.every((address) => address.startsWith(server.url)), `only what is below ${server.url}`);
    } finally {
      await tide.close();
      server.close();
    }
  },
};
