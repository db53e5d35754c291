// Signing in. The secret of a link stands behind the #, where no log sees it; it is used by a press, so
// that whatever looks at links beforehand (a mail program, say) does not use it up.

import { find } from "./dom.js";

export function start_entering() {
  const by_link = find("#by-link");
  if (!by_link) return;
  const secret = location.hash.slice(1);
  if (secret) {
    history.replaceState(null, "", location.pathname + location.search);
    find("[name=link]", by_link).value = secret;
    by_link.hidden = false;
    find("#by-password").hidden = true;
    find("#help").hidden = true;
    find("button", by_link).focus();
  } else find("#by-password [name=name]").focus();
  by_link.addEventListener("rubrica-refused", () => refused(by_link));
  by_link.addEventListener("rubrica-sent", (event) => entered(/** @type {CustomEvent} */ (event).detail, by_link));
}

/** A link that works no more leaves the password. @param {HTMLElement} by_link */
function refused(by_link) {
  find("button", by_link).hidden = true;
  find("#by-password").hidden = false;
  find("#help").hidden = false;
  find("#by-password [name=name]").focus();
}

/** An invitation leads to choosing a password; any other link, into the desk. */
function entered(me, by_link) {
  const choose = find("#choose");
  if (!me.choose_password) return location.assign(choose.dataset.go);
  by_link.hidden = true;
  choose.hidden = false;
  find("[name=name]", choose).value = me.name;
  find("[name=password]", choose).focus();
  return undefined;
}
