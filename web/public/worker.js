// Runs checks off the page's thread: the first message is the engine as the page compiled it, so nothing is loaded twice.
import init from "./engine.js";

self.onmessage = ({ data }) => {
  self.onmessage = null;
  init({ module_or_path: data });
};
