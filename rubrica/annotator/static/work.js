// The workbench: shows one item after the other, and hands what the rater does to the modules that know.

import { breaks_due } from "./breaks.js";
import { Clock } from "./clock.js";
import { open_db } from "./db.js";
import { show_ask, show_keys, show_pause, show_picker, show_skip } from "./dialogs.js";
import { announce, el, fill, find, language, new_id, now_in, phrase, read_data, say, texts, toast } from "./dom.js";
import { phrase_text, score_line, show_head, show_waiting, spot, toggle_earlier } from "./frame.js";
import { show_guide } from "./guide.js";
import { open_viewer, watch_clicks } from "./images.js";
import { set_single_keys, single_keys, start_keys } from "./keys.js";
import { start_look } from "./look.js";
import { Offline, Refused, get, post } from "./net.js";
import { Queue } from "./queue.js";
import { Saving } from "./saving.js";
import { show_status } from "./status.js";
import { one_tab } from "./tabs.js";
import { Unit } from "./unit.js";

const IMAGE_REASONS = ["An image is missing", "An image is black or broken"];
const ANY_REASONS = ["The content cannot be read"];
const narrow = () => matchMedia("(max-width: 56rem)").matches;
const idle = (act) => ("requestIdleCallback" in window ? requestIdleCallback(act, { timeout: 300 }) : setTimeout(act, 30));

class Workbench {
  /** @type {Map<number, Unit>} built and not yet shown */
  #ready = new Map();
  /** @type {Unit|null} */
  unit = null;
  #done = 0;
  #active = 0;
  #stale = false;
  #highest = 0;

  constructor(start, db) {
    this.start = start;
    this.base = start.base;
    this.#done = start.progress.done;
    this.#active = start.progress.active_seconds;
    this.#highest = start.numbered ? -1 : start.progress.done + start.progress.open;
    this.clock = new Clock();
    this.saving = new Saving(db, this.base, {
      status: show_status,
      sent: (entry, receipt) => this.#sent(entry, receipt),
      refused: (entry, problem) => this.#refused(entry, problem),
      newer: (place) => this.#newer(place),
    });
    this.queue = new Queue(this.base, db, () => this.saving.underway, start.ahead);
  }

  async begin() {
    this.clock.listen();
    this.#wire();
    await Promise.all([this.saving.resume(), this.queue.resume()]);
    for (const work of this.start.works) {
      if (this.queue.get(work.place)?.state !== "rated") this.queue.keep(work);
    }
    one_tab(`rubrica${this.base}/${this.start.rater}`, () => this.#rest());
    const wanted = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null;
    const work = wanted === null ? this.queue.open[0] : this.queue.numbered(wanted);
    if (work) await this.#show(work, "replace");
    else if (wanted !== null) await this.go_to(wanted, "replace");
    if (!this.unit) await this.#show_next(-1);
    this.#top_up();
    if (!this.saving.db.lasting) toast(say("This window keeps nothing when it is closed. Please use a normal window."));
  }

  // --- showing ---

  async #draft(work) {
    const here = await this.saving.draft_of(work.place).catch(() => null);
    this.saving.known(work.place, work.draft?.revision ?? 0);
    const content = Unit.merge(here?.content, work.draft?.content);
    const revision = Math.max(here?.revision ?? 0, work.draft?.revision ?? 0);
    return content ? { content, revision } : null;
  }

  async #build(work) {
    const draft = await this.#draft(work);
    const unit = new Unit(work, this.start, draft, {
      changed: (changed) => this.#changed(changed),
      answered: (card) => this.#advance(card),
    });
    unit.watch_pictures((count) => this.#ask(phrase_text("Image {n} is missing.", { n: count })));
    return unit;
  }

  /** Builds the next item while the rater looks at this one. */
  #prepare() {
    idle(async () => {
      const next = this.unit && this.queue.after(this.unit.work.number);
      if (!next || next.place === this.unit.place || this.#ready.get(next.place)?.work === next) return;
      this.#ready.set(next.place, await this.#build(next));
    });
  }

  /** @param {"push"|"replace"|"none"} history_entry */
  async #show(work, history_entry = "push") {
    const ready = this.#ready.get(work.place);
    const unit = ready?.work === work ? ready : await this.#build(work);
    this.#ready.delete(work.place);
    this.#put(unit, history_entry);
  }

  #put(unit, history_entry) {
    this.#pause_clock();
    this.unit = unit;
    const { number } = unit.work;
    this.#highest = Math.max(this.#highest, number);
    unit.started ??= new Date().toISOString();
    const item_pane = find("#item");
    const question_pane = find("#questions");
    fill(item_pane, unit.item);
    fill(question_pane, unit.panel);
    item_pane.scrollTop = question_pane.scrollTop = 0;
    scrollTo(0, 0);
    this.#head();
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
    announce(spot(unit.work, this.start.progress.total));
    if (narrow() || !first) /** @type {HTMLElement} */ (document.activeElement)?.blur();
    else {
      first.part.focus(first.body);
      find("#questions").scrollTop = 0;
    }
  }

  #head() {
    show_head(this.unit, this.start, { done: this.#done, highest: this.#highest });
  }

  async #show_next(number) {
    const work = this.queue.after(number);
    if (work) return this.#show(work);
    this.#wait(say("Fetching the next item…"));
    return this.#top_up();
  }

  #wait(...what) {
    this.#pause_clock();
    this.unit = null;
    show_waiting(what.flat());
  }

  #pause_clock() {
    if (!this.unit) return;
    this.unit.seconds = this.clock.seconds;
    this.clock.rest();
  }

  async #top_up() {
    try {
      const answer = await this.queue.top_up();
      this.#stale ||= answer.version !== this.start.version;
      Object.assign(this.start.progress, { total: answer.progress.total });
      if (this.unit) return this.#prepare();
      if (this.queue.after(-1)) return this.#show(this.queue.after(-1));
      if (this.queue.finished) return this.#finish();
    } catch (problem) {
      if (problem instanceof Refused && !problem.signed_out) return this.#elsewhere();
      if (!(problem instanceof Offline || problem instanceof Refused)) throw problem;
      if (!this.unit) this.#wait(say("Waiting for the network. Everything you did is kept."));
      setTimeout(() => this.#top_up(), 5_000);
    }
    return undefined;
  }

  /** All is rated: the last page may come once everything is safe. */
  #finish() {
    if (this.saving.waiting) {
      this.#wait(say("All items are rated. Sending the last answers…"));
      setTimeout(() => this.#top_up(), 1_000);
    } else location.assign(`${this.base}/done`);
  }

  /** Another page is due (new guidelines, say); what is typed is kept. */
  #elsewhere() {
    const before = Number(sessionStorage.getItem("rubrica-elsewhere"));
    sessionStorage.setItem("rubrica-elsewhere", String(Date.now()));
    if (Date.now() - before > 10_000) location.assign(this.base);
    else this.#wait(say("Something went wrong. What you saved is safe; please try again in a moment."));
  }

  // --- answering ---

  #changed(unit) {
    if (unit !== this.unit) return;
    unit.revision += 1;
    this.saving.keep(unit.place, unit.revision, unit.content(this.clock.seconds));
  }

  /** Goes on to the next question without an answer, or to the submit button. */
  #advance(card) {
    const { unit } = this;
    const behind = unit.asked.indexOf(card);
    const waiting = unit.missing;
    const next = waiting.find((one) => unit.asked.indexOf(one) > behind) ?? waiting[0];
    if (next) return next.focus();
    const look = unit.to_look_at[0];
    if (look) return look.prompt(this.#look_of(look), unit.decided.value(look.id));
    find("#submit").focus({ preventScroll: true });
    return undefined;
  }

  #look_of(card) {
    return this.unit.work.rules.questions[card.id].second_look.says;
  }

  #digit(key) {
    const card = this.unit?.here;
    const did = card && !card.root.hidden ? card.press(key) : undefined;
    if (did === "done") this.#advance(card);
    return Boolean(did);
  }

  submit() {
    const { unit } = this;
    if (!unit || unit.locked || unit.sent) return;
    const missing = unit.missing;
    if (missing.length) {
      for (const card of [...missing].reverse()) card.complain(card.complaint());
      missing[0].focus();
      return;
    }
    const look = unit.to_look_at[0];
    if (look) look.prompt(this.#look_of(look), unit.decided.value(look.id));
    else this.#send(null);
  }

  #send(skip_reason) {
    const { unit } = this;
    unit.sent = true;
    const seconds = this.clock.seconds;
    const body = unit.body(seconds, language(), skip_reason);
    const content = { ...unit.content(seconds), id: new_id() };
    this.saving.submit({ id: body.id, place: unit.place, number: unit.work.number, body, content, revision: unit.revision });
    this.queue.done(unit.place, skip_reason === null ? "rated" : "skipped", unit.as_own(body));
    if (!unit.work.own) this.#done += 1;
    this.#active += seconds;
    this.#go_on(unit, seconds);
  }

  #go_on(unit, seconds) {
    if (this.#stale) return location.reload();
    const next = this.queue.after(unit.work.number);
    const due = unit.work.own || !next ? [] : breaks_due(this.start.breaks, {
      done: this.#done, active: this.#active, spent: seconds, from: unit.work.batch, to: next.batch,
    });
    this.#show_next(unit.work.number);
    if (due.length) this.#pause(due, unit.work.batch);
    return undefined;
  }

  #sent(_entry, receipt) {
    if (receipt?.scores && this.start.show_score) toast(score_line(receipt.scores, this.start.score_labels));
    this.#top_up();
  }

  /** Answers the server cannot take come back as a draft of their item, never lost. */
  #refused(entry, problem) {
    this.saving.take_back(entry.id);
    this.saving.keep(entry.place, entry.revision + 1, entry.content);
    this.queue.keep({ ...(this.queue.get(entry.place) ?? {}), state: "reserved", own: null });
    this.#ready.delete(entry.place);
    toast([...say("Item {n} could not be taken. Your answers are kept.", { n: entry.number }), " ",
      el("button", { type: "button", onclick: () => this.go_to(entry.number) }, ...say("Open it"))]);
    console.warn(`rubrica: submit refused with ${problem.code}`);
  }

  /** Another device typed a newer draft: both are merged, answer by answer. */
  async #newer(place) {
    const work = this.queue.keep(await get(`${this.base}/api/place/${place}`));
    this.#ready.delete(place);
    if (this.unit?.place !== place || this.unit.sent) return;
    const mine = this.unit.content(this.clock.seconds);
    const unit = await this.#build({ ...work, draft: { ...work.draft, content: Unit.merge(mine, work.draft?.content) } });
    this.#put(unit, "none");
    this.#changed(unit);
    toast(say("Answers you gave on another device were added."));
  }

  // --- moving ---

  async go_to(number, history_entry = "push") {
    if (number === this.unit?.work.number) return;
    try {
      await this.#show(await this.queue.go_to(number), history_entry);
    } catch (problem) {
      const away = problem instanceof Offline;
      if (!away && !(problem instanceof Refused)) throw problem;
      if (problem instanceof Refused && problem.code === "F053") this.#elsewhere();
      toast(away ? say("Without network only items that were fetched can be opened.") : say("Item {n} cannot be opened.", { n: number }));
    }
  }

  previous() {
    const { number } = this.unit?.work ?? { number: this.#highest + 1 };
    if (number > this.start.first_number) this.go_to(number - 1);
  }

  next() {
    const number = this.unit?.work.number ?? -1;
    if (this.start.numbered || number < this.#highest) return this.go_to(number + 1);
    const work = this.queue.after(number);
    if (work && work.place !== this.unit?.place) return this.#show(work);
    toast(say("This is the last item you have for now."));
    return undefined;
  }

  // --- dialogs ---

  async #pick() {
    let after = 0;
    const more = async () => {
      const items = await get(`${this.base}/api/items?after=${after}`);
      after = items.at(-1)?.number ?? after;
      const underway = this.saving.underway;
      return items.map((item) => (underway.has(item.place) ? { ...item, state: "rated", draft: false } : item));
    };
    const items = await more().catch(() => this.#kept_items());
    show_picker({
      items, here: this.unit?.work.number ?? -1, total: this.start.progress.total,
      go: (number) => this.go_to(number), more: items.length === 500 ? more : null,
    });
  }

  #kept_items() {
    return this.queue.known.map((work) => ({ number: work.number, state: work.state, draft: Boolean(work.draft) }));
  }

  #skip() {
    if (!this.unit || this.unit.locked) return;
    const ours = [...(this.start.has_images ? IMAGE_REASONS : []), ...ANY_REASONS].map((one) => [one, phrase(one)]);
    show_skip(this.start.skip_reasons.length ? this.start.skip_reasons : ours, (reason) => this.#send(reason));
  }

  async #ask(text = "") {
    const place = this.unit?.place ?? null;
    const messages = await get(`${this.base}/api/messages`).catch(() => []);
    show_ask({
      text, messages,
      contact: texts(this.start.contact),
      send: async (kind, said) => {
        try {
          await post(`${this.base}/api/message`, { kind, text: said, place });
          return say("Sent. The answer will appear here.");
        } catch {
          return say("It could not be sent. Please try again in a moment.");
        }
      },
    });
  }

  #pause(due, batch) {
    this.#pause_clock();
    const heading = due.includes("batch") && batch
      ? say("Part {n} of {of} is done", { n: batch.number, of: batch.of }) : say("Time for a short break");
    const own = texts(this.start.breaks.says);
    show_pause(heading, own.length ? own : say("Look away from the screen for a moment. Everything is saved."),
      () => this.unit && this.clock.begin(this.unit.seconds), () => this.#leave());
  }

  async #leave() {
    await post(`${this.base}/api/leave`).catch(() => {});
    location.assign(`${this.base}/done`);
  }

  #rest() {
    if (this.unit && this.unit.begun && !this.unit.sent) this.#changed(this.unit);
    this.#pause_clock();
  }

  // --- wiring ---

  #wire() {
    const on = (id, act) => find(id)?.addEventListener("click", act);
    const keys = () => show_keys(single_keys(), set_single_keys);
    const guide = () => show_guide(this.start.guidelines);
    const acts = {
      n: () => this.next(), p: () => this.previous(), l: () => this.#pick(), s: () => this.#skip(),
      r: () => this.unit?.here?.toggle_rubric(), x: () => this.unit?.here?.toggle_cannot(), f: () => this.#ask(),
      "?": keys, i: () => find("#item").focus(), q: () => this.unit?.here?.focus(),
      z: () => this.unit && open_viewer(this.unit.item), e: () => toggle_earlier(this.unit?.item),
    };
    if (this.start.guidelines) acts.g = guide;
    start_keys({ digit: (key) => this.#digit(key), submit: () => this.submit(), letters: acts });
    on("#previous", acts.p);
    on("#next", acts.n);
    on("#number-open", acts.l);
    on("#cannot", acts.s);
    on("#submit", () => this.submit());
    on("#open-guide", guide);
    on("#open-keys", keys);
    on("#open-ask", acts.f);
    watch_clicks();
    addEventListener("popstate", (event) => {
      if (Number.isInteger(event.state?.number)) this.go_to(event.state.number, "none");
    });
    addEventListener("pagehide", () => this.#rest());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#top_up();
      else this.#rest();
    });
    document.addEventListener("rubrica-language", () => post(`${this.base}/api/language`, { language: language() }).catch(() => {}));
    find("#saved").addEventListener("click", () => this.saving.push());
  }
}

async function main() {
  start_look();
  const start = read_data("start");
  const db = await open_db(`rubrica${start.base}/${start.rater}`);
  await new Workbench(start, db).begin();
  navigator.serviceWorker?.register(`${start.base}/sw.js`, { scope: start.base }).catch(() => {});
}

main();
