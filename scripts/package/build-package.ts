import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exampleNameSchema } from "#contract";
import { writeServeFlags } from "../../src/main/cli/testing/command-page.ts";
import { createTable } from "../../src/main/requests/tokens/vocabulary-table.ts";
import { inProject } from "../setup/paths.mjs";
import { bundleCode, bundleCommand, bundleTypes } from "./bundle.ts";
import { createCommandManifest, createManifest } from "./manifest.ts";

/** Puts together what is published, in a folder: `npm pack` makes the tarball of it. The page has been built before. */
export async function buildPackage(folder: string): Promise<void> {
  const code = join(folder, "out/main");
  await build(folder, createManifest, async () => {
    const [licenses] = await Promise.all([
      bundleCode(code),
      bundleTypes(code),
      copy("scripts/package/sheaf.cjs", join(folder, "bin/sheaf.cjs")),
      copy("scripts/package/testing.cjs", join(code, "testing.cjs")),
      writeReadme(folder),
    ]);
    await chmod(join(folder, "bin/sheaf.cjs"), 0o755);
    return licenses;
  });
}

/** Puts together the command and the page that it serves, for packages of a system: the npm package without the test helpers. */
export async function buildCommand(folder: string): Promise<void> {
  await build(folder, createCommandManifest, () => bundleCommand(join(folder, "out/main")));
}

/** What both have. `writeCode` writes the code, and returns the licenses of what is in it. */
async function build(
  folder: string,
  toManifest: (root: unknown) => object,
  writeCode: () => Promise<string>,
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const code = join(folder, "out/main");
  await mkdir(code, { recursive: true });
  const examples = exampleNameSchema.options.flatMap((name) => [`examples/${name}.jsonl`, `examples/${name}.LICENSE`]);
  const [licenses] = await Promise.all([
    writeCode(),
    writeFile(join(code, "o200k.bin"), createTable()),
    ...["out/renderer", "LICENSE", ...examples].map((path) => copy(path, join(folder, path))),
  ]);
  await writeFile(join(code, "licenses.md"), licenses);
  const root = JSON.parse(await readFile(inProject("package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), `${JSON.stringify(toManifest(root), null, 2)}\n`);
}

async function writeReadme(folder: string): Promise<void> {
  const text = await readFile(inProject("scripts/package/readme.md"), "utf8");
  await writeFile(join(folder, "README.md"), text.replace("<!-- flags -->", writeServeFlags));
}

async function copy(path: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await cp(inProject(path), target, { recursive: true });
}
