// Around the item: where the rater is, how far, and what stands in an empty pane.

import { el, fill, find, now_in, phrase, say, texts } from "./dom.js";

/** Which item this is, and of which part. */
export function spot({ number, batch }, total) {
  const item = total ? say("Item {n} of {total}", { n: number, total }) : say("Item {n}", { n: number });
  return batch && batch.of > 1 ? [...say("Part {n} of {of}", { n: batch.number, of: batch.of }), " · ", ...item] : item;
}

/** Header and footer for the item that is shown. */
export function show_head(unit, start, { done, highest, total }) {
  const { number, own } = unit.work;
  fill(find("#spot"), spot(unit.work, total));
  fill(find("#number"), total ? `${number} / ${total}` : String(number));
  const bar = find("#progress");
  bar.max = total ?? Math.max(1, highest);
  bar.value = done;
  fill(find("#progress-text"), total ? say("{n} of {total} done", { n: done, total }) : say("{n} done", { n: done }));
  find("#previous").setAttribute("aria-disabled", String(number <= start.first_number));
  fill(find("#submit .word-submit"), say(own ? "Save change" : "Submit"));
  find("#submit").hidden = find("#cannot").hidden = unit.locked;
}

/** What stands in the panes while there is no item. */
export function show_waiting(what) {
  fill(find("#item"), el("div", { class: "waiting" }, el("h2", { tabindex: -1 }, what)));
  fill(find("#questions"));
}

/** Opens or folds the earlier items; what the rater prefers holds for the next items too. */
export function toggle_earlier(item) {
  const earlier = item && find(".earlier", item);
  if (earlier) earlier.open = !earlier.open;
}

export function phrase_text(message, values) {
  return now_in(phrase(message, values));
}

export function score_line(scores, labels) {
  const shown = Object.entries(scores).filter(([name, value]) => value !== null && labels[name]);
  return shown.flatMap(([name, value]) => [...texts(labels[name]), ` ${Math.round(value * 100) / 100}  `]);
}
