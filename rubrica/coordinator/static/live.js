// Pages that follow the study: told by the server that something changed, they ask for themselves again
// and put the new parts in place of the old.

import { all, fill, find, say } from "./dom.js";
import { speak } from "./plain.js";

let asking = false;
let again = false;
let waiting = 0;

/** Brings every live part of the page up to date. */
export async function refresh() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    do {
      again = false;
      await bring();
    } while (again);
  } finally {
    asking = false;
  }
}

async function bring() {
  const answer = await fetch(location.href, { credentials: "same-origin", signal: AbortSignal.timeout(20_000) }).catch(() => null);
  if (!answer?.ok) return state("away");
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (fresh.getElementById("by-password")) return location.reload();
  for (const part of all("[data-live]")) {
    const found = fresh.getElementById(part.id);
    if (found) put(part, found);
  }
  state("live");
  document.dispatchEvent(new CustomEvent("rubrica-refreshed"));
  return undefined;
}

/** A part that waits for a computation asks again until it is there, or has failed. */
function poll() {
  clearTimeout(waiting);
  if (find("[data-poll]")) waiting = window.setTimeout(() => refresh(), 2000);
}

/** Replaces a part, unless somebody is writing in it; what was folded open stays open, focus stays. */
function put(part, found) {
  if (is_busy(part)) return;
  const focused = part.contains(document.activeElement) ? place_of(document.activeElement, part) : -1;
  const opened = all("details", part).map((one) => one.open);
  speak(found);
  if (part.innerHTML === found.innerHTML) return;
  part.replaceChildren(...found.childNodes);
  part.toggleAttribute("data-poll", found.hasAttribute("data-poll"));
  all("details", part).forEach((one, place) => { if (opened[place] !== undefined) one.open = opened[place]; });
  if (focused >= 0) all(FOCUSABLE, part)[focused]?.focus({ preventScroll: true });
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const place_of = (element, part) => all(FOCUSABLE, part).indexOf(element);

const is_busy = (part) => all("textarea, input[type=text], input[type=search]", part)
  .some((one) => one === document.activeElement || one.value !== one.defaultValue) || find("dialog[open]", part);

// --- the word that something changed ---

const SAYS = { live: "Live", away: "No connection; trying again" };

function state(name) {
  const place = find("#live-state");
  if (!place || place.dataset.state === name) return;
  place.dataset.state = name;
  fill(place, say(SAYS[name]));
}

export function start_live() {
  poll();
  document.addEventListener("rubrica-refreshed", poll);
  const address = document.body.dataset.events;
  if (!address || !find("[data-live]")) return;
  let source = null;
  let seen = "";
  const open = () => {
    source = new EventSource(address);
    source.addEventListener("message", (event) => {
      const first = seen === "";
      if (event.data !== seen && !first) refresh();
      seen = event.data;
      if (first) state("live");
    });
    source.addEventListener("open", () => state("live"));
    source.addEventListener("error", () => {
      if (source?.readyState === EventSource.CLOSED) {
        state("away");
        window.setTimeout(() => { if (source) { source.close(); open(); } }, 5000);
      }
    });
  };
  const close = () => { source?.close(); source = null; };
  // A browser allows a server six connections: pages nobody looks at give theirs back.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close();
    else if (!source) { open(); refresh(); }
  });
  window.addEventListener("pagehide", close);
  if (!document.hidden) open();
}
