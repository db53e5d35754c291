// What this browser keeps: drafts, fetched items and the outbox, in IndexedDB.
// Where there is none (some private windows) a plain map stands in, and the page says so.

const STORES = ["drafts", "units", "outbox", "notes"];
const PATIENCE = 3_000;

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opens the database of one rater in one study; a browser that never answers must not stop the work. */
export async function open_db(name) {
  try {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => STORES.forEach((store) => request.result.createObjectStore(store));
    const patience = new Promise((_, reject) => setTimeout(reject, PATIENCE, new Error("no answer")));
    return new Database(await Promise.race([done(request), patience]));
  } catch {
    return new Memory();
  }
}

/**
 * What both kinds of database share.
 * @typedef {[store: string, key: any, value?: any]} Change without a value, what stands there is dropped
 */
class Store {
  put(store, key, value) {
    return this.write([[store, key, value]]);
  }

  drop(store, key) {
    return this.write([[store, key]]);
  }
}

class Database extends Store {
  /** Whether what is kept outlives the window. */
  lasting = true;

  constructor(database) {
    super();
    this.database = database;
    database.onversionchange = () => database.close();
  }

  async get(store, key) {
    return done(this.database.transaction(store).objectStore(store).get(key));
  }

  /** Removes everything, for good. */
  async erase() {
    this.database.close();
    const request = indexedDB.deleteDatabase(this.database.name);
    const blocked = new Promise((resolve) => { request.onblocked = resolve; }); // it goes when the other tab does
    await Promise.race([done(request), blocked]);
  }

  async all(store) {
    return done(this.database.transaction(store).objectStore(store).getAll());
  }

  /**
   * Writes all of it or, if the browser dies meanwhile, nothing.
   * @param {Change[]} changes
   */
  async write(changes) {
    const stores = [...new Set(changes.map(([store]) => store))];
    const durability = stores.includes("outbox") ? "strict" : "relaxed";
    const opened = this.database.transaction(stores, "readwrite", { durability });
    for (const [store, key, value] of changes) {
      if (value === undefined) opened.objectStore(store).delete(key);
      else opened.objectStore(store).put(value, key);
    }
    await new Promise((resolve, reject) => {
      opened.oncomplete = () => resolve(undefined);
      opened.onerror = opened.onabort = () => reject(opened.error);
    });
  }
}

class Memory extends Store {
  lasting = false;
  stores = Object.fromEntries(STORES.map((store) => [store, new Map()]));

  async erase() {
    for (const store of Object.values(this.stores)) store.clear();
  }

  async get(store, key) {
    return this.stores[store].get(key);
  }

  async all(store) {
    return [...this.stores[store].values()];
  }

  /** @param {Change[]} changes */
  async write(changes) {
    for (const [store, key, value] of changes) {
      if (value === undefined) this.stores[store].delete(key);
      else this.stores[store].set(key, structuredClone(value));
    }
  }
}
