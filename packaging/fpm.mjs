/**
 * What electron-builder calls in place of fpm, by CUSTOM_FPM_PATH: it takes the arguments that electron-builder gives, and makes
 * a deb with dpkg-deb or an rpm with rpmbuild. fpm itself would be a download of Ruby and 40 MB.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { makeDeb } from "./deb.mjs";
import { call } from "./files.mjs";
import { makeRpm } from "./rpm.mjs";

/** An option that is not here ends the run: a later electron-builder may mean something by it. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "input-type": { type: "string", short: "s" },
    "output-type": { type: "string", short: "t" },
    force: { type: "boolean" },
    depends: { type: "string", short: "d", multiple: true },
    architecture: { type: "string" },
    "after-install": { type: "string" },
    "after-remove": { type: "string" },
    category: { type: "string" },
    description: { type: "string" },
    license: { type: "string" },
    maintainer: { type: "string" },
    name: { type: "string" },
    package: { type: "string" },
    url: { type: "string" },
    vendor: { type: "string" },
    version: { type: "string" },
    "deb-changelog": { type: "string" },
    "deb-compression": { type: "string" },
    "deb-priority": { type: "string" },
    "deb-recommends": { type: "string", multiple: true },
    "rpm-compression": { type: "string" },
    "rpm-os": { type: "string" },
    "rpm-summary": { type: "string" },
    "rpm-tag": { type: "string", multiple: true },
  },
});

/** @typedef {typeof values} FpmOptions */

const work = mkdtempSync(join(tmpdir(), "sheaf-fpm-"));
try {
  // What is installed, as it will be below the root.
  const tree = join(work, "tree");
  for (const pair of positionals) {
    const [from = "", to = ""] = pair.split("=");
    const target = join(tree, to);
    mkdirSync(dirname(target), { recursive: true });
    call("cp", ["--archive", from.replace(/\/$/, ""), target]);
  }
  if (values["output-type"] === "deb") makeDeb(values, tree);
  else makeRpm(values, tree, work);
} finally {
  rmSync(work, { recursive: true, force: true });
}
