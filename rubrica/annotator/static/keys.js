// The keyboard: digits answer, letters do the rest. Single letters can be turned off.

import { dialog_open } from "./dialogs.js";

const PREFERENCE = "rubrica-single-keys";

export const single_keys = () => localStorage.getItem(PREFERENCE) !== "off";
export const set_single_keys = (on) => localStorage.setItem(PREFERENCE, on ? "on" : "off");

const WRITES = ["text", "search", "number", "email", "tel", "url"];

function is_writing(target) {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && WRITES.includes(target.type));
}

/** An empty field may leave a key to its question: `data-leaves` says which. */
const leaves = (target, key) => target.dataset?.leaves === key && !target.value;

const acts_on_enter = (target) => target instanceof HTMLElement && Boolean(target.closest("button, a, summary, select"));

/**
 * @param {{digit: (key: string) => boolean, submit: () => void, letters: Record<string, () => void>}} acts
 */
export function start_keys({ digit, submit, letters }) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || dialog_open()) return undefined;
    if (event.key === "Enter" && event.repeat) return event.preventDefault();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return take(event, submit);
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
    if (is_writing(event.target) && !leaves(event.target, event.key)) return undefined;
    if (event.key === "Enter") return acts_on_enter(event.target) ? undefined : take(event, submit);
    if (!single_keys()) return undefined;
    if (/^[0-9]$/.test(event.key) || event.key === "-") return digit(event.key) ? take(event, () => {}) : undefined;
    const act = letters[event.key.toLowerCase()];
    return act && !event.repeat ? take(event, act) : undefined;
  });
}

function take(event, act) {
  event.preventDefault();
  act();
}
