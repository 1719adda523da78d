import type { DesktopPreferences, PageCommand, PageRequest, Theme, UnsavedDraft } from "#contract";

/** What a page can ask of the desktop app that it is in. */
export interface DesktopHost {
  /** Each request once. The latest caller gets them; that of an earlier page ends. */
  takeRequests(signal?: AbortSignal): AsyncGenerator<PageRequest, void>;
  /** Sets what the menu offers. */
  setCommands(commands: readonly PageCommand[]): void;
  setTheme(theme: Theme): void;
  /** Sets which drafts would lose changes if the page went now. */
  setUnsaved(drafts: readonly UnsavedDraft[]): void;
  preferences(): DesktopPreferences;
  setPreferences(next: DesktopPreferences): void;
  /** A file that was opened with the app, by the id that the page was given. Throws a BuildError for an unknown id. */
  findOpened(id: string): { readonly path: string; readonly name: string };
}
