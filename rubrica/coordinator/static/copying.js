// Tables and texts that copy: a table as cells, so that it pastes into a sheet.

import { all, el, find, say, toast } from "./dom.js";

/** The table as lines of cells; cells marked `data-skip` are for the eye only. @param {HTMLTableElement} table */
export function cells_of(table) {
  return [...table.rows].map((row) => [...row.cells].filter((cell) => !("skip" in cell.dataset))
    .map((cell) => (cell.dataset.value ?? cell.innerText).replace(/\s+/g, " ").replace(/^−(?=\d)/, "-").trim()));
}

/** Where the page is not on https the browser has no clipboard for it; the old way still works there. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "hidden-text";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  return undefined;
}

export async function copied(text) {
  try {
    await copy(text);
    toast(say("Copied"));
  } catch {
    toast(say("This browser does not allow copying. Select the text and copy it yourself."));
  }
}

/** Cells that begin like a formula are quoted, so that a sheet shows them as text. */
export const as_sheet = (rows) => rows.map((row) => row.map((cell) => (/^[=+@]/.test(cell) ? `'${cell}` : cell)).join("\t")).join("\n");

/** A button for every table of the report. */
function offer() {
  for (const box of all(".report .table:not([data-copies])")) {
    box.dataset.copies = "yes";
    box.before(el("button", { type: "button", class: "quiet small copy", onclick: () => copied(as_sheet(cells_of(find("table", box)))) }, ...say("Copy the table")));
  }
}

export function start_copying() {
  offer();
  document.addEventListener("rubrica-refreshed", offer);
  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("[data-copy-table], [data-copy-text]");
    if (!(button instanceof HTMLElement)) return;
    const { copyTable, copyText } = button.dataset;
    const source = document.getElementById(copyTable ?? copyText);
    if (source instanceof HTMLTableElement) copied(as_sheet(cells_of(source)));
    else if (source) copied(source.textContent);
  });
}

