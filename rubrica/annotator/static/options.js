// Radio groups drawn as buttons: what the parts of several question kinds share.

const inputs = (root) => [...root.querySelectorAll("input[type=radio]")];

export const values_of = (root) => inputs(root).map((input) => input.value);

export function read_option(root) {
  return inputs(root).find((input) => input.checked)?.value;
}

/** Shows a value, or nothing; and shows the meaning of whatever level is looked at. */
export function mount_options(root, value) {
  for (const input of inputs(root)) input.checked = String(value) === input.value;
  const meanings = [...root.querySelectorAll(".meanings > [data-value]")];
  if (!meanings.length) return;
  const show = (looked_at) => {
    for (const meaning of meanings) meaning.hidden = meaning.dataset.value !== looked_at;
  };
  const rest = () => {
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    show(read_option(root) ?? focused?.value);
  };
  for (const input of inputs(root)) {
    input.addEventListener("focus", () => show(input.value));
    input.addEventListener("blur", rest);
    input.addEventListener("change", () => show(input.value));
    input.parentElement.addEventListener("pointerenter", () => show(input.value));
    input.parentElement.addEventListener("pointerleave", rest);
  }
  show(read_option(root));
}

/** Shows which level follows from evidence; it is not chosen, only outlined. */
export function outline(root, value) {
  for (const input of inputs(root)) {
    input.parentElement.classList.toggle("is-implied", value !== undefined && input.value === String(value) && !input.checked);
  }
}

export function focus_options(root) {
  (inputs(root).find((input) => input.checked) ?? inputs(root)[0])?.focus();
}

/** The group tells of a choice by hand, with mouse, touch, arrows or digits. */
export function on_choice(root, changed) {
  root.addEventListener("change", () => changed());
}

/**
 * Chooses by key.
 * @returns {"done"} the question needs no more keys
 */
export function choose(root, value) {
  const input = inputs(root).find((one) => one.value === String(value));
  input.checked = true;
  input.focus();
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return "done";
}

const typed = new WeakMap();
const PAUSE = 900;

/**
 * Chooses the level that typed digits stand for. Where a longer level begins the same (1 and 10), the
 * question waits for another digit or for Enter.
 * @returns {"done"|"more"|undefined}
 */
export function choose_digits(root, key) {
  if (!/^[0-9]$/.test(key)) return undefined;
  const before = typed.get(root);
  const open = before && performance.now() - before.at < PAUSE ? before.text : "";
  const begun = (text) => values_of(root).filter((level) => level.startsWith(text));
  const text = [open + key, key].find((one) => begun(one).length);
  if (text === undefined) return undefined;
  typed.set(root, { text, at: performance.now() });
  if (values_of(root).includes(text)) choose(root, text);
  return begun(text).some((level) => level !== text) ? "more" : "done";
}
