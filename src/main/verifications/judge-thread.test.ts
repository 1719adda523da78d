import { expect, test } from "vitest";
import { loadRulesJudge } from "#main/judging";
import { createManualEngine, openTestService } from "../service/testing/index.ts";

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const input = { prompt: "What is 2 + 2?", response: "It is 2 + 2 = 5. I like it.", document: null, strict: false };

test("the rules in their thread come to what they come to anywhere", async () => {
  const service = await openTestService();
  const result = await service.verifierFor({ judge: "rules", model: null, preset: "general" }).verify(input);
  const { judgeByRules } = await loadRulesJudge();
  expect(result).toEqual(judgeByRules(input));
});

test("a signal takes back what a model is asked", async () => {
  const engine = createManualEngine();
  const service = await openTestService({ engine });
  const controller = new AbortController();
  const verifying = service
    .verifierFor({ judge: "both", model, preset: "general" })
    .verify(input, { signal: controller.signal });
  verifying.catch(() => undefined);
  await engine.arrived(1);
  controller.abort();
  await expect(verifying).rejects.toThrow();
  expect(engine.waiting).toEqual([]);
});

test("a judge that can't be had is refused", async () => {
  const { verifierFor } = await openTestService();
  expect(() => verifierFor({ judge: "model", model: null, preset: "general" })).toThrow();
});

test("the thread of the app goes on while a long answer is judged", async () => {
  const service = await openTestService();
  const response = "The sum is 12 + 30 = 42, and then some more words follow. ".repeat(17_000);
  let turns = 0;
  let isJudging = true;
  const judging = service
    .verifierFor({ judge: "rules", model: null, preset: "general" })
    .verify({ ...input, response });
  judging.finally(() => {
    isJudging = false;
  });
  while (isJudging) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect((await judging).response).toHaveLength(response.length);
  expect(turns).toBeGreaterThan(20);
});

test("a small verification does not wait for the end of a large one next to it", async () => {
  const service = await openTestService();
  const { verify } = service.verifierFor({ judge: "rules", model: null, preset: "general" });
  const rows = Array.from({ length: 8_000 }, (_, row) => `Row ${row} has ${row * 7} items.`);
  const document = rows.join("\n").replaceAll("7", "8");
  const large = verify({ ...input, document, response: rows.join("\n") }).then(() => "large");
  const small = verify({ ...input, response: "1 + 1 = 3" }).then(() => "small");
  expect(await Promise.race([large, small])).toBe("small");
  await large;
});
