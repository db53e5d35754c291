// The guidelines beside the work: a side panel with search.

import { el, fill, find, language, say } from "./dom.js";
import { open_dialog } from "./dialogs.js";
import { Offline } from "./net.js";

/** @type {Promise<string>|null} */
let loaded = null;

async function load(url) {
  const answer = await fetch(url, { credentials: "same-origin" }).catch(() => { throw new Offline("guidelines"); });
  if (!answer.ok) throw new Offline("guidelines");
  return answer.text();
}

export async function show_guide(url) {
  const body = el("div", { class: "prose", tabindex: 0 }, ...say("Loading…"));
  const input = el("input", { type: "search", id: "guide-search", autocomplete: "off" });
  const count = el("span", { class: "small soft numeric", role: "status" });
  const bar = el("form", { class: "row", role: "search", onsubmit: (event) => { event.preventDefault(); step(1); } },
    el("label", { for: "guide-search", class: "hidden-text" }, ...say("Search in the guidelines")), input, count);
  const dialog = open_dialog("guide", el("span", {}, ...say("Guidelines")), body);
  dialog.classList.add("side");
  find(".dialog-head", dialog).append(bar);
  input.focus();
  let found = [];
  let here = -1;
  const step = (by) => {
    if (!found.length) return;
    here = (here + by + found.length) % found.length;
    mark(found, here);
    fill(count, `${here + 1} / ${found.length}`);
    found[here].startContainer.parentElement.scrollIntoView({ block: "center" });
  };
  input.addEventListener("input", () => {
    found = matches(body, input.value.trim());
    here = -1;
    mark(found, here);
    fill(count, input.value.trim() ? String(found.length) : "");
    if (found.length) step(1);
  });
  dialog.addEventListener("close", () => mark([], -1));
  try {
    loaded ??= load(url);
    body.innerHTML = await loaded;
  } catch {
    loaded = null;
    fill(body, ...say("The guidelines cannot be loaded without network."));
  }
}

/** Every place where the text stands, as ranges. */
function matches(root, wanted) {
  if (!wanted) return [];
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const lower = wanted.toLocaleLowerCase(language());
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.checkVisibility()) continue;
    const text = node.textContent.toLocaleLowerCase(language());
    for (let at = text.indexOf(lower); at >= 0; at = text.indexOf(lower, at + lower.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + lower.length, node.textContent.length));
      found.push(range);
    }
  }
  return found;
}

/** Highlights without touching the text. */
function mark(found, here) {
  if (!("highlights" in CSS)) return;
  CSS.highlights.set("found", new Highlight(...found.filter((_, number) => number !== here)));
  CSS.highlights.set("found-here", new Highlight(...(found[here] ? [found[here]] : [])));
}

