import { appContract } from "./app.ts";
import { batchesContract } from "./batches.ts";
import { buildContract } from "./build.ts";
import { compareContract } from "./compare.ts";
import { connectionsContract } from "./connections.ts";
import { desktopContract } from "./desktop.ts";
import { draftsContract } from "./drafts.ts";
import { exportsContract } from "./exports.ts";
import { filesContract } from "./files.ts";
import { folderContract } from "./folder.ts";
import { gradesContract } from "./grades.ts";
import { playgroundContract } from "./playground.ts";
import { resultsContract } from "./results.ts";
import { serverContract } from "./server.ts";
import { sourcesContract } from "./sources.ts";
import { storageContract } from "./storage.ts";
import { verificationsContract } from "./verifications.ts";

/** Everything that the page can ask of the main process. Nothing that is not in this list can be reached. */
export const rpcContract = {
  app: appContract,
  batches: batchesContract,
  compare: compareContract,
  connections: connectionsContract,
  desktop: desktopContract,
  playground: playgroundContract,
  results: resultsContract,
  sources: sourcesContract,
  drafts: draftsContract,
  build: buildContract,
  exports: exportsContract,
  files: filesContract,
  folder: folderContract,
  grades: gradesContract,
  server: serverContract,
  storage: storageContract,
  verifications: verificationsContract,
};
