// Inviting raters: ids typed, pasted or read from a file; the list that comes back is shown only once, to
// be printed, copied or put into a mail merge.

import { copied } from "./copying.js";
import { el, fill, find, say, texts } from "./dom.js";

const address = (link) => (link?.startsWith("/") ? location.origin + link : link ?? "");
const lines_of = (made) => made.filter((one) => one.link).map((one) => [one.name, one.code ?? "", address(one.link)]);

function save(csv) {
  const link = el("a", { href: URL.createObjectURL(new Blob([csv], { type: "text/csv" })), download: "invitations.csv" });
  link.click();
  URL.revokeObjectURL(link.getAttribute("href"));
}

/** @param {{invitations: {name: string, link: string|null, code: string|null, problem: string|null}[], csv: string}} answer */
export function show_invitations(place, { invitations: made, csv }) {
  const button = (message, act) => el("button", { type: "button", onclick: act }, ...say(message));
  const refused = made.filter((one) => one.problem);
  fill(place,
    el("div", { class: "row spread no-print" }, el("h2", { tabindex: "-1" }, ...say("Invitations")),
      el("div", { class: "row" }, button("Copy for a sheet", () => copied(lines_of(made).map((row) => row.join("\t")).join("\n"))),
        button("Save for a mail merge", () => save(csv)), button("Print", () => window.print()))),
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
    if (file) area.value = await file.text();
    area.focus();
  });
  form.addEventListener("rubrica-sent", (event) => {
    form.closest("dialog").close();
    form.reset();
    show_invitations(find("#invitations"), event.detail);
  });
}
