import { equal, expect, truth } from "../expect.mjs";
import { INVALID, MEET, STUCK, TOO_LATE } from "../scenarios.mjs";

export const cases = {
  "editing changes the verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(MEET);
    await tide.hasVerdict("ok");
    await tide.write(STUCK);
    await tide.hasVerdict("deadlock");
    await tide.write(TOO_LATE);
    await tide.hasVerdict("ub");
    equal(await tide.page.locator(".findings__body > .finding").first().getAttribute("data-rule"), "amd.join.before-wait", "rule");
  },
  "typing key by key ends with the verdict of the last text": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(MEET);
    await tide.editor.evaluate((area) => area.setSelectionRange(area.value.indexOf("expect"), area.value.indexOf("expect")));
    await tide.page.keyboard.type("wave 7 { zzz }", { delay: 0 });
    await tide.hasVerdict("invalid");
    for (let count = 0; count < 14; count += 1) await tide.page.keyboard.press("Backspace");
    await tide.hasVerdict("ok");
    equal(await tide.text(), MEET, "text");
  },
  "invalid text keeps the last execution and says what is wrong": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(MEET);
    await tide.moves.first().click();
    await tide.hasSteps(1, 1);
    await tide.write(INVALID);
    await tide.hasVerdict("invalid");
    truth((await tide.page.locator(".problem").count()) > 0, "a problem");
    truth((await tide.page.locator('.line[data-mark="error"]').count()) > 0, "a marked line");
    truth((await tide.page.locator(".step").count()) === 1, "the steps of the last valid text");
    await tide.write(MEET);
    await tide.hasVerdict("ok");
    await tide.hasSteps(1, 1);
  },
  "a proposed change is applied by its button": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(INVALID);
    const fix = tide.page.getByRole("button", { name: /^Replace with/ });
    await expect("a proposal", () => fix.count(), (count) => count > 0);
    await tide.settled(() => fix.first().click());
    await tide.hasVerdict("ok");
  },
  "whatever is written, nothing breaks": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    for (const text of ["", "\0", "{".repeat(500), "wave 0 { loop { } }", "é\u{1f600}\"", "launch waves=4096\nwave * { arrive wg; wait wg }"]) {
      await tide.write(text);
      truth((await tide.page.locator(".verdict__word").textContent()).length > 0, "a verdict in words");
    }
  },
};
