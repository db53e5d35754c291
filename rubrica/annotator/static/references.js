// The reference of a worked example, as the rater would read it.

import { el, say, texts } from "./dom.js";

/** @param {import("./cards.js").Card} card @param {any} reference a value as the question records it */
export function reference_text(card, reference) {
  if (reference === null || reference === undefined) return say("No answer applies here.");
  const { data } = card.spec;
  if (!Array.isArray(reference)) return one(data, reference);
  if (!reference.length) return data.none ? texts(data.none) : ["–"];
  const entries = card.unit.entries(card.id);
  return [el("ul", {}, ...reference.map((part, at) => el("li", {}, ...listed(data, part, entries[at]))))];
}

function one(data, value) {
  const option = data.options?.find((each) => each.value === value || each.value === String(value));
  if (!option) return [String(value)];
  const label = texts(option.label);
  return typeof option.value === "number" ? [String(option.value), " · ", ...label] : label;
}

/** An entry of a list: an option's key, a mark, a place, or the answer to one entry of the item's own. */
function listed(data, part, entry) {
  if (typeof part !== "object") return one(data, part);
  if ("type" in part) return [...named(data.types, part.type), ...(part.part ? [" · ", ...say("Turn {n}", { n: part.part })] : [])];
  if ("name" in part) return [part.name, ...(part.mark ? [" · ", ...named(data.marks, part.mark)] : [])];
  return [...(entry?.label ? [entry.label, ": "] : []), ...one(data.answer ?? {}, part.value)];
}

const named = (declared, value) => texts(declared.find((each) => each.value === value)?.label ?? value);
