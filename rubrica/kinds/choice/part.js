// One of several options without an order. A digit is an option's place.

import { choose, focus_options, mount_options, on_choice, outline, read_option, values_of } from "../options.js";

export function mount(root, context) {
  mount_options(root, context.value);
}

export const read = read_option;
export const focus = focus_options;
export const onChange = on_choice;
export const imply = outline;

export function press(root, key) {
  const value = /^[1-9]$/.test(key) ? values_of(root)[Number(key) - 1] : undefined;
  return value === undefined ? undefined : choose(root, value);
}

export function measure(data, value) {
  const worth = data.options.find((option) => option.value === value)?.fraction;
  return worth === undefined || worth === null ? {} : { fraction: worth };
}
