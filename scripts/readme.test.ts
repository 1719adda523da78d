import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const project = (path: string) => join(import.meta.dirname, "..", path);

test.each(["batch.sh", "batch.py", "batch.mjs"])("the README shows %s as it is tested", async (name) => {
  const readme = await readFile(project("README.md"), "utf8");
  const example = await readFile(project(`examples/mock-server/${name}`), "utf8");
  expect(readme).toContain(`\n${example.trimEnd()}\n\`\`\``);
});

test.each([
  "testing/vitest.test.ts",
  "testing/jest.test.cjs",
  "testing/node-test.test.mjs",
  "testing/test_program.py",
  "containers/compose.yaml",
])("docs/testing.md shows %s as it is", async (name) => {
  const page = await readFile(project("docs/testing.md"), "utf8");
  const example = await readFile(project(`examples/${name}`), "utf8");
  expect(page).toContain(`\n${example.trimEnd()}\n\`\`\``);
});
