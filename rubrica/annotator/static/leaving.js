// Leaving the workbench for another page, but not before every answer is safe.

import { el, say } from "./dom.js";
import { post } from "./net.js";

/** Two pages that send the rater to each other must not do so for ever. */
const PATIENCE = 10_000;
const REMEMBERED = "rubrica-elsewhere";

export class Leaving {
  /** @type {{go: () => void, otherwise?: () => void}|null} */
  #then = null;
  /** The next page is being loaded. */
  #gone = false;

  /**
   * @param {string} base
   * @param {{push: () => void, wait: (...what: (Node|Node[])[]) => void}} bench how to send, and to say why nothing is shown
   */
  constructor(base, bench) {
    this.base = base;
    this.bench = bench;
  }

  /** Whether nothing new should be shown. */
  get underway() {
    return this.#gone || this.#then !== null;
  }

  /** @param {import("./saving.js").Status} status */
  status({ state, waiting }) {
    const then = this.#then;
    const away = ["offline", "signed-out"].includes(state);
    if (!then || (waiting && !(away && then.otherwise))) return;
    this.#then = null;
    this.#gone = !waiting;
    if (waiting) then.otherwise();
    else then.go();
  }

  /** @param {Node[]} what @param {() => void} go @param {() => void} [otherwise] where the network is away */
  #once_safe(what, go, otherwise) {
    if (this.underway) return;
    this.bench.wait(what);
    this.#then = { go, otherwise };
    this.bench.push();
  }

  /** All is rated. */
  finish() {
    this.#once_safe(say("All items are rated. Sending the last answers…"), () => location.assign(`${this.base}/done`));
  }

  /** The study has changed. */
  renew(otherwise) {
    this.#once_safe(say("The study has changed. Loading it anew…"), () => location.assign(this.base), otherwise);
  }

  /** Reservations are given back at once; without that they run out by themselves. */
  stop_for_today() {
    this.#once_safe(say("Sending the last answers…"), async () => {
      await post(`${this.base}/api/leave`).catch(() => {});
      location.assign(`${this.base}/done`);
    }, () => this.bench.wait(say("There is no network. Leave this page open, or come back to this browser later: what is here is sent then.")));
  }

  /** Another page is due (new guidelines, say); what is typed is kept. */
  elsewhere() {
    const before = Number(sessionStorage.getItem(REMEMBERED));
    sessionStorage.setItem(REMEMBERED, String(Date.now()));
    if (Date.now() - before > PATIENCE) location.assign(this.base);
    else this.bench.wait(say("Something went wrong. What you saved is safe; please try again in a moment."));
  }

  sign_in() {
    this.bench.wait(say("You were signed out. Sign in again to go on; what you typed is kept in this browser."),
      el("p", {}, el("a", { class: "button main", href: this.base }, ...say("Sign in"))));
  }
}
