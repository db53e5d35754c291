// Talking to the server: JSON both ways, and one way to say what went wrong.

const SECONDS = 20;
const TOO_LARGE = 413;
/** So much the browser still sends from a page that is being closed. */
const KEPT_ALIVE = 60_000;

/** @type {Record<string, string>} */
const headers = {};

/** From now on every request says for whom it speaks: another rater may sign in here meanwhile. */
export function speak_for(rater) {
  headers["rubrica-rater"] = String(rater);
}

/** Nothing useful came back: the network or the server is away. What was to be sent has to wait. */
export class Offline extends Error {
  /** @param {string} why @param {boolean} [there] whether our server answered, though it failed */
  constructor(why, there = false) {
    super(why);
    this.there = there;
  }
}

/** The server answered that it will not do this. */
export class Refused extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(`refused with ${status}`);
    this.status = status;
    this.code = body?.code ?? "";
    this.body = body;
  }
  get signed_out() {
    return this.status === 401;
  }
  /** Whether trying again can never help: it is what was sent that the server cannot take. */
  get final() {
    return this.status === 422 || this.status === TOO_LARGE;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {{closing?: boolean}} [how]
 * @returns {Promise<any>}
 */
async function call(method, path, body, { closing = false } = {}) {
  const given = { method, credentials: "same-origin", headers: { ...headers }, signal: AbortSignal.timeout(SECONDS * 1000) };
  if (body !== undefined) {
    given.headers["content-type"] = "application/json";
    given.body = JSON.stringify(body);
    given.keepalive = closing && given.body.length < KEPT_ALIVE;
  }
  const answer = await reach(path, given);
  if (answer.status === TOO_LARGE) throw new Refused(TOO_LARGE, null);
  const data = await read(answer);
  if (answer.ok) return data;
  if (answer.status >= 500) throw new Offline(`the server failed with ${answer.status}`, true);
  throw new Refused(answer.status, data);
}

async function reach(path, given) {
  try {
    return await fetch(path, given);
  } catch {
    throw new Offline("no answer");
  }
}

/** Only JSON is our server's word: a proxy or the sign-in page of a hotel may answer "200 OK" too. */
async function read(answer) {
  if (!answer.headers.get("content-type")?.includes("json")) throw new Offline(`answered with ${answer.status} by another`);
  try {
    return await answer.json();
  } catch {
    throw new Offline("cut off");
  }
}

/** @param {string} path */
export const get = (path) => call("GET", path);
/** @param {string} path @param {any} [body] @param {{closing?: boolean}} [how] */
export const post = (path, body = {}, how = {}) => call("POST", path, body, how);
