// The list of all items: from the server, or without network those that this browser has.

import { show_picker } from "./dialogs.js";
import { get } from "./net.js";

const PAGE = 500;

/**
 * @param {{base: string, unit: any, saving: any, queue: any, progress: any}} bench
 * @param {(number: number) => void} go
 */
export async function pick({ base, unit, saving, queue, progress }, go) {
  let after = 0;
  const more = async () => {
    const items = await get(`${base}/api/items?after=${after}`);
    after = items.at(-1)?.count ?? after;
    const { underway } = saving;
    return items.map((item) => (underway.has(item.place) ? { ...item, state: "rated", draft: false } : item));
  };
  const kept = () => queue.known.map((work) => ({ number: work.number, state: work.state, draft: Boolean(work.draft) }));
  const items = await more().catch(kept);
  show_picker({ items, here: unit?.work.number ?? -1, total: progress.total, go, more: items.length === PAGE ? more : null });
}
