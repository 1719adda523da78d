import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkCommand, commandFiles, makeOtherCommand } from "./check-command.mjs";
import { call } from "./files.mjs";

/** What an rpm has besides the app's own folder. */
const outside = [
  "/usr/bin/sheaf-desktop",
  "/usr/share/applications/sheaf-desktop.desktop",
  "/usr/share/licenses/sheaf",
  "/usr/share/licenses/sheaf/LICENSE",
  "/usr/share/mime/packages/sheaf-desktop.xml",
];

/**
 * What an rpm needs of the system, as Fedora and openSUSE name it. A name that changes here by accident is one that no
 * repository may have.
 */
const needed = [
  "(libXtst or libXtst6)",
  "(mesa-libgbm or libgbm1)",
  "(nss or mozilla-nss)",
  "alsa-lib",
  "at-spi2-core",
  "gtk3",
  "libXScrnSaver",
  "libc.so.6(GLIBC_2.28)(64bit)",
  "libnotify",
  "libstdc++.so.6(GLIBCXX_3.4.21)(64bit)",
  "xdg-utils",
];

/** @param {string} file */
const readRequired = (file) =>
  call("rpm", ["-qp", "--requires", file])
    .trim()
    .split("\n")
    .filter((name) => !name.startsWith("rpmlib("));

/**
 * What is wrong with an rpm, a sentence each.
 * @param {string} file
 */
export function checkRpm(file) {
  const paths = call("rpm", ["-qlp", file]).trim().split("\n");
  const icons = paths.filter((path) => path.startsWith("/usr/share/icons/hicolor/"));
  const others = paths.filter((path) => !path.startsWith("/opt/Sheaf") && !icons.includes(path));
  const recommended = call("rpm", ["-qp", "--recommends", file]).trim();
  // A root without a shell runs no others.
  const interpreters = Array.from(
    call("rpm", ["-qp", "--scripts", file]).matchAll(/^(\w+) .*\(using (.+)\)/gm),
    ([, when, by]) => `${when} by ${by}`,
  );
  const lacking = commandFiles.filter((path) => !paths.includes(`/${path}`));
  const modes = call("rpm", ["-qplv", file]);
  const architecture = call("rpm", ["-qp", "--queryformat", "%{ARCH}", file]);
  const wanted = process.arch === "arm64" ? "aarch64" : "x86_64";
  const required = readRequired(file).sort();
  return [
    ...(architecture === wanted ? [] : [`Its architecture is ${architecture}, and not ${wanted}.`]),
    ...(required.join() === needed.join() ? [] : [`It requires other packages: ${required.join(", ")}.`]),
    ...(others.join() === outside.join() ? [] : [`It has other files: ${others.join(", ")}.`]),
    ...(icons.length === 9 ? [] : [`It has ${icons.length} icons, and not 9.`]),
    ...lacking.map((path) => `It has no ${path}.`),
    ...(paths.includes("/opt/Sheaf/resources/app.asar") ? [] : ["It has no app.asar."]),
    ...(recommended === "libsecret" ? [] : [`It recommends "${recommended}", and not libsecret.`]),
    ...(interpreters.join() === "postinstall by <lua>,postuninstall by <lua>"
      ? []
      : [`It has other scripts: ${interpreters.join(", ")}.`]),
    ...(/^-rwsr-xr-x .* root +root .*chrome-sandbox$/m.test(modes) ? [] : ["chrome-sandbox is not root's helper."]),
  ];
}

/**
 * Installs an rpm below a root of its own, as a user's dnf does. No repository of rpms is asked: a package without files stands for
 * everything that it requires.
 * @param {string} file
 * @returns {Promise<import("../scripts/setup/checks.mjs").Outcome>}
 */
export async function checkInstalledByDnf(file) {
  if (spawnSync("dnf", ["--version"]).status !== 0)
    return { passed: true, leftOut: "The rpm was not installed: there is no dnf here (apt-get install dnf)." };
  if (process.getuid?.() !== 0) return { passed: true, leftOut: "The rpm was not installed: that takes root." };
  const work = mkdtempSync(join(tmpdir(), "sheaf-rpm-"));
  try {
    const root = join(work, "root");
    mkdirSync(root);
    const args = [`--installroot=${root}`, "--disablerepo=*", "--setopt=install_weak_deps=False", "--assumeyes"];
    const dnf = (/** @type {string[]} */ ...what) => {
      const { status, stdout, stderr } = spawnSync("dnf", [...args, ...what], { encoding: "utf8" });
      return { status, output: `${stdout}${stderr}` };
    };
    const packages = [makeStub(readRequired(file), work), file];
    const { status, output } = dnf("install", ...packages);
    if (status !== 0) return { passed: false, output: `dnf does not install it:\n${output}` };
    const lacking = ["opt/Sheaf/resources/app.asar", "opt/Sheaf/sheaf-desktop"].filter(
      (path) => !existsSync(join(root, path)),
    );
    const problems = [...lacking.map((path) => `Installed, it has no ${path}.`), ...(await checkCommand(root))];
    dnf("reinstall", file);
    if (!existsSync(join(root, "usr/bin/sheaf"))) problems.push("Installed again, it has no command.");
    dnf("remove", "sheaf");
    if (lstatSync(join(root, "usr/bin/sheaf"), { throwIfNoEntry: false }))
      problems.push("Removed, it leaves its command.");
    makeOtherCommand(root);
    if (!dnf("install", ...packages).output.includes("stays as it is"))
      problems.push("It is silent about another command.");
    dnf("remove", "sheaf");
    if (!lstatSync(join(root, "usr/bin/sheaf"), { throwIfNoEntry: false }))
      problems.push("Removed, it takes another command away.");
    return { passed: problems.length === 0, output: problems.join("\n") };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Makes an rpm without files that provides what another requires: of alternatives, the first.
 * @param {readonly string[]} required
 * @param {string} work
 */
function makeStub(required, work) {
  const provided = required.map((name) => name.replace(/^\((\S+) or .+\)$/, "$1"));
  const spec = join(work, "stub.spec");
  writeFileSync(
    spec,
    `Name: stub\nVersion: 1\nRelease: 1\nSummary: Stub\nLicense: MIT\nBuildArch: noarch\nAutoReqProv: no
${provided.map((name) => `Provides: ${name}\n`).join("")}
%description
Stub
%files
`,
  );
  const folders = ["--define", `_topdir ${join(work, "rpmbuild")}`, "--define", `_rpmdir ${work}`];
  call("rpmbuild", ["-bb", "--quiet", ...folders, "--define", "_build_name_fmt stub.rpm", spec]);
  return join(work, "stub.rpm");
}
