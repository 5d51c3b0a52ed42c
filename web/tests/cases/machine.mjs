import { equal, expect, truth } from "../expect.mjs";
import { STUCK, SYNC, TOO_LATE } from "../scenarios.mjs";

const machine = (tide) => tide.page.locator(".machine");
const words = (tide) => tide.page.locator(".step:not(.step--future) .step__word").allTextContents();
/** The machine's finding, below those of the specification. */
const ofMachine = (tide) => tide.page.locator(".finding").last().getByRole("button", { name: "Show me" });
const compared = (tide) => tide.page.locator("button.oracles__word");

export const cases = {
  "a finding of the machine is stepped on the machine, each step with its word": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    await tide.showWitness();
    await tide.button("Step back").click();
    const before = await tide.steps();
    await ofMachine(tide).click();
    truth((await machine(tide).textContent()).includes("one-bit hardware model"), "the name of the hardware model");
    equal(await tide.stands(), "stuck", "state");
    const read = await words(tide);
    equal(read[0], "0x01000011", "the word after the init of a barrier of one member");
    truth(read.length > 3 && read.every((word) => /^0x[0-9a-f]{8}$/.test(word)), `words, found ${read}`);
    await tide.tab("Ledger").click();
    truth((await tide.page.locator(".machine-bits").textContent()).includes("blocks 26–24"), "its bits in the ledger");
    await tide.button("Step back").click();
    equal((await words(tide)).length, read.length - 1, "words of the steps performed");
    await tide.button("Back to specification").click();
    equal(await machine(tide).count(), 0, "strips");
    equal(await words(tide), [], "words of the specification");
    await tide.hasSteps(before.cursor, before.length);
  },
  "a finding that the specification has, too, is not repeated": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(STUCK);
    await tide.hasVerdict("deadlock");
    equal(await tide.page.locator(".findings__body > .finding").count(), 1, "findings");
    const also = tide.page.locator(".finding__foot", { hasText: "Also on the hardware model: line " });
    await also.getByRole("button", { name: "Show me" }).click();
    equal(await machine(tide).count(), 1, "the execution of the hardware model");
    equal(await tide.stands(), "stuck", "state");
  },
  "on a phone the page scrolls to the machine's execution": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })).open();
    await tide.write(TOO_LATE);
    const places = [];
    const top = async () => {
      places.unshift(await tide.page.locator("#execution").evaluate((panel) => panel.getBoundingClientRect().top));
      return places.slice(0, 8);
    };
    const rests = (seen) => seen.length === 8 && seen.every((place) => place === seen[0]);
    // Expectations appear after the verdict, above the execution.
    await expect("the whole description", top, rests);
    await ofMachine(tide).click();
    // Its controls are below the top bar.
    await expect("the execution at the top", top, (seen) => rests(seen) && seen[0] >= 47 && seen[0] < 100);
    equal(await tide.page.evaluate(() => document.documentElement.scrollWidth), 390, "width of the page");
  },
  "the comparison switches to the machine and back, also by keyboard": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.moves.first().click();
    await compared(tide).focus();
    await tide.page.keyboard.press("Enter");
    equal(await compared(tide).getAttribute("aria-pressed"), "true", "pressed");
    // If the machine has no finding, it follows the steps of the specification.
    await tide.hasSteps(1, 1);
    equal(await words(tide), ["0x00010021"], "one of two has signalled");
    await compared(tide).click();
    equal(await machine(tide).count(), 0, "strips");
    await tide.write(TOO_LATE);
    await compared(tide).click();
    equal(await tide.stands(), "stuck", "state of the machine");
  },
  "the link and a change of the text keep the machine visible": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    await ofMachine(tide).click();
    const [steps, read] = [await tide.steps(), await words(tide)];
    await expect("a link", () => tide.page.url(), (url) => url.includes("#v1."));
    await tide.button("Share").click();
    const other = await (await fresh()).open(new URL(tide.page.url()).hash);
    await machine(other).waitFor();
    await other.hasSteps(steps.cursor, steps.length);
    equal(await words(other), read, "the same words");
    await other.write(TOO_LATE.replace("Join first", "Join late"));
    equal(await machine(other).count(), 1, "strips after a change");
    await other.button("Back to specification").click();
    await other.hasSteps(0, 0);
    // A target without a machine shows the specification.
    await other.write(TOO_LATE.replace("gfx1250", "model").replace(" = named(1)", ""));
    equal(await machine(other).count(), 0, "strips on a target without a machine");
  },
  "another target shows the specification's execution": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.moves.first().click();
    await compared(tide).click();
    equal(await machine(tide).count(), 1, "strips");
    await tide.settled(() => tide.page.getByLabel("Target").selectOption("gfx1200"));
    equal(await machine(tide).count(), 0, "strips after a change of target");
    await tide.hasSteps(1, 1);
  },
};
