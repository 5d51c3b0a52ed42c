import { readFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import { equal, expect, truth } from "../expect.mjs";
import { SYNC, NAMED } from "../scenarios.mjs";

const ROOT = new URL("../../../", import.meta.url);

export const cases = {
  "a link opens to the same text, target and steps": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(NAMED);
    await tide.settled(() => tide.page.getByLabel("Target").selectOption("gfx1251"));
    await tide.editor.blur();
    for (const key of ["0", "1", "0", "1"]) await tide.page.keyboard.press(key);
    await tide.hasSteps(4, 4);
    await tide.button("Share").click();
    const link = new URL(tide.page.url()).hash;
    truth(link.startsWith("#v1."), "a link of version 1 in the address");
    truth(link.length < 2000, `a short link, found ${link.length} characters`);

    const other = await (await fresh()).open(link);
    equal(await other.text(), NAMED, "text");
    equal(await other.page.getByLabel("Target").inputValue(), "gfx1251", "target");
    await other.hasSteps(4, 4);
    equal(await other.performed(), await tide.performed(), "steps");
    await expect("a word on the verdict", () => other.notice.textContent(), (text) => text.includes("unchanged"));
  },
  "the page and the command line make the same link": async ({ fresh }) => {
    for (const name of ["link", "link-nvidia", "link-opencl"]) {
      const [command, link] = (await readFile(new URL(`tests/golden/${name}.txt`, ROOT), "utf8")).split("\n");
      const text = await readFile(new URL(command.replace("$ tidegate link ", ""), ROOT), "utf8");
      const tide = await (await fresh()).open();
      await tide.begin(text);
      await expect("no step", () => tide.steps(), ({ length }) => length === 0);
      await tide.button("Share").click();
      equal(new URL(tide.page.url()).hash, link, name);
    }
  },
  "a damaged link is reported and keeps the reader's work": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.kept();
    const again = await (await tide.beside()).open("#v1.AAAA-damaged");
    await expect("a message", () => again.notice.textContent(), (text) => text.startsWith("The link is damaged") && text.endsWith("Your work is unchanged."));
    const first = await (await fresh()).open("#v1.AAAA-damaged");
    await expect("a message", () => first.notice.textContent(), (text) => text.startsWith("The link is damaged") && !text.includes("Your work"));
    equal(await again.text(), SYNC, "text");
    equal(again.faults, [], "faults");
  },
  "a link with a too large text is reported and keeps the reader's work": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.kept();
    const link = `#v1.${deflateSync(Buffer.alloc(64 << 20), { level: 9 }).toString("base64url")}`;
    truth(link.length < 100_000, `a small link, found ${link.length} characters`);
    const again = await (await tide.beside()).open(link);
    await expect("a message", () => again.notice.textContent(), (text) => text.startsWith("The link is too large") && text.endsWith("Your work is unchanged."));
    equal(await again.text(), SYNC, "text");
    equal(again.faults, [], "faults");
  },
  "links to scenarios of bug reports are short, including their executions": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#gallery?by=report");
    const rows = tide.page.locator("#view .example");
    const count = await rows.count();
    truth(count > 20, `scenarios of reports, found ${count}`);
    for (const part of [0, 0.3, 0.6, 0.99]) {
      await tide.page.goto(`${tide.url}#gallery?by=report`);
      await tide.settled(() => rows.nth(Math.floor(part * count)).click());
      await tide.hasEngine();
      const show = tide.button("Show me");
      const shown = await show.count();
      // A deadlock without *Show me* is one from the start: no agent can perform a step.
      const stuck = shown === 0 && (await tide.verdict()) === "deadlock";
      if (shown) await show.first().click();
      else await tide.page.keyboard.press("r");
      await expect("an execution", () => tide.steps(), ({ length }) => length > 0 || stuck);
      await tide.button("Share").click();
      await tide.page.getByRole("dialog", { name: "Share" }).locator(".share__row").first().waitFor();
      const link = tide.page.url().slice(tide.url.length);
      truth(link.startsWith("#v1.") && link.length < 2000, `a link below 2000 characters, found ${link.length}: ${link.slice(0, 40)}`);
      await tide.page.keyboard.press("Escape");
    }
  },
  "a link entered in the address of an open page opens": async ({ fresh }) => {
    const writer = await (await fresh()).open();
    await writer.write(NAMED);
    await writer.button("Share").click();
    const link = new URL(writer.page.url()).hash;

    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.settled(() => tide.page.evaluate((hash) => (location.hash = hash), link));
    equal(await tide.text(), NAMED, "text");
    await tide.settled(() => tide.scenario(0).click());
    equal(await tide.text(), SYNC, "own text");
  },
  "a link contains the open panels": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(NAMED);
    await tide.tab("Targets").click();
    await tide.page.locator(".schedules > summary").click();
    await tide.tab("Ledger").click();
    await tide.button("Share").click();
    const other = await (await fresh()).open(new URL(tide.page.url()).hash);
    const open = async (tide) => [
      await tide.page.locator(".schedules").evaluate((panel) => panel.open),
      await tide.page.getByRole("tab", { selected: true }).allTextContents(),
    ];
    equal(await open(other), [true, ["Targets", "Ledger"]], "panels");
    const plain = await (await fresh()).open();
    equal(await open(plain), [false, ["Why", "Barriers"]], "panels of a new reader");
  },
  "the reader's own work is a click away from a link": async ({ fresh }) => {
    const writer = await (await fresh()).open();
    await writer.write(NAMED);
    await writer.button("Share").click();
    const link = new URL(writer.page.url()).hash;

    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.kept();
    await tide.open(link);
    equal(await tide.text(), NAMED, "text of the link");
    await tide.write(`${NAMED}# edited`);
    await tide.settled(() => tide.scenario(0).click());
    equal(await tide.text(), SYNC, "own text");
  },
};
