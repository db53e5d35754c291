// Pictures: sequences that fit the window, and one picture over all of it, with zoom and steps by keys.

import { all, el, fill, find, say } from "./dom.js";

const ZOOMS = [1, 1.5, 2, 3, 4, 6, 8];

const SMALLEST = 150;
const BESIDE = { gap: 18, text: 112, share: 0.7, ratio: 3 / 4 };

/** Pictures of a sequence are as large as lets all of them be seen at once, in rows of at most what the study allows. */
export function fit_sequences(item) {
  for (const list of all(".sequence", item)) watched.observe(list);
}

const watched = new ResizeObserver((seen) => seen.forEach((one) => fit(/** @type {HTMLElement} */ (one.target))));

function fit(list) {
  const pane = list.closest(".pane");
  if (!pane) return;
  const room = pane.clientHeight - (list.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop);
  const { columns, picture } = arrangement(list.childElementCount, Number(list.dataset.perRow), list.clientWidth, room);
  list.style.setProperty("--columns", String(columns));
  list.style.setProperty("--picture", `${picture}px`);
}

/** How many a row, and how wide a picture is then; the text after it stands beside it. */
function arrangement(count, most, width, room) {
  const options = Array.from({ length: Math.max(1, most) }, (_, number) => {
    const columns = number + 1;
    const step = width / columns;
    const across = Math.min(step * BESIDE.share, step - BESIDE.text);
    const down = (room / Math.ceil(count / columns) - BESIDE.gap) / BESIDE.ratio;
    return { columns, across, picture: Math.floor(Math.min(across, down)) };
  });
  const best = options.reduce((one, other) => (other.picture > one.picture ? other : one));
  if (best.picture >= SMALLEST) return best;
  const scrolled = options.findLast((one) => one.across >= SMALLEST) ?? options[0];
  return { ...scrolled, picture: Math.floor(Math.max(scrolled.across, 0)) };
}

/** Opens the viewer on one of the pictures of an item. */
export function open_viewer(item, at = 0) {
  const pictures = all(".picture img", item);
  if (!pictures.length) return;
  let here = at;
  let zoom = 0;
  const image = el("img", { alt: "" });
  const stage = el("div", { class: "stage", tabindex: 0 }, image);
  const count = el("span", { class: "numeric", role: "status" });
  const caption = el("span", { class: "caption small" });
  const button = (glyph, message, act) => el("button", { type: "button", onclick: act },
    el("span", { "aria-hidden": "true" }, glyph), el("span", { class: "hidden-text" }, ...say(message)));
  const dialog = /** @type {HTMLDialogElement} */ (el("dialog", { class: "viewer", id: "viewer", "aria-labelledby": "viewer-count" },
    el("div", { class: "viewer-bar" }, button("←", "Previous image", () => step(-1)), el("span", { id: "viewer-count" }, count),
      button("→", "Next image", () => step(1)), caption, button("−", "Smaller", () => scale(-1)),
      button("+", "Larger", () => scale(1)), button("✕", "Close", () => dialog.close())),
    stage));
  const show = () => {
    image.src = pictures[here].src;
    image.alt = pictures[here].alt;
    fill(count, `${here + 1} / ${pictures.length}`);
    const between = pictures[here].closest(".step")?.querySelector(".between");
    fill(caption, between ? [...between.cloneNode(true).childNodes] : []);
    stage.classList.toggle("zoomed", zoom > 0);
    image.style.setProperty("width", zoom ? `${ZOOMS[zoom] * 100}%` : "");
  };
  const step = (by) => {
    here = Math.min(pictures.length - 1, Math.max(0, here + by));
    zoom = 0;
    show();
  };
  const scale = (by) => {
    zoom = Math.min(ZOOMS.length - 1, Math.max(0, zoom + by));
    show();
  };
  dialog.addEventListener("keydown", (event) => {
    const act = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), "+": () => scale(1), "=": () => scale(1), "-": () => scale(-1), z: () => dialog.close() }[event.key];
    if (!act || (zoom && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    act();
  });
  image.addEventListener("click", () => scale(zoom ? -zoom : 2));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  show();
  stage.focus();
}

/** Clicks on pictures enlarge them. */
export function watch_clicks() {
  document.addEventListener("click", (event) => {
    const picture = /** @type {HTMLElement} */ (event.target).closest(".picture");
    const item = picture?.closest(".unit");
    if (!item || picture.classList.contains("missing")) return;
    open_viewer(item, all(".picture", item).filter((one) => find("img", one)).indexOf(picture));
  });
}
