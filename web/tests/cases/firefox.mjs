// The page in Firefox: load, type, step, share, embed, and the front ends for compiled code.
import { launchFirefox } from "../browser.mjs";
import { equal, expect, truth } from "../expect.mjs";
import { STUCK, SYNC } from "../scenarios.mjs";
import { host } from "../server.mjs";

// The server of the tests compresses the engine at its first use, which takes long on a busy machine.
const WAIT = { timeout: 90_000 };

/** A case in a separate Firefox; it fails if a page reports an uncaught error. */
const inFirefox = (check) => async ({ url }) => {
  const browser = await launchFirefox();
  const faults = [];
  const open = async (address) => {
    const page = await browser.newPage();
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(address);
    return page;
  };
  try {
    await check({ open, url });
    equal(faults, [], "uncaught errors");
  } finally {
    await browser.close();
  }
};

const ready = (page) =>
  Promise.all([
    page.waitForSelector('.verdict[data-engine="ready"]:not([data-judged="0"])', WAIT),
    page.waitForSelector('.editor[data-editor="whole"]', WAIT),
  ]);
const verdict = (frame) => frame.$eval(".verdict", (bar) => bar.dataset.verdict).catch(() => "none");
const hasVerdict = (frame, wanted) => expect(`verdict ${wanted}`, () => verdict(frame), (now) => now === wanted, WAIT.timeout);
const steps = (page) => page.$eval(".controls__count", (count) => count.textContent);
const hasSteps = (page, wanted) => expect(`steps ${wanted}`, () => steps(page), (now) => now === wanted);
/** Clicks the first visible button with a name. */
const press = (page, name) =>
  page.evaluate((name) => {
    const isIt = (button) => [button.getAttribute("aria-label"), button.textContent.trim()].includes(name) && button.checkVisibility();
    [...document.querySelectorAll("button")].find(isIt).click();
  }, name);
const text = (page) => page.$eval(".editor__code", (host) => host.editor.view.state.doc.toString());

/** Replaces the text, as a paste over all of it. */
const write = (page, text) =>
  page.$eval(
    ".editor__code",
    ({ editor: { view } }, insert) => {
      view.focus();
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: "input.paste" });
    },
    text,
  );

const PTX = `.version 8.3
.target sm_90
.address_size 64

.visible .entry swap() .reqntid 64
{
  .reg .b32 %r<6>;
  .shared .align 4 .b8 tile[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.s32 %r3, %r2, %r3;
  st.shared.u32 [%r3], %r1;
  xor.b32 %r4, %r1, 32;
  shl.b32 %r4, %r4, 2;
  add.s32 %r4, %r2, %r4;
  ld.shared.u32 %r5, [%r4];
  ret;
}
`;

export const cases = {
  "Firefox: typed text is judged and stepped": inFirefox(async ({ open, url }) => {
    const page = await open(url);
    await ready(page);
    await write(page, SYNC);
    await hasVerdict(page, "ok");
    await page.focus(".editor__code .cm-content");
    await page.$eval(".editor__code", ({ editor: { view } }) => view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf("  wait wg") } }));
    await page.keyboard.type("  wait wg\n");
    await hasVerdict(page, "deadlock");
    await press(page, "Back to launch");
    await expect("the first step", () => steps(page), (now) => now.startsWith("0/"));
    await press(page, "Step forward");
    await expect("one step", () => steps(page), (now) => now.startsWith("1/"));
    truth((await page.$$("button.node")).length > 0, "steps in the lanes");
  }),
  "Firefox: a shared link opens with the same text and steps": inFirefox(async ({ open, url }) => {
    const page = await open(url);
    await ready(page);
    await write(page, STUCK);
    await hasVerdict(page, "deadlock");
    const before = await steps(page);
    await press(page, "Share");
    await page.waitForSelector("dialog[open] .share__row", WAIT);
    truth(page.url().includes("#v1."), `a link in ${page.url()}`);
    const other = await open(page.url());
    await ready(other);
    await hasVerdict(other, "deadlock");
    equal(await text(other), STUCK, "text");
    await hasSteps(other, before);
  }),
  "Firefox: an embedded scenario is judged": inFirefox(async ({ open, url }) => {
    const escaped = STUCK.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><script src="${url}tide-gate.js"></script></head><body><tide-gate><pre>${escaped}</pre></tide-gate></body></html>`;
    const server = await host({ "/": [page] });
    try {
      const opened = await open(server.url);
      const frame = await opened.waitForFrame((frame) => frame.url().startsWith(url), WAIT);
      await hasVerdict(frame, "deadlock");
    } finally {
      server.close();
    }
  }),
  "Firefox: a PTX module is judged": inFirefox(async ({ open, url }) => {
    const page = await open(url);
    await ready(page);
    await write(page, PTX);
    await hasVerdict(page, "race");
    await write(page, PTX.replace("  xor.b32", "  bar.sync 0;\n  xor.b32"));
    await hasVerdict(page, "ok");
  }),
};
