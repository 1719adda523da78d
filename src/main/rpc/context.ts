import type { AppInfo, ExportOutcome, ExportRequest } from "#contract";
import type { Ids, Logger } from "#service";
import type { Build } from "../build/index.ts";
import type { BatchApi } from "../connections/index.ts";
import type { ServerSwitch } from "../server/index.ts";
import type { VerifyDesk } from "../verify/index.ts";

/** What the handlers stand on. They hold no state of their own. */
export interface RpcContext {
  readonly api: BatchApi;
  readonly build: Build;
  /** The app's own mock server. */
  readonly server: ServerSwitch;
  readonly verify: VerifyDesk;
  readonly version: string;
  readonly host: AppInfo["host"];
  /** Where the examples that ship with the app are. */
  readonly examplesFolder: string;
  readonly exportFile: (request: ExportRequest) => Promise<ExportOutcome>;
  readonly ids: Ids;
  readonly logger: Logger;
}
