import type { AppInfo } from "#contract";
import type { DesktopHost } from "#main/rpc";

/** News of a batch. */
export interface BatchNotice {
  readonly batchId: string;
  readonly title: string;
  readonly body: string;
}

/** What the app needs of the host that it runs in. */
export interface AppHost {
  readonly kind: AppInfo["host"];
  /**
   * Asks where to save a file; null when the user cancels. `reason`: why another place or name is needed. A host without it gets
   * links instead.
   */
  saveFile?(suggestedName: string, reason?: string): Promise<string | null>;
  /** Shows a file that was saved, in the system's file manager. */
  showInFolder?(path: string): void;
  /** Shows a notification, unless the app is in front. A host without it leaves that to the page. */
  notify?(notice: BatchNotice): void;
  /** What a page can ask of the desktop app. */
  readonly desktop?: DesktopHost;
}
