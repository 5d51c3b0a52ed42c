// Applies what must be known before anything is painted: the kept choice of theme, and whether the page is embedded.
// Without a choice the page follows the system.
{
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  if (asked.has("embed")) {
    root.dataset.embed = asked.get("embed").replaceAll(",", " ") || "verdict text execution";
    root.toggleAttribute("data-fixed", !asked.has("edit"));
    const script = document.createElement("script");
    script.src = "./embed.js";
    script.type = "module";
    document.head.append(script);
  }
  try {
    const theme = asked.get("scheme") ?? (asked.has("embed") ? null : localStorage.getItem("tidegate.theme"));
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Storage can be forbidden; then the system decides.
  }
}
