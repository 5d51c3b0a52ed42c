// Starts the page, and fetches the engine after it.
import { begin } from "./port.js";

const { part } = document.documentElement.dataset;

const explain = (error) => {
  const boot = document.getElementById("boot");
  if (!boot) return;
  const text = document.createElement("p");
  text.className = "boot__text";
  text.setAttribute("role", "alert");
  text.textContent = `Tidegate could not start: ${error.message ?? error}. It needs a browser with WebAssembly.`;
  boot.append(text);
};

const glue = import(`./${part}.js`);
const page = await fetch(new URL(`./${part}_bg.wasm`, import.meta.url)).catch(explain);
if (page) {
  // On a slow connection the engine must not delay the page.
  page.clone().arrayBuffer().then(begin, () => {});
  glue.then(({ default: init }) => init({ module_or_path: page })).then(() => Promise.all([import("./light.js"), import("./split.js")])).catch(explain);
}

/** From the second visit the page needs no network. A newer build activates when the last page of the older one closes. */
const keepForOffline = async () => {
  const registration = await navigator.serviceWorker.register("./offline.js", { updateViaCache: "none" });
  addEventListener("pagehide", () => registration.waiting?.postMessage("take over"));
};
if ("serviceWorker" in navigator && window.top === window) {
  // Start after everything that this visit loads.
  setTimeout(() => keepForOffline().catch(() => {}), 3000);
}
