// How far the rater is: counts that go on without network, and through a page that was kept.

export class Progress {
  /**
   * @param {any} start what the page knows of the study
   * @param {any} db
   */
  constructor(start, db) {
    const { done, open, total, active_seconds } = start.progress;
    this.db = db;
    this.at = start.made;
    this.done = done;
    this.total = total;
    this.active = active_seconds;
    this.highest = start.numbered ? -1 : done + open;
  }

  /**
   * Takes up what an earlier page counted.
   * @param {number} underway first ratings the server has not got yet
   * @returns {Promise<boolean>} whether this page is fresh: a copy kept for offline use knows less
   */
  async resume(underway) {
    const noted = await this.db.get("notes", "progress").catch(() => null);
    const fresh = !noted || noted.at < this.at;
    if (fresh) this.done += underway;
    else Object.assign(this, noted);
    return fresh;
  }

  /** An item was answered. */
  count(unit, seconds) {
    if (!unit.work.own) this.done += 1;
    this.active += seconds;
    this.#note();
  }

  seen(number) {
    this.highest = Math.max(this.highest, number);
  }

  /** What the server counts; answers on their way make both counts right and different. */
  told({ now, progress }, underway) {
    this.at = Math.max(this.at, now);
    this.total = progress.total;
    if (!underway) this.done = progress.rated + progress.skipped;
    this.#note();
  }

  #note() {
    const { at, done, total, active, highest } = this;
    this.db.put("notes", "progress", { at, done, total, active, highest }).catch(() => {}); // a fresh page counts anew
  }
}
