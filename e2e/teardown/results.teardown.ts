import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { secretLike } from "../fixtures/hidden-secrets.ts";

/** Recordings of tests that failed are packed, and left out. */
test("nothing that a run leaves behind has a key or a token in it", ({ browserName: _ }, { project }) => {
  const secret = new RegExp(secretLike);
  const found = readdirSync(project.outputDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".zip"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => secret.test(readFileSync(path, "latin1")));
  expect(found).toEqual([]);
});
