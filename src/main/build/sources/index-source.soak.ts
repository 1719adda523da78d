import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { zipSync } from "fflate";
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

it("a workbook whose cells are far to the right is refused: its rows are 100 MB of commas", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-soak-"));
  try {
    const path = join(folder, "content");
    const sheet = `<a>${'<row><c r="XFD1"><v>1</v></c></row>'.repeat(6_400)}</a>`;
    const parts = {
      "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels":
        '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="a.xml"/></Relationships>',
      "xl/sharedStrings.xml": "<sst/>",
      "xl/a.xml": sheet,
    };
    const files = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]));
    await writeFile(path, zipSync(files, { level: 1 }));
    await expect(Array.fromAsync(indexSource(path, "bad.xlsx"))).rejects.toThrow("far more");
  } finally {
    await rm(folder, { recursive: true });
  }
});
