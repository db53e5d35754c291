// Talking to the server: JSON both ways, and one way to say what went wrong.

const SECONDS = 20;

/** Nothing useful came back: the network or the server is away. What was to be sent has to wait. */
export class Offline extends Error {}

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
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @returns {Promise<any>}
 */
export async function call(method, path, body) {
  const given = { method, credentials: "same-origin", headers: {}, signal: AbortSignal.timeout(SECONDS * 1000) };
  if (body !== undefined) {
    given.headers["content-type"] = "application/json";
    given.body = JSON.stringify(body);
  }
  const answer = await reach(path, given);
  const content = await answer.text().catch(() => { throw new Offline("cut off"); });
  const data = content && answer.headers.get("content-type")?.includes("json") ? JSON.parse(content) : null;
  if (answer.ok) return data;
  if (answer.status >= 500) throw new Offline(`the server failed with ${answer.status}`);
  throw new Refused(answer.status, data);
}

async function reach(path, given) {
  try {
    return await fetch(path, given);
  } catch {
    throw new Offline("no answer");
  }
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
