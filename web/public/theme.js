// Applies what must be known before the first paint: the stored theme, and whether the page is embedded or a lesson.
// Without a stored theme the page follows the system. An embedded page uses a smaller module, so this script selects the
// module to load. The pages of the course load no module.
{
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  const fetched = (rel, href, more) => document.head.append(Object.assign(document.createElement("link"), { rel, href, ...more }));
  root.dataset.part = asked.has("embed") ? "embedded" : "tidegate-web";
  if (!("static" in root.dataset)) {
    fetched("preload", `./${root.dataset.part}_bg.wasm`, { as: "fetch", type: "application/wasm", crossOrigin: "" });
    fetched("modulepreload", `./${root.dataset.part}.js`);
  }
  const load = (src) => document.head.append(Object.assign(document.createElement("script"), { src, type: "module" }));
  if (asked.has("embed")) {
    root.dataset.embed = asked.get("embed").replaceAll(",", " ") || "verdict text execution";
    root.toggleAttribute("data-fixed", !asked.has("edit"));
    load("./embed.js");
  }
  if (asked.has("lesson")) {
    root.dataset.lesson = "";
    load("./lesson.js");
  }
  try {
    const theme = asked.get("scheme") ?? (asked.has("embed") ? null : localStorage.getItem("tidegate.theme"));
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    // The sizes of the panels, which `split.js` stores.
    for (const name of asked.has("embed") ? [] : ["text", "inquiry", "state"]) {
      const size = localStorage.getItem(`tidegate.size.${name}`);
      if (/^\d{1,2}(\.\d)?$/.test(size)) root.style.setProperty(`--${name}-size`, `${size}%`);
    }
  } catch {
    // Storage can be forbidden; the system's theme then applies.
  }
}
