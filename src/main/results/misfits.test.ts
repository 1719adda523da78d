import { expect, test } from "vitest";
import { breaksSchema, explainMisfits } from "#contract";
import { findMisfits } from "./misfits.ts";

test("answers whose schema could not be checked say so, and count as no answers that break it", async () => {
  const client = { findMisfits: () => Promise.reject(new Error("The thread ended.")) };
  const format = { type: "json_schema", json_schema: { name: "a", schema: { type: "object" } } };
  const line = { state: "answered", answer: "{}", calls: [] } as const;
  const requests = [{ response_format: format }, {}].map((body) => JSON.stringify({ body }));
  const [misfits = [], none] = await findMisfits(
    { client: () => client },
    requests.map((request) => ({ request, line })),
  );
  expect(explainMisfits(misfits)).toBe("The answer could not be checked against its schema.");
  expect([breaksSchema(misfits), none]).toEqual([false, []]);
});
