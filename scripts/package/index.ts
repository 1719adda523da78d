/** `npm run package`: makes sheaf-<version>.tgz. What is in it, and the source maps, stay in out/package. */
import { runNpm } from "../setup/npm.mjs";
import { inProject } from "../setup/paths.mjs";
import { step } from "../setup/print.mjs";
import { buildPackage } from "./build-package.ts";

const folder = inProject("out/package");
await buildPackage(folder);
await step("Packing", "npm could not pack what was built: the message above says why.", () =>
  runNpm(["pack", "--ignore-scripts", "--pack-destination", inProject("."), folder], { quiet: true }),
);
