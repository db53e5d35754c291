// Drafts and the outbox: everything typed is kept here at once and on the server soon after.
// Answers that were submitted stay in the outbox until the server says that they are safe.

import { Offline, Refused, get, post } from "./net.js";

const DRAFT_DELAY = 700;
const RETRY = [1_000, 2_000, 5_000, 10_000, 20_000];

/**
 * @typedef {Object} Status
 * @property {"saved"|"saving"|"offline"|"signed-out"|"refused"|"here"} state
 * @property {number} waiting how many items' answers are not yet safe on the server
 * @property {number} refused how many items' answers came back and were not submitted again
 *
 * @typedef {Object} Tell what the page does about it
 * @property {(status: Status) => void} status
 * @property {(entry: any, receipt: any) => void} [sent] answers are safe
 * @property {(entry: any, problem: Refused) => void} [refused] answers came back, as a draft of their item
 * @property {(place: number) => void} [newer] the server has a newer draft, which another page typed
 * @property {() => void} [back] the server is there again
 * @property {() => void} [fragile] this browser keeps nothing once the window is closed
 */

export class Saving {
  /** @type {Map<number, any>} drafts that the server has not confirmed, by place */
  #drafts = new Map();
  /** @type {Map<string, any>} submitted answers not yet acknowledged, by id, in order */
  #outbox = new Map();
  /** @type {Map<number, number>} the newest draft of the server that this page knows, by place */
  #bases = new Map();
  /** @type {Map<number, Promise<void>>} drafts being sent, by place */
  #flying = new Map();
  /** Places whose draft the server does not take. */
  #here = new Set();
  /** Places whose submitted answers came back. */
  #returned = new Set();
  #timers = new Map();
  #trouble = null;
  #tries = 0;
  #retry = 0;
  #sending = false;
  #writes = 0;
  #last = 0;

  /**
   * @param {any} db
   * @param {string} base
   * @param {Tell} tell
   */
  constructor(db, base, tell) {
    this.db = db;
    this.base = base;
    this.tell = tell;
    window.addEventListener("online", () => this.push());
    window.addEventListener("offline", () => this.away(new Offline("offline")));
    document.addEventListener("visibilitychange", () => this.#seen());
    window.addEventListener("pagehide", () => this.#flush());
    window.addEventListener("beforeunload", (event) => {
      if (!this.db.lasting && this.waiting) event.preventDefault();
    });
  }

  /** Takes up what an earlier page of this rater left behind. */
  async resume() {
    for (const entry of (await this.db.all("outbox")).sort((a, b) => a.at - b.at)) {
      this.#outbox.set(entry.id, entry);
    }
    for (const draft of await this.db.all("drafts")) {
      if (!draft.synced) this.#drafts.set(draft.place, draft);
      if (draft.returned) this.#returned.add(draft.place);
    }
    this.#show();
    this.push();
  }

  get waiting() {
    return new Set([...this.underway, ...this.#drafts.keys()]).size;
  }

  /** Whether the server has all there is. */
  get safe() {
    return !this.waiting && !this.#here.size;
  }

  /** Places whose answers are on their way; the server does not know them as done yet. */
  get underway() {
    return new Set([...this.#outbox.values()].map((entry) => entry.place));
  }

  /** Submitted answers on their way that are not revisions. */
  get first_ratings() {
    return [...this.#outbox.values()].filter((entry) => !entry.body.supersedes).length;
  }

  /** Numbers of items whose answers came back. */
  get returned() {
    return [...this.#returned];
  }

  get signed_out() {
    return this.#trouble instanceof Refused && this.#trouble.signed_out;
  }

  get in_trouble() {
    return this.#trouble !== null;
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
    const draft = this.#draft(place, revision, content);
    this.#write([["drafts", place, draft]]);
    this.#later(place);
    this.#show();
  }

  #draft(place, revision, content) {
    const returned = this.#returned.has(place);
    const draft = { place, revision, content, base: this.#bases.get(place) ?? 0, synced: false, returned };
    this.#drafts.set(place, draft);
    return draft;
  }

  /** Hands over answers; resolves when they are safe in this browser. */
  async submit(entry) {
    const { place, id } = entry;
    this.#last = Math.max(Date.now(), this.#last + 1);
    const kept = { ...entry, at: this.#last };
    this.#forget(place);
    this.#outbox.set(id, kept);
    this.#show();
    await this.#write([["drafts", place], ["outbox", id, kept]]);
    this.push();
  }

  #forget(place) {
    clearTimeout(this.#timers.get(place));
    this.#timers.delete(place);
    this.#drafts.delete(place);
    this.#here.delete(place);
    this.#returned.delete(place);
  }

  /** Drops a draft that has become a rating meanwhile. */
  drop_draft(place) {
    this.#forget(place);
    this.#write([["drafts", place]]);
  }

  // --- sending ---

  /** Tries to send everything now. */
  async push() {
    clearTimeout(this.#retry);
    if (this.#sending) return;
    this.#sending = true;
    try {
      await this.#send_all();
      this.#sending = false;
      this.#well();
    } catch (problem) {
      this.#sending = false;
      this.away(problem);
    }
    if (!this.#trouble && this.#outbox.size) this.push();
  }

  async #send_all() {
    if (this.#trouble && !this.waiting) await get(`${this.base}/api/pulse`);
    const stuck = new Map();
    for (const entry of this.#outbox.values()) {
      if (!stuck.has(entry.place)) await this.#send(entry).catch((problem) => stays(problem, entry, stuck));
    }
    for (const place of [...this.#drafts.keys()]) if (!this.#timers.has(place)) await this.#send_draft(place);
    const [problem] = stuck.values();
    if (problem) throw problem;
  }

  async #send(entry) {
    await this.#flying.get(entry.place); // a draft that came after its rating would stand there for ever
    try {
      const receipt = await post(`${this.base}/api/submit`, entry.body);
      this.#outbox.delete(entry.id);
      this.#write([["outbox", entry.id]]);
      this.tell.sent?.(entry, receipt);
      this.#show();
    } catch (problem) {
      if (!(problem instanceof Refused && problem.final)) throw problem;
      this.#give_back(entry);
      this.tell.refused?.(entry, problem);
    }
  }

  /** Answers the server will never take become a draft of their item again, never nothing. */
  #give_back(entry) {
    const { place } = entry;
    this.#outbox.delete(entry.id);
    this.#returned.add(place);
    const typed_since = this.#drafts.get(place);
    const draft = typed_since ? { ...typed_since, returned: true } : this.#draft(place, entry.revision + 1, entry.content);
    this.#drafts.set(place, draft);
    this.#write([["outbox", entry.id], ["drafts", place, draft]]);
    this.#later(place);
  }

  /** Sends the draft of a place, one at a time. */
  async #send_draft(place, how = {}) {
    clearTimeout(this.#timers.get(place));
    this.#timers.delete(place);
    const draft = this.#drafts.get(place);
    if (!draft || this.#flying.has(place)) return;
    const sending = this.#deliver(draft, how);
    this.#flying.set(place, sending.catch(() => {}).then(() => { this.#flying.delete(place); }));
    await sending;
    if (this.#drafts.has(place)) this.#later(place);
    this.#show();
  }

  async #deliver(draft, how) {
    const { place, revision, content } = draft;
    const base = Math.max(draft.base, this.#bases.get(place) ?? 0);
    try {
      this.#confirm(draft, await post(`${this.base}/api/draft`, { place, revision, content, base }, how));
    } catch (problem) {
      if (!(problem instanceof Refused && problem.final)) throw problem;
      this.#here.add(place);
      if (this.#drafts.get(place) === draft) this.#drafts.delete(place);
    }
  }

  /** In a moment; while nothing can be sent, the next try sends everything. */
  #later(place) {
    if (this.#timers.has(place) || this.#trouble) return;
    this.#timers.set(place, setTimeout(() => {
      this.#send_draft(place).then(() => this.#well(), (problem) => this.away(problem));
    }, DRAFT_DELAY));
  }

  /** The server keeps this draft, or it has a newer one that another page typed meanwhile. */
  #confirm(draft, { revision, newer }) {
    this.known(draft.place, revision);
    if (this.#drafts.get(draft.place) === draft) {
      this.#drafts.delete(draft.place);
      this.#write([["drafts", draft.place, { ...draft, synced: true }]]);
    }
    if (newer) this.tell.newer?.(draft.place);
  }

  #seen() {
    if (document.visibilityState !== "visible") this.#flush();
    else if (this.#trouble) this.push();
  }

  /** Sends what waits for its moment now: the page may be closing. */
  #flush() {
    for (const place of [...this.#timers.keys()]) {
      this.#send_draft(place, { closing: true }).catch((problem) => this.away(problem));
    }
  }

  // --- what the page says ---

  /** Something could not be reached: nothing is lost, and everything is tried again. */
  away(problem) {
    if (!(problem instanceof Offline || problem instanceof Refused)) console.error(problem);
    this.#trouble = problem;
    clearTimeout(this.#retry);
    const delay = RETRY[Math.min(this.#tries, RETRY.length - 1)];
    this.#tries += 1;
    this.#retry = window.setTimeout(() => this.push(), delay);
    this.#show();
  }

  #well() {
    const before = this.#trouble;
    this.#trouble = null;
    this.#tries = 0;
    clearTimeout(this.#retry);
    if (before) {
      this.tell.back?.();
      this.push();
    }
    this.#show();
  }

  /** A write to the browser's own storage counts as unsaved until it is done. */
  async #write(changes) {
    this.#writes += 1;
    try {
      await this.db.write(changes);
    } catch (problem) {
      console.warn("rubrica: this browser keeps nothing", problem);
      if (this.db.lasting) this.tell.fragile?.();
      this.db.lasting = false;
    } finally {
      this.#writes -= 1;
      this.#show();
    }
  }

  #show() {
    this.tell.status({ state: this.#state(), waiting: this.waiting, refused: this.#returned.size });
  }

  /** @returns {Status["state"]} */
  #state() {
    if (this.#trouble) return this.signed_out ? "signed-out" : "offline";
    if (this.waiting || this.#writes) return "saving";
    if (this.#returned.size) return "refused";
    return this.#here.size ? "here" : "saved";
  }
}

/** One rating the server stumbles over must not keep the others waiting; a server that is away does. */
function stays(problem, entry, stuck) {
  if (!(problem instanceof Offline && problem.there)) throw problem;
  stuck.set(entry.place, problem);
}
