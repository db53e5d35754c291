// Practice: worked examples, answered like real items; each answer is compared and explained at once.

import { complain, go_on, press } from "./answering.js";
import { open_db } from "./db.js";
import { announce, el, fill, find, read_data, say, texts, toast } from "./dom.js";
import { start_look } from "./look.js";
import { Refused, post, speak_for } from "./net.js";
import { News } from "./news.js";
import { start_reading } from "./reading.js";
import { reference_text } from "./references.js";
import { Unit } from "./unit.js";

class Practice {
  /** @type {Unit|null} */
  unit = null;
  /** Whether what is shown has been answered and explained. */
  explained = false;
  #asking = false;

  constructor(start, db) {
    this.start = start;
    this.db = db;
    this.standing = start.standing;
    this.news = new News(start);
  }

  begin() {
    start_reading(this);
    this.#show_next();
  }

  ask() {
    this.news.ask(null);
  }

  digit(key) {
    return !this.explained && press(this.unit, key, (card) => this.#advance(card));
  }

  /** The last answer ends the round; the next round, if there is one, begins with another page. */
  get #over() {
    return this.standing.passed !== null || this.standing.round !== this.start.standing.round;
  }

  #show_progress() {
    const { answered, examples } = this.standing;
    const done = this.#over ? examples : answered.length;
    fill(find("#progress-text"), say("{n} of {total} done", { n: done, total: examples }));
    find("#progress").max = examples;
    find("#progress").value = done;
  }

  async #show_next() {
    const answered = new Set(this.standing.answered);
    const work = this.start.works.find((one) => !answered.has(one.place));
    if (!work || this.#over) return this.#round_over();
    this.explained = false;
    const content = await this.db.get("notes", kept_as(work.place)).catch(() => null);
    this.unit = new Unit(work, this.start, content && { content, revision: 0 }, {
      changed: (unit) => this.db.put("notes", kept_as(unit.place), unit.content(0)).catch(() => {}), // a reload would ask again
      answered: (card) => this.#advance(card),
    });
    fill(find("#item"), this.unit.item);
    fill(find("#questions"), this.unit.panel);
    find("#item").scrollTop = find("#questions").scrollTop = 0;
    scrollTo(0, 0);
    fill(find("#submit .word-submit"), say("Check my answers"));
    const of = this.standing.examples;
    fill(find("#spot"), say("Example {n} of {of}", { n: work.number, of }));
    this.#show_progress();
    announce(say("Example {n} of {of}", { n: work.number, of }));
    const first = this.unit.missing[0] ?? this.unit.asked[0];
    this.unit.focused(first);
    if (matchMedia("(max-width: 56rem)").matches) document.activeElement?.blur();
    else first.part.focus(first.body);
    return undefined;
  }

  #advance(card) {
    if (!this.explained && !go_on(this.unit, card)) find("#submit").focus({ preventScroll: true });
  }

  async submit() {
    if (this.#asking || !this.unit) return undefined;
    if (this.explained) return this.#show_next();
    if (complain(this.unit)) return undefined;
    const { answers } = this.unit.body(0, "en");
    this.#asking = true;
    try {
      const told = await post(`${this.start.base}/api/practice`, { number: this.unit.place, answers });
      this.standing = told.standing;
      this.db.drop("notes", kept_as(this.unit.place)).catch(() => {});
      this.#explain(told.feedback);
    } catch (problem) {
      if (problem instanceof Refused) return location.reload();
      toast(say("There is no connection. Please try again."));
    } finally {
      this.#asking = false;
    }
    return undefined;
  }

  /** Beside each answer: whether it agrees, the reference, and why. */
  #explain(feedback) {
    this.explained = true;
    this.#show_progress();
    this.#show_title();
    for (const one of feedback) {
      const card = this.unit.cards.find((each) => each.id === one.question);
      if (!card || card.root.hidden) continue;
      const kind = one.agreed === null ? "" : one.agreed ? " agreed" : " differs";
      const head = one.agreed === null ? say("Compare with the reference.") : one.agreed ? say("This agrees.") : say("The reference is another one.");
      card.root.append(el("div", { class: `feedback${kind}` },
        el("p", { class: "verdict" }, head),
        el("div", {}, ...say("Reference:"), " ", ...reference_text(card, one.reference)),
        one.why ? el("p", {}, ...texts(one.why)) : null));
      for (const input of card.body.querySelectorAll("input, textarea, button")) input.disabled = true;
    }
    fill(find("#submit .word-submit"), say("Next example"));
    find("#questions").scrollTop = 0;
    find(".feedback", this.unit.panel)?.scrollIntoView({ block: "nearest" });
    announce(say("{n} of {of} answers agree.", { n: feedback.filter((one) => one.agreed).length, of: feedback.filter((one) => one.agreed !== null).length }));
    find("#submit").focus({ preventScroll: true });
  }

  /** What an example is about often says what the answers should be. */
  #show_title() {
    const { title } = this.unit.work;
    if (!title) return;
    const heading = find("#item-title", this.unit.item);
    heading.className = "item-title";
    fill(heading, texts(title));
  }

  #round_over() {
    const { passed, share, rounds, round } = this.standing;
    this.unit = null;
    fill(find("#spot"));
    if (passed === false) return location.assign(this.start.base);
    const percent = percents(share ?? 1);
    const again = passed === null;
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
}

const kept_as = (number) => `practice ${number}`;

const percents = (share) => `${Math.round(share * 100)} %`;

start_look();
const given = read_data("start");
speak_for(given.rater);
open_db(`rubrica${given.base}/${given.rater}`).then((db) => new Practice(given, db).begin());
