// Marks as evidence: a type, the turn it happened in, a severity and a word on it.

import { mount_options, read_option } from "../options.js";

const known = new WeakMap();
const get = (root, selector) => root.querySelector(selector);
const none = (root) => get(root, ".none input");
const adder = (root) => get(root, ".adder");

/** A unit offers to mark turns for parts that say so. */
export const evidence = true;

export function mount(root, context) {
  const changed = known.get(root)?.changed ?? (() => {});
  known.set(root, { context, marks: [], changed });
  const kept = context.partial ?? {};
  known.get(root).marks = [...(kept.marks ?? context.value ?? [])];
  none(root).checked = Array.isArray(context.value) && context.value.length === 0;
  get(root, ".turn-field").hidden = context.entries.length === 0;
  mount_options(get(root, "fieldset"), kept.mark?.type);
  close(root);
  if (kept.mark) open(root, kept.mark);
  show(root);
}

// --- the marks there are ---

function show(root) {
  const { context, marks } = known.get(root);
  get(root, ".marks-list").replaceChildren(...marks.map((mark, number) => line_of(root, mark, number)));
  get(root, ".marks-list").hidden = marks.length === 0;
  get(root, ".begin").hidden = context.locked;
  get(root, ".enough").hidden = context.locked || marks.length === 0;
  get(root, ".strokes .none").hidden = marks.length > 0;
  offer_none(root);
}

/** That there is none can be stated where nothing is marked or begun: no stroke throws a mark away. */
function offer_none(root) {
  const { context, marks } = known.get(root);
  none(root).disabled = context.locked || marks.length > 0 || partial(root) !== undefined;
}

function line_of(root, mark, number) {
  const { context } = known.get(root);
  const line = document.createElement("li");
  const text = document.createElement("div");
  text.append(...label(root, mark));
  const more = document.createElement("div");
  more.className = "soft";
  if (mark.part) more.append(...context.say("Turn {n}", { n: mark.part }));
  if (mark.note) more.append(mark.part ? ": " : "", mark.note);
  text.append(more);
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "quiet";
  remove.append(...context.say("Remove"));
  remove.addEventListener("click", () => {
    known.get(root).marks.splice(number, 1);
    after(root);
    focus(root);
  });
  line.append(text, ...(context.locked ? [] : [remove]));
  return line;
}

function label(root, mark) {
  const { data, texts } = known.get(root).context;
  const type = data.types.find((one) => one.value === mark.type);
  const severity = type.severity.length > 1 ? data.severities.find((one) => one.value === mark.severity) : null;
  return [...texts(type.label), ...(severity ? [" · ", ...texts(severity.label)] : [])];
}

/** The marks by turn, for the item's own page. */
export function marked(root) {
  const { marks } = known.get(root);
  return marks.filter((mark) => mark.part).map((mark) => ({ turn: mark.part, nodes: label(root, mark) }));
}

// --- making one ---

function open(root, mark = {}) {
  adder(root).hidden = false;
  get(root, ".begin").setAttribute("aria-expanded", "true");
  for (const radio of root.querySelectorAll(".adder input[type=radio]")) radio.checked = false;
  const chosen = [...root.querySelectorAll("fieldset:first-child input")].find((one) => one.value === mark.type);
  if (chosen) chosen.checked = true;
  get(root, ".part").value = mark.part ?? "";
  get(root, ".mark-note").value = mark.note ?? "";
  refuse_turn(root, false);
  offer_severity(root);
  const severity = [...root.querySelectorAll(".severity input")].find((one) => one.value === mark.severity);
  if (severity) severity.checked = true;
  offer_none(root);
}

function close(root) {
  adder(root).hidden = true;
  get(root, ".begin").setAttribute("aria-expanded", "false");
  offer_none(root);
}

function type_of(root) {
  const value = read_option(get(root, ".adder fieldset"));
  return known.get(root).context.data.types.find((one) => one.value === value);
}

function offer_severity(root) {
  const group = get(root, ".severity");
  if (!group) return;
  const choices = type_of(root)?.severity ?? [];
  group.hidden = choices.length < 2;
  for (const one of group.querySelectorAll("[data-severity]")) {
    one.hidden = !choices.includes(one.dataset.severity);
    if (one.hidden) one.querySelector("input").checked = false;
  }
}

function typed_mark(root) {
  const mark = { type: type_of(root)?.value };
  const turn = get(root, ".part").value.trim();
  if (turn) mark.part = /^\d+$/.test(turn) ? Number(turn) : turn;
  const severity = get(root, ".severity input:checked")?.value;
  if (severity) mark.severity = severity;
  const note = get(root, ".mark-note").value.trim();
  if (note) mark.note = note;
  return mark;
}

/** The first field that keeps the mark from being whole, if there is one. */
function gap(root) {
  const { data, entries } = known.get(root).context;
  const mark = typed_mark(root);
  const type = type_of(root);
  if (!type) return get(root, ".adder fieldset input");
  if (type.severity.length > 1 && !mark.severity) return get(root, ".severity label:not([hidden]) input");
  const fits = Number.isInteger(mark.part) && mark.part >= 1 && mark.part <= entries.length;
  if (entries.length && (mark.part === undefined ? !data.whole : !fits)) return get(root, ".part");
  return data.note_required && !mark.note ? get(root, ".mark-note") : null;
}

function add(root) {
  const lacking = gap(root);
  refuse_turn(root, lacking === get(root, ".part"));
  if (lacking) return lacking.focus();
  const state = known.get(root);
  state.marks.push(typed_mark(root));
  none(root).checked = false;
  close(root);
  after(root);
  get(root, ".enough").focus();
  return undefined;
}

/** Says which turns there are, or takes that back. */
function refuse_turn(root, refused) {
  const { entries, say } = known.get(root).context;
  const place = get(root, ".no-turn");
  place.hidden = !refused;
  place.replaceChildren(...(refused ? say("This conversation has turns 1 to {n}.", { n: entries.length }) : []));
  get(root, ".part").setAttribute("aria-invalid", String(refused));
}

function after(root) {
  show(root);
  known.get(root).changed();
}

/** Begins a mark on a turn, from a click on it. */
export function mark(root, turn) {
  open(root, { part: turn });
  get(root, ".adder fieldset input").focus();
  root.scrollIntoView({ block: "nearest" });
}

// --- the contract ---

const is_open = (root) => !adder(root).hidden;

export function read(root) {
  if (none(root).checked) return [];
  const { marks } = known.get(root);
  return marks.length ? marks : undefined;
}

export function partial(root) {
  if (!is_open(root)) return undefined;
  const mark_so_far = typed_mark(root);
  return Object.values(mark_so_far).some((one) => one !== undefined)
    ? { mark: mark_so_far, marks: known.get(root).marks } : undefined;
}

export function complaint(root, say) {
  return is_open(root) ? say("Please add or discard the mark you began.")
    : say("Please mark what failed, or state that there is no failure.");
}

export function focus(root) {
  if (is_open(root)) (gap(root) ?? get(root, ".adder .add")).focus();
  else if (known.get(root).marks.length) get(root, ".enough").focus();
  else none(root).focus();
}

export function onChange(root, changed) {
  known.get(root).changed = changed;
  const on = (selector, event, act) => get(root, selector).addEventListener(event, act);
  on(".begin", "click", () => {
    open(root);
    get(root, ".adder fieldset input").focus();
  });
  on(".enough", "click", () => known.get(root).context.done());
  on(".cancel", "click", () => {
    close(root);
    changed();
    focus(root);
  });
  on(".adder .add", "click", () => add(root));
  on(".adder", "change", () => {
    offer_severity(root);
    offer_none(root);
    changed();
  });
  on(".adder", "input", (event) => {
    if (event.target.type !== "text") return;
    offer_none(root);
    changed();
  });
  on(".part", "input", () => refuse_turn(root, false));
  on(".adder", "keydown", (event) => {
    if (event.key === "Escape") get(root, ".cancel").click();
    else if (event.key === "Enter" && event.target instanceof HTMLInputElement && !event.isComposing && !event.ctrlKey) add(root);
    else return;
    event.preventDefault();
  });
  none(root).addEventListener("change", () => {
    close(root);
    after(root);
  });
}

/** 0 states that there is none, or no more; another digit begins a mark of that type, then its severity. */
export function press(root, key) {
  if (!/^[0-9]$/.test(key)) return undefined;
  if (key === "0" && !is_open(root)) {
    if (!known.get(root).marks.length && !none(root).checked) none(root).click();
    return "done";
  }
  const severity = document.activeElement?.closest(".severity");
  const choices = severity
    ? [...severity.querySelectorAll("input")]
    : [...root.querySelectorAll(".adder fieldset:first-child input")];
  const radio = choices[Number(key) - 1];
  if (!radio || radio.closest("[hidden]") && severity) return undefined;
  if (!is_open(root)) open(root);
  radio.click();
  next_field(root, radio).focus();
  return "more";
}

function next_field(root, radio) {
  const lacking = gap(root);
  if (lacking && lacking !== radio && lacking.type === "radio") return lacking;
  return known.get(root).context.entries.length ? get(root, ".part") : get(root, ".mark-note");
}

export function measure(data, value) {
  const types = data.types.map(({ value: name }) => [name, value.filter((one) => one.type === name).length]);
  const severity = (one) => one.severity ?? data.types.find((type) => type.value === one.type)?.severity[0];
  const severities = data.severities.map(({ value: name }) => [name, value.filter((one) => severity(one) === name).length]);
  return { count: value.length, ...Object.fromEntries([...types, ...severities]) };
}
