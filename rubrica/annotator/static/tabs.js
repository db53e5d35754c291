// One tab at a time: the newest works, older ones rest until they are asked to go on.

import { el, find, say } from "./dom.js";
import { open_dialog } from "./dialogs.js";

/** @param {string} name @param {() => void} rest what this tab does before it rests */
export function one_tab(name, rest) {
  if (!("BroadcastChannel" in window)) return;
  const channel = new BroadcastChannel(name);
  channel.onmessage = () => {
    rest();
    if (find("#asleep")) return;
    const dialog = open_dialog("asleep", el("span", {}, ...say("You are working in another tab")),
      el("p", {}, ...say("This tab rests, so that nothing is rated twice. What you typed here is kept.")),
      el("div", { class: "row" }, el("button", { type: "button", class: "main", onclick: () => location.replace(location.pathname) }, ...say("Work here instead"))));
    find(".dialog-head button", dialog).remove();
    dialog.addEventListener("cancel", (event) => event.preventDefault());
  };
  channel.postMessage("here");
}
