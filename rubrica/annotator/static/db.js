// What this browser keeps: drafts, fetched items and the outbox, in IndexedDB.
// Where there is none (some private windows) a plain map stands in, and the page says so.

const STORES = ["drafts", "units", "outbox", "notes"];

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opens the database of one rater in one study. */
export async function open_db(name) {
  try {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => STORES.forEach((store) => request.result.createObjectStore(store));
    return new Database(await done(request));
  } catch {
    return new Memory();
  }
}

class Database {
  lasting = true;
  constructor(database) {
    this.database = database;
    database.onversionchange = () => database.close();
  }

  #store(name, mode) {
    const durability = name === "outbox" ? "strict" : "relaxed";
    return this.database.transaction(name, mode, { durability }).objectStore(name);
  }

  #written(store) {
    return new Promise((resolve, reject) => {
      store.transaction.oncomplete = () => resolve(undefined);
      store.transaction.onerror = store.transaction.onabort = () => reject(store.transaction.error);
    });
  }

  get(store, key) {
    return done(this.#store(store, "readonly").get(key));
  }

  async all(store) {
    return done(this.#store(store, "readonly").getAll());
  }

  put(store, key, value) {
    const opened = this.#store(store, "readwrite");
    opened.put(value, key);
    return this.#written(opened);
  }

  drop(store, key) {
    const opened = this.#store(store, "readwrite");
    opened.delete(key);
    return this.#written(opened);
  }

  clear(store) {
    const opened = this.#store(store, "readwrite");
    opened.clear();
    return this.#written(opened);
  }
}

class Memory {
  lasting = false;
  stores = Object.fromEntries(STORES.map((store) => [store, new Map()]));

  async get(store, key) {
    return this.stores[store].get(key);
  }

  async all(store) {
    return [...this.stores[store].values()];
  }

  async put(store, key, value) {
    this.stores[store].set(key, structuredClone(value));
  }

  async drop(store, key) {
    this.stores[store].delete(key);
  }

  async clear(store) {
    this.stores[store].clear();
  }
}
