// Settling an answer with the very part raters answer with; an answer of theirs can be taken over.

import { all, announce, find, say, texts } from "./dom.js";
import { parts } from "./parts.js";

const place_in = (form) => find("[data-part]", form);

/** @param {HTMLElement} place @param {any} [value] */
function mount(place, value) {
  const { kind, ...given } = JSON.parse(place.dataset.part);
  const done = () => find("textarea", place.closest("form"))?.focus();
  const context = { value, partial: undefined, done, item: null, locked: false, part: (name) => parts[name], say, texts, announce };
  parts[kind].mount(place, { ...given, ...context });
  return parts[kind];
}

/**
 * What was answered, or in words what is missing; null where nothing is asked.
 * @param {HTMLFormElement} form
 * @returns {{value?: any, lacks?: Node[]}|null}
 */
export function answered(form) {
  const place = place_in(form);
  if (!place) return null;
  const part = parts[JSON.parse(place.dataset.part).kind];
  const begun = part.partial?.(place) !== undefined;
  const value = begun ? undefined : part.read(place);
  return value === undefined ? { lacks: part.complaint?.(place, say) ?? say("This question needs an answer.") } : { value };
}

export function start_settling() {
  for (const form of all("form.settle")) {
    const place = place_in(form);
    mount(place).onChange(place, () => {});
    form.addEventListener("reset", () => mount(place));
    for (const button of all("[data-take]", form)) {
      button.addEventListener("click", () => mount(place, JSON.parse(button.dataset.take)));
    }
  }
}
