export { DataDirError, type DataDirErrorCode } from "./data-dir-error.ts";
export { openStore, type Setting, type Storage, type Store, type Table } from "./store.ts";
