/** The most tables in the list. */
const mostRecent = 10;

/** The list after a table was opened: it is the first now, and there once. */
export function recentFiles(before: readonly string[], opened: string): readonly string[] {
  return [opened, ...before.filter((path) => path !== opened)].slice(0, mostRecent);
}

/** The list after a table was found to be gone. */
export function withoutRecentFile(before: readonly string[], gone: string): readonly string[] {
  return before.filter((path) => path !== gone);
}
