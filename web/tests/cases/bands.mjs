// Bands of lanes that fold, and large numbers of lanes, of which only the visible ones are drawn.
import { equal, expect, truth, within } from "../expect.mjs";
import { GROUPS, large } from "../scenarios.mjs";

const begun = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.begin(text);
  await tide.editor.blur();
  return tide;
};
const heads = (tide) => tide.page.locator(".lanes").evaluate((lanes) => Number(lanes.style.getPropertyValue("--lanes")));
const fold = (tide, name) => tide.page.getByRole("button", { name, exact: false }).and(tide.page.locator(".fold"));

/** Returns the main thread's time of each frame while an action runs, in milliseconds of thread time. */
const worked = async (browser, action) => {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["cc", "devtools.timeline"] } });
  await action();
  const whole = new Promise((resolve) => { session.once("Tracing.tracingComplete", resolve); });
  await session.send("Tracing.end");
  await whole;
  await session.detach();
  return events.filter(({ ph, name }) => ph === "X" && name === "ProxyMain::BeginMainFrame").map(({ tdur }) => tdur / 1000);
};

export const cases = {
  "sub-groups are foldable bands of lanes": async ({ fresh }) => {
    const tide = await begun(fresh, GROUPS);
    await expect("four folded bands", () => heads(tide), (count) => count === 4);
    equal(await tide.page.locator(".fold").evaluateAll((all) => all.map((one) => one.getAttribute("aria-expanded"))), ["false", "false", "false", "false"], "folded");
    await fold(tide, "subgroup 0,").click();
    await expect("one band open", () => heads(tide), (count) => count === 16 + 3);
    await fold(tide, "subgroup 2,").click();
    await expect("another band open", () => heads(tide), (count) => count === 32 + 2);
    await fold(tide, "subgroup 0,").press("Enter");
    // Keyboards and screen readers see them in the visible order.
    const inOrder = () => tide.page.evaluate(() => [".lane-head", ".moves"].map((each) => [...document.querySelectorAll(each)].map((one) => one.getBoundingClientRect().left)).map((all) => all.length > 4 && all.every((left, at) => at === 0 || all[at - 1] < left)));
    await expect("lanes from the left to the right", inOrder, (each) => each.every(Boolean));
    await fold(tide, "subgroup 0,").press("Enter");
    await fold(tide, "subgroup 0,").press("Enter");
    await fold(tide, "subgroup 2,").press("Enter");
    await expect("four folded", () => heads(tide), (count) => count === 4);
    truth((await tide.page.locator(".lane-head").first().innerText()).includes("16 ready"), "how they stand");
    await tide.page.locator("button.move").nth(1).click();
    await tide.hasSteps(1, 1);
    equal(await tide.page.locator(".node__agent").getAttribute("data-says"), "0", "whose it is");
  },
  "a folded band shows where any of its agents waits": async ({ fresh }) => {
    const tide = await begun(fresh, "target gfx1250\nlaunch workgroups=2 waves=14\n\nwave * {\n  arrive wg\n  wait wg\n}\n");
    await expect("both folded", () => heads(tide), (count) => count === 2);
    await tide.page.keyboard.press("r");
    await tide.hasSteps(84, 84);
    await tide.page.locator(".lanes").evaluate((board) => board.scrollTo(0, 0));
    const bars = () => tide.page.locator(".waiting").evaluateAll((all) => all.map((bar) => bar.style.getPropertyValue("--at")));
    await expect("a bar in a lane of many", bars, (columns) => columns.includes("0"));
  },
  "only visible lanes are drawn, in every scroll position": async ({ fresh }) => {
    const tide = await begun(fresh, large(32, 20));
    await tide.page.keyboard.press("r");
    const lanes = () => tide.page.locator(".lane-head").evaluateAll((all) => all.map((one) => Number(one.dataset.lane)));
    const nodes = () => tide.page.locator(".node").count();
    truth((await lanes()).length <= 20 && (await nodes()) < 60, `few lanes and nodes, found ${await lanes()} and ${await nodes()}`);
    await tide.page.locator(".lanes").evaluate((board) => board.scrollTo(1e6, 0));
    await expect("the last lane", lanes, (all) => all.includes(31) && !all.includes(0));
    equal(await tide.page.locator(".lane-head").count(), await tide.page.locator(".moves").count(), "cells at the foot");
    await tide.page.locator(".lanes").evaluate((board) => board.scrollTo(0, 0));
    await expect("the first lane", lanes, (all) => all.includes(0) && !all.includes(31));
    await tide.page.keyboard.press("Home");
    for (const at of [31, 0, 31]) {
      await tide.page.locator(".lanes").evaluate((board, at) => board.scrollTo(at ? 1e6 : 0, 0), at);
      await tide.page.getByRole("button", { name: `Perform arrive wg, wave ${at}` }).or(tide.page.locator(`.moves [title*="wave ${at}"]`)).first().waitFor();
    }
    await tide.page.getByRole("button", { name: "Perform arrive wg, wave 31" }).click();
    await expect("the node of that lane", () => tide.page.locator('.node[data-agent="wave 31"]').count(), (count) => count === 1);
  },
  "the cell of a waiting agent stays while others arrive, and its reason is updated": async ({ fresh }) => {
    const tide = await begun(fresh, large(4, 4));
    await tide.page.getByRole("button", { name: "Perform arrive wg, wave 0" }).click();
    const cell = tide.page.locator(".move--blocked").first();
    await expect("one arrival", () => cell.getAttribute("title"), (reason) => reason.includes("1 of 4"));
    await cell.evaluate((it) => { it.dataset.same = "yes"; });
    await tide.page.getByRole("button", { name: "Perform arrive wg, wave 2" }).click();
    await expect("two arrivals", () => cell.getAttribute("title"), (reason) => reason.includes("2 of 4"));
    equal(await cell.getAttribute("data-same"), "yes", "the same cell");
  },
  "32 waves of 200 operations scroll and step, and no frame is longer than 50 ms": async ({ fresh }) => {
    const tide = await begun(fresh, large(32, 200));
    for (let count = 0; count < 4; count += 1) await tide.page.keyboard.press("r");
    await expect("its end", () => tide.steps(), ({ cursor }) => cursor >= 6400);
    let most = 0;
    /** Returns the longest of 60 frames: each scrolls, or every other one steps as a held key does. */
    const longest = async (kind) => {
      const round = await tide.page.evaluate(async (kind) => {
        const board = document.querySelector(".lanes");
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        let [most, longest, last] = [0, 0, await frame()];
        for (let at = 0; at < 60; at += 1) {
          if (kind === "scroll") board.scrollTo((at * 97) % 4000, at * 180);
          else if (at % 2) document.querySelector('[aria-label="Step back"]').click();
          const now = await frame();
          most = Math.max(most, board.querySelectorAll("*").length);
          longest = Math.max(longest, now - last);
          last = now;
        }
        return { most, longest };
      }, kind);
      most = Math.max(most, round.most);
      return Math.round(round.longest);
    };
    await within(50, "longest frame while scrolling", "16", () => longest("scroll"));
    const { cursor } = await tide.steps();
    const rounds = await within(50, "longest frame while stepping", "16", () => longest("step"));
    await expect("steps undone", async () => (await tide.steps()).cursor, (now) => now === cursor - 30 * rounds.length);
    truth(most < 900, `at most 900 elements, found ${most}`);
  },
  "32 waves of 200 operations: 95 of 100 frames stay within one frame of thread time while scrolling and stepping": async ({ fresh, browser }) => {
    const tide = await begun(fresh, large(32, 200));
    for (let count = 0; count < 4; count += 1) await tide.page.keyboard.press("r");
    await expect("its end", () => tide.steps(), ({ cursor }) => cursor >= 6400);
    await tide.page.waitForTimeout(1000);
    /** Returns the 95th percentile of the frames. */
    const most = async (action) => {
      const frames = await worked(browser, action);
      truth(frames.length > 80 && frames.every((time) => time > 0), `more than 80 frames, found ${frames.length}`);
      return frames.sort((one, other) => one - other)[Math.floor(frames.length * 0.95)];
    };
    const scroll = () => tide.page.evaluate(async () => {
      const board = document.querySelector(".lanes");
      for (let at = 0; at < 120; at += 1) {
        board.scrollTo((at * 7) % 2500, 2000 + at * 18);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    /** Sends thirty steps a second, as a held key does. */
    const hold = async (key, code) => {
      const session = await tide.page.context().newCDPSession(tide.page);
      const event = (type) => session.send("Input.dispatchKeyEvent", { type, key, code: key, windowsVirtualKeyCode: code });
      const start = Date.now();
      for (let at = 0; at < 90; at += 1) {
        await tide.page.waitForTimeout(Math.max(0, start + at * 33.3 - Date.now()));
        await event("rawKeyDown");
      }
      await event("keyUp");
      await session.detach();
    };
    await within(16.7, "processor's time of 95 % of frames while scrolling", "8", () => most(scroll));
    const { cursor } = await tide.steps();
    const back = await within(16.7, "processor's time of 95 % of frames while stepping back", "12", () => most(() => hold("ArrowLeft", 37)));
    await expect("steps undone", async () => (await tide.steps()).cursor, (now) => now === cursor - 90 * back.length);
    await tide.page.keyboard.press("Home");
    await expect("its beginning", async () => (await tide.steps()).cursor, (now) => now === 0);
    const on = await within(16.7, "processor's time of 95 % of frames while stepping on", "12", () => most(() => hold("ArrowRight", 39)));
    await expect("steps performed", async () => (await tide.steps()).cursor, (now) => now === 90 * on.length);
  },
  "only visible steps are drawn, and every step is reachable": async ({ fresh }) => {
    const tide = await begun(fresh, large(32, 200));
    for (let count = 0; count < 4; count += 1) await tide.page.keyboard.press("r");
    await expect("its end", () => tide.steps(), ({ cursor }) => cursor >= 6400);
    const { cursor } = await tide.steps();
    const drawn = () => tide.page.locator(".step").count();
    const all = () => tide.page.evaluate(() => document.querySelectorAll(".lanes *").length);
    truth((await drawn()) <= 80, `at most 80 steps drawn, found ${await drawn()}`);
    truth((await all()) < 3000, `at most 3000 elements, found ${await all()}`);
    truth(await tide.page.locator(".step--last").isVisible(), "the last step is in sight");
    await tide.page.locator(".lanes").evaluate((lanes) => lanes.scrollTo(0, 36 * 3000));
    await expect("what is there now", () => tide.page.locator(".number").first().innerText(), (numbers) => numbers.split("\n").includes("3001"));
    truth((await drawn()) <= 80, "not more than before");
    const labels = await tide.page.locator(".node").evaluateAll((nodes) => nodes.map((node) => node.getAttribute("aria-label")));
    const number = labels.map((label) => Number(label.match(/^Step (\d+),/)[1])).find((number) => number > 3001);
    await tide.page.locator(`.node[aria-label^="Step ${number},"]`).click();
    await tide.hasSteps(number, cursor);
    truth(await tide.page.locator(".step--last").isVisible(), "the last step is in sight");
  },
};
