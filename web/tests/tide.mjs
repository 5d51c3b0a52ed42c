// The page as a reader sees it.
import { inflateSync } from "node:zlib";
import { expect } from "./expect.mjs";

const DESK = { width: 1440, height: 900 };

export class Tide {
  constructor(page, url) {
    this.page = page;
    this.url = url;
    this.faults = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.faults.push(`uncaught: ${error.message}`));
    page.on("request", (request) => {
      if (!request.url().replace(/^blob:/, "").startsWith(new URL(url).origin)) this.faults.push(`request outside: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.faults.push(`status ${response.status()}: ${response.url()}`);
    });
  }

  /** Opens a page in a separate browser context. */
  static async fresh(browser, url, options = {}) {
    const { offline = false, ...rest } = options;
    const context = await browser.newContext({ viewport: DESK, ...rest });
    // Without the service worker, which would load the page again for each case.
    if (!offline) await context.addInitScript(() => delete Navigator.prototype.serviceWorker);
    return new Tide(await context.newPage(), url);
  }

  /** Opens another page of the same reader. */
  async beside() {
    return new Tide(await this.page.context().newPage(), this.url);
  }

  /** Opens the page and waits for a verdict; by default also for the engine and the editor. */
  async open(fragment = "", { engine = true, editor = engine } = {}) {
    await this.page.goto("about:blank");
    await this.page.goto(this.url + fragment);
    await this.page.locator('.verdict[data-judged]:not([data-judged="0"])').waitFor();
    if (engine) await this.hasEngine();
    if (editor) await this.hasEditor();
    return this;
  }

  hasEngine() {
    return this.page.locator('.verdict[data-engine="ready"]').waitFor();
  }

  hasEditor() {
    return this.page.locator('.editor[data-editor="whole"]').waitFor();
  }

  /** Blocks the editor, so that the text area stays. */
  async withoutEditor() {
    await this.page.route("**/editor.js", (route) => route.abort());
  }

  /** Delays the engine until the returned function is called. */
  async withoutEngine() {
    let release;
    const wait = new Promise((resolve) => { release = resolve; });
    await this.page.route("**/engine_bg.wasm", async (route) => {
      await wait;
      await route.continue();
    });
    return release;
  }

  /** Returns everything that the page shows about a scenario. */
  async says() {
    const parts = await this.page.locator(".verdict, .inquiry, #execution, .objects, .agents").allInnerTexts();
    return parts.join("\n");
  }

  close() {
    return this.page.context().close();
  }

  /** Returns the verdict as a word of reports. */
  verdict() {
    return this.page.locator(".verdict").getAttribute("data-verdict");
  }

  async hasVerdict(wanted) {
    await expect(`verdict ${wanted}`, () => this.verdict(), (verdict) => verdict === wanted);
  }

  get editor() {
    return this.page.getByLabel("Scenario text");
  }

  /** Runs a function with the editor, or with the text area if the editor is not mounted. */
  async #inEditor(whole, plain, argument) {
    const code = this.page.locator('.editor[data-editor="whole"] .editor__code');
    if (await code.count()) return (await code.evaluateHandle((host) => host.editor.view)).evaluate(whole, argument);
    return this.page.locator("textarea#scenario").evaluate(plain, argument);
  }

  text() {
    return this.#inEditor((view) => view.state.doc.toString(), (area) => area.value);
  }

  /** Returns the selected part of the text. */
  selected() {
    const ofArea = (area) => area.value.slice(area.selectionStart, area.selectionEnd);
    return this.#inEditor((view) => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to), ofArea);
  }

  /** Puts the caret before the first occurrence of a part of the text, and focuses the editor. */
  async caret(part) {
    const at = (await this.text()).indexOf(part);
    await this.editor.focus();
    await this.#inEditor((view, at) => view.dispatch({ selection: { anchor: at } }), (area, at) => area.setSelectionRange(at, at), at);
  }

  /** Replaces the text, as a paste over all of it. */
  async fill(text) {
    const paste = (view, text) => {
      view.focus();
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input.paste" });
    };
    const type = (area, text) => {
      area.focus();
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    };
    await this.#inEditor(paste, type, text);
  }

  /** Replaces the text and waits for its report. */
  async write(text) {
    await this.settled(() => this.fill(text));
  }

  /** Replaces the text without performed steps. */
  async begin(text) {
    await this.write(text);
    await this.page.evaluate(() => document.activeElement.blur());
    await this.page.keyboard.press("c");
    await this.hasSteps(0, 0);
  }

  /** Shows the witness of the first finding, if the page does not show it already. */
  async showWitness() {
    const button = this.page.getByRole("button", { name: /^(Show me|Replay)$/ }).first();
    if ((await button.textContent()).includes("Show me")) await button.click();
    await this.button("Replay").first().waitFor();
  }

  /** Waits until the address is a link to the text: the page stores its work at the same time. */
  async kept() {
    const text = await this.text();
    const linked = () => {
      const { hash } = new URL(this.page.url());
      return hash.startsWith("#v1.") ? inflateSync(Buffer.from(hash.slice(4), "base64url")).toString() : hash;
    };
    await expect("a link to the text", linked, (link) => link.includes(text));
  }

  /** Performs an action that leads to a new report, and waits for it. */
  async settled(change) {
    const judged = () => this.page.locator(".verdict").getAttribute("data-judged").then(Number);
    const before = await judged();
    await change();
    await expect("a new report", judged, (now) => now > before);
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  link(name) {
    return this.page.getByRole("link", { name, exact: true });
  }

  /** Opens the page at a view. */
  async visit(fragment) {
    await this.page.goto("about:blank");
    await this.page.goto(this.url + fragment);
    await this.page.locator("#view .view__name").waitFor();
    return this;
  }

  /** Returns the title of the visible view. */
  view() {
    return this.page.locator("#view .view__name");
  }

  /** Whether the playground is visible. */
  playground() {
    return this.page.locator("main.work");
  }

  tab(name) {
    return this.page.getByRole("tab", { name, exact: true });
  }

  /** Returns the open scenario at an index. */
  scenario(place) {
    return this.page.locator(".scenario__name").nth(place);
  }

  /** Returns the titles of the open scenarios, in order. */
  scenarios() {
    return this.page.locator(".scenario__name").allTextContents();
  }

  /** Returns the number of performed steps and of all steps. */
  async steps() {
    const [cursor, length] = (await this.page.locator(".controls__count").textContent()).split("/").map(Number);
    return { cursor, length };
  }

  async hasSteps(cursor, length) {
    await expect(`steps ${cursor}/${length}`, () => this.steps(), (now) => now.cursor === cursor && now.length === length);
  }

  /** Returns the labels of the performed operations. */
  performed() {
    return this.page.locator(".step:not(.step--future) .node__label").allTextContents();
  }

  /** Returns the state of the execution. */
  stands() {
    return this.page.locator(".stands").getAttribute("data-state");
  }

  get moves() {
    return this.page.locator("button.move");
  }

  async showRelations() {
    await this.tab("Relations").click();
    await this.page.locator(".relations__toggles").waitFor();
  }

  /** Returns the toggle of a relation. */
  relation(name) {
    return this.page.locator(".relation", { hasText: name });
  }

  /** Returns the lines of a relation over the lanes. */
  edges(id) {
    return this.page.locator(`.edge[data-relation="${id}"]`);
  }

  get notice() {
    return this.page.locator(".notice__text");
  }

  theme() {
    return this.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  }
}
