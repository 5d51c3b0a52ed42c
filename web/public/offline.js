// The service worker: what one build of the page consists of, kept together, so that it opens without a network.
// `web/offline.mjs` writes `BUILD` and `FILES` into the first lines of the published copy.
const BUILD = "";
const FILES = [];

const PREFIX = `tidegate ${self.registration.scope} `;
const NAME = PREFIX + BUILD;

/** All files of this very build or none: what does not have its hash is refused. */
const install = async () => {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map(([path, integrity]) => new Request(path, { cache: "no-cache", integrity })));
};

/** Forgets older builds of this page; pages beside it on the same origin keep theirs. */
const forget = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
};

const answer = async (request) => {
  const cache = await caches.open(NAME);
  const page = request.mode === "navigate" ? "./" : request;
  return (await cache.match(page, { ignoreSearch: true })) ?? fetch(request);
};

/** Whether a request is for a file of this page; nothing else is touched. */
const ours = ({ method, url, mode }) => {
  const { scope } = self.registration;
  if (method !== "GET" || !url.startsWith(scope)) return false;
  const path = url.slice(scope.length).split(/[?#]/)[0];
  return mode === "navigate" ? path === "" || path === "index.html" : FILES.some(([file]) => file === path);
};

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  if (ours(event.request)) event.respondWith(answer(event.request));
});

/** The last page of the older build is being left: from the next one on it is this build. */
self.addEventListener("message", ({ data }) => {
  if (data !== "take over") return;
  self.clients.matchAll({ includeUncontrolled: true }).then((pages) => pages.length <= 1 && self.skipWaiting());
});
