// Starts the page. The worker of the page runs the same module (see worker.js).
import init from "./tidegate-web.js";

const explain = (error) => {
  const boot = document.getElementById("boot");
  if (!boot) return;
  const text = document.createElement("p");
  text.className = "boot__text";
  text.setAttribute("role", "alert");
  text.textContent = `Tidegate could not start: ${error.message ?? error}. It needs a browser with WebAssembly.`;
  boot.append(text);
};

init({ module_or_path: new URL("./tidegate-web_bg.wasm", import.meta.url) }).catch(explain);
