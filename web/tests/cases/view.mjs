import { equal, expect, truth } from "../expect.mjs";
import { SYNC } from "../scenarios.mjs";

const hash = (tide) => new URL(tide.page.url()).hash;
const named = (tide, name) => expect(`the view ${name}`, () => tide.view().textContent(), (text) => text === name);
const shown = (tide) => expect("the playground", () => tide.playground().isVisible(), Boolean);

export const cases = {
  "a view has an address in the history": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.kept();
    const own = hash(tide);
    await tide.link("Examples").click();
    await named(tide, "Examples");
    await expect("the name of the page", () => tide.page.title(), (title) => title.startsWith("Examples"));
    equal(await tide.playground().isVisible(), false, "the playground");
    await tide.link("Language").click();
    await named(tide, "The scenario language");
    await tide.page.goBack();
    await named(tide, "Examples");
    await tide.page.goBack();
    await shown(tide);
    equal([hash(tide), await tide.text()], [own, SYNC], "address and text");
    equal(await tide.page.locator(".notices").textContent(), "", "notices");
    await tide.page.goForward();
    await named(tide, "Examples");
    equal(hash(tide), "#gallery", "address");
  },
  "the contents of a document are beside it and stay in view": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 1280, height: 720 } })).visit("#language");
    const [contents, text] = [tide.page.locator(".document > .contents"), tide.page.locator(".document > p").first()];
    const [beside, words] = await Promise.all([contents.boundingBox(), text.boundingBox()]);
    truth(beside.x >= words.x + words.width, `the contents begin at ${beside.x}, the text ends at ${words.x + words.width}`);
    await tide.page.locator("#view").evaluate((view) => view.scrollTo(0, 4000));
    await expect("the contents", () => contents.evaluate((it) => it.getBoundingClientRect().top), (top) => top >= 0 && top < 200);
    await tide.page.setViewportSize({ width: 1024, height: 720 });
    await expect("the contents above the text", async () => (await contents.boundingBox()).width === (await text.boundingBox()).width, Boolean);
  },
  "an external link opens a view, and the playground keeps the reader's work": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.kept();
    const other = await (await tide.beside()).visit("#readings");
    await named(other, "Readings and observations");
    await other.link("Playground").click();
    await shown(other);
    equal(await other.text(), SYNC, "text");
    equal(other.faults, [], "faults");
  },
  "the history returns from an opened scenario to its view": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#language");
    await tide.settled(() => tide.page.locator("#view").getByRole("button", { name: "Open", exact: true }).first().click());
    await shown(tide);
    const text = await tide.text();
    await expect("a link in the address", () => hash(tide), (link) => link.startsWith("#v1."));
    await tide.page.goBack();
    await named(tide, "The scenario language");
    await tide.page.goForward();
    await shown(tide);
    equal(await tide.text(), text, "text");
  },
  "keys open and close views, and do not step": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const before = await tide.steps();
    await tide.page.keyboard.press("l");
    await named(tide, "The scenario language");
    await tide.page.keyboard.press("ArrowLeft");
    await tide.page.keyboard.press("Escape");
    await shown(tide);
    equal(await tide.steps(), before, "steps");
  },
  "an unknown address is reported": async ({ fresh }) => {
    const tide = await fresh();
    for (const [fragment, name] of [["#tools/nope", "No such tool"], ["#rules/amd.nope", "No such rule"], ["#language/nope", "No such page"]]) {
      await named(await tide.visit(fragment), name);
      equal(await tide.page.locator(".view__wait").isVisible(), false, `waiting at ${fragment}`);
    }
  },
};
