import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createSystemMachine } from "#main/base";
import { makeTempDir } from "../service/testing/index.ts";
import { readColumn } from "./column-file.ts";
import { listKnownLines } from "./known-lines.ts";
import { createLineIndex } from "./line-index.ts";
import { scanRequests } from "./request-lines.ts";

test("a column file with a flipped bit or a byte less is made anew: its values are those of the answers", async () => {
  const folder = await makeTempDir();
  const [origin, file] = [join(folder, "answers"), join(folder, "indexes", "batch.column")];
  await writeFile(origin, ["a", "b", "c"].map((custom_id) => `{"custom_id":"${custom_id}"}\n`).join(""));
  const { starts, checksums } = await scanRequests(origin);
  const { lineAt: _, ...known } = listKnownLines(createLineIndex(starts, checksums).columns, "input");
  async function read(): Promise<unknown[]> {
    const values: unknown[] = [];
    const reading = { onProgress: () => {}, signal: new AbortController().signal };
    const column = { path: "custom_id", origin: { path: origin, known }, file };
    await readColumn(column, { ...reading, onValue: (_, value) => values.push(value) }, createSystemMachine());
    return values;
  }
  expect(await read()).toEqual(["a", "b", "c"]);
  const written = await readFile(file);
  for (let at = written.length - 1; at >= 0; at -= 7) {
    for (const damaged of [written.with(at, (written[at] ?? 0) ^ 1), written.subarray(0, at)]) {
      await writeFile(file, damaged);
      expect(await read(), `byte ${at}`).toEqual(["a", "b", "c"]);
      expect(await readFile(file)).toEqual(written);
    }
  }
  expect(await readdir(dirname(file))).toEqual(["batch.column"]);
});
