// From question to question: what the workbench and practice have in common.

/** Goes to the next question without an answer, if there is one. */
export function go_on(unit, card) {
  const behind = unit.asked.indexOf(card);
  const waiting = unit.missing;
  const next = waiting.find((one) => unit.asked.indexOf(one) > behind) ?? waiting[0];
  next?.focus();
  return Boolean(next);
}

/** Says of every required question without an answer that it lacks one, and goes to the first. */
export function complain(unit) {
  const { missing } = unit;
  for (const card of [...missing].reverse()) card.complain(card.complaint());
  missing[0]?.focus();
  return missing.length > 0;
}

/** Asks for the first second look that is due. */
export function look_again(unit) {
  const [card] = unit.to_look_at;
  card?.prompt(unit.work.rules.questions[card.id].second_look.says, unit.decided.value(card.id));
  return Boolean(card);
}

/** A digit for the question in hand; true where it meant something. */
export function press(unit, key, done) {
  const card = unit?.here;
  const did = card && !card.root.hidden ? card.press(key) : undefined;
  if (did === "done") done(card);
  return Boolean(did);
}
