// Files that could not be sent: kept on the device until they are, also when the page is loaded anew.
const STORE = "files";

let database;

function opened() {
  return new Promise((done, failed) => {
    const asked = indexedDB.open("companion", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "key", autoIncrement: true });
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

async function ask(mode, what) {
  database ??= opened();
  const asked = what((await database).transaction(STORE, mode).objectStore(STORE));
  return new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

/** Keep a file of a page, with what else is to be known of it. The key it is kept by; null where the device keeps nothing. */
export const keep = (page, file, more) =>
  ask("readwrite", (files) => files.add({ ...more, page, file })).catch(() => null);

export const forget = (key) => ask("readwrite", (files) => files.delete(key)).catch(() => null);

/** A page's files, as they were kept, with their keys. */
export async function keptFiles(page) {
  const all = await ask("readonly", (files) => files.getAll()).catch(() => []);
  return all.filter((one) => one.page === page);
}
