// Every way of embedding, in a page of another origin.
import { equal, expect, truth } from "../expect.mjs";
import { SYNC, STUCK } from "../scenarios.mjs";
import { host } from "../server.mjs";

const around = (body, head = "") => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>${head}</head><body>${body}</body></html>`;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const inline = (attributes = "", text = STUCK) => `<tide-gate ${attributes}><pre>${escaped(text)}</pre></tide-gate>`;

/** Opens a host page; `make` receives the address of Tidegate and returns the pages. */
async function hosted({ browser, url }, make, options = {}) {
  const server = await host(make(url, `<script src="${url}tide-gate.js"></script>`));
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/favicon/.test(message.location().url) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(server.url);
  const frame = page.frameLocator("iframe").first();
  return { page, frame, faults, url: server.url, end: () => (server.close(), context.close()) };
}

const verdict = (frame) => frame.locator(".verdict").getAttribute("data-verdict");
const hasVerdict = (frame, wanted) => expect(`verdict ${wanted}`, () => verdict(frame).catch(() => "none"), (now) => now === wanted, 15_000);
const stands = (page) => page.locator("tide-gate iframe.stands").first().waitFor();

/** A case on a host page; it fails if the browser reports errors. */
const on = (make, check, options) => async (tools) => {
  const here = await hosted(tools, make, options);
  try {
    await check(here, tools);
    equal(here.faults, [], "complaints of the browser");
  } finally {
    await here.end();
  }
};

const inElement = async (page) =>
  page.evaluate(() => {
    const frame = document.querySelector("tide-gate").shadowRoot.querySelector("iframe");
    return { src: frame.src, height: frame.getBoundingClientRect().height };
  });

export const cases = {
  "embedded: text in the element": on(
    (_, script) => ({ "/": [around(`<p>Before</p>${inline()}<p>After</p>`, script)] }),
    async ({ page, frame }) => {
      await stands(page);
      await hasVerdict(frame, "deadlock");
      equal(await frame.locator("textarea#scenario").inputValue(), STUCK, "text");
      equal(await frame.locator(".top").isVisible(), false, "the bar at the top");
      equal(await page.locator("tide-gate pre").isVisible(), false, "the fallback text");
    },
  ),
  "embedded: a file beside the host's page": on(
    (_, script) => ({ "/": [around('<tide-gate src="./a.tide">A scenario</tide-gate>', script)], "/a.tide": [SYNC, { "content-type": "text/plain" }] }),
    async ({ page, frame }) => {
      await stands(page);
      await hasVerdict(frame, "ok");
    },
  ),
  "embedded: a link": async (tools) => {
    const tide = await (await tools.fresh()).open();
    const before = tide.page.url();
    await tide.write(STUCK);
    await expect("a link", () => tide.page.url(), (address) => address !== before && address.includes("#v1."));
    const link = tide.page.url();
    await on(
      (_, script) => ({ "/": [around(`<tide-gate src="${link}" panels="verdict,why"></tide-gate>`, script)] }),
      async ({ page, frame }) => {
        await stands(page);
        await hasVerdict(frame, "deadlock");
        equal(await frame.locator(".execution").isVisible(), false, "a panel that was not chosen");
        equal(await frame.locator(".findings").isVisible(), true, "a panel that was chosen");
      },
    )(tools);
    await on(
      () => ({ "/": [around(`<iframe title="A scenario" width="800" height="600" src="${link.replace("#", "?embed=verdict,text#")}"></iframe>`)] }),
      async ({ frame }) => {
        await hasVerdict(frame, "deadlock");
        equal(await frame.locator(".editor").isVisible(), true, "the text");
      },
    )(tools);
  },
  "embedded: a strict policy of the host": on(
    (url, script) => ({
      "/": [
        around(inline(), script),
        { "content-security-policy": `default-src 'none'; script-src ${url}tide-gate.js; frame-src ${url}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'` },
      ],
    }),
    async ({ page, frame }) => {
      await stands(page);
      await hasVerdict(frame, "deadlock");
    },
  ),
  "embedded: without scripts the text is there": on(
    (_, script) => ({ "/": [around(inline(), script)] }),
    async ({ page }) => truth((await page.locator("tide-gate pre").innerText()).includes("wait wg"), "the text"),
    { javaScriptEnabled: false },
  ),
  "embedded: the text stays if the frame does not load": on(
    (_, script) => ({ "/": [around(inline(), script), {}] }),
    async ({ page, faults }) => {
      await page.route("**/some/where/?embed**", (route) => route.abort());
      await page.reload();
      await page.waitForTimeout(500);
      equal(await page.locator("tide-gate pre").isVisible(), true, "the text");
      faults.length = 0;
    },
  ),
  "embedded: the frame is as high as its content": on(
    (_, script) => ({ "/": [around(inline('panels="verdict,text"'), script)] }),
    async ({ page, frame }) => {
      await stands(page);
      await hasVerdict(frame, "deadlock");
      const inside = () => frame.locator("body").evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
      await expect("the same height", async () => [await inside(), (await inElement(page)).height], ([a, b]) => a === b && a > 150);
      const before = await inside();
      await page.setViewportSize({ width: 340, height: 800 });
      await expect("another height", async () => [await inside(), (await inElement(page)).height], ([a, b]) => a === b && a !== before);
      equal(await frame.locator("html").evaluate((root) => root.scrollHeight <= root.clientHeight), true, "nothing to scroll");
    },
  ),
  "embedded: the colours of the host": on(
    (_, script) => ({ "/": [around(inline(), `${script}<style>.dark { background: #111; color: #eee }</style>`)] }),
    async ({ page, frame }) => {
      await stands(page);
      const theme = () => frame.locator("html").getAttribute("data-theme");
      await expect("light", theme, (now) => now === "light");
      await page.evaluate(() => document.body.classList.add("dark"));
      await expect("dark", theme, (now) => now === "dark");
      await page.evaluate(() => document.querySelector("tide-gate").setAttribute("scheme", "light"));
      await expect("light as the element says", theme, (now) => now === "light");
    },
  ),
  "embedded: address, history, focus and keys stay the host's": on(
    (_, script) => ({ "/": [around(`<input aria-label="Mine" autofocus>${inline("edit")}`, script)] }),
    async ({ page, frame, url }) => {
      await stands(page);
      await hasVerdict(frame, "deadlock");
      await frame.locator('.editor[data-editor="whole"]').waitFor();
      equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Mine", "focus");
      await page.keyboard.type("0 1?et");
      equal(await page.getByLabel("Mine").inputValue(), "0 1?et", "keys");
      const before = await page.evaluate(() => history.length);
      await frame.getByRole("button", { name: "Replay" }).first().click();
      await frame.locator("body").press("?");
      equal(await frame.locator("dialog[open]").count(), 0, "dialogs");
      await page.waitForTimeout(500);
      equal([page.url(), await page.evaluate(() => history.length)], [url, before], "address and history");
    },
  ),
  "embedded: changes stay in the frame, and nothing is stored": on(
    (_, script) => ({ "/": [around(inline("edit"), script)] }),
    async ({ page, frame }, { url }) => {
      await stands(page);
      await frame.locator('.editor[data-editor="whole"]').waitFor();
      await frame.locator(".cm-content").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(SYNC);
      await hasVerdict(frame, "ok");
      await page.waitForTimeout(500);
      const opened = page.waitForEvent("popup");
      await frame.getByRole("link", { name: "Open in Tidegate" }).click();
      const beside = await opened;
      await beside.locator('.editor[data-editor="whole"]').waitFor();
      truth(beside.url().startsWith(`${url}#v1.`), `a page of its own, found ${beside.url()}`);
      equal(await beside.evaluate(() => document.querySelector(".editor__code").editor.text()), SYNC, "text in it");
      equal(await frame.locator("html").evaluate(() => Object.keys(localStorage)), [], "keys kept");
    },
  ),
  "embedded: read only, and several on a page": on(
    (_, script) => ({ "/": [around(inline() + inline('panels="verdict,text"', SYNC), script)] }),
    async ({ page, frame }) => {
      await page.locator("tide-gate iframe.stands").nth(1).waitFor();
      await hasVerdict(frame, "deadlock");
      await hasVerdict(page.frameLocator("iframe").nth(1), "ok");
      equal(await frame.locator("textarea#scenario").evaluate((area) => area.readOnly), true, "read only");
      const loaded = await frame.locator("html").evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
      truth(!loaded.some((name) => name.endsWith("editor.js")), "no editor in a read-only page");
    },
  ),
};
