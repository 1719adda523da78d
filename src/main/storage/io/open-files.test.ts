import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeMachine } from "../../base/clock/fake-machine.ts";
import { makeTempDir } from "../../service/testing/index.ts";
import { createOpenFiles, divideHandles } from "./open-files.ts";

test("of more files than there are places the rest waits, what is only kept open makes room, and nothing waits for ever", async () => {
  const path = join(await makeTempDir(), "file");
  await writeFile(path, "x");
  const machine = createFakeMachine();
  const files = createOpenFiles(2, machine);
  const kept = await files.open(path, "r", undefined, () => void kept.close());
  const first = await files.open(path);
  const second = await files.open(path);
  expect(kept.fd).toBe(-1);
  let isThere = false;
  const third = files.open(path).finally(() => {
    isThere = true;
  });
  await machine.advance(1_000);
  expect(isThere).toBe(false);
  await first.close();
  await (await third).close();
  // A second one: there are two places, and both are taken.
  const fourth = await files.open(path);
  const late = files.open(path);
  await machine.advance(5_000);
  for (const file of [second, fourth, await late]) await file.close();
});

test("a limit is divided so that all shares fit into it", () => {
  for (const limit of [256, 1_024, 4_096, 1_048_576]) {
    const { files, threadFiles, connections } = divideHandles(limit);
    expect(files + 4 * threadFiles + connections).toBeLessThanOrEqual(limit);
  }
  expect(divideHandles(64)).toEqual({ files: 4, threadFiles: 2, connections: 8 });
  expect(divideHandles(Number.POSITIVE_INFINITY).files).toBe(512);
});
