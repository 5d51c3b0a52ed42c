// Judges the texts of a task with the engine.
import { Engine, ROW, SURVEY } from "./asking.js";

/** Longest time for one check, in milliseconds. */
const PATIENCE = 20_000;
/** Largest number of mutants of one pattern. */
const MUTANTS = 40;
/** Longest text, in characters. */
const LONGEST = 20_000;
/** The first words of lines that are no statements of an agent. */
const HEADER = /^\s*(title|note|target|launch|expect) /;

const engine = new Engine(PATIENCE);
const survey = (text) => engine.ask(text, SURVEY);

const codeOf = (line) => line.replace(/(\/\/|#).*/, "").trimEnd();

/** Splits a line after `;` outside parentheses and after `{`, and before `}`. A brace beside a letter belongs to an operand. */
const parts = (line) => {
  const found = [""];
  let depth = 0;
  const code = codeOf(line);
  [...code].forEach((letter, at, all) => {
    depth += (letter === "(") - (letter === ")");
    const [before, after] = [all[at - 1] ?? " ", all[at + 1] ?? " "];
    if (letter === ";" && depth === 0) return void found.push("");
    if (letter === "}" && before === " ") return void found.push("}");
    found[found.length - 1] += letter;
    if (letter === "{" && before === " " && after === " ") found.push("");
  });
  return found.map((part) => part.trim()).filter(Boolean);
};

/** Returns the text with one statement on each line; `crates/course/src/mutant.rs` does the same. */
const statements = (text) => text.split(/\r?\n/).flatMap((line) => (HEADER.test(line) ? [line] : parts(line)));

const NAME = /[A-Za-z0-9_]/;
/** Removes blanks beside punctuation, and repeated ones. */
const plain = (text) => text.trim().replace(/\s+/g, " ").replace(/ ?([^A-Za-z0-9_\s]) ?/g, "$1");

/** Whether a statement contains a text. Blanks beside punctuation have no meaning, and a name matches whole at its end. */
const contains = (statement, text) => {
  const [whole, part] = [plain(statement), plain(text)];
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    if (!NAME.test(part.at(-1)) || !NAME.test(whole[at + part.length] ?? "")) return true;
  }
  return false;
};

/** Returns the statements that contain a pattern, each with the text without it. */
const mutants = (all, pattern) =>
  all.flatMap((statement, at) =>
    contains(statement, pattern) && !HEADER.test(statement) ? [[statement, all.filter((_, other) => other !== at).join("\n")]] : [],
  );

/** Returns the scenario with a statement before each one that contains a pattern. */
const probed = (all, pattern, probe) => all.flatMap((statement) => (contains(statement, pattern) && !HEADER.test(statement) ? [probe, statement] : [statement])).join("\n");

const withoutExpectations = (text) => text.split(/\r?\n/).filter((line) => !/^\s*expect\s/.test(line)).join("\n");

/** Whether an expectation fails for a text; undefined if the text is invalid. */
const breaks = async (text, expects) => {
  const held = await survey(`${text}\n${expects}\n`);
  if (!held.length || held.some(({ got }) => got === "invalid")) return undefined;
  return held.some(({ passed, got }) => !passed && !got.includes("unknown"));
};

/** Judges the mutants of one pattern; returns what is wrong. */
const missed = async (all, pattern, expects) => {
  const found = mutants(all, pattern).slice(0, MUTANTS);
  let valid = 0;
  for (const [statement, text] of found) {
    const wrong = await breaks(text, expects);
    if (wrong === undefined) continue;
    valid += 1;
    if (!wrong) return `Without one statement \`${statement}\`, the conditions still hold.`;
  }
  return valid ? undefined : `No statement contains \`${pattern}\`.`;
};

/**
 * Judges a text by a task. Returns the conditions that fail, each as a sentence of the task and what was found. A text is
 * right if there are none.
 */
export const judge = async (task, written) => {
  if (written.length > LONGEST) return [["The text is too long.", `It has more than ${LONGEST} characters.`]];
  const text = withoutExpectations(written);
  const all = statements(text);
  const expects = task.expects.map(([line]) => line).join("\n");
  const failures = [];
  // A text that is needed twice needs two statements.
  for (const [at, [need, says]] of task.needs.entries()) {
    const wanted = task.needs.slice(0, at + 1).filter(([other]) => other === need).length;
    const found = all.filter((statement) => contains(statement, need)).length;
    if (found < wanted) failures.push([says, found ? `${found} of ${wanted} statements with \`${need}\` are present.` : `No statement contains \`${need}\`.`]);
  }
  for (const [line, says] of task.expects) {
    const held = await survey(`${text}\n${line}\n`);
    const wrong = held.find(({ passed }) => !passed);
    if (!held.length) failures.push([says, "The text is not a scenario."]);
    else if (wrong) {
      const [target, , , message] = await engine.ask(text, ROW);
      const why = message && (target === wrong.target || wrong.got === "invalid") ? `: ${message}.` : ".";
      failures.push([says, `On ${wrong.target}: \`${wrong.got}\`${why}`]);
    }
  }
  // Without the conditions on the text itself, a mutant says nothing.
  if (failures.length) return failures;
  for (const [pattern, says] of task.mutants) {
    const why = await missed(all, pattern, expects);
    if (why) failures.push([says, why]);
  }
  for (const [pattern, probe, says] of task.reaches) {
    if (!(await breaks(probed(all, pattern, probe), expects))) failures.push([says, `This agent executes no \`${pattern}\`.`]);
  }
  return failures;
};
