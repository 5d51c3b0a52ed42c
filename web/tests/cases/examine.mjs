import { deflateSync, inflateSync } from "node:zlib";
import { equal, expect, truth } from "../expect.mjs";
import { SYNC, NAMED, TOO_LATE } from "../scenarios.mjs";

const dialog = (tide) => tide.page.getByRole("dialog", { name: "Analysis" });
const named = (tide, name) => expect(name, () => dialog(tide).locator(".dialog__name").textContent(), (text) => text === name);

/** The finding needs few of its lines. */
const LONG = TOO_LATE.replace("wave 0 {", "wave 0 {\n  repeat 3 { arrive wg; wait wg }").replace("wave 1 {", "wave 1 {\n  repeat 3 { arrive wg; wait wg }");

export const cases = {
  "a verdict that one run proves has its certificate a click away": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.hasVerdict("ok");
    await tide.button("proved by one run").click();
    await named(tide, "Proof by one run");
    await expect("the claim", () => dialog(tide).innerText(), (text) => text.includes("Every execution is a reordering of these 6 steps"));
    const phases = await dialog(tide).innerText();
    truth(phases.includes("phase 1: wave 0 line 6, wave 1 line 6; then wave"), phases);
  },
  "shrinking offers the smallest scenario with the finding, which the editor can undo": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(LONG);
    await tide.button("Shrink").click();
    await named(tide, "Smallest scenario");
    await tide.settled(() => tide.button("Replace scenario").click());
    const text = await tide.text();
    truth(!text.includes("arrive wg") && text.includes("wait ready"), `a smaller text, found ${text}`);
    await tide.hasVerdict("ub");
    equal(await dialog(tide).isVisible(), false, "the dialog");
    await tide.editor.focus();
    await tide.settled(() => tide.page.keyboard.press("Control+z"));
    equal(await tide.text(), LONG, "the text before");
  },
  "each operation is removed in turn, and one of the removals is made": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.button("Remove each").click();
    await named(tide, "Without each operation");
    const verdicts = () => dialog(tide).locator(".without .badge").evaluateAll((all) => all.map((it) => it.dataset.verdict));
    await expect("a verdict for each", verdicts, (all) => all.join() === "deadlock,ok");
    await tide.settled(() => dialog(tide).getByRole("button", { name: /^Remove line 6: arrive wg/ }).click());
    await tide.hasVerdict("deadlock");
    truth(!(await tide.text()).includes("arrive wg"), "a text without it");
  },
  "two scenarios are compared in verdict, text and relations": async ({ fresh }) => {
    const writer = await (await fresh()).open();
    await writer.write(TOO_LATE);
    await writer.button("Share").click();
    const link = writer.page.url();

    const tide = await (await fresh()).open();
    await tide.write(NAMED);
    await tide.button("Compare scenarios").click();
    await tide.page.getByLabel("Link to compare").fill(link);
    await expect("both verdicts", () => dialog(tide).locator(".turn .badge").evaluateAll((all) => all.map((it) => it.dataset.verdict)), (all) => all.slice(0, 2).join() === "ub,ok");
    const lines = await dialog(tide).locator("section").first().locator(".diff").allTextContents();
    truth(lines.length === 2 && lines.every((line) => line.includes("arrive wg; wait wg")), `the line that moved past the join, found ${lines}`);
    truth((await dialog(tide).getByText("Relations of an execution").count()) === 1, "relations");
    await tide.page.getByLabel("Link to compare").fill("#v1.damaged");
    await expect("a message", () => dialog(tide).getByRole("alert").textContent(), (text) => text.includes("damaged"));
  },
  "a scenario can be compared with its original version": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const before = await tide.text();
    await tide.write(before.replace("  join ready\n", ""));
    await tide.button("Compare scenarios").click();
    await tide.button("Original version").click();
    await expect("a lost line", () => dialog(tide).locator(".diff--lost").first().textContent(), (text) => text.includes("join ready"));
    await tide.page.keyboard.press("Escape");
    equal(await dialog(tide).isVisible(), false, "the dialog");
  },
  "a rule can be relaxed, and the new executions are shown": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    await tide.button("Relax a rule").click();
    await named(tide, "Relax a rule");
    const row = (rule) => dialog(tide).locator(`.without[data-rule="${rule}"]`);
    equal(await row("amd.join.before-wait").locator(".badge").getAttribute("data-verdict"), "ok", "the verdict without the rule that is broken");
    equal(await row("amd.drop.race").getAttribute("data-changes"), "no", "a rule that does not matter");
    await row("amd.join.before-wait").locator("summary").click();
    const steps = await row("amd.join.before-wait").locator("li").count();
    await tide.settled(() => row("amd.join.before-wait").getByRole("link", { name: "Step through" }).click());
    equal(await dialog(tide).isVisible(), false, "the dialog");
    await tide.hasSteps(steps, steps);
    equal(await tide.text(), TOO_LATE, "text");
  },
  "a link whose verdict has changed reports it and offers the difference": async ({ fresh }) => {
    const writer = await (await fresh()).open();
    await writer.write(SYNC);
    await writer.button("Share").click();
    const link = new URL(writer.page.url()).hash;
    // The same link with another recorded verdict.
    const packed = inflateSync(Buffer.from(link.slice(4), "base64url")).toString("latin1");
    const other = packed.replaceAll("ok", "ub").replace(/\d+\.\d+\.\d+/, "9.9.9");
    const changed = `#v1.${deflateSync(Buffer.from(other, "latin1")).toString("base64url")}`;
    const tide = await (await fresh()).open(changed);
    await expect("both verdicts", () => tide.notice.textContent(), (text) => text.includes("Recorded by version 9.9.9: ub; now: ok"));
    await tide.button("Show difference").click();
    await named(tide, "Recorded verdict");
    equal(await dialog(tide).locator(".badge").evaluateAll((all) => all.map((it) => it.dataset.verdict)), ["ub", "ok"], "verdicts");
  },
};
