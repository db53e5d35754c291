// Dialogs that stand in the page, opened by buttons; menus that close when one looks elsewhere.

import { all, find } from "./dom.js";

/** Opens a dialog; its form acts on what the button that opened it names. @param {HTMLElement} button */
function open_by(button) {
  const dialog = /** @type {HTMLDialogElement|null} */ (document.getElementById(button.dataset.open));
  if (!dialog) return;
  const form = find("form", dialog);
  if (button.dataset.post) form.dataset.post = button.dataset.post;
  for (const place of all("[data-about]", dialog)) place.textContent = button.dataset.about ?? place.textContent;
  const error = find(".error", dialog);
  if (error) error.hidden = true;
  dialog.showModal();
  find("input:not([type=hidden]):not([readonly]), select, textarea", dialog)?.focus();
}

/** Shows a dialog made here, and takes it away when it is closed. @param {HTMLElement} dialog */
export function show_once(dialog) {
  const made = /** @type {HTMLDialogElement} */ (dialog);
  document.body.append(made);
  made.addEventListener("close", () => made.remove());
  made.showModal();
}

export function close_around(element) {
  element.closest("dialog")?.close();
}

export function start_dialogs() {
  document.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const opener = target.closest("[data-open]");
    if (opener instanceof HTMLElement && opener.tagName === "BUTTON") open_by(opener);
    else if (target.closest("[data-close]") || target instanceof HTMLDialogElement) target.closest("dialog")?.close();
    for (const menu of all("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && find("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    find("summary", menu).focus();
  });
  const asked = location.hash && document.getElementById(location.hash.slice(1));
  if (asked instanceof HTMLDialogElement) asked.showModal();
}
