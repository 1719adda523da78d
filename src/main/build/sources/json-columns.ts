import { isJsonObject, type JsonObject } from "#main/answers";
import { tellApart } from "./column-names.ts";

/** An object with more keys than this is a table of its own: it stays one column, as JSON. */
const mostInnerKeys = 40;

interface KeyTree {
  readonly keys: Map<string, KeyTree>;
  /** True where the value was no object in some row: it stays one column. */
  isValue: boolean;
}

const createTree = (): KeyTree => ({ keys: new Map(), isValue: false });

/**
 * Collects the columns of objects, in the order in which they are first seen: keys, and paths of keys of inner objects.
 * Every row is to be given: a value that is an object in some rows only is one column.
 */
export function createColumnCollector() {
  const root = createTree();

  function add(tree: KeyTree, object: JsonObject): void {
    for (const key in object) {
      let inner = tree.keys.get(key);
      if (inner === undefined) {
        inner = createTree();
        tree.keys.set(key, inner);
      }
      if (inner.isValue) continue;
      const value = object[key];
      if (isJsonObject(value)) {
        add(inner, value);
        if (inner.keys.size <= mostInnerKeys) continue;
      } else if (value === null) continue;
      inner.isValue = true;
      inner.keys.clear();
    }
  }

  function* paths({ keys, isValue }: KeyTree, path: string[]): Generator<string[]> {
    if (isValue || keys.size === 0) yield path;
    else for (const [key, inner] of keys) yield* paths(inner, [...path, key]);
  }

  return {
    /** The keys of the outermost objects so far: as many columns there are at least. */
    get width(): number {
      return root.keys.size;
    },
    add: (object: JsonObject) => add(root, object),
    /** Names that repeat, such as those of `a.b` and of `b` inside of `a`, are told apart. */
    result() {
      const found = [...root.keys].flatMap(([key, inner]) => [...paths(inner, [key])]);
      return { paths: found, ...tellApart(found.map((path) => path.join("."))) };
    },
  };
}
