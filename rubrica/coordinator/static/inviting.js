// Inviting raters: ids typed, pasted or read from a file; the list that comes back is shown only once, to
// be printed, copied or put into a mail merge.

import { copied } from "./copying.js";
import { el, fill, find, say, texts } from "./dom.js";

/** The first column of a CSV, without its heading where that is no id. @param {string} text */
export function names_in(text) {
  const cells = text.split(/[\r\n]+/).map((line) => line.split(/[,;\t]/)[0].trim().replace(/^"(.*)"$/, "$1").trim()).filter(Boolean);
  return /^(id|name|rater|annotator|annotator[ _]id|rater[ _]id|participant)$/i.test(cells[0] ?? "") ? cells.slice(1) : cells;
}

const address = (link) => (link?.startsWith("/") ? location.origin + link : link ?? "");
const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const lines_of = (made) => made.filter((one) => one.link).map((one) => [one.name, one.code ?? "", address(one.link)]);

function save_csv(made) {
  const rows = [["id", "code", "link"], ...lines_of(made)];
  const body = new Blob([rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n"], { type: "text/csv" });
  const link = el("a", { href: URL.createObjectURL(body), download: "invitations.csv" });
  link.click();
  URL.revokeObjectURL(link.getAttribute("href"));
}

/** @param {{name: string, link: string|null, code: string|null, problem: string|null}[]} made */
export function show_invitations(place, made) {
  const button = (message, act) => el("button", { type: "button", onclick: act }, ...say(message));
  const refused = made.filter((one) => one.problem);
  fill(place,
    el("div", { class: "row spread no-print" }, el("h2", { tabindex: "-1" }, ...say("Invitations")),
      el("div", { class: "row" }, button("Copy for a sheet", () => copied(lines_of(made).map((row) => row.join("\t")).join("\n"))),
        button("Save for a mail merge", () => save_csv(made)), button("Print", () => window.print()))),
    el("p", { class: "notice no-print" }, ...say("The codes are shown only now. Whoever has a link can rate under its id.")),
    refused.length ? el("ul", { class: "alerts" }, ...refused.map((one) => el("li", { class: "warning" }, el("strong", {}, one.name), " ", ...texts(one.problem)))) : null,
    el("ul", { class: "slips" }, ...made.filter((one) => one.link).map((one) => el("li", { class: "slip" },
      el("strong", {}, one.name), el("span", {}, ...say("Code"), " ", el("code", {}, one.code ?? "")),
      el("span", { class: "link" }, address(one.link))))));
  place.hidden = false;
  find("h2", place).focus();
}

export function start_inviting() {
  const form = find("#invite-raters form");
  if (!form) return;
  const area = find("textarea", form);
  find("input[type=file]", form).addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) area.value = names_in(await file.text()).join("\n");
    area.focus();
  });
  form.addEventListener("rubrica-sent", (event) => {
    form.closest("dialog").close();
    form.reset();
    show_invitations(find("#invitations"), event.detail.invitations);
  });
}
