// A number of stars, as a radio group; a digit is the number.

const inputs = (root) => [...root.querySelectorAll("input")];

export function mount(root, context) {
  for (const input of inputs(root)) input.checked = input.value === String(context.value);
}

export function read(root) {
  const chosen = inputs(root).find((input) => input.checked);
  return chosen && Number(chosen.value);
}

export function focus(root) {
  (inputs(root).find((input) => input.checked) ?? inputs(root)[0]).focus();
}

export function onChange(root, changed) {
  root.addEventListener("change", () => changed());
}

export function press(root, key) {
  const input = inputs(root).find((one) => one.value === key);
  if (!input) return undefined;
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return "done";
}

export function measure(data, value) {
  return { fraction: (value - 1) / (data.most - 1) };
}
