// The items of this rater that this browser has: fetched ahead under real reservations, and kept for
// when the network is away.

import { all } from "./dom.js";
import { Offline, get, post } from "./net.js";

/** So many the server gives at once. */
const MOST = 10;
/** So many answered items stay readable here. */
const KEPT = 20;

/** The study has changed since this page was loaded; what it would show now does not fit the page. */
export class Stale extends Error {}

export class Queue {
  /** @type {Map<number, any>} what the server sent, by place */
  #works = new Map();
  /** @type {Map<number, HTMLImageElement[]>} pictures fetched ahead, by place */
  #pictures = new Map();
  #fetching = null;
  /** No more items can be had now. */
  finished = false;
  stale = false;

  /**
   * @param {any} start what the page knows of the study
   * @param {any} db
   * @param {() => Set<number>} underway places whose answers are on their way
   */
  constructor(start, db, underway) {
    this.base = start.base;
    this.version = start.version;
    this.ahead = start.ahead;
    this.db = db;
    this.underway = underway;
  }

  /** What an earlier page kept, for a start without network. */
  async resume() {
    for (const work of await this.db.all("units")) {
      if (work.version === this.version) this.#works.set(work.place, work);
      else this.forget(work.place);
    }
  }

  get open() {
    const underway = this.underway();
    return this.known.filter((work) => work.state === "reserved" && !underway.has(work.place));
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
    return this.known.find((work) => work.number === number);
  }

  keep(work) {
    this.#works.set(work.place, work);
    this.db.put("units", work.place, work).catch(() => {}); // only a start without network misses it
    return work;
  }

  /** The reservation ran out and the item went to somebody else; answers to it are still taken. */
  forget(place) {
    this.#works.delete(place);
    this.#pictures.delete(place);
    this.db.drop("units", place).catch(() => {});
  }

  /** An item was answered: it stays readable here in case the rater goes back. */
  done(place, state, own) {
    const work = this.#works.get(place);
    if (work) this.keep({ ...work, state, own, draft: null });
    const old = [...this.#works.values()].filter((one) => one.state !== "reserved");
    for (const one of old.slice(0, Math.max(0, old.length - KEPT))) this.forget(one.place);
    this.#pictures.delete(place);
  }

  /** Fetches what is missing of the next items; one request at a time. */
  top_up() {
    this.#fetching ??= this.#fetch().finally(() => { this.#fetching = null; });
    return this.#fetching;
  }

  async #fetch() {
    const held = this.open.map((work) => work.place);
    const underway = [...this.underway()];
    const count = Math.min(MOST, this.ahead + underway.length);
    const answer = await post(`${this.base}/api/next`, { count, held: [...held, ...underway] });
    if (answer.version !== this.version) {
      this.stale = true;
      throw new Stale("next");
    }
    const open = new Set(answer.open);
    for (const place of held) if (!open.has(place)) this.forget(place);
    for (const work of answer.works) this.keep(work);
    this.finished = answer.open.length < count && answer.open.every((place) => this.underway().has(place));
    this.#fetch_pictures();
    return answer;
  }

  /** The pictures of all items held come ahead too, not only those of the next one. */
  #fetch_pictures() {
    for (const work of this.open) {
      if (this.#pictures.has(work.place)) continue;
      const parsed = new DOMParser().parseFromString(work.html, "text/html");
      this.#pictures.set(work.place, all("img", parsed).map((image) => {
        const fetched = new Image();
        fetched.fetchPriority = "low";
        fetched.src = image.getAttribute("src");
        return fetched;
      }));
    }
  }

  /** An item by its number: from here, or from the server. */
  async go_to(number) {
    const here = this.numbered(number);
    if (here && this.underway().has(here.place)) return here;
    try {
      return here ? await this.fetch(here.place) : this.#fits(await post(`${this.base}/api/goto`, { number }));
    } catch (problem) {
      if (here && problem instanceof Offline) return here;
      throw problem;
    }
  }

  /** A place as the server has it now. */
  async fetch(place) {
    return this.#fits(await get(`${this.base}/api/place/${place}`));
  }

  #fits(work) {
    if (work.version === this.version) return this.keep(work);
    this.stale = true;
    throw new Stale("place");
  }
}
