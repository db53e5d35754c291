// One level of an ordered scale. A digit is the level itself.

import { choose_digits, focus_options, mount_options, on_choice, outline, read_option } from "../options.js";

export function mount(root, context) {
  mount_options(root, context.value);
}

export function read(root) {
  const chosen = read_option(root);
  return chosen === undefined ? undefined : Number(chosen);
}

export const focus = focus_options;
export const onChange = on_choice;
export const imply = outline;

export const press = choose_digits;

export function measure(data, value) {
  const levels = data.options.map((option) => option.value);
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  return { fraction: (value - low) / (high - low) };
}
