// Units are made before they are shown: with the newest draft, and the time that was spent on them before.

import { Unit } from "./unit.js";

const when_idle = (act) => ("requestIdleCallback" in window ? requestIdleCallback(act, { timeout: 300 }) : setTimeout(act, 30));

export class Making {
  /** @type {Map<number, Unit>} made and not yet shown */
  #ready = new Map();
  /** @type {Map<number, {seconds: number, started: string|null}>} time spent on items left unanswered */
  #spent = new Map();

  /**
   * @param {any} start
   * @param {import("./saving.js").Saving} saving
   * @param {{changed: (unit: Unit) => void, answered: (card: any) => void, lost: (pictures: number) => void}} tell
   */
  constructor(start, saving, tell) {
    this.start = start;
    this.saving = saving;
    this.tell = tell;
  }

  async #draft(work) {
    const here = await this.saving.draft_of(work.place).catch(() => null);
    this.saving.known(work.place, work.draft?.revision ?? 0);
    const rated = here && here.content.id === work.own?.id;
    if (rated) this.saving.drop_draft(work.place);
    const content = Unit.merge(rated ? null : here?.content, work.draft?.content);
    const revision = Math.max(here?.revision ?? 0, work.draft?.revision ?? 0);
    return content ? { content, revision } : null;
  }

  async make(work) {
    const unit = new Unit(work, this.start, await this.#draft(work), this.tell);
    const spent = this.#spent.get(work.place);
    unit.seconds = Math.max(unit.seconds, spent?.seconds ?? 0);
    unit.started ??= spent?.started ?? null;
    unit.watch_pictures(this.tell.lost);
    return unit;
  }

  /** The unit of this work, which may have been made ahead. */
  async take(work) {
    const ready = this.#ready.get(work.place);
    const unit = ready?.work === work ? ready : await this.make(work);
    this.forget(work.place);
    return unit;
  }

  /** Makes the work that will be wanted next while the rater looks at another. @param {() => any} wanted */
  ahead(wanted) {
    when_idle(async () => {
      const work = wanted();
      if (work && this.#ready.get(work.place)?.work !== work) this.#ready.set(work.place, await this.make(work));
    });
  }

  forget(place) {
    this.#ready.delete(place);
  }

  /** The rater turns to something else; the time spent so far is not lost. */
  set_aside({ place, seconds, started }) {
    this.#spent.set(place, { seconds, started });
  }
}
