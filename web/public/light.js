// Pointing at a clause highlights the operations that it names; pointing at an operation highlights the clauses that name it.
const CLAUSES = ".clause, .finding__text, .pair, .relations__why p, .agent__why, .ledger__missing, .answer-why p, .relations__table tr";

/** Returns the operations in a text, as agent and line. */
const named = (text) =>
  [...text.matchAll(/(?:of |\()((?:[a-z-]+ \d+ ?)+)[,(]? ?\(?line (\d+)/g)].map(([, agent, line]) => `${agent.trim()} ${line}`);

const operation = (node) => `${node.dataset.agent} ${node.dataset.line}`;

const light = (target) => {
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  const node = target?.closest?.(".node");
  const clause = target?.closest?.(CLAUSES);
  if (node) {
    for (const it of document.querySelectorAll(CLAUSES)) {
      if (named(it.textContent).includes(operation(node))) it.classList.add("lit");
    }
  } else if (clause) {
    const names = named(clause.textContent);
    for (const it of document.querySelectorAll(".node")) {
      if (names.includes(operation(it))) it.classList.add("lit");
    }
  }
};

for (const event of ["pointerover", "focusin"]) document.addEventListener(event, ({ target }) => light(target));
for (const event of ["pointerleave", "focusout"]) document.addEventListener(event, () => light());
