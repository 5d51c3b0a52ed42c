// The first visit: its stages, done in order, left and continued.
import { equal, expect, truth } from "../expect.mjs";

const bar = (tide) => tide.page.locator(".tour");
const at = (tide, stage) => expect(`stage ${stage}`, () => bar(tide).innerText(), (text) => text.startsWith(`${stage} of 6`));
const done = (tide) => bar(tide).locator(".tour__done").waitFor();

export const cases = {
  "a legend explains every kind of operation in the lanes": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.button("Legend").click();
    const kinds = await tide.page.locator(".legend .node").evaluateAll((all) => all.map((node) => node.dataset.kind));
    const dialog = tide.page.getByRole("dialog", { name: "Legend" });
    for (const kind of ["arrive", "wait", "init", "drop", "store", "fence", "copy", "load", "end"]) truth(kinds.includes(kind), kind);
    await dialog.getByRole("button", { name: "Close" }).click();
    equal(await dialog.count(), 0, "open dialogs");
    await tide.editor.blur();
    await tide.page.keyboard.press("h");
    await dialog.waitFor();
  },
  "a first visit steps, breaks, explains, fixes and shares a scenario": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.settled(() => tide.button("Start here").click());
    await at(tide, 1);
    equal(await bar(tide).locator(".tour__done").count(), 0, "ticks before an action");
    await tide.hasVerdict("ok");
    await tide.button("Next").click();
    await at(tide, 2);
    for (const steps of [1, 2, 3, 4, 5, 6]) {
      await tide.page.locator("button.move").first().click();
      await tide.hasSteps(steps, steps);
    }
    await done(tide);
    await tide.button("Next").click();
    await at(tide, 3);
    const text = await tide.text();
    const last = text.lastIndexOf("  arrive wg\n");
    await tide.write(text.slice(0, last) + text.slice(last + "  arrive wg\n".length));
    await tide.hasVerdict("deadlock");
    await done(tide);
    await tide.button("Next").click();
    await tide.page.locator(".verdict__show").click();
    await done(tide);
    await tide.button("Next").click();
    await tide.settled(() => tide.button("Apply").first().click());
    await tide.hasVerdict("ok");
    equal((await tide.text()).split("arrive wg").length, text.split("arrive wg").length, "arrives");
    await done(tide);
    await tide.button("Next").click();
    await tide.button("Share").click();
    await tide.page.keyboard.press("Escape");
    await done(tide);
    await tide.button("Finish").click();
    equal(await bar(tide).count(), 0, "bars");
  },
  "a reader who skips breaking the scenario sees a broken one, and what explains it": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.settled(() => tide.button("Start here").click());
    await tide.button("Next").click();
    await tide.button("Skip").click();
    await tide.settled(() => tide.button("Skip").click());
    await at(tide, 4);
    await tide.hasVerdict("deadlock");
    truth(await tide.page.locator(".finding__apply").first().isVisible(), "an edit to apply");
  },
  "a first visit is skipped, left, and continued after a reload": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.settled(() => tide.button("Start here").click());
    await tide.button("Next").click();
    await tide.button("Skip").click();
    await at(tide, 3);
    await tide.page.reload();
    await at(tide, 3);
    await tide.hasEngine();
    truth((await tide.text()).includes("Start here"), "its scenario");
    await tide.button("Close the tour").click();
    equal(await bar(tide).count(), 0, "bars");
    await tide.button("Start here").click();
    await at(tide, 3);
    await tide.button("Back").click();
    await at(tide, 2);
  },
  "the tour leaves another scenario alone, and continues in its own": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.settled(() => tide.button("Start here").click());
    await at(tide, 1);
    await tide.settled(() => tide.button("New scenario").click());
    equal(await bar(tide).count(), 0, "bars over an empty scenario");
    await tide.settled(() => tide.button("Start here").click());
    await at(tide, 1);
    truth((await tide.text()).includes("Start here"), "its scenario");
  },
  "on a phone each stage shows what it names, between the bar of the top and the stage": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 } })).open();
    const shows = async (stage, part) => {
      await at(tide, stage);
      const seen = () => tide.page.evaluate((part) => {
        const box = (part) => document.querySelector(part)?.getBoundingClientRect();
        const [top, wanted, bottom] = [box(".top").bottom, box(part), box(".tour").top];
        return wanted && wanted.top >= top && wanted.bottom <= bottom;
      }, part);
      await expect(`${part} of stage ${stage}`, seen, Boolean);
    };
    await tide.settled(() => tide.button("Start here").click());
    await shows(1, ".objects");
    await tide.button("Next").click();
    await shows(2, ".lanes__next");
    await tide.button("Skip").click();
    await shows(3, ".editor");
    const text = await tide.text();
    const last = text.lastIndexOf("  arrive wg\n");
    await tide.write(text.slice(0, last) + text.slice(last + "  arrive wg\n".length));
    await done(tide);
    await tide.button("Next").click();
    await shows(4, ".finding__text");
    await bar(tide).getByRole("button", { name: /^(Skip|Next)$/ }).click();
    await shows(5, ".finding__apply");
    // A line that is tapped is shown, too.
    await tide.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await tide.page.locator(".finding .goes").first().evaluate((line) => line.click());
    await shows(5, ".editor__place");
  },
};
