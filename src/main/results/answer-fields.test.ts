import { expect, test } from "vitest";
import type { ResultDetail } from "#contract";
import type { BatchRecord } from "#main/storage";
import { makeBatchRecord } from "../service/testing/records.ts";
import { createAnswerFields } from "./answer-fields.ts";

test("fields are found at a hundred answers or at the end, once, and stored with the batch", async () => {
  const records = new Map<string, BatchRecord>();
  const put = (record: BatchRecord) => void records.set(record.id, record);
  const batches = { get: (id: string) => records.get(id), put } as never;
  let reads = 0;
  let request = "{}";
  const results = {
    numbers: async () => Array.from({ length: 150 }, (_, at) => at + 1),
    lines: async (_id: string, lines: readonly number[]) => {
      if (lines.length === 1) return [{ answer: "", rawRequest: request }] as ResultDetail[];
      reads += 1;
      expect(lines).toHaveLength(100);
      return lines.map(() => ({ answer: '{"label":"a"}', rawRequest: "{}" }) as ResultDetail);
    },
  };
  const answerFields = createAnswerFields({ readable: { batches } as never, store: { batches }, results });
  const running = (completed: number) =>
    put(makeBatchRecord({ id: "b", status: "in_progress", counts: { total: 200, completed, failed: 0 } }));

  running(99);
  expect(await answerFields("b")).toBeNull();
  const schema = { type: "object", properties: { asked: {} } };
  request = JSON.stringify({ body: { response_format: { type: "json_schema", json_schema: { schema } } } });
  expect(await answerFields("b"), "before there are enough answers").toEqual(["asked"]);
  running(100);
  expect(await answerFields("b")).toEqual(["label"]);
  expect(records.get("b")?.answerFields).toEqual(["label"]);
  expect(await answerFields("b")).toEqual(["label"]);
  expect(reads).toBe(1);
  await expect(answerFields("gone")).rejects.toMatchObject({ code: "not_found" });
});
