import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { writeCommandPage } from "./testing/command-page.ts";

/** `npm run docs` writes it anew. */
const page = fileURLToPath(new URL("../../../docs/cli.md", import.meta.url));

test("docs/cli.md has the commands and flags as they are", async () => {
  await expect(writeCommandPage()).toMatchFileSnapshot(page);
});
