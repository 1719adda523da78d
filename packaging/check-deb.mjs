import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkCommand, commandFiles, makeOtherCommand } from "./check-command.mjs";
import { call } from "./files.mjs";

/** What lintian finds, with the reason for each. It fails on anything else. */
const known = new Map([
  ["dir-or-file-in-opt", "software from outside the distribution belongs to /opt"],
  ["unstripped-binary-or-object", "Node is as its project publishes it, and keytar as npm installs it"],
  ["embedded-library", "Node brings its libraries, with its licence for them"],
  ["hardening-no-pie", "Node is as its project publishes it"],
  ["script-not-executable", "bin/sheaf starts the bundle, which is that of the npm package"],
  ["elevated-privileges", "chrome-sandbox is Chromium's sandbox where there are no user namespaces"],
  ["no-manual-page", "the program has windows; it takes no options that users need"],
]);

/**
 * What is wrong with a deb, a sentence each.
 * @param {string} file
 * @param {string} work a folder of its own
 */
export async function checkDeb(file, work) {
  const content = join(work, "content");
  mkdirSync(content, { recursive: true });
  call("dpkg-deb", ["--raw-extract", file, content]);
  return [
    ...checkContent(content, call("dpkg-deb", ["--contents", file])),
    ...(await checkInstall(file, join(work, "root"))),
    ...checkByLintian(file),
  ];
}

/**
 * @param {string} content the files, with the control files in DEBIAN
 * @param {string} list the files with their owners and rights
 */
function checkContent(content, list) {
  const problems = [];
  const read = (/** @type {string} */ path) => readFileSync(join(content, path), "utf8");
  const desktop = "usr/share/applications/sheaf-desktop.desktop";
  const needed = [
    "usr/share/doc/sheaf/copyright",
    "usr/share/doc/sheaf/changelog.gz",
    "opt/Sheaf/resources/app.asar",
    ...commandFiles,
    desktop,
  ];
  problems.push(...needed.filter((path) => !existsSync(join(content, path))).map((path) => `It has no ${path}.`));
  const sizes = readdirSync(join(content, "usr/share/icons/hicolor"));
  if (sizes.length !== 9) problems.push(`It has ${sizes.length} icons, and not 9.`);

  const { status, stdout } = spawnSync("desktop-file-validate", [join(content, desktop)], { encoding: "utf8" });
  if (status === null) problems.push("desktop-file-validate is not installed (apt-get install desktop-file-utils).");
  else if (status !== 0 || stdout !== "") problems.push(stdout.trim());
  if (!/^Exec=\/opt\/Sheaf\/sheaf-desktop %U$/m.test(read(desktop)))
    problems.push("The menu entry starts it with other arguments.");
  if (!/^MimeType=.*x-scheme-handler\/sheaf;/m.test(read(desktop)))
    problems.push("The menu entry takes no sheaf: links.");

  const types = Array.from(
    read("usr/share/mime/packages/sheaf-desktop.xml").matchAll(/mime-type type="(.+)"/g),
    ([, type]) => type,
  );
  if (types.join() !== "application/jsonl,application/vnd.apache.parquet")
    problems.push(`It defines the types ${types.join(", ")}.`);

  const profile = read("opt/Sheaf/resources/apparmor-profile");
  if (!/^profile "sheaf-desktop" "\/opt\/Sheaf\/sheaf-desktop" flags=\(unconfined\) \{\s+userns,/m.test(profile))
    problems.push("The AppArmor profile does not allow user namespaces.");
  if (/^(?!.{11}root\/root)/m.test(list.trim())) problems.push("A file is not root's.");
  if (!/^-rwsr-xr-x .*\/chrome-sandbox$/m.test(list)) problems.push("chrome-sandbox is not root's helper.");
  if (!/^Recommends: libsecret-1-0$/m.test(read("DEBIAN/control"))) problems.push("It does not recommend libsecret.");
  const withoutSandbox = [desktop, "DEBIAN/postinst", "DEBIAN/postrm"].filter((path) =>
    read(path).includes("no-sandbox"),
  );
  problems.push(...withoutSandbox.map((path) => `${path} turns the sandbox off.`));
  return problems;
}

/**
 * Installs it below another root, upgrades it there and purges it again: what it brought is gone, what a user has stays.
 * @param {string} file
 * @param {string} target
 */
async function checkInstall(file, target) {
  const problems = [];
  const data = join(target, "home/user/.config/Sheaf/data/journal.jsonl");
  const profile = join(target, "etc/apparmor.d/sheaf-desktop");
  for (const folder of [
    "var/lib/dpkg/info",
    "var/lib/dpkg/updates",
    "etc/apparmor.d",
    "home/user/.config/Sheaf/data",
    "programs",
  ])
    mkdirSync(join(target, folder), { recursive: true });
  writeFileSync(join(target, "var/lib/dpkg/status"), "");
  writeFileSync(data, "a batch\n");
  // AppArmor's parser, as it is on a system that knows the rule.
  writeFileSync(join(target, "programs/apparmor_parser"), '#!/bin/sh\ngrep -q "userns," "$2"\n');
  chmodSync(join(target, "programs/apparmor_parser"), 0o755);
  const before = listFiles(target);
  const dpkg = (/** @type {string[]} */ ...args) =>
    call(
      "dpkg",
      [
        `--root=${target}`,
        "--log=/dev/null",
        "--force-depends",
        "--force-not-root",
        "--force-script-chrootless",
        ...args,
      ],
      {
        env: { ...process.env, PATH: `${join(target, "programs")}:/usr/sbin:/sbin:${process.env.PATH}` },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
  dpkg("--install", file);
  if (!existsSync(join(target, "opt/Sheaf/resources/app.asar"))) problems.push("Installed, it has no app.");
  if (!existsSync(profile)) problems.push("Installed, it has no AppArmor profile.");
  problems.push(...(await checkCommand(target)));
  dpkg("--install", file);
  if (!existsSync(profile)) problems.push("Installed again, it has no AppArmor profile.");
  if (!existsSync(join(target, "usr/bin/sheaf"))) problems.push("Installed again, it has no command.");
  dpkg("--purge", "sheaf");
  const left = listFiles(target).filter((path) => !before.includes(path) && !path.startsWith("var/lib/dpkg/"));
  if (left.length > 0) problems.push(`Purged, it leaves ${left.join(", ")}.`);
  makeOtherCommand(target);
  const other = readlinkSync(join(target, "usr/bin/sheaf"));
  if (!dpkg("--install", file).includes("stays as it is")) problems.push("It is silent about another command.");
  dpkg("--purge", "sheaf");
  if (readlinkSync(join(target, "usr/bin/sheaf")) !== other) problems.push("Purged, it has changed another command.");
  if (readFileSync(data, "utf8") !== "a batch\n") problems.push("Purged, it has changed the user's data.");
  return problems;
}

/** @param {string} folder */
const listFiles = (folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

/** @param {string} file */
function checkByLintian(file) {
  const { status, stdout } = spawnSync("lintian", ["--no-tag-display-limit", "--allow-root", file], {
    encoding: "utf8",
  });
  if (status === null) return ["lintian is not installed (apt-get install lintian)."];
  return stdout
    .split("\n")
    .filter((line) => /^[EWI]: /.test(line) && !known.has(/^\w: \w+: ([\w-]+)/.exec(line)?.[1] ?? ""));
}
