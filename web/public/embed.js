// What the page does besides when it stands in somebody else's page: it tells how high it is, follows the colours of that
// page, and opens what leads elsewhere beside it. `theme.js` loads this where the address asks for `?embed`.
const root = document.documentElement;
const { parent } = window;

/** The address of the same state in a page of its own; what was changed here is in it. */
const whole = (fragment = root.dataset.link || location.hash) => new URL(`./${fragment}`, location.href).href;

/** Links lead out of the frame, so that the host's history stays its own. */
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link) return;
  event.preventDefault();
  const to = link.getAttribute("href");
  window.open(to.startsWith("#") ? whole(link.id === "whole" ? undefined : to) : link.href, "_blank", "noopener");
}, true);

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.tidegate !== "scheme") return;
  if (data.scheme === "light" || data.scheme === "dark") root.dataset.theme = data.scheme;
});

const foot = () => {
  const line = document.createElement("footer");
  line.className = "embed__foot";
  const link = document.createElement("a");
  link.id = "whole";
  link.href = "#";
  link.textContent = "Open in Tidegate";
  line.append(link);
  document.body.append(line);
};

/** Tells the host how high all of it is, now and whenever that changes. */
const measure = () => {
  const tell = () => parent.postMessage({ tidegate: "height", height: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
  new ResizeObserver(tell).observe(document.body);
};

const begin = () => {
  foot();
  if (parent !== window) measure();
};
if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin);
else begin();
