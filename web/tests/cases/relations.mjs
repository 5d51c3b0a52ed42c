// Relations over the lanes, and in words.
import { equal, expect, truth } from "../expect.mjs";
import { FENCED, KERNEL, SYNC, PIPELINE, UNFENCED, handedOver } from "../scenarios.mjs";

/** Opens a text, runs all its agents, and shows the relations. */
async function related(fresh, text) {
  const tide = await (await fresh()).open();
  await tide.begin(text);
  await tide.button("Run all (r)").click();
  await tide.showRelations();
  return tide;
}
const met = (fresh) => related(fresh, SYNC);
const why = (tide) => tide.page.locator(".relations__why").innerText();

export const cases = {
  "a phase is one bar that lists its participants": async ({ fresh }) => {
    const tide = await met(fresh);
    await expect("one bar", () => tide.edges("pi").count(), (count) => count === 1);
    await tide.edges("pi").focus();
    await tide.page.keyboard.press("Enter");
    await expect("the phase", () => why(tide), (text) => text.startsWith("Phase 1 of wg"));
    const [, parts, waits] = (await why(tide)).split("\n").filter((line) => line.trim());
    equal([parts, waits].map((line) => line.split("(wave ").length - 1), [2, 2], "participants and waits");
    equal(await tide.edges("pi").getAttribute("aria-pressed"), "true");
  },
  "a relation is drawn when it is chosen, and its edges have reasons": async ({ fresh }) => {
    const tide = await met(fresh);
    equal(await tide.edges("po").count(), 0, "edges of program-order");
    await tide.relation("program-order").click();
    await expect("its edges", () => tide.edges("po").count(), (count) => count > 0);
    await tide.edges("po").first().focus();
    await tide.page.keyboard.press("Enter");
    await expect("a reason", () => why(tide), (text) => text.includes("is before") && text.includes("program-order"));
    const focused = await tide.page.evaluate(() => document.activeElement.getAttribute("data-relation"));
    equal(focused, "po", "the line keeps the focus");
    await tide.relation("program-order").click();
    await expect("none of its edges", () => tide.edges("po").count(), (count) => count === 0);
  },
  "two operations show the relations that hold and those that do not": async ({ fresh }) => {
    const tide = await met(fresh);
    const before = await tide.steps();
    await tide.page.locator(".node[data-kind=arrive]").first().click();
    await tide.page.locator(".node[data-kind=wait]").first().click();
    const answers = tide.page.locator(".answers");
    await expect("related", () => answers.innerText(), (text) => /^barrier-participates-in$/m.test(text) && text.includes("not barrier-joined-before"));
    equal(await tide.steps(), before, "steps");
    await tide.page.getByLabel("From", { exact: true }).selectOption({ index: 0 });
    await expect("nothing asked", () => answers.innerText(), (text) => text === "");
  },
  "fences synchronize, and implied edges are hidden": async ({ fresh }) => {
    const tide = await related(fresh, FENCED);
    await expect("one edge between fences", () => tide.edges("sw").count(), (count) => count === 1);
    equal(await tide.edges("apart").count(), 0, "no unordered pair");
    await tide.edges("sw").press("Enter");
    await expect("a reason", () => why(tide), (text) => text.includes("synchronizes-with") && text.includes("address space"));
    await tide.relation("happens-before-local").click();
    await expect("happens-before", () => tide.edges("hb-local").count(), (count) => count > 3);
    const says = await tide.edges("hb-local").evaluateAll((edges) => edges.map((edge) => edge.getAttribute("aria-label")));
    truth(!says.some((text) => text.startsWith("Why: store") && text.includes("load")), "the way from store to load leads through the fences");
  },
  "unordered accesses are drawn, and missing edges explained": async ({ fresh }) => {
    const tide = await related(fresh, UNFENCED);
    await expect("one pair apart", () => tide.edges("apart").count(), (count) => count === 1);
    await tide.edges("apart").press("Enter");
    await expect("what is missing", () => why(tide), (text) => text.includes("is not ordered before") && text.includes("fence"));
    await expect("no edge", () => tide.page.locator(".relations__absent").innerText(), (text) => text.includes("Only fences synchronize"));
  },
  "every edge is in a table": async ({ fresh }) => {
    const tide = await met(fresh);
    await tide.page.locator(".relations__all summary").click();
    const rows = tide.page.locator(".relations__table tbody tr");
    await expect("rows", () => rows.count(), (count) => count >= 6);
    const counts = await tide.page.locator(".relation__count").allInnerTexts();
    equal(await rows.count(), counts.reduce((sum, count) => sum + Number(count), 0), "as many as there are edges");
    const cells = await rows.first().locator("td").allInnerTexts();
    truth(cells.length === 4 && cells.every((cell) => cell.trim()), `no empty cell in ${JSON.stringify(cells)}`);
  },
  "relations cover only performed steps": async ({ fresh }) => {
    const tide = await met(fresh);
    await tide.button("Back to launch").click();
    await expect("a notice", () => tide.page.locator(".relations").innerText(), (text) => text.startsWith("Perform steps"));
    await tide.button("Last step").click();
    await expect("the bar again", () => tide.edges("pi").count(), (count) => count === 1);
    await tide.tab("Why").click();
    truth(!(await tide.page.locator(".edges").isVisible()), "no lines over the lanes any more");
  },
  "executions of PTX and OpenCL have relations with reasons": async ({ fresh }) => {
    const tide = await related(fresh, PIPELINE);
    await expect("what completed and who waited", () => tide.edges("pi").count(), (count) => count > 0);
    await tide.edges("pi").first().press("Enter");
    await expect("a phase", () => why(tide), (text) => /^Phase \d of /.test(text) && text.includes("wait"));
    await tide.relation("barrier-modification-order").click();
    await expect("its edges", () => tide.edges("bmo").count(), (count) => count > 0);
    await tide.page.locator(".node[data-kind=arrive]").first().click();
    await tide.page.locator(".node[data-kind=wait]").last().click();
    await expect("an answer", () => tide.page.locator(".answers").innerText(), (text) => text.includes("barrier-executes-before"));
    const kernel = await related(fresh, KERNEL);
    await expect("one phase", () => kernel.edges("pi").count(), (count) => count === 1);
    await expect("the source of the names", () => kernel.page.locator(".relations").innerText(), (text) => text.includes("OpenCL does not define them"));
  },
  "the writes of a copy happen before waits for its bytes": async ({ fresh }) => {
    const waits = "  W: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0\n  @!p bra W\n";
    const tide = await related(fresh, handedOver(waits));
    await tide.relation("happens-before-local").click();
    await expect("one edge", () => tide.edges("hb-local").count(), (count) => count === 1);
    await tide.edges("hb-local").press("Enter");
    await expect("how it is known", () => why(tide), (text) => text.includes("completes bytes of") && text.includes("because that phase completed"));
    equal(await tide.edges("apart").count(), 0, "no unordered pair");
    const early = await (await fresh()).open();
    await early.write(handedOver(""));
    await early.hasVerdict("race");
    await early.showWitness();
    equal(await early.page.locator(".node--race").count(), 2, "both accesses of the race");
    await expect("bytes that are expected", () => early.page.locator('.object[data-object="full"]').innerText(), (text) => text.includes("tx-count 64 bytes"));
    const ends = await early.page.locator(".band--open").evaluateAll((bands) => bands.map((band) => getComputedStyle(band).borderBottomStyle));
    truth(ends.length > 0 && ends.every((style) => style === "dashed"), `phases that run are open: ${ends}`);
    await early.showRelations();
    await expect("an unordered pair", () => early.edges("apart").count(), (count) => count === 1);
    await early.edges("apart").press("Enter");
    await expect("what is missing", () => why(early), (text) => text.includes("has not observed"));
  },
};
