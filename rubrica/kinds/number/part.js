// A number the rater types. What is no number yet is kept, but is not an answer.

const input = (root) => root.querySelector("input");
const known = new WeakMap();

export function mount(root, context) {
  known.set(root, context);
  input(root).value = context.value ?? context.partial ?? "";
  input(root).addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (read(root) !== undefined) context.done();
  });
}

export function read(root) {
  const { at_least, at_most, whole } = known.get(root).data;
  const typed = input(root).value.trim().replace(",", ".").replace("−", "-");
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(typed)) return undefined;
  const number = Number(typed);
  const fits = number >= (at_least ?? -1e15) && number <= (at_most ?? 1e15) && (!whole || Number.isInteger(number));
  return fits ? number : undefined;
}

export function partial(root) {
  return input(root).value.trim() && read(root) === undefined ? input(root).value : undefined;
}

export function complaint(root, say) {
  const { at_least, at_most, whole } = known.get(root).data;
  if (at_least !== null && at_most !== null) {
    return whole ? say("Please enter a whole number from {low} to {high}.", { low: at_least, high: at_most })
      : say("Please enter a number from {low} to {high}.", { low: at_least, high: at_most });
  }
  return whole ? say("Please enter a whole number.") : say("Please enter a number.");
}

export function focus(root) {
  input(root).focus();
}

export function onChange(root, changed) {
  input(root).addEventListener("input", () => changed());
}

export function measure(data, value) {
  if (!data.better) return {};
  const share = (value - data.at_least) / (data.at_most - data.at_least);
  return { fraction: data.better === "high" ? share : 1 - share };
}
