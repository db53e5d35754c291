// Drafts and the outbox: everything typed is kept here at once and on the server soon after.
// Answers that were submitted stay in the outbox until the server says that they are safe.

import { Offline, Refused, post } from "./net.js";

const DRAFT_DELAY = 700;
const RETRY = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000];

/**
 * @typedef {Object} Status
 * @property {"saved"|"saving"|"offline"|"signed-out"|"refused"|"here"} state
 * @property {number} waiting how many items' answers are not yet safe on the server
 */

export class Saving {
  /** @type {Map<number, any>} drafts that the server has not confirmed, by place */
  #drafts = new Map();
  /** @type {Map<string, any>} submitted answers not yet acknowledged, by id, in order */
  #outbox = new Map();
  /** @type {Map<number, number>} the newest draft of the server that this page knows, by place */
  #bases = new Map();
  /** Places whose draft is being sent. */
  #flying = new Set();
  /** Places whose draft the server does not take. */
  #here = new Set();
  #timers = new Map();
  #trouble = null;
  #tries = 0;
  #retry = 0;
  #sending = false;
  #writes = 0;

  /**
   * @param {any} db
   * @param {string} base
   * @param {{status: (status: Status) => void, sent: (entry: any, receipt: any) => void,
   *   refused: (entry: any, problem: Refused) => void, newer: (place: number) => void}} tell
   */
  constructor(db, base, tell) {
    this.db = db;
    this.base = base;
    this.tell = tell;
    window.addEventListener("online", () => this.push());
    window.addEventListener("offline", () => this.#fail(new Offline("offline")));
    document.addEventListener("visibilitychange", () => this.flush());
  }

  /** Takes up what an earlier page of this rater left behind. */
  async resume() {
    for (const entry of (await this.db.all("outbox")).sort((a, b) => a.at - b.at)) {
      this.#outbox.set(entry.id, entry);
    }
    for (const draft of await this.db.all("drafts")) {
      if (!draft.synced) this.#drafts.set(draft.place, draft);
    }
    this.#show();
    this.push();
  }

  get waiting() {
    const places = new Set([...this.#outbox.values()].map((entry) => entry.place));
    for (const place of this.#drafts.keys()) places.add(place);
    return places.size;
  }

  /** Places whose answers are on their way; the server does not know them as done yet. */
  get underway() {
    return new Set([...this.#outbox.values()].map((entry) => entry.place));
  }

  get refusals() {
    return [...this.#outbox.values()].filter((entry) => entry.refused);
  }

  /** The server's draft that what is typed here starts from. */
  known(place, revision) {
    this.#bases.set(place, Math.max(revision, this.#bases.get(place) ?? 0));
  }

  draft_of(place) {
    return this.db.get("drafts", place);
  }

  /** Keeps a draft at once here and in a moment on the server. */
  keep(place, revision, content) {
    const draft = { place, revision, content, base: this.#bases.get(place) ?? 0, synced: false };
    this.#drafts.set(place, draft);
    this.#write(this.db.put("drafts", place, draft));
    this.#later(place);
    this.#show();
  }

  /** Sends what waits for its moment now: the page may be closing. */
  flush() {
    if (document.visibilityState === "visible") return;
    for (const place of this.#timers.keys()) this.#send_draft(place);
  }

  /** Hands over answers; resolves when they are safe in this browser. */
  submit(entry) {
    this.#drop_draft(entry.place);
    this.#outbox.set(entry.id, { ...entry, at: Date.now() });
    const kept = this.#write(this.db.put("outbox", entry.id, this.#outbox.get(entry.id)));
    this.#show();
    kept.then(() => this.push());
    return kept;
  }

  /** Forgets answers the server will never take; the page has them back as a draft. */
  take_back(id) {
    this.#outbox.delete(id);
    this.#write(this.db.drop("outbox", id));
    this.#show();
  }

  /** Tries to send everything now. */
  async push() {
    clearTimeout(this.#retry);
    if (this.#sending) return;
    this.#sending = true;
    try {
      await this.#send_all();
      this.#trouble = null;
      this.#tries = 0;
    } catch (problem) {
      this.#fail(problem);
    } finally {
      this.#sending = false;
      this.#show();
    }
    if (!this.#trouble && this.#next()) this.push();
  }

  #next() {
    return [...this.#outbox.values()].find((entry) => !entry.refused);
  }

  async #send_all() {
    for (let entry = this.#next(); entry; entry = this.#next()) await this.#send(entry);
    for (const place of [...this.#drafts.keys()]) if (!this.#timers.has(place)) await this.#send_draft(place);
  }

  async #send(entry) {
    try {
      const receipt = await post(`${this.base}/api/submit`, entry.body);
      this.#outbox.delete(entry.id);
      this.#write(this.db.drop("outbox", entry.id));
      this.tell.sent(entry, receipt);
      this.#show();
    } catch (problem) {
      if (!final(problem)) throw problem;
      entry.refused = problem.code || String(problem.status);
      this.#write(this.db.put("outbox", entry.id, entry));
      this.tell.refused(entry, problem);
    }
  }

  async #send_draft(place) {
    clearTimeout(this.#timers.get(place));
    this.#timers.delete(place);
    const draft = this.#drafts.get(place);
    if (!draft || this.#flying.has(place)) return;
    this.#flying.add(place);
    try {
      const { revision, content } = draft;
      const base = Math.max(draft.base, this.#bases.get(place) ?? 0);
      const answer = await post(`${this.base}/api/draft`, { place, revision, content, base });
      this.#confirm(draft, answer);
    } catch (problem) {
      if (final(problem)) this.#stays_here(draft);
      else this.#fail(problem);
    } finally {
      this.#flying.delete(place);
    }
    if (this.#drafts.has(place) && !this.#trouble) this.#later(place);
    this.#show();
  }

  #later(place) {
    if (!this.#timers.has(place)) {
      this.#timers.set(place, setTimeout(() => this.#send_draft(place), DRAFT_DELAY));
    }
  }

  /** The server keeps this draft, or it has a newer one that another page typed meanwhile. */
  #confirm(draft, { revision, newer }) {
    this.known(draft.place, revision);
    if (this.#drafts.get(draft.place) === draft) {
      this.#drafts.delete(draft.place);
      this.#write(this.db.put("drafts", draft.place, { ...draft, synced: true }));
    }
    if (newer) this.tell.newer(draft.place);
  }

  /** The server will not keep this draft; it stays in this browser. */
  #stays_here(draft) {
    this.#here.add(draft.place);
    if (this.#drafts.get(draft.place) === draft) this.#drafts.delete(draft.place);
  }

  #drop_draft(place) {
    this.#here.delete(place);
    clearTimeout(this.#timers.get(place));
    this.#timers.delete(place);
    this.#drafts.delete(place);
    this.#write(this.db.drop("drafts", place));
  }

  #fail(problem) {
    if (!(problem instanceof Offline || problem instanceof Refused)) console.error(problem);
    this.#trouble = problem;
    clearTimeout(this.#retry);
    const delay = RETRY[Math.min(this.#tries, RETRY.length - 1)];
    this.#tries += 1;
    this.#retry = window.setTimeout(() => this.push(), delay);
    this.#show();
  }

  /** A write to the browser's own storage counts as unsaved until it is done. */
  async #write(promise) {
    this.#writes += 1;
    try {
      await promise;
    } catch (problem) {
      console.error(problem);
    } finally {
      this.#writes -= 1;
      this.#show();
    }
  }

  #show() {
    this.tell.status({ state: this.#state(), waiting: this.waiting });
  }

  /** @returns {Status["state"]} */
  #state() {
    if (this.#trouble) {
      return this.#trouble instanceof Refused && this.#trouble.signed_out ? "signed-out" : "offline";
    }
    if (this.#next() || this.#drafts.size || this.#writes) return "saving";
    if (this.refusals.length) return "refused";
    return this.#here.size ? "here" : "saved";
  }
}

/** Whether trying again can never help. */
function final(problem) {
  return problem instanceof Refused && problem.status >= 400 && problem.status < 500 &&
    ![401, 408, 421, 425, 429].includes(problem.status);
}
