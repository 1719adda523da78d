import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { call, listTree, rootsHelper, setModes } from "./files.mjs";

/** Folders that the system has: a package owns its own alone. */
const systemFolder =
  /^(opt|usr(\/(bin|share(\/(applications|icons(\/hicolor(\/.*)?)?|licenses|mime(\/packages)?))?)?)?)$/;

/** What rpm calls the architectures that electron-builder names as Debian does: an rpm of any other name installs nowhere. */
const architectures = new Map([
  ["amd64", "x86_64"],
  ["arm64", "aarch64"],
]);

/**
 * Makes an rpm of a tree. Its scripts are Lua, which rpm runs by itself. Menus, icons and types of files need none: distributions
 * with rpm look after them by triggers, and restrict no user namespaces.
 * @param {import("./fpm-options.mjs").FpmOptions} options
 * @param {string} tree
 * @param {string} work a folder of its own for rpmbuild
 */
export function makeRpm(options, tree, work) {
  const { architecture = "", package: target = "" } = options;
  setModes(tree);
  const spec = join(work, "package.spec");
  writeFileSync(spec, describe(options, tree));
  const top = join(work, "rpmbuild");
  call("rpmbuild", [
    "-bb",
    "--quiet",
    "--target",
    `${architectures.get(architecture) ?? architecture}-linux`,
    "--buildroot",
    tree,
    ...define("_topdir", top),
    ...define("_rpmdir", dirname(target)),
    ...define("_build_name_fmt", target.slice(dirname(target).length + 1)),
    spec,
  ]);
}

/** @type {(name: string, value: string) => string[]} */
const define = (name, value) => ["--define", `${name} ${value}`];

/**
 * @param {import("./fpm-options.mjs").FpmOptions} options
 * @param {string} tree
 */
function describe(options, tree) {
  const files = listTree(tree)
    .filter(({ path, stats }) => !(stats.isDirectory() && systemFolder.test(path)))
    .map(({ path, stats }) => {
      const isLicense = path.startsWith("usr/share/licenses/") && stats.isFile();
      const rights = rootsHelper.test(path) ? "%attr(4755, root, root) " : "";
      return `${stats.isDirectory() ? "%dir " : ""}${isLicense ? "%license " : ""}${rights}"/${path}"`;
    });
  return `# What is packed was built before: nothing in it is stripped, compressed or searched for what it needs.
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
%global _binary_payload w6T0.xzdio
Name: ${options.name}
Version: ${options.version}
Release: 1
Summary: ${options["rpm-summary"]}
License: ${options.license}
URL: ${options.url}
Vendor: ${options.vendor}
Packager: ${options.maintainer}
AutoReqProv: no
${options.depends?.map((each) => `Requires: ${each}\n`).join("")}${options["rpm-tag"]?.map((tag) => `${tag}\n`).join("")}
%description
${options.description}
${describeScript("post", options["after-install"])}${describeScript("postun", options["after-remove"])}
%files
%defattr(-, root, root)
${files.join("\n")}
`;
}

/**
 * A part of the spec file.
 * @param {string} name
 * @param {string | undefined} path
 */
function describeScript(name, path) {
  // To rpmbuild, % begins a macro.
  return path === undefined ? "" : `\n%${name} -p <lua>\n${readFileSync(path, "utf8").replaceAll("%", "%%")}`;
}
