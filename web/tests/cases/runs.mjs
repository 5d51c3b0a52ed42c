// Two executions side by side, and the critical path through one.
import { equal, expect, truth } from "../expect.mjs";
import { SYNC, TOO_LATE } from "../scenarios.mjs";

const dialog = (tide) => tide.page.getByRole("dialog");
const LATE = "target gfx1250\nlaunch waves=2\nwave 0 {\n  arrive wg\n  wait wg\n}\nwave 1 {\n  fence release\n  fence release\n  arrive wg\n  wait wg\n}\n";

export const cases = {
  "the witness is compared with the nearest correct execution": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target gfx1250\nlaunch waves=2\nwave 0 {\n  choose { arrive wg; wait wg } or { wait wg }\n}\nwave 1 {\n  arrive wg\n  wait wg\n}\n");
    await tide.hasVerdict("deadlock");
    await tide.showWitness();
    const { cursor } = await tide.steps();
    await tide.button("Compare executions").click();
    const mark = dialog(tide).locator(".runs__mark");
    await mark.waitFor();
    equal(await mark.count(), 1, "first differences");
    const ways = await dialog(tide).locator(".runs td").allInnerTexts();
    truth(["choose 2: wait wg", "choose 1: arrive wg"].every((way) => ways.some((cell) => cell.includes(way))), `both ways of the choice, found ${ways}`);
    const heads = await dialog(tide).locator(".runs thead th").allInnerTexts();
    truth(heads[0].includes("stuck") && heads[1].includes("finished"), `the two ends, found ${heads}`);
    await dialog(tide).getByRole("button", { name: "Show the other execution" }).click();
    await expect("the other execution", () => tide.stands(), (state) => state === "finished");
    truth((await tide.steps()).cursor !== cursor, "other steps");
    equal(await dialog(tide).count(), 0, "dialogs");
    // Another step at an earlier position saves the execution.
    await tide.page.keyboard.press("Home");
    await tide.page.locator("button.move", { hasText: "wait wg" }).first().click();
    await tide.button("Compare executions").click();
    await dialog(tide).getByRole("button", { name: /^Branch 1/ }).click();
    await expect("the saved execution on the right", () => dialog(tide).locator(".runs thead th").nth(1).innerText(), (text) => text.includes("finished"));
  },
  "a finding of every execution has no nearest correct one": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    await tide.showWitness();
    await tide.button("Compare executions").click();
    await expect("a report", () => dialog(tide).innerText(), (text) => /No execution without a finding|First difference/.test(text));
  },
  "each wait names the arrival that it waited for": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(LATE);
    await tide.hasVerdict("ok");
    await tide.button("Critical path").click();
    const cells = () => dialog(tide).locator(".waits tbody td").allInnerTexts();
    await expect("one wait", cells, (all) => all.length === 4 && all[0].includes("wave 0") && all[1].includes("wave 1") && all[2] === "phase 1 of wg" && all[3] === "2");
    truth((await dialog(tide).innerText()).includes("The longest chain has"), "the length of the path");
    await tide.page.keyboard.press("Escape");
    await tide.begin(SYNC);
    await tide.button("Critical path").click();
    await expect("no steps", () => dialog(tide).innerText(), (text) => text.includes("No steps are performed"));
  },
};
