import type { AppInfo } from "#contract";

/** The place where the app runs, as far as the app needs to know. */
export interface AppHost {
  readonly kind: AppInfo["host"];
  /** Asks where to save a file; null when the user thinks better of it. A host without it is given links instead. */
  saveFile?(suggestedName: string): Promise<string | null>;
  /** Tells the user of something, unless the app is in front. A host without it leaves that to the page. */
  notify?(notice: { readonly title: string; readonly body: string }): void;
}
