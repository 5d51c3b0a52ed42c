import { equal, expect, truth } from "../expect.mjs";
import { SYNC, NAMED } from "../scenarios.mjs";

const dialog = (tide) => tide.page.getByRole("dialog", { name: "Search" });
const open = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.begin(text);
  await tide.page.keyboard.press("Control+k");
  await expect("the palette", () => dialog(tide).isVisible(), Boolean);
  return tide;
};

export const cases = {
  "a command is found by its words and performed": async ({ fresh }) => {
    const tide = await open(fresh, SYNC);
    await tide.page.keyboard.type("run all agents");
    await expect("one command", () => tide.page.locator(".palette__item").count(), (count) => count === 1);
    await tide.page.keyboard.press("Enter");
    await expect("a closed palette", () => dialog(tide).isVisible(), (there) => !there);
    await expect("steps", () => tide.steps(), ({ cursor }) => cursor >= 4);
  },
  "a target is chosen from the palette": async ({ fresh }) => {
    const tide = await open(fresh, NAMED);
    await tide.page.keyboard.type("gfx1200");
    await tide.settled(() => tide.page.keyboard.press("Enter"));
    await tide.hasVerdict("unsupported");
  },
  "an example is found by its title and opened": async ({ fresh }) => {
    const tide = await open(fresh, SYNC);
    await tide.page.keyboard.type("open gemm 4 stages");
    await expect("one example", () => tide.page.locator(".palette__item").allTextContents(), (all) => all.length === 1);
    await tide.settled(() => tide.page.keyboard.press("Enter"));
    truth((await tide.text()).includes("WS-GEMM with 4 stages"), "its text");
    await tide.hasVerdict("ok");
  },
  "the palette has every target, and reports an empty result": async ({ fresh }) => {
    const tide = await open(fresh, NAMED);
    const found = () => tide.page.locator(".palette__item").count();
    await tide.page.keyboard.type("check on sm_90");
    await expect("that target", found, (count) => count > 0);
    await tide.page.keyboard.type(" and no such thing");
    await expect("nothing", found, (count) => count === 0);
    truth(await dialog(tide).getByText("No results").isVisible(), "a notice");
  },
  "a rule, a section and a reading are found by their words": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    for (const [typed, title, fragment] of [
      ["amd.join.before-wait joined", "amd.join.before-wait", "#rules/amd.join.before-wait"],
      ["scenario language expectations", "The scenario language", "#language/expectations"],
      ["amd.a6", "amd.A6: What does a wait do while the NULL barrier is joined?", "#readings/amd.A6"],
    ]) {
      await tide.page.keyboard.press("Control+k");
      await tide.page.keyboard.type(typed);
      const found = () => tide.page.locator(".palette__item").allTextContents();
      await expect(`something for ${typed}`, found, (all) => all.length > 0);
      await tide.page.keyboard.press("Enter");
      await expect(title, () => tide.view().textContent(), (text) => text === title);
      equal(new URL(tide.page.url()).hash, fragment, "address");
    }
  },
  "an operation of each vocabulary is found with its operands, and opens its section": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    for (const [typed, operands, fragment] of [
      ["mbarrier.try", "[BARRIER], PARITY", "#language/nvidia-ptx-sass-and-tlx"],
      ["s_barrier_join", "s_barrier_join BARRIER", "#language/operations-on-barriers"],
      ["async_load_to_lds", "(MEMORY[A..B], SOURCE[A..B])", "#language/asynchronous-copies"],
      ["intel_work_group_barrier_arrive", "(mem_fence::local)", "#language/opencl-c"],
    ]) {
      await tide.page.keyboard.press("Control+k");
      await tide.page.keyboard.type(typed);
      const found = tide.page.locator(".palette__item").first();
      await expect(typed, () => found.innerText(), (text) => text.startsWith(typed) && text.includes(operands));
      await tide.page.keyboard.press("Enter");
      await expect("the section", () => new URL(tide.page.url()).hash, (hash) => hash === fragment);
    }
  },
  "the search button finds an example by its verdict and note, and a lesson": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.button("Search").click();
    await tide.page.keyboard.type("named barrier deadlock");
    const found = () => tide.page.locator(".palette__item").allInnerTexts();
    await expect("examples that deadlock", found, (all) => all.length > 0 && all.every((one) => /deadlock/i.test(one)));
    await tide.page.locator(".palette__field").fill("lesson a barrier orders no memory");
    await expect("the lesson", found, (all) => all.length === 1 && all[0].startsWith("Lesson: A barrier orders no memory"));
    await tide.page.keyboard.press("Enter");
    await tide.page.waitForURL("**/course/05-a-barrier-orders-no-memory.html");
  },
  "arrows select in the palette and Escape closes it": async ({ fresh }) => {
    const tide = await open(fresh, SYNC);
    const chosen = () => tide.page.locator('.palette__item[aria-selected="true"]').getAttribute("id");
    equal(await chosen(), "palette-0", "chosen");
    await tide.page.keyboard.press("ArrowUp");
    const last = (await tide.page.locator(".palette__item").count()) - 1;
    await expect("the last", chosen, (id) => id === `palette-${last}`);
    await tide.page.keyboard.press("ArrowDown");
    await expect("the first", chosen, (id) => id === "palette-0");
    await tide.page.keyboard.press("Escape");
    await expect("a closed palette", () => dialog(tide).isVisible(), (there) => !there);
    await tide.hasSteps(0, 0);
  },
  "presentation mode enlarges the page and hides secondary panels": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const size = () => tide.page.locator(".cm-line").first().evaluate((line) => parseFloat(getComputedStyle(line).fontSize));
    const before = await size();
    await tide.editor.blur();
    await tide.page.keyboard.press("p");
    await expect("larger letters", size, (now) => now > before * 1.2);
    equal(await tide.page.locator(".findings").isVisible(), false, "the panel below the text");
    truth(await tide.page.locator("#execution").isVisible(), "the execution");
    const wide = await tide.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    truth(wide, "no scrolling sideways");
    await tide.page.keyboard.press("p");
    await expect("letters as before", size, (now) => now === before);
    equal(await tide.button("End presentation").count(), 0, "the button that ends it");
  },
  "presentation mode can be ended on a phone": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 }, hasTouch: true })).open();
    await tide.editor.blur();
    await tide.page.keyboard.press("p");
    await tide.button("End presentation").tap();
    await expect("what was hidden", () => tide.page.locator(".findings").isVisible(), (there) => there);
  },
  "code in a result is shown as code": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.button("Search").click();
    const field = dialog(tide).getByRole("combobox");
    await field.fill("lower half of m0");
    const item = dialog(tide).locator(".palette__item").first();
    await item.locator("code").first().waitFor();
    truth(!(await item.innerText()).includes("`"), "no marks");
  },
};
