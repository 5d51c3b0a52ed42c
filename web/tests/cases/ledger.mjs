// The ledger of barriers, the words of mbarrier objects, and the counters of memory.
import { equal, expect, truth } from "../expect.mjs";
import { BLOCKS, MISSING, STUCK, TOO_LATE } from "../scenarios.mjs";

const ledger = (tide, name) => tide.page.locator(`.ledger[data-ledger="${name}"]`);
const run = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.begin(text);
  await tide.button("Run all (r)").click();
  await tide.tab("Ledger").click();
  return tide;
};

export const cases = {
  "a ledger shows arrivals, waits, and what is missing": async ({ fresh }) => {
    const tide = await run(fresh, STUCK);
    const row = ledger(tide, "wg");
    await expect("open where an agent is blocked", () => row.getAttribute("open"), (open) => open === "");
    const lines = await row.locator("tbody tr").allInnerTexts();
    equal(lines.map((line) => line.split("\t")), [["wave 0", "1 of 1", "1 of 2 blocked"], ["wave 1", "1 of 1", "1 of 1"]], "rows");
    truth((await row.locator(".ledger__missing").innerText()).includes("no remaining operation arrives"), "why no arrive follows");
    truth((await row.locator(".ledger__freed").innerText()).includes("Waiting for 1 more arrival on wg"), "what its counts wait for");
  },
  "the machine's bits are shown next to the counts, and its divergence is reported": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    await tide.showWitness();
    await tide.tab("Ledger").click();
    const bits = tide.page.locator(".machine-bits");
    await expect("a word in hex", () => bits.innerText(), (text) => /0x[0-9a-f]{8}/.test(text));
    truth((await bits.innerText()).includes("The hardware model diverges here: wait ready"), "where they diverge");
    await tide.button("Step back").click();
    await expect("no divergence", () => bits.innerText(), (text) => !text.includes("diverges"));
  },
  "an mbarrier object is a word under both hypotheses": async ({ fresh }) => {
    const tide = await run(fresh, MISSING);
    const row = ledger(tide, "full");
    await expect("one arrival is missing", () => row.innerText(), (text) => /pending\s+1/.test(text) && text.includes("an expected count of 1 instead of 2"));
    const words = row.locator(".word");
    equal(await words.evaluateAll((all) => all.map((word) => word.dataset.layout)), ["low-pending", "high-pending"], "layouts");
    const [low, high] = await words.locator(".word__head code").allInnerTexts();
    truth(low !== high && [low, high].every((word) => /^0x[0-9a-f]{16}$/.test(word)), `two words: ${low} ${high}`);
    for (const [at, hex] of [low, high].entries()) {
      const bits = (await words.nth(at).locator(".word__bits").allInnerTexts()).join("");
      equal(`0x${BigInt(`0b${bits}`).toString(16).padStart(16, "0")}`, hex, "all of its bits");
      equal(bits.length, 64, "bits");
    }
  },
  "counters show what may be outstanding": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(BLOCKS);
    await tide.editor.blur();
    for (let count = 0; count < 2; count += 1) await tide.page.keyboard.press("0");
    await tide.hasSteps(2, 2);
    await tide.tab("Ledger").click();
    await expect("two copies in flight", () => tide.page.locator(".counters").innerText(), (text) => text.includes("vmcnt") && text.includes("\u2264 2") && text.includes("of steps 1, 2"));
  },
};
