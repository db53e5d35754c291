// When a break is due: the same rules as the server's, so that breaks come without network too.

/**
 * @param {any} rules what the study declares
 * @param {{done: number, active: number, spent: number, from: any, to: any}} now counts after this item,
 *   and the batches of this and the next
 * @returns {("items"|"minutes"|"batch")[]}
 */
export function breaks_due(rules, { done, active, spent, from, to }) {
  const due = [];
  if (rules.every_items && done && done % rules.every_items === 0) due.push("items");
  const span = (rules.every_minutes ?? 0) * 60;
  if (span && Math.floor(active / span) > Math.floor((active - spent) / span)) due.push("minutes");
  if (rules.after_batch && from && to && from.number !== to.number) due.push("batch");
  return due;
}
