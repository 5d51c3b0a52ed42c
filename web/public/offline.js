// The service worker: it keeps all files of one build, so that the page opens without a network.
// `web/offline.mjs` writes `BUILD` and `FILES` into the first lines of the published copy.
const BUILD = "";
const FILES = [];

const PREFIX = `tidegate ${self.registration.scope} `;
const NAME = PREFIX + BUILD;

/** Stores all files of this build or none: a file with a different hash is rejected. */
const install = async () => {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map(([path, integrity]) => new Request(path, { cache: "no-cache", integrity })));
};

/** Deletes older builds of this page; other pages on the same origin keep theirs. */
const forget = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
};

/** Returns the file of a request below the scope; the folder of a page stands for its `index.html`. */
const fileOf = ({ url, mode }) => {
  const path = url.slice(self.registration.scope.length).split(/[?#]/)[0];
  if (mode !== "navigate") return path;
  return path === "" || path === "index.html" ? "./" : path.replace(/\/$/, "/index.html");
};

const answer = async (request) => {
  const cache = await caches.open(NAME);
  return (await cache.match(fileOf(request), { ignoreSearch: true })) ?? fetch(request);
};

/** Whether a request is for a file of this page; other requests are not handled. */
const ours = (request) => {
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return false;
  const file = fileOf(request);
  return FILES.some(([other]) => other === file);
};

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  if (ours(event.request)) event.respondWith(answer(event.request));
});

/** The last page of the older build is closing: the next page uses this build. */
self.addEventListener("message", ({ data }) => {
  if (data !== "take over") return;
  self.clients.matchAll({ includeUncontrolled: true }).then((pages) => pages.length <= 1 && self.skipWaiting());
});
