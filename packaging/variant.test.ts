import { describe, expect, test } from "vitest";
import { z } from "zod";
import config from "../electron-builder.config.mjs";
import { createVariant } from "./variant.mjs";

const run = { electronDist: "electron", output: "dist", signs: true } as const;

describe("electron-builder.config.mjs", () => {
  test("defines no type of file anew that systems know, and makes Sheaf the default for none", () => {
    expect(config.linux.fileAssociations.map(({ ext }) => ext)).toEqual(["jsonl", "parquet"]);
    expect(config.mac.fileAssociations.every(({ rank }) => rank === "Alternate")).toBe(true);
    expect(config.win).not.toHaveProperty("fileAssociations");
    expect(config).not.toHaveProperty("fileAssociations");
  });

  test("gives the app no arguments, so that no package turns the sandbox off", () => {
    expect(config.linux.executableArgs).toEqual([]);
    for (const part of [config.deb, config.rpm]) expect(part).not.toHaveProperty("executableArgs");
    expect(JSON.stringify(config)).not.toContain("no-sandbox");
  });

  test("keeps data when it is uninstalled, and installs for one user", () => {
    expect(config.nsis).toMatchObject({ perMachine: false, deleteAppDataOnUninstall: false, allowElevation: false });
  });

  test("takes in nothing but what it lists", () => {
    const [keytar, ...patterns] = config.files;
    expect(keytar).toMatchObject({ from: "node_modules/keytar" });
    expect(patterns[0]).toBe("!**/*");
    expect(config.asarUnpack).toEqual(["node_modules/keytar/build/Release/keytar.node"]);
  });
});

test("a release is as the configuration says, with its fuses", () => {
  const variant = createVariant(config, { ...run, kind: "release" });
  expect(variant).toMatchObject({ artifactName: config.artifactName, mac: config.mac, electronDist: "electron" });
  expect(variant.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  });
  expect(variant.directories).toEqual({ ...config.directories, output: "dist" });
});

test.each(["test", "unrunnable"] as const)("a package of the kind %s has it in each of its names", (kind) => {
  const variant = createVariant(config, { ...run, kind });
  const names = [variant, variant.deb, variant.rpm, variant.nsis, variant.portable].map((part) =>
    z.object({ artifactName: z.string() }).parse(part),
  );
  for (const { artifactName } of names) expect(artifactName).toMatch(new RegExp(`^sheaf-${kind}[-_]`));
  expect(variant.files).toEqual(config.files);
});

test("the inspector is left on in a test build alone", () => {
  const fuses = (["release", "test", "unrunnable"] as const).map(
    (kind) => createVariant(config, { ...run, kind }).electronFuses.enableNodeCliInspectArguments,
  );
  expect(fuses).toEqual([false, true, false]);
});

test("without a certificate, macOS is signed ad hoc, without the hardened runtime", () => {
  const { mac } = createVariant(config, { ...run, signs: false, kind: "release" });
  expect(mac).toMatchObject({ identity: "-", hardenedRuntime: false, notarize: false });
});
