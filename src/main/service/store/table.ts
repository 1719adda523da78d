/** Records of one kind, in the order in which they were created. */
export interface Table<T> {
  get(id: string): T | undefined;
  /** Newest first. */
  list(): T[];
  /** Keeps a new record, or a new version of one. It is in the journal when this returns. */
  put(record: T): void;
  /** The same in memory only: for what can be worked out anew from the files after a restart. */
  hold(record: T): void;
  remove(id: string): void;
}

interface TableShadow<T> {
  put(record: T): void;
  remove(id: string): void;
}

/** A table in memory that tells its shadow of each change first: when that fails, nothing has changed. */
export function createTable<T extends { readonly id: string }>(rows: Map<string, T>, shadow: TableShadow<T>): Table<T> {
  return {
    get: (id) => rows.get(id),
    list: () => [...rows.values()].reverse(),
    put(record) {
      shadow.put(record);
      rows.set(record.id, record);
    },
    hold(record) {
      rows.set(record.id, record);
    },
    remove(id) {
      if (!rows.has(id)) return;
      shadow.remove(id);
      rows.delete(id);
    },
  };
}
