/** Where a key leads in a table, or null if it is not for moving. Without an active row the first one is next. */
export function rowAfterKey(key: string, active: number | null, count: number, page: number): number | null {
  if (count === 0) return null;
  const clamp = (index: number) => Math.min(count - 1, Math.max(0, index));
  switch (key) {
    case "ArrowDown":
      return active === null ? 0 : clamp(active + 1);
    case "ArrowUp":
      return active === null ? 0 : clamp(active - 1);
    case "PageDown":
      return clamp((active ?? 0) + page);
    case "PageUp":
      return clamp((active ?? 0) - page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
