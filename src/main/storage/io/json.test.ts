import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempDir } from "../../service/testing/index.ts";
import { commandWrites } from "./durability.ts";
import { readJsonFile, writeJsonFile } from "./json.ts";

test("a file that was written whole is read as it was, and no changed or missing byte passes for it", async () => {
  const path = join(await makeTempDir(), "settings.json");
  const value = { on: true, name: "ü", list: [1, 2] };
  await writeJsonFile(path, value, commandWrites, 0o600);
  expect(await readJsonFile(path)).toEqual(value);
  const bytes = await readFile(path);
  for (let at = 0; at < bytes.length - 1; at++) {
    for (const changed of [bytes.with(at, (bytes[at] ?? 0) ^ 1), bytes.subarray(0, at)]) {
      await writeFile(path, changed);
      const found = await readJsonFile(path).catch((error: unknown) => error);
      expect(found, `byte ${at}`).toBeInstanceOf(SyntaxError);
    }
  }
});

test("a file of a version that wrote no checksum is read; none is undefined, and one of a newer form is refused", async () => {
  const folder = await makeTempDir();
  const path = join(folder, "settings.json");
  expect(await readJsonFile(path)).toBeUndefined();
  await writeFile(path, '{"on": true}');
  expect(await readJsonFile(path)).toEqual({ on: true });
  await writeJsonFile(path, { sealed: 2 }, commandWrites);
  await expect(readJsonFile(path)).rejects.toThrow("newer version");
});
