// A text in the rater's own words. Blank is the same as nothing.

const area = (root) => root.querySelector("textarea");

export function mount(root, context) {
  area(root).value = context.value ?? "";
}

export function read(root) {
  const text = area(root).value;
  return text.trim() ? text : undefined;
}

export function focus(root) {
  area(root).focus();
}

export function onChange(root, changed) {
  area(root).addEventListener("input", () => changed());
}

export function measure(data, value) {
  return { length: [...value].length };
}
