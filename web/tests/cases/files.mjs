// Several files as one table.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { equal, expect, truth } from "../expect.mjs";
import { INVALID, STUCK, SYNC, TOO_LATE } from "../scenarios.mjs";

const FILES = { "ok.tide": SYNC, "stuck.tide": STUCK, "late.tide": TOO_LATE, "broken.tide": INVALID };
const dialog = (tide) => tide.page.getByRole("dialog");
const drop = (tide, files) => tide.page.evaluate((files) => {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
  for (const type of ["dragover", "drop"]) document.querySelector("#execution").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}, Object.entries(files));
const table = (tide) => dialog(tide).locator("tbody tr").evaluateAll((rows) => rows.map((row) => [0, 2].map((at) => row.children[at].textContent)));
/** The page imports the module that handles dropped files after the engine. */
const open = async (fresh) => {
  const tide = await (await fresh()).open();
  await expect("the modules of the lanes", () => tide.page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/passages.js"))), Boolean);
  await tide.page.waitForTimeout(200);
  return tide;
};

export const cases = {
  "dropped files become a table with a verdict each, and a row opens its file": async ({ fresh }) => {
    const tide = await open(fresh);
    await drop(tide, FILES);
    const wanted = [["ok.tide", "Defined"], ["stuck.tide", "Deadlock"], ["late.tide", "Undefined"], ["broken.tide", "Invalid scenario"]];
    await expect("all verdicts", () => table(tide), (rows) => JSON.stringify(rows) === JSON.stringify(wanted), 20_000);
    await expect("a summary", () => dialog(tide).getByRole("status").innerText(), (text) => text === "4 of 4 files checked: 1 Defined, 1 Deadlock, 1 Undefined, 1 Invalid scenario.");
    equal(await dialog(tide).locator("tbody tr").nth(2).locator("code").first().innerText(), "amd.join.before-wait", "rule");
    await dialog(tide).getByRole("button", { name: "Verdict" }).click();
    await expect("sorted rows", () => table(tide), (rows) => rows[0][1] === "Deadlock" && rows[3][1] === "Undefined");
    await dialog(tide).getByRole("button", { name: "stuck.tide" }).click();
    await tide.hasVerdict("deadlock");
    await expect("its text", () => tide.text(), (text) => text === STUCK);
    equal(await dialog(tide).count(), 0, "dialogs");
    equal(await tide.notice.textContent(), "Opened stuck.tide.", "notice");
    truth((await tide.scenarios()).includes("stuck.tide"), "a tab with its name");
    await tide.button("Files (4)").click();
    equal((await table(tide)).length, 4, "rows of the same table");
    await tide.page.keyboard.press("Escape");
    await tide.page.reload();
    await expect("its name after a reload", () => tide.scenarios(), (names) => names.includes("stuck.tide"));
  },
  "the table of files is a dialog: it keeps the focus, the arrows move between its rows, and the focus returns": async ({ fresh }) => {
    const tide = await open(fresh);
    await tide.button("Share").focus();
    await drop(tide, FILES);
    const focused = () => tide.page.evaluate(() => document.activeElement.textContent);
    equal(await dialog(tide).evaluate((it) => it.matches("dialog:modal")), true, "a modal dialog");
    equal(await dialog(tide).getAttribute("aria-labelledby"), "files-name", "its name");
    await expect("the first row", focused, (text) => text === "ok.tide");
    for (const [key, wanted] of [["ArrowDown", "stuck.tide"], ["End", "broken.tide"], ["ArrowUp", "late.tide"], ["Home", "ok.tide"]]) {
      await tide.page.keyboard.press(key);
      equal(await focused(), wanted, `the row after ${key}`);
    }
    for (const key of ["Tab", "Shift+Tab"]) {
      const seen = new Set();
      for (let times = 0; times < 14; times += 1) {
        await tide.page.keyboard.press(key);
        equal(await tide.page.evaluate(() => Boolean(document.activeElement.closest("dialog.files"))), true, `the focus in the dialog after ${key}`);
        seen.add(await focused());
      }
      truth(["Close", "Copy table", ...Object.keys(FILES)].every((name) => seen.has(name)), `everything is reached, found ${[...seen]}`);
    }
    await tide.page.keyboard.press("Escape");
    equal(await dialog(tide).count(), 0, "dialogs");
    await expect("the focus before", focused, (text) => text.includes("Share"));
    await tide.button("Files (4)").focus();
    await tide.page.keyboard.press("Enter");
    await tide.page.keyboard.press("ArrowDown");
    await expect("its verdicts", () => table(tide), (rows) => rows[1][1] === "Deadlock", 20_000);
    await tide.page.keyboard.press("Enter");
    await tide.hasVerdict("deadlock");
    equal(await tide.text(), STUCK, "the file of the row");
  },
  "a folder that is dragged onto the page becomes a table, with the scenarios of its folders": async ({ fresh }) => {
    const folder = mkdtempSync(join(tmpdir(), "tidegate-"));
    const top = join(folder, "pipelines");
    mkdirSync(join(top, "more", "deep"), { recursive: true });
    for (const [path, text] of [["ok.tide", SYNC], ["notes.txt", "No scenario."], ["more/stuck.tide", STUCK], ["more/deep/late.tide", TOO_LATE]]) writeFileSync(join(top, path), text);
    try {
      const tide = await open(fresh);
      const { x, y } = await tide.page.locator("#execution").boundingBox();
      const session = await tide.page.context().newCDPSession(tide.page);
      const data = { items: [], files: [top], dragOperationsMask: 1 };
      for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, x: x + 40, y: y + 40, data });
      const wanted = [["pipelines/more/deep/late.tide", "Undefined"], ["pipelines/more/stuck.tide", "Deadlock"], ["pipelines/ok.tide", "Defined"]];
      await expect("a row for each scenario", () => table(tide), (rows) => JSON.stringify(rows) === JSON.stringify(wanted), 20_000);
      await dialog(tide).getByRole("button", { name: "stuck.tide" }).click();
      await tide.hasVerdict("deadlock");
      equal(await tide.text(), STUCK, "the text of a row");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  "a single dropped file is opened": async ({ fresh }) => {
    const tide = await open(fresh);
    await drop(tide, { "stuck.tide": STUCK });
    await tide.hasVerdict("deadlock");
    await expect("its text", () => tide.text(), (text) => text === STUCK);
  },
  "files are chosen by a command": async ({ fresh }) => {
    const tide = await open(fresh);
    await tide.page.keyboard.press("Control+k");
    await tide.page.keyboard.type("Check several files");
    const chooser = tide.page.waitForEvent("filechooser");
    await tide.page.keyboard.press("Enter");
    const files = Object.entries(FILES).slice(0, 2).map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) }));
    await (await chooser).setFiles(files);
    await expect("two verdicts", () => table(tide), (rows) => JSON.stringify(rows) === JSON.stringify([["ok.tide", "Defined"], ["stuck.tide", "Deadlock"]]), 20_000);
  },
};
