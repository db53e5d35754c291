// Practice: worked examples, answered like real items; each answer is compared and explained at once.

import { show_keys } from "./dialogs.js";
import { announce, el, fill, find, read_data, say, texts, toast } from "./dom.js";
import { show_guide } from "./guide.js";
import { open_viewer, watch_clicks } from "./images.js";
import { set_single_keys, single_keys, start_keys } from "./keys.js";
import { start_look } from "./look.js";
import { Refused, post } from "./net.js";
import { Unit } from "./unit.js";

class Practice {
  /** @type {Unit|null} */
  unit = null;
  /** Whether what is shown has been answered and explained. */
  explained = false;

  constructor(start) {
    this.start = start;
    this.standing = start.standing;
  }

  begin() {
    this.#wire();
    this.#show_next();
  }

  #show_next() {
    const answered = new Set(this.standing.answered);
    const work = this.start.works.find((one) => !answered.has(one.place));
    if (!work || this.standing.passed !== null) return this.#round_over();
    this.explained = false;
    this.unit = new Unit(work, this.start, null, { changed: () => {}, answered: (card) => this.#advance(card) });
    fill(find("#item"), this.unit.item);
    fill(find("#questions"), this.unit.panel);
    find("#item").scrollTop = find("#questions").scrollTop = 0;
    scrollTo(0, 0);
    fill(find("#submit .word-submit"), say("Check my answers"));
    const of = this.standing.examples;
    fill(find("#spot"), say("Example {n} of {of}", { n: work.number, of }));
    fill(find("#progress-text"), say("{n} of {total} done", { n: this.standing.answered.length, total: of }));
    find("#progress").max = of;
    find("#progress").value = this.standing.answered.length;
    announce(say("Example {n} of {of}", { n: work.number, of }));
    const first = this.unit.asked[0];
    this.unit.focused(first);
    if (matchMedia("(max-width: 56rem)").matches) document.activeElement?.blur();
    else first.part.focus(first.body);
    return undefined;
  }

  #advance(card) {
    if (this.explained) return;
    const missing = this.unit.missing;
    const behind = this.unit.asked.indexOf(card);
    const next = missing.find((one) => this.unit.asked.indexOf(one) > behind) ?? missing[0];
    if (next) next.focus();
    else find("#submit").focus({ preventScroll: true });
  }

  async submit() {
    if (this.explained) return this.#show_next();
    const { missing } = this.unit;
    if (missing.length) {
      for (const card of [...missing].reverse()) card.complain(card.complaint());
      return missing[0].focus();
    }
    const { answers } = this.unit.body(0, "en");
    try {
      const told = await post(`${this.start.base}/api/practice`, { number: this.unit.place, answers });
      this.standing = told.standing;
      this.#explain(told.feedback);
    } catch (problem) {
      if (problem instanceof Refused) return location.reload();
      toast(say("There is no connection. Please try again."));
    }
    return undefined;
  }

  /** Beside each answer: whether it agrees, the reference, and why. */
  #explain(feedback) {
    this.explained = true;
    for (const one of feedback) {
      const card = this.unit.cards.find((each) => each.id === one.question);
      if (!card || card.root.hidden) continue;
      const kind = one.agreed === null ? "" : one.agreed ? " agreed" : " differs";
      const head = one.agreed === null ? say("Compare with the reference.") : one.agreed ? say("This agrees.") : say("The reference is another one.");
      card.root.append(el("div", { class: `feedback${kind}` },
        el("p", { class: "verdict" }, head),
        el("p", {}, ...say("Reference:"), " ", ...shown(card, one.reference)),
        one.why ? el("p", {}, ...texts(one.why)) : null));
      for (const input of card.body.querySelectorAll("input, textarea, button")) input.disabled = true;
    }
    fill(find("#submit .word-submit"), say("Next example"));
    find("#questions").scrollTop = 0;
    find(".feedback", this.unit.panel)?.scrollIntoView({ block: "nearest" });
    announce(say("{n} of {of} answers agree.", { n: feedback.filter((one) => one.agreed).length, of: feedback.filter((one) => one.agreed !== null).length }));
    find("#submit").focus({ preventScroll: true });
  }

  #round_over() {
    const { passed, share, rounds, round } = this.standing;
    if (passed === false) return location.assign(this.start.base);
    const percent = percents(share ?? 1);
    const again = passed === null && share !== null && this.standing.answered.length === 0;
    const text = again
      ? say("{n} of your answers agree with the references; {m} are needed. Please go through the examples again (try {round} of {rounds}).",
        { n: percent, m: percents(this.start.pass_at ?? 0), round, rounds: rounds ?? "" })
      : say("{n} of your answers agree with the references. You can begin now.", { n: percent });
    fill(find("#item"), el("div", { class: "waiting" }, el("h2", { tabindex: -1 }, ...say(again ? "Practise once more" : "Practice is done")), el("p", {}, text),
      el("p", {}, el("a", { class: "button main", id: "practice-on", href: again ? `${this.start.base}/practice` : this.start.base }, ...say("Go on")))));
    fill(find("#questions"));
    find("#submit").hidden = true;
    find("#practice-on").focus();
    return undefined;
  }

  #wire() {
    const guide = () => show_guide(this.start.guidelines);
    const keys = () => show_keys(single_keys(), set_single_keys);
    const letters = {
      r: () => this.unit?.here?.toggle_rubric(), x: () => this.unit?.here?.toggle_cannot(), "?": keys,
      i: () => find("#item").focus(), q: () => this.unit?.here?.focus(), z: () => open_viewer(this.unit.item),
    };
    if (this.start.guidelines) letters.g = guide;
    start_keys({
      digit: (key) => {
        const card = this.unit?.here;
        const did = card && !this.explained && !card.root.hidden ? card.press(key) : undefined;
        if (did === "done") this.#advance(card);
        return Boolean(did);
      },
      submit: () => this.submit(),
      letters,
    });
    find("#submit").addEventListener("click", () => this.submit());
    find("#open-guide")?.addEventListener("click", guide);
    find("#open-keys").addEventListener("click", keys);
    find("#open-ask").hidden = true;
    watch_clicks();
  }
}

const percents = (share) => `${Math.round(share * 100)} %`;

/** A reference as the rater would read it. */
function shown(card, reference) {
  if (reference === null || reference === undefined) return say("No answer applies here.");
  const option = card.spec.data.options?.find((one) => one.value === reference || one.value === String(reference));
  if (option) {
    const value = String(option.value);
    const label = texts(option.label);
    return typeof option.value === "number" ? [value, " · ", ...label] : label;
  }
  return [typeof reference === "object" ? JSON.stringify(reference) : String(reference)];
}

start_look();
new Practice(read_data("start")).begin();
