// Runs checks off the page's thread: the first message is the page's own compiled module, so nothing is loaded twice.
import init from "./tidegate-web.js";

self.onmessage = ({ data }) => {
  self.onmessage = null;
  init({ module_or_path: data });
};
