import { app } from "electron";
import type { Openings } from "./openings.ts";
import { recentFiles, withoutRecentFile } from "./policy/recent-files.ts";
import type { ShellStateFile } from "./shell-state.ts";

/** Remembers the tables that were opened last, here and where the system has such a list. */
export function setupRecentFiles(openings: Openings, state: ShellStateFile, onChange: () => void): { clear(): void } {
  const set = (paths: readonly string[]) => {
    state.change({ recentFiles: [...paths] });
    onChange();
  };
  openings.follow(({ path, isThere }) => {
    const before = state.get().recentFiles;
    if (isThere) app.addRecentDocument(path);
    set(isThere ? recentFiles(before, path) : withoutRecentFile(before, path));
  });
  return {
    clear() {
      app.clearRecentDocuments();
      set([]);
    },
  };
}
