import { equal, expect, truth } from "../expect.mjs";
import { SYNC, NOTHING_CAN_BE_DONE, STUCK, TOO_LATE } from "../scenarios.mjs";

export const cases = {
  "show me loads the execution that is undefined": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    await tide.showWitness();
    const { cursor, length } = await tide.steps();
    truth(cursor > 0 && cursor === length, "the whole witness");
    equal(await tide.stands(), "undefined", "state");
    equal(await tide.page.locator(".node--broke").count(), 1, "operations that break the rule");
  },
  "the witness of a deadlock ends in the state stuck": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(STUCK);
    await tide.page.keyboard.press("w");
    equal(await tide.stands(), "stuck", "state");
    await tide.tab("Agents").click();
    truth((await tide.page.locator('.agent[data-status="blocked"]').count()) > 0, "a blocked wave");
  },
  "a visible witness is played from launch": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(TOO_LATE);
    await tide.showWitness();
    const { length } = await tide.steps();
    await tide.button("Replay").first().click();
    await expect("a step after the first", () => tide.steps(), ({ cursor }) => cursor > 0 && cursor < length);
    await tide.hasSteps(length, length);
    equal(await tide.button("Show me").count() + (await tide.button("Replay").count()) > 0, true, "a button that shows it again");
  },
  "a defined example shows a representative run": async ({ fresh }) => {
    const tide = await fresh();
    await tide.visit("#gallery");
    await tide.settled(() => tide.page.locator("#view .example", { hasText: "WS-GEMM with 2 stages" }).click());
    await tide.hasVerdict("ok");
    await expect("every step", () => tide.steps(), ({ cursor, length }) => cursor > 0 && cursor === length);
    await expect("what it stands for", () => tide.page.locator(".stands").innerText(), (text) => text.includes("A representative run"));
    await tide.button("Step back").click();
    await expect("nothing before the end", () => tide.page.locator(".stands").innerText(), (text) => !text.includes("representative"));
  },
  "a written text shows the execution of its verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const stands = () => tide.page.locator(".stands").innerText();
    await tide.write(SYNC);
    await expect("a whole run", () => tide.steps(), ({ cursor, length }) => cursor >= 4 && cursor === length);
    await expect("what it stands for", stands, (text) => /representative|schedules/.test(text));
    await tide.write(STUCK);
    await expect("the witness", () => tide.stands(), (state) => state === "stuck");
    truth((await tide.button("Replay").count()) > 0, "a button that replays it");
    await tide.write(SYNC);
    await expect("a whole run again", stands, (text) => /representative|schedules/.test(text));
  },
  "an edit keeps the steps that the reader performed": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.page.locator("button.move").first().click();
    await tide.hasSteps(1, 1);
    await tide.write(STUCK);
    await tide.hasVerdict("deadlock");
    await tide.hasSteps(1, 1);
  },
  "steps that the reader went back to stay, and the page's own execution follows the text": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(STUCK);
    await expect("the witness", () => tide.stands(), (state) => state === "stuck");
    const { length } = await tide.steps();
    await tide.button("Step back").click();
    await tide.write(STUCK.replace("title", "note \"Edited.\"\ntitle"));
    await tide.hasSteps(length - 1, length);
    await tide.button("Step forward").click();
    await tide.write(SYNC);
    await expect("a whole run", () => tide.stands(), (state) => state === "finished");
    // A reload brings the page's own steps back: they still follow.
    await tide.open();
    await tide.write(STUCK);
    await expect("the witness again", () => tide.stands(), (state) => state === "stuck");
  },
  "a finding at launch reports that it has no steps": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(NOTHING_CAN_BE_DONE);
    await tide.editor.blur();
    await tide.page.keyboard.press("w");
    await expect("a notice", () => tide.notice.textContent(), (shown) => shown.includes("holds at launch"));
    equal(await tide.stands(), "stuck", "state");
    await tide.write(SYNC);
    await tide.editor.blur();
    await tide.page.keyboard.press("w");
    await expect("another notice", () => tide.notice.textContent(), (shown) => shown.includes("there are no findings"));
  },
  "on a phone the page scrolls to the witness, and buttons are large enough": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })).open();
    await tide.begin(TOO_LATE);
    await tide.button("Show me").first().click();
    const top = () => tide.page.locator("#execution").evaluate((panel) => panel.getBoundingClientRect().top);
    await expect("the execution at the top", top, (top) => top >= 0 && top < 100);
    await tide.button("Back to launch").click();
    const small = await tide.page.evaluate(() => [...document.querySelectorAll("main button:not(.goes, .problem__text button), main :is(select, summary, [role=tab]), .top button")].flatMap((button) => {
      const { width, height } = button.getBoundingClientRect();
      // Hidden elements, such as the keys, are not touch targets.
      if (!button.checkVisibility() || button.closest(".cm-editor, .lanes__time, .overview, .split")) return [];
      return width < 43.5 || height < 43.5 ? [`${button.getAttribute("aria-label") ?? button.textContent}: ${width} x ${height}`] : [];
    }));
    equal(small, [], "buttons smaller than 44 pixels");
    equal(await tide.page.evaluate(() => document.documentElement.scrollWidth), 390, "width of the page");
  },
  "the last step of a witness is in view beside the overview, which makes the lanes narrower": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target sm_90\nlaunch warps=10\nshared a[4]\nwarp 0 { store a }\nwarp 9 { load a }\n");
    await tide.hasVerdict("race");
    await tide.page.locator(".overview").waitFor();
    const seen = () => tide.page.evaluate(() => {
      const [board, node] = [".lanes", ".step--last .node"].map((part) => document.querySelector(part)?.getBoundingClientRect());
      return node && node.left >= board.left && node.right <= board.right && document.querySelector(".step--last .node").dataset.lane;
    });
    await expect("the step of warp 9", seen, (lane) => lane === "9");
  },
  "agents that are all blocked at launch cannot be run": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target gfx1250\nlaunch waves=2\nwave 0 { wait wg }\nwave 1 { wait wg }\n");
    await tide.hasVerdict("deadlock");
    const says = tide.page.locator("div.lanes__empty");
    await expect("the reason", () => says.innerText(), (text) => text.trim() === "Every agent is blocked at launch.");
    await tide.begin("target gfx1250\nlaunch waves=2\nwave * { arrive wg; wait wg }\n");
    await expect("the operations", () => says.innerText(), (text) => text.startsWith("At launch. Click an operation below") && text.includes("Run"));
  },
};
