// Additions for an embedded page: it reports its height, follows the colours of its host, and opens links in new pages.
// `theme.js` loads this if the address contains `?embed`.
const root = document.documentElement;
const { parent } = window;

/** The address of the same state in a full page, with the reader's changes. */
const whole = (fragment = root.dataset.link || location.hash) => new URL(`./${fragment}`, location.href).href;

/** Links open new pages, so that the host's history does not change. */
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

/** Reports the height of the content to the host, now and on every change. */
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
