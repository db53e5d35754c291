// Evidence on its turns: what raters marked stands below the turn it speaks of, where there are turns.

import { all, find, fill, say, el } from "./dom.js";

export function start_marks() {
  const list = find("#turn-marks");
  if (!list) return;
  for (const mark of all("li", list)) {
    const turn = find(`#view .turn[data-turn="${mark.dataset.turn}"]`);
    if (!turn) continue;
    const place = find(".desk-marks", turn) ?? turn.appendChild(el("ul", { class: "desk-marks" }));
    place.append(mark);
  }
  list.hidden = !list.children.length;
}

/** Judges' scores, once one asked for them. @param {any[]} lines */
export function show_verdicts(lines) {
  const place = find("#verdict-list");
  fill(place, lines.length
    ? el("dl", { class: "values" }, ...lines.flatMap((one) => [
      el("dt", {}, one.verdict, one.judge ? el("span", { class: "soft small" }, ` ${one.judge}`) : null),
      el("dd", { dir: "auto" }, typeof one.value === "string" ? one.value : JSON.stringify(one.value)),
    ]))
    : el("p", { class: "soft" }, ...say("No judge has scored this item.")));
}
