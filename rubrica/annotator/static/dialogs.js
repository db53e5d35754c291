// Dialogs of the workbench. The browser's own dialog element holds the focus and gives it back at once;
// the close event comes later, when the next stroke may already have moved the focus on.

import { all, el, fill, find, say, texts } from "./dom.js";

/** Opens a dialog with a heading; `close` and Escape end it. */
export function open_dialog(id, heading, ...children) {
  find(`#${id}`)?.remove();
  const close = el("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, ...say("Close"));
  const head = el("div", { class: "dialog-head" }, el("h2", { id: `${id}-title` }, heading), close);
  const dialog = /** @type {HTMLDialogElement} */ (el("dialog", { id, "aria-labelledby": `${id}-title` }, head, ...children));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export const dialog_open = () => Boolean(find("dialog[open]"));

/** The keys, what they do, and what must be on the page for them to do it. */
const KEYS = [
  ["0–9", "Answer the question, and move on to the next"],
  ["↑ ↓ Tab", "Move between answers and questions"],
  ["J K", "Next and previous question, answered or not"],
  ["Enter", "Submit, once everything is answered"],
  ["Ctrl Enter", "Submit while writing", "#questions textarea, #questions input[type=text]"],
  ["R", "Rubric of this question", "#questions .rubric-button"],
  ["X", "Cannot judge this question", "#questions .cannot-button"],
  ["S", "Skip item"],
  ["N P", "Next and previous item"],
  ["L", "List of all items, go to a number"],
  ["I Q", "Go to the item, or to the questions"],
  ["E", "Earlier items of this conversation", "#item .earlier"],
  ["G", "Guidelines"],
  ["F", "Ask or report a problem"],
  ["Z", "Enlarge the images", "#item .picture img"],
  ["?", "These keys"],
];

/** All keys that do something here, with the switch that turns single keys off. */
export function show_keys(on, switched, letters) {
  const known = (keys) => !/^[A-Z]( [A-Z])?$/.test(keys) || letters.includes(keys[0].toLowerCase());
  const here = KEYS.filter(([keys, , needed]) => known(keys) && (!needed || find(needed)));
  const box = el("input", { type: "checkbox", onchange: (event) => switched(event.target.checked) });
  box.checked = on;
  open_dialog("keys", el("span", {}, ...say("Keys")),
    el("dl", { class: "keys-list" }, ...here.flatMap(([keys, what]) => [
      el("dt", {}, ...keys.split(" ").flatMap((key) => [el("kbd", {}, key), " "])),
      el("dd", {}, ...say(what)),
    ])),
    el("label", { class: "check" }, box, el("span", {}, ...say("Single keys work (turn this off if you speak to your computer)"))),
  );
}

const STATES = { rated: "rated", skipped: "skipped", reserved: "open" };

/**
 * All items with their state; choosing one, or typing a number, goes there.
 * @param {{items: any[], here: number, total: number|null, go: (number: number) => void,
 *   more: null|(() => Promise<any[]>)}} given
 */
export function show_picker({ items, here, total, go, more }) {
  const input = el("input", { type: "number", min: 1, max: total ?? undefined, id: "go-number", inputmode: "numeric" });
  const jump = el("form", { class: "row", onsubmit: (event) => {
    event.preventDefault();
    if (input.value) choose(Number(input.value));
  } }, el("label", { for: "go-number" }, ...say("Go to number")), input,
  el("button", { class: "main" }, ...say("Go")));
  input.style.setProperty("width", "7rem");
  const list = el("ul", { class: "picker" });
  const choose = (number) => {
    dialog.close();
    go(number);
  };
  const add = (some) => list.append(...some.map((item) => el("li", {}, el("button", {
    type: "button",
    "data-state": item.state,
    "data-draft": String(item.draft),
    "aria-current": item.number === here ? "true" : null,
    onclick: () => choose(item.number),
  }, String(item.number), el("span", { class: "hidden-text" }, " ", ...say(STATES[item.state] ?? "open"),
    ...(item.draft ? [", ", ...say("begun")] : []))))));
  add(items);
  const further = el("button", { type: "button", onclick: async () => {
    const some = await more();
    add(some);
    further.hidden = some.length === 0;
  } }, ...say("Show more"));
  further.hidden = !more;
  const dialog = open_dialog("picker", el("span", {}, ...say("Items")),
    el("p", { class: "legend" }, el("span", { class: "rated" }, ...say("rated")),
      el("span", { class: "skipped" }, ...say("skipped")), el("span", {}, ...say("open")),
      el("span", { class: "draft" }, ...say("begun"))),
    list, further, jump);
  (find("[aria-current]", list) ?? input).focus();
}

/** Why the whole item cannot be judged. */
export function show_skip(reasons, skip) {
  const other = el("textarea", { id: "skip-other", rows: 2 });
  const say_it = (reason) => {
    dialog.close();
    skip(reason);
  };
  const dialog = open_dialog("skip", el("span", {}, ...say("Skip this item")),
    el("p", { class: "soft" }, ...say("If you cannot judge it: it is kept as a skip with your reason, not as a score.")),
    el("div", { class: "reasons" }, ...reasons.map(([recorded, shown], number) => el("button", {
      type: "button", "data-key": number + 1, onclick: () => say_it(recorded),
    }, el("kbd", { "aria-hidden": "true" }, String(number + 1)), ...texts(shown)))),
    el("form", { onsubmit: (event) => {
      event.preventDefault();
      if (other.value.trim()) say_it(other.value.trim());
      else other.focus();
    } },
    el("label", { class: "field", for: "skip-other" }, el("span", { class: "field-name" }, ...say("Another reason")), other),
    el("div", { class: "row end" }, el("button", { class: "main" }, ...say("Skip this item")))),
  );
  find(".reasons button", dialog)?.focus();
  digits_press(dialog, ".reasons button");
}

/** Inside a dialog, digits press the buttons that carry them. */
export function digits_press(dialog, selector) {
  dialog.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const button = all(selector, dialog).find((one) => one.dataset.key === event.key);
    if (!button) return;
    event.preventDefault();
    button.click();
  });
}

/**
 * A question to the people who run the study, or a report that the item is broken.
 * @param {{text?: string, contact: Node[], messages: any[], about_item: boolean,
 *   send: (kind: string, text: string) => Promise<boolean>}} given `send` says whether it arrived
 */
export function show_ask({ text = "", contact, messages, about_item, send }) {
  const area = el("textarea", { id: "ask-text", rows: 4, maxlength: 4000 });
  area.value = text;
  const answer = el("p", { role: "status" });
  const deliver = async (kind) => {
    if (!area.value.trim()) return area.focus();
    const sent = await send(kind, area.value.trim());
    fill(answer, say(sent ? "Sent. The answer will appear here." : "It could not be sent. Please try again in a moment."));
    if (sent) area.value = "";
    return undefined;
  };
  open_dialog("ask", el("span", {}, ...say("Ask or report")),
    messages.length ? el("ul", { class: "messages" }, ...messages.map((message) => el("li", {},
      el("div", { class: "soft small" }, ...say(message.says)), message.text))) : null,
    el("label", { class: "field", for: "ask-text" }, el("span", { class: "field-name" }, ...say("Your message to the people who run this study")), area),
    answer,
    el("div", { class: "row" },
      el("button", { type: "button", class: "main", onclick: () => deliver("question") }, ...say("Ask a question")),
      about_item ? el("button", { type: "button", onclick: () => deliver("flag") }, ...say("Report this item as broken")) : null),
    contact.length ? el("p", { class: "soft small" }, ...say("Contact:"), " ", ...contact) : null,
  );
  area.focus();
}

/** A break: nothing to do but go on when rested. */
export function show_pause(heading, text, go_on, end) {
  const dialog = open_dialog("pause", el("span", {}, ...heading), el("p", { class: "lead" }, ...text),
    el("div", { class: "row" },
      el("button", { type: "button", class: "main", autofocus: true, onclick: () => dialog.close() }, ...say("Go on")),
      el("button", { type: "button", onclick: end }, ...say("Stop for today"))));
  dialog.classList.add("pause");
  dialog.addEventListener("close", go_on);
}
