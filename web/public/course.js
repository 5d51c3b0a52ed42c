// The questions and tasks of a lesson or of an exercise. Answers stay in the browser until the reader makes a link.
import { judge } from "./course-judging.js";
import { data, fragment, scenario } from "./course-links.js";

const KEY = "tidegate.course";
const hand = document.getElementById("hand");
let exercise = {};

/** The answers of this reader, by lesson: `p` the choice, `t` the text. */
const answers = (() => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
})();
const keep = (lesson, name, value) => {
  answers[lesson] = { ...answers[lesson], [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(answers));
  } catch {
    // Storage can be forbidden; the answers then last as long as the page.
  }
};

const made = (name, text, className = "") => Object.assign(document.createElement(name), { textContent: text, className });

/** Returns a text whose parts between backticks are code. */
const coded = (text) => text.split("`").map((part, at) => (at % 2 ? made("code", part) : part));

/** Shows a scenario with its verdict, once its question is answered. */
const reveal = (lesson) => {
  const closed = document.querySelector(`.scenario[data-asked="${lesson}"]`);
  if (!closed) return;
  const gate = Object.assign(document.createElement("tide-gate"), { className: "scenario", title: "The scenario of the question" });
  gate.setAttribute("panels", "verdict,text,execution");
  gate.append(...closed.childNodes);
  closed.replaceWith(gate);
};

const answered = (form, choice) => {
  const right = Number(form.dataset.right);
  const said = form.querySelector(".ask__said");
  const shown = choice === right ? [right] : [choice, right];
  said.replaceChildren(made("p", choice === right ? "Right." : "Not right.", "ask__mark"));
  said.dataset.tone = choice === right ? "ok" : "ub";
  for (const why of form.querySelectorAll(".ask__why")) why.hidden = !shown.includes(Number(why.dataset.choice));
  reveal(form.dataset.lesson);
};

const question = (form) => {
  const { lesson } = form.dataset;
  const choices = [...form.querySelectorAll("input")];
  const earlier = choices[answers[lesson]?.p];
  if (earlier && hand) earlier.checked = true;
  // In an exercise the choice is kept; the right one is shown in the lesson.
  if (hand) form.querySelector("button").hidden = true;
  form.addEventListener("change", () => keep(lesson, "p", choices.findIndex((it) => it.checked)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const choice = choices.findIndex((it) => it.checked);
    if (choice < 0) return void form.querySelector(".ask__said").replaceChildren(made("p", "Choose an answer first."));
    answered(form, choice);
  });
};

/** Shows the result of a check. */
const show = (said, failures) => {
  said.dataset.tone = failures.length ? "ub" : "ok";
  const head = failures.length ? `Not solved: ${failures.length === 1 ? "one condition fails" : `${failures.length} conditions fail`}.` : "Solved. Every condition holds, and every changed copy of your scenario fails.";
  const list = made("ul", "");
  for (const [says, found] of failures) {
    const item = made("li", "");
    item.append("Required: ", ...coded(says), made("br", ""), "Found: ", ...coded(found));
    list.append(item);
  }
  said.replaceChildren(made("p", head, "task__mark"), ...(failures.length ? [list] : []));
};

const writing = (form) => {
  const { lesson } = form.dataset;
  const task = JSON.parse(form.dataset.task);
  const area = form.querySelector("textarea");
  const said = form.querySelector(".task__said");
  const open = form.querySelector(".task__open");
  const point = () => scenario(area.value).then((address) => (open.href = address));
  area.value = answers[lesson]?.t ?? area.value;
  point();
  area.addEventListener("input", () => {
    keep(lesson, "t", area.value);
    point();
  });
  form.addEventListener("reset", () => setTimeout(() => {
    keep(lesson, "t", undefined);
    said.replaceChildren();
    point();
  }));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    keep(lesson, "t", area.value);
    const wait = setTimeout(() => said.replaceChildren(made("p", "Checking…")), 300);
    try {
      const failures = await judge(task, area.value);
      clearTimeout(wait);
      show(said, failures);
      if (!failures.length) keep(lesson, "s", true);
    } catch (error) {
      clearTimeout(wait);
      said.replaceChildren(made("p", `Not judged: ${error.message}.`));
    }
  });
};

const closeAnswers = (section) => {
  const button = section.querySelector("button");
  section.dataset.closed = "";
  button.hidden = false;
  button.addEventListener("click", () => {
    delete section.dataset.closed;
    button.parentElement.remove();
    const body = section.querySelector(".answers__body");
    body.tabIndex = -1;
    body.focus();
  });
};

/** Shows the lessons of the link; without a link all of them. */
const choose = async () => {
  const name = document.getElementById("name");
  try {
    exercise = (await data("e1", location.hash)) ?? {};
  } catch (error) {
    document.querySelector("main").prepend(Object.assign(made("p", `The exercise link is ${error.message}. The page shows all lessons.`, "notice-line"), { role: "alert" }));
  }
  const lessons = Array.isArray(exercise.l) ? exercise.l.map(String) : undefined;
  if (exercise.t) name.textContent = String(exercise.t).slice(0, 80);
  for (const section of document.querySelectorAll(".lesson")) section.hidden = Boolean(lessons) && !lessons.includes(section.dataset.lesson);
};

const give = async (event) => {
  event.preventDefault();
  const shown = [...document.querySelectorAll(".lesson:not([hidden])")].map((section) => section.dataset.lesson);
  const given = Object.fromEntries(shown.map((lesson) => {
    const area = document.querySelector(`.task[data-lesson="${lesson}"] textarea`);
    return [lesson, { p: answers[lesson]?.p, t: area.value }];
  }));
  const link = document.getElementById("link");
  const who = document.getElementById("who").value.trim();
  document.getElementById("copied").textContent = who ? "" : "Enter your name.";
  if (!who) return void document.getElementById("who").focus();
  link.value = new URL(`./table.html${await fragment("a1", { n: who, t: exercise.t, a: given })}`, location.href).href;
  link.select();
};

for (const item of document.querySelectorAll("li[data-lesson]")) {
  if (answers[item.dataset.lesson]?.s) item.querySelector("a").after(" ", made("span", "Solved", "badge"));
}
for (const form of document.querySelectorAll(".ask")) question(form);
for (const form of document.querySelectorAll(".task")) writing(form);
for (const section of document.querySelectorAll(".answers")) closeAnswers(section);
if (hand) {
  await choose();
  addEventListener("hashchange", choose);
  hand.addEventListener("submit", give);
  document.getElementById("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById("link").value);
    document.getElementById("copied").textContent = "Copied";
  });
}
