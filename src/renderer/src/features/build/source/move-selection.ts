/** The row to select when a key is pressed in the table; null for keys that don't move. Rows count from 1. */
export function moveSelection(key: string, row: number, rowCount: number, page: number): number | null {
  const targets: Partial<Record<string, number>> = {
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    PageUp: row - page,
    PageDown: row + page,
    Home: 1,
    End: rowCount,
  };
  const target = targets[key];
  return target === undefined ? null : Math.max(1, Math.min(target, rowCount));
}
