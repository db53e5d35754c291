// The workbench: shows one item after the other, and hands what the rater does to the modules that know.

import { complain, go_on, look_again, press } from "./answering.js";
import { breaks_due } from "./breaks.js";
import { Clock } from "./clock.js";
import { open_db } from "./db.js";
import { show_pause, show_skip } from "./dialogs.js";
import { announce, el, fill, find, language, new_id, phrase, read_data, say, texts, toast } from "./dom.js";
import { phrase_text, score_line, show_head, show_waiting, spot } from "./frame.js";
import { Leaving } from "./leaving.js";
import { start_look } from "./look.js";
import { Making } from "./making.js";
import { Offline, Refused, post, speak_for } from "./net.js";
import { News } from "./news.js";
import { pick } from "./picking.js";
import { Progress } from "./progress.js";
import { Queue, Stale } from "./queue.js";
import { start_reading } from "./reading.js";
import { Saving } from "./saving.js";
import { show_status } from "./status.js";
import { one_tab } from "./tabs.js";

const IMAGE_REASONS = ["An image is missing", "An image is black or broken"];
/** No such item, or not one of this rater's. */
const NOT_THERE = ["F054", "F055"];
const ANY_REASONS = ["The content cannot be read"];
/** A double click that submits means one submit, not the next item's too. */
const DOUBLE_CLICK = 400;
const narrow = () => matchMedia("(max-width: 56rem)").matches;

class Workbench {
  /** @type {import("./unit.js").Unit|null} */
  unit = null;
  #submitted = -DOUBLE_CLICK;

  constructor(start, db) {
    this.start = start;
    this.base = start.base;
    this.clock = new Clock();
    this.news = new News(start);
    this.progress = new Progress(start, db);
    this.saving = new Saving(db, this.base, {
      status: (status) => this.#status(status),
      sent: (_entry, receipt) => this.#sent(receipt),
      refused: (entry, problem) => this.#refused(entry, problem),
      newer: (place) => this.#newer(place),
      back: () => this.#top_up(),
      fragile: () => this.#warn_fragile(),
    });
    this.making = new Making(start, this.saving, {
      changed: (unit) => this.#changed(unit),
      answered: (card) => this.#advance(card),
      lost: (pictures) => this.ask(phrase_text("Image {n} is missing.", { n: pictures })),
    });
    this.queue = new Queue(start, db, () => this.saving.underway);
    this.leaving = new Leaving(this.base, { push: () => this.saving.push(), wait: (...what) => this.#wait(...what) });
  }

  async begin() {
    this.clock.listen();
    this.#wire();
    await Promise.all([this.saving.resume(), this.queue.resume()]);
    const fresh = await this.progress.resume(this.saving.first_ratings);
    for (const work of fresh ? this.start.works : []) {
      if ((this.queue.get(work.place)?.state ?? "reserved") === "reserved") this.queue.keep(work);
    }
    one_tab(`rubrica${this.base}/${this.start.rater}`, () => this.#rest());
    const wanted = numbered_by(location.hash);
    const work = wanted === null ? this.queue.open[0] : this.queue.numbered(wanted);
    if (work) await this.#show(work, "replace");
    else if (wanted !== null) await this.go_to(wanted, "replace");
    if (!this.unit) await this.#show_next(-1);
    this.#top_up();
    if (!this.saving.db.lasting) this.#warn_fragile();
  }

  #warn_fragile() {
    toast(say("This window keeps nothing when it is closed. Please use a normal window."));
  }

  // --- showing ---

  #prepare() {
    this.making.ahead(() => {
      const next = this.unit && this.queue.after(this.unit.work.number);
      return next && next.place !== this.unit.place ? next : null;
    });
  }

  /** @param {"push"|"replace"|"none"} history_entry */
  async #show(work, history_entry = "push") {
    this.#put(await this.making.take(work), history_entry);
  }

  #put(unit, history_entry) {
    this.#set_aside();
    this.unit = unit;
    const { number } = unit.work;
    this.progress.seen(number);
    unit.started ??= new Date().toISOString();
    const item_pane = find("#item");
    const question_pane = find("#questions");
    fill(item_pane, unit.item);
    fill(question_pane, unit.panel);
    item_pane.scrollTop = question_pane.scrollTop = 0;
    scrollTo(0, 0);
    show_head(unit, this.start, this.progress);
    if (history_entry === "push") history.pushState({ number }, "", `#${number}`);
    if (history_entry === "replace") history.replaceState({ number }, "", `#${number}`);
    this.clock.begin(unit.seconds);
    this.#focus_start();
    document.documentElement.dataset.item = String(number);
    this.#prepare();
  }

  #focus_start() {
    const { unit } = this;
    const first = unit.missing[0] ?? unit.asked[0];
    if (first) unit.focused(first);
    announce(spot(unit.work, this.progress.total));
    if (narrow() || !first) /** @type {HTMLElement} */ (document.activeElement)?.blur();
    else {
      first.part.focus(first.body);
      find("#questions").scrollTop = 0;
    }
  }

  async #show_next(number) {
    const work = this.queue.after(number);
    if (work) return this.#show(work);
    this.#wait(say("Fetching the next item…"));
    return this.#top_up();
  }

  #wait(...what) {
    this.#set_aside();
    this.unit = null;
    delete document.documentElement.dataset.item;
    show_waiting(what.flat());
  }

  #pause_clock() {
    if (!this.unit) return;
    this.unit.seconds = this.clock.seconds;
    this.clock.rest();
  }

  /** The rater turns to something else: what was typed and the time spent are kept. */
  #set_aside() {
    this.#pause_clock();
    const { unit } = this;
    if (!unit || unit.sent) return;
    this.making.set_aside(unit);
    if (unit.begun) this.#changed(unit);
  }

  async #top_up() {
    const underway = this.saving.underway.size;
    try {
      const answer = await this.queue.top_up();
      this.progress.told(answer, underway + this.saving.underway.size);
      this.news.told(answer.news);
      if (this.unit) return this.#prepare();
      if (this.leaving.underway) return undefined;
      if (this.queue.after(-1)) return await this.#show(this.queue.after(-1));
      if (this.queue.finished) return this.leaving.finish();
    } catch (problem) {
      this.#not_now(problem);
    }
    return undefined;
  }

  /** No more items now: the network or the sign-in is gone, another page comes first, or the study changed. */
  #not_now(problem) {
    if (problem instanceof Stale) return this.unit?.begun ? undefined : this.#renew();
    if (problem instanceof Refused && problem.final) return this.leaving.elsewhere();
    if (!(problem instanceof Offline || problem instanceof Refused)) throw problem;
    this.saving.away(problem);
    if (this.unit || this.leaving.underway) return undefined;
    if (this.saving.signed_out) return this.leaving.sign_in();
    return this.#wait(say("Waiting for the network. Everything you did is kept."));
  }

  #status(status) {
    show_status(status);
    this.leaving.status(status);
  }

  /** Without network the rater goes on with the items there are. */
  #renew() {
    const number = this.unit?.work.number ?? -1;
    this.leaving.renew(() => this.#show_next(number));
  }

  // --- answering ---

  #changed(unit) {
    unit.revision += 1;
    this.saving.keep(unit.place, unit.revision, unit.content(unit === this.unit ? this.clock.seconds : unit.seconds));
  }

  #advance(card) {
    if (!go_on(this.unit, card) && !look_again(this.unit)) find("#submit").focus({ preventScroll: true });
  }

  digit(key) {
    return press(this.unit, key, (card) => this.#advance(card));
  }

  submit() {
    const { unit } = this;
    if (!unit || unit.locked || unit.sent) return;
    if (!unit.begun && performance.now() - this.#submitted < DOUBLE_CLICK) return;
    if (!complain(unit) && !look_again(unit)) this.#send(null);
  }

  #send(skip_reason) {
    const { unit } = this;
    unit.sent = true;
    this.#submitted = performance.now();
    const seconds = this.clock.seconds;
    const body = unit.body(seconds, language(), skip_reason);
    const content = { ...unit.content(seconds), id: new_id() };
    this.saving.submit({ id: body.id, place: unit.place, number: unit.work.number, body, content, revision: unit.revision });
    this.progress.count(unit, seconds);
    this.queue.done(unit.place, skip_reason === null ? "rated" : "skipped", unit.as_own(body));
    this.#go_on(unit, seconds);
  }

  #go_on(unit, seconds) {
    if (this.queue.stale) return this.#renew();
    const { work } = unit;
    const next = this.queue.after(work.number);
    const due = work.own || !next ? [] : breaks_due(this.start.breaks, {
      done: this.progress.done, active: this.progress.active, spent: seconds, from: work.batch, to: next.batch,
    });
    // The item first: whoever ends the break then finds its first question in focus.
    return this.#show_next(work.number).then(() => due.length && this.#pause(due, work.batch));
  }

  #sent(receipt) {
    if (receipt?.scores && this.start.show_score) toast(score_line(receipt.scores, this.start.score_labels));
    this.#top_up();
  }

  /** Answers the server cannot take came back as a draft of their item, never lost. */
  #refused({ place, number }, problem) {
    this.queue.forget(place);
    this.making.forget(place);
    toast([...say("Item {n} could not be taken. Your answers are kept.", { n: number }), " ",
      el("button", { type: "button", onclick: () => this.go_to(number) }, ...say("Open it"))]);
    console.warn(`rubrica: submit refused with ${problem.code}`);
    if (this.unit?.place === place) this.#again(place);
  }

  /** Another device typed a newer draft: both are merged, answer by answer. */
  async #newer(place) {
    if (await this.#again(place)) toast(say("Answers you gave on another device were added."));
  }

  /** Takes a place as the server has it now, together with what was typed here. */
  async #again(place) {
    try {
      const work = await this.queue.fetch(place);
      this.making.forget(place);
      if (this.saving.underway.has(place)) return false;
      const unit = await this.making.make(work);
      if (this.unit?.place === place) this.#put(unit, "none");
      this.#changed(unit);
      return this.unit === unit;
    } catch (problem) {
      this.#not_now(problem);
      return false;
    }
  }

  // --- moving ---

  async go_to(number, history_entry = "push") {
    if (number === this.unit?.work.number) return undefined;
    try {
      await this.#show(await this.queue.go_to(number), history_entry);
    } catch (problem) {
      if (problem instanceof Stale) return this.#renew();
      if (NOT_THERE.includes(problem.code)) return toast(say("Item {n} cannot be opened.", { n: number }));
      if (problem instanceof Offline) toast(say("Without network only items that were fetched can be opened."));
      this.#not_now(problem);
    }
    return undefined;
  }

  previous() {
    const { number } = this.unit?.work ?? { number: this.progress.highest + 1 };
    if (number > this.start.first_number) this.go_to(number - 1);
  }

  next() {
    const number = this.unit?.work.number ?? -1;
    if (this.start.numbered || number < this.progress.highest) return this.go_to(number + 1);
    const work = this.queue.after(number);
    if (work && work.place !== this.unit?.place) return this.#show(work);
    toast(say("This is the last item you have for now."));
    return undefined;
  }

  // --- dialogs ---

  #pick() {
    pick(this, (number) => this.go_to(number));
  }

  #skip() {
    if (!this.unit || this.unit.locked) return;
    const ours = [...(this.start.has_images ? IMAGE_REASONS : []), ...ANY_REASONS].map((one) => [one, phrase(one)]);
    show_skip(this.start.skip_reasons.length ? this.start.skip_reasons : ours, (reason) => this.#send(reason));
  }

  ask(text = "") {
    this.news.ask(this.unit?.place ?? null, text);
  }

  #pause(due, batch) {
    this.#pause_clock();
    const heading = due.includes("batch") && batch
      ? say("Part {n} of {of} is done", { n: batch.number, of: batch.of }) : say("Time for a short break");
    const own = texts(this.start.breaks.says);
    show_pause(heading, own.length ? own : say("Look away from the screen for a moment. Everything is saved."),
      () => this.unit && this.clock.begin(this.unit.seconds), () => this.leaving.stop_for_today());
  }

  #rest() {
    if (this.unit && this.unit.begun && !this.unit.sent) this.#changed(this.unit);
    this.#pause_clock();
  }

  /** What the saved state in the header does when it is pressed. */
  async #mend() {
    if (this.saving.signed_out) return location.assign(this.base);
    const [place] = this.saving.returned;
    if (place === undefined || this.saving.in_trouble) return this.saving.push();
    return this.queue.fetch(place).then((work) => this.#show(work), (problem) => this.#not_now(problem));
  }

  // --- wiring ---

  #wire() {
    const on = (id, act) => find(id)?.addEventListener("click", act);
    const acts = { n: () => this.next(), p: () => this.previous(), l: () => this.#pick(), s: () => this.#skip() };
    start_reading(this, acts);
    on("#previous", acts.p);
    on("#next", acts.n);
    on("#number-open", acts.l);
    on("#cannot", acts.s);
    on("#saved", () => this.#mend());
    on("#my-progress", (event) => {
      if (!this.saving.in_trouble) return;
      event.preventDefault();
      toast(say("There is no connection. Please try again."));
    });
    addEventListener("popstate", (event) => {
      const number = event.state?.number ?? numbered_by(location.hash);
      if (number !== null) this.go_to(number, "none");
    });
    addEventListener("pagehide", () => this.#rest());
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#top_up();
      else this.#rest();
    });
    document.addEventListener("rubrica-language", () => post(`${this.base}/api/language`, { language: language() }).catch(() => {}));
  }
}

const numbered_by = (hash) => (/^#\d+$/.test(hash) ? Number(hash.slice(1)) : null);

async function main() {
  start_look();
  const start = read_data("start");
  speak_for(start.rater);
  const db = await open_db(`rubrica${start.base}/${start.rater}`);
  await new Workbench(start, db).begin();
  navigator.serviceWorker?.register(`${start.base}/sw.js`, { scope: `${start.base}/` })
    .catch(() => {}); // without one the page says, when it comes to it, that it must stay open
}

main();
