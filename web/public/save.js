// Saves a text as a file, and a drawing also as pixels. Loaded on first use.
const TYPES = { svg: "image/svg+xml", json: "application/json", html: "text/html" };

const give = (name, blob) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

/** Converts an SVG drawing to pixels, two for each unit. */
const pixels = async (picture) => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([picture], { type: TYPES.svg }));
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(image.src);
  }
};

/** Saves a text as a file with a name. */
export const save = async (name, text) => {
  const ending = name.split(".").pop();
  give(name, ending === "png" ? await pixels(text) : new Blob([text], { type: TYPES[ending] ?? "text/plain" }));
};
