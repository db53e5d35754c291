// Any number of options. "None" is an answer of its own and excludes the others.

const boxes = (root) => [...root.querySelectorAll(".level:not(.none) input")];
const none = (root) => root.querySelector(".none input");
const limits = new WeakMap();

export function mount(root, context) {
  limits.set(root, context.data);
  const chosen = context.value ?? context.partial;
  for (const box of boxes(root)) box.checked = Boolean(chosen?.includes(box.value));
  if (none(root)) none(root).checked = Array.isArray(context.value) && context.value.length === 0;
}

function chosen(root) {
  return boxes(root).filter((box) => box.checked).map((box) => box.value);
}

export function read(root) {
  if (none(root)?.checked) return [];
  const { at_least, at_most } = limits.get(root);
  const keys = chosen(root);
  return keys.length >= at_least && keys.length <= at_most ? keys : undefined;
}

export function partial(root) {
  const keys = chosen(root);
  return keys.length && read(root) === undefined ? keys : undefined;
}

export function complaint(root, say) {
  const { at_least, at_most } = limits.get(root);
  return at_least === at_most ? say("Please choose {n}.", { n: at_least })
    : say("Please choose {low} to {high}.", { low: at_least, high: at_most });
}

export function focus(root) {
  (boxes(root).find((box) => box.checked) ?? boxes(root)[0]).focus();
}

export function onChange(root, changed) {
  root.addEventListener("change", (event) => {
    if (event.target === none(root)) for (const box of boxes(root)) box.checked &&= !event.target.checked;
    else if (none(root)) none(root).checked = false;
    changed();
  });
}

/** A digit turns an option on or off; 0 states that none holds, which is all there is to say. */
export function press(root, key) {
  const box = key === "0" ? none(root) : boxes(root)[Number(key) - 1];
  if (!/^[0-9]$/.test(key) || !box) return undefined;
  box.focus();
  box.click();
  return key === "0" && box.checked ? "done" : "more";
}

export function measure(data, value) {
  const each = data.options.map((option) => [option.value, Number(value.includes(option.value))]);
  return { count: value.length, ...Object.fromEntries(each) };
}
