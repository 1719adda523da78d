import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { call, listTree, setModes } from "./files.mjs";

/**
 * Makes a deb of a tree.
 * @param {import("./fpm-options.mjs").FpmOptions} options
 * @param {string} tree becomes the package's: its control files are written into it
 */
export function makeDeb(options, tree) {
  const {
    name = "",
    "deb-changelog": changelog,
    "deb-compression": compression = "xz",
    package: target = "",
  } = options;
  if (changelog !== undefined) {
    const packed = join(tree, `usr/share/doc/${name}/changelog.gz`);
    mkdirSync(dirname(packed), { recursive: true });
    writeFileSync(packed, gzipSync(readFileSync(changelog), { level: 9 }));
  }
  setModes(tree);
  const files = listTree(tree).filter(({ stats }) => stats.isFile());
  const control = join(tree, "DEBIAN");
  mkdirSync(control);
  const sums = files.map(
    ({ path }) =>
      `${createHash("md5")
        .update(readFileSync(join(tree, path)))
        .digest("hex")}  ${path}\n`,
  );
  writeFileSync(join(control, "md5sums"), sums.join(""));
  const kilobytes = files.reduce((sum, { stats }) => sum + Math.ceil(stats.size / 1024), 0);
  writeFileSync(join(control, "control"), describe(options, kilobytes));
  for (const [script, from] of [
    ["postinst", options["after-install"]],
    ["postrm", options["after-remove"]],
  ]) {
    if (from === undefined || script === undefined) continue;
    copyFileSync(from, join(control, script));
    chmodSync(join(control, script), 0o755);
  }
  call("dpkg-deb", ["--root-owner-group", `-Z${compression}`, "--build", tree, target]);
}

/**
 * The control file. Fields without a value are left out.
 * @param {import("./fpm-options.mjs").FpmOptions} options
 * @param {number} kilobytes of the files
 */
function describe(options, kilobytes) {
  const [synopsis = "", ...text] = (options.description ?? "").split("\n");
  const fields = {
    Package: options.name,
    Version: options.version,
    Section: options.category,
    Priority: options["deb-priority"],
    Architecture: options.architecture,
    "Installed-Size": String(kilobytes),
    Depends: options.depends?.join(", "),
    Recommends: options["deb-recommends"]?.join(", "),
    Maintainer: options.maintainer,
    Homepage: options.url,
    Description: [synopsis, ...wrap(text.join(" "))].join("\n "),
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([field, value]) => `${field}: ${value}\n`)
    .join("");
}

/**
 * Lines of at most 78 characters.
 * @param {string} text
 */
function wrap(text) {
  return text.match(/\S.{0,77}(?=\s|$)/g) ?? [];
}
