// The items of this rater that this browser has: fetched ahead under real reservations, and kept for
// when the network is away.

import { Offline, get, post } from "./net.js";

export class Queue {
  /** @type {Map<number, any>} what the server sent, by place */
  #works = new Map();
  #fetching = null;
  /** No more items can be had now. */
  finished = false;

  /**
   * @param {string} base
   * @param {any} db
   * @param {() => Set<number>} underway places whose answers are on their way
   * @param {number} ahead
   */
  constructor(base, db, underway, ahead) {
    this.base = base;
    this.db = db;
    this.underway = underway;
    this.ahead = ahead;
  }

  /** What an earlier page kept, for a start without network. */
  async resume() {
    for (const work of await this.db.all("units")) this.#works.set(work.place, work);
  }

  get open() {
    const underway = this.underway();
    return [...this.#works.values()]
      .filter((work) => work.state === "reserved" && !underway.has(work.place))
      .sort((a, b) => a.number - b.number);
  }

  get known() {
    return [...this.#works.values()].sort((a, b) => a.number - b.number);
  }

  /** The open item after this number, or the first open one. */
  after(number) {
    const open = this.open;
    return open.find((work) => work.number > number) ?? open[0] ?? null;
  }

  get(place) {
    return this.#works.get(place);
  }

  numbered(number) {
    return [...this.#works.values()].find((work) => work.number === number);
  }

  keep(work) {
    this.#works.set(work.place, work);
    this.db.put("units", work.place, work).catch(() => {});
    return work;
  }

  /** An item was answered: it stays readable here in case the rater goes back. */
  done(place, state, own) {
    const work = this.#works.get(place);
    if (work) this.keep({ ...work, state, own, draft: null });
    this.#forget_oldest();
  }

  #forget_oldest() {
    const old = [...this.#works.values()].filter((work) => work.state !== "reserved");
    for (const work of old.slice(0, Math.max(0, old.length - 20))) {
      this.#works.delete(work.place);
      this.db.drop("units", work.place).catch(() => {});
    }
  }

  /** Fetches what is missing of the next items; one request at a time. */
  top_up() {
    this.#fetching ??= this.#fetch().finally(() => { this.#fetching = null; });
    return this.#fetching;
  }

  async #fetch() {
    const held = this.open.map((work) => work.place);
    const underway = [...this.underway()];
    const count = this.ahead + underway.length;
    const answer = await post(`${this.base}/api/next`, { count, held: [...held, ...underway] });
    const open = new Set(answer.open);
    for (const work of this.open) if (!open.has(work.place)) this.#lost(work.place);
    for (const work of answer.works) this.keep(work);
    this.finished = answer.open.every((place) => this.underway().has(place));
    return answer;
  }

  /** The reservation ran out and the item went to somebody else; answers to it are still taken. */
  #lost(place) {
    this.#works.delete(place);
    this.db.drop("units", place).catch(() => {});
  }

  /** An item by its number: from here, or from the server. */
  async go_to(number) {
    const here = this.numbered(number);
    try {
      return this.keep(here ? await this.#refresh(here) : await post(`${this.base}/api/goto`, { number }));
    } catch (problem) {
      if (here && problem instanceof Offline) return here;
      throw problem;
    }
  }

  async #refresh(work) {
    return this.underway().has(work.place) ? work : get(`${this.base}/api/place/${work.place}`);
  }
}
