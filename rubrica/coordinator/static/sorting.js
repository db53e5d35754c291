// Tables that are sorted by a press on a heading.

import { all, el } from "./dom.js";

const value_of = (cell, as) => {
  const text = (cell.dataset.value ?? cell.innerText).trim();
  return as === "number" ? Number.parseFloat(text.replace("−", "-").replace(/[,\s%]/g, "")) : text;
};

function compare(a, b) {
  if (typeof a !== "number") return a.localeCompare(b, undefined, { numeric: true });
  return (Number.isNaN(a) ? -Infinity : a) - (Number.isNaN(b) ? -Infinity : b);
}

/** @param {HTMLTableCellElement} head */
function sort_by(head) {
  const body = head.closest("table").tBodies[0];
  const down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : head.dataset.sort === "number";
  for (const other of all("th[aria-sort]", head.parentElement)) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...body.rows].map((row) => [value_of(row.cells[head.cellIndex], head.dataset.sort), row]);
  rows.sort(([a], [b]) => (down ? compare(b, a) : compare(a, b)));
  body.append(...rows.map(([, row]) => row));
}

function prepare() {
  for (const head of all("table.sortable th[data-sort]")) {
    if (head.querySelector("button")) continue;
    const button = el("button", { type: "button", class: "sort", onclick: () => sort_by(head) });
    button.append(...head.childNodes);
    head.append(button);
  }
}

export function start_sorting() {
  prepare();
  document.addEventListener("rubrica-refreshed", prepare);
}
