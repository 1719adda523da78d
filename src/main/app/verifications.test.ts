import { readFile } from "node:fs/promises";
import { safe } from "@orpc/client";
import { parse } from "csv-parse/sync";
import { afterEach, describe, expect, it } from "vitest";
import type { RequestTemplate, VerificationRun } from "#contract";
import { type AppFixture, connectPort, openApp, type RpcClient, upload } from "./testing/app-fixture.ts";

const opened: AppFixture[] = [];
afterEach(async () => {
  for (const fixture of opened.splice(0)) await fixture.close();
});

async function open(): Promise<AppFixture> {
  const fixture = await openApp();
  opened.push(fixture);
  return fixture;
}

const template: RequestTemplate = {
  messages: [{ role: "user", content: "{{ question }}" }],
  connectionId: null,
  model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
  temperature: 0,
  maxCompletionTokens: 200,
  customId: "{{ id }}",
};
const byRules = { judge: "rules", model: null, preset: "general" } as const;

/** A batch of three lines that has ended, built from a table with a column `passage`. */
async function runBatch({ service }: AppFixture, client: RpcClient): Promise<string> {
  const table = "id,question,passage\n1,Where is it?,In Paris.\n2,How high?,300 m.\n3,Who built it?,Eiffel.\n";
  const source = await upload(client, Buffer.from(table), "towers.csv");
  for await (const event of await client.build.submit({ sourceId: source.id, template, name: "Towers" })) {
    if (event.phase !== "submitted") continue;
    await service.batches.settled(event.batchId);
    return event.batchId;
  }
  throw new Error("It was not submitted.");
}

async function exportTable({ app }: AppFixture, client: RpcClient, batchId: string): Promise<Record<string, string>[]> {
  const outcome = await client.exports.begin({ what: "results", batchId, format: "csv" });
  if (outcome.how !== "link") throw new Error(`The export ended with ${outcome.how}.`);
  const { path = "" } = app.takeExport(outcome.href.split("/").at(-1) ?? "") ?? {};
  return parse(await readFile(path), { columns: true });
}

async function untilDone(changes: AsyncIterable<VerificationRun>): Promise<VerificationRun> {
  for await (const run of changes) if (run.state === "done") return run;
  throw new Error("The changes ended.");
}

describe("verifying a batch over the RPC", () => {
  it("offers the columns of its table, verifies in the background, and tells of the end", async () => {
    const fixture = await open();
    const { client } = connectPort(fixture.app);
    const batchId = await runBatch(fixture, client);
    expect(await client.verifications.get({ batchId })).toBeNull();
    expect(
      Object.keys((await exportTable(fixture, client, batchId))[0] ?? {}).filter((name) => /verdict|verify/.test(name)),
    ).toEqual([]);
    expect(await client.verifications.options({ batchId })).toEqual({
      columns: ["id", "question", "passage"],
      hasSystemMessages: false,
    });
    const changes = await client.verifications.watch();
    const document = { from: "column", column: "passage" } as const;
    const started = await client.verifications.start({ batchId, choice: byRules, document });
    expect(started).toMatchObject({ batchId, state: "running", total: 3, document });
    const done = await untilDone(changes);
    expect(done).toMatchObject({ done: 3, choice: byRules, document });
    expect(await client.verifications.get({ batchId })).toEqual(done);
    expect(await client.verifications.resume({ batchId })).toEqual(done);
    expect(await client.verifications.cancel({ batchId })).toEqual(done);

    const { rows } = await client.results.page({ batchId, offset: 0, limit: 10 });
    const verdicts = rows.map(({ verdict }) => verdict);
    expect(verdicts).not.toContain(null);
    for (const verdict of new Set(verdicts)) {
      if (verdict === null) continue;
      const page = await client.results.page({ batchId, offset: 0, limit: 10, filter: { verdicts: [verdict] } });
      expect(page.rows).toEqual(rows.filter((row) => row.verdict === verdict));
      expect(page.total).toBe(page.rows.length);
      expect(page.total).toBe(done.counts[verdict]);
    }
    expect(await client.verifications.line({ batchId, line: 2 })).toEqual({
      result: expect.objectContaining({ prompt: "How high?", response: expect.any(String) }),
      document: "300 m.",
    });
    expect((await client.results.line({ batchId, line: 2 })).verdict).toBe(rows[1]?.verdict);

    // Rows, run and export have the counts and reasons of the same results.
    const exported = await exportTable(fixture, client, batchId);
    for (const [at, { line, claims }] of rows.entries()) {
      const { result } = (await client.verifications.line({ batchId, line })) ?? {};
      expect(result?.counts).toMatchObject(claims ?? {});
      expect(exported[at]).toMatchObject({
        verdict: rows[at]?.verdict,
        "verify.reason": expect.stringMatching(/\w/),
        "verify.claim": result?.claims.find(({ verdict }) => verdict === rows[at]?.verdict)?.span.text,
      });
    }
    expect((await client.results.summary({ batchId })).claims).toEqual(done.claims);
    const sum = (verdict: "supported" | "not_checkable") =>
      rows.reduce((all, { claims }) => all + (claims?.[verdict] ?? 0), 0);
    expect(done.claims).toMatchObject({ supported: sum("supported"), not_checkable: sum("not_checkable") });
  });

  it("says what is wrong with a choice, and keeps what was there", async () => {
    const fixture = await open();
    const { client } = connectPort(fixture.app);
    const batchId = await runBatch(fixture, client);
    const none = { from: "none" } as const;
    const wrong = [
      { choice: { judge: "model", model: null }, document: none },
      { choice: { judge: "both", model: "no-such-model" }, document: none },
      { choice: byRules, document: { from: "column", column: "colour" } },
    ] as const;
    for (const input of wrong) {
      const outcome = await safe(client.verifications.start({ batchId, ...input }));
      expect(outcome.error).toMatchObject({ data: { message: expect.any(String) } });
    }
    const resumed = await safe(client.verifications.resume({ batchId }));
    expect(resumed.error).toMatchObject({ code: "NOT_FOUND" });
    expect(await client.verifications.get({ batchId })).toBeNull();
  });
});
