// Links of the course: data as JSON, compressed, in the fragment of an address. They never reach a server.
const LONGEST = 1 << 20;

/** Returns the fragment with some bytes under a mark. */
const encoded = async (mark, bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return `#${mark}.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
};

/** Returns the fragment with some data under a mark. */
export const fragment = (mark, data) => encoded(mark, new TextEncoder().encode(JSON.stringify(data)));

/** Reads a compressed text of limited length. */
const unpacked = async (bytes) => {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > LONGEST) throw new RangeError("too large");
  }
  return text + decoder.decode();
};

/** Returns the data of a fragment with a mark; throws for one that is damaged or too large. */
export const data = async (mark, text) => {
  const found = text.match(new RegExp(`#${mark}\\.([\\w-]+)`));
  if (!found) return undefined;
  try {
    const letters = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(await unpacked(Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
  } catch (error) {
    throw error instanceof RangeError ? error : new Error("damaged");
  }
};

/** Returns all fragments with a mark in a text. */
export const all = (mark, text) => text.match(new RegExp(`#${mark}\\.[\\w-]+`, "g")) ?? [];

/** Encodes a length or a tag as links do: seven bits per byte. */
const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);

/** Returns the address of a scenario in the page, as a link of version 1. */
export const scenario = async (text) => {
  const bytes = new TextEncoder().encode(text);
  return `../index.html${await encoded("v1", new Uint8Array([1, ...varint(bytes.length), ...bytes]))}`;
};
