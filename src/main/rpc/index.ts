import type { rpcContract } from "#contract";
import { app } from "./app.ts";
import { os } from "./base.ts";
import { batches } from "./batches.ts";
import { build, drafts, sources } from "./build.ts";
import { compare } from "./compare.ts";
import { connections } from "./connections.ts";
import { desktop } from "./desktop.ts";
import { exports } from "./exports.ts";
import { files } from "./files.ts";
import { folder } from "./folder.ts";
import { grades } from "./grades.ts";
import { playground } from "./playground.ts";
import { results } from "./results.ts";
import { server } from "./server.ts";
import { storage } from "./storage.ts";
import { verifications } from "./verifications.ts";

export type { RpcContext } from "./base.ts";
export { readConnectionNames } from "./batches.ts";
export { readCostReport } from "./cost-report.ts";
export type { DesktopHost } from "./desktop-host.ts";
export type { FolderCare } from "./folder-care.ts";

const handlers = {
  app,
  batches,
  build,
  compare,
  connections,
  desktop,
  drafts,
  exports,
  files,
  folder,
  grades,
  playground,
  results,
  server,
  sources,
  storage,
  verifications,
};

/** Compiles only where each handler is in the contract: what is not in the contract can't be reached. */
type InContract<Handlers, Contract> = {
  [Domain in keyof Handlers]: Domain extends keyof Contract
    ? Exclude<keyof Handlers[Domain], keyof Contract[Domain]> extends never
      ? Handlers[Domain]
      : never
    : never;
};

/** All that is exposed. A handler that is missing, or one that the contract does not have, does not compile. */
export const router = os.router(handlers satisfies InContract<typeof handlers, typeof rpcContract>);
