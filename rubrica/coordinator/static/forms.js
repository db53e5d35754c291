// Forms that are sent as JSON: one way for all changes the desk makes.

import { close_around, show_once } from "./dialogs.js";
import { all, announce, el, fill, find, say, texts, toast } from "./dom.js";
import { refresh } from "./live.js";
import { show_verdicts } from "./marks.js";
import { Offline, Refused, post } from "./net.js";
import { answered } from "./settling.js";

/** What a control stands for, by its `data-as`. */
const AS = {
  number: (text) => (text === "" ? null : Number(text)),
  json: (text) => (text === "" ? null : JSON.parse(text)),
  nothing: () => null,
};

/**
 * The body a form makes: every named control, but empty ones that say `data-leave`, and the controls of a
 * part, which gives one value.
 * @param {HTMLFormElement} form
 */
export function body_of(form) {
  const body = {};
  for (const control of all("[name]", form)) {
    if (control.closest("[data-part]")) continue;
    if ((control.type === "radio" || control.type === "checkbox") && !control.checked) continue;
    if ("leave" in control.dataset && control.value === "") continue;
    const read = AS[control.dataset.as] ?? ((text) => text);
    body[control.name] = read(control.value);
  }
  const value = answered(form)?.value;
  return value === undefined ? body : { ...body, value };
}

/** @param {HTMLElement} form @param {Node[]} says */
function tell(form, says) {
  const place = find(".error", form);
  if (!place) return toast(says);
  place.hidden = false;
  fill(place, says);
  return undefined;
}

/** Says what went wrong, in the form or in passing. @param {HTMLElement} form @param {unknown} problem */
export function complain(form, problem) {
  const says = problem instanceof Refused && problem.body?.problems?.[0]?.text ? texts(problem.body.problems[0].text)
    : say(problem instanceof Offline ? "There is no connection. Please try again." : "Something went wrong. Please try again.");
  return tell(form, says);
}

/** What happens with the answer, by the form's `data-then`. */
const THEN = {
  go: (form) => location.assign(form.dataset.go),
  open: (form, answer) => window.open(answer[form.dataset.openMember], "_blank", "noopener"),
  swap: async (form) => {
    close_around(form);
    if ("reset" in form.dataset) form.reset();
    await refresh();
    toast(say("Saved"));
  },
  "swap-quietly": async (form) => {
    close_around(form);
    await refresh();
  },
  verdicts: (form, answer) => {
    form.hidden = true;
    show_verdicts(answer);
  },
  "swap-all": () => location.reload(),
  secret: async (form, answer) => {
    close_around(form);
    form.reset();
    if (answer[form.dataset.secret]) show_secret(answer[form.dataset.secret]);
    else toast(say("Saved"));
    await refresh();
  },
};

/** What is shown only once: a link or a token. @param {string} secret */
export function show_secret(secret) {
  const text = secret.startsWith("/") ? location.origin + secret : secret;
  show_once(el("dialog", { "aria-labelledby": "secret-title" },
    el("div", { class: "dialog-head" }, el("h2", { id: "secret-title" }, ...say("Keep this")),
      el("button", { type: "button", class: "quiet", "data-close": true }, ...say("Close"))),
    el("p", {}, ...say("It is shown only now. Send it to nobody but the one it is for.")),
    el("pre", { id: "secret", class: "secret", tabindex: 0 }, text),
    el("div", { class: "row end" }, el("button", { type: "button", class: "main", "data-copy-text": "secret" }, ...say("Copy")))));
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const button = find("button:not([type=button])", form);
  if (button?.getAttribute("aria-disabled") === "true") return;
  const lacks = answered(form)?.lacks;
  if (lacks) return tell(form, lacks);
  button?.setAttribute("aria-disabled", "true");
  const error = find(".error", form);
  if (error) error.hidden = true;
  try {
    const answer = await post(form.dataset.post, body_of(form));
    form.dispatchEvent(new CustomEvent("rubrica-sent", { detail: answer, bubbles: true }));
    await THEN[form.dataset.then]?.(form, answer);
  } catch (problem) {
    complain(form, problem);
    if (problem instanceof Refused) form.dispatchEvent(new CustomEvent("rubrica-refused"));
    if (problem instanceof Refused && problem.signed_out && !find("#by-password")) announce(say("You were signed out."));
  } finally {
    button?.removeAttribute("aria-disabled");
  }
}

export function start_forms() {
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if ("download" in form.dataset) toast(say("The file is being made; your browser saves it when it is ready."));
    if (!form.dataset.post) return;
    event.preventDefault();
    send(form);
  });
  document.addEventListener("change", (event) => {
    const control = /** @type {HTMLElement} */ (event.target);
    const form = control.closest("form[data-auto]");
    if (form instanceof HTMLFormElement) form.requestSubmit();
  });
}
