import { fileURLToPath } from "node:url";

/** Where the parts of the built app are; electron.vite.config.ts puts them there. */
export interface AppPaths {
  readonly preload: string;
  readonly renderer: string;
  readonly examples: string;
  readonly validationWorker: URL;
  readonly judgeWorker: URL;
  readonly buildWorker: URL;
  readonly keychainWorker: URL;
}

/** @param entry `import.meta.url` of the main process's bundle */
export function findAppPaths(entry: string): AppPaths {
  return {
    preload: fileURLToPath(new URL("../preload/index.cjs", entry)),
    renderer: fileURLToPath(new URL("../renderer/", entry)),
    examples: fileURLToPath(new URL("../../examples/", entry)),
    validationWorker: new URL("./validation-worker.js", entry),
    judgeWorker: new URL("./judge-worker.js", entry),
    buildWorker: new URL("./build-worker.js", entry),
    keychainWorker: new URL("./keychain-worker.js", entry),
  };
}
