import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, it } from "vitest";
import { indexSource } from "./index-source.ts";

const rows = 500_000;

function* writeArray(): Generator<string> {
  const text = "lorem ipsum dolor sit amet ".repeat(8);
  yield "[";
  for (let id = 0; id < rows; id += 1000) {
    const part = Array.from({ length: 1000 }, (_, at) => JSON.stringify({ id: id + at, meta: { text } }));
    yield `${id === 0 ? "" : ","}${part.join(",\n")}`;
  }
  yield "]";
}

it("a JSON array of more than 100 MB is never in memory as a whole", { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-soak-"));
  try {
    const path = join(folder, "content");
    await pipeline(Readable.from(writeArray()), createWriteStream(path));
    expect((await stat(path)).size).toBeGreaterThan(100_000_000);
    const before = process.memoryUsage().rss;
    let most = before;
    for await (const event of indexSource(path, "rows.json")) {
      most = Math.max(most, process.memoryUsage().rss);
      if (event.phase === "indexed")
        expect(event.index).toMatchObject({ rowCount: rows, columns: ["id", "meta.text"] });
    }
    expect(most - before).toBeLessThan(100_000_000);
  } finally {
    await rm(folder, { recursive: true });
  }
});
