import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorCodes } from "./errors.ts";

test("each code of an error stands in the decisions, with when it comes", async () => {
  const path = join(import.meta.dirname, "../../../docs/spec/decisions.md");
  const text = await readFile(path, "utf8");
  const rows = text
    .slice(text.indexOf("### All codes"), text.indexOf("### What leads to"))
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const listed = rows.flatMap((row) => Array.from(row.split(" | ")[0]?.matchAll(/`(\w+)`/g) ?? [], ([, code]) => code));
  expect(listed.sort()).toEqual([...errorCodes].sort());
});
