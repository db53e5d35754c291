// The plain pages: join, consent, guidelines, done. Each form is sent as JSON.

import { open_db } from "./db.js";
import { all, fill, find, language, new_id, read_data, say, texts } from "./dom.js";
import { start_look } from "./look.js";
import { Offline, Refused, post, speak_for } from "./net.js";
import { Saving } from "./saving.js";

const OUT = "{n} answers wait to be sent. Please keep this page open.";

function complain(place, problem) {
  place.hidden = false;
  if (problem instanceof Refused && problem.body?.text) fill(place, texts(problem.body.text));
  else fill(place, say(problem instanceof Offline ? "There is no connection. Please try again." : "Something went wrong. Please try again."));
}

// --- join ---

function start_join(form, start) {
  const name = find("#name");
  const code = find("#code");
  const error = find("#join-error");
  // Sent again after an answer that was lost, it is answered in the same way.
  const attempt = new_id();
  const show_code = () => {
    find("#code-field").hidden = false;
    find("#have-code").hidden = true;
  };
  find("#have-code").addEventListener("click", () => {
    show_code();
    (name.value ? code : name).focus();
  });
  prefill(start, name, code, show_code);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.hidden = true;
    const consent = find("#consent");
    if (!name.value.trim()) return refuse(error, name, "Please enter your annotator id.");
    if (consent && !consent.checked) return refuse(error, consent, "Please agree first, or leave this page.");
    try {
      const joined = await post(`${start.base}/api/join`, {
        name: name.value, code: code.value.trim() || null, language: language(),
        attempt, consent: consent?.value ?? null, crowd: Object.fromEntries(new URLSearchParams(location.search)),
      });
      welcome(joined.code, start);
    } catch (problem) {
      complain(error, problem);
      if (["F051", "F052", "F068"].includes(problem.code)) {
        show_code();
        code.focus();
      } else name.focus();
    }
    return undefined;
  });
}

/** A crowd platform or an invitation link says who comes; the code stands behind the #, never sent. */
function prefill(start, name, code, show_code) {
  const invited = new URLSearchParams(location.hash.slice(1));
  const crowd = start.crowd && new URLSearchParams(location.search).get(start.crowd);
  name.value = invited.get("id") ?? crowd ?? name.value;
  if (invited.get("code")) {
    code.value = invited.get("code");
    show_code();
    history.replaceState(null, "", location.pathname + location.search);
  }
}

function refuse(place, field, message) {
  place.hidden = false;
  fill(place, say(message));
  field.focus();
}

function welcome(code, start) {
  if (!code) return location.assign(start.base);
  find("#join").hidden = true;
  find("#welcome").hidden = false;
  find("#resume-code").textContent = code;
  find("#welcome-title").focus();
  return undefined;
}

// --- consent, guidelines ---

function start_confirm(form, start) {
  const error = find(".error", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const box = find("input[type=checkbox]", form);
    if (!box.checked) return refuse(error, box, "Please tick the box first.");
    try {
      await post(`${start.base}/api/${form.dataset.confirm}`, { hash: form.dataset.hash });
      location.assign(start.base);
    } catch (problem) {
      complain(error, problem);
    }
    return undefined;
  });
}

// --- done ---

/** Answers another page could not send go out from every page of the rater's. */
async function send_rest(start) {
  speak_for(start.rater);
  const place = find("#waiting");
  const db = await open_db(`rubrica${start.base}/${start.rater}`);
  let sent = 0;
  const show = ({ state, waiting }) => {
    place.hidden = !waiting;
    if (waiting) fill(place, say(state === "saving" ? "{n} answers are being sent…" : OUT, { n: waiting }));
    else if (sent) {
      sent = 0;
      location.reload(); // what the page counts is counted anew
    }
  };
  const saving = new Saving(db, start.base, {
    status: (status) => place && show(status),
    sent: () => { sent += 1; },
  });
  await saving.resume();
  return saving;
}

/** Nothing of this rater stays behind but what the server has not got; that goes first, or is warned of. */
function start_done(start, saving) {
  const button = find("#sign-out");
  button.addEventListener("click", async () => {
    if (saving.waiting && !button.dataset.warned) {
      button.dataset.warned = "yes";
      await saving.push();
      if (saving.waiting) return fill(button, say("Sign out, and send the rest when I sign in here again"));
    }
    try {
      await post(`${start.base}/api/leave-browser`);
    } catch (problem) {
      return complain(find("#waiting"), problem);
    }
    if ("caches" in window) await caches.delete(`rubrica${start.base}`);
    if (saving.safe) await saving.db.erase();
    return location.assign(start.base);
  });
}

start_look();
const given = read_data("start");
if (find("#join")) start_join(find("#join"), given);
for (const form of all("form[data-confirm]")) start_confirm(form, given);
if (given?.rater) send_rest(given).then((saving) => find("#sign-out") && start_done(given, saving));
document.addEventListener("rubrica-language", () => {
  if (find("form[data-confirm], #sign-out")) post(`${given.base}/api/language`, { language: language() }).catch(() => {});
});
