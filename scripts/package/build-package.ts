import { chmod, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exampleNameSchema } from "#contract";
import { writeServeFlags } from "../../src/main/cli/testing/command-page.ts";
import { createTable } from "../../src/main/requests/tokens/vocabulary-table.ts";
import { inProject } from "../setup/paths.mjs";
import { bundleCode, bundleTypes } from "./bundle.ts";
import { createManifest } from "./manifest.ts";

/** Puts together what is published, in a folder: `npm pack` makes the tarball of it. The page has been built before. */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const code = join(folder, "out/main");
  await mkdir(code, { recursive: true });
  const [licenses] = await Promise.all([
    bundleCode(code),
    bundleTypes(code),
    writeFile(join(code, "o200k.bin"), createTable()),
    copy("out/renderer"),
    copy("scripts/package/sheaf.cjs", "bin/sheaf.cjs"),
    copy("scripts/package/testing.cjs", "out/main/testing.cjs"),
    writeReadme(),
    copy("LICENSE"),
    ...exampleNameSchema.options.flatMap((name) => [copy(`examples/${name}.jsonl`), copy(`examples/${name}.LICENSE`)]),
  ]);
  await chmod(join(folder, "bin/sheaf.cjs"), 0o755);
  await writeFile(join(folder, "out/main/licenses.md"), licenses);
  const root = JSON.parse(await readFile(inProject("package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), `${JSON.stringify(createManifest(root), null, 2)}\n`);

  async function writeReadme(): Promise<void> {
    const text = await readFile(inProject("scripts/package/readme.md"), "utf8");
    await writeFile(join(folder, "README.md"), text.replace("<!-- flags -->", writeServeFlags));
  }

  async function copy(path: string, target = path): Promise<void> {
    await mkdir(dirname(join(folder, target)), { recursive: true });
    await cp(inProject(path), join(folder, target), { recursive: true });
  }
}
