/** Runs electron-builder once: `node packaging/build.mjs '{"kind":…,"targets":[…],"electronDist":…,"output":…}'`. A process of its own, for its many lines. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Arch, build, Platform } from "electron-builder";
import config from "../electron-builder.config.mjs";
import { root } from "../scripts/setup/paths.mjs";
import { createVariant } from "./variant.mjs";

const { targets, leaveOut = [], ...run } = JSON.parse(process.argv[2] ?? "");
// A forge hands over a secret that it doesn't have as an empty text.
for (const name of ["CSC_LINK", "CSC_KEY_PASSWORD", "APPLE_ID", "APPLE_APP_SPECIFIC_PASSWORD", "APPLE_TEAM_ID"])
  if (process.env[name] === "") delete process.env[name];
const signs = Boolean(process.env.CSC_LINK);
if (!signs) process.env.CSC_IDENTITY_AUTO_DISCOVERY = "false";

const variant = createVariant(config, { ...run, signs });
const arch = process.arch === "arm64" ? Arch.arm64 : Arch.x64;
await build({
  projectDir: root,
  targets: Platform.current().createTarget(targets, arch),
  publish: "never",
  config: {
    ...variant,
    files: [...variant.files, ...leaveOut.map((/** @type {string} */ path) => `!${path}`)],
    // What Electron shows when it is started without an app. It goes before checksums of archives are taken.
    afterExtract: async ({ appOutDir }) => {
      for (const resources of ["resources", "Electron.app/Contents/Resources"])
        await rm(join(appOutDir, resources, "default_app.asar"), { force: true });
    },
  },
});
