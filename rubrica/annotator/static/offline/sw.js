// The service worker of one study: without network the workbench opens from what was kept.
// GIVEN (the study's base and its files) is written above by the server.

const CACHE = `rubrica${GIVEN.base}`;
const WORK = `${GIVEN.base}/work`;
const GUIDELINES = `${GIVEN.base}/guidelines`;
const MOST_MEDIA = 200;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keep_pages());
});

/** The page that brought this worker did not come through it, so the first copies are fetched here. */
async function keep_pages() {
  const cache = await caches.open(CACHE);
  await cache.addAll(GIVEN.files);
  await Promise.all([WORK, GUIDELINES].map(async (page) => keep(cache, page, await fetch(page))));
}

const keep = (cache, key, answer) => (answer.ok && !answer.redirected ? cache.put(key, answer.clone()) : undefined);

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), forget_old()]));
});

/** Files of earlier versions are of no use any more. */
async function forget_old() {
  const cache = await caches.open(CACHE);
  const kept = await cache.keys();
  const old = kept.filter(({ url }) => new URL(url).pathname.startsWith("/static/") && !GIVEN.files.includes(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(pathname === WORK ? fresh_or_kept(request, WORK) : fresh_or_back(request));
  else if (pathname === GUIDELINES) event.respondWith(fresh_or_kept(request, GUIDELINES));
  else if (GIVEN.files.includes(pathname)) event.respondWith(kept_or_fresh(request, pathname));
  else if (pathname.startsWith(`${GIVEN.base}/media/`) && !request.headers.has("range")) event.respondWith(kept_or_fresh(request, pathname));
});

async function fresh_or_kept(request, key) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    await keep(cache, key, answer);
    return answer.status < 500 ? answer : ((await cache.match(key)) ?? answer); // a proxy without its server
  } catch (problem) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw problem;
  }
}

/** Without network there is no other page than the workbench. */
async function fresh_or_back(request) {
  try {
    return await fetch(request);
  } catch (problem) {
    if (await (await caches.open(CACHE)).match(WORK)) return Response.redirect(WORK);
    throw problem;
  }
}

async function kept_or_fresh(request, key) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(key);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && answer.status === 200) {
    await cache.put(key, answer.clone());
    forget_media(cache);
  }
  return answer;
}

async function forget_media(cache) {
  const media = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(`${GIVEN.base}/media/`));
  for (const request of media.slice(0, Math.max(0, media.length - MOST_MEDIA))) await cache.delete(request);
}
