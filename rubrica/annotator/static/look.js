// Language and theme: kept in one cookie, so that the server's first byte is right, and known offline.

import { all, find, language } from "./dom.js";

const YEAR = 31_536_000;

function keep() {
  const { lang, theme } = document.documentElement.dataset;
  document.cookie = `rubrica_look=${lang}.${theme}; path=/; max-age=${YEAR}; samesite=lax`;
}

export function set_language(chosen) {
  const root = document.documentElement;
  root.dataset.lang = chosen;
  root.lang = chosen;
  keep();
  show();
  document.dispatchEvent(new CustomEvent("rubrica-language", { detail: chosen }));
}

export function set_theme(chosen) {
  document.documentElement.dataset.theme = chosen;
  keep();
  show();
}

function show() {
  const { lang, theme } = document.documentElement.dataset;
  for (const button of all("[data-set-language]")) {
    button.setAttribute("aria-pressed", String(button.dataset.setLanguage === lang));
  }
  for (const button of all("[data-set-theme]")) {
    button.setAttribute("aria-pressed", String(button.dataset.setTheme === theme));
  }
  const titles = find("#titles");
  if (titles) document.title = JSON.parse(titles.textContent)[language()] ?? document.title;
}

/** Makes every language and theme button of the page work. */
export function start_look() {
  const kept = /(?:^|;\s*)rubrica_look=([\w-]+)\.(\w+)/.exec(document.cookie);
  if (kept && find(`[data-set-language="${kept[1]}"]`)) {
    document.documentElement.dataset.lang = kept[1];
    document.documentElement.lang = kept[1];
    document.documentElement.dataset.theme = kept[2];
  }
  show();
  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("[data-set-language], [data-set-theme]");
    if (!(button instanceof HTMLElement)) return;
    if (button.dataset.setLanguage) set_language(button.dataset.setLanguage);
    else set_theme(button.dataset.setTheme);
  });
}
