/** Loads the readers of tables and the templates of prompts, for a process without Build's thread. */
export function loadTables(): Promise<typeof import("./tables.ts")> {
  return import("./tables.ts");
}
