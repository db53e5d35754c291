// Time spent on an item: wall time, and active time (tab visible, input within the last minute).

const IDLE = 60_000;
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchmove", "input"];

/** Measures one item at a time; `now` is a clock in milliseconds. */
export class Clock {
  #active = 0;
  #seen = 0;
  #running = false;

  constructor(now = () => performance.now(), visible = () => document.visibilityState === "visible") {
    this.now = now;
    this.visible = visible;
  }

  /** Starts listening for signs of life. */
  listen(target = window) {
    for (const sign of SIGNS) target.addEventListener(sign, () => this.sign(), { passive: true, capture: true });
    document.addEventListener("visibilitychange", () => (this.visible() ? this.wake() : this.rest()));
  }

  /** Begins (or takes up again) an item with the seconds already spent on it. */
  begin(seconds = 0) {
    this.#active = seconds * 1000;
    this.wake();
  }

  sign() {
    if (!this.#running) return this.visible() ? this.wake() : undefined;
    const now = this.now();
    if (now - this.#seen < 250) return undefined;
    this.#count(now);
    this.#seen = now;
    return undefined;
  }

  /** A gap counts for at most the minute that follows the last input. */
  #count(now) {
    if (this.#running) this.#active += Math.min(now - this.#seen, IDLE);
  }

  rest() {
    this.#count(this.now());
    this.#running = false;
  }

  wake() {
    this.#running = true;
    this.#seen = this.now();
  }

  /** Active seconds so far. */
  get seconds() {
    const open = this.#running ? Math.min(this.now() - this.#seen, IDLE) : 0;
    return Math.round((this.#active + open) / 100) / 10;
  }
}
