// One question on the page: its part, its rubric, what follows from evidence, second looks, complaints.

import { all, announce, el, fill, find, say, texts } from "./dom.js";
import { parts } from "./parts.js";

/**
 * What the page knows of a question; `reasons` is false, true, or listed reasons with what is recorded.
 * @typedef {{id: string, kind: string, required: boolean, data: any,
 *   reasons: boolean|[string, Record<string, string>][]}} Spec
 */

export class Card {
  #complaint = null;

  /**
   * @param {Spec} spec
   * @param {any} unit what the card belongs to: `changed(card)`, `entries(id)`, `item`, `locked`
   * @param {import("./rules.js").Reply} reply
   */
  constructor(spec, unit, reply) {
    this.spec = spec;
    this.unit = unit;
    this.reply = { ...reply };
    this.part = parts[spec.kind];
    const template = /** @type {HTMLTemplateElement} */ (find(`template[data-question="${spec.id}"]`));
    this.root = /** @type {HTMLElement} */ (document.importNode(template.content, true).firstElementChild);
    this.body = find(".part", this.root);
    this.part.mount(this.body, this.#context());
    this.part.onChange(this.body, () => this.#chosen());
    this.#wire();
    this.#show_cannot();
    if (unit.locked) for (const input of all("input, textarea, button", this.body)) input.disabled = true;
  }

  get id() {
    return this.spec.id;
  }

  /** Something was given that is not yet an answer; leaving it would lose it. */
  get begun() {
    return this.reply.cannot_judge === "" || this.reply.partial !== undefined;
  }

  #context() {
    return {
      id: this.id,
      data: this.spec.data,
      value: this.reply.value,
      partial: this.reply.partial,
      part: (kind) => parts[kind],
      done: () => this.unit.answered(this),
      entries: this.unit.entries(this.id),
      item: this.unit.item,
      locked: this.unit.locked,
      say,
      texts,
      announce,
    };
  }

  #wire() {
    find(".rubric-button", this.root)?.addEventListener("click", () => this.toggle_rubric());
    find(".cannot-button", this.root)?.addEventListener("click", () => this.toggle_cannot());
    this.root.addEventListener("focusin", () => this.unit.focused(this));
  }

  /** The part has a new value, by the rater's own hand. */
  #chosen() {
    const { prompted, first } = this.reply;
    const value = this.part.read(this.body);
    const partial = this.part.partial?.(this.body);
    this.reply = { value, partial, prompted, first };
    this.#after();
  }

  #after() {
    this.complain(null);
    this.#show_cannot();
    this.unit.changed(this);
  }

  // --- cannot judge ---

  toggle_cannot() {
    if (!this.spec.reasons || this.unit.locked) return;
    const { prompted, first, cannot_judge } = this.reply;
    if (cannot_judge !== undefined) this.reply = { prompted, first };
    else {
      this.reply = { prompted, first, cannot_judge: Array.isArray(this.spec.reasons) ? "" : true };
      this.part.mount(this.body, { ...this.#context(), value: undefined, partial: undefined });
    }
    this.#after();
    if (this.reply.cannot_judge === "") find(".reasons button", this.root)?.focus();
  }

  #reason(recorded) {
    this.reply = { ...this.reply, cannot_judge: recorded };
    this.#after();
    this.unit.answered(this);
  }

  #show_cannot() {
    const said = this.reply.cannot_judge;
    this.root.classList.toggle("gave-up", said !== undefined);
    find(".cannot-button", this.root)?.setAttribute("aria-pressed", String(said !== undefined));
    const place = find(".reasons", this.root);
    if (!place) return;
    place.hidden = said === undefined;
    if (place.hidden || !Array.isArray(this.spec.reasons)) return;
    fill(place, this.spec.reasons.map(([recorded, shown], number) =>
      el("button", {
        type: "button",
        "data-key": number + 1,
        "aria-pressed": String(recorded === said),
        onclick: () => this.#reason(recorded),
      }, el("kbd", { "aria-hidden": "true" }, String(number + 1)), ...texts(shown)),
    ));
  }

  // --- what the rules say ---

  /** @param {import("./rules.js").Decided} decided */
  show(decided) {
    const applies = decided.state(this.id) !== "not_applicable";
    this.root.hidden = !applies;
    const implied = applies ? decided.implied(this.id) : null;
    this.#show_implied(implied, this.reply.value !== undefined);
    this.part.imply?.(this.body, implied?.value);
  }

  #show_implied(implied, by_hand) {
    const place = find(".implied", this.root);
    if (!place) return;
    place.hidden = !implied;
    if (!implied) return;
    const label = this.spec.data.options?.find((option) => option.value === implied.value)?.label;
    const level = el("strong", {}, String(implied.value), label ? " " : "", ...texts(label));
    const why = implied.says ? [" (", ...texts(implied.says), ")"] : [];
    const differs = by_hand && this.reply.value !== implied.value;
    fill(place, ...say(differs ? "Your marks would give:" : "Your marks give:"), " ", level, ...why, " ",
      differs && !this.unit.locked
        ? el("button", { type: "button", class: "quiet", onclick: () => this.follow() }, ...say("Follow the rule"))
        : null);
  }

  /** Goes back to the level that follows from evidence; the choice by hand stays on record. */
  follow() {
    const first = this.reply.first ?? this.reply.value;
    this.reply = { first, prompted: this.reply.prompted };
    this.part.mount(this.body, { ...this.#context(), value: undefined, partial: undefined });
    this.#after();
    this.focus();
  }

  /** Asks for a second look, once; what was chosen is kept as the first choice. */
  prompt(says, value) {
    this.reply = { ...this.reply, prompted: true, first: this.reply.first ?? value };
    const nothing = value === undefined && this.reply.cannot_judge === undefined;
    const keep = el("button", { type: "button", class: "keep" }, ...say(nothing ? "Leave it out" : "Keep my answer"));
    const box = el("div", { class: "second-look", role: "group" }, el("div", {}, ...texts(says)),
      el("div", { class: "row" }, keep));
    keep.addEventListener("click", () => {
      box.remove();
      this.unit.answered(this);
    });
    find(".second-look", this.root)?.remove();
    this.root.append(box);
    announce(texts(says));
    if (nothing) this.focus();
    else keep.focus();
    box.scrollIntoView({ block: "nearest" });
  }

  /** What is missing here, in words. */
  complaint() {
    if (this.reply.cannot_judge === "") return say("Please choose a reason.");
    return this.part.complaint?.(this.body, say) ?? say("This question needs an answer.");
  }

  /** @param {Node[]|null} what */
  complain(what) {
    this.#complaint?.remove();
    this.#complaint = what ? el("p", { class: "error complaint", id: `complaint-${this.id}` }, what) : null;
    this.body.classList.toggle("complained", Boolean(what));
    if (this.#complaint) {
      this.root.append(this.#complaint);
      announce([...say("Please answer:"), " ", this.#name(), ". ", ...what.map((node) => node.cloneNode(true))]);
    }
  }

  #name() {
    return find(".ask h3", this.root).cloneNode(true);
  }

  // --- keyboard ---

  focus() {
    if (this.reply.cannot_judge !== undefined) find(".cannot-button", this.root)?.focus({ preventScroll: true });
    else this.part.focus(this.body);
    this.root.scrollIntoView({ block: "nearest" });
  }

  /** @returns {"done"|"more"|undefined} what the key did here */
  press(key) {
    if (this.unit.locked) return undefined;
    if (this.reply.cannot_judge === "" && /^[1-9]$/.test(key)) {
      const reason = /** @type {any} */ (this.spec.reasons)[Number(key) - 1];
      if (reason) this.#reason(reason[0]);
      return reason ? "more" : undefined;
    }
    const did = this.part.press?.(this.body, key);
    if (did) find(".second-look", this.root)?.remove();
    return did;
  }

  toggle_rubric() {
    const rubric = find(".rubric", this.root);
    if (!rubric) return;
    rubric.hidden = !rubric.hidden;
    find(".rubric-button", this.root).setAttribute("aria-expanded", String(!rubric.hidden));
    if (!rubric.hidden) this.root.scrollIntoView({ block: "nearest" });
  }
}
