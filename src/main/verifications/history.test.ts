import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countClaims, type Verification } from "#contract";
import { noDurability } from "#main/storage";
import { createSilentLogger } from "../base/logger.ts";
import { createVerificationHistory } from "./history.ts";

let folder = "";
let path = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheaf-history-"));
  path = join(folder, "verifications.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

const open = () => createVerificationHistory(path, { durability: noDurability, logger: createSilentLogger() });

function verification(id: string, prompt = "What is 2 + 2?"): Verification {
  return {
    id,
    at: 5,
    choice: { judge: "rules", model: null, preset: "general" },
    strict: false,
    isEarlier: false,
    document: null,
    milliseconds: 1,
    result: {
      prompt,
      response: "4",
      is_hallucination: false,
      explanation: "Nothing could be checked.",
      claims: [],
      counts: countClaims([]),
      search_results: [],
      usage: { completion_tokens: 0, prompt_tokens: 0, total_tokens: 0 },
    },
  };
}

describe("the history of verifications", () => {
  it("is empty at first", async () => {
    expect(await open().list()).toEqual([]);
    expect(await open().get("verification_1")).toBeNull();
    expect(await open().clear()).toBe(0);
  });

  it("has the newest first, and each of them whole, after a restart too", async () => {
    const before = open();
    await Promise.all([before.add(verification("a", "Grüße? 🙂")), before.add(verification("b", "x".repeat(500)))]);
    for (const history of [before, open()]) {
      const list = await history.list();
      expect(list.map(({ id }) => id)).toEqual(["b", "a"]);
      expect(list.map(({ prompt }) => prompt)).toEqual([`${"x".repeat(199)}…`, "Grüße? 🙂"]);
      expect(await history.get("a")).toEqual(verification("a", "Grüße? 🙂"));
      expect((await history.get("b"))?.result.prompt).toHaveLength(500);
    }
  });

  it("cuts no character in two", async () => {
    const history = open();
    await history.add(verification("a", `${"x".repeat(198)}🙂.`));
    expect((await history.list())[0]?.prompt).toBe(`${"x".repeat(198)}…`);
  });

  it("keeps the last 100 and clears the others out of the file", async () => {
    const history = open();
    for (let number = 1; number <= 130; number++) await history.add(verification(`v${number}`));
    const ids = (await history.list()).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, at) => `v${130 - at}`));
    expect((await readFile(path, "utf8")).trimEnd().split("\n").length).toBeLessThanOrEqual(125);
    expect((await open().get("v130"))?.id).toBe("v130");
  });

  it("does not grow beyond its share of the disk", async () => {
    const history = open();
    const large = "x".repeat(9_000_000);
    for (let number = 1; number <= 6; number++) await history.add(verification(`v${number}`, large));
    expect((await history.list()).map(({ id }) => id)).toEqual(["v6", "v5", "v4"]);
    expect((await stat(path)).size).toBeLessThan(42 * 1024 * 1024);
    expect((await history.get("v4"))?.result.prompt).toBe(large);
  });

  it("loses no more than the entry that is torn", async () => {
    const before = open();
    await before.add(verification("a"));
    await before.add(verification("b"));
    const whole = await readFile(path, "utf8");
    const torn = whole.replace('"id":"a"', '"id":7');
    await writeFile(path, torn);
    await appendFile(path, whole.slice(0, 40));
    const after = open();
    expect((await after.list()).map(({ id }) => id)).toEqual(["b"]);
    await after.add(verification("c"));
    expect((await open().list()).map(({ id }) => id)).toEqual(["c", "b"]);
  });

  it("shows what an earlier version made as that, without its claims", async () => {
    const { strict, isEarlier, ...earlier } = verification("a");
    const claim = { verdict: "contradicted", check: "grounding", reason: "The text doesn't mention it." };
    const result = { ...earlier.result, is_hallucination: true, claims: [claim] };
    await writeFile(path, `${JSON.stringify({ ...earlier, choice: { judge: "rules", model: null }, result })}\n`);
    const history = open();
    expect(await history.list()).toMatchObject([{ id: "a", verdict: null }]);
    expect(await history.get("a")).toMatchObject({ isEarlier: true, result: { claims: [] } });
  });

  it("can be cleared", async () => {
    const history = open();
    await history.add(verification("a"));
    expect(await history.clear()).toBe(1);
    expect(await history.list()).toEqual([]);
    await history.add(verification("b"));
    expect((await open().list()).map(({ id }) => id)).toEqual(["b"]);
  });

  it("leaves out one with a damaged byte, whenever that happened", async () => {
    const before = open();
    await before.add(verification("a", "What is 2 + 2?"));
    await before.add(verification("b"));
    await writeFile(path, (await readFile(path, "utf8")).replace("2 + 2", "2 + 3"));
    expect(await before.get("a")).toBeNull();
    expect((await open().list()).map(({ id }) => id)).toEqual(["b"]);
  });
});
