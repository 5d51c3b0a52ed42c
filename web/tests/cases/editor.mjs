import { equal, expect, truth } from "../expect.mjs";
import { INVALID, SYNC, NAMED, STUCK } from "../scenarios.mjs";

const first = (tide) => tide.page.locator(".cm-tooltip-autocomplete li").first();

export const cases = {
  "the editor replaces the text area without a visible change": async ({ fresh }) => {
    const tide = await fresh();
    const release = await tide.withoutEngine();
    await tide.open("", { engine: false });
    const text = await tide.text();
    const places = () => tide.page.evaluate(() =>
      [...document.querySelectorAll(".line, .cm-line")].filter((line) => line.textContent.trim()).map((line) => {
        const letter = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
        const range = document.createRange();
        range.setStart(letter, letter.data.search(/\S|$/));
        const { x, y } = range.getBoundingClientRect();
        return [Math.round(x), Math.round(y)];
      }));
    await tide.caret("wait ready");
    await tide.page.keyboard.type("# mine ");
    const typed = await tide.text();
    const before = await places();
    release();
    await tide.hasEditor();
    equal(await tide.text(), typed, "text");
    equal(await places(), before, "places of the letters");
    truth(await tide.editor.evaluate((editor) => editor === document.activeElement), "the focus where it was");
    await tide.page.keyboard.type("and yours ");
    truth((await tide.text()).includes("# mine and yours wait ready"), "the caret where it was");
    await tide.page.keyboard.press("Control+z");
    await tide.page.keyboard.press("Control+z");
    await expect("the text before all that", () => tide.text(), (now) => now === text);
  },
  "colours do not change when the editor is mounted": async ({ fresh }) => {
    const colours = (tide) => tide.page.evaluate(() =>
      [...document.querySelectorAll('.editor__lines [class^="t-"], .cm-content [class^="t-"]')].map((part) => `${part.textContent} ${getComputedStyle(part).color}`).slice(0, 30));
    const tide = await fresh();
    const release = await tide.withoutEngine();
    await tide.open("", { engine: false });
    const before = await colours(tide);
    truth(before.length > 10, "a text in colour before the engine is there");
    release();
    await tide.hasEditor();
    equal(await colours(tide), before, "colours");
  },
  "the text area works without the editor": async ({ fresh }) => {
    const tide = await fresh();
    await tide.withoutEditor();
    await tide.open("", { editor: false });
    await tide.write(STUCK);
    await tide.hasVerdict("deadlock");
    truth((await tide.page.locator(".editor__lines .t-operation").count()) > 0, "colours by the engine");
    tide.faults = tide.faults.filter((fault) => !/ERR_FAILED/.test(fault));
  },
  "every vocabulary has its colours": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    for (const line of ["arrive wg", "s_barrier", "call void @llvm.amdgcn.s.barrier()"]) {
      await tide.write(`target gfx900\nlaunch waves=1\nwave 0 {\n  ${line}\n}\n`);
      await expect(`an operation in ${line}`, () => tide.page.locator(".cm-content .t-operation").count(), (count) => count === 1);
    }
    for (const line of ["mbarrier.init.shared.b64 [bar], 1", "SYNCS.PHASECHK.TRANS64 P0, [bar], R0"]) {
      await tide.fill(`target sm_90\nlaunch waves=1\nmbarrier bar\nwarp 0 {\n  ${line}\n}\n`);
      await expect(`an operation in ${line}`, () => tide.page.locator(".cm-content .t-operation").count(), (count) => count >= 1);
    }
  },
  "a problem is marked while typing, described, and fixed": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(INVALID);
    const marked = tide.page.locator(".cm-content .t-marked");
    await expect("the misspelt word", () => marked.first().textContent(), (word) => word === "wiat");
    await marked.first().hover();
    const shown = tide.page.locator(".cm-problem");
    await shown.waitFor();
    await tide.settled(() => shown.getByRole("button", { name: "Replace with wait" }).click());
    equal(await tide.text(), SYNC, "text");
    await expect("no mark", () => marked.count(), (count) => count === 0);
  },
  "F8 goes to the next problem": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(INVALID);
    await tide.editor.focus();
    await tide.page.keyboard.press("F8");
    equal(await tide.selected(), "wiat", "selected text");
  },
  "a word shows its meaning and the source": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(NAMED);
    await tide.page.locator(".cm-content .t-operation", { hasText: /^join$/ }).hover();
    const shown = tide.page.locator(".cm-meaning");
    await shown.waitFor();
    truth((await shown.textContent()).includes("Joins a named barrier"), "the meaning");
    truth((await shown.locator(".cm-meaning__source").textContent()).includes("Named barriers"), "the section");
  },
  "the meaning of a word covers adjacent panels and the top bar": async ({ fresh }) => {
    for (const viewport of [{ width: 1440, height: 900 }, { width: 800, height: 900 }]) {
      const tide = await (await fresh({ viewport })).open();
      await tide.write(NAMED);
      const word = tide.page.locator(".cm-content .t-operation", { hasText: /^join$/ });
      // As high as it is visible below the bar.
      await word.evaluate((it) => { window.scrollBy(0, it.getBoundingClientRect().top - 80); });
      await word.hover();
      await tide.page.locator(".cm-meaning").waitFor();
      const seen = () => tide.page.locator(".cm-tooltip").first().evaluate((shown) => {
        const { left, right, top, bottom } = shown.getBoundingClientRect();
        const corners = [[left + 6, top + 6], [right - 6, top + 6], [left + 6, bottom - 6], [right - 6, bottom - 6]];
        return corners.every(([x, y]) => shown.contains(document.elementFromPoint(x, y)));
      });
      await expect(`all of it at ${viewport.width}`, seen, Boolean);
    }
  },
  "a partial word is completed": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(NAMED);
    await tide.caret("  init ready");
    await tide.page.keyboard.type("  s_barrier_jo");
    await first(tide).waitFor();
    truth((await first(tide).textContent()).startsWith("s_barrier_join"), "a candidate");
    await tide.page.waitForTimeout(100);
    await tide.page.keyboard.press("Tab");
    await expect("the whole word", () => tide.text(), (text) => text.includes("s_barrier_join  init"));
    await tide.page.keyboard.type("\ntarget gfx12");
    await expect("targets", () => tide.page.locator(".cm-tooltip-autocomplete .cm-completionLabel").allTextContents(), (names) => names.includes("gfx1250"));
    await tide.page.keyboard.press("Enter");
    truth((await tide.text()).includes("target gfx12\n"), "a new line where nothing was chosen");
  },
  "completions have their meaning beside them before one is chosen": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target sm_90\nlaunch warps=2\nmbarrier full\nwarp 0 {\n  \n}\n");
    await tide.caret("\n}\n");
    await tide.page.keyboard.type("mbarrier.in");
    await first(tide).waitFor();
    equal(await first(tide).locator(".cm-completionDetail").textContent(), "Initialises an mbarrier object", "the meaning of mbarrier.init");
  },
  "completions fit the target of the scenario": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const labels = () => tide.page.locator(".cm-tooltip-autocomplete .cm-completionLabel").allTextContents();
    for (const [target, unit, typed, wanted, other] of [
      ["gfx1250", "wave", "b", "break", /^(bar|barrier)\./],
      ["sm_90", "warp", "b", "bar.sync", /^BAR\.|s_barrier/],
      ["opencl", "subgroup", "b", "barrier", /^bar\./],
    ]) {
      await tide.write(`target ${target}\nlaunch ${unit}s=2\n${unit} 0 {\n  \n}\n`);
      await tide.caret("\n}\n");
      await tide.page.keyboard.type(typed);
      await expect(wanted, labels, (all) => all.includes(wanted) && !all.some((label) => other.test(label)));
      await tide.page.keyboard.press("Escape");
    }
  },
  "a completed operation has its operands, and Tab goes from one to the next": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target gfx1250\nlaunch waves=2\nbarrier ready = named(1)\nlds tile[64]\nwave 0 {\n  \n}\n");
    await tide.caret("\n}\n");
    const take = async (typed, operands) => {
      await tide.page.keyboard.type(typed);
      await first(tide).waitFor();
      equal(await first(tide).locator(".cm-completionOperands").textContent(), operands, "the operands");
      await tide.page.waitForTimeout(100);
      await tide.page.keyboard.press("Tab");
    };
    const selects = (word) => expect(`${word} selected`, () => tide.selected(), (selected) => selected === word);
    await take("ini", " ready, COUNT");
    await selects("COUNT");
    await tide.page.keyboard.type("1; ");
    await take("arri", " ready");
    await selects("ready");
    await tide.page.keyboard.type("wg\n");
    await take("loa", " tile[A..B]");
    await selects("A");
    await tide.page.keyboard.type("0");
    await tide.page.keyboard.press("Tab");
    await selects("B");
    await tide.page.keyboard.type("4");
    await tide.page.keyboard.press("Tab");
    await tide.page.keyboard.type(" // read");
    truth((await tide.text()).includes("\n  init ready, 1; arrive wg\n  load tile[0..4] // read\n}"), await tide.text());
  },
  "a completed wait on an mbarrier is a loop with a new label": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target sm_90\nlaunch warps=1\nmbarrier full\nwarp 0 {\n  mbarrier.init.shared::cta.b64 [full], 1\n  \n}\n");
    await tide.caret("\n}\n");
    await tide.page.keyboard.type("mbarrier.try");
    await first(tide).waitFor();
    await tide.page.waitForTimeout(100);
    await tide.page.keyboard.press("Tab");
    await tide.page.keyboard.type("0");
    await tide.hasVerdict("deadlock");
    const lines = "  again: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0\n  @!p bra again\n}";
    truth((await tide.text()).includes(lines), await tide.text());
  },
  "a completion before the rest of a line is only the name": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(NAMED);
    await tide.caret(" ready, 1");
    for (const key of ["Backspace", "Backspace", "i"]) await tide.page.keyboard.press(key);
    await first(tide).waitFor();
    await tide.page.waitForTimeout(100);
    await tide.page.keyboard.press("Tab");
    await expect("the same text", () => tide.text(), (text) => text === NAMED);
  },
  "an operation shows its operands with its meaning": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target sm_90\nlaunch warps=1\nmbarrier full\nwarp 0 {\n  mbarrier.init [full], 1\n}\n");
    await tide.page.locator(".cm-content .t-operation", { hasText: "mbarrier.init" }).hover();
    const written = tide.page.locator(".cm-meaning__signature");
    await expect("the signature", () => written.textContent(), (text) => text === "mbarrier.init.shared::cta.b64 [BARRIER], COUNT");
  },
  "unsupported operations have a sign next to their line": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(NAMED.replace("gfx1250", "gfx900"));
    await tide.hasVerdict("unsupported");
    const sign = tide.page.locator('.cm-sign[data-tone="unsupported"]');
    await expect("signs", () => sign.count(), (count) => count >= 1);
    truth((await sign.first().getAttribute("title")).includes("gfx900"), "a reason");
    await tide.write(SYNC);
    await expect("no sign", () => sign.count(), (count) => count === 0);
  },
  "the line of the current step is marked": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.moves.first().click();
    await expect("the line", () => tide.page.locator(".cm-step").allTextContents(), (lines) => lines.join() === "  arrive wg");
    await tide.page.keyboard.press("ArrowLeft");
    await expect("no line", () => tide.page.locator(".cm-step").count(), (count) => count === 0);
  },
  "the line of the current step stays marked where a paste replaces the text by itself": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const marked = () => tide.page.locator(".cm-lineNumbers .cm-line-step").allTextContents();
    await tide.write(STUCK);
    await expect("a line", marked, ([line]) => Number(line) > 0);
    const [line] = await marked();
    await tide.write(STUCK.replace("Two", "Both"));
    await expect(`line ${line}`, marked, (lines) => lines.join() === line);
  },
  "the text is searched and replaced": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.editor.focus();
    await tide.page.keyboard.press("Control+f");
    await tide.page.locator(".cm-search").waitFor();
    await tide.page.keyboard.type("wg");
    await expect("both", () => tide.page.locator(".cm-searchMatch").count(), (count) => count === 2);
    await tide.page.locator('.cm-search input[name="replace"]').fill("wg ");
    await tide.settled(() => tide.page.locator('.cm-search button[name="replaceAll"]').click());
    truth((await tide.text()).includes("arrive wg \n"), "the replaced word");
    await tide.page.keyboard.press("Escape");
    await expect("no search", () => tide.page.locator(".cm-search").count(), (count) => count === 0);
  },
  "the text is formatted": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC.replaceAll("  ", "      "));
    await tide.editor.focus();
    await tide.settled(() => tide.page.keyboard.press("Shift+Alt+F"));
    equal(await tide.text(), SYNC, "text");
  },
  "a new line has the indentation of its block": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.caret("\n  arrive");
    await tide.page.keyboard.press("Enter");
    await tide.page.keyboard.type("# x");
    truth((await tide.text()).includes("wave * {\n  # x\n"), "two blanks");
  },
  "a closing brace aligns with the line that opens its block": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.editor.focus();
    await tide.page.keyboard.press("Control+a");
    await tide.page.keyboard.press("Delete");
    const lines = ["launch waves=2", "wave * {", "repeat 2 {", "arrive wg # {", "wait wg", "}", "}", "expect ok"];
    for (const line of lines) await tide.page.keyboard.type(`${line}\n`);
    equal(await tide.text(), "launch waves=2\nwave * {\n  repeat 2 {\n    arrive wg # {\n    wait wg\n  }\n}\nexpect ok\n", "the text");
  },
  "a long text draws only its visible lines": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(`${SYNC}${"# more\n".repeat(5000)}`);
    truth((await tide.page.locator(".cm-line").count()) < 300, "only the lines in sight");
  },
  "where no agent can continue, the line of the wait that never returns is marked": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(`${SYNC.split("wave *")[0]}wave 0 {\n  arrive wg\n  wait wg\n  wait wg\n}\nwave 1 {\n  arrive wg\n}\n`);
    await tide.button("Run all (r)").click();
    await expect("the state", () => tide.stands(), (state) => state === "stuck");
    const marked = () => tide.page.locator(".cm-lineNumbers .cm-line-step").allTextContents();
    const line = (await tide.text()).split("\n").lastIndexOf("  wait wg") + 1;
    await expect(`line ${line}`, marked, (lines) => lines.join() === String(line));
  },
};
