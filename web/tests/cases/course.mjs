// The course and the stories: pages beside the page, with scenarios, questions, tasks, links and a table.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { equal, expect, truth } from "../expect.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FIRST = "course/01-what-a-barrier-counts.html";
const STORY = "stories/tilelang-2567.html";
const PAGES = [FIRST, "course/index.html", "course/exercise.html", "course/table.html", STORY, "stories/index.html"];
const SOLVED = "target gfx1250\nlaunch waves=4\n\nwave * {\n  arrive wg\n  wait wg\n  arrive wg; wait wg\n}\n";

const visit = async (fresh, path, options) => {
  const tide = await fresh(options);
  await tide.page.goto(tide.url + path);
  return tide;
};

/** Writes a text into the task of a lesson and checks it; returns the result. */
const check = async (tide, text, lesson = "01") => {
  const task = tide.page.locator(`.task[data-lesson="${lesson}"]`);
  await task.locator("textarea").fill(text);
  await task.locator(".task__said").evaluate((said) => said.replaceChildren());
  await task.getByRole("button", { name: "Check" }).click();
  await task.locator(".task__mark, .task__said p:not(:text('Checking'))").first().waitFor({ timeout: 60_000 });
  return task.locator(".task__said").innerText();
};

/** The worked answers by the numbers of their lessons. */
const answersOf = (root) =>
  Object.fromEntries(readdirSync(join(root, "course")).map((name) => {
    const [, answer] = readFileSync(join(root, "course", name), "utf8").split("\n## Answer\n");
    return [name.slice(0, 2), answer.split("```tide\n")[1].split("```")[0]];
  }));

/** Returns the fragment with some data, as a page makes it. */
const packed = (tide, mark, data) => tide.page.evaluate(async ([mark, data]) => (await import("../course-links.js")).fragment(mark, data), [mark, data]);

const violations = async (page) => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => node.html).join(" | ")}`);
};

export const cases = {
  "a question of a lesson explains a wrong and a right choice, then shows the scenario": async ({ fresh }) => {
    const tide = await visit(fresh, FIRST);
    equal(await tide.page.locator(".scenario[data-asked] .badge").count(), 0, "verdicts before the answer");
    await tide.page.getByLabel("Undefined").check();
    await tide.button("Answer").click();
    await expect("a wrong choice", () => tide.page.locator(".ask__said").innerText(), (text) => text === "Not right.");
    equal(await tide.page.locator(".ask__why:visible").count(), 2, "explanations");
    await tide.page.getByLabel("Deadlock").check();
    await tide.button("Answer").click();
    await expect("a right choice", () => tide.page.locator(".ask__said").innerText(), (text) => text === "Right.");
    const frame = tide.page.locator("tide-gate[title='The scenario of the question']");
    await frame.scrollIntoViewIfNeeded();
    await tide.page.frameLocator("tide-gate[title='The scenario of the question'] iframe").locator('.verdict[data-verdict="deadlock"]').waitFor({ timeout: 60_000 });
  },
  "the picture of a story fits a phone: it scrolls in its frame, which fades where it continues": async ({ fresh }) => {
    const tide = await visit(fresh, STORY, { viewport: { width: 390, height: 844 } });
    const frame = tide.page.locator("figure.wide").first();
    await frame.scrollIntoViewIfNeeded();
    equal(await tide.page.evaluate(() => document.documentElement.scrollWidth), 390, "width of the page");
    const [left, right] = await frame.evaluate((it) => [it.getBoundingClientRect().left, it.getBoundingClientRect().right]);
    truth(left >= 0 && right <= 390, `a frame on the screen, found ${left} to ${right}`);
    const picture = () => frame.locator("img").evaluate((img) => img.getBoundingClientRect().right);
    truth(await picture() > right, "a picture that is wider than its frame");
    const mask = () => frame.evaluate((it) => getComputedStyle(it).maskImage);
    truth((await mask()).includes("rgba(0, 0, 0, 0)"), `a fading edge, found ${await mask()}`);
    await frame.focus();
    await tide.page.keyboard.press("ArrowRight");
    await frame.evaluate((it) => it.scrollTo(it.scrollWidth, 0));
    await expect("the right end of the picture", picture, (end) => end <= right);
    await expect("no fading edge at its end", mask, (says) => !says.includes("rgba(0, 0, 0, 0)"));
    const caption = await frame.locator("figcaption").boundingBox();
    truth(caption.x >= 0 && caption.x + caption.width <= 390, "the caption stays visible");
    const desk = await visit(fresh, STORY);
    truth((await desk.page.locator("figure.wide").first().evaluate((it) => getComputedStyle(it).maskImage)) === "none", "no fading edge where the picture fits");
  },
  "a task names the conditions that fail, and then is solved": async ({ fresh }) => {
    const tide = await visit(fresh, FIRST);
    truth((await check(tide, "target gfx1250\nlaunch waves=4\n\nwave * {\n  arrive wg\n}\n")).includes("The waves wait on wg."), "a missing operation");
    truth((await check(tide, "target gfx1250\nlaunch waves=4\nwave * {\n  wait wg\n  arrive wg\n}\n")).includes("deadlock"), "a wrong verdict");
    const idle = await check(tide, "target gfx1250\nlaunch waves=4\nwave * { arrive wg; wait wg; arrive wg; arrive wg; wait wg }\n");
    truth(idle.includes("Without one statement"), `a mutant that is not wrong: ${idle}`);
    truth((await check(tide, "wave")).includes("fail"), "a text that is no scenario");
    truth((await check(tide, SOLVED.replace("  arrive wg; wait wg\n", ""))).includes("The waves wait on wg in the second round, too."), "one round of two");
    truth((await check(tide, SOLVED.replace("wait wg", "wait gw"))).includes("invalid: line 6: unknown"), "the first error of a text");
    truth((await check(tide, SOLVED)).startsWith("Solved."), "a solution");
    await tide.page.reload();
    equal(await tide.page.locator(".task textarea").inputValue(), SOLVED, "the text after a reload");
    const address = await tide.page.locator(".task__open").getAttribute("href");
    truth(address.startsWith("../index.html#v1."), address);
  },
  "every worked answer solves its task in the browser": async ({ fresh, root }) => {
    const tide = await visit(fresh, "course/exercise.html");
    const answers = answersOf(root);
    equal(Object.keys(answers).length, 12, "lessons");
    for (const [lesson, text] of Object.entries(answers)) {
      const said = await check(tide, text, lesson);
      truth(said.startsWith("Solved."), `the answer of lesson ${lesson} to be right: ${said}`);
    }
  },
  "a task asks each agent for its part": async ({ fresh, root }) => {
    const tide = await visit(fresh, "course/exercise.html");
    const answers = answersOf(root);
    const one = await check(tide, answers["11"].replace("load tile", "if warp_id == 2 { load tile }"), "11");
    truth(one.includes("Warp 1 reads the tile.") && !one.includes("Warp 2 reads"), one);
    const other = await check(tide, answers["03"].replace("wait ready", "if wave_id == 1 { wait ready }"), "03");
    truth(other.includes("Wave 2 waits on ready.") && !other.includes("Wave 1 waits"), other);
  },
  "an exercise link leads to an answer link, and the table judges it again": async ({ fresh, root }) => {
    const teacher = await visit(fresh, "course/table.html", { permissions: ["clipboard-read", "clipboard-write"] });
    await teacher.page.getByLabel("Name of the exercise").fill("Week 3");
    await teacher.button("Make the exercise link").click();
    await expect("a complaint", () => teacher.page.locator("#copied").innerText(), (text) => text === "Choose at least one lesson.");
    await teacher.page.getByLabel("01 What a barrier counts").check();
    await teacher.page.getByLabel("05 A barrier orders no memory").check();
    await teacher.button("Make the exercise link").click();
    const made = teacher.page.getByLabel("Give this link to the class");
    await expect("a link", () => made.inputValue(), (link) => link.includes("exercise.html#e1."));

    const learner = await fresh();
    await learner.page.goto(await made.inputValue());
    await expect("the name", () => learner.page.locator("h1").innerText(), (text) => text === "Week 3");
    equal(await learner.page.locator(".lesson:visible").evaluateAll((all) => all.map((one) => one.dataset.lesson)), ["01", "05"], "lessons");
    await learner.page.locator('[data-lesson="01"] input[value="1"]').check();
    await learner.page.locator('[data-lesson="05"] input[value="0"]').check();
    await learner.page.locator('.task[data-lesson="01"] textarea').fill(SOLVED);
    await learner.button("Make the answer link").click();
    await expect("a complaint", () => learner.page.locator("#copied").innerText(), (text) => text === "Enter your name.");
    await learner.page.getByLabel("Your name").fill("Ada <b>");
    await learner.button("Make the answer link").click();
    const answer = learner.page.getByLabel("Send this link to your teacher");
    await expect("a link", () => answer.inputValue(), (link) => link.includes("table.html#a1."));

    const forged = await packed(teacher, "a1", { n: "Eve", a: { "01": { p: 0, t: "launch waves=4\nwave * { wait wg }\n", solved: true } } });
    await teacher.page.getByLabel("Answer links, in any text").fill(`Ada: ${await answer.inputValue()} and ${teacher.url}course/table.html${forged}, #a1.damaged`);
    await teacher.button("Judge").click();
    await expect("a result", () => teacher.page.locator("#judged").innerText(), (text) => text === "2 links judged, 1 unreadable: \u2026.damaged.", 30_000);
    const rows = await teacher.page.locator("#table tbody tr").evaluateAll((all) => all.map((row) => [row.querySelector("th").textContent, ...[...row.querySelectorAll(".badge")].map((it) => it.textContent)]));
    equal(rows[0], ["Ada <b>", "Right", "Solved", "Wrong", "Not solved"], "the learner");
    equal(rows[1], ["Eve", "Wrong", "Not solved", "No answer", "No answer"], "the forged link");
    equal(rows[2], ["Unreadable link"], "the damaged link");
    await teacher.button("Copy the table").click();
    const copied = await expect("the rows", () => teacher.page.evaluate(() => navigator.clipboard.readText()), (text) => text.includes("Ada"));
    equal(copied.split("\n")[0], "Ada <b>\tRight\tSolved\tWrong\tNot solved", "the first row");
    const address = await answer.inputValue();
    await teacher.page.evaluate((address) => { location.hash = address.slice(address.indexOf("#")); }, address);
    await expect("one link of the address", () => teacher.page.locator("#judged").innerText(), (text) => text === "1 link judged.", 30_000);
    truth(await teacher.page.locator("#judge").evaluate((form) => form.getBoundingClientRect().top < innerHeight / 2), "the form in view");
  },
  "a story shows the scenario, the difference and the links": async ({ fresh }) => {
    const tide = await visit(fresh, STORY);
    const frame = tide.page.frameLocator("tide-gate iframe").first();
    await frame.locator('.verdict[data-verdict="deadlock"]').waitFor({ timeout: 60_000 });
    equal([await tide.page.locator(".diff del").count(), await tide.page.locator(".diff ins").count()], [1, 1], "changed lines");
    truth((await tide.link("tile-ai/tilelang #2567").getAttribute("href")).endsWith("issues/2567"), "the report");
    await tide.link("The scenario in Tidegate").click();
    await tide.hasVerdict("deadlock");
    equal(await tide.page.locator(".notice--error").count(), 0, "a complaint about the link");
  },
  "on paper a lesson has its pictures, room to write, and answers on a page of their own": async ({ fresh }) => {
    const tide = await visit(fresh, FIRST);
    await tide.page.emulateMedia({ media: "print" });
    const state = await tide.page.evaluate(() => {
      const seen = (selector) => [...document.querySelectorAll(selector)].some((one) => one.checkVisibility() && one.getBoundingClientRect().height > 0);
      return {
        picture: seen("tide-gate .lanes"),
        text: seen("tide-gate .code"),
        room: seen(".ask__room"),
        answers: seen(".answers__body .found"),
        apart: getComputedStyle(document.querySelector(".answers")).breakBefore,
        controls: seen(".button, .bar, .task__row"),
        whole: [...document.querySelectorAll(".scenario, figure, .code")].every((one) => getComputedStyle(one).breakInside === "avoid"),
        headings: [...document.querySelectorAll(".page :is(h1, h2, h3)")].every((one) => getComputedStyle(one).breakAfter === "avoid"),
      };
    });
    equal(state, { picture: true, text: true, room: true, answers: true, apart: "page", controls: false, whole: true, headings: true }, "what is printed");
  },
  "an injected script is refused on a page of the course": async ({ fresh }) => {
    const tide = await visit(fresh, FIRST);
    const policy = await tide.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    truth(!/unsafe-inline|'unsafe-eval'|unsafe-hashes|https?:|\*/.test(policy), `no gap in ${policy}`);
    const found = await tide.page.evaluate(() => {
      document.head.append(Object.assign(document.createElement("script"), { textContent: "window.injected = true" }));
      return window.injected ?? "nothing";
    });
    equal(found, "nothing", "what came through");
    await expect("a complaint of the browser", () => tide.faults.length, (count) => count >= 1);
    tide.faults.length = 0;
  },
  ...Object.fromEntries(
    [["light", 1440], ["dark", 1440], ["light", 390], ["dark", 390]].flatMap(([colorScheme, width]) =>
      PAGES.map((path) => [
        `${path} is accessible and fits: ${colorScheme}, ${width} px`,
        async ({ fresh }) => {
          const tide = await visit(fresh, path, { colorScheme, viewport: { width, height: 844 }, reducedMotion: "reduce" });
          await tide.page.waitForTimeout(300);
          const found = await violations(tide.page);
          if (found.length) throw new Error(found.join("\n"));
          equal(await tide.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, "width beyond the window");
        },
      ]),
    ),
  ),
};
