// The page before the engine has loaded, and without it.
import { expect, equal, truth } from "../expect.mjs";
import { SYNC as OK } from "../scenarios.mjs";

export const cases = {
  "the first verdict and its steps do not wait for the engine": async ({ fresh }) => {
    const tide = await fresh();
    const release = await tide.withoutEngine();
    await tide.open("", { engine: false });
    equal(await tide.verdict(), "ub");
    const { cursor, length } = await tide.steps();
    truth(cursor > 3 && cursor === length, `the witness performed, found ${cursor}/${length}`);
    await tide.button("Back to launch").click();
    await tide.hasSteps(0, length);
    await tide.button("Step forward").click();
    await tide.hasSteps(1, length);
    await tide.button("Last step").click();
    await tide.hasSteps(length, length);
    release();
    await tide.hasEngine();
    await tide.hasSteps(length, length);
    await tide.button("Step back").click();
    await tide.hasSteps(length - 1, length);
  },
  "requests made before the engine has loaded are handled afterwards": async ({ fresh }) => {
    const tide = await fresh();
    const release = await tide.withoutEngine();
    await tide.open("", { engine: false });
    await tide.fill(OK);
    await expect("the old verdict marked as stale", () => tide.page.locator(".verdict--stale").count(), (count) => count === 1);
    release();
    await tide.hasVerdict("ok");
  },
  "the recording equals the engine's results": async ({ fresh }) => {
    const tide = await fresh();
    const release = await tide.withoutEngine();
    await tide.open("", { engine: false });
    const before = await tide.says();
    release();
    await tide.hasEngine();
    await expect("the words of the recording", () => tide.says(), (says) => says === before);
    const text = await tide.text();
    await tide.write(OK);
    await tide.write(text);
    await expect("the same words as before", () => tide.says(), (says) => says === before);
  },
  "a link shows its recorded verdict until the engine has loaded": async ({ fresh }) => {
    const first = await (await fresh()).open();
    await first.write(OK);
    await first.button("Share").click();
    const link = await first.page.evaluate(() => location.hash);
    const tide = await fresh();
    const release = await tide.withoutEngine();
    await tide.page.goto(tide.url + link);
    await expect("the recorded verdict", () => tide.page.locator(".verdict").innerText(), (text) => text.includes("Checking") && text.includes("Verdict recorded in the link: ok"));
    equal(await tide.text(), OK);
    release();
    await tide.hasVerdict("ok");
    await expect("a comparison", () => tide.notice.textContent(), (text) => text.includes("the verdict is unchanged"));
  },
  "a failure to load the engine is reported": async ({ fresh }) => {
    const tide = await fresh();
    await tide.page.route("**/engine_bg.wasm", (route) => route.abort());
    await tide.open("", { engine: false });
    await expect("a message", () => tide.notice.textContent(), (text) => text.startsWith("The engine could not be loaded"));
    equal(await tide.verdict(), "ub");
    tide.faults = tide.faults.filter((fault) => !fault.includes("ERR_FAILED"));
  },
};
