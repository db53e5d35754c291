// Places that hold plain text only, in the reader's language: options, labels, moments in time.

import { all, language } from "./dom.js";

const LOCALES = { en: "en-GB", zh: "zh-CN" };

/** Shows every plain text below an element in the chosen language. */
export function speak(root = document) {
  const chosen = language();
  for (const one of all("[data-texts]", root)) one.textContent = pick(one.dataset.texts, chosen);
  for (const name of ["aria-label", "placeholder"]) {
    for (const one of all(`[data-${name}]`, root)) one.setAttribute(name, pick(one.getAttribute(`data-${name}`), chosen));
  }
  for (const one of all("time[datetime]", root)) one.textContent = moment(one, LOCALES[chosen] ?? chosen);
}

const pick = (texts, chosen) => JSON.parse(texts)[chosen] ?? JSON.parse(texts).en;

/** The reader's own time: the hour today, the day otherwise. @param {HTMLTimeElement} time */
function moment(time, locale) {
  const then = new Date(time.dateTime);
  if (Number.isNaN(then.getTime())) return time.textContent;
  const year = then.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  if ("day" in time.dataset) return new Date(`${time.dateTime}T12:00`).toLocaleDateString(locale, { day: "numeric", month: "short", year });
  time.title = then.toLocaleString(locale);
  if (then.toDateString() === new Date().toDateString()) return then.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  return then.toLocaleString(locale, { day: "numeric", month: "short", year, hour: "2-digit", minute: "2-digit" });
}

export function start_plain() {
  speak();
  document.addEventListener("rubrica-language", () => speak());
}
