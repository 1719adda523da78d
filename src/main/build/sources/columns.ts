/** The most columns that a file of JSON lines is given; keys beyond them are left out. */
const mostColumns = 1000;

/** Column names from a header row: without spaces around them, the empty ones named by place, none twice. */
export function nameColumns(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, index) => {
    const name = cell.trim() || `column_${index + 1}`;
    let unique = name;
    for (let copy = 2; taken.has(unique); copy++) unique = `${name}_${copy}`;
    taken.add(unique);
    return unique;
  });
}

/** Column names for a table without a header row: `column_1`, `column_2` … */
export function numberColumns(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `column_${index + 1}`);
}

/** Collects the keys of objects, in the order in which they are first seen. */
export function createKeyCollector() {
  const names = new Set<string>();
  let objects = 0;
  return {
    get objects(): number {
      return objects;
    },
    add(object: object): void {
      objects += 1;
      for (const key of Object.keys(object)) if (names.size < mostColumns) names.add(key);
    },
    names: () => [...names],
  };
}
