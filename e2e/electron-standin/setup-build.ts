import { ensureBuild } from "../../scripts/setup/build.mjs";

/** Builds the app once for all test files, when its sources have changed since the last build. */
export async function setup(): Promise<void> {
  if (process.env.SHEAF_BUILT_APP === undefined) await ensureBuild(process.execPath);
}
