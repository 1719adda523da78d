import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isContractProcedure } from "@orpc/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allRows, rpcContract } from "#contract";
import { type AppFixture, connectPort, openApp, type RpcClient } from "./testing/app-fixture.ts";

/** Procedures that read and change records of the data folder, by ids, and nothing else. A new one is put here or in docs/security.md. */
const ofDataFolder = new Set([
  ...["app.notices", "app.confirmDamage", "app.watchDisk", "app.models", "app.licenses"],
  ...[
    "batches.list",
    "batches.get",
    "batches.qualities",
    "batches.left",
    "batches.retryCost",
    "batches.costs",
    "batches.judgeCosts",
    "batches.rename",
    "batches.remove",
    "batches.deleted",
    "batches.restore",
    "batches.purge",
  ],
  ...[
    "batches.watch",
    "build.trials",
    "build.trySchema",
    "build.cost",
    "compare.summary",
    "compare.page",
    "compare.rowOf",
    "compare.line",
  ],
  ...["connections.presets", "connections.remove"],
  ...[
    "desktop.requests",
    "desktop.setCommands",
    "desktop.setTheme",
    "desktop.setUnsaved",
    "desktop.preferences",
    "desktop.setPreferences",
  ],
  ...["drafts.list", "drafts.create", "drafts.get", "drafts.fromBatch", "drafts.remove"],
  ...["files.list", "files.head", "files.remove", "files.append", "files.check", "files.discard"],
  ...["folder.watch", "folder.check", "folder.repair", "folder.cancel", "folder.reopen"],
  ...["grades.get", "grades.options", "grades.hasSchemas", "grades.cancel", "grades.watch", "grades.line"],
  ...["results.page", "results.rows", "results.rowOf", "results.answerFields", "results.sourceColumns", "results.line"],
  ...["results.search", "results.findHit", "results.lines", "results.numbers", "results.summary", "results.chart"],
  ...["results.countMisfits", "results.wholeRows", "results.picture", "results.keepList"],
  ...["server.get", "server.watch", "server.enableMcp", "server.disableMcp", "server.turnClock", "server.rules"],
  ...["server.watchRequests", "server.request", "server.clearRequests"],
  ...["sources.append", "sources.finish", "sources.discard", "sources.get", "sources.setLayout", "sources.head"],
  ...["sources.editLine", "sources.values", "sources.setReplacements", "sources.rows"],
  ...["storage.measure", "storage.retention", "storage.planRetention", "storage.confirmClock"],
  ...["verifications.history", "verifications.fromHistory", "verifications.clearHistory", "verifications.get"],
  ...["verifications.options", "verifications.cancel", "verifications.watch", "verifications.line"],
]);

function listProcedures(router: object, path: readonly string[] = []): string[] {
  return Object.entries(router).flatMap(([name, inner]) =>
    isContractProcedure(inner) ? [[...path, name].join(".")] : listProcedures(inner, [...path, name]),
  );
}

it("every procedure is in the list of docs/security.md, or known to reach no further than the data folder", () => {
  const page = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  const [, section = ""] = /\n## What the app's page can ask for\n(.*?)\n\| rule/s.exec(page) ?? [];
  const cells = section.split("\n").map((line) => line.split("|")[1] ?? "");
  const listed = cells.flatMap((cell) => Array.from(cell.matchAll(/`(\w+\.\w+)`/g), ([, name = ""]) => name));
  expect([...listed, ...ofDataFolder].sort()).toEqual(listProcedures(rpcContract).sort());
});

let fixture: AppFixture;
let client: RpcClient;
let leave = () => {};
beforeAll(async () => {
  fixture = await openApp();
  ({ client, leave } = connectPort(fixture.app));
});
afterAll(async () => {
  leave();
  await fixture.close();
});

it("an id that is a path leads nowhere", async () => {
  const secret = "what is in this file is nobody's business";
  await writeFile(join(fixture.dataDir, "secret.json"), JSON.stringify({ id: secret, columns: [secret] }));
  for (const id of ["../secret", "../secret.json", "..", ".", "/etc/passwd", "a/../../secret", "..\\secret", ""]) {
    const build = { sourceId: id, template: (await client.drafts.create({})).template, rows: allRows };
    const calls = {
      source: client.sources.get({ id }),
      rows: client.sources.rows({ id, offset: 0, limit: 10 }),
      head: client.sources.head({ id }),
      opened: client.sources.open({ id }).then(Array.fromAsync),
      preview: client.build.preview({ ...build, row: 1 }),
      draft: client.drafts.get({ id }),
      trials: client.build.trials({ draftId: id }),
      draftOf: client.drafts.fromBatch({ batchId: id, as: "copy" }),
      file: client.files.head({ id }),
      stored: client.files.store({ id, filename: "a.jsonl" }),
      batch: client.batches.get({ id }),
      results: client.results.page({ batchId: id, offset: 0, limit: 10 }),
      columns: client.results.sourceColumns({ batchId: id }),
      grades: client.grades.get({ batchId: id }),
      exported: client.exports.begin({ what: "file", fileId: id }),
      shown: client.exports.showInFolder({ id }),
    };
    for (const [what, call] of Object.entries(calls)) {
      const { status, ...ended } = await Promise.allSettled([call]).then(([settled]) => settled);
      expect(JSON.stringify(ended), `${what} of ${id}`).not.toContain(secret);
      if (status === "fulfilled")
        expect([null, []], `${what} of ${id}`).toContainEqual("value" in ended && ended.value);
    }
  }
  expect(fixture.log).toEqual([]);
});
