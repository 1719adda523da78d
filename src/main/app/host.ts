import type { AppInfo } from "#contract";
import type { DesktopHost } from "../rpc/index.ts";

/** What the app needs of the host that it runs in. */
export interface AppHost {
  readonly kind: AppInfo["host"];
  /** Asks where to save a file; null when the user cancels. A host without it gets links instead. */
  saveFile?(suggestedName: string): Promise<string | null>;
  /** Shows a notification, unless the app is in front. A host without it leaves that to the page. */
  notify?(notice: { readonly title: string; readonly body: string }): void;
  /** What a page can ask of the desktop app. */
  readonly desktop?: DesktopHost;
}
