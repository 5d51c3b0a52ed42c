// The teacher's table: it reads many answer links and judges every answer in this browser.
import { judge } from "./course-judging.js";
import { all, data, fragment, scenario } from "./course-links.js";

const lessons = [...document.querySelectorAll("#lessons [data-lesson]")].map(({ dataset }) => ({
  ...dataset,
  labels: dataset.labels.split("\u001e"),
  task: JSON.parse(dataset.task),
}));
const byId = (id) => document.getElementById(id);
const made = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text, ...more });

const boxes = [...document.querySelectorAll("[name=lesson]")];
byId("all").addEventListener("click", () => {
  for (const box of boxes) box.checked = true;
});
byId("make").addEventListener("submit", async (event) => {
  event.preventDefault();
  const l = boxes.filter((box) => box.checked).map((box) => box.value);
  byId("copied").textContent = l.length ? "" : "Choose at least one lesson.";
  if (!l.length) return void boxes[0].focus();
  byId("link").value = new URL(`./exercise.html${await fragment("e1", { t: byId("title").value.trim(), l })}`, location.href).href;
  byId("link").select();
});
byId("copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(byId("link").value);
  byId("copied").textContent = "Copied";
});

/** A cell with a mark in words and colour. */
const cell = (tone, word, more = []) => {
  const found = made("td", "");
  const badge = made("span", word, { className: "badge" });
  badge.dataset.tone = tone;
  found.append(badge, ...more);
  return found;
};

const predicted = ({ labels, right }, choice) => {
  if (!Number.isInteger(choice) || !(choice in labels)) return cell("unknown", "No answer");
  return choice === Number(right) ? cell("ok", "Right") : cell("ub", "Wrong", [made("p", labels[choice])]);
};

/** The conditions that fail; folded on a phone. */
const reasons = (failures) => {
  const fold = made("details", "", { open: innerWidth >= 600 });
  fold.append(made("summary", failures.length === 1 ? "1 condition" : `${failures.length} conditions`), ...failures.map(([says, found]) => made("p", `Required: ${says} Found: ${found}`.replaceAll("`", ""))));
  return fold;
};

const written = async ({ task }, text) => {
  if (typeof text !== "string" || !text.trim()) return cell("unknown", "No answer");
  const open = made("p", "");
  open.append(made("a", "Open", { href: await scenario(text), target: "_blank", rel: "noopener" }));
  try {
    const failures = await judge(task, text);
    if (!failures.length) return cell("ok", "Solved", [open]);
    return cell("ub", "Not solved", [reasons(failures), open]);
  } catch (error) {
    return cell("unknown", "Not judged", [made("p", `${error.message}.`), open]);
  }
};

/** The end of a link, by which the reader finds it. */
const ending = (link) => `\u2026${link.slice(-8)}`;

const row = async (link, shown) => {
  const line = made("tr", "");
  try {
    const { n, a } = (await data("a1", link)) ?? {};
    line.append(made("th", String(n || "No name").slice(0, 80), { scope: "row" }));
    for (const lesson of shown) line.append(predicted(lesson, a?.[lesson.lesson]?.p), await written(lesson, a?.[lesson.lesson]?.t));
  } catch (error) {
    line.append(made("th", "Unreadable link", { scope: "row" }), made("td", `It is ${error.message}: ${ending(link)}`, { colSpan: 2 * shown.length }));
    line.dataset.unreadable = ending(link);
  }
  return line;
};

/** Returns the lessons that at least one link answers. */
const answered = async (links) => {
  const found = new Set();
  for (const link of links) for (const key of Object.keys((await data("a1", link).catch(() => ({})))?.a ?? {})) found.add(key);
  return lessons.filter(({ lesson }) => found.has(lesson));
};

const judgeAll = async (text) => {
  const links = [...new Set(all("a1", text))];
  if (!links.length) {
    byId("judged").textContent = "No answer links in this text.";
    return;
  }
  const shown = await answered(links);
  const table = made("table", "");
  const heads = [made("tr", ""), made("tr", "")];
  heads[0].append(made("th", "Learner", { rowSpan: 2, scope: "col" }));
  for (const { lesson, title } of shown) {
    heads[0].append(made("th", `${lesson} ${title}`, { colSpan: 2, scope: "colgroup" }));
    heads[1].append(made("th", "Prediction", { scope: "col" }), made("th", "Task", { scope: "col" }));
  }
  const head = made("thead", "");
  head.append(...heads);
  const body = made("tbody", "");
  table.append(head, body);
  byId("table").replaceChildren(table);
  for (const [at, link] of links.entries()) {
    byId("judged").textContent = `Judging ${at + 1} of ${links.length}…`;
    body.append(await row(link, shown));
  }
  byId("rows").hidden = false;
  const unreadable = [...body.querySelectorAll("[data-unreadable]")].map((line) => line.dataset.unreadable);
  const judged = links.length - unreadable.length;
  const rest = unreadable.length ? `, ${unreadable.length} unreadable: ${unreadable.join(", ")}` : "";
  byId("judged").textContent = `${judged} ${judged === 1 ? "link" : "links"} judged${rest}.`;
};

/** Copies the names and the marks, with tabs between the cells, for a spreadsheet. */
byId("rows").addEventListener("click", async () => {
  const mark = (one) => one.querySelector(".badge")?.textContent ?? one.textContent;
  const lines = [...document.querySelectorAll("#table tbody tr")].map((line) => [...line.cells].map(mark).join("\t"));
  await navigator.clipboard.writeText(lines.join("\n"));
  byId("judged").textContent = "Copied";
});

byId("judge").addEventListener("submit", (event) => {
  event.preventDefault();
  judgeAll(byId("answers").value);
});
/** Judges an opened answer link, as the first of the table. */
const read = () => {
  if (!all("a1", location.hash).length) return;
  byId("answers").value = location.href;
  byId("judge").scrollIntoView();
  judgeAll(location.href);
};
read();
addEventListener("hashchange", read);
