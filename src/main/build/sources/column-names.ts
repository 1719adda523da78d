/** Names of which none is twice: the later ones get `_2`, `_3` … and are listed in `renamed`. */
export function tellApart(names: readonly string[]): { columns: string[]; renamed: string[] } {
  const taken = new Set<string>();
  const renamed: string[] = [];
  const columns = names.map((name) => {
    let unique = name;
    for (let copy = 2; taken.has(unique); copy++) unique = `${name}_${copy}`;
    if (unique !== name) renamed.push(unique);
    taken.add(unique);
    return unique;
  });
  return { columns, renamed };
}

/** Column names from a header row: without spaces around them, the empty ones named by position, none twice. */
export function nameColumns(header: readonly string[]): { columns: string[]; renamed: string[] } {
  return tellApart(header.map((cell, index) => cell.trim() || numberedColumn(index)));
}

/** The name of a column, counted from 0, that has none: `column_1`, `column_2` … */
export function numberedColumn(index: number): string {
  return `column_${index + 1}`;
}
