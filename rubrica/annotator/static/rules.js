// The study's rules as the server decides them, mirrored for the rater's comfort only: what applies,
// which level evidence implies, when a second look is due. The server works all of it out again.

/**
 * @typedef {Object} Reply what the rater gave for one question
 * @property {any} [value]
 * @property {boolean|string} [cannot_judge]
 * @property {any} [first]
 * @property {boolean} [prompted]
 */

/** @param {any} value */
const is_number = (value) => typeof value === "number";
const is_nothing = (value) => value === undefined || value === null;

function same(value, other) {
  if (typeof value === "boolean" || typeof other === "boolean") return value === other;
  return value === other || (typeof value !== typeof other && String(value) === String(other));
}

const is_one_of = (value, other) => (Array.isArray(other) ? other : [other]).some((one) => same(value, one));

const TESTS = {
  at_least: (value, limit) => is_number(value) && value >= limit,
  at_most: (value, limit) => is_number(value) && value <= limit,
  more_than: (value, limit) => is_number(value) && value > limit,
  less_than: (value, limit) => is_number(value) && value < limit,
  is_not: (value, other) => !is_nothing(value) && !is_one_of(value, other),
  answered: (value, wanted) => !is_nothing(value) === wanted,
};

function test_holds(test, value) {
  if (typeof test === "object" && !Array.isArray(test)) {
    return Object.entries(test).every(([name, given]) => is_nothing(given) || TESTS[name](value, given));
  }
  return !is_nothing(value) && is_one_of(value, test);
}

/**
 * Whether a condition holds: true, false, or null while facts it hangs on may still come.
 * @param {any} condition true, false or a settled condition
 * @param {(fact: string) => any} facts
 * @param {(fact: string) => boolean} [pending]
 * @returns {boolean|null}
 */
export function decide(condition, facts, pending = () => false) {
  if (typeof condition === "boolean") return condition;
  const parts = Object.entries(condition);
  if (parts.length === 1) {
    const [name, inner] = parts[0];
    if (name === "all") return every(inner.map((one) => decide(one, facts, pending)));
    if (name === "any") return negate(every(inner.map((one) => negate(decide(one, facts, pending)))));
    if (name === "not") return negate(decide(inner, facts, pending));
  }
  return every(parts.map(([fact, test]) => (pending(fact) ? null : test_holds(test, facts(fact)))));
}

const negate = (outcome) => (outcome === null ? null : !outcome);

function every(outcomes) {
  if (outcomes.includes(false)) return false;
  return outcomes.includes(null) ? null : true;
}

const rounded = (value) => Math.round(value * 1e10) / 1e10;

/** One look at all replies: what each question's state is now. */
export class Decided {
  #states = new Map();
  #implied = new Map();

  /**
   * @param {any} rules the item's rules as the server sent them
   * @param {Record<string, Reply>} replies
   * @param {(question: string, value: any) => Record<string, number>} measure
   */
  constructor(rules, replies, measure) {
    this.rules = rules;
    this.replies = replies;
    this.measure = measure;
    this.fact = this.fact.bind(this);
    this.pending = this.pending.bind(this);
  }

  /** @returns {"answered"|"not_applicable"|"cannot_judge"|"left_out"|null} */
  state(name) {
    if (!this.#states.has(name) && name in this.rules.questions) {
      this.#states.set(name, null); // what depends on itself finds nothing
      this.#states.set(name, this.#decide(name));
    }
    return this.#states.get(name) ?? null;
  }

  #decide(name) {
    if (!decide(this.rules.questions[name].when, this.fact)) return "not_applicable";
    const reply = this.replies[name] ?? {};
    const implied = this.implied(name);
    if (reply.cannot_judge) return "cannot_judge";
    return !is_nothing(reply.value) || implied ? "answered" : "left_out";
  }

  /** The value that counts: the choice by hand, or else the level that follows from evidence. */
  value(name) {
    if (this.state(name) !== "answered") return undefined;
    const chosen = this.replies[name]?.value;
    return is_nothing(chosen) ? this.implied(name).value : chosen;
  }

  /** The level the evidence implies, with the rule that gave it; null while there is not enough. */
  implied(name) {
    if (!this.#implied.has(name)) {
      this.#implied.set(name, null);
      this.#implied.set(name, this.#imply(this.rules.questions[name].implied));
    }
    return this.#implied.get(name);
  }

  #imply(implied) {
    if (!implied) return null;
    if (implied.count) {
      const count = this.fact(implied.count);
      const value = is_nothing(count) ? undefined : (implied.levels[String(count)] ?? implied.levels.more);
      return is_nothing(value) ? null : { value };
    }
    for (const rule of implied.rules) {
      const met = decide(rule.when, this.fact, this.pending);
      if (met) return rule;
      if (met === null) return null;
    }
    return null;
  }

  /** Whether the answer (its first choice, where it was changed) calls for a second look. */
  second_look(name) {
    const look = this.rules.questions[name].second_look;
    if (!look || this.state(name) === "not_applicable") return false;
    const { first } = this.replies[name] ?? {};
    return decide(look.when, is_nothing(first) ? this.fact : this.#with(name, first).fact) === true;
  }

  #with(name, value) {
    return new Decided(this.rules, { ...this.replies, [name]: { value } }, this.measure);
  }

  fact(name) {
    const [room, ...rest] = name.split(".");
    if (room === "answer") return this.#answer(rest[0], rest.slice(1).join("."));
    return room === "score" ? this.#score(rest[0], rest[1]) : undefined;
  }

  #answer(name, measure) {
    const state = this.state(name);
    if (measure === "state") return state;
    if (state !== "answered") return undefined;
    const value = this.value(name);
    return measure ? this.measure(name, value)[measure] : value;
  }

  pending(fact) {
    return [...this.#needs(fact, new Set())].some((name) =>
      [null, "left_out", "cannot_judge"].includes(this.state(name)),
    );
  }

  #needs(fact, seen) {
    const [room, name] = fact.split(".");
    if (room === "answer") return new Set([name]);
    const score = this.rules.scores[name];
    if (room !== "score" || !score || seen.has(name)) return new Set();
    seen.add(name);
    const facts = score.gap ?? score.mean.map(([part]) => part);
    return new Set(facts.flatMap((part) => [...this.#needs(part, seen)]));
  }

  #score(name, verdict) {
    const score = this.rules.scores[name];
    if (!score || (verdict && verdict !== "pass")) return undefined;
    const value = score.gap ? this.#gap(score.gap) : this.#mean(score);
    if (!verdict) return value;
    return is_nothing(value) || is_nothing(score.pass_at) ? undefined : Number(value >= score.pass_at);
  }

  #gap(sides) {
    const [first, second] = sides.map(this.fact);
    return is_number(first) && is_number(second) ? rounded(Math.abs(first - second)) : undefined;
  }

  #mean({ mean, onto: [low, high], missing }) {
    const parts = mean.map(([fact, weight]) => ({ weight, value: this.fact(fact) }));
    const there = parts.filter((part) => !is_nothing(part.value));
    if (!there.length || (missing === "whole" && there.length < parts.length)) return undefined;
    const weight = (missing === "zero" ? parts : there).reduce((sum, part) => sum + part.weight, 0);
    if (!weight) return undefined;
    const share = there.reduce((sum, part) => sum + part.weight * part.value, 0) / weight;
    return rounded(low + share * (high - low));
  }
}
