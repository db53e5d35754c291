// What the workbench and practice have in common: the keys for reading, and for moving among questions.

import { show_keys } from "./dialogs.js";
import { find } from "./dom.js";
import { toggle_earlier } from "./frame.js";
import { show_guide } from "./guide.js";
import { open_viewer, watch_clicks } from "./images.js";
import { set_single_keys, single_keys, start_keys } from "./keys.js";

/**
 * @param {{unit: import("./unit.js").Unit|null, start: any, submit: () => void, digit: (key: string) => boolean,
 *   ask: () => void}} bench
 * @param {Record<string, () => void>} letters keys of its own
 */
export function start_reading(bench, letters = {}) {
  const keys = () => show_keys(single_keys(), set_single_keys, Object.keys(acts));
  const guide = () => show_guide(bench.start.guidelines);
  const acts = {
    j: () => step(bench.unit, 1), k: () => step(bench.unit, -1), q: () => bench.unit?.here?.focus(),
    r: () => bench.unit?.here?.toggle_rubric(), x: () => bench.unit?.here?.toggle_cannot(),
    i: () => find("#item").focus(), e: () => toggle_earlier(bench.unit?.item), z: () => bench.unit && open_viewer(bench.unit.item),
    f: () => bench.ask(), "?": keys, ...letters,
  };
  if (bench.start.guidelines) acts.g = guide;
  start_keys({ digit: (key) => bench.digit(key), submit: () => bench.submit(), letters: acts });
  find("#submit").addEventListener("click", (event) => event.detail < 2 && bench.submit()); // a double click is one
  find("#open-guide")?.addEventListener("click", guide);
  find("#open-keys").addEventListener("click", keys);
  find("#open-ask").addEventListener("click", acts.f);
  watch_clicks();
}

/** To the question after or before the one in hand, answered or not. */
function step(unit, by) {
  const asked = unit?.asked ?? [];
  const at = asked.indexOf(unit?.here);
  asked[Math.min(asked.length - 1, Math.max(0, at + by))]?.focus();
}
