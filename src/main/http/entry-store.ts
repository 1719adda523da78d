/** What the store needs of an entry. */
export interface StoredEntry {
  readonly id: string;
  readonly scope: string;
  /** Counts all entries, as they came. */
  readonly number: number;
  /** Of all but its bodies, in bytes. */
  readonly ownBytes: number;
  /** Called when its bodies have to go. */
  dropBodies(): void;
}

export interface EntryLimits {
  /** Entries of all scopes. */
  readonly entries: number;
  /** Bytes of all entries without their bodies. */
  readonly ownBytes: number;
  /** Bytes of all bodies. */
  readonly bodyBytes: number;
}

/**
 * Keeps entries within limits. Where there are too many, the oldest of the scope with the most entries goes. Where their
 * bodies are too large, the oldest bodies of the scope with the largest go, and the entries stay. So a busy scope takes
 * nothing from the others.
 */
export interface EntryStore<Entry extends StoredEntry> {
  add(entry: Entry): void;
  /** Counts the bodies of an entry once they are complete. Those of an entry that is gone don't count. */
  countBodies(entry: Entry, bytes: number): void;
  /** Of a scope, or of all; those of each scope in the order in which they came. */
  list(scope?: string): Entry[];
  find(id: string): Entry | undefined;
  /** Those of a scope, or all. */
  clear(scope?: string): void;
}

interface Node<Entry> {
  readonly entry: Entry;
  next: Node<Entry> | null;
  bodyBytes: number;
}

/** The entries of a scope, as a list from the oldest to the newest. */
interface Shelf<Entry> {
  first: Node<Entry> | null;
  last: Node<Entry> | null;
  count: number;
  bodyBytes: number;
  /** No entry before it has bodies; null where none has. */
  oldestBodies: Node<Entry> | null;
}

export function createEntryStore<Entry extends StoredEntry>(limits: EntryLimits): EntryStore<Entry> {
  const shelves = new Map<string, Shelf<Entry>>();
  const nodes = new Map<string, Node<Entry>>();
  let bodyBytes = 0;
  let ownBytes = 0;

  function openShelf(scope: string): Shelf<Entry> {
    const known = shelves.get(scope);
    if (known !== undefined) return known;
    const shelf = { first: null, last: null, count: 0, bodyBytes: 0, oldestBodies: null };
    shelves.set(scope, shelf);
    return shelf;
  }

  function setBodies(shelf: Shelf<Entry>, node: Node<Entry>, bytes: number): void {
    const change = bytes - node.bodyBytes;
    node.bodyBytes = bytes;
    shelf.bodyBytes += change;
    bodyBytes += change;
  }

  function removeOldest(): void {
    const shelf = findLargest(shelves.values(), ({ count }) => count);
    const node = shelf?.first ?? null;
    if (shelf === null || node === null) return;
    setBodies(shelf, node, 0);
    if (shelf.oldestBodies === node) shelf.oldestBodies = node.next;
    shelf.first = node.next;
    if (node.next === null) shelves.delete(node.entry.scope);
    shelf.count -= 1;
    nodes.delete(node.entry.id);
    ownBytes -= node.entry.ownBytes;
  }

  function dropOldestBodies(): void {
    const shelf = findLargest(shelves.values(), (each) => each.bodyBytes);
    if (shelf === null) return;
    let node = shelf.oldestBodies;
    while (node !== null && node.bodyBytes === 0) node = node.next;
    if (node === null) return;
    node.entry.dropBodies();
    setBodies(shelf, node, 0);
    shelf.oldestBodies = node.next;
  }

  function listShelf({ first }: Shelf<Entry>): Entry[] {
    const entries: Entry[] = [];
    for (let node = first; node !== null; node = node.next) entries.push(node.entry);
    return entries;
  }

  function clear(scope: string): void {
    const shelf = shelves.get(scope);
    if (shelf === undefined) return;
    for (const entry of listShelf(shelf)) {
      nodes.delete(entry.id);
      ownBytes -= entry.ownBytes;
    }
    bodyBytes -= shelf.bodyBytes;
    shelves.delete(scope);
  }

  return {
    add(entry) {
      const shelf = openShelf(entry.scope);
      const node: Node<Entry> = { entry, next: null, bodyBytes: 0 };
      if (shelf.last === null) shelf.first = node;
      else shelf.last.next = node;
      shelf.last = node;
      shelf.count += 1;
      nodes.set(entry.id, node);
      ownBytes += entry.ownBytes;
      while (nodes.size > 1 && (nodes.size > limits.entries || ownBytes > limits.ownBytes)) removeOldest();
    },
    countBodies(entry, bytes) {
      const node = nodes.get(entry.id);
      const shelf = shelves.get(entry.scope);
      if (node === undefined || shelf === undefined || bytes === 0) return;
      setBodies(shelf, node, bytes);
      // Requests end in another order than they come.
      if (shelf.oldestBodies === null || entry.number < shelf.oldestBodies.entry.number) shelf.oldestBodies = node;
      while (bodyBytes > limits.bodyBytes) dropOldestBodies();
    },
    list(scope) {
      const wanted = scope === undefined ? [...shelves.values()] : [shelves.get(scope) ?? []].flat();
      return wanted.flatMap(listShelf);
    },
    find: (id) => nodes.get(id)?.entry,
    clear(scope) {
      for (const name of scope === undefined ? [...shelves.keys()] : [scope]) clear(name);
    },
  };
}

function findLargest<T>(all: Iterable<T>, sizeOf: (one: T) => number): T | null {
  let largest: T | null = null;
  let most = 0;
  for (const one of all) {
    const size = sizeOf(one);
    if (size <= most) continue;
    largest = one;
    most = size;
  }
  return largest;
}
