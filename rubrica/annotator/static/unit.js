// One item with its questions, built before it is shown, so that showing it costs nothing.

import { Card } from "./cards.js";
import { all, el, find, new_id, say } from "./dom.js";
import { fit_sequences } from "./images.js";
import { parts } from "./parts.js";
import { Decided } from "./rules.js";

export class Unit {
  /** @type {Card|null} */
  here = null;
  revision = 0;
  decided = null;
  seconds = 0;
  started = null;

  /**
   * @param {any} work what the server sent for one place
   * @param {any} start what the page knows of the study
   * @param {any} draft the newest draft, of this browser or the server
   * @param {{changed: (unit: Unit) => void, answered: (card: Card) => void}} tell
   */
  constructor(work, start, draft, tell) {
    this.work = work;
    this.start = start;
    this.tell = tell;
    this.id = draft?.content?.id ?? new_id();
    this.revision = draft?.revision ?? 0;
    this.seconds = draft?.content?.seconds ?? 0;
    this.started = draft?.content?.started ?? null;
    this.touched = draft?.content?.touched ?? {};
    this.item = el("article", { class: "unit", "aria-labelledby": "item-title" });
    this.item.innerHTML = work.html;
    fit_sequences(this.item);
    this.panel = el("form", { class: "unit", novalidate: true });
    this.panel.addEventListener("submit", (event) => event.preventDefault());
    const replies = draft?.content?.replies ?? own_replies(work.own);
    this.cards = start.questions.map((spec) => new Card(spec, this, replies[spec.id] ?? {}));
    this.panel.append(this.#head(), ...this.cards.map((card) => card.root));
    this.#offer_marks();
    this.#remember_earlier();
    this.update();
  }

  get place() {
    return this.work.place;
  }

  get locked() {
    return Boolean(this.work.own) && !this.start.revise;
  }

  /** Whether there is anything the rater would miss. */
  get begun() {
    return Object.keys(this.touched).length > 0;
  }

  #head() {
    if (!this.work.own) return el("h2", { class: "hidden-text" }, ...say("Questions"));
    const what = this.work.own.answers ? "You have rated this item. A change is kept as a revision."
      : "You have skipped this item. Answers now replace the skip.";
    return el("p", { class: "notice" }, ...say(this.locked ? "You have rated this item. This study keeps every first rating." : what));
  }

  /** Whoever wants the earlier items open wants them open at the next item too. */
  #remember_earlier() {
    const earlier = find(".earlier", this.item);
    if (!earlier) return;
    earlier.open = localStorage.getItem("rubrica-earlier") === "open";
    earlier.addEventListener("toggle", () => localStorage.setItem("rubrica-earlier", earlier.open ? "open" : "folded"));
  }

  entries(question) {
    return this.work.rules.questions[question]?.entries ?? [];
  }

  focused(card) {
    if (this.here === card) return;
    this.here?.root.classList.remove("here");
    this.here = card;
    card.root.classList.add("here");
  }

  changed(card) {
    this.touched[card.id] = Date.now();
    this.update();
    this.tell.changed(this);
  }

  answered(card) {
    this.tell.answered(card);
  }

  update() {
    this.decided = new Decided(this.work.rules, this.replies, (name, value) => this.#measure(name, value));
    for (const card of this.cards) card.show(this.decided);
    this.#show_marks();
  }

  // --- evidence on turns ---

  get #evidence() {
    return this.cards.filter((card) => card.part.evidence && this.entries(card.id).length === this.turns.length);
  }

  get turns() {
    return all(":scope > .view .turn", this.item);
  }

  /** Every turn can be marked where a question takes marks on turns. */
  #offer_marks() {
    if (this.locked || !this.#evidence.length) return;
    for (const turn of this.turns) {
      turn.append(el("button", {
        type: "button", class: "turn-mark-button", tabindex: -1,
        onclick: (event) => this.#mark(Number(turn.dataset.turn), event.currentTarget),
      }, ...say("Mark a failure")));
    }
  }

  #mark(turn, button) {
    const cards = this.#evidence.filter((card) => !card.root.hidden);
    const choose = (card) => card.part.mark(card.body, turn);
    if (cards.length === 1) return choose(cards[0]);
    const options = cards.map((card) => el("button", {
      type: "button", onclick: () => { menu.remove(); choose(card); },
    }, ...find(".ask h3", card.root).cloneNode(true).childNodes));
    find(".turn-menu", this.item)?.remove();
    const menu = el("div", { class: "menu-list turn-menu", role: "group" }, ...options,
      el("button", { type: "button", class: "quiet", onclick: () => menu.remove() }, ...say("Close")));
    button.after(menu);
    options[0]?.focus();
    return undefined;
  }

  #show_marks() {
    const marks = this.#evidence.flatMap((card) => (card.root.hidden ? [] : card.part.marked(card.body)));
    for (const turn of this.turns) {
      const here = marks.filter((mark) => mark.turn === Number(turn.dataset.turn));
      find(".turn-marks", turn)?.remove();
      turn.classList.toggle("marked", here.length > 0);
      if (here.length) turn.append(el("div", { class: "turn-marks" }, here.map((mark) => el("span", { class: "turn-mark" }, ...mark.nodes))));
    }
  }

  #measure(name, value) {
    const spec = this.start.questions.find((one) => one.id === name);
    return parts[spec.kind].measure?.(spec.data, value, (kind) => parts[kind]) ?? {};
  }

  get replies() {
    return Object.fromEntries(this.cards.map((card) => [card.id, card.reply]));
  }

  /** The questions that are asked of this item. */
  get asked() {
    return this.cards.filter((card) => !card.root.hidden);
  }

  is_answered(card) {
    if (card.begun) return false;
    return ["answered", "cannot_judge"].includes(this.decided.state(card.id));
  }

  /** Required questions without an answer, in order. */
  get missing() {
    return this.asked.filter((card) => (card.spec.required || card.begun) && !this.is_answered(card));
  }

  /** Cards that call for a second look they have not had: an unusual answer, or one left out. */
  get to_look_at() {
    return this.asked.filter((card) => !card.reply.prompted && this.decided.second_look(card.id));
  }

  /** What is kept as a draft: everything needed to go on elsewhere. */
  content(seconds) {
    return { id: this.id, replies: this.replies, touched: this.touched, started: this.started, seconds };
  }

  /** The rating as it will come back from the server, for going back without network. */
  as_own(body) {
    const answers = body.answers && Object.fromEntries(this.cards.map((card) => [card.id, {
      state: this.decided.state(card.id),
      value: this.decided.value(card.id) ?? null,
      reason: typeof card.reply.cannot_judge === "string" ? card.reply.cannot_judge : null,
      implied: this.decided.implied(card.id)?.value ?? null,
      first: card.reply.first ?? null,
      prompted: Boolean(card.reply.prompted),
    }]));
    return { id: body.id, answers, skip_reason: body.skip_reason };
  }

  /** What is sent when it is submitted. */
  body(seconds, language, skip_reason = null) {
    const ended = new Date();
    const answers = Object.fromEntries(this.asked.map((card) => [card.id, sendable(card.reply)]));
    return {
      id: this.id,
      place: this.place,
      version: this.work.version,
      answers: skip_reason === null ? answers : null,
      skip_reason,
      supersedes: this.work.own?.id ?? null,
      language,
      pace: {
        started: this.started,
        ended: ended.toISOString(),
        wall_seconds: this.started ? Math.max(0, (ended.getTime() - Date.parse(this.started)) / 1000) : null,
        active_seconds: seconds,
      },
    };
  }

  /** Takes over a newer draft that another page made: each answer by who typed last. */
  static merge(mine, theirs) {
    if (!mine || !theirs) return mine ?? theirs;
    const merged = { ...mine, replies: { ...mine.replies }, touched: { ...mine.touched } };
    for (const [name, at] of Object.entries(theirs.touched ?? {})) {
      if (at <= (mine.touched?.[name] ?? 0)) continue;
      merged.replies[name] = theirs.replies[name];
      merged.touched[name] = at;
    }
    merged.seconds = Math.max(mine.seconds ?? 0, theirs.seconds ?? 0);
    merged.started = [mine.started, theirs.started].filter(Boolean).sort()[0] ?? null;
    return merged;
  }

  /** Turns placeholders for pictures that did not come into something that says so. */
  watch_pictures(report) {
    for (const image of all("img", this.item)) {
      const failed = () => this.#missing(image, report);
      if (image.complete && image.naturalWidth === 0 && image.src) failed();
      else image.addEventListener("error", failed, { once: true });
    }
  }

  #missing(image, report) {
    const figure = image.closest(".picture");
    if (!figure) return;
    figure.classList.add("missing");
    const count = figure.querySelector(".count")?.textContent ?? "";
    figure.replaceChildren(el("button", { type: "button", onclick: () => report(count) },
      el("span", {}, ...say("This image is missing."), " ", ...say("Report"))));
  }
}

/** A reply as the server reads it: only what says something. */
function sendable({ value, cannot_judge, first, prompted }) {
  const sent = { value, first: first ?? undefined, prompted: prompted || undefined };
  return cannot_judge ? { ...sent, value: undefined, cannot_judge } : sent;
}

/** What the rater said before, as replies; a level that only followed from evidence stays implied. */
function own_replies(own) {
  const replies = {};
  for (const [name, answer] of Object.entries(own?.answers ?? {})) {
    if (answer.state === "answered") {
      const by_hand = answer.implied === null || answer.value !== answer.implied;
      replies[name] = by_hand ? { value: answer.value } : {};
    } else if (answer.state === "cannot_judge") replies[name] = { cannot_judge: answer.reason ?? true };
    else continue;
    if (answer.first !== null && answer.first !== undefined) replies[name].first = answer.first;
    if (answer.prompted) replies[name].prompted = true;
  }
  return replies;
}

