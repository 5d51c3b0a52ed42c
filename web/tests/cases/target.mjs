import { equal, expect, truth } from "../expect.mjs";
import { NAMED } from "../scenarios.mjs";

export const cases = {
  "another target changes the verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(NAMED);
    await tide.hasVerdict("ok");
    await tide.settled(() => tide.page.getByLabel("Target").selectOption("gfx1200"));
    await tide.hasVerdict("unsupported");
    await tide.settled(() => tide.page.getByLabel("Target").selectOption("from scenario"));
    await tide.hasVerdict("ok");
    equal(await tide.text(), NAMED, "text");
  },
  "every target is offered, under headings": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const groups = await expect("targets", () => tide.page.locator(".field__select optgroup").evaluateAll((all) => all.map((it) => [it.label, it.children.length])), (all) => all.length > 4);
    const names = groups.map(([name]) => name);
    equal([names[0], ...names.slice(-2)], ["Specification only", "NVIDIA", "OpenCL C++"], "headings");
    truth(groups.every(([, count]) => count > 0), "targets under each");
    await tide.settled(() => tide.page.getByLabel("Target").selectOption("sm_90"));
    await tide.settled(() => tide.page.getByLabel("Target").selectOption("opencl"));
  },
};
