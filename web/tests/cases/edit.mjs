import { equal, expect, truth, within } from "../expect.mjs";
import { INVALID, LONG, SYNC, SOON_AND_LONG, STUCK, TOO_LATE, UNFENCED } from "../scenarios.mjs";

/** Replaces the whole text by keys. */
const overwrite = async (tide, text) => {
  await tide.editor.focus();
  await tide.page.keyboard.press("Control+a");
  await tide.page.keyboard.insertText(text);
};

export const cases = {
  "a fix focuses the editor, where keys undo it": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(UNFENCED);
    await tide.settled(() => tide.button("Apply").first().click());
    truth((await tide.text()) !== UNFENCED, "a fixed text");
    await tide.settled(() => tide.page.keyboard.press("Control+z"));
    equal(await tide.text(), UNFENCED, "the text before");
  },
  "two missing barriers are added together": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target sm_90\nlaunch warps=2\nshared tile[64]\nwarp 0 {\n  store tile\n}\nwarp 1 {\n  load tile\n}\n");
    await tide.hasVerdict("race");
    await tide.settled(() => tide.button("Apply").first().click());
    await tide.hasVerdict("ok");
    equal((await tide.text()).match(/barrier\.sync 0/g).length, 2, "barriers");
  },
  "typing over the whole text leaves no styles": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.settled(() => overwrite(tide, "__global__ void f() { __syncthreads(); }"));
    await tide.settled(() => overwrite(tide, "launch waves=100000\nwave * { arrive wg; wait wg }"));
    await tide.settled(() => overwrite(tide, "l"));
    equal(await tide.text(), "l", "text");
    equal(await tide.page.locator(".cm-content [style], .cm-content font").count(), 0, "styled elements");
    equal(tide.faults, [], "errors");
  },
  "another scenario shows its execution, a changed one keeps its steps": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.page.keyboard.press("Escape");
    await tide.editor.blur();
    for (const _ of [1, 2, 3]) await tide.page.locator("button.move").first().click();
    await tide.hasSteps(3, 3);
    await tide.write(SYNC.replace("  wait wg\n", "  wait wg\n  arrive wg\n"));
    await tide.hasSteps(3, 3);
    await tide.write("launch waves=3\n\nwave * { arrive wg; wait wg; arrive wg; wait wg }\n");
    await expect("a whole run", () => tide.steps(), ({ cursor, length }) => cursor > 3 && cursor === length);
    truth(!(await tide.page.locator(".stands").innerText()).includes("still apply"), "no notice of kept steps");
  },
  "an empty text has no verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("\n");
    await tide.hasVerdict("empty");
    const said = await tide.page.locator(".verdict__words").textContent();
    truth(said.includes("Write a scenario") && !said.includes("Defined"), said);
    equal(await tide.page.locator(".verdict .chip, #inquiry :is(.calm, .ways)").count(), 0, "chips and findings");
    await tide.settled(() => tide.button("Named barriers").click());
    truth((await tide.text()).includes("pipeline with named barriers"), "the scenario to start from");
    equal(await tide.page.locator(".starts").count(), 0, "offers");
    await tide.write(SYNC);
    await tide.hasVerdict("ok");
  },
  "a notice disappears when the text changes": async ({ fresh }) => {
    const tide = await (await fresh({ permissions: ["clipboard-read", "clipboard-write"] })).open();
    await tide.tab("Targets").click();
    await tide.page.locator(".machine-code").getByRole("button", { name: "Copy" }).click();
    await tide.notice.waitFor();
    await tide.write(SYNC);
    equal(await tide.notice.count(), 0, "notices");
  },
  "editing changes the verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.hasVerdict("ok");
    await tide.write(STUCK);
    await tide.hasVerdict("deadlock");
    await tide.write(TOO_LATE);
    await tide.hasVerdict("ub");
    equal(await tide.page.locator(".findings__body > .finding").first().getAttribute("data-rule"), "amd.join.before-wait", "rule");
  },
  "typing key by key ends with the verdict of the last text": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.caret("expect");
    await tide.page.keyboard.type("wave 7 { zzz }", { delay: 0 });
    await tide.hasVerdict("invalid");
    for (let count = 0; count < 14; count += 1) await tide.page.keyboard.press("Backspace");
    await tide.hasVerdict("ok");
    equal(await tide.text(), SYNC, "text");
  },
  "invalid text keeps the last execution and shows its errors": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.moves.first().click();
    await tide.hasSteps(1, 1);
    await tide.write(INVALID);
    await tide.hasVerdict("invalid");
    truth((await tide.page.locator(".problem").count()) > 0, "a problem");
    truth((await tide.page.locator(".cm-line-error").count()) > 0, "a marked line");
    truth((await tide.page.locator(".step").count()) === 1, "the steps of the last valid text");
    await tide.write(SYNC);
    await tide.hasVerdict("ok");
    await tide.hasSteps(1, 1);
  },
  "a proposed change is applied by its button": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(INVALID);
    const fix = tide.page.getByRole("button", { name: /^Replace with/ });
    await expect("a proposal", () => fix.count(), (count) => count > 0);
    await tide.settled(() => fix.first().click());
    await tide.hasVerdict("ok");
  },
  "a proposed change can be undone in the editor": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(INVALID);
    const fix = tide.page.getByRole("button", { name: /^Replace with/ });
    await expect("a proposal", () => fix.count(), (count) => count > 0);
    await tide.settled(() => fix.first().click());
    equal(await tide.text(), SYNC, "text with the change");
    await tide.editor.focus();
    await tide.settled(() => tide.page.keyboard.press("Control+z"));
    equal(await tide.text(), INVALID, "text without the change");
    await tide.hasVerdict("invalid");
  },
  "opening an example keeps the reader's work": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.editor.focus();
    await tide.page.keyboard.press("Control+a");
    await tide.settled(() => tide.page.keyboard.insertText(SYNC));
    const choose = async () => {
      await tide.link("Examples").click();
      await tide.settled(() => tide.page.locator("#view .example").last().click());
      truth((await tide.text()) !== SYNC, "the text of the example");
    };
    await choose();
    truth((await tide.notice.textContent()).includes("next to your work"), "that it is there");
    await tide.settled(() => tide.scenario(0).click());
    equal(await tide.text(), SYNC, "own text");
  },
  "results of an older text are marked and disabled": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const bar = tide.page.locator(".verdict");
    const now = () => tide.page.evaluate(() => {
      const { view } = document.querySelector(".editor__code").editor;
      const buttons = [...document.querySelectorAll("button")].filter((button) => /^(Show me|Replace with)/.test(button.textContent.trim()));
      view.dispatch({ changes: { from: view.state.doc.length, insert: "\n# more" } });
      return new Promise((resolve) => queueMicrotask(() => setTimeout(() => {
        const text = view.state.doc.toString();
        const state = {
          judged: document.querySelector(".verdict").dataset.judged,
          busy: [".verdict", ".findings__body"].map((part) => document.querySelector(part).getAttribute("aria-busy")),
          disabled: buttons.map((button) => button.getAttribute("aria-disabled")),
        };
        buttons.forEach((button) => button.click());
        setTimeout(() => resolve({ ...state, same: view.state.doc.toString() === text, steps: document.querySelector(".controls__count").textContent }));
      })));
    });
    for (const [text, buttons] of [[STUCK, 3], [INVALID, 1]]) {
      await tide.begin(text === INVALID ? SYNC : text);
      if (text === INVALID) await tide.write(text);
      const judged = await bar.getAttribute("data-judged");
      const old = await tide.page.evaluate(() => {
        // The worker's answers are delayed, so that the older report stays.
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = () => {};
        window.release = () => (Worker.prototype.postMessage = post);
      }).then(now);
      equal(old.judged, judged, "no new report");
      equal(old.busy, ["true", "true"], "busy");
      equal(old.disabled, Array(buttons).fill("true"), "buttons disabled");
      truth(old.same, "a text that the buttons did not change");
      equal(old.steps, "0/0", "steps");
      await expect("the word", () => tide.page.locator(".verdict__checking").isVisible(), Boolean);
      equal(await tide.page.locator(".verdict__word").isVisible(), false, "the older verdict is seen");
      await tide.page.evaluate(() => window.release());
      await tide.write(SYNC);
      equal(await bar.getAttribute("aria-busy"), "false", "busy after the report");
    }
  },
  "no text breaks the page": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    for (const text of ["", "\0", "{".repeat(500), "wave 0 { loop { } }", "é\u{1f600}\""]) {
      await tide.write(text);
      truth((await tide.page.locator(".verdict__word").textContent()).length > 0, "a verdict in words");
    }
  },
  "early findings are shown during a long check": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const cancel = tide.button("Cancel");
    await tide.fill(SOON_AND_LONG);
    await tide.hasVerdict("violation");
    truth(await cancel.isVisible(), "the check continues");
    truth((await tide.page.locator(".verdict").innerText()).includes("incomplete search"), "not every schedule was seen");
    await tide.showWitness();
    await expect("the witness", () => tide.page.locator(".step .node").count(), (count) => count > 10);
    // A mouse click takes longer than an update of the count.
    await cancel.hover();
    await tide.page.mouse.down();
    await tide.page.waitForTimeout(300);
    await tide.page.mouse.up();
    await expect("what is shown", () => tide.notice.innerText(), (text) => text.includes("Results are incomplete"));
    await tide.hasVerdict("violation");
    await tide.write(SYNC);
    await tide.hasVerdict("ok");
  },
  "a long check shows its progress and can be cancelled": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const cancel = tide.button("Cancel");
    await within(100, "a long check cancelled", "50", async () => {
      await tide.write(SYNC);
      await tide.fill(LONG);
      await cancel.waitFor();
      return cancel.evaluate((button) => new Promise((resolve) => {
        const start = performance.now();
        new MutationObserver(() => button.isConnected || requestAnimationFrame(() => resolve(performance.now() - start)))
          .observe(document.body, { childList: true, subtree: true });
        button.click();
      }));
    });
    await tide.hasVerdict("ok");
    await expect("no verdict of this text", () => tide.page.locator(".verdict__checking").innerText(), (text) => text === "Not checked");
    await tide.page.locator(".verdict").getByRole("button", { name: "Check", exact: true }).click();
    await cancel.waitFor();
    await cancel.click();
    await tide.write(SYNC);
    await tide.hasVerdict("ok");
  },
  "a cancelled first check leaves no verdict, and can be started again": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.settled(() => tide.button("New scenario").click());
    await tide.fill(LONG);
    await tide.button("Cancel").click();
    await expect("the verdict", () => tide.page.locator(".verdict__checking").innerText(), (text) => text === "Not checked");
    truth(!(await tide.page.locator(".verdict__word").isVisible()), "no verdict");
    equal(await tide.notice.innerText(), "Check cancelled.", "notice");
    truth(!(await tide.page.locator(".findings").innerText()).includes("Checking"), "no running check in the panel Why");
    await tide.page.locator(".verdict").getByRole("button", { name: "Check", exact: true }).click();
    await tide.button("Cancel").click();
    await tide.write(SYNC);
    await tide.hasVerdict("ok");
  },
  "a new scenario is empty, offers scenarios to start from, and shows no execution": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.settled(() => tide.button("New scenario").click());
    await tide.hasVerdict("empty");
    equal(await tide.text(), "", "the text");
    equal(await tide.page.locator(".lane-head").filter({ visible: true }).count(), 0, "visible lanes");
    await tide.settled(() => tide.button("mbarrier pipeline").click());
    await tide.hasVerdict("ok");
    truth(await tide.page.locator(".lane-head").first().isVisible(), "the lanes");
  },
};
