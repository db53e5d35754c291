// Figures drawn anew by Vega, one when it comes into view: they answer to the pointer. The plain figure
// stays where the script is not there, and until the new one is drawn.

import { all, find } from "./dom.js";

const SMALL = 10.5;

/** Vega's colours are the page's, so that a change of theme changes them. */
function config_of(place) {
  const style = getComputedStyle(place);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const ramp = [0, 1, 2, 3, 4, 5, 6].map((step) => colour(`ramp${step}`));
  const text = { labelColor: colour("ink"), titleColor: colour("soft"), labelFontSize: SMALL, titleFontSize: SMALL, titleFontWeight: "normal" };
  return {
    background: "transparent",
    font: style.fontFamily,
    view: { stroke: null },
    range: { ramp: { scheme: ramp }, ordinal: { scheme: ramp }, heatmap: { scheme: ramp } },
    axis: { ...text, gridColor: colour("line"), domainColor: colour("line"), tickColor: colour("line") },
    legend: text,
    point: { fill: colour("mark") }, circle: { fill: colour("mark") }, line: { stroke: colour("mark") },
    rule: { color: colour("mark"), stroke: colour("mark") }, bar: { fill: colour("mark") }, tick: { stroke: colour("paper") },
    text: { fill: colour("ink") },
  };
}

let script = null;
/** The bundled script, asked for once and only when a figure is in view. */
function vega(address) {
  script ??= import(address).then(() => /** @type {any} */ (window).rubricaVega);
  return script;
}

let specs = null;
const specs_of = (address) => (specs ??= fetch(address, { credentials: "same-origin" }).then((answer) => (answer.ok ? answer.json() : {})));

const drawn = new Map();

/** The chart with the page's colours where it leaves room for them. */
function coloured(spec, place) {
  const style = getComputedStyle(place);
  return JSON.parse(JSON.stringify(spec).replace(/"\$(ink|paper|other)"/g, (_, name) => JSON.stringify(style.getPropertyValue(`--${name}`).trim())));
}

/** @param {HTMLElement} figure */
async function draw(figure, report) {
  const spec = (await specs_of(report.dataset.charts))[figure.id.replace("figure-", "")];
  if (!spec) return;
  const { embed } = await vega(report.dataset.vega);
  const plain = find(".drawing", figure);
  const place = document.createElement("div");
  place.className = "chart";
  plain.after(place);
  drawn.get(figure)?.finalize();
  try {
    const made = await embed(place, coloured(spec, figure), {
      mode: "vega-lite", ast: true, actions: false, logLevel: 1, defaultStyle: false, renderer: "svg",
      tooltip: { disableDefaultStyle: true, theme: "custom" }, config: config_of(figure),
    });
    drawn.set(figure, made);
    find(".chart.shown", figure)?.remove();
    place.classList.add("shown");
    label(place, plain);
    plain.hidden = true;
  } catch (error) {
    place.remove();
    plain.hidden = false;
    console.warn("a figure stays plain", error);
  }
}

/** What a reader of the screen hears is the plain figure's own description. */
function label(place, plain) {
  const svg = find("svg", place);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", find("svg", plain).getAttribute("aria-label"));
  for (const inner of all("[role], [aria-label], [aria-roledescription], [aria-hidden]", svg)) {
    for (const name of ["role", "aria-label", "aria-roledescription"]) inner.removeAttribute(name);
  }
}

function watch(report) {
  if (!report.dataset.charts || !report.dataset.vega || report.dataset.watched) return;
  report.dataset.watched = "yes";
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      draw(/** @type {HTMLElement} */ (entry.target), report);
    }
  }, { rootMargin: "300px" });
  for (const figure of all("figure", report)) seen.observe(figure);
}

export function start_charts() {
  const begin = () => { for (const report of all(".report")) watch(report); };
  begin();
  document.addEventListener("rubrica-refreshed", () => {
    specs = null;
    begin();
  });
  const again = () => { for (const figure of drawn.keys()) if (figure.isConnected) draw(figure, figure.closest(".report")); };
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  document.addEventListener("rubrica-language", () => { if (find("[data-one-language]")) location.reload(); });
}
