import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import iconv from "iconv-lite";
import { expect, it } from "vitest";
import { hostileTexts, type Mutation, mutate, readAnyTable } from "../testing/mutate-table.ts";
import { listOddTables, tablesFolder } from "../testing/odd-tables.ts";

const files = [...new Set(listOddTables().map(({ file }) => file))];
const place = fc.double({ min: 0, max: 1, noNaN: true });
const mutation = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: place, byte: fc.nat(255) }),
  fc.record({ kind: fc.constant("cut" as const), at: place, to: place }),
  fc.record({ kind: fc.constant("insert" as const), at: place, text: fc.constantFrom(...hostileTexts) }),
  fc.record({ kind: fc.constant("repeat" as const), at: place, to: place, times: fc.nat(40) }),
);

// `npm run soak` tries twenty times as many.
it("a damaged table is read, or refused by a sentence", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (file, list) => {
        const found = await readAnyTable(mutate(readFileSync(join(tablesFolder, file)), list), file);
        if (typeof found === "string") expect(found).toMatch(/\.$/);
      },
    ),
    { numRuns: 50 },
  );
});

// Each would take minutes, or more memory than there is.
it.each<[file: string, Mutation[], says: string]>([
  [
    "late-map-key.parquet",
    [
      { kind: "flip", at: 0.620489, byte: 0 },
      { kind: "insert", at: 0.788446, text: "PAR1" },
    ],
    "damaged: a page has more values than it declares",
  ],
  [
    "hidden-sheet-first.xls",
    [
      { kind: "repeat", at: 0.820374, to: 0.644156, times: 452 },
      { kind: "repeat", at: 0.748487, to: 0.898835, times: 266 },
      { kind: "flip", at: 0.252284, byte: 28 },
      { kind: "flip", at: 0.460317, byte: 181 },
    ],
    "damaged: its parts lead back to themselves",
  ],
])("a damaged table that its reader would not end with is refused at once: %s", async (file, list, says) => {
  expect(await readAnyTable(mutate(readFileSync(join(tablesFolder, file)), list), file)).toContain(says);
});

it.each([
  [
    "page.xls",
    "<html><body><table><tr><td>id</td><td>text</td></tr><tr><td>1</td><td>Größe</td></tr></table></body></html>",
  ],
  [
    "sheet.xls",
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table><Row><Cell><Data ss:Type="String">text</Data></Cell></Row><Row><Cell><Data ss:Type="String">Größe, schön, Straße</Data></Cell></Row></Table></Worksheet></Workbook>',
  ],
])("a table in tags is read in an encoding that the runtime does not have: %s", async (name, text) => {
  expect(await readAnyTable(iconv.encode(text, "cp850"), name)).toBe(1);
});
