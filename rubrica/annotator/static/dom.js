// Building elements, and texts in every language at once.

/** @typedef {Record<string, string>} Texts one text per language */

/**
 * Texts of the page itself, by their English wording; other languages come with the page.
 * @type {Record<string, Texts>}
 */
const catalogue = read_data("strings") ?? {};

/**
 * The JSON in a data block of the page.
 * @param {string} id
 * @returns {any}
 */
export function read_data(id) {
  const block = document.getElementById(id);
  return block ? JSON.parse(block.textContent) : null;
}

/**
 * An element with properties, listeners (`onclick`), attributes and children.
 * @param {string} tag
 * @param {Record<string, any>} [given]
 * @param {...(Node|string|null|undefined|Node[])} children
 * @returns {HTMLElement}
 */
export function el(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * Texts as nodes, one per different wording; the stylesheet shows the chosen language.
 * @param {Texts|string|null|undefined} texts
 * @returns {Node[]}
 */
export function texts(texts) {
  if (texts === null || texts === undefined) return [];
  if (typeof texts === "string") return [document.createTextNode(texts)];
  const served = new Map();
  for (const [language, text] of Object.entries(texts)) {
    served.set(text, [...(served.get(text) ?? []), language]);
  }
  if (served.size === 1) return [document.createTextNode([...served.keys()][0])];
  return [...served].map(([text, languages]) =>
    el("span", { lang: languages[0], "data-l": languages.join(" ") }, text),
  );
}

/**
 * A text of the page in all languages, as plain strings.
 * @param {string} message
 * @param {Record<string, string|number>} [values]
 * @returns {Texts}
 */
export function phrase(message, values = {}) {
  const fill = (text) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  const all = { en: message, ...catalogue[message] };
  return Object.fromEntries(Object.entries(all).map(([language, text]) => [language, fill(text)]));
}

/**
 * A text of the page in all languages, as nodes.
 * @param {string} message
 * @param {Record<string, string|number>} [values]
 */
export function say(message, values = {}) {
  return texts(phrase(message, values));
}

/** The one text of the chosen language, for places that hold plain text only. */
export function now_in(texts) {
  if (typeof texts === "string") return texts;
  return texts[language()] ?? texts.en ?? Object.values(texts)[0];
}

export function language() {
  return document.documentElement.dataset.lang ?? "en";
}

/** @param {string} selector @param {ParentNode} [root] @returns {any} */
export function find(selector, root = document) {
  return root.querySelector(selector);
}

/** @param {string} selector @param {ParentNode} [root] @returns {any[]} */
export function all(selector, root = document) {
  return [...root.querySelectorAll(selector)];
}

/** Replaces what an element shows. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((c) => c !== null && c !== undefined));
}

/** An id nobody can guess or meet twice; works on plain http too. */
export function new_id() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Says something to a screen reader without moving anything. */
export function announce(message) {
  const region = document.getElementById("announcer");
  if (region) fill(region, typeof message === "string" ? [message] : message);
}

let toast_timer = 0;
/** Shows a short message for a while. */
export function toast(nodes) {
  find(".toast")?.remove();
  clearTimeout(toast_timer);
  document.body.append(el("div", { class: "toast", role: "status" }, nodes));
  toast_timer = window.setTimeout(() => find(".toast")?.remove(), 6000);
}
