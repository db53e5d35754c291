// One answer per entry of the item's own list.

const known = new WeakMap();

const rows = (root) => [...root.querySelectorAll(".entry")];
const answer_of = (row) => row.querySelector(".entry-answer");

export function mount(root, context) {
  const inner = context.part(context.data.kind);
  const changed = known.get(root)?.changed;
  known.set(root, { context, inner, changed });
  const list = root.querySelector(".entries");
  const kept = context.value ?? context.partial ?? [];
  list.replaceChildren(...context.entries.map((entry, number) => row_of(root, entry, number, kept[number] ?? {})));
  if (changed) listen(root, changed);
}

/** The rows are made anew whenever the part is mounted. */
function listen(root, changed) {
  for (const row of rows(root)) known.get(root).inner.onChange(answer_of(row), changed);
}

function row_of(root, entry, number, kept) {
  const { context, inner } = known.get(root);
  const row = document.createElement("li");
  row.className = "entry";
  const label = document.createElement("div");
  label.className = "entry-label";
  label.id = `ask-${context.id}-${number}`;
  label.dir = "auto";
  label.append(entry.label);
  if (entry.turn || entry.note) label.append(about(context, entry));
  const answer = document.createElement("div");
  answer.className = "entry-answer";
  answer.append(inner_of(root, context.id, number));
  row.append(label, answer);
  inner.mount(answer, {
    ...context,
    id: `${context.id}-${number}`,
    data: context.data.answer,
    value: kept.value ?? undefined,
    partial: kept.partial,
    done: () => go_on(root, row) === "done" && context.done(),
  });
  if (context.data.dropped) row.append(dropped_of(context, kept.dropped));
  return row;
}

function about(context, entry) {
  const note = document.createElement("span");
  note.className = "soft small";
  if (entry.turn) note.append(" ", ...context.say("(turn {n})", { n: entry.turn }));
  if (entry.note) note.append(" ", entry.note);
  return note;
}

/** The inner question's markup with names of its own for this entry. */
function inner_of(root, id, number) {
  const markup = document.importNode(root.querySelector("template.inner").content, true);
  for (const element of markup.querySelectorAll("[name], [id], [aria-labelledby], [aria-describedby]")) {
    for (const name of ["name", "id", "aria-labelledby", "aria-describedby"]) {
      const value = element.getAttribute(name);
      if (value) element.setAttribute(name, value.replace(`${id}-N`, `${id}-${number}`));
    }
  }
  return markup;
}

function dropped_of(context, turn) {
  const place = document.createElement("div");
  place.className = "extra row small";
  const label = document.createElement("label");
  label.className = "check";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.className = "dropped";
  box.checked = turn !== undefined;
  const key = document.createElement("kbd");
  key.setAttribute("aria-hidden", "true");
  key.textContent = "-";
  label.append(box, ...context.say("Dropped by the user"), " ", key);
  const at = document.createElement("label");
  at.className = "row";
  const input = document.createElement("input");
  input.type = "text";
  input.inputMode = "numeric";
  input.className = "dropped-turn number";
  input.value = turn ?? "";
  at.append(...context.say("at turn"), input);
  at.hidden = !box.checked;
  box.addEventListener("change", () => {
    at.hidden = !box.checked;
    if (box.checked) input.focus();
  });
  place.append(label, at);
  return place;
}

function entry_value(root, row) {
  const { inner } = known.get(root);
  const value = inner.read(answer_of(row));
  const kept = { value };
  const box = row.querySelector(".dropped");
  if (box?.checked) {
    const turn = Number(row.querySelector(".dropped-turn").value);
    kept.dropped = Number.isInteger(turn) && turn >= 1 ? turn : null;
  }
  return kept;
}

const is_whole = (kept) => kept.value !== undefined && kept.dropped !== null;

export function read(root) {
  const kept = rows(root).map((row) => entry_value(root, row));
  return kept.length && kept.every(is_whole) ? kept : undefined;
}

export function partial(root) {
  const { inner } = known.get(root);
  const kept = rows(root).map((row) => {
    const { value, dropped } = entry_value(root, row);
    return { value, dropped: dropped === null ? "" : dropped, partial: inner.partial?.(answer_of(row)) };
  });
  const any = kept.some((one) => one.value !== undefined || one.dropped !== undefined || one.partial !== undefined);
  return any && read(root) === undefined ? kept : undefined;
}

const unanswered = (root) => rows(root).filter((row) => !is_whole(entry_value(root, row)));

export function complaint(root, say) {
  const row = unanswered(root)[0];
  const { label } = known.get(root).context.entries[rows(root).indexOf(row)];
  return entry_value(root, row).dropped === null
    ? say("Please give the turn at which this was dropped: {label}", { label })
    : say("Please answer this too: {label}", { label });
}

export function focus(root) {
  const row = unanswered(root)[0] ?? rows(root)[0];
  const { inner } = known.get(root);
  if (row && entry_value(root, row).dropped === null) row.querySelector(".dropped-turn").focus();
  else if (row) inner.focus(answer_of(row));
}

export function onChange(root, changed) {
  const { inner } = known.get(root);
  known.get(root).changed = changed;
  listen(root, changed);
  root.addEventListener("change", (event) => event.target.classList.contains("dropped") && changed());
  root.addEventListener("input", (event) => event.target.classList.contains("dropped-turn") && changed());
  root.addEventListener("keydown", (event) => {
    const typing = event.target.classList.contains("dropped-turn") && event.key === "Enter";
    if (!typing || event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const row = event.target.closest(".entry");
    if (!is_whole(entry_value(root, row))) inner.focus(answer_of(row));
    else if (go_on(root, row) === "done") known.get(root).context.done();
  });
}

function go_on(root, row) {
  const { inner } = known.get(root);
  const open = unanswered(root);
  const next = open.find((one) => row.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) ?? open[0];
  if (!next) return "done";
  inner.focus(answer_of(next));
  next.scrollIntoView({ block: "nearest" });
  return "more";
}

/** Keys mean what they mean to the inner question; a minus it has no use for says that the entry was dropped. */
export function press(root, key) {
  const { inner } = known.get(root);
  const row = document.activeElement?.closest(".entry");
  const here = row && root.contains(row) ? row : (unanswered(root)[0] ?? rows(root)[0]);
  const did = here && inner.press?.(answer_of(here), key);
  if (did === "done") return go_on(root, here);
  const dropped = key === "-" && !did && here?.querySelector(".dropped");
  if (!dropped) return did;
  dropped.click();
  return "more";
}

export function measure(data, value, part) {
  const inner = part(data.kind);
  const fraction = (entry) => inner.measure?.(data.answer, entry.value, part)?.fraction;
  const mean = (entries) => {
    const there = entries.map(fraction).filter((one) => one !== undefined);
    return there.length ? there.reduce((sum, one) => sum + one, 0) / there.length : undefined;
  };
  const kept = value.filter((entry) => entry.dropped === undefined);
  const counts = { total: value.length, ...(data.dropped ? { dropped: value.length - kept.length } : {}) };
  if (!data.ranked) return counts;
  return {
    ...counts,
    fraction: mean(value),
    share: mean(value),
    complete: value.filter((entry) => fraction(entry) === 1).length,
    ...(data.dropped ? { share_without_dropped: mean(kept) } : {}),
  };
}
