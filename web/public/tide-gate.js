// <tide-gate>: a scenario in a documentation page. Include this file with a script element; see docs/embedding.md.
//
// The element shows a frame of the page next to this file. The author's content is visible until the frame has loaded, and
// if it does not load: without scripts, without a network, in print.
{
  const base = new URL("./", document.currentScript.src);
  const LONGEST = 1 << 20;

  /** Encodes a length or a tag as links do: seven bits per byte. */
  const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);

  /** Returns the fragment with a text: a link of version 1. */
  const link = async (text) => {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > LONGEST) throw new Error("a scenario of more than 1 MiB");
    const payload = new Blob([new Uint8Array([1, ...varint(bytes.length)]), bytes]);
    const packed = await new Response(payload.stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer();
    const letters = Array.from(new Uint8Array(packed), (byte) => String.fromCharCode(byte)).join("");
    return `#v1.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  };

  /** Removes blank lines around a text and the common indentation of its lines. */
  const dedented = (text) => {
    const lines = text.replace(/^(?:[ \t]*\r?\n)+|\s+$/g, "").split(/\r?\n/);
    const depths = lines.filter((line) => line.trim()).map((line) => line.search(/\S/));
    return `${lines.map((line) => line.slice(Math.min(...depths))).join("\n")}\n`;
  };

  /** Returns the lightness of a colour, from 0 to 1; undefined for a transparent one. */
  const lightness = (colour) => {
    const [red, green, blue, opacity = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    return opacity < 0.5 || blue === undefined ? undefined : (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
  };

  const dark = matchMedia("(prefers-color-scheme: dark)");

  /** Returns `light` or `dark`: from the attribute, otherwise from the background. */
  const schemeOf = (element) => {
    const said = element.getAttribute("scheme");
    if (said === "light" || said === "dark") return said;
    for (let at = element; at; at = at.parentElement) {
      const light = lightness(getComputedStyle(at).backgroundColor);
      if (light !== undefined) return light > 0.5 ? "light" : "dark";
    }
    const { colorScheme } = getComputedStyle(element);
    if (/^(only )?(light|dark)$|^(light|dark) only$/.test(colorScheme)) return colorScheme.match(/light|dark/)[0];
    return colorScheme.includes("dark") && dark.matches ? "dark" : "light";
  };

  const STYLES = `
    :host { display: block; margin-block: 1em; }
    :host([hidden]) { display: none; }
    iframe { display: block; width: 100%; height: 0; border: 0; visibility: hidden; }
    iframe.stands { visibility: visible; }
    iframe.stands + slot { display: none; }
    @media print { iframe { display: none !important; } iframe.stands + slot { display: block; } }`;

  class TideGate extends HTMLElement {
    static observedAttributes = ["src", "panels", "edit", "lesson", "start", "scheme"];
    #frame;
    #watch = new MutationObserver(() => this.#tell());
    #onTheme = () => this.#tell();
    #hear = ({ source, data }) => {
      if (!this.#frame || source !== this.#frame.contentWindow || data?.tidegate !== "height") return;
      this.#frame.style.height = `${Math.min(Math.max(0, Number(data.height) || 0), 20_000)}px`;
      this.#frame.classList.add("stands");
      this.#tell();
    };

    constructor() {
      super();
      const shadow = this.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLES);
      shadow.adoptedStyleSheets = [sheet];
      shadow.append(document.createElement("slot"));
    }

    connectedCallback() {
      addEventListener("message", this.#hear);
      dark.addEventListener("change", this.#onTheme);
      for (const element of [document.documentElement, document.body]) this.#watch.observe(element, { attributes: true });
      // The content of the element exists only after it has been parsed.
      if (document.readyState === "loading") addEventListener("DOMContentLoaded", () => this.#show(), { once: true });
      else this.#show();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#hear);
      dark.removeEventListener("change", this.#onTheme);
      this.#watch.disconnect();
      this.#frame?.remove();
      this.#frame = undefined;
    }

    attributeChangedCallback(name) {
      if (!this.#frame) return;
      if (name === "scheme") this.#tell();
      else this.#show();
    }

    /** Returns the fragment for the frame: a given link, a file's text, or the text in the element. */
    async #fragment() {
      const src = this.getAttribute("src");
      if (src === null) return link(dedented((this.querySelector("pre") ?? this).textContent));
      const at = src.indexOf("#v1.");
      if (at >= 0) return src.slice(at);
      const response = await fetch(new URL(src, document.baseURI));
      if (!response.ok) throw new Error(`${src}: the server answered ${response.status}`);
      return link(await response.text());
    }

    async #show() {
      try {
        const fragment = await this.#fragment();
        if (!this.isConnected) return;
        const address = new URL(base);
        address.searchParams.set("embed", this.getAttribute("panels") ?? "");
        if (this.hasAttribute("edit")) address.searchParams.set("edit", "");
        for (const name of ["lesson", "start"]) if (this.hasAttribute(name)) address.searchParams.set(name, "");
        address.searchParams.set("scheme", schemeOf(this));
        address.hash = fragment;
        const frame = document.createElement("iframe");
        frame.title = this.title || "A scenario and its verdict";
        frame.loading = "lazy";
        frame.referrerPolicy = "no-referrer";
        frame.allow = "clipboard-write";
        frame.src = address.href;
        this.#frame?.remove();
        this.#frame = frame;
        this.shadowRoot.prepend(frame);
      } catch (error) {
        // The author's content stays visible.
        console.warn(`tide-gate: ${error.message}`);
      }
    }

    /** Sends the colour scheme to the frame; if the schemes agree, the frame's background is transparent. */
    #tell() {
      this.#frame?.style.setProperty("color-scheme", schemeOf(this));
      this.#frame?.contentWindow?.postMessage({ tidegate: "scheme", scheme: schemeOf(this) }, base.origin);
    }
  }
  customElements.get("tide-gate") ?? customElements.define("tide-gate", TideGate);
}
