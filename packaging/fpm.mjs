/**
 * What electron-builder calls in place of fpm, by CUSTOM_FPM_PATH: it takes the arguments that electron-builder gives, and makes
 * a deb with dpkg-deb or an rpm with rpmbuild. fpm itself would be a download of Ruby and 40 MB.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeDeb } from "./deb.mjs";
import { call } from "./files.mjs";
import { readArguments } from "./fpm-options.mjs";
import { makeRpm } from "./rpm.mjs";

const { values, positionals } = readArguments();

const work = mkdtempSync(join(tmpdir(), "sheaf-fpm-"));
try {
  // What is installed, as it will be below the root.
  const tree = join(work, "tree");
  for (const pair of positionals) {
    const [from = "", to = ""] = pair.split("=");
    const target = join(tree, to);
    mkdirSync(dirname(target), { recursive: true });
    // The target may be a folder that already has other files.
    call("cp", ["--archive", "--no-target-directory", from.replace(/\/$/, ""), target]);
  }
  if (values["output-type"] === "deb") makeDeb(values, tree);
  else makeRpm(values, tree, work);
} finally {
  rmSync(work, { recursive: true, force: true });
}
