import { truth } from "../expect.mjs";

export const cases = {
  "the first paint is a scenario with its verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    truth((await tide.text()).includes("wave"), "a scenario in the editor");
    truth(["ok", "ub", "violation", "deadlock"].includes(await tide.verdict()), "a verdict");
    truth(await tide.page.locator(".verdict__word").isVisible(), "the verdict in words");
    truth((await tide.page.locator(".lane-head").count()) > 1, "lanes");
    truth((await tide.page.locator(".step").count()) > 1, "steps of the witness");
  },
  "nothing moves while the page loads": async ({ fresh }) => {
    const tide = await fresh();
    await tide.page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          window.shift += entry.value;
          window.moved = entry.sources.map((source) => source.node?.className ?? source.node?.nodeName);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await tide.open();
    await tide.page.waitForTimeout(300);
    const shift = await tide.page.evaluate(() => window.shift);
    truth(shift < 0.01, `no layout shift, found ${shift} of ${await tide.page.evaluate(() => JSON.stringify(window.moved))}`);
  },
  "a phone shows everything in one column": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 } })).open();
    const wide = await tide.page.evaluate(() => document.documentElement.scrollWidth);
    truth(wide <= 390, `no scrolling sideways, found ${wide} pixels`);
  },
};
