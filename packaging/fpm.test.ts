import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const script = join(import.meta.dirname, "fpm.mjs");
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sheaf-fpm-test-"));
  mkdirSync(join(folder, "app"));
  for (const name of ["program", "chrome-sandbox"])
    writeFileSync(join(folder, "app", name), "#!/bin/sh\n", { mode: 0o700 });
  writeFileSync(join(folder, "app/data"), "x", { mode: 0o600 });
  symlinkSync("/opt/App/program", join(folder, "link"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Calls it as electron-builder does. */
function pack(type: string, file: string, ...args: string[]) {
  const about = ["--name", "app", "--version", "1.2.0", "--url", "https://app.test", "--license", "MIT"];
  const by = [
    "--maintainer",
    "Ada <ada@app.test>",
    "--vendor",
    "Ada <ada@app.test>",
    "--description",
    "Short\n Long text",
  ];
  const files = [`${folder}/app/=/opt/App`, `${folder}/link=/usr/bin/app`];
  const common = ["-s", "dir", "--force", "-t", type, "--package", join(folder, file)];
  return spawnSync(process.execPath, [script, ...common, ...about, ...by, ...args, ...files], { encoding: "utf8" });
}

test("an argument that it doesn't know ends it, and nothing is made", () => {
  const { status, stderr } = pack("deb", "app.deb", "--architecture", "amd64", "--deb-systemd", "app.service");
  expect(status).not.toBe(0);
  expect(stderr).toContain("Unknown option '--deb-systemd'");
});

test.skipIf(!has("dpkg-deb"))(
  "a deb has its fields, its scripts, and files that are root's with the rights of installed ones",
  () => {
    writeFileSync(join(folder, "after"), "#!/bin/sh\n");
    const args = [
      "--architecture",
      "amd64",
      "-d",
      "libc6 | libc",
      "--deb-recommends",
      "libsecret-1-0",
      "--after-install",
      join(folder, "after"),
    ];
    expect(pack("deb", "app.deb", ...args)).toMatchObject({ status: 0, stderr: "" });
    const read = (what: string) => spawnSync("dpkg-deb", [what, join(folder, "app.deb")], { encoding: "utf8" }).stdout;
    expect(read("--field")).toBe(
      "Package: app\nVersion: 1.2.0\nArchitecture: amd64\nInstalled-Size: 3\nDepends: libc6 | libc\n" +
        "Recommends: libsecret-1-0\nMaintainer: Ada <ada@app.test>\nHomepage: https://app.test\nDescription: Short\n Long text\n",
    );
    expect(read("--info")).toContain("postinst");
    const rights = new Map(
      read("--contents")
        .split("\n")
        .map((line) => [line.slice(48).trim(), line.slice(0, 20)]),
    );
    expect(Object.fromEntries(rights)).toMatchObject({
      "./opt/App/program": "-rwxr-xr-x root/root",
      "./opt/App/chrome-sandbox": "-rwsr-xr-x root/root",
      "./opt/App/data": "-rw-r--r-- root/root",
      "./usr/bin/app -> /opt/App/program": "lrwxrwxrwx root/root",
    });
  },
);

test.skipIf(!has("rpmbuild"))(
  "an rpm has rpm's name of the architecture, owns its own folders alone, and runs its scripts by itself",
  () => {
    const args = [
      "--architecture",
      "amd64",
      "-d",
      "glibc",
      "--rpm-summary",
      "Short",
      "--rpm-tag",
      "Recommends: libsecret",
      "--after-install",
      join(folder, "after.lua"),
    ];
    writeFileSync(join(folder, "after.lua"), 'print("%{name}")\n');
    expect(pack("rpm", "app.rpm", ...args)).toMatchObject({ status: 0 });
    const read = (...what: string[]) =>
      spawnSync("rpm", ["-qp", ...what, join(folder, "app.rpm")], { encoding: "utf8" }).stdout;
    expect(read("-l")).toBe("/opt/App\n/opt/App/chrome-sandbox\n/opt/App/data\n/opt/App/program\n/usr/bin/app\n");
    expect(read("--recommends")).toBe("libsecret\n");
    expect(read("--scripts").trim()).toBe('postinstall scriptlet (using <lua>):\nprint("%{name}")');
    expect(read("--queryformat", "%{ARCH}")).toBe("x86_64");
  },
);
