// Several open scenarios.
import { equal, expect, truth } from "../expect.mjs";
import { SYNC, NAMED } from "../scenarios.mjs";

const called = (title, text) => `title "${title}"\n${text.replace(/^title.*\n/, "")}`;
const ONE = called("One", SYNC);
const TWO = called("Two", NAMED);
const both = async (fresh) => {
  const tide = await (await fresh()).open();
  await tide.write(ONE);
  await tide.settled(() => tide.button("New scenario").click());
  await tide.write(TWO);
  return tide;
};
const named = (tide, names) => expect(`scenarios ${names}`, () => tide.scenarios(), (now) => now.join() === names.join());
const here = (tide) => tide.page.locator('.scenario__name[aria-current="true"]').textContent();

export const cases = {
  "each open scenario has its text, steps and target": async ({ fresh }) => {
    const tide = await both(fresh);
    await named(tide, ["One", "Two"]);
    await tide.settled(() => tide.page.locator(".field__select").selectOption("gfx1251"));
    await tide.settled(() => tide.scenario(0).click());
    equal([await tide.text(), await here(tide), await tide.page.locator(".field__select").inputValue()], [ONE, "One", ""], "the first");
    await tide.page.keyboard.press("0");
    await tide.page.keyboard.press("1");
    const { cursor } = await tide.steps();
    await tide.settled(() => tide.scenario(1).click());
    equal([await tide.text(), await here(tide), await tide.page.locator(".field__select").inputValue()], [TWO, "Two", "gfx1251"], "the second");
    await tide.settled(() => tide.page.keyboard.press("["));
    await expect("its steps", () => tide.steps(), (now) => now.cursor === cursor);
  },
  "each scenario has its own undo history": async ({ fresh }) => {
    const tide = await both(fresh);
    await tide.editor.focus();
    await tide.page.keyboard.press("Control+End");
    await tide.settled(() => tide.page.keyboard.type("#"));
    await tide.settled(() => tide.scenario(0).click());
    await tide.settled(() => tide.scenario(1).click());
    equal(await tide.text(), `${TWO}#`, "the second");
    await tide.editor.focus();
    await tide.settled(() => tide.page.keyboard.press("Control+z"));
    equal(await tide.text(), TWO, "the second, a change undone");
  },
  "a reload restores all scenarios": async ({ fresh }) => {
    const tide = await both(fresh);
    await tide.kept();
    await tide.open();
    await named(tide, ["One", "Two"]);
    equal(await tide.text(), TWO, "the one that was shown");
    await tide.settled(() => tide.scenario(0).click());
    equal(await tide.text(), ONE, "the other one");
  },
  "a scenario is compared with another one that is open": async ({ fresh }) => {
    const tide = await both(fresh);
    await tide.editor.blur();
    await tide.page.getByRole("button", { name: "Compare scenarios", exact: true }).click();
    const dialog = tide.page.getByRole("dialog");
    await dialog.getByRole("button", { name: "One", exact: true }).click();
    await dialog.locator(".badge").first().waitFor();
    equal(await dialog.locator(".badge").count() >= 2, true, "two verdicts");
  },
  "two windows do not overwrite each other": async ({ fresh }) => {
    const one = await (await fresh()).open();
    await one.write(called("Both", SYNC));
    await one.kept();
    const two = await (await one.beside()).open();
    await named(two, ["Both"]);
    await two.write(TWO);
    await two.kept();
    await one.write(ONE);
    await one.kept();
    await two.open();
    await named(two, ["Two", "One"]);
    await one.open();
    await named(one, ["Two", "One"]);
    equal([one.faults, two.faults], [[], []], "faults");
  },
  "a scenario is closed and reopened with keys only": async ({ fresh }) => {
    const tide = await both(fresh);
    await tide.scenario(1).focus();
    await tide.settled(() => tide.page.keyboard.press("Delete"));
    await named(tide, ["One"]);
    equal(await tide.text(), ONE, "the adjacent scenario");
    await tide.button("Reopen").focus();
    await tide.settled(() => tide.page.keyboard.press("Enter"));
    await named(tide, ["One", "Two"]);
    equal(await tide.text(), TWO, "the scenario that was closed");
    await tide.page.getByRole("button", { name: "Close One" }).click();
    await named(tide, ["Two"]);
    truth((await tide.text()) === TWO, "the other one stays as it is");
  },
  "an invalid scenario shows no execution of another": async ({ fresh }) => {
    const tide = await both(fresh);
    await tide.settled(() => tide.fill("launch waves=2\nwave 0 { arrive"));
    await tide.settled(() => tide.scenario(0).click());
    await expect("steps of the first", () => tide.page.locator(".move, .step").count(), (count) => count > 0);
    await tide.settled(() => tide.scenario(1).click());
    await expect("nothing of it", () => tide.page.locator(".move, .step").count(), (count) => count === 0);
    await tide.settled(() => tide.fill(TWO));
    await expect("its own steps", () => tide.page.locator(".move, .step").count(), (count) => count > 0);
  },
  "the visible scenario and its close button stay in view among many": async ({ fresh }) => {
    for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      const tide = await (await fresh({ viewport })).open();
      for (const number of [1, 2, 3, 4, 5]) {
        if (number > 1) await tide.settled(() => tide.button("New scenario").click());
        await tide.write(called(`A title that is rather long, ${number}`, SYNC));
      }
      for (const place of [4, 0]) {
        if (place === 0) await tide.settled(() => tide.scenario(0).evaluate((tab) => tab.click()));
        const [list, close] = await Promise.all([".scenarios__list", ".scenario--here .button--icon"].map((part) => tide.page.locator(part).boundingBox()));
        truth(close.x >= list.x && close.x + close.width <= list.x + list.width + 1, `its close button, ${JSON.stringify([list, close])}`);
      }
    }
  },
  "keys after a click on New scenario write its text": async ({ fresh }) => {
    for (const plain of [false, true]) {
      const tide = await fresh();
      if (plain) await tide.withoutEditor();
      await tide.open("", { editor: !plain });
      const theme = await tide.theme();
      await tide.button("New scenario").click();
      await tide.page.keyboard.type("target");
      await expect("the text", () => tide.text(), (text) => text === "target");
      equal([await tide.theme(), await tide.page.getByRole("dialog").count()], [theme, 0], "nothing else happened");
      // The blocked editor.
      if (plain) tide.faults.length = 0;
    }
  },
  "a notice about a scenario disappears when another one is opened": async ({ fresh }) => {
    const tide = await both(fresh);
    await tide.page.getByRole("button", { name: "Close Two" }).click();
    await tide.notice.waitFor();
    await tide.settled(() => tide.button("New scenario").click());
    equal(await tide.notice.count(), 0, "notices");
  },
};
