// The saved state in the header: one short text that is never wrong.

import { announce, fill, find, say } from "./dom.js";

const SAYS = {
  saved: "Saved",
  saving: "Saving…",
  offline: "Offline, {n} waiting",
  "signed-out": "Signed out, {n} waiting",
  refused: "{n} not accepted",
  here: "Kept in this browser only",
};

let shown = "";

/** Without a service worker the page cannot be loaded while the network is away. */
const reloads = () => Boolean(navigator.serviceWorker?.controller);

/** @param {import("./saving.js").Status} status */
export function show_status({ state, waiting: places, refused }) {
  const waiting = state === "refused" ? refused : places;
  const key = `${state} ${waiting}`;
  if (key === shown) return;
  const before = shown.split(" ")[0];
  shown = key;
  const place = find("#saved");
  place.dataset.state = state;
  fill(place, el_text(state, waiting));
  document.documentElement.dataset.saved = state;
  find("#stay-note").hidden = state !== "offline" || reloads();
  const matters = (name) => !["saved", "saving", ""].includes(name);
  if (before !== state && (matters(state) || (state === "saved" && matters(before)))) announce(el_text(state, waiting));
}

function el_text(state, waiting) {
  const text = state === "offline" && waiting === 0 ? "Offline" : SAYS[state];
  return say(text, { n: waiting });
}
