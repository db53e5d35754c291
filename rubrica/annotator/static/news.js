// Messages to and from the people who run the study: questions, reports, answers, notices.

import { show_ask } from "./dialogs.js";
import { el, find, say, texts, toast } from "./dom.js";
import { get, post } from "./net.js";

export class News {
  /** @param {any} start what the page knows of the study */
  constructor(start) {
    this.base = start.base;
    this.contact = start.contact;
    this.memory = `rubrica${start.base}/${start.rater}/news`;
    this.newest = 0;
  }

  /** The number of the newest answer or notice to this rater; what has not been read is pointed out. */
  told(newest) {
    const before = this.newest;
    this.newest = newest;
    const unread = newest > this.#read;
    find("#open-ask").classList.toggle("unread", unread);
    find(".menu > summary")?.classList.toggle("unread", unread);
    if (unread && newest > before) {
      toast([...say("There is a message for you."), " ", el("button", { type: "button", onclick: () => this.ask(null) }, ...say("Read it"))]);
    }
  }

  get #read() {
    return Number(localStorage.getItem(this.memory) ?? 0);
  }

  /**
   * Shows what was written so far and takes a new message.
   * @param {number|null} place the item it is about
   * @param {string} [text]
   */
  async ask(place, text = "") {
    const messages = await get(`${this.base}/api/messages`).catch(() => []);
    localStorage.setItem(this.memory, String(Math.max(this.#read, ...messages.map((one) => one.number))));
    this.told(this.newest);
    show_ask({
      text, messages,
      contact: texts(this.contact),
      about_item: place !== null,
      send: async (kind, said) => {
        try {
          await post(`${this.base}/api/message`, { kind, text: said, place });
          return true;
        } catch {
          return false;
        }
      },
    });
  }
}
