// A short list the rater writes, one mark per entry. That there is none is an answer of its own.

const known = new WeakMap();
const input = (root) => root.querySelector(".new-place");
const none = (root) => root.querySelector(".none input");
const rows = (root) => [...root.querySelectorAll(".entry")];

export function mount(root, context) {
  const changed = known.get(root)?.changed ?? (() => {});
  known.set(root, { context, changed, made: 0 });
  const kept = context.partial ?? context.value;
  root.querySelector(".entries").replaceChildren();
  const list = Array.isArray(kept) ? kept : (kept?.list ?? []);
  for (const entry of list) add_row(root, entry);
  input(root).value = kept?.typed ?? "";
  none(root).checked = Array.isArray(context.value) && context.value.length === 0;
  offer_none(root);
}

/** That there is none can be stated of an empty list only: no stroke empties one. */
function offer_none(root) {
  none(root).disabled = rows(root).length > 0 || typed(root) !== "";
}

function add_row(root, entry) {
  const state = known.get(root);
  const { context } = state;
  const number = (state.made += 1);
  const row = document.createElement("li");
  row.className = "entry";
  const label = document.createElement("div");
  label.className = "entry-label";
  label.dir = "auto";
  label.id = `place-${context.id}-${number}`;
  label.textContent = entry.name;
  const marks = document.createElement("div");
  marks.className = "levels";
  marks.setAttribute("role", "radiogroup");
  marks.setAttribute("aria-labelledby", label.id);
  marks.append(...context.data.marks.map((mark, at) => mark_of(context, number, mark, at, entry.mark)));
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "quiet remove";
  remove.append(...context.say("Remove"));
  remove.addEventListener("click", () => {
    row.remove();
    offer_none(root);
    known.get(root).changed();
    input(root).focus();
  });
  const side = document.createElement("div");
  side.className = "row";
  side.append(marks, remove);
  row.append(label, side);
  root.querySelector(".entries").append(row);
  return row;
}

function mark_of(context, number, mark, at, chosen) {
  const label = document.createElement("label");
  label.className = "level";
  const radio = document.createElement("input");
  radio.type = "radio";
  radio.name = `${context.id}-${number}`;
  radio.value = mark.value;
  radio.checked = mark.value === chosen;
  const face = document.createElement("span");
  face.className = "face";
  const key = document.createElement("kbd");
  key.setAttribute("aria-hidden", "true");
  key.textContent = String(at + 1);
  const name = document.createElement("span");
  name.className = "name";
  name.append(...context.texts(mark.label));
  face.append(key, name);
  label.append(radio, face);
  return label;
}

function list_of(root) {
  return rows(root).map((row) => {
    const name = row.querySelector(".entry-label").textContent;
    const mark = row.querySelector("input:checked")?.value;
    return mark === undefined ? { name } : { name, mark };
  });
}

const is_whole = (root, entry) => entry.mark !== undefined || !known.get(root).context.data.marks.length;
const typed = (root) => input(root).value.trim();

export function read(root) {
  if (none(root).checked) return [];
  const list = list_of(root);
  return list.length && !typed(root) && list.every((entry) => is_whole(root, entry)) ? list : undefined;
}

export function partial(root) {
  const list = list_of(root);
  const any = list.length > 0 || typed(root);
  return any && read(root) === undefined ? { list, typed: input(root).value } : undefined;
}

export function complaint(root, say) {
  if (typed(root)) return say("Please add the entry you began, or clear it.");
  return list_of(root).length ? say("Please mark every entry.") : say("This question needs an answer.");
}

/** A field in focus would raise the keyboard over the page. */
const by_touch = () => matchMedia("(pointer: coarse)").matches;

export function focus(root) {
  const open = rows(root).find((row) => known.get(root).context.data.marks.length && !row.querySelector("input:checked"));
  if (open) open.querySelector("input").focus();
  else if (by_touch()) none(root).focus();
  else input(root).focus();
}

function add(root) {
  const state = known.get(root);
  const name = typed(root);
  if (!name || rows(root).length >= state.context.data.at_most) return input(root).focus();
  none(root).checked = false;
  input(root).value = "";
  const row = add_row(root, { name });
  offer_none(root);
  state.changed();
  (row.querySelector("input") ?? input(root)).focus();
  return undefined;
}

export function onChange(root, changed) {
  const state = known.get(root);
  state.changed = changed;
  input(root).addEventListener("input", () => {
    if (typed(root)) none(root).checked = false;
    offer_none(root);
    changed();
  });
  input(root).addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (typed(root)) add(root);
    else if (read(root) !== undefined) state.context.done();
  });
  root.querySelector(".add").addEventListener("click", () => add(root));
  root.addEventListener("change", (event) => {
    if (event.target !== input(root)) changed();
  });
}

/** In a row, digits mark it; otherwise 1 writes a new entry and 0 states that there is none, where nothing is listed. */
export function press(root, key) {
  const row = document.activeElement?.closest(".entry");
  if (row && root.contains(row)) {
    const radio = /^[1-9]$/.test(key) ? row.querySelectorAll("input[type=radio]")[Number(key) - 1] : null;
    if (!radio) return undefined;
    radio.click();
    input(root).focus();
    return "more";
  }
  if (key === "0" && none(root).disabled) return undefined;
  if (key === "1") input(root).focus();
  if (key === "0" && !none(root).checked) none(root).click();
  return { 0: "done", 1: "more" }[key];
}

export function measure(data, value) {
  const counts = Object.fromEntries(data.marks.map((mark) => [mark.value, mark.counts]));
  const by_mark = data.marks.map(({ value: name }) => [name, value.filter((entry) => entry.mark === name).length]);
  const active = value.filter((entry) => entry.mark === undefined || counts[entry.mark]);
  return { count: active.length, listed: value.length, ...Object.fromEntries(by_mark) };
}
