import { equal, expect, truth } from "../expect.mjs";
import { SYNC, NAMED } from "../scenarios.mjs";

const opened = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.write(text);
  await tide.tab("Targets").click();
  await tide.page.locator(".cell").first().waitFor();
  return tide;
};
const cell = (tide, label) => tide.page.locator(`.cell[data-label="${label}"]`);

export const cases = {
  "the targets tab shows the verdict on every target with its reason": async ({ fresh }) => {
    const tide = await opened(fresh, NAMED);
    equal(await cell(tide, "gfx12.5").getAttribute("data-verdict"), "ok", "verdict");
    equal(await cell(tide, "gfx6-gfx12.0").getAttribute("data-verdict"), "unsupported", "verdict");
    const why = await cell(tide, "gfx6-gfx12.0").locator(".cell__why").textContent();
    truth(why.includes("unsupported") && why.includes("line"), `a rule and a line, found ${why}`);
  },
  "a click on a target's cell makes it the target": async ({ fresh }) => {
    const tide = await opened(fresh, NAMED);
    await tide.settled(() => cell(tide, "gfx6-gfx12.0").locator(".cell__main").click());
    await tide.hasVerdict("unsupported");
    await expect("the cell pressed", () => cell(tide, "gfx6-gfx12.0").locator(".cell__main").getAttribute("aria-pressed"), (pressed) => pressed === "true");
    await cell(tide, "gfx12.5").locator("summary").click();
    await tide.settled(() => cell(tide, "gfx12.5").getByRole("button", { name: "gfx1251", exact: true }).click());
    await tide.hasVerdict("ok");
    equal(await tide.page.locator(".field__select").inputValue(), "gfx1251", "target");
  },
  "the machine code of the target is shown with the verdicts, and can be copied": async ({ fresh }) => {
    const tide = await opened(fresh, SYNC);
    const code = tide.page.locator(".machine-code pre");
    await expect("split barriers", () => code.textContent(), (text) => text.includes("s_barrier_signal -1") && text.includes("s_barrier_wait"));
    await tide.settled(() => tide.page.locator(".field__select").selectOption("gfx900"));
    await expect("the barrier of that target", () => tide.page.locator(".machine-code").textContent(), (text) => text.includes("gfx900") && !text.includes("s_barrier_signal"));
    await tide.page.locator(".machine-code").getByRole("button", { name: "Copy" }).click();
    await expect("a notice", () => tide.notice.textContent(), (text) => text.includes("clipboard"));
  },
  "the verdicts on every target follow the text": async ({ fresh }) => {
    const tide = await opened(fresh, NAMED);
    await tide.write(SYNC);
    const refusing = () => tide.page.locator('.cell[data-verdict="unsupported"] .cell__label').allTextContents();
    await expect("one answer of all of AMDGPU", refusing, (labels) => labels.every((label) => !label.startsWith("gfx")));
    truth((await refusing()).some((label) => label.startsWith("sm_")), "NVIDIA is there");
  },
};
